"""Texts for the comparison with other implementations: drawn at random, and real ones."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from hyperbaton.language.languages import PAPER_LANGUAGES

SHARED = Path(__file__).parents[3] / "shared" / "data"

# Few letters, so that n-grams repeat; every class of character that a tokenizer tells apart.
_ALPHABET = "ab .,'-\"&;/019\t\n\u00a0\u3000中、。１²€+é😀👍🏽𠀀\u200bЖ<"
TEXT = st.text(alphabet=_ALPHABET, max_size=40) | st.text(max_size=12)
WORDS = st.lists(st.sampled_from(["a", "b", "ab", "B", ".", "的", "😀"]), max_size=12).map(" ".join)
PAIRS = st.lists(st.tuples(TEXT | WORDS, TEXT | WORDS), min_size=1, max_size=8)

ODD_PAIRS = [
    ("", ""),
    ("", "a b c d e"),
    ("a b c d e", ""),
    ("a", "a"),
    ("a", "b"),
    ("   ", "\t"),
    ("a a a a a a", "a a"),
    ("a a", "a a a a a a"),
    ("the the the the the the the", "the cat is on the mat"),
    ("😀 😀👍🏽 ok", "👍🏽 😀 ok"),
    ("3.5, 1,000. 5-6 ..5", "3.5 , 1,000 . 5 - 6 .. 5"),
    ("&quot;Ja&quot;, &amp; &lt;skipped&gt;", '"Ja", & <skipped>'),
    ("我爱你。", "我 爱 你 。"),
]


def long_pair() -> tuple[str, str]:
    """Two lines of 5,000 tokens that share most of them."""
    words = [f"w{i * i % 613}" for i in range(5000)]
    return " ".join(words), " ".join(words[2500:] + words[:2500])


def real_pairs(language: str, size: int = 200) -> list[tuple[str, str]]:
    """Real sentences, each against its neighbour and against itself without its first half."""
    other = "de" if language == "en" else language
    path = SHARED / "tatoeba" / f"en-{other}.{language}"
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()[: size + 1]
    near = list(zip(lines[1:], lines[:-1], strict=True))
    return near + [(line[len(line) // 2 :], line) for line in lines]


LANGUAGES = PAPER_LANGUAGES
