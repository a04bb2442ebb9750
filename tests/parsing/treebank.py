"""A small French treebank that the tests write themselves, to train small real models on."""

from __future__ import annotations

from itertools import product

__all__ = ["conllu", "sentences", "texts"]

Row = tuple[str, str, int, str]
NOUNS = ("chat", "chien", "garçon", "parc", "jardin", "marché")
VERBS = ("va", "parle", "court", "marche")


def sentences() -> list[list[Row]]:
    """Le NOUN VERB au NOUN. ("au" stands for à + le.)"""
    made = []
    for number, (noun, verb) in enumerate(product(NOUNS, VERBS)):
        place = NOUNS[(number + 3) % len(NOUNS)]
        made.append(
            [
                ("Le", "DET", 2, "det"),
                (noun, "NOUN", 3, "nsubj"),
                (verb, "VERB", 0, "root"),
                ("à", "ADP", 6, "case"),
                ("le", "DET", 6, "det"),
                (place, "NOUN", 3, "obl"),
                (".", "PUNCT", 3, "punct"),
            ]
        )
    return made


def texts() -> list[str]:
    """The sentences as they are written."""
    return [f"Le {s[1][0]} {s[2][0]} au {s[5][0]}." for s in sentences()]


def conllu() -> str:
    """The treebank with its contractions."""
    lines = []
    for number, (rows, text) in enumerate(zip(sentences(), texts(), strict=True)):
        lines += [f"# sent_id = {number}", f"# text = {text}"]
        for i, (form, upos, head, dep) in enumerate(rows, start=1):
            if i == 4:
                lines.append("4-5\tau" + "\t_" * 8)
            misc = "SpaceAfter=No" if i == len(rows) - 1 else "_"
            lines.append(f"{i}\t{form}\t{form.lower()}\t{upos}\t_\t_\t{head}\t{dep}\t_\t{misc}")
        lines.append("")
    return "\n".join(lines) + "\n"
