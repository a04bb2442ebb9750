"""The make of the processor, as far as the last digits of a model's numbers depend on it."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

__all__ = ["backend", "described"]

_AVX512 = {"avx512f", "avx512cd", "avx512vl", "avx512bw", "avx512dq"}
"""CTranslate2 and the libraries that it calls take their AVX-512 code only where all of these
are there."""
_VNNI = {"avx512_vnni", "avx_vnni"}
"""Instructions for products of 8-bit integers, without which they may saturate."""
_SETTINGS = ("CT2_FORCE_CPU_ISA", "CT2_USE_MKL", "CT2_USE_EXPERIMENTAL_PACKED_GEMM")
_CARDS = Path("/proc/driver/nvidia/gpus")


def backend(device: str) -> str:
    """What CTranslate2 chooses its arithmetic by: the vendor and instructions, or the GPU.

    The library tells its choice only in a log, so this names what it chooses by.
    """
    made = _card() if device == "cuda" else _processor()
    return "+".join([made, *_settings(os.environ)])


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
        found = re.search(r"^Model:\s*(.+)$", file.read_text(errors="replace"), re.MULTILINE)
        if found:
            return re.sub(r"\W+", "_", found[1].strip())
    return "cuda"


def _settings(environment: Mapping[str, str]) -> list[str]:
    return [f"{name}={environment[name]}" for name in _SETTINGS if environment.get(name)]
