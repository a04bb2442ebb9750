"""What a notebook shows of a report."""

from __future__ import annotations

from hyperbaton.report import Contents


def test_contents_show_their_findings(sample: Contents) -> None:
    html = sample._repr_html_()
    assert all(finding.claim in html for finding in sample.findings)
    assert html.count("<svg") == len(sample.findings)
    assert sample.findings[0].claim in sample.findings[0]._repr_html_()


def test_tables_show_themselves(sample: Contents) -> None:
    html = sample.tables[0]._repr_html_()
    assert sample.tables[0].title in html
    assert html.count("<tr>") == sample.tables[0].data.height + 1


def test_figures_show_themselves_in_the_theme(sample: Contents) -> None:
    bundle = sample.figures[0]._repr_mimebundle_()
    parts = bundle[0] if isinstance(bundle, tuple) else bundle
    assert any("#D55E00" in str(part) for part in parts.values())
