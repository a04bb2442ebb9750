"""Studies that are started on the page: the ordinary command in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import write_text
from hyperbaton.play.mistakes import Mistake
from hyperbaton.play.reports import holds_links, inside

ON_FILES = ("wordorder", "surface", "grammar", "isometry")
"""The studies that can be run on the reader's own files."""
_NAME = re.compile(r"\w[\w.-]{0,99}")
_FILES = "files"
_MESSAGES = "messages.txt"
_PAGES = "compared"


@dataclass
class _Started:
    """A command of this page, and whether the reader paused it."""

    words: Sequence[str]
    process: subprocess.Popen[bytes]
    paused: bool = False


@dataclass
class Runs:
    """The runs of one folder; nothing outside it is read or written, and no link in it followed."""

    folder: Path
    systems: Sequence[str]
    _started: dict[str, _Started] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def start(
        self, study: object, pair: tuple[str, str], files: object, systems: object = None
    ) -> str:
        """Run a study on files of the reader, with some of the systems or all; the run's name."""
        if study not in ON_FILES:
            raise HyperbatonError(f"choose a study: {', '.join(ON_FILES)}")
        chosen = self.systems if systems is None else self._chosen(systems)
        texts = _ordered(_texts(files), pair)
        languages = "-".join(pair)
        with self._lock:
            name = self._free(f"{study}-{languages}")
            own = inside(self.folder, _FILES, name)
            for file, text in texts.items():
                write_text(inside(own, file), text)
            named = [word for system in chosen for word in ("--system", system)]
            words = [str(study), *(str(own / file) for file in texts), "-l", languages, *named,
                     "--out", str(self.folder / name)]  # fmt: skip
            self._spawn(name, words)
        return name

    def pause(self, name: object) -> None:
        """Stop a run; what it has done stays."""
        with self._lock:
            started = self._own(name)
            if started.process.poll() is None:
                started.paused = True
                started.process.terminate()
        started.process.wait()

    def resume(self, name: object) -> None:
        """Run the same command again, which does what is missing."""
        with self._lock:
            started = self._own(name)
            if started.process.poll() is None:
                raise Mistake("wrong_running", name=str(name))
            self._spawn(str(name), started.words)

    def listing(self) -> list[dict[str, object]]:
        """Every run of the folder, the newest last."""
        with self._lock:
            found = dict.fromkeys(self._started)
        return [self._described(name) for name in dict.fromkeys([*self._recorded(), *found])]

    def compare(self, names: object) -> tuple[str, str]:
        """Write a report on several runs side by side; where in the folder it is."""
        if not isinstance(names, list) or len(names) < 2:
            raise Mistake("wrong_compare")
        folders = [str(self.path(name)) for name in names]
        for folder in folders:
            if holds_links(Path(folder)):
                raise Mistake("wrong_links", name=folder)
        page = blake2b("\n".join(folders).encode(), digest_size=6).hexdigest() + ".html"
        out = inside(self.folder, _PAGES, page)
        done = subprocess.run(
            _command("report", *folders, "--out", str(out)), capture_output=True, check=False
        )
        if done.returncode:
            raise HyperbatonError(_last(done.stderr.decode(errors="replace")))
        return _PAGES, page

    def path(self, name: object) -> Path:
        """The folder of a run that is there, and is no other folder."""
        if not isinstance(name, str) or not _NAME.fullmatch(name) or ".." in name:
            raise HyperbatonError("there is no such run")
        folder = self.folder / name
        if folder.is_symlink() or not _is_plain(folder / "run.json"):
            raise Mistake("wrong_no_run", name=name, folder=str(self.folder))
        return folder

    def close(self) -> None:
        """Stop what is running; it can be resumed by its command."""
        with self._lock:
            for started in self._started.values():
                if started.process.poll() is None:
                    started.process.terminate()
            for started in self._started.values():
                started.process.wait()

    def _recorded(self) -> list[str]:
        """The names of all folders that hold a record, the newest last."""
        found = []
        for path in self.folder.glob("*/run.json"):
            with suppress(OSError):  # somebody deletes the run this moment
                if _is_plain(path) and not path.parent.is_symlink():
                    found.append((path.stat().st_mtime, path.parent.name))
        return [name for _, name in sorted(found)]

    def _described(self, name: str) -> dict[str, object]:
        # With their tables they take a fifth of a second, which a page that opens has not got.
        from hyperbaton.pipeline.run.completeness import parts_done
        from hyperbaton.pipeline.run.layout import Layout
        from hyperbaton.pipeline.run.record_reading import read_record

        layout = Layout(self.folder / name)
        told: dict[str, object] = {"name": name, "state": self._state(name), "done": 0, "all": 0}
        try:
            record = read_record(layout.record)
        except HyperbatonError as error:
            if name not in self._started:
                return {**told, "state": "damaged", "message": str(error)}
        else:
            told["done"], told["all"] = parts_done(layout, record)
            told |= {"study": record.study, "pairs": list(record.asked), "command": record.command}
            told["systems"] = list(dict.fromkeys(s for all_ in record.asked.values() for s in all_))
        told["report"] = _is_plain(layout.report)
        if told["state"] == "failed":
            told["message"] = _last(_read(self._messages(name)))
        return told

    def _state(self, name: str) -> str:
        started = self._started.get(name)
        if started is None:
            return "there"
        code = started.process.poll()
        if code is None:
            return "running"
        if code in (0, 1):
            return "finished"
        return "paused" if started.paused else "failed"

    def _chosen(self, systems: object) -> Sequence[str]:
        """Systems of this page; no other can be run from it."""
        if not isinstance(systems, list) or not all(name in self.systems for name in systems):
            raise HyperbatonError("systems is a list of names that the command was given")
        if not systems:
            raise Mistake("wrong_systems")
        return systems

    def _own(self, name: object) -> _Started:
        if not isinstance(name, str) or name not in self._started:
            raise Mistake("wrong_not_here")
        return self._started[name]

    def _free(self, stem: str) -> str:
        number = 1
        # Also a link that leads nowhere yet.
        while (
            os.path.lexists(self.folder / f"{stem}-{number}") or f"{stem}-{number}" in self._started
        ):
            number += 1
        return f"{stem}-{number}"

    def _messages(self, name: str) -> Path:
        return inside(self.folder, _FILES, name, _MESSAGES)

    def _spawn(self, name: str, words: Sequence[str]) -> None:
        with self._messages(name).open("wb") as messages:
            process = subprocess.Popen(
                _command(*words),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=messages,
            )
        self._started[name] = _Started(words, process)


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "hyperbaton", *words]


def _is_plain(path: Path) -> bool:
    """Whether a file is there, and is no link."""
    return path.is_file() and not path.is_symlink()


def _texts(files: object) -> Mapping[str, str]:
    """The reader's files by name; a name that is a path is refused."""
    if not isinstance(files, dict) or not 1 <= len(files) <= 3:
        raise Mistake("wrong_files")
    for name, text in files.items():
        plain = isinstance(name, str) and _NAME.fullmatch(name) and ".." not in name
        if not plain or name == _MESSAGES:
            raise Mistake("wrong_file_name", name=f"{name!s:.80}")
        if not isinstance(text, str) or not text.strip():
            raise Mistake("wrong_file_empty", name=name)
    return files


def _ordered(texts: Mapping[str, str], pair: tuple[str, str]) -> Mapping[str, str]:
    """The sentences before their translations: a browser gives files in an order of its own.

    >>> list(_ordered({"news.de": "Ja.", "news.en": "Yes."}, ("en", "de")))
    ['news.en', 'news.de']
    """
    if len(texts) == 1:
        return texts
    sides = {name: [code for code in pair if code in name.split(".")[1:]] for name in texts}
    sources = [name for name, codes in sides.items() if codes == [pair[0]]]
    if len(sources) != 1 or any(len(codes) != 1 for codes in sides.values()):
        raise Mistake("wrong_file_languages", source=pair[0], target=pair[1])
    return {name: texts[name] for name in (*sources, *texts)}


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _last(messages: str) -> str:
    """The last line that a command said."""
    lines = messages.strip().splitlines()
    return lines[-1].removeprefix("hyperbaton: ") if lines else "the command failed"
