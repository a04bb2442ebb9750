"""Types of errors made on purpose, beside ERRANT's types of the same errors.

Run from the repository: python -m benchmarks.made_types CLEAN [SENTENCES]
CLEAN has an Errant sentence a line. Every error that `errors(rate=0.1)` makes is put into its
sentence alone, and ERRANT is asked what was corrected. It prints the share that agree, by type.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.opening import open_parser
from hyperbaton.perturb.errors.errors import Correction, Errors, Noisy, write
from hyperbaton.perturb.errors.slips import Slip
from hyperbaton.studies.grammar.edits import Errant


def alone(clean: Sentence, noisy: Noisy, correction: Correction, shift: int) -> Noisy:
    """The sentence with one of its errors."""
    wrong = noisy.sentence.words[correction.start : correction.end]
    start = correction.start - shift
    return write(clean, [Slip(start, start + len(correction.words), wrong, correction.type)])


def main(path: Path, limit: int) -> None:
    """Print how often the types agree, and what ERRANT says where they do not."""
    lines = path.read_text(encoding="utf-8").splitlines()[:limit]
    errant, made = Errant(), Errors(rate=0.1)
    agree: Counter[str] = Counter()
    total: Counter[str] = Counter()
    others: dict[str, Counter[str]] = {}
    with open_parser("en") as parser:
        for clean in parser.parse(lines, map(str, range(len(lines)))):
            noisy = made.noisy(clean, Rng(0, clean.id, str(made)))
            shift = 0
            for correction in noisy.corrections if noisy else ():
                assert noisy is not None
                one = alone(clean, noisy, correction, shift)
                shift += correction.end - correction.start - len(correction.words)
                found = errant.edits(one.sentence.words, clean.words)
                said = " + ".join(edit.type for edit in found)
                total[correction.type] += 1
                agree[correction.type] += said == correction.type
                if said != correction.type:
                    others.setdefault(correction.type, Counter())[said] += 1
                    if "-v" in sys.argv:
                        print(correction.type, said, "|", " ".join(one.sentence.words), correction)
    print(f"agree: {agree.total()} of {total.total()}, {agree.total() / total.total():.1%}")
    for kind, count in total.most_common():
        rest = ", ".join(f"{said} {n}" for said, n in others.get(kind, Counter()).most_common(4))
        print(f"{kind:14}{agree[kind]:5} of {count:4}  {rest}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
