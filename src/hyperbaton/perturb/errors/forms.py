"""English forms that learners confuse: plurals, third persons, participles; irregular ones too."""

from __future__ import annotations

import re
from functools import cache

_PAST = """
be was been; beat beat beaten; become became become; begin began begun; bet bet bet;
bite bit bitten; blow blew blown; break broke broken; broadcast broadcast broadcast;
bring brought brought; build built built; burst burst burst; buy bought bought; cast cast cast;
catch caught caught; choose chose chosen; come came come; cost cost cost; cut cut cut;
do did done; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten;
fall fell fallen; feel felt felt; fight fought fought; find found found; fly flew flown;
forget forgot forgotten; get got got; give gave given; go went gone; grow grew grown;
have had had; hear heard heard; hide hid hidden; hit hit hit; hold held held; hurt hurt hurt;
keep kept kept; know knew known; lead led led; leave left left; lend lent lent; let let let;
lose lost lost; make made made; mean meant meant; meet met met; pay paid paid; put put put;
quit quit quit; read read read; ride rode ridden; ring rang rung; rise rose risen; run ran run;
say said said; see saw seen; sell sold sold; send sent sent; set set set; shake shook shaken;
shine shone shone; show showed shown; shut shut shut; sing sang sung; sit sat sat;
sleep slept slept; speak spoke spoken; spend spent spent; split split split; spread spread spread;
stand stood stood; steal stole stolen; swim swam swum; take took taken; teach taught taught;
tell told told; think thought thought; throw threw thrown; understand understood understood;
wake woke woken; wear wore worn; win won won; write wrote written
"""
_PLURALS = {
    "man": "men",
    "woman": "women",
    "child": "children",
    "person": "people",
    "foot": "feet",
    "tooth": "teeth",
    "mouse": "mice",
    "goose": "geese",
    "life": "lives",
    "wife": "wives",
    "knife": "knives",
    "leaf": "leaves",
    "half": "halves",
    "shelf": "shelves",
    "wolf": "wolves",
}
_SINGULARS = {plural: singular for singular, plural in _PLURALS.items()}
_AGREEING = {
    "is": "are",
    "are": "is",
    "was": "were",
    "were": "was",
    "am": "is",
    "has": "have",
    "have": "has",
    "does": "do",
    "do": "does",
}
_WITH_E = """
admir advis agre argu arrang arriv behav believ bit blam breath car caus celebrat challeng chang
chas clos com compar complet confus continu creat danc dat decid declar decreas describ di dislik
divid driv encourag escap examin excit excus explor expos fir forc forgiv freez giv guarante hat
hav hid hop ignor imagin improv includ increas influenc introduc invit judg leav li lik liv los
lov mak manag measur mov not notic operat organis organiz participat phon plac pleas practic
practis prepar produc promis pronounc prov provid purchas rac rais realis realiz receiv recogniz
reduc refus releas remov replac requir rescu reserv rid ris sav scar serv shak shar shin smil smok
solv stor struggl suppos surpris surviv tak tast tir trad translat typ us valu vot wak wast welcom
wip wrestl writ chok cit compet cop delet devot explod guid jok persuad promot quot scor unit
"""
"""Stems of common verbs that end in e: mak of make."""
_MUTE = re.compile(
    r"([^aeiou]|qu)[aiu][bdkmprvz]$|[^aeo]a[gt]$|[^aeiou][aiu]n$|[^o]ut$|[cuv]$|[^s]s$|[dlr]g$"
    r"|[bcdfgkptz]l$|[^aeo][iu]l$|fre$"
)
"""Ends of stems that English hardly writes without an e: convinc, averag, hir, divid."""
_NOT_MUTE = frozenset({"bias", "combat", "debut", "focus", "format", "murmur"})
_SHORT = {"dy": "die", "ly": "lie", "ty": "tie", "add": "add"}
_SINGULAR_S = re.compile(r"(ss|us|is|news|series|species|bus|gas|lens)$")
_HISSING = re.compile(r"(s|x|z|ch|sh|[^aeiou]o)$")


@cache
def _irregular() -> dict[str, tuple[str, str]]:
    rows = (row.split() for row in _PAST.replace("\n", " ").split(";"))
    return {base: (past, participle) for base, past, participle in rows}


@cache
def _stems() -> frozenset[str]:
    return frozenset(_WITH_E.split())


@cache
def _bases() -> dict[str, str]:
    return {form: base for base, forms in _irregular().items() for form in forms if form != base}


def _with_s(word: str) -> str:
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    return f"{word}es" if _HISSING.search(word) else f"{word}s"


def _without_s(word: str) -> str | None:
    if len(word) < 4 or _SINGULAR_S.search(word) or not word.endswith("s"):
        return None
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if _HISSING.search(word[:-2]) and word.endswith("es") else word[:-1]


def number(noun: str) -> str:
    """The noun in the other number.

    >>> number("cities"), number("child"), number("buses"), number("glass")
    ('city', 'children', 'bus', 'glasses')
    """
    return _PLURALS.get(noun) or _SINGULARS.get(noun) or _without_s(noun) or _with_s(noun)


def agreeing(verb: str) -> str | None:
    """A verb of the present in the other person, None where its form does not tell.

    >>> agreeing("goes"), agreeing("try"), agreeing("were"), agreeing("walked"), agreeing("put")
    ('go', 'tries', 'was', None, None)
    """
    if verb in _AGREEING:
        return _AGREEING[verb]
    past_too = _irregular().get(verb, ("", ""))[0] == verb  # "put": no telling which it is
    if verb in _bases() or past_too or verb.endswith(("ed", "ing")):
        return None
    return _without_s(verb) or (None if verb.endswith("s") else _with_s(verb))


def base_form(verb: str) -> str | None:
    """The base of a past, a participle or a gerund, as far as its letters tell.

    >>> base_form("taken"), base_form("making"), base_form("stopped"), base_form("play")
    ('take', 'make', 'stop', None)
    >>> base_form("convinced"), base_form("travelling"), base_form("developed")
    ('convince', 'travel', 'develop')
    """
    if verb in _bases():
        return _bases()[verb]
    for ending in ("ing", "ed"):
        stem = verb.removesuffix(ending)
        if stem != verb and re.search(r"[aeiouy]", stem) and len(stem) > 1:
            return _restored(stem)
    return None


def _restored(stem: str) -> str:
    """The base of a stem: `mak` is make, `stopp` is stop, `tri` is try."""
    if stem in _SHORT:
        return _SHORT[stem]
    if stem in _stems() or (_MUTE.search(stem) and stem not in _NOT_MUTE):
        return f"{stem}e"
    if stem.endswith("i"):
        return f"{stem[:-1]}y"
    twice = re.search(r"([bdgmnprt])\1$|[aeiou][^aeiou]+[eo]ll$", stem)
    return stem[:-1] if twice else stem


def gerund(verb: str) -> str:
    """The -ing form of a base.

    >>> gerund("make"), gerund("stop"), gerund("see"), gerund("lie")
    ('making', 'stopping', 'seeing', 'lying')
    """
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return f"{verb[:-1]}ing"
    return f"{_doubled(verb)}ing"


def past(verb: str) -> str:
    """The simple past of a base.

    >>> past("go"), past("stop"), past("try"), past("like")
    ('went', 'stopped', 'tried', 'liked')
    """
    return _irregular()[verb][0] if verb in _irregular() else _regular(verb)


def overregular(verb: str) -> str | None:
    """What a learner makes of an irregular past: `goed` of went; None of a regular one.

    >>> overregular("went"), overregular("seen"), overregular("walked")
    ('goed', 'seed', None)
    """
    return _regular(_bases()[verb]) if verb in _bases() else None


def _regular(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb}d"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    return f"{_doubled(verb)}ed"


def _doubled(verb: str) -> str:
    """With its last letter twice where a short verb ends in one vowel and one consonant."""
    return verb + verb[-1] if re.search(r"^[^aeiou]*[aeiou][bdgmnprt]$", verb) else verb
