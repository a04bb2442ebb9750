"""The structure study: the spec's reference values, planted results, and a run from end to end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import NAMES
from hyperbaton.pipeline import Run, RunOptions
from hyperbaton.stats import Bootstrap, spearman
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.layer.session import as_object
from hyperbaton.studies.registry import STUDIES, load_contents, make_study
from hyperbaton.studies.structure.contents import findings, notes
from hyperbaton.studies.structure.languages import group_of
from hyperbaton.studies.structure.series import (
    Series,
    contests,
    explained,
    grid_samples,
    read_series,
)
from hyperbaton.studies.structure.study import PIECES, Structure
from hyperbaton.studies.structure.tables import PUBLISHED, groups, matrices, tables, task_of
from hyperbaton.studies.structure.varying import Variation, vary
from hyperbaton.tasks import TASKS
from tests.encoders.small_e5 import write_small
from tests.perturb.reference import REFERENCE

SHARED = Path(__file__).parents[3] / "shared" / "data"
TATOEBA = SHARED / "laser-tatoeba-v1"
VARIANTS = ("identity", "FullShuffle", *(f"NeighbourFlip(p=0.{n})" for n in range(1, 9)))


def test_the_grid_of_the_paper() -> None:
    names = tuple(map(str, Structure().settings))
    assert len(names) == len(set(names)) == 42
    assert names[0] == "identity"
    assert sum("unit=subword" in name for name in names) == 15
    assert str(STUDIES.parse(str(Structure(seeds=5)))) == "structure(seeds=5)"


@pytest.mark.skipif(not TATOEBA.exists(), reason="needs ../shared")
def test_reference_values_of_the_measures() -> None:
    examples = TASKS.parse("tatoeba").examples(TATOEBA, "deu", 300)
    study = Structure(perturbations="; ".join(REFERENCE))
    texts = [text for (text,) in examples.texts]
    cells = [(seed, setting) for setting in study.settings[1:] for seed in range(5)]
    made = vary(Variation(examples.ids, texts, cells, None))
    found = made.measures[:, :2].reshape(len(REFERENCE), 5, 2).mean(axis=1)
    for (name, expected), values in zip(REFERENCE.items(), found, strict=True):
        assert values == pytest.approx(expected, abs=0.012), name


def _series(language: str, system: str = "planted", explains: int = 0, own: bool = True) -> Series:
    """An encoder whose score follows one of the three measures."""
    rng = np.random.default_rng(sum(map(ord, language)))
    size = len(VARIANTS)
    measures = np.stack([rng.permutation(size - 1) + 1 for _ in range(3)], axis=1) / size
    # Clean text has all its neighbours and pieces, and nothing of it has moved.
    measures = np.vstack([[1.0, 0.0, 1.0], measures])
    share = measures[:, explains] if explains != 1 else 1 - measures[:, 1]
    scores = (np.arange(200)[:, None] / 200 < share[None, :]).astype(np.float64)
    return Series(
        system,
        "tatoeba",
        "accuracy",
        language,
        f"{language}-eng",
        own,
        measures,
        grid_samples(VARIANTS, scores, np.ones_like(scores), Bootstrap(resamples=200)),
    )


def test_what_was_planted_is_found_with_its_sign() -> None:
    for place, measure in enumerate(("chrF-2", "IDC", "Comp")):
        found = explained([_series("deu", explains=place)], measure)
        assert found.value == pytest.approx(1)
        one = _series("fra", explains=place)
        sign = -1 if measure == "IDC" else 1
        expected = sign * spearman(one.values, one.measures[:, place]).r
        assert explained([one], measure).value == pytest.approx(expected)


def test_groups_need_three_languages() -> None:
    codes = ("deu", "nld", "swe", "fra", "spa", "cmn", "rus", "epo")
    found = groups([_series(code) for code in codes])
    assert list(found) == ["F3", "F5", "F6"]
    assert list(found["F6"]) == ["Germanic"]
    assert list(found["F5"]) == ["Latin"]
    (table,) = (table for table in matrices([_series(code) for code in codes]) if table.id == "F6")
    row = table.data.row(0, named=True)
    assert (row["family"], row["languages"], row["chrF-2"]) == ("Germanic", 3, pytest.approx(1))
    assert (row["chrF-2, paper"], row["IDC, paper"]) == (0.96, 0.46)


def test_claims_follow_what_was_planted() -> None:
    codes = ("deu", "nld", "swe", "fra", "spa", "ita", "por", "rus", "pol", "fin")
    local = _unlike([_series(code) for code in codes], 0)
    told = {one.id: one for one in findings(local) if not one.part_of}
    assert told["L1"].verdict == "holds"
    parts = {one.claim: one.verdict for one in findings(local) if one.id == "L3"}
    assert parts["Comp stands between chrF-2 and IDC: chrF-2 over Comp"] == "holds"
    far = _unlike([_series(code, explains=1) for code in codes], 1)
    verdicts = {one.id: one.verdict for one in findings(far) if not one.part_of}
    assert verdicts["L1"] == "does not hold"
    assert verdicts["L2"] == "does not hold"
    free = [_series(code, "free", 0, own=False) for code in codes]
    both = findings(_unlike([_series(code, explains=2) for code in codes], 2) + _unlike(free, 0))
    verdicts = {one.id: one.verdict for one in both if not one.part_of}
    assert verdicts["L4"] == "holds"


def _unlike(series: list[Series], place: int) -> list[Series]:
    """The same with one language that is a little otherwise: were all alike, there were no
    interval."""
    first = series[0]
    measures, middle = first.measures.copy(), np.argsort(first.measures[:, place])[3:5]
    measures[middle, place] = measures[middle[::-1], place]
    scores = first.samples.scores["score"].copy()
    scores[0, -1] = 1 - scores[0, -1]
    samples = replace(first.samples, scores={"score": scores})
    return [replace(first, measures=measures, samples=samples), *series[1:]]


def _raised(one: Series, system: str, by: int) -> Series:
    """Another encoder that finds so many of the 200 examples more, whatever the perturbation."""
    kept = np.arange(200)[:, None] / 200 < one.values[None, :] + by / 200
    samples = replace(one.samples, scores={"score": kept.astype(np.float64)})
    return replace(one, system=system, samples=samples)


def test_the_better_encoder_leads_and_differences_are_paired() -> None:
    codes = ("deu", "nld", "swe", "fra", "spa", "ita", "por", "rus")
    low = [_raised(_series(code, "low"), "low", -place) for place, code in enumerate(codes)]
    high = [_raised(one, "high", 10) for one in low]
    # A language that one of them lacks does not count, however well the other does there.
    perturbed, clean = contests([*low, _raised(_series("fin"), "low", 200), *high])
    assert (perturbed.score, clean.score) == (
        "accuracy on perturbed text",
        "accuracy on clean text",
    )
    assert {name: rank for name, (rank, _) in perturbed.ranks.items()} == {"high": 1, "low": 2}
    [duel] = perturbed.duels
    expected = np.mean([(b.values - a.values)[1:].mean() for a, b in zip(low, high, strict=True)])
    assert duel.value[0] == pytest.approx(expected)
    assert perturbed.sentence.startswith("high is better than low: its accuracy on perturbed text")
    # Were languages or examples drawn apart, the spread of the scores would be in the difference.
    spread = perturbed.ranks["high"][1]
    assert spread[1] < spread[2]
    assert np.isnan(duel.value[1:]).all() or duel.value[2] - duel.value[1] < spread[2] - spread[1]


def test_no_interval_of_a_score_leaves_what_a_score_can_be() -> None:
    codes = ("deu", "nld", "swe", "fra")
    best = [_raised(_series(code), "best", 200 - 60 * (code == "fra")) for code in codes]
    [table] = (table for table in tables(best) if table.id == "T1")
    assert table.data.filter(accuracy=0.975)["accuracy high"].to_list() == [1.0]
    assert table.data["accuracy high"].max() == 1
    worst = [_raised(one, "worst", -150) for one in best]
    [contest, _] = contests([*best, *worst])
    assert all(0 <= low <= high <= 1 for _, (_, low, high) in contest.ranks.values())


def test_encoders_that_are_alike_share_a_rank() -> None:
    codes = ("deu", "nld", "swe", "fra")
    one = [_series(code, "one") for code in codes]
    same = [_raised(each, "same", 0) for each in one]
    both = [replace(each, task="sib200") for each in (*one, *same)]
    found = contests([*one, *same, *both])
    assert [each.score for each in found] == [
        "accuracy on perturbed text (tatoeba)",
        "accuracy on clean text (tatoeba)",
        "accuracy on perturbed text (sib200)",
        "accuracy on clean text (sib200)",
    ]
    assert all({rank for rank, _ in each.ranks.values()} == {1} for each in found)
    assert contests(one) == []


SIB_200 = """
ace acm acq aeb afr ajp aka als amh apc arb ars ary arz asm ast awa ayr azb azj bak bam ban bel bem
ben bho bjn bod bos bug bul cat ceb ces cjk ckb crh cym dan deu dik dyu dzo ell eng epo est eus ewe
fao fij fin fon fra fur fuv gaz gla gle glg grn guj hat hau heb hin hne hrv hun hye ibo ilo ind isl
ita jav jpn kab kac kam kan kas kat kaz kbp kea khk khm kik kin kir kmb kmr knc kon kor lao lij lim
lin lit lmo ltg ltz lua lug luo lus lvs mag mai mal mar min mkd mlt mni mos mri mya nld nno nob npi
nqo nso nus nya oci ory pag pan pap pbt pes plt pol por prs quy ron run rus sag san sat scn shn sin
slk slv smo sna snd som sot spa srd srp ssw sun swe swh szl tam taq tat tel tgk tgl tha tir tpi tsn
tso tuk tum tur twi tzm uig ukr umb urd uzn vec vie war wol xho ydd yor yue zho zsm zul"""
OTHER_TASKS = """
ar bg de el en es fr hi ru sw th tr ur vi zh ja ko et ht id it qu ta nl pl pt"""  # XNLI … XGLUE


@pytest.mark.parametrize("code", [*SIB_200.split(), *OTHER_TASKS.split(), *NAMES])
def test_every_language_that_a_task_or_corpus_knows_has_its_groups(code: str) -> None:
    assert all(group_of(code)), code


def test_a_language_without_groups_is_named() -> None:
    known = [_series(code) for code in ("deu", "nld", "swe")]
    assert not any("not known" in note for note in notes(known))
    [said] = [note for note in notes([*known, _series("qaa"), _series("qab")]) if "qaa" in note]
    assert said.startswith("qaa, qab: script and family are not known")


def test_every_language_of_the_data_has_its_groups() -> None:
    assert group_of("zho_Hant") == ("Chinese", "Sino-Tibetan")
    assert group_of("srp_Cyrl") == group_of("srp") == group_of("sr")
    assert group_of("nowhere") == ("", "")
    if not SHARED.exists():
        pytest.skip("needs ../shared")
    for task, folder in (("tatoeba(least=1)", TATOEBA), ("sib200", SHARED / "sib200")):
        for code in TASKS.parse(task).languages(folder):
            assert all(group_of(code)), code


def test_the_paper_has_fifteen_families() -> None:
    assert len(PUBLISHED) == 15
    assert PUBLISHED["Sino-Tibetan"] == (0.84, 0.52, 0.74)


@pytest.mark.skipif(not PIECES.exists(), reason="needs the bundled translator")
def test_a_whole_run(tmp_path: Path) -> None:
    study = Structure(perturbations="FullShuffle; NeighbourFlip(p=0.1); PhraseShuffle(p=0.5)")
    corpora = study.corpora((), "de,zh", 6)
    session = run_study(study, corpora, ["chars"], tmp_path / "run", options=RunOptions(workers=0))
    again = run_study(study, corpora, ["chars"], tmp_path / "run", options=RunOptions(workers=0))
    assert session.summary.equals(again.summary)
    rows = as_object(study.scores([session.run]), session.findings)["scores"]
    assert isinstance(rows, list)
    clean = [row for row in rows if row["variant"] == "identity"]
    assert [(row["name"], row["language"]) for row in clean] == [
        ("accuracy", "de"),
        ("accuracy", "zh"),
    ]
    assert all(row["value"] >= 0.8 for row in clean)
    assert json.dumps(rows)
    contents = load_contents([tmp_path / "run"])
    assert set(contents.facts) == {"finished", "duration", "machine"}
    assert any(line.startswith("de-en: starter in de") for line in contents.signatures)
    assert {table.id for table in contents.tables} == {"F3", "T1", "T2"}
    assert {figure.id for figure in contents.figures} == {"F2", "F3"}
    explorer = contents.explorer
    assert explorer is not None
    assert explorer.rows.height == 2 * 3 * 2
    for row in explorer.rows.iter_rows(named=True):
        assert sorted(row["source"]) == sorted(row["varied"])
    session.report(tmp_path / "report.html")
    assert "local or global" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.skipif(not PIECES.exists(), reason="needs the bundled translator")
def test_encoders_of_one_name_in_two_runs_are_two(tmp_path: Path) -> None:
    study = Structure(perturbations="FullShuffle; NeighbourFlip(p=0.1)")
    runs = []
    for name, system in (("a", "ngrams"), ("b", "ngrams(longest=3)"), ("c", "chars")):
        corpora = study.corpora((), "de", 6)
        run_study(study, corpora, [system], tmp_path / name, options=RunOptions(workers=0))
        runs.append(Run(tmp_path / name))
    assert [one.system for one in read_series(runs, task_of)] == [
        "ngrams",
        "ngrams(longest=3)",
        "chars",
    ]
    assert [one.system for one in read_series(runs[1:], task_of)] == ["ngrams", "chars"]


def test_a_task_that_needs_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    from hyperbaton.encoders.tuning import training as finetuning_torch

    write_small(tmp_path / "e5-small-q4.bin")
    monkeypatch.setenv("HYPERBATON_E5", str(tmp_path))
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    finetuning_torch._model.cache_clear()
    data = tmp_path / "pawsx"
    data.mkdir()
    lines = "".join(f"ab cd {'ef' * (n % 2)}\tgh ij\t{n % 2}\n" for n in range(40))
    for code in ("en", "de"):
        (data / f"dev-{code}.tsv").write_text(lines, encoding="utf-8")
    study = Structure(
        task="pawsx", perturbations="FullShuffle", seeds=2, trainings=2, epochs=2, rate=1e-3
    )
    corpora = study.corpora((str(data),), "de")
    systems = ["e5"]
    run = run_study(study, corpora, systems, tmp_path / "run", options=RunOptions(workers=0)).run
    assert run.complete
    parts = sorted(path.name for path in (tmp_path / "run" / "cells").rglob("*.parquet"))
    assert len(parts) == 4  # two trainings, two seeds each
    assert len(list((tmp_path / "run" / "training").rglob("epoch-*.npz"))) == 4
    first = study.scores([run])
    assert {score.name for score in first} >= {"accuracy"}
    next((tmp_path / "run" / "cells").rglob("*.parquet")).unlink()
    again = run_study(study, corpora, systems, tmp_path / "run", options=RunOptions(workers=0)).run
    assert study.scores([again]) == first


def test_mistakes_are_named(tmp_path: Path) -> None:
    for options, message in (
        ({"task": "tatoba"}, "Did you mean 'tatoeba'"),
        ({"perturbations": "treeMirrorPre"}, "does not move characters or subwords"),
        ({"perturbations": "FullShuffle(unit=word)"}, "does not move characters or subwords"),
        ({"seeds": 0}, "seeds must be 1 to 1000, not 0"),
    ):
        with pytest.raises(HyperbatonError, match=message):
            make_study("structure", options)
    with pytest.raises(HyperbatonError, match="needs the folder of its data: --data DIR"):
        Structure(task="tatoeba").corpora((), None)
    with pytest.raises(HyperbatonError, match="holds no tatoeba"):
        Structure(task="tatoeba").corpora((str(tmp_path),), None)
    with pytest.raises(HyperbatonError, match="scores by its task"):
        Structure().chosen(["BLEU"])
