"""BERTScore gives bert-score's numbers on models made here, whatever the batches and the order."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics.metric import Scores
from hyperbaton.metrics.neural import bertscore
from hyperbaton.metrics.neural.bertscore import BERTScore

from .neural_models import TEXTS, Kind, make_model

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
bert_score = pytest.importorskip("bert_score")

HYPOTHESES = [
    "The cat sat on the mat.",
    "A dog ran off.",
    " Der Hund lief davon. ",
    "x",
    *TEXTS,
    "The cat " * 60,  # longer than the model can read
]
REFERENCES = [TEXTS[0], TEXTS[1], TEXTS[2], "A dog", *reversed(TEXTS), TEXTS[0]]


@pytest.fixture(scope="module", params=["bert", "xlm-roberta", "distilbert", "roberta"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    kind: Kind = request.param
    return make_model(tmp_path_factory.mktemp(kind), kind)


def oracle(folder: Path, layer: int, hypotheses: list[str]) -> list[Scores]:
    """bert-score itself: precision, recall, F.

    Its default, the slow tokenizer, puts a space before RoBERTa's first word; transformers 5 has
    no slow ones and drops that option, so the space is set in the tokenizer.
    """
    from bert_score.utils import bert_cos_score_idf, get_model

    space = {"add_prefix_space": True} if folder.name.startswith("roberta") else {}
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **space)
    weights: defaultdict[int, float] = defaultdict(lambda: 1.0)
    weights |= {tokenizer.sep_token_id: 0, tokenizer.cls_token_id: 0}
    found = bert_cos_score_idf(
        get_model(str(folder), layer),
        REFERENCES[: len(hypotheses)],
        hypotheses,
        tokenizer,
        weights,
        device="cpu",
        batch_size=4,
    )
    return [part.numpy() for part in found.T]


def test_equal_to_bert_scores_own_front_door(tmp_path: Path) -> None:
    folder = make_model(tmp_path, "bert")
    theirs = bert_score.score(TEXTS, TEXTS[::-1], model_type=str(folder), num_layers=2)[2]
    ours = BERTScore(model=str(folder), layer=2).sentence_scores(TEXTS, TEXTS[::-1])
    assert ours == pytest.approx(theirs.numpy(), abs=2e-6)


@pytest.mark.parametrize("layer", [1, 3])
def test_equal_to_bert_score(folder: Path, layer: int) -> None:
    known = HYPOTHESES[:-1]
    theirs = oracle(folder, layer, known)
    for part, expected in zip(("precision", "recall", "f"), theirs, strict=True):
        metric = BERTScore(model=str(folder), layer=layer, part=part)  # type: ignore[arg-type]
        ours = metric.sentence_scores(known, REFERENCES[: len(known)])
        assert ours == pytest.approx(expected, abs=2e-6)
        mean = metric.corpus_score(known, REFERENCES[: len(known)])
        assert mean == pytest.approx(float(expected.mean()), abs=2e-6)


def test_batches_and_order_do_not_matter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = BERTScore(model=str(folder), batch_size=1)
    large = BERTScore(model=str(folder), batch_size=100)
    one = small.sentence_scores(HYPOTHESES, REFERENCES)
    monkeypatch.setattr(bertscore, "_WINDOW", 5)  # several windows
    two = large.sentence_scores(HYPOTHESES[::-1] * 2, REFERENCES[::-1] * 2)[::-1]
    assert np.tile(one, 2) == pytest.approx(two, abs=1e-5)
    assert np.isfinite(one).all()


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("bert"), "bert")


def test_equal_texts_score_one_and_empty_ones_zero(bert: Path) -> None:
    metric = BERTScore(model=str(bert))
    assert metric.sentence_scores(TEXTS, TEXTS) == pytest.approx(np.ones(len(TEXTS)), abs=1e-6)
    assert metric.sentence_scores(["", " ", "a"], ["a", "", ""]).tolist() == [0, 0, 0]
    assert metric.sentence_scores([], []).shape == (0,)


@pytest.mark.parametrize("kind", ["bert", "xlm-roberta", "roberta"])
def test_the_position_table_limits_the_length(kind: Kind, tmp_path: Path) -> None:
    folder = make_model(tmp_path, kind)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    del settings["model_max_length"]
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    long = "cat " * 100
    scores = BERTScore(model=str(folder)).sentence_scores([long, long + "dog"], [long, long])
    assert scores == pytest.approx([1, 1], abs=1e-6)


def test_f_has_no_sides(bert: Path) -> None:
    metric = BERTScore(model=str(bert))
    assert metric.symmetric
    there = metric.sentence_scores(HYPOTHESES, REFERENCES)
    assert there == pytest.approx(metric.sentence_scores(REFERENCES, HYPOTHESES), abs=1e-6)
    assert not BERTScore(part="recall").symmetric


def test_layers_and_baselines_are_bert_scores(bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = BERTScore(model="bert-base-multilingual-cased", rescale="de")
    assert metric._layer == 9
    baseline = metric._baseline()
    package = bert_score.BERTScorer.baseline_vals.fget
    place = Path(bert_score.__file__).parent / f"rescale_baseline/de/{metric.model}.tsv"
    theirs = SimpleNamespace(
        _baseline_vals=None, baseline_path=str(place), all_layers=False, num_layers=9
    )
    assert baseline == pytest.approx(package(theirs).numpy())
    plain = BERTScore(model=str(bert))
    monkeypatch.setattr(BERTScore, "_baseline", lambda self: baseline)
    rescaled = plain.sentence_scores(HYPOTHESES, REFERENCES)
    monkeypatch.undo()
    raw = plain.sentence_scores(HYPOTHESES, REFERENCES)
    assert rescaled == pytest.approx((raw - baseline[2]) / (1 - baseline[2]))


def test_signature_names_model_revision_and_versions(bert: Path, tmp_path: Path) -> None:
    metric = BERTScore(model=str(bert), layer=2)
    signature = metric.signature("sentence")
    assert str(metric) in signature
    assert f"bert-score:{version('bert-score')}" in signature
    assert f"torch:{torch.__version__}" in signature
    assert f"transformers:{transformers.__version__}" in signature
    other = make_model(tmp_path, "bert", seed=1)
    assert (
        metric.fields("corpus")["revision"]
        != BERTScore(model=str(other)).fields("corpus")["revision"]
    )


def test_a_model_of_the_hub_is_found_among_those_fetched(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    place = tmp_path / "models--org--tiny"
    (place / "snapshots").mkdir(parents=True)
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text(commit)
    (place / "snapshots" / commit).symlink_to(bert)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    metric = BERTScore(model="org/tiny")
    assert metric.fields("corpus")["revision"] == commit[:12]
    assert metric.sentence_scores(["A dog"], ["A dog"]) == pytest.approx([1], abs=1e-6)


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [
        (BERTScore(model="org/not-here"), "fetch it once with download=true"),
        (BERTScore(model="./not/here"), "there is no model folder"),
        (BERTScore(model="{bert}", layer=4), "has layers 1 to 3, not 4"),
        (BERTScore(model="{bert}", device="cuda"), "torch sees no GPU"),
        (BERTScore(model="{bert}", rescale="de"), "no baseline"),
    ],
)
def test_mistakes_get_one_sentence(metric: BERTScore, sentence: str, bert: Path) -> None:
    if metric.device == "cuda" and torch.cuda.is_available():
        pytest.skip("there is a GPU")
    metric = replace(metric, model=metric.model.replace("{bert}", str(bert)))
    with pytest.raises(HyperbatonError, match=sentence):
        metric.sentence_scores(["a"], ["b"])


def test_damaged_weights_get_one_sentence(bert: Path, tmp_path: Path) -> None:
    for file in bert.iterdir():
        if file.suffix != ".safetensors":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "pytorch_model.bin").write_bytes(b"could run code")
    with pytest.raises(HyperbatonError, match="is damaged"):
        BERTScore(model=str(tmp_path)).sentence_scores(["a"], ["b"])
