"""A process of its own that opens models, with a hub and a cache of the hub that a test made."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["SENTENCE", "opened"]

_LEFT_OUT = {"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_CACHE", "TRANSFORMERS_CACHE"}
SENTENCE = "A big old city on the mat."
_OPEN = (
    f"SENTENCE = {SENTENCE!r}\n"
    + """
import json, socket, sys, threading

asked = []
def refuse(self, address, connect=socket.socket.connect):
    asked.append(str(address))
    return connect(self, address)
socket.socket.connect = refuse

from hyperbaton.detectors import DETECTORS
from hyperbaton.encoders import ENCODERS
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.systems.system import SYSTEMS

def look(kind, spec):
    if kind == "system":
        translator = SYSTEMS.parse(spec).open("en", "de")
        done = translator.translate([SENTENCE])
        return [translator.signature, [t.text for t in done]]
    if kind == "encoder":
        encoder = ENCODERS.parse(spec).open()
        return [encoder.signature, encoder.encode(["A dog"]).round(4).tolist()]
    if kind == "metric":
        metric = METRICS.parse(spec)
        found = metric.sentence_scores(["A dog"], ["The cat"]).round(4).tolist()
        return [metric.signature("corpus"), found]
    detector = DETECTORS.parse(spec)
    found = detector.probabilities(["A dog"], ["The cat"], "en").round(4).tolist()
    return [detector.signature("en"), found]

answers = []
for kind, spec in json.load(sys.stdin):
    before = len(asked)
    try:
        answer = look(kind, spec)
    except HyperbatonError as error:
        answer = ["error", str(error)]
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(20)
    answers.append([*answer, asked[before:]])
print(json.dumps(answers))
"""
)


def opened(
    models: list[tuple[str, str]], home: Path, url: str, **environment: str
) -> list[tuple[str, Any, list[str]]]:
    """Signature, first answer and addresses called, for each kind and name of a model."""
    inherited = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
    done = subprocess.run(
        [sys.executable, "-c", _OPEN],
        input=json.dumps(models),
        env={**inherited, "HF_HOME": str(home), "HF_ENDPOINT": url, **environment},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [(first, second, calls) for first, second, calls in json.loads(done.stdout)]
