"""The page in a browser: words moved by mouse, finger and keys, and what the translators say."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from urllib.parse import urlencode

import pytest

from hyperbaton.play.desk import Judge
from hyperbaton.play.sentences import OFFERED
from tests.play import systems
from tests.play.conftest import Look, Looked, Serve

TEXT = "The old dog sleeps near the house."
WORDS = ["The", "old", "dog", "sleeps", "near", "the", "house", "."]
NAMED = {"carried": "carried over"}
HANGS = "python:tests.play.systems:hangs"


def state(text: str = TEXT, **more: str) -> str:
    """The fragment of a sentence."""
    return "#" + urlencode({"l": "en-de", "s": text, **more})


def middle(looked: Looked, place: int) -> tuple[float, float]:
    """The middle of the tile at a place."""
    box = looked.page.locator(".tile").nth(place).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def settled(looked: Looked, words: list[str]) -> None:
    """The tiles stand as they should, the address says so, and the system has answered."""
    assert looked.words() == words
    looked.state("gloss", "answer")
    assert looked.complaints == []


def test_the_page_opens_with_a_sentence_its_tree_and_a_translation(
    serve: Serve, look: Look
) -> None:
    served = serve()
    looked = look(served.link)
    assert looked.outcome() == "unchanged"
    assert 2 < len(looked.words()) <= 9, "short enough for the map of its orders"
    assert 1 < looked.page.locator("#tree path").count() < len(looked.words())
    assert looked.page.locator(".gauge").count() == 1
    assert looked.complaints == []
    assert all(url.startswith((served.link, "data:")) for url in looked.requests)


def test_a_word_is_dragged_by_mouse(serve: Serve, look: Look) -> None:
    looked = look(serve().link + state())
    mouse = looked.page.mouse
    mouse.move(*middle(looked, 3))
    mouse.down()
    mouse.move(*middle(looked, 1), steps=6)
    x, y = middle(looked, 0)
    mouse.move(x - 12, y, steps=3)
    mouse.up()
    settled(looked, ["sleeps", "The", "old", "dog", "near", "the", "house", "."])
    assert looked.outcome() == "carried over"
    given = looked.page.locator(".card .text").first.inner_text()
    assert given == "sleeps The old dog near the house."


def test_a_press_without_a_move_changes_nothing(serve: Serve, look: Look) -> None:
    looked = look(serve().link + state())
    looked.page.mouse.click(*middle(looked, 3))
    settled(looked, WORDS)
    assert looked.page.locator("#undo").is_disabled()


def test_a_word_is_dragged_by_finger(serve: Serve, look: Look) -> None:
    looked = look(serve().link + state(), width=1000, has_touch=True)
    touch = looked.page.context.new_cdp_session(looked.page)

    def send(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    start, end = middle(looked, 2), middle(looked, 5)
    send("touchStart", start)
    for step in range(1, 9):
        share = step / 8
        send("touchMove", (start[0] + (end[0] + 9 - start[0]) * share, start[1]))
    send("touchEnd")
    settled(looked, ["The", "old", "sleeps", "near", "the", "dog", "house", "."])


def test_a_word_is_moved_by_keys_alone(serve: Serve, look: Look) -> None:
    looked = look(serve().link + state())
    page = looked.page
    page.locator(".tile").first.focus()
    for key in ("ArrowRight", "ArrowRight", "Space", "ArrowLeft", "ArrowLeft", "Space"):
        page.keyboard.press(key)
    moved = ["dog", "The", "old", "sleeps", "near", "the", "house", "."]
    settled(looked, moved)
    assert page.evaluate("document.activeElement.dataset.word") == "2"
    assert page.locator("#spoken").inner_text() == "dog put down"
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    page.locator("#undo:disabled").wait_for()
    settled(looked, WORDS)
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+Shift+Z")
    page.locator("#redo:disabled").wait_for()
    settled(looked, moved)
    page.locator(".tile").first.focus()
    for key in ("Enter", "End", "Escape"):
        page.keyboard.press(key)
    settled(looked, moved)


def test_a_sentence_is_typed_and_the_page_surprises(serve: Serve, look: Look) -> None:
    looked = look(serve().link + state())
    looked.page.locator("#text").fill("The small cat drinks milk.")
    looked.page.locator("#text").press("Enter")
    looked.page.locator('.tile:has-text("milk")').wait_for()
    settled(looked, ["The", "small", "cat", "drinks", "milk", "."])
    looked.page.locator("#surprise").click()
    looked.page.locator('.tile:has-text("milk")').wait_for(state="detached")
    assert looked.outcome() == "unchanged"
    assert looked.page.locator("#reference").input_value()
    looked.page.locator("#undo").click()
    looked.page.locator('.tile:has-text("milk")').wait_for()


# What each group of buttons can do to the sentence is known without the page.
RICH = 'We don\'t often walk to the old river, because "the dogs" are barking there.'


@pytest.mark.parametrize("group", OFFERED)
def test_each_perturbation_is_a_button(serve: Serve, look: Look, group: str) -> None:
    looked = look(serve().link + state(RICH))
    page = looked.page
    page.locator(f'[data-group="{group}"] summary').click()
    pressed = 0
    for name in OFFERED[group]:
        button = page.locator(f'.choices button[data-name="{name}"]')
        assert button.inner_text() != name, "it has a name in plain words"
        if button.is_disabled():
            continue
        button.click()
        page.locator(f'.choices button[data-name="{name}"][aria-pressed="true"]').wait_for()
        looked.state("gloss", "answer")
        given = page.locator(".card .block .text").first
        for _ in range(300):
            if given.inner_text() != RICH:
                break
            page.wait_for_timeout(100)
        assert given.inner_text() != RICH, name
        pressed += 1
    # Without a parser there is no tree to mirror; what needs none applies.
    assert pressed >= {"words": 5, "characters": 3, "errors": 3, "surface": 8}[group]
    assert looked.complaints == []


def test_a_random_perturbation_is_drawn_again(serve: Serve, look: Look) -> None:
    looked = look(serve().link + state())
    looked.page.locator('[data-group="words"] summary').click()
    button = looked.page.locator('button[data-name="wordShuffle"]')
    seen = {tuple(looked.words())}
    for draw in range(3):
        button.click()
        looked.page.locator('button[data-name="wordShuffle"][aria-pressed="true"]').wait_for()
        if draw:
            looked.page.wait_for_url(re.compile(rf"[#&]d={draw}"))
        for _ in range(300):  # the words follow the address, on a busy machine much later
            if tuple(looked.words()) not in seen:
                break
            looked.page.wait_for_timeout(100)
        seen.add(tuple(looked.words()))
    assert len(seen) == 4


def test_a_paraphrase_is_typed_by_hand(serve: Serve, look: Look) -> None:
    looked = look(serve().link + state())
    page = looked.page
    page.locator('[data-group="hand"] summary').click()
    page.locator("#hand").fill("Near the house an old dog is asleep.")
    page.locator("#hand-use").click()
    page.locator('.card .text:has-text("asleep")').first.wait_for()
    assert looked.outcome() != "unchanged"
    assert page.locator("#variant .new").first.inner_text() == "an"
    assert "v=Near" in page.url


def test_three_systems_of_which_one_hangs_and_one_fails(serve: Serve, look: Look) -> None:
    fails = "python:tests.play.systems:fails"
    looked = look(serve("gloss", HANGS, fails).link + state())
    looked.page.locator(".tile").first.focus()
    for _ in range(2):
        looked.page.keyboard.press("Shift+ArrowRight")
        looked.state("gloss", "answer")
        looked.state(fails, "fault")
        looked.state(HANGS, "asked")
    assert "<b>out of order</b>" in looked.page.locator(".fault").inner_text()
    looked.page.locator(f'.card[data-system="{HANGS}"] .busy:has-text("orking")').wait_for()
    systems.LET_GO.set()
    looked.state(HANGS, "answer")
    given = looked.page.locator(f'.card[data-system="{HANGS}"] .text').first.inner_text()
    assert given.startswith("old dog The"), "the newest question is answered, no older one"


def test_of_many_quick_moves_only_the_newest_is_translated(serve: Serve, look: Look) -> None:
    looked = look(serve(HANGS).link + state())
    looked.state(HANGS, "asked")
    looked.page.locator(".tile").first.focus()
    for key in ("ArrowRight",) * 6 + ("ArrowLeft",) * 3:
        looked.page.keyboard.press(f"Shift+{key}")
    looked.page.locator(f'.card[data-system="{HANGS}"] .busy:has-text("orking")').wait_for()
    systems.LET_GO.set()
    looked.state(HANGS, "answer")
    given = "old dog sleeps The near the house."
    assert looked.page.locator(".card .text").first.inner_text() == given
    assert given in systems.SEEN
    assert len(set(systems.SEEN)) <= 3, "the sentence, the newest move, and one at work at most"


def test_words_keep_their_colour_and_what_is_lost_is_struck_out(serve: Serve, look: Look) -> None:
    forgets = "python:tests.play.systems:forgets"
    looked = look(serve(forgets).link + state(o="3.0.1.2.4.5.6.7"))
    looked.state(forgets, "answer")
    given, translated, clean = looked.page.locator(".card .block").all()
    colours = [
        {word.inner_text(): word.get_attribute("style") for word in block.locator(".word").all()}
        for block in (given, translated)
    ]
    assert set(colours[0]) - set(colours[1]) == {"dog"}
    assert all(colours[0][word] == style for word, style in colours[1].items())
    assert len(set(colours[0].values())) > 5
    assert translated.locator(".crossings path").count() >= 6, "lines join the two"
    assert given.locator(".missing").all_inner_texts() == ["dog"]
    assert clean.locator(".gone").all_inner_texts() == ["dog"]
    assert "sleeps" in clean.locator(".elsewhere").all_inner_texts()


def test_the_link_is_copied(serve: Serve, look: Look) -> None:
    looked = look(serve().link + state(o="3.0.1.2.4.5.6.7"))
    looked.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    looked.page.locator("#link").click()
    looked.page.locator("#spoken:has-text('Link copied')").wait_for(state="attached")
    copied = looked.page.evaluate("navigator.clipboard.readText()")
    assert copied == looked.page.url
    assert look(copied).words() == looked.words()


def test_words_of_a_language_without_a_parser_are_moved_too(serve: Serve, look: Look) -> None:
    fragment = urlencode({"l": "eo-de", "s": "La hundo dormas bone."})
    looked = look(f"{serve('copy').link}#{fragment}")
    looked.state("copy", "answer")
    looked.page.locator("#note:visible").wait_for()
    assert looked.page.locator("#tree path").count() == 0
    looked.page.locator(".tile").first.focus()
    looked.page.keyboard.press("Shift+ArrowRight")
    looked.page.locator(".card .text:has-text('hundo La dormas')").first.wait_for()
    assert looked.words()[:2] == ["hundo", "La"]


def test_a_system_is_hidden_and_shown(serve: Serve, look: Look) -> None:
    looked = look(serve("gloss", "copy").link + state())
    looked.state("copy", "answer")
    looked.page.locator('#shown [data-system="copy"]').click()
    looked.page.locator('.card[data-system="copy"]').wait_for(state="detached")
    assert "x=copy" in looked.page.url
    looked.page.locator('#shown [data-system="copy"]').click()
    looked.state("copy", "answer")


def test_a_system_that_waits_for_a_click_is_asked_nothing_before(serve: Serve, look: Look) -> None:
    looked = look(serve("gloss", HANGS, off=(HANGS,)).link)
    looked.state("gloss", "answer")
    assert looked.page.locator(".card").count() == 1
    assert systems.SEEN == []
    looked.page.locator(f'#shown [data-system="{HANGS}"]').click()
    looked.state(HANGS, "asked")
    looked.state("gloss", "answer")
    assert "x=" not in looked.page.url


def test_a_german_page_says_mistakes_in_german_and_marks_what_programs_say(
    serve: Serve, look: Look
) -> None:
    fails = "python:tests.play.systems:fails"
    looked = look(serve(fails).link + state(RICH), locale="de-DE")
    page = looked.page
    looked.state(fails, "fault")
    assert page.locator(".card .fault").inner_text().startswith("Keine Übersetzung: ")
    assert (
        page.locator(".card .fault [lang=en]").inner_text() == "RuntimeError: <b>out of order</b>"
    )
    page.locator("#orders-start").click()
    page.locator("#orders-answer:has-text('Die Karte ist für 2 bis 8 Wörter')").wait_for()
    page.locator("#text").fill("x" * 5001)
    page.locator("#text").press("Enter")
    said = "Der Satz hat 5.001 Zeichen und die Seite nimmt 5.000: kürze ihn."
    page.locator(f"#trouble:has-text('{said}')").wait_for()
    assert page.locator("#trouble").get_attribute("lang") == "de"


def test_labels_do_not_lie_on_one_another_on_a_phone(serve: Serve, look: Look) -> None:
    text = "昨天我不小心把钱包落在电影院了。"
    looked = look(f"{serve().link}#{urlencode({'l': 'zh-en', 's': text})}", width=390)
    boxes = looked.page.locator("#tree text").evaluate_all(
        "all => all.map((label) => [label.textContent, label.getBoundingClientRect().toJSON()])"
    )
    assert len(boxes) > 5
    for (one, a), (two, b) in combinations(boxes, 2):
        beside = a["right"] <= b["left"] or b["right"] <= a["left"]
        assert beside or abs(a["top"] - b["top"]) > 10, f"{one} lies on {two}"
    looked.state("gloss", "answer")
    label = looked.page.locator(".block:has(.crossings) h4")
    ground, place = label.evaluate(
        "label => [getComputedStyle(label).backgroundColor, getComputedStyle(label).position]"
    )
    assert (ground, place) == ("rgb(255, 255, 255)", "relative"), "no line crosses out the label"


def test_reload_and_link_bring_back_exactly_this_state(serve: Serve, look: Look) -> None:
    served = serve("gloss", "copy")
    more = {"r": "Der alte Hund schläft beim Haus.", "o": "3.0.1.2.4.5.6.7", "x": "copy", "u": "de"}
    looked = look(served.link + state(**more))

    def seen(page: Looked) -> tuple[object, ...]:
        page.state("gloss", "answer")
        text = page.page.locator("main").inner_text()
        return page.words(), page.page.url, text, page.page.locator("#reference").input_value()

    first = seen(looked)
    assert looked.words()[:2] == ["sleeps", "The"]
    assert "übernommen" in str(first[2])
    assert looked.page.locator(".gauge").count() == 3
    looked.page.reload()
    looked.page.locator("html[data-ready]").wait_for(state="attached")
    assert seen(looked) == first
    assert seen(look(looked.page.url)) == first


def test_languages_are_switched_on_the_page(serve: Serve, look: Look) -> None:
    looked = look(serve().link + state())
    looked.page.locator("#target").select_option("fr")
    looked.page.locator('.card .text[lang="fr"]').first.wait_for()
    assert "l=en-fr" in looked.page.url
    looked.page.locator("#source").select_option("fr")
    looked.page.wait_for_url(re.compile("l=fr-en"))
    looked.page.locator('.card .block:first-child .text[lang="fr"]').wait_for()
    assert looked.outcome() == "unchanged"
    assert looked.complaints == []


def test_five_thousand_characters_are_taken_and_more_are_refused(serve: Serve, look: Look) -> None:
    text = " ".join(["word"] * 1000)
    looked = look(serve().link + state())
    looked.page.locator("#text").fill(text + "s")
    looked.page.locator("#text").press("Enter")
    looked.page.locator(".card .text:has-text('words')").first.wait_for()
    looked.state("gloss", "answer")
    assert len(looked.words()) == 1000
    looked.page.locator("#text").fill(text + "xy")
    looked.page.locator("#text").press("Enter")
    looked.page.locator("#trouble:visible").wait_for()
    assert "5,001 characters" in looked.page.locator("#trouble").inner_text()


def test_markup_in_sentence_system_and_answer_stays_text(serve: Serve, look: Look) -> None:
    name = "cmd:cat # <script>alert(3)</script>"
    attacks = "python:tests.play.systems:attacks"
    text = "Go <script>alert(4)</script> <img src=x onerror=alert(5)> home."
    looked = look(serve(attacks, name).link + state(text, r="<b>x</b>"))
    looked.state(attacks, "answer")
    looked.state(name, "answer")
    looked.page.locator(".tile").first.focus()
    looked.page.keyboard.press("Shift+ArrowRight")
    looked.state(attacks, "answer")
    assert "<script>alert(1)</script>" in looked.page.locator(".card").first.inner_text()
    assert looked.page.locator(".card h3").nth(1).inner_text() == name
    assert looked.page.locator("main script, main img, main b:has-text('x')").count() == 0
    assert looked.dialogs == []
    assert looked.complaints == []


def test_a_map_of_all_orders_is_drawn_and_leads_to_each(serve: Serve, look: Look) -> None:
    looked = look(serve().link + state("The dog likes cats."))
    page = looked.page
    page.locator("#orders-start").click()
    page.locator("#orders-answer:has-text('24 orders')").wait_for()
    assert page.locator("#orders-map button").count() == 24
    assert page.locator("#orders-map .column").count() == 7
    cells = page.locator("#orders-map button")
    colours = Counter(cells.evaluate_all("all => all.map((cell) => cell.className)"))
    assert set(page.locator("#orders-legend li").all_inner_texts()) == {
        f"{NAMED.get(colour, colour)}: {count}" for colour, count in colours.items()
    }
    far = Counter(
        page.locator("#orders-map .column:not(:first-child) button").evaluate_all(
            "all => all.map((cell) => cell.className)"
        )
    )
    ((most, count),) = far.most_common(1)
    said = page.locator("#orders-answer").inner_text()
    assert f"“{NAMED.get(most, most)}”: {count} of 23 orders" in said
    page.locator("#orders-map .column").last.locator("button").click()
    page.locator(".card .text:has-text('cats likes dog The')").first.wait_for()
    assert looked.outcome() == "carried over"


def test_a_map_is_cancelled(serve: Serve, look: Look) -> None:
    looked = look(serve(HANGS).link + state("The dog likes cats."))
    page = looked.page
    page.locator("#orders-start").click()
    page.locator("#orders-cancel").click()
    assert page.locator("#orders-answer").inner_text() == "Cancelled."
    assert page.locator("#orders-start").is_enabled()


def test_a_map_of_a_long_sentence_says_why_not(serve: Serve, look: Look) -> None:
    looked = look(serve().link + state(RICH))
    looked.page.locator("#orders-start").click()
    looked.page.locator("#orders-answer:has-text('2 to 8 words')").wait_for()


def test_an_example_is_saved(serve: Serve, look: Look) -> None:
    looked = look(serve().link + state(o="1.0.2.3.4.5.6.7"))
    with looked.page.expect_download() as caught:
        looked.page.locator("#save-tsv").click()
    path = caught.value.path()
    assert caught.value.suggested_filename == "example.tsv"
    assert "old The dog" in path.read_text(encoding="utf-8")


def test_an_outcome_that_is_not_known_yet_follows(serve: Serve, look: Look) -> None:
    served = serve("gloss")
    judge = Judge()
    served.desks["gloss"]._judge = judge
    looked = look(served.link + state(o="3.0.1.2.4.5.6.7"))
    looked.page.locator(".card .outcome.carried").wait_for()
    assert judge.is_ready()


def test_a_new_sentence_does_not_keep_the_reference_of_the_old_one(
    serve: Serve, look: Look
) -> None:
    page = look(serve().link).page
    page.wait_for_function("document.querySelector('#reference').value")
    page.locator("#text").fill("The small cat drinks milk.")
    page.locator("#text").press("Enter")
    page.locator('.tile:has-text("milk")').wait_for()
    assert page.locator("#reference").input_value() == ""
    assert "r=" not in page.url


def test_the_sentence_survives_another_target(serve: Serve, look: Look) -> None:
    page = look(serve().link).page
    page.wait_for_function("document.querySelector('#reference').value")
    shipped, german = (page.locator(name).input_value() for name in ("#text", "#reference"))
    page.locator("#target").select_option("fr")
    page.wait_for_url(re.compile("l=en-fr"))
    assert page.locator("#text").input_value() == shipped
    assert page.locator("#reference").input_value() not in ("", german)
    page.locator("#text").fill("The small cat drinks milk.")
    page.locator("#target").select_option("de")
    page.wait_for_url(re.compile("l=en-de"))
    assert page.locator("#text").input_value() == "The small cat drinks milk."
    assert page.locator("#reference").input_value() == ""


def test_what_was_typed_stays_when_its_language_is_chosen(serve: Serve, look: Look) -> None:
    page = look(serve().link).page
    page.wait_for_function("document.querySelector('#reference').value")
    english, german = (page.locator(name).input_value() for name in ("#text", "#reference"))
    page.locator("#text").fill("Die kleine Katze trinkt Milch.")
    page.locator("#source").select_option("de")
    page.wait_for_url(re.compile("l=de-en"))
    assert page.locator("#text").input_value() == "Die kleine Katze trinkt Milch."
    assert page.locator("#reference").input_value() == ""
    page.locator("#undo").click()
    page.wait_for_url(re.compile("l=en-de"))
    assert page.locator("#text").input_value() == english
    page.locator("#source").select_option("de")
    page.wait_for_url(re.compile("l=de-en"))
    assert page.locator("#text").input_value() == german, "a shipped one is there in both"
    assert page.locator("#reference").input_value() == english
