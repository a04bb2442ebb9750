"""Tasks read their data sets as they are distributed, and judge answers as they should."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.tasks import TASKS, Retrieval
from hyperbaton.tasks.bucc import margins
from hyperbaton.tasks.nearest import nearest, neighbours
from hyperbaton.tasks.tuned import Tuned

SHARED = Path(__file__).parents[3] / "shared" / "data"


def _write(path: Path, *lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _retrieval(name: str) -> Retrieval:
    task = TASKS.parse(name)
    assert isinstance(task, Retrieval)
    return task


def _tuned(name: str) -> Tuned:
    task = TASKS.parse(name)
    assert isinstance(task, Tuned)
    return task


def test_nearest_is_the_largest_cosine_whatever_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    queries = rng.normal(size=(70, 9)).astype(np.float32)
    answers = rng.normal(size=(50, 9)).astype(np.float32)
    lengths = np.linalg.norm(queries, axis=1)[:, None] * np.linalg.norm(answers, axis=1)
    cosines = queries @ answers.T / lengths
    whole, _ = nearest(queries, answers)
    assert whole.tolist() == cosines.argmax(axis=1).tolist()
    monkeypatch.setattr("hyperbaton.tasks.nearest._ROWS", 7)
    monkeypatch.setattr("hyperbaton.tasks.nearest._COLUMNS", 11)
    assert nearest(queries, answers)[0].tolist() == whole.tolist()
    places, found = neighbours(queries, answers, 3)
    assert np.sort(found, axis=1) == pytest.approx(np.sort(cosines, axis=1)[:, -3:], abs=1e-6)
    assert np.take_along_axis(cosines, places, axis=1) == pytest.approx(found, abs=1e-6)


def test_of_equal_answers_the_first_is_nearest() -> None:
    answers = np.array([[0, 1], [1, 0], [1, 0]], np.float32)
    assert nearest(np.array([[2, 0]], np.float32), answers)[0].tolist() == [1]


def test_tatoeba(tmp_path: Path) -> None:
    _write(tmp_path / "tatoeba.deu-eng.deu", "Ja.", "Nein.", "Doch.")
    _write(tmp_path / "tatoeba.deu-eng.eng", "Yes.", "No.", "Yes.")
    task = _retrieval("tatoeba(least=3)")
    assert task.languages(tmp_path) == ("deu",)
    assert _retrieval("tatoeba").languages(tmp_path) == ()
    examples = task.examples(tmp_path, "deu")
    assert examples.answers == ("Yes.", "No.")
    assert examples.gold == (0, 1, 0)
    vectors = np.array([[1, 0], [1, 0], [2, 1]], np.float32)
    judged = task.judge(examples, vectors, np.eye(2, dtype=np.float32))
    assert judged.scores.tolist() == [1, 0, 1]
    assert judged.answers == ("Yes.", "Yes.", "Yes.")
    assert task.examples(tmp_path, "deu", 2).ids == ("1", "2")
    with pytest.raises(HyperbatonError, match=r"no language 'ger' \(it has 1: deu\)"):
        task.examples(tmp_path, "ger")


def test_sib200_meets_english_by_number(tmp_path: Path) -> None:
    head = "index_id\tsplit\tcategory\ttext"
    english = [head, "9\ttest\thealth\tnine", "3\tdev\ttravel\tthree", "1\ttrain\ttravel\tone"]
    german = [head, "3\tdev\ttravel\tdrei", "9\ttest\thealth\tneun", "5\ttest\thealth\tfünf"]
    for name, lines in (("eng_Latn", english), ("deu_Latn", german)):
        data = "".join(f"{line}\n" for line in lines).encode()
        (tmp_path / f"{name}.tsv.xz").write_bytes(lzma.compress(data))
    task = _retrieval("sib200")
    assert task.languages(tmp_path) == ("deu_Latn",)
    examples = task.examples(tmp_path, "deu_Latn")
    assert examples.ids == ("3", "9")
    assert [examples.answers[place] for place in examples.gold] == ["three", "nine"]
    topics = _tuned("sib200-topics")
    assert topics.training(tmp_path).texts == (("one",),)
    assert topics.validation(tmp_path, "eng_Latn").ids == ("3",)
    assert topics.examples(tmp_path, "deu_Latn").texts == (("fünf",), ("neun",))


def test_bucc_scores_f1_by_margin(tmp_path: Path) -> None:
    _write(tmp_path / "zh-en.dev.zh", "zh-1\t一", "zh-2\t二", "zh-3\t三")
    _write(tmp_path / "zh-en.dev.en", "en-1\tone", "en-2\ttwo", "en-3\tdogs")
    _write(tmp_path / "zh-en.dev.gold", "zh-1\ten-1", "zh-2\ten-2")
    task = _retrieval("bucc(k=2)")
    examples = task.examples(tmp_path, "zh")
    assert examples.gold == (0, 1, -1)
    answers = np.eye(3, dtype=np.float32)
    vectors = np.array([[1, 0.1, 0], [0, 1, 0.1], [1, 1, 1]], np.float32)
    places, values = margins(vectors, answers, 2)
    assert places[:2].tolist() == [0, 1]
    assert values[2] < values[:2].min()
    judged = task.judge(examples, vectors, answers)
    assert judged.scores.sum() / judged.weights.sum() == pytest.approx(1)
    wrong = task.judge(examples, vectors[::-1].copy(), answers)
    assert wrong.scores.sum() / wrong.weights.sum() < 1


@pytest.mark.parametrize(("name", "labels"), [("pawsx", "01"), ("xnli", ("neutral", "entailment"))])
def test_pairs_are_split_where_there_is_no_training_set(
    tmp_path: Path, name: str, labels: tuple[str, str]
) -> None:
    lines = [f"a{n}\tb{n}\t{labels[n % 2]}" for n in range(1, 21)]
    for code in ("en", "de"):
        _write(tmp_path / f"dev-{code}.tsv", *lines)
    task = _tuned(name)
    parts = [
        task.training(tmp_path),
        task.validation(tmp_path, "de"),
        task.examples(tmp_path, "de"),
    ]
    ids = [part.ids for part in parts]
    assert [len(some) for some in ids] == [12, 4, 4]
    assert len({one for some in ids for one in some}) == 20
    assert parts[2].texts[0] == ("a5", "b5")
    _write(tmp_path / "train-en.tsv", f"x\ty\t{labels[0]}")
    _write(tmp_path / "test-de.tsv", f"x\ty\t{labels[1]}")
    assert task.training(tmp_path).texts == (("x", "y"),)
    assert len(task.validation(tmp_path, "en").ids) == 20
    assert task.examples(tmp_path, "de").texts == (("x", "y"),)
    _write(tmp_path / "test-de.tsv", "x\ty\tmaybe")
    with pytest.raises(HyperbatonError, match="line 1 has the label 'maybe'"):
        task.examples(tmp_path, "de")


def test_xcopa_asks_for_cause_or_result(tmp_path: Path) -> None:
    row = {"premise": "It fell.", "choice1": "a", "choice2": "b", "question": "cause", "label": 1}
    for name in ("copa/train-en.jsonl", "copa/val-en.jsonl", "xcopa/et/test.et.jsonl"):
        _write(tmp_path / name, json.dumps(row), json.dumps({**row, "question": "effect"}))
    task = _tuned("xcopa")
    examples = task.examples(tmp_path, "et")
    assert examples.texts[0] == ("It fell. What was the cause?", "a", "b")
    assert examples.texts[1][0] == "It fell. What happened as a result?"
    assert examples.gold == (1, 1)
    judged = task.judge(examples, np.array([1, 0]))
    assert judged.scores.tolist() == [1, 0]
    assert judged.answers == ("second", "first")
    assert task.training(tmp_path).ids == ("1", "2")


def test_the_formats_of_xglue(tmp_path: Path) -> None:
    for part in ("train", "dev", "test"):
        _write(tmp_path / f"xglue.qam.en.{part}", "who?\tshe\t1", "who?\tblue\t0")
        _write(tmp_path / f"xglue.qadsm.en.{part}", "shoes\tcheap shoes\tbuy\tGood")
        _write(
            tmp_path / f"xglue.wpr.en.{part}",
            *("shoes\tshop\tshoes here\tPerfect", "shoes\tfish\tnone\tBad", "cat\ta\tb\tFair"),
        )
    assert _tuned("qam").examples(tmp_path, "en").gold == (1, 0)
    assert _tuned("qadsm").examples(tmp_path, "en").texts == (("shoes", "cheap shoes buy"),)
    pages = _tuned("wpr").examples(tmp_path, "en")
    best = _tuned("wpr").judge(pages, np.array([4, 0, 1]))
    assert best.scores.sum() / best.weights.sum() == 1
    worst = _tuned("wpr").judge(pages, np.array([0, 4, 1]))
    assert worst.scores.tolist() == pytest.approx([1 / np.log2(3), 0, 1])
    assert worst.weights.tolist() == [1, 0, 1]


def test_a_translation_is_scored_against_the_english_sentence() -> None:
    from hyperbaton.tasks.translation import Translation

    task = Translation()
    examples = task.examples(Path(), "de", 3)
    references = [examples.answers[place] for place in examples.gold]
    perfect = task.judge(examples, references)
    assert perfect.scores.tolist() == [1, 1, 1]
    assert task.judge(examples, ["", "", ""]).scores.sum() == 0
    with pytest.raises(HyperbatonError, match="name a retrieval task"):
        TASKS.parse("translation(of=pawsx)")


def test_every_task_prints_and_parses() -> None:
    for name in TASKS.names():
        assert str(TASKS.parse(name)) == name


@pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared")
@pytest.mark.parametrize(
    ("name", "folder", "language", "count"),
    [
        ("tatoeba", "laser-tatoeba-v1", "swh", 390),
        ("sib200", "sib200", "kas_Deva", 303),
        ("bucc", "bucc", "zh", 8624),
        ("pawsx", "pawsx", "de", 400),
        ("xnli", "xnli", "sw", 498),
        ("xcopa", ".", "qu", 500),
        ("sib200-topics", "sib200", "tgk_Cyrl", 204),
    ],
)
def test_real_data(name: str, folder: str, language: str, count: int) -> None:
    task = TASKS.parse(name)
    examples = task.examples(SHARED / folder, language)
    assert len(examples.ids) == len(examples.texts) == len(examples.gold) == count
    assert language in (*task.languages(SHARED / folder), "swh")
