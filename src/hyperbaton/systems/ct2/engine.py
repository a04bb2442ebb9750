"""The CTranslate2 engine: device, precision and threads for the machine; batches in parallel."""

from __future__ import annotations

import os
import platform
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from weakref import WeakValueDictionary

from hyperbaton.base.batches import by_length, equal_length
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.processes import cores
from hyperbaton.systems.ct2.narrowing import narrowed

if TYPE_CHECKING:
    import ctranslate2

Device = Literal["auto", "cpu", "cuda"]
Compute = Literal[
    "auto",
    "default",
    "int8",
    "int8_float32",
    "int8_float16",
    "int8_bfloat16",
    "int16",
    "float16",
    "bfloat16",
    "float32",
]
Decoding = int | float | bool

_CPU_BATCH = 384
_GPU_BATCH = 16384
_BATCHES_AHEAD = 16
"""Batches handed over at once for each worker: enough that the next ones are made in time."""
_BATCHES_UNDER_WAY = 6
"""Of each worker: so many that none is idle, and few to wait for when the job is to end."""
_BATCHES_SORTED = 64
"""The same where sources of one length are put together: many are needed to fill a batch."""

_AVX512 = {"avx512f", "avx512cd", "avx512vl", "avx512bw", "avx512dq"}
"""CTranslate2 and the libraries that it calls take their AVX-512 code only where all of these
are there."""
_VNNI = {"avx512_vnni", "avx_vnni"}
"""Instructions for products of 8-bit integers, without which they may saturate."""
_SETTINGS = ("CT2_FORCE_CPU_ISA", "CT2_USE_MKL", "CT2_USE_EXPERIMENTAL_PACKED_GEMM")
_CARDS = Path("/proc/driver/nvidia/gpus")


class Engine:
    """A loaded model, whose memory is given back when nobody holds it any more."""

    def __init__(self, translator: ctranslate2.Translator) -> None:
        self._translator = translator
        self.compute_type = f"{translator.device}-{translator.compute_type}"
        self.device = translator.device
        self._unpadded = translator.device == "cpu"
        """Whether only rows of one length share a batch: padding changes the last digits."""
        self.batch_free = self._unpadded and translator.compute_type.startswith("int")
        """Whether a translation is the same in every batch: without padding, and with sums of
        integers, no number depends on what else is there. A GPU rounds by the batch's size."""
        self.batch_tokens = _CPU_BATCH if self._unpadded else _GPU_BATCH
        self.greedy_tokens = 4 * _CPU_BATCH if self._unpadded else _GPU_BATCH
        """Without a beam, whose scores fill the caches, larger batches are faster."""
        ahead = _BATCHES_SORTED if self._unpadded else _BATCHES_AHEAD
        self.chunk = translator.num_translators * ahead
        self._ahead = translator.num_translators * _BATCHES_UNDER_WAY

    def translate(
        self,
        sources: Sequence[list[str]],
        prefix: Sequence[str],
        batch_tokens: int,
        **decoding: Decoding,
    ) -> Iterator[tuple[int, list[str]]]:
        """Each hypothesis with its position, the longest sources first, as they are done.

        A batch that fails is raised only after all others were given.
        """
        pending: deque[Iterable[tuple[int, ctranslate2.AsyncTranslationResult]]] = deque()
        cut = equal_length if self._unpadded else by_length
        batches = cut([len(source) for source in sources], batch_tokens)
        failed: RuntimeError | None = None
        while True:
            # What is queued is translated even if nobody wants it any more.
            for group in islice(batches, self._ahead - len(pending)):
                results = self._translator.translate_batch(
                    [sources[at] for at in group],
                    target_prefix=[list(prefix)] * len(group) if prefix else None,
                    max_batch_size=batch_tokens,
                    batch_type="tokens",
                    max_input_length=0,
                    asynchronous=True,
                    **decoding,
                )
                pending.append(zip(group, results, strict=True))
            if not pending:
                break
            for at, result in pending.popleft():
                try:
                    hypothesis = result.result().hypotheses[0]
                except RuntimeError as error:
                    failed = error
                    continue
                yield at, hypothesis[len(prefix) :]
        if failed is not None:
            raise failed

    def without_unknown(
        self, source: list[str], prefix: Sequence[str], **decoding: Decoding
    ) -> list[str]:
        """The hypothesis, each unknown piece replaced by the source piece most looked at.

        One source at a time: in a beam search over several, CTranslate2 (4.8 at least) gives the
        first row of attention of one source to another.
        """
        [result] = self._translator.translate_batch(
            [source],
            target_prefix=[list(prefix)] if prefix else None,
            max_input_length=0,
            replace_unknowns=True,
            **decoding,
        )
        hypothesis: list[str] = result.hypotheses[0]
        return hypothesis[len(prefix) :]

    def attend_to(
        self, sources: Sequence[list[str]], targets: Sequence[list[str]], batch_tokens: int
    ) -> list[list[list[float]]]:
        """A row of attention for each piece of each given target."""
        pending: dict[int, ctranslate2.AsyncTranslationResult] = {}
        for group in self._pair_groups(sources, targets):
            results = self._translator.translate_batch(
                [sources[at] for at in group],
                target_prefix=[targets[at] for at in group],
                max_batch_size=batch_tokens,
                batch_type="tokens",
                max_input_length=0,
                beam_size=1,
                max_decoding_length=max(len(targets[at]) for at in group),
                return_attention=True,
                asynchronous=True,
            )
            pending.update(zip(group, results, strict=True))
        rows = (pending[at].result().attention[0] for at in range(len(sources)))
        return [shown[: len(target)] for shown, target in zip(rows, targets, strict=True)]

    def score(
        self,
        sources: Sequence[list[str]],
        targets: Sequence[list[str]],
        batch_tokens: int,
        offset: int,
    ) -> list[tuple[list[str], list[float]]]:
        """The pieces of each target from `offset` on, the end included, with log-probabilities."""
        pending: dict[int, ctranslate2.AsyncScoringResult] = {}
        for group in self._pair_groups(sources, targets):
            results = self._translator.score_batch(
                [sources[at] for at in group],
                [targets[at] for at in group],
                max_batch_size=batch_tokens,
                batch_type="tokens",
                max_input_length=0,
                offset=offset,
                asynchronous=True,
            )
            pending.update(zip(group, results, strict=True))
        scored = (pending[at].result() for at in range(len(sources)))
        return [(one.tokens, one.log_probs) for one in scored]

    def _pair_groups(
        self, sources: Sequence[list[str]], targets: Sequence[list[str]]
    ) -> list[list[int]]:
        """The places of pairs that may share a batch, the longest first: see `_unpadded`."""
        lengths = [(len(s), len(t)) for s, t in zip(sources, targets, strict=True)]
        order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
        if not self._unpadded:
            return [order] if order else []
        return [list(same) for _, same in groupby(order, key=lengths.__getitem__)]


_loaded: WeakValueDictionary[tuple[object, ...], Engine] = WeakValueDictionary()


def load_engine(
    folder: Path,
    content: str,
    device: Device,
    compute: Compute,
    workers: int,
    threads: int,
    left_out: frozenset[str] = frozenset(),
) -> Engine:
    """Load a model with the precision and the threads that suit the machine.

    Both directions and all modes of a model share it while they are open; `content` tells its
    files from others that lay in the folder before. Pieces of the scripts that are left out are
    unknown to its decoder.
    """
    import ctranslate2

    key = os.getpid(), folder, content, device, compute, workers, threads, left_out
    if (engine := _loaded.get(key)) is not None:
        return engine
    cards: int = ctranslate2.get_cuda_device_count()
    if device == "cuda" and not cards:
        raise HyperbatonError("device=cuda: CTranslate2 sees no GPU here; leave device out")
    place = "cuda" if cards and device != "cpu" else "cpu"
    supported = ctranslate2.get_supported_compute_types(place)
    if compute == "auto":
        wanted = "int8" if place == "cpu" else "float16"
        compute_type = wanted if wanted in supported else "default"
    elif compute == "default" or compute in supported:
        compute_type = compute
    else:
        raise HyperbatonError(
            f"compute={compute} does not work on this {place}; it has: "
            f"{', '.join(sorted(supported))}"
        )
    workers, threads = share_cores(cores(), workers, threads) if place == "cpu" else (1, 1)
    try:
        files = narrowed(folder, left_out) if left_out else None
        # Loading sets the number of OpenMP threads of the thread it runs in; in the main one that
        # would leave torch, in the same process, with a single core.
        with ThreadPoolExecutor(1) as aside:
            translator = aside.submit(
                ctranslate2.Translator,
                str(folder),
                files=files,
                device=place,
                compute_type=compute_type,
                inter_threads=workers,
                intra_threads=threads,
                max_queued_batches=-1,
            ).result()
    except (HyperbatonError, RuntimeError, ValueError, IndexError) as error:
        raise HyperbatonError(f"{folder} cannot be loaded: {error}") from None
    _loaded[key] = engine = Engine(translator)
    return engine


def share_cores(count: int, workers: int = 0, threads: int = 0) -> tuple[int, int]:
    """How many batches run at once, and with how many threads each.

    Many short batches side by side beat one batch on many threads; past eight workers the memory
    that each needs for itself outgrows what is won.

    >>> share_cores(2), share_cores(32), share_cores(8, workers=2)
    ((2, 1), (8, 4), (2, 4))
    """
    workers = workers or (max(1, count // threads) if threads else min(count, 8))
    return workers, threads or max(1, count // workers)


def backend(device: str) -> str:
    """What CTranslate2 chooses its arithmetic by: the vendor and instructions, or the GPU.

    The library tells its choice only in a log, so this names what it chooses by.
    """
    made = _card() if device == "cuda" else _processor()
    chosen = (f"{name}={os.environ[name]}" for name in _SETTINGS if os.environ.get(name))
    return "+".join([made, *chosen])


@cache
def _processor() -> str:
    try:
        cpuinfo = Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        cpuinfo = ""
    return described(cpuinfo, platform.machine(), platform.processor())


def described(cpuinfo: str, machine: str, processor: str) -> str:
    """Vendor and instruction set, from Linux's description or else from what Python knows.

    >>> described("vendor_id : AuthenticAMD\\nflags : sse4_1 avx avx2\\n", "x86_64", "")
    'AuthenticAMD-avx2'
    >>> described("", "arm64", "arm")
    'arm64-arm'
    """
    about = dict(re.findall(r"^([^\t:]+?)\s*: *(.*)$", cpuinfo, re.MULTILINE))
    vendor = about.get("vendor_id") or about.get("CPU implementer")
    if vendor is None:
        # Windows: 'Intel64 Family 6 Model 158 Stepping 10, GenuineIntel'.
        named = [machine, processor.rpartition(",")[2]]
        return "-".join(re.sub(r"\W+", "_", part.strip()) for part in named if part.strip())
    flags = set((about.get("flags") or about.get("Features") or "").split())
    widest = "avx512" if flags >= _AVX512 else next((f for f in ("avx2", "avx") if f in flags), "")
    parts = [vendor, widest or machine, "vnni" if flags & _VNNI else ""]
    return "-".join(part for part in parts if part)


def _card() -> str:
    for file in sorted(_CARDS.glob("*/information")):
        model = re.search(r"^Model:\s*(.+)$", file.read_text(errors="replace"), re.MULTILINE)
        if model:
            return re.sub(r"\W+", "_", model[1].strip())
    return "cuda"
