"""Language codes: from what the user writes (`de`, `zh-Hant`) to what a model calls it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from hyperbaton.base.errors import HyperbatonError

# Two letters, then the three-letter codes that models use for the same language: the ISO code
# first, then the individual language that stands for a macrolanguage (NLLB: `arb`, OPUS: `cmn`).
_THREE = """
af afr|am amh|an arg|ar ara arb|as asm|ay aym ayr|az aze azj|ba bak|be bel|bg bul|bm bam|bn ben
bo bod|br bre|bs bos|ca cat|cs ces|cy cym|da dan|de deu|dz dzo|ee ewe|el ell|en eng|eo epo|es spa
et est|eu eus|fa fas pes|ff ful fuv|fi fin|fj fij|fo fao|fr fra|fy fry|ga gle|gd gla|gl glg|gn grn
gu guj|ha hau|he heb|hi hin|hr hrv|ht hat|hu hun|hy hye|id ind|ig ibo|is isl|it ita|ja jpn|jv jav
ka kat|kg kon|ki kik|kk kaz|km khm|kn kan|ko kor|ks kas|ku kur kmr|ky kir|la lat|lb ltz|lg lug
li lim|ln lin|lo lao|lt lit|lu lua|lv lav lvs|mg mlg plt|mi mri|mk mkd|ml mal|mn mon khk|mr mar
ms msa zsm|mt mlt|my mya|nb nob|ne nep npi|nl nld|nn nno|no nor nob|ny nya|oc oci|om orm gaz
or ori ory|pa pan|pl pol|ps pus pbt|pt por|qu que quy|rn run|ro ron|ru rus|rw kin|sa san|sc srd
sd snd|sg sag|si sin|se sme|sh hbs|sk slk|sl slv|sm smo|sn sna|so som|sq sqi als|sr srp|ss ssw
st sot|su sun|sv swe|sw swa swh|ta tam|te tel|tg tgk|th tha|ti tir|tk tuk|tl tgl|tn tsn|to ton
tr tur|ts tso|tt tat|tw twi|ug uig|uk ukr|ur urd|uz uzb uzn|vi vie|wo wol|xh xho|yi yid ydd|yo yor
zh zho cmn|zu zul
"""
_SAME = [tuple(entry.split()) for entry in re.split(r"[|\n]", _THREE.strip())]
_GROUP: dict[str, tuple[str, ...]] = {code: codes for codes in reversed(_SAME) for code in codes}
_SCRIPT_OF_REGION = {
    ("zh", "CN"): "Hans",
    ("zh", "SG"): "Hans",
    ("zh", "TW"): "Hant",
    ("zh", "HK"): "Hant",
    ("zh", "MO"): "Hant",
}
_FIRST_SCRIPT = {"zh": ("Hans", "CN"), "sr": ("Cyrl",)}
"""Which of several scripts a bare code means, where it is not simply the first one listed."""


@dataclass(frozen=True)
class _Tag:
    language: str
    script: str = ""
    region: str = ""

    @property
    def group(self) -> tuple[str, ...]:
        return _GROUP.get(self.language, (self.language,))


def _tag(code: str) -> _Tag:
    language, *rest = re.split(r"[-_]", code)
    script = next((part.title() for part in rest if re.fullmatch("[A-Za-z]{4}", part)), "")
    region = next((part.upper() for part in rest if re.fullmatch("[A-Za-z]{2}", part)), "")
    tag = _Tag(language.lower(), script, region)
    return _Tag(tag.language, script or _SCRIPT_OF_REGION.get((tag.group[0], region), ""), region)


def is_language(code: str) -> bool:
    """Whether a code names one language that has two letters too, and not a group like `gem`.

    >>> is_language("deu"), is_language("pt_BR"), is_language("mul")
    (True, True, False)
    """
    return _tag(code).language in _GROUP


def three_letters(code: str) -> str:
    """The ISO code of three letters for one of two; any other code as it is.

    >>> three_letters("de"), three_letters("zh"), three_letters("xx")
    ('deu', 'zho', 'xx')
    """
    return _GROUP.get(code, (code, code))[1] if len(code) == 2 else code


def match(language: str, known: Collection[str]) -> str | None:
    """The model's own code for a language, or None where the model does not have it.

    >>> match("de", ["deu_Latn", "eng_Latn"]), match("zh", ["zho_Hant", "zho_Hans"])
    ('deu_Latn', 'zho_Hans')
    >>> match("zh-TW", ["zho_Hans", "zho_Hant"]), match("pt-BR", ["pt_XX"])
    ('zho_Hant', 'pt_XX')
    >>> match("ja", ["de_DE"])
    """
    if language in known:
        return language
    wanted = _tag(language)
    ranked = [
        (_distance(wanted, _tag(code)), place, code)
        for place, code in enumerate(known)
        if _may_stand_for(wanted, _tag(code))
    ]
    return min(ranked)[2] if ranked else None


def _may_stand_for(wanted: _Tag, offered: _Tag) -> bool:
    same = {*wanted.group} & {*offered.group}
    return bool(same) and not (wanted.script and offered.script and wanted.script != offered.script)


def _distance(wanted: _Tag, offered: _Tag) -> tuple[bool, bool, bool, int]:
    preferred = _FIRST_SCRIPT.get(wanted.group[0], ())
    marks = {offered.script, offered.region} - {""}
    unusual = bool(preferred and marks and not wanted.script and not marks & {*preferred})
    group = wanted.group
    rank = group.index(offered.language) if offered.language in group else len(group)
    same_language = offered.language == wanted.language
    return (
        wanted.script != offered.script and bool(wanted.script),
        bool(wanted.region) and wanted.region != offered.region,
        unusual,
        -1 if same_language else rank,
    )


def require(language: str, known: Collection[str], model: str, side: str) -> str:
    """The model's own code for a language, or an error that lists what the model knows."""
    code = match(language, known)
    if code is None:
        raise HyperbatonError(
            f"{model} does not know '{language}' as a {side} language; it knows: "
            f"{', '.join(sorted(known))}"
        )
    return code
