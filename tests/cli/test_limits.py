"""Limits on the command line, and the status of a command that reaches one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.options import duration, size, system_and_price
from hyperbaton.cli.main import main

RUN = ("wordorder", "--shipped", "-l", "en-de", "--limit", "3", "--parser", "plain", "--no-report")


def test_a_limit_that_is_reached_is_status_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ("--system", "copy", "--out", str(tmp_path / "run"))
    assert main([*RUN, *out, "--time-limit", "0.000001s"]) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.match(
        r"hyperbaton: --time-limit is reached, after \d+ seconds: run the same", printed.err
    )
    assert main([*RUN, *out, "--time-limit", "1h"]) == 0


@pytest.mark.parametrize(
    ("limit", "enough"),
    [
        (("--max-memory", "1M"), ("--max-memory", "900G")),
        (
            ("--max-cost", "0.00001", "--price", "20/1M"),
            ("--max-cost", "9", "--price", "20/1M"),
        ),
    ],
)
def test_memory_and_money_too_and_the_run_goes_on(
    limit: tuple[str, ...],
    enough: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if "--max-memory" in limit and not Path("/proc/self/smaps_rollup").exists():
        pytest.skip("needs Linux")
    server = "cmd:sed s/a/b/"
    priced = tuple(f"{server}={word}" if word == "20/1M" else word for word in limit)
    out = ("--system", server, "--out", str(tmp_path / "run"), "--no-cache")
    assert main([*RUN, *out, *priced]) == 3
    said = capsys.readouterr().err
    assert said.startswith(f"hyperbaton: {limit[0]} ")
    assert said.count("\n") == 1
    assert "same command" in said
    priced = tuple(f"{server}={word}" if word == "20/1M" else word for word in enough)
    assert main([*RUN, *out, *priced]) == 0


@pytest.mark.parametrize(
    "text", ["", "h", "1x", "-5", "0", "1h-5m", "nan", "1 h", "1h30", "9" * 400 + "h"]
)
def test_what_is_no_time(text: str) -> None:
    if text == "1h30":  # 30 seconds, as `sleep` has it
        assert duration(text) == 3630
        return
    with pytest.raises(HyperbatonError, match="a time such as 90s"):
        duration(text)


@pytest.mark.parametrize("text", ["", "8X", "-1G", "0", "G", "8GiB", "9" * 400, "9" * 300 + "e9G"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(HyperbatonError, match="a size such as 500M"):
        size(text)


@pytest.mark.parametrize(
    "text", ["", "x", "20/2M", "openai:a=", "a=b=1/1G", "-3", "9" * 400, "9" * 305]
)
def test_what_is_no_price(text: str) -> None:
    with pytest.raises(HyperbatonError, match="a price such as 20/1M"):
        system_and_price(text)


def test_a_price_of_a_thousand() -> None:
    assert system_and_price("cmd:x=0.02/1K") == ("cmd:x", 20.0)
