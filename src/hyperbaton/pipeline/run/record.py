"""run.json: what a run is made of, so that it can resume, grow, and be told from another one."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from hyperbaton import __version__
from hyperbaton.base.errors import HyperbatonError, installed_version
from hyperbaton.base.files import write_text
from hyperbaton.pipeline.design import Comparison, Pair

FORMAT = 3
"""Of run.json: a file of another one is refused."""
_FORMAT_OF_PARTS = 2
MACHINE = "machine"
_PACKAGES = (
    *("numpy", "polars", "sacrebleu", "rapidfuzz", "ctranslate2", "sentencepiece"),
    *("tokenizers", "torch"),
)


class OtherConfiguration(HyperbatonError):
    """What is asked for does not go together with what is in the folder."""

    def __init__(self, folder: Path, what: str, old: str, new: str) -> None:
        super().__init__(
            f"{folder} is a run of another configuration ({what}: {old}, not {new}): "
            "choose another folder with --out, or delete this one"
        )


@dataclass(frozen=True)
class Progress:
    """How large one language pair is; known from the first moment of a run."""

    items: int
    parts: int


@dataclass(frozen=True)
class Record:
    """The whole of run.json; the order of keys is the order in which they were added."""

    study: str
    part: int
    """Items in one part."""
    corpora: Mapping[str, str]
    """The corpus of each pair, with a hash."""
    parsers: Mapping[str, str]
    """Where the trees come from: `en-de source` to a parser's signature; `en-de probes` to what
    else made the probes."""
    asked: Mapping[str, tuple[str, ...]]
    """The systems that each pair is put to."""
    systems: Mapping[str, Mapping[str, str]]
    """Each system with its signature in each pair, once it was opened."""
    metrics: Mapping[str, Mapping[str, str]]
    """Each metric with its signature in each language."""
    comparisons: Mapping[str, Comparison]
    """What is compared, by name, each with all its metrics."""
    whole: Mapping[str, str] = field(default_factory=dict)
    """The signature of the stage that sees a whole corpus, by pair; empty without such a stage."""
    by_parts: bool = False
    """Whether that stage saw one part at a time, and is kept so."""
    poles: tuple[str, ...] = ()
    """The systems that are part of every run."""
    batch_bound: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Each system whose outputs may depend on their batch, with the pairs where they may."""
    progress: Mapping[str, Progress] = field(default_factory=dict)
    cells: bool = False
    """Whether the run is kept in cells: a part for each seed, and no probes."""
    command: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)

    def compared(self, metric: str, of_outputs: bool) -> tuple[Comparison, ...]:
        """What a metric compares: outputs, or columns of the probes alone."""
        return tuple(
            comparison
            for comparison in self.comparisons.values()
            if comparison.of_outputs == of_outputs and metric in (comparison.metrics or ())
        )

    @cached_property
    def _configurations(self) -> dict[tuple[Pair, str | None, str | None], str]:
        return {}

    def configuration(
        self, pair: Pair, system: str | None = None, metric: str | None = None
    ) -> str:
        """The fingerprint of all that decides the content of a part, which the part carries."""
        if known := self._configurations.get((pair, system, metric)):
            return known
        parsers = {k: v for k, v in self.parsers.items() if k.split(" ")[0] == str(pair)}
        content: list[object] = [_FORMAT_OF_PARTS, self.study, self.part]
        content += [self.corpora[str(pair)], parsers]
        if system is not None:
            content.append([system, self.systems.get(system, {}).get(str(pair))])
        if metric is not None:
            signatures = self.metrics[metric]
            content.append([metric, signatures.get(pair.source), signatures.get(pair.target)])
            content += [
                asdict(replace(comparison, metrics=None))
                for comparison in self.compared(metric, system is not None)
            ]
        found = blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=8).hexdigest()
        self._configurations[pair, system, metric] = found
        return found

    def whole_configuration(self, pair: Pair, system: str) -> str:
        """The fingerprint of the stage that sees a whole corpus, and may score by any metric."""
        content = [self.configuration(pair, system), self.whole[str(pair)]]
        content += [self.configuration(pair, system, metric) for metric in self.metrics]
        content += ["by parts"] if self.by_parts else []
        return blake2b(json.dumps(content).encode(), digest_size=8).hexdigest()

    def whole_parts(self, pair: Pair) -> int:
        """How many parts that stage is kept in."""
        if not self.whole:
            return 0
        return self.progress[str(pair)].parts if self.by_parts else 1

    def joined(self, new: Record, folder: Path) -> Record:
        """This record with what a new run adds, or one sentence on why they do not go together."""
        for what, old, asked in (
            ("study", self.study, new.study),
            ("size of a part", str(self.part), str(new.part)),
        ):
            if old != asked:
                raise OtherConfiguration(folder, what, old, asked)
        asked_for = {
            pair: tuple(dict.fromkeys((*self.asked.get(pair, ()), *new.asked.get(pair, ()))))
            for pair in (*self.asked, *new.asked)
        }
        return replace(
            self,
            corpora=_merged("corpus", self.corpora, new.corpora, folder),
            parsers=_merged("parser", self.parsers, new.parsers, folder),
            asked=asked_for,
            systems=_merged_twice("system", self.systems, new.systems, folder),
            metrics=_merged_twice("metric", self.metrics, new.metrics, folder),
            comparisons=_merged_comparisons(self.comparisons, new.comparisons, folder),
            whole={**self.whole, **new.whole},
            by_parts=new.by_parts,
            poles=tuple(dict.fromkeys((*self.poles, *new.poles))),
            command=new.command or self.command,
            versions=new.versions,
        )

    def without(self, system: str, pair: Pair) -> Record:
        """This record as if a system had not been asked for in a pair."""
        asked = {
            name: tuple(one for one in systems if (one, name) != (system, str(pair)))
            for name, systems in self.asked.items()
        }
        signed = {name: dict(known) for name, known in self.systems.items()}
        signed.get(system, {}).pop(str(pair), None)
        left = {name for systems in asked.values() for name in systems}
        bound = {
            name: tuple(p for p in pairs if (name, p) != (system, str(pair)))
            for name, pairs in self.batch_bound.items()
        }
        return replace(
            self,
            asked=asked,
            systems={name: known for name, known in signed.items() if name in left},
            batch_bound={name: pairs for name, pairs in bound.items() if pairs},
        )

    def write(self, path: Path) -> None:
        """Write it whole, with a checksum."""
        content = {"format": FORMAT, **asdict(self)}
        content["checksum"] = checksum(content)
        write_text(path, json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def checksum(content: Mapping[str, object]) -> str:
    """The digest of what run.json says, however it is laid out."""
    return blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=8).hexdigest()


def versions() -> dict[str, str]:
    """The versions of what the numbers depend on, as far as it is installed, and the machine."""
    packages = {name: version for name in _PACKAGES if (version := installed_version(name))}
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    known = {"hyperbaton": __version__, "python": platform.python_version(), **packages}
    return {**known, MACHINE: machine}


def _merged(
    what: str, old: Mapping[str, str], new: Mapping[str, str], folder: Path
) -> dict[str, str]:
    for key in old.keys() & new.keys():
        if old[key] != new[key]:
            raise OtherConfiguration(folder, f"{what} of {key}", old[key], new[key])
    return {**old, **new}


def _merged_twice(
    what: str,
    old: Mapping[str, Mapping[str, str]],
    new: Mapping[str, Mapping[str, str]],
    folder: Path,
) -> dict[str, Mapping[str, str]]:
    merged = {
        key: _merged(f"{what} {key}", old[key], new[key], folder) for key in old.keys() & new.keys()
    }
    return {**old, **new, **merged}


def _merged_comparisons(
    old: Mapping[str, Comparison], new: Mapping[str, Comparison], folder: Path
) -> dict[str, Comparison]:
    """The comparisons of both; one that is in both gets the metrics of both."""
    merged = {**old, **new}
    for name in old.keys() & new.keys():
        before, now = replace(old[name], metrics=None), replace(new[name], metrics=None)
        if before != now:
            raise OtherConfiguration(folder, f"comparison {name}", str(before), str(now))
        both = (*(old[name].metrics or ()), *(new[name].metrics or ()))
        merged[name] = replace(now, metrics=tuple(dict.fromkeys(both)))
    return merged
