"""A process with an interpreter of its own, for packages that do not bear one another."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError

__all__ = ["Worker"]


class Worker:
    """Speaks JSON lines with a script that another Python runs; ends with this process."""

    def __init__(self, python: str, script: Path, arguments: Sequence[str], offline: bool) -> None:
        self._python = python
        environment = {**os.environ, "TOKENIZERS_PARALLELISM": "false"}
        if offline:
            environment |= {"HF_HUB_OFFLINE": "1"}
        # Kept open as long as the process writes to it.
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        try:
            # -I: the other environment must not see this one's paths.
            self._process = subprocess.Popen(
                [python, "-I", str(script), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                encoding="utf-8",
                env=environment,
            )
        except OSError as error:
            raise HyperbatonError(f"{python} cannot be run: {error.strerror}") from None
        self._close = weakref.finalize(self, _end, self._process)
        self.greeting = self.receive()

    def ask(self, request: dict[str, object]) -> dict[str, object]:
        """Send one request and wait for its answer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise HyperbatonError(self._last_words()) from None
        return self.receive()

    def receive(self) -> dict[str, object]:
        """The next answer; an error that the script tells is raised here."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise HyperbatonError(self._last_words())
        answer: dict[str, object] = json.loads(line)
        if "error" in answer:
            raise HyperbatonError(str(answer["error"]))
        return answer

    def close(self) -> None:
        """End the process."""
        self._close()

    def _last_words(self) -> str:
        code = self._process.wait()
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors if line.strip()]
        return f"{self._python} ended with code {code}: {lines[-1] if lines else 'no message'}"


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except BrokenPipeError:
                continue
