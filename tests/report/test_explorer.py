"""The explorer in a real browser: links, one sentence in full, systems against each other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import altair
import polars
import pytest

from hyperbaton.report import Contents, Explorer, Figure, write_report
from hyperbaton.report.charts import charts
from tests.report.conftest import Open, Opened
from tests.report.sample import PERTURBATIONS, SYSTEMS

_LONG = " ".join(f"word{number}" for number in range(60))


def count(opened: Opened) -> int:
    """How many rows are shown."""
    text = opened.page.locator("#x-count").inner_text()
    return int(text.split(" of ")[0].replace(",", ""))


def shown(sample: Contents) -> Explorer:
    """The explorer of the sample."""
    assert sample.explorer is not None
    return sample.explorer


@pytest.fixture
def opened(sample_file: Path, open_page: Open) -> Opened:
    """The sample, its sentences unpacked."""
    made = open_page(sample_file)
    made.explorer()
    return made


def _state(opened: Opened) -> tuple[object, ...]:
    page = opened.page
    chosen = page.locator('#x-list [aria-selected="true"]')
    selects = page.locator(".controls select").evaluate_all("all => all.map(each => each.value)")
    return (
        page.locator("#x-search").input_value(),
        selects,
        count(opened),
        chosen.get_attribute("data-at"),
        page.locator("#x-sentence").inner_text(),
    )


def test_a_link_brings_back_exactly_this(
    opened: Opened, sample_file: Path, open_page: Open
) -> None:
    page = opened.page
    page.locator("#x-search").fill("kettle friday")
    page.locator("#x-filters label", has_text="perturbation").locator("select").select_option("1")
    page.locator("#x-sort").select_option("beta1")
    page.locator("#x-direction").select_option("down")
    page.locator("#x-list").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.locator('.views [data-view="system"]').click()
    opened.until("location.hash.includes('view=system')")
    before = _state(opened)
    assert before[3] == "3"
    address = page.url
    page.reload()
    page.wait_for_selector("#x-list .row")
    assert _state(opened) == before
    other = open_page(sample_file)
    other.page.goto(address)
    other.page.reload()
    other.page.wait_for_selector("#x-list .row")
    assert _state(other) == before
    assert other.complaints == []


def test_a_link_lands_at_the_sentences(sample_file: Path, open_page: Open) -> None:
    opened = open_page(sample_file)
    opened.page.evaluate("location.hash = '#sentences&is.perturbation=reversed&row=20'")
    opened.page.wait_for_selector("#x-list .row")
    opened.until("Math.abs(document.getElementById('sentences').getBoundingClientRect().top) < 100")
    assert (
        opened.page.locator('#x-list [aria-selected="true"] .about').inner_text().count("reversed")
    )


def test_a_link_to_what_is_not_there_shows_nothing(opened: Opened) -> None:
    opened.page.evaluate("location.hash = '#sentences&is.perturbation=no+such&is.other=1&row=x'")
    opened.until("document.getElementById('x-count').textContent.startsWith('0 of')")
    opened.page.locator("#x-reset").click()
    assert count(opened) == 400
    assert opened.complaints == []


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("violin pilot", ("violin", "pilot")),
        ("pilot   VIOLIN", ("violin", "pilot")),
        ("echelle", ("échelle",)),
        ("bäcker leise", ("Bäcker", "leise")),
        ("backer LEISE", ("Bäcker", "leise")),
        ('"gave the pilot"', ("gave the pilot",)),
    ],
)
def test_all_words_are_found_whatever_their_accents(
    opened: Opened, sample: Contents, query: str, words: tuple[str, ...]
) -> None:
    explorer = shown(sample)
    wanted = polars.all_horizontal(
        polars.any_horizontal(
            polars.col(t).str.contains(word, literal=True) for t in explorer.texts
        )
        for word in words
    )
    opened.page.locator("#x-search").fill(query)
    assert 0 < count(opened) == explorer.rows.filter(wanted).height < 400


def test_a_rare_word_and_another(open_page: Open, tmp_path: Path, sample: Contents) -> None:
    """Where few rows are left, they are looked at one by one."""
    rows = polars.DataFrame(
        {
            "one": [f"word{n}\nalpha" for n in range(400)],
            "two": ["beta" if n % 2 else "gamma" for n in range(400)],
        }
    )
    path = tmp_path / "report.html"
    texts = {"one": "first", "two": "second"}
    write_report(replace(sample, explorer=Explorer(rows, texts, {}, {})), path)
    opened = open_page(path)
    opened.explorer()
    for query, found in (
        ("word123 beta", 1),
        ("word122 beta", 0),
        ("word123 bets", 0),
        ("word123 a", 1),
        ("word399 beta", 1),
        ("word0 gamma", 1),
        ('"word123 alpha" beta', 1),
        ("word12 alpha", 11),
    ):
        opened.page.locator("#x-search").fill(query)
        assert count(opened) == found, query


def test_an_item_is_named_and_found_by_its_id(opened: Opened, sample: Contents) -> None:
    opened.page.locator("#x-search").fill("#s3")
    assert count(opened) == shown(sample).rows.filter(item="s3").height
    chips = opened.page.locator("#x-sentence .chips").inner_text()
    assert "item" in chips
    assert "s3" in chips


@pytest.mark.parametrize(
    ("along", "other", "values"),
    [("perturbation", "system", PERTURBATIONS), ("system", "perturbation", SYSTEMS)],
)
def test_one_sentence_on_one_screen(
    opened: Opened, sample: Contents, along: str, other: str, values: tuple[str, ...]
) -> None:
    page = opened.page
    page.locator(f'.views [data-view="{along}"]').click()
    members = page.locator("#x-sentence .member")
    assert members.locator("h4 b").all_inner_texts() == list(values)
    first = shown(sample).rows.row(0, named=True)
    rows = shown(sample).rows.filter(item=first["item"], **{other: first[other]})
    texts = members.locator(".block:last-of-type .text").all_inner_texts()
    assert texts == rows["varied_output"].to_list()
    assert page.locator("#x-sentence > .block .text").first.inner_text() == first["source"]
    assert page.locator(".member.chosen").count() == 1


def test_two_translations_are_compared_word_by_word(
    open_page: Open, tmp_path: Path, sample: Contents
) -> None:
    rows = polars.DataFrame(
        {
            "output": ["Der Hund mag die Katze .", "看护士走了", "gleich"],
            "varied_output": ["Die Katze der Hund frisst .", "走了看护士", "gleich"],
            "language": ["de", "zh", "de"],
        }
    )
    texts = {"output": "first", "varied_output": "second"}
    explorer = Explorer(
        rows,
        texts,
        {},
        {},
        compared=("output", "varied_output"),
        languages=dict.fromkeys(texts, "language"),
    )
    path = tmp_path / "report.html"
    write_report(replace(sample, explorer=explorer), path)
    opened = open_page(path)
    opened.explorer()
    one, two = (opened.page.locator("#x-sentence .text").nth(place) for place in (0, 1))
    assert one.inner_text() == rows["output"][0]
    assert one.locator(".gone").all_inner_texts() == ["mag"]
    assert two.locator(".new").all_inner_texts() == ["frisst"]
    assert one.locator(".elsewhere").count() == two.locator(".elsewhere").count() == 2
    opened.page.locator("#x-list").focus()
    opened.page.keyboard.press("ArrowDown")
    assert one.inner_text() == rows["output"][1]
    assert opened.page.locator("#x-sentence .gone, #x-sentence .new").count() == 0
    assert one.locator(".elsewhere").count() > 0
    opened.page.keyboard.press("ArrowDown")
    assert opened.page.locator("#x-sentence .text span").count() == 0


def test_sentences_where_one_system_beats_another(opened: Opened, sample: Contents) -> None:
    page = opened.page
    one, other = SYSTEMS
    page.locator("#x-filters label", has_text="system").locator("select").select_option("0")
    page.locator("#x-better").select_option(other)
    rows = shown(sample).rows
    keys = ["item", "perturbation"]
    both = rows.filter(system=one).join(rows.filter(system=other), on=keys, suffix="_of_other")
    ahead = both.select(lead=polars.col("beta1") - polars.col("beta1_of_other"))["lead"]
    better = ahead.filter(ahead > 0).sort(descending=True)
    assert count(opened) == len(better)
    listed = [text.strip("+") for text in page.locator("#x-list .about b").all_inner_texts()]
    assert [float(text) for text in listed[:8]] == pytest.approx(better.head(8).to_list(), abs=6e-4)
    assert page.locator("#x-sort").input_value() == "beta1"


def test_where_nobody_competes_nobody_can_be_beaten(
    opened: Opened, open_page: Open, tmp_path: Path, sample: Contents
) -> None:
    assert opened.page.locator("#x-better").is_visible()
    path = tmp_path / "report.html"
    alone = replace(shown(sample), rivals="", lead="")
    write_report(replace(sample, explorer=alone), path)
    other = open_page(path)
    other.explorer()
    assert not other.page.locator("#x-better").is_visible()
    assert other.page.locator('.views [data-view="system"]').is_visible()


def test_a_click_on_a_figure_shows_its_sentences(
    sample_file: Path, open_page: Open, sample: Contents
) -> None:
    opened = open_page(sample_file)
    opened.figure(1)
    cell = opened.page.locator('.drawing[data-figure="1"] svg .mark-rect path').first
    label = cell.get_attribute("aria-label")
    assert label is not None
    cell.click()
    opened.page.wait_for_selector("#x-list .row")
    opened.until("location.hash.includes('is.perturbation')")
    named = dict(part.strip().split(": ") for part in label.split(";"))
    where = {"perturbation": named["perturbation"], "language": named["language"]}
    assert count(opened) == shown(sample).rows.filter(**where).height
    opened.page.go_back()
    opened.until("!location.hash.includes('is.perturbation')")


def test_within_another_page_everything_but_the_address_works(
    sample_file: Path, open_page: Open, tmp_path: Path
) -> None:
    outer = tmp_path / "outer.html"
    text = sample_file.read_text().replace("&", "&amp;").replace('"', "&quot;")
    frame = f'<iframe sandbox="allow-scripts" width="1200" height="900" srcdoc="{text}"></iframe>'
    outer.write_text(f"<!doctype html><title>notebook</title>{frame}")
    opened = open_page(outer)
    inner = opened.page.frame_locator("iframe")
    inner.locator("#sentences .explorer").scroll_into_view_if_needed()
    inner.locator("#x-search").fill("violin pilot")
    inner.locator('.views [data-view="system"]').click()
    assert inner.locator(".member").count() == len(SYSTEMS)
    inner.locator(".drawing").first.scroll_into_view_if_needed()
    inner.locator(".drawing.drawn svg").first.wait_for()
    opened.page.wait_for_timeout(300)
    assert opened.complaints == []


def _with(
    sample: Contents, tmp_path: Path, chart: altair.TopLevelMixin | dict[str, object]
) -> Path:
    path = tmp_path / "report.html"
    write_report(replace(sample, figures=[Figure("F1", "Clicked", chart)]), path)
    return path


def test_a_bar_of_a_histogram_shows_its_samples(
    open_page: Open, tmp_path: Path, sample: Contents
) -> None:
    rows = polars.DataFrame({"from": [0.0], "to": [0.4], "share": [1.0]})
    chart = altair.Chart(rows).mark_bar().encode(x="from:Q", x2="to:Q", y="share:Q")
    about = {"range": {"score": "beta1", "low": "from", "high": "to"}}
    opened = open_page(_with(sample, tmp_path, chart.properties(usermeta=about)))
    opened.figure(0)
    opened.page.locator(".drawing .mark-rect path").first.click()
    opened.page.wait_for_selector("#x-list .row")
    opened.until("location.hash.includes('in.beta1')")
    inside = shown(sample).rows.filter(polars.col("beta1").is_between(0.0, 0.4))
    assert count(opened) == inside.height
    assert opened.page.locator("#x-ranges .chip").inner_text() == "β1 0.000 to 0.400 ×"
    opened.page.locator("#x-ranges .chip").click()
    assert count(opened) == 400


def test_a_point_that_is_a_sample_shows_it(
    open_page: Open, tmp_path: Path, sample: Contents
) -> None:
    row = shown(sample).rows.row(17, named=True)
    point = {name: row[name] for name in ("beta1", "beta2", "language", "system")}
    chart = charts.scatter([point], [("beta1", "beta2")], {"beta1": "β1", "beta2": "β2"})
    opened = open_page(_with(sample, tmp_path, chart))
    opened.figure(0)
    opened.page.locator(".drawing .mark-symbol path[aria-roledescription]").first.click()
    opened.page.wait_for_selector("#x-list .row")
    opened.until("location.hash.includes('in.beta2')")
    assert count(opened) == 1
    assert opened.page.locator("#x-sentence .text").first.inner_text() == row["source"]


def test_every_metric_has_its_column(open_page: Open, tmp_path: Path, sample: Contents) -> None:
    explorer = shown(sample)
    rows = explorer.rows.with_columns(polars.lit(0.25).alias("beta1:chrF"))
    scores = {"beta": "β", "beta1": "β1", "beta1:chrF": "β1"}
    metrics = {"beta": "BLEU", "beta1": "BLEU", "beta1:chrF": "chrF"}
    path = tmp_path / "report.html"
    made = replace(explorer, rows=rows, scores=scores, metrics=metrics)
    write_report(replace(sample, explorer=made), path)
    opened = open_page(path)
    opened.explorer()
    lines = opened.page.locator("#x-sentence .scores tr").all_inner_texts()
    assert [line.split() for line in lines] == [
        ["BLEU", "chrF"],
        ["β", f"{rows['beta'][0]:.3f}"],
        ["β1", f"{rows['beta1'][0]:.3f}", "0.250"],
    ]
    options = opened.page.locator("#x-sort option").all_inner_texts()
    assert options == ["run order", "β (BLEU)", "β1 (BLEU)", "β1 (chrF)"]


@pytest.mark.parametrize("width", [1280, 390])
def test_lines_reach_words_over_line_ends(
    open_page: Open, tmp_path: Path, sample: Contents, width: int
) -> None:
    words = _LONG.split()
    order = [*range(30, 60), *range(30)]
    rows = polars.DataFrame(
        {
            "source": [_LONG],
            "varied": [" ".join(words[place] for place in order)],
            "words": [words],
            "order": [order],
        }
    )
    texts = {"source": "source", "varied": "perturbed source"}
    explorer = Explorer(
        rows, texts, {}, {}, words=dict.fromkeys(texts, "words"), orders={"varied": "order"}
    )
    path = tmp_path / "report.html"
    write_report(replace(sample, explorer=explorer), path)
    opened = open_page(path, width=width)
    opened.explorer()
    off = opened.page.evaluate(
        """() => {
          const [above, below] = document.querySelectorAll("#x-sentence .text");
          const lines = new Set([...above.querySelectorAll(".word")].map((w) => w.offsetTop)).size;
          const svg = document.querySelector(".crossings");
          let most = 0;
          for (const path of svg.children) {
            const word = path.dataset.word, length = path.getTotalLength();
            for (const [text, at, side] of [[above, 0, "bottom"], [below, length, "top"]]) {
              const point = path.getPointAtLength(at), origin = svg.getBoundingClientRect();
              const box = text.querySelector(`[data-word="${word}"]`).getClientRects()[0];
              const x = origin.left + point.x - box.left - box.width / 2;
              const y = origin.top + point.y - box[side];
              most = Math.max(most, Math.abs(x), Math.abs(y));
            }
          }
          return [lines, svg.children.length, most];
        }"""
    )
    assert off[0] > 1
    assert off[1] == 60
    assert off[2] < 2
