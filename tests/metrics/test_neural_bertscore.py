"""BERTScore is bert-score's, on models made here; repeated texts are read once."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.hub import Source
from hyperbaton.metrics.metric import Scores
from hyperbaton.metrics.neural import bertscore
from hyperbaton.metrics.neural.bertscore import LAYERS, BERTScore
from hyperbaton.metrics.neural.encoder import Encoder, load_encoder

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


def test_batches_and_order_do_not_matter(folder: Path) -> None:
    small = BERTScore(model=str(folder), batch_tokens=1)
    large = BERTScore(model=str(folder), batch_tokens=10**6)
    one = small.sentence_scores(HYPOTHESES, REFERENCES)
    two = large.sentence_scores(HYPOTHESES[::-1], REFERENCES[::-1])[::-1]
    assert one == pytest.approx(two, abs=1e-5)
    assert np.isfinite(one).all()


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("bert"), "bert")


def test_equal_texts_score_one_and_empty_ones_zero(bert: Path) -> None:
    metric = BERTScore(model=str(bert))
    assert metric.sentence_scores(TEXTS, TEXTS) == pytest.approx(np.ones(len(TEXTS)), abs=1e-6)
    assert metric.sentence_scores(["", " ", "a"], ["a", "", ""]).tolist() == [0, 0, 0]
    assert metric.sentence_scores([], []).shape == (0,)


def test_every_text_is_read_once(bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bertscore, "_WINDOW", 5)  # several windows
    read: list[str] = []
    encode = Encoder.encode

    def watched(self: Encoder, texts: list[str], tokens: int) -> object:
        read.extend(texts)
        return encode(self, texts, tokens)

    monkeypatch.setattr(Encoder, "encode", watched)
    hypotheses, references = TEXTS * 4, [*TEXTS[1:], TEXTS[0]] * 2 + TEXTS[::-1] * 2
    scores = BERTScore(model=str(bert)).sentence_scores(hypotheses, references)
    assert sorted(read) == sorted(TEXTS)
    monkeypatch.setattr(bertscore, "_CACHE", 0)  # no room: read again, with the same scores
    assert BERTScore(model=str(bert)).sentence_scores(hypotheses, references) == pytest.approx(
        scores, abs=1e-6
    )
    assert len(read) > 2 * len(TEXTS)


@pytest.mark.parametrize(("kind", "limit"), [("bert", 64), ("xlm-roberta", 62), ("roberta", 62)])
def test_the_position_table_limits_the_length(kind: Kind, limit: int, tmp_path: Path) -> None:
    folder = make_model(tmp_path, kind)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    del settings["model_max_length"]
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    encoder = load_encoder(Source(str(folder)), None, "cpu", None)
    assert encoder.limit == limit
    (_, found), *_ = encoder.encode(["cat " * 100], 10)
    assert len(found.ids) == len(found.states) == limit


def test_f_has_no_sides(bert: Path) -> None:
    metric = BERTScore(model=str(bert))
    assert metric.symmetric
    there = metric.sentence_scores(HYPOTHESES, REFERENCES)
    assert there == pytest.approx(metric.sentence_scores(REFERENCES, HYPOTHESES), abs=1e-6)
    assert not BERTScore(part="recall").symmetric


def test_layers_and_baselines_are_bert_scores(bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bert_score.utils import model2layers

    assert {name: model2layers[name] for name in LAYERS} == LAYERS
    metric = BERTScore(model="bert-base-multilingual-cased", rescale="de")
    baseline = metric._baseline()
    assert baseline.shape == (3,)
    assert (baseline > 0.3).all()
    assert (baseline < 0.9).all()
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
