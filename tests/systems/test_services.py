"""Translators with a protocol of their own, against a server that speaks it, faults included."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import SYSTEMS, Translation
from tests.systems.service_server import KEY, Service, services

SPECS = {
    "deepl": "deepl:{url}",
    "libretranslate": "libretranslate:{url}",
    "google": "google:{url}",
    "azure": "azure:{url}",
    "http": (
        'http:{url}/translate(body={{"q": ["$text"], "source": "$source", "target": "$target", '
        '"format": "text", "api_key": "$DEEPL_API_KEY"}}, reply=translatedText[])'
    ),
}
NAMES = list(SPECS)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    for name in ("DEEPL_API_KEY", "GOOGLE_API_KEY", "AZURE_TRANSLATOR_KEY"):
        monkeypatch.setenv(name, KEY)
    with services() as state:
        yield state


def translated(
    server: Service, name: str, texts: list[str], store: Store | None = None, **options: object
) -> list[Translation]:
    spec = SPECS[name].format(url=server.url)
    usual = {"backoff": 0.02, **({"batch": 40} if name == "http" else {})}
    given = "".join(f", {key}={value}" for key, value in {**usual, **options}.items())
    text = f"{spec[:-1]}{given})" if spec.endswith(")") else f"{spec}({given[2:]})"
    pair = options.pop("pair", ("en", "de"))
    assert isinstance(pair, tuple)
    with SYSTEMS.parse(text).open(*pair) as translator:
        return translate_all(translator, texts, store=store)


TEXTS = [f"it's text {n}" for n in range(130)]


@pytest.mark.parametrize("name", NAMES)
def test_texts_come_back_in_order_in_batches(server: Service, name: str) -> None:
    assert [a.text for a in translated(server, name, TEXTS)] == [t.upper() for t in TEXTS]
    sizes = [len(asked.texts) for asked in server.asked]
    assert sum(sizes) == len(TEXTS)
    assert max(sizes) > 1
    assert len(sizes) < 10


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("fault", ["429", "503", "529", "half", "cut-json", "html", "other"])
def test_a_passing_fault_is_only_a_delay(server: Service, name: str, fault: str) -> None:
    server.faults = [fault]
    assert [a.text for a in translated(server, name, ["a", "b", "c"])] == ["A", "B", "C"]
    assert len(server.asked) == 2


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("fewer!", "the reply holds 0 translations for 1 texts"),
        ("more!", "the reply holds 2 translations for 1 texts"),
        ("null!", "the reply holds something else than text"),
        ("400!", "HTTP 400: not now"),
        ("413!", "HTTP 413: not now"),
        ("503!", "HTTP 503: not now, after 2 attempts"),
        ("other!", "the reply holds no"),
        ("echo!", "the answer repeats the key"),
    ],
)
def test_a_lasting_fault_costs_the_text_to_blame_and_no_other(
    server: Service, name: str, fault: str, reason: str
) -> None:
    server.faults, server.bad = [fault], "bad"
    texts = ["one", "bad", "two", "three"]
    if fault == "echo!":
        texts, server.bad = ["bad"], ""
        if name == "libretranslate":
            return  # it is asked without a key
    answers = translated(server, name, texts, retries=1)
    expected = [None if text == "bad" else text.upper() for text in texts]
    assert [a.text for a in answers] == expected
    assert answers[texts.index("bad")].fault.startswith(reason)


@pytest.mark.parametrize("name", NAMES)
def test_a_web_page_for_good_ends_the_run(server: Service, name: str) -> None:
    server.faults = ["html!"]
    with pytest.raises(HyperbatonError, match=r"a web page instead of JSON.*address right"):
        translated(server, name, ["a"], retries=1)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("deepl", '456 {"message": "Quota Exceeded"}'),
        ("google", '403 {"error": {"code": 403, "message": "Daily Limit Exceeded"}}'),
        ("azure", '403 {"error": {"code": 403001, "message": "exceeded its free quota"}}'),
        ("libretranslate", "402"),
        ("http", "456"),
    ],
)
def test_a_spent_account_ends_the_run_and_what_is_done_is_kept(
    server: Service, tmp_path: Path, name: str, fault: str
) -> None:
    server.faults, server.bad = [f"{fault}!"], "b"
    with Store(tmp_path) as store:
        with pytest.raises(HyperbatonError, match=r"stored: top up the account"):
            translated(server, name, ["aaa", "b"], store, batch=1, concurrency=1)
        assert len(server.asked) == 2
        server.faults = []
        answers = translated(server, name, ["aaa", "b"], store, batch=1, concurrency=1)
        assert [a.text for a in answers] == ["AAA", "B"]
        assert sum(asked.texts == ("aaa",) for asked in server.asked) == 1


def test_google_says_403_where_it_means_429(server: Service) -> None:
    said = {"error": {"code": 403, "message": "User Rate Limit Exceeded", "errors": []}}
    server.faults = [f"403 {json.dumps(said)}"]
    assert translated(server, "google", ["a"]) == [Translation("A")]


@pytest.mark.parametrize("name", ["deepl", "google", "azure"])
def test_a_wrong_key_or_none_is_one_sentence_without_it(
    server: Service, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable = SYSTEMS.parse(name).key_env  # type: ignore[attr-defined]
    monkeypatch.setenv(variable, "another-secret")
    with pytest.raises(HyperbatonError, match=f"put a valid key into {variable}") as caught:
        translated(server, name, ["a"])
    assert "another-secret" not in str(caught.value)
    monkeypatch.delenv(variable)
    with pytest.raises(HyperbatonError, match=f"is missing: put it into the variable {variable}"):
        translated(server, name, ["a"])
    assert not server.asked


def test_a_key_is_not_sent_over_plain_http(server: Service) -> None:
    for spec in (
        "deepl:http://models.example",
        'http:http://models.example(headers={"X": "$DEEPL_API_KEY"})',
    ):
        with pytest.raises(HyperbatonError, match="not sent over plain http"):
            translate_all(SYSTEMS.parse(spec).open("en", "de"), ["a"])


@pytest.mark.parametrize(
    ("name", "pair", "codes"),
    [
        ("deepl", ("en_US", "zh"), ("EN", "ZH-HANS")),
        ("deepl", ("en", "pt_BR"), ("EN", "PT-BR")),
        ("google", ("zh_TW", "de"), ("zh-TW", "de")),
        ("google", ("en", "zh"), ("en", "zh-CN")),
        ("azure", ("en", "zh-Hant"), ("en", "zh-Hant")),
        ("libretranslate", ("en", "zh"), ("en", "zh")),
    ],
)
def test_languages_have_the_names_of_the_service(
    server: Service, name: str, pair: tuple[str, str], codes: tuple[str, str]
) -> None:
    spec = SPECS[name].format(url=server.url)
    translate_all(SYSTEMS.parse(spec).open(*pair), ["a"])
    assert (server.asked[0].source, server.asked[0].target) == codes


def test_azure_is_told_the_region(server: Service) -> None:
    translated(server, "azure", ["a"], region="westeurope")
    assert server.asked[0].headers["Ocp-Apim-Subscription-Region"] == "westeurope"


def test_a_request_holds_no_more_characters_than_it_may(server: Service) -> None:
    texts = [f"{n}".zfill(10) for n in range(9)]
    translated(server, "deepl", texts, characters=30)
    assert sorted(len(asked.texts) for asked in server.asked) == [3, 3, 3]


def test_a_rate_is_kept(server: Service) -> None:
    began = time.monotonic()
    translated(server, "deepl", ["a", "b", "c", "d"], batch=1, rate=10, concurrency=4)
    assert time.monotonic() - began >= 0.3
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("http:localhost:5000", "is not a URL"),
        ("http:http://h(body={}, reply=a)", 'must hold "$text" once, not 0'),
        ('http:http://h(body={"q": "$text", "r": "$text"})', "not 2 times"),
        ('http:http://h(body={"q": "$text"}, reply="a..b")', "is no path"),
        ("http:http://h(body={q})", "not JSON"),
        ("http:http://h(headers=[])", "write a JSON object of texts"),
        ("http:http://h/?key=$MY_KEY", "holds a password or a key"),
        ("http:http://me:word@h/", "holds a password or a key"),
        ("deepl(key_env=sk-123)", "not the key itself"),
        ("deepl(batch=0)", "must be between"),
        ("deepl:ftp://h", "is not a URL"),
    ],
)
def test_mistakes_are_one_sentence(spec: str, said: str) -> None:
    with pytest.raises(HyperbatonError) as caught:
        SYSTEMS.parse(spec)
    assert said in str(caught.value)
    assert "word@" not in str(caught.value)


def test_what_changes_the_answer_changes_the_signature() -> None:
    def sign(spec: str) -> str:
        return SYSTEMS.parse(spec).open("en", "de").signature

    changed = [
        "deepl",
        'deepl(extra={"formality": "more"})',
        "google",
        'google(extra={"model": "nmt"})',
        "azure",
        "azure(category=mine)",
        "libretranslate:http://localhost:5000",
        "http:http://localhost:5000",
        'http:http://localhost:5000(codes={"de": "deu"})',
    ]
    assert len(set(map(sign, changed))) == len(changed)
    same = "(key_env=K, batch=3, rate=2, concurrency=1, timeout=1, retries=0, price=20)"
    assert sign(f"deepl{same}") == sign("deepl")
    for spec in changed:
        assert str(SYSTEMS.parse(spec)) == spec
