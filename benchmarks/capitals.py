"""What capitals cost a shipped translator, as its model reads them and as it does itself.

    python benchmarks/capitals.py FOLDER [--lines N] [--system bundled]

FOLDER holds files `en-XX.en` and `en-XX.XX`; those that are not there are left out. Each line is
translated as it is, in capitals, and with a capital at each word. A figure is the mean chrF of what
became of the capitals to the translation of the line as it is (in capitals too, where the target
has them): by the folder as `ct2:` reads it, then by the translator. `other` counts ordinary lines
that the two translate otherwise.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import sacrebleu

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import has_case
from hyperbaton.systems.ct2.system import CTranslate2
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.shipped.bundled import Packaged
from hyperbaton.systems.system import SYSTEMS, Translator

OTHERS = ("de", "fr", "es", "it", "ru", "ja", "zh")
HEAD = """\
| direction | capitals: model | translator | headline: model | translator | other |
|---|---|---|---|---|---|"""


def titled(text: str) -> str:
    """A capital at each word, the other letters as they are."""
    return " ".join(word[:1].upper() + word[1:] for word in text.split(" "))


def translations(translator: Translator, texts: Sequence[str]) -> list[str]:
    """What a translator makes of texts."""
    return [answer.text or "" for answer in translate_all(translator, texts)]


def closeness(found: Sequence[str], expected: Sequence[str]) -> float:
    """The mean chrF of texts to texts, from 0 to 1."""
    pairs = zip(found, expected, strict=True)
    return sum(sacrebleu.sentence_chrf(a, [b]).score for a, b in pairs) / 100 / len(expected)


def row(system: Packaged, source: str, target: str, lines: list[str]) -> list[float]:
    """The four figures of a direction, and how many ordinary lines have another translation."""
    folder = CTranslate2(str(system.folder), max_length=256, max_input=256, **asdict(system))
    with folder.open(source, target) as model, system.open(source, target) as translator:
        plain = translations(model, lines)
        loud = [line.upper() for line in plain] if has_case(target) else plain
        figures = []
        for changed, expected in ((str.upper, loud), (titled, plain)):
            texts = [changed(line) for line in lines]
            figures += [
                closeness(translations(one, texts), expected) for one in (model, translator)
            ]
        other = sum(a != b for a, b in zip(plain, translations(translator, lines), strict=True))
    return [*figures, other]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--system", default="bundled")
    options = parser.parse_args()
    system = SYSTEMS.parse(options.system)
    if not isinstance(system, Packaged):
        raise HyperbatonError(f"'{system}' does not come with the package: name bundled or steered")
    print(HEAD)
    rows = []
    for other in OTHERS:
        for source, target in (("en", other), (other, "en")):
            file = options.folder / f"en-{other}.{source}"
            if has_case(source) and file.is_file():
                lines = file.read_text(encoding="utf-8").splitlines()[: options.lines]
                rows.append(row(system, source, target, lines))
                *figures, changed = rows[-1]
                cells = " | ".join(f"{figure:.2f}" for figure in figures)
                print(f"| {source}-{target} | {cells} | {changed} |", flush=True)
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    cells = " | ".join(f"{figure:.2f}" for figure in means[:-1])
    print(f"| all | {cells} | {sum(one[-1] for one in rows)} |")


if __name__ == "__main__":
    main()
