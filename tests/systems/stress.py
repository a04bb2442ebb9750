"""Commands on one cache at the same time, killed at random: what was answered is in the store."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import string
import subprocess
import threading
import urllib.request
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path

from hyperbaton.pipeline.design import IDENTITY, Pair
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.parts import read_part
from hyperbaton.systems.store.store import FILE, Store
from hyperbaton.systems.system import SYSTEMS
from tests.cli.command import command, real_command

__all__ = ["Stress"]

SYSTEM = "cmd:tr a-z b-za"
_LETTERS = str.maketrans(string.ascii_lowercase, string.ascii_lowercase[1:] + "a")
_WORDS = ("old", "cat", "sleeps", "near", "warm", "stove", "all", "day", "long", "dog", "sees")
_LONGEST = 900
"""Seconds after which a command counts as hanging."""


class Stress:
    """A cache that several commands use; each of them is an endless series of turns."""

    def __init__(self, folder: Path, lines: int, kills: int, seed: int = 0) -> None:
        self._folder = folder
        self._lines = lines
        self._kills = kills
        self._seed = seed
        self._lock = threading.Lock()
        self.counts: Counter[str] = Counter()
        """Commands that came to their end, and kills, by name."""
        self.answered: set[str] = set()
        """Texts whose translation some command has given to its user."""
        self.faults: list[str] = []
        """What should not have been: a complaint, a wrong translation."""

    @property
    def cache(self) -> Path:
        """The folder that all of them share."""
        return self._folder / "cache"

    def run(self, go_on: Callable[[int], bool]) -> None:
        """Let all work at once, each as long as `go_on` says for the number of its turn."""
        threads = [
            threading.Thread(target=self._repeat, args=(work, go_on))
            for work in (self._translate, self._study_one, self._study_two, self._play)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def check(self) -> int:
        """How many answered texts the store holds, which must be sound and hold them all."""
        with closing(sqlite3.connect(self.cache / FILE)) as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert self.faults == []
        with SYSTEMS.parse(SYSTEM).open("en", "de") as translator, Store(self.cache) as store:
            assert store.damaged_rows() == 0
            found = store.lookup(translator.signature, self.answered)
        assert {t: a.text for t, a in found.items()} == {t: _turned(t) for t in self.answered}
        return len(found)

    def _repeat(
        self, work: Callable[[int, random.Random], None], go_on: Callable[[int], bool]
    ) -> None:
        turn = 0
        while go_on(turn):
            try:
                work(turn, random.Random(f"{self._seed}/{work.__name__}/{turn}"))
            except Exception as error:
                self.faults.append(f"{work.__name__}, turn {turn}: {error!r}")
                return
            turn += 1

    def _translate(self, turn: int, rng: random.Random) -> None:
        place = self._place("translate", turn)
        texts = [*_lines(turn, self._lines), *_lines(-turn - 1, self._lines)]
        (place / "in.txt").write_text("".join(f"{text}\n" for text in texts))
        verb = ("translate", "--system", SYSTEM, "-l", "en-de", "-o", "out.txt", "in.txt")
        self._to_the_end("translate", verb, place, rng)
        if (place / "out.txt").read_text().splitlines() != [_turned(text) for text in texts]:
            self.faults.append(f"translate, turn {turn}: other translations")
        self._answer(texts)

    def _study_one(self, turn: int, rng: random.Random) -> None:
        self._study("one", turn, rng)

    def _study_two(self, turn: int, rng: random.Random) -> None:
        self._study("two", turn, rng)

    def _study(self, name: str, turn: int, rng: random.Random) -> None:
        """A study of the texts that the others translate too."""
        place = self._place(name, turn)
        lines = _lines(turn, self._lines)
        (place / "in.en").write_text("".join(f"{text}\n" for text in lines))
        (place / "in.de").write_text("".join(f"{_turned(text)}\n" for text in lines))
        corpus = ("in.en", "in.de", "-l", "en-de", "--parser", "plain", "--system", SYSTEM)
        quick = ("--workers", "1", "-m", "chrF", "--no-second-look", "--no-report", "--no-poles")
        verb = ("wordorder", *corpus, *quick, "--with", "reversed", "--out", "run")
        self._to_the_end("study", verb, place, rng)
        layout, pair = Layout(place / "run"), Pair("en", "de")
        part = 0
        while (outputs := layout.outputs(SYSTEM, pair, part)).exists():
            rows = read_part(layout.probes(pair, part)).hstack(read_part(outputs))
            self._answer(rows["source"].to_list())
            self._answer(rows.filter(rows["variant"] != IDENTITY)["varied"].to_list())
            part += 1

    def _play(self, turn: int, rng: random.Random) -> None:
        """A page on which words are moved, until it is killed."""
        process = subprocess.Popen(
            real_command("play", "--no-open", "--system", SYSTEM),
            cwd=self._place("play", turn),
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            link = process.stdout.readline().strip()
            for number, text in enumerate(rng.sample(_lines(turn, self._lines), 5)):
                self._move(link, number, text)
        finally:
            process.kill()
            _, said = process.communicate(timeout=_LONGEST)
        self._note("play killed", said.replace("the page is open until you press Ctrl-C", ""))

    def _move(self, link: str, number: int, text: str) -> None:
        asked = {"page": "a", "number": number, "systems": [SYSTEM], "pair": "en-de", "text": text}
        body = json.dumps({**asked, "variant": {"name": "reversed"}}).encode()
        request = urllib.request.Request(
            f"{link}api/ask", body, {"Content-Type": "application/json", "Origin": _origin(link)}
        )
        with urllib.request.urlopen(request, timeout=_LONGEST) as reply:
            events = [json.loads(line) for line in reply.read().splitlines()]
        answer = events[-1]
        if answer["state"] != "answer":
            self.faults.append(f"play: {answer}")
        else:
            self.counts["moves"] += 1
            self._answer([text, answer["source"]["text"]])

    def _to_the_end(self, name: str, verb: Sequence[str], place: Path, rng: random.Random) -> None:
        """Begin a command, kill it some times and begin again, then let it end."""
        for attempt in range(self._kills + 1):
            process = subprocess.Popen(
                command(*verb),
                cwd=place,
                env=self._environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            if attempt < self._kills:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(rng.expovariate(0.7))
                if process.poll() is None:
                    process.send_signal(signal.SIGKILL)
                    process.communicate(timeout=_LONGEST)
                    self._note(f"{name} killed", "")
                    continue
            _, said = process.communicate(timeout=_LONGEST)
            if process.returncode:
                self.faults.append(f"{name}: status {process.returncode}: {said}")
            self._note(f"{name} done", said)
            return

    @property
    def _environment(self) -> dict[str, str]:
        return {**os.environ, "HYPERBATON_CACHE": str(self.cache), "OMP_NUM_THREADS": "1"}

    def _place(self, name: str, turn: int) -> Path:
        place = self._folder / f"{name}-{turn}"
        place.mkdir(parents=True)
        return place

    def _answer(self, texts: Sequence[str]) -> None:
        with self._lock:
            self.answered.update(texts)

    def _note(self, what: str, said: str) -> None:
        with self._lock:
            self.counts[what] += 1
            self.faults += [f"{what}: {line}" for line in said.splitlines() if _is_complaint(line)]


def _is_complaint(line: str) -> bool:
    return any(word in line for word in ("damaged", "malformed", "cannot use", "Traceback"))


def _origin(link: str) -> str:
    return link[: link.index("/", len("http://"))]


def _turned(text: str) -> str:
    return text.translate(_LETTERS)


def _lines(turn: int, count: int) -> list[str]:
    rng = random.Random(f"lines/{turn}")
    return [f"{' '.join(rng.sample(_WORDS, 6))} {turn} {n} ." for n in range(count)]
