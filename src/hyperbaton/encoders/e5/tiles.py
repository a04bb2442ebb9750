"""Tiles of products of matrices for AVX2, as numba's intrinsics: four rows, eight columns.

A block is 32 numbers with one scale, on both sides of a product. Within a block all are whole
numbers: 0 to 255 (128 too large) times -8 to 7. One instruction makes 32 such products and adds
pairs of them in 16 bits; eight of these fit into 16 bits too, so the sum of a block is exact. What
the 128 add to it depends on the weights alone, so a sum begins with that taken off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils as builders
from numba.extending import intrinsic

__all__ = ["BLOCK", "COLUMNS", "ROWS", "block_tile", "float_tile", "nearest", "power_of_two"]
__all__ += ["round_block"]

ROWS, COLUMNS, BLOCK = 4, 8, 32
QUADS = BLOCK // 4
_SIZE, _WHOLE, _REAL = ir.IntType(64), ir.IntType(32), ir.FloatType()
_BYTES = ir.VectorType(ir.IntType(8), BLOCK)
_SHORTS = ir.VectorType(ir.IntType(16), 2 * COLUMNS)
_WHOLES = ir.VectorType(_WHOLE, COLUMNS)
_REALS = ir.VectorType(_REAL, COLUMNS)
Kind = Any  # types and values of numba and LLVM, for which these libraries have no types
Value = Any
cgutils: Value = builders


def _emitted(function: Callable[..., Kind]) -> Callable[..., Value]:
    """A function that compiled code calls, made of what the given one emits."""
    return cast(Callable[..., Value], intrinsic(function))


class _Code:
    """What all tiles write: loads, broadcasts and sums of eight floats."""

    def __init__(self, context: Value, builder: Value, signature: Kind, given: Value) -> None:
        """Arrays come first among the arguments, then a tuple of where each of them begins."""
        self.builder = builder
        arrays = [place for place, kind in enumerate(signature.args) if hasattr(kind, "ndim")]
        starts = cgutils.unpack_tuple(builder, given[len(arrays)])
        self.data = [
            builder.gep(
                context.make_array(signature.args[at])(context, builder, given[at]).data, [start]
            )
            for at, start in zip(arrays, starts, strict=True)
        ]

    def place(self, *terms: tuple[Value, Value]) -> Value:
        """The sum of products of an index and a number."""
        found = ir.Constant(_SIZE, 0)
        for term in terms:
            index, many = (ir.Constant(_SIZE, n) if isinstance(n, int) else n for n in term)
            found = self.builder.add(found, self.builder.mul(index, many))
        return found

    def load(self, base: Value, at: Value, kind: Kind) -> Value:
        pointer = self.builder.bitcast(self.builder.gep(base, [at]), kind.as_pointer())
        return self.builder.load(pointer, align=1)

    def store(self, value: Value, base: Value, at: Value) -> None:
        pointer = self.builder.bitcast(self.builder.gep(base, [at]), value.type.as_pointer())
        self.builder.store(value, pointer, align=1)

    def same(self, value: Value, kind: Kind) -> Value:
        """A vector of one value."""
        nothing = ir.Constant(kind, ir.Undefined)
        first = self.builder.insert_element(nothing, value, ir.Constant(_WHOLE, 0))
        zeros = ir.Constant(ir.VectorType(_WHOLE, kind.count), [0] * kind.count)
        return self.builder.shuffle_vector(first, nothing, zeros)

    def call(self, name: str, kind: Kind, *given: Value) -> Value:
        function = cgutils.get_or_insert_function(
            self.builder.module, ir.FunctionType(kind, [one.type for one in given]), name
        )
        return self.builder.call(function, given)

    def sums(self, start: Value) -> list[Value]:
        """A place for the eight sums of each row."""
        found = [cgutils.alloca_once(self.builder, _REALS) for _ in range(ROWS)]
        for total in found:
            self.builder.store(start, total)
        return found

    def add(self, total: Value, one: Value, two: Value) -> None:
        """A product added to the sums of a row."""
        found = self.call("llvm.fma.v8f32", _REALS, one, two, self.builder.load(total))
        self.builder.store(found, total)


@_emitted
def block_tile(
    typing: Kind,
    numbers: Kind,
    steps: Kind,
    weights: Kind,
    begin: Kind,
    scales: Kind,
    biases: Kind,
    out: Kind,
    places: Kind,
    blocks: Kind,
    width: Kind,
) -> Kind:
    """Four rows in 8 bits times eight outputs; `width` is the length of a row of `out`."""

    def code(context: Value, builder: Value, signature: Kind, given: Value) -> Value:
        *_, blocks, width = given
        made = _Code(context, builder, signature, given)
        numbers, steps, weights, begin, scales, biases, out = made.data
        sums = made.sums(made.load(biases, made.place(), _REALS))
        with cgutils.for_range(builder, blocks, intp=_SIZE) as loop:
            block = loop.index
            parts = [made.load(begin, made.place((block, 2 * COLUMNS)), _SHORTS)] * ROWS
            for quad in range(QUADS):
                at = made.place((block, BLOCK * COLUMNS), (quad, 4 * COLUMNS))
                eight = made.load(weights, at, _BYTES)
                for row in range(ROWS):
                    at = made.place((blocks, BLOCK * row), (block, BLOCK), (quad, 4))
                    four = made.same(made.load(numbers, at, _WHOLE), _WHOLES)
                    four = builder.bitcast(four, _BYTES)
                    pairs = made.call("llvm.x86.avx2.pmadd.ub.sw", _SHORTS, four, eight)
                    parts[row] = builder.add(parts[row], pairs)
            scale = made.load(scales, made.place((block, COLUMNS)), _REALS)
            ones = ir.Constant(_SHORTS, [1] * _SHORTS.count)
            for row, total in enumerate(sums):
                whole = made.call("llvm.x86.avx2.pmadd.wd", _WHOLES, parts[row], ones)
                step = made.load(steps, made.place((blocks, row), (block, 1)), _REAL)
                factor = builder.fmul(scale, made.same(step, _REALS))
                made.add(total, builder.sitofp(whole, _REALS), factor)
        for row, total in enumerate(sums):
            made.store(builder.load(total), out, made.place((width, row)))
        return context.get_dummy_value()

    arrays = (numbers, steps, weights, begin, scales, biases, out)
    return types.void(*arrays, places, blocks, width), code


@_emitted
def float_tile(
    typing: Kind,
    left: Kind,
    right: Kind,
    out: Kind,
    places: Kind,
    count: Kind,
    inputs: Kind,
    width: Kind,
) -> Kind:
    """Four rows times eight columns; rows have `inputs` numbers on the left, `width` elsewhere."""

    def code(context: Value, builder: Value, signature: Kind, given: Value) -> Value:
        *_, count, inputs, width = given
        made = _Code(context, builder, signature, given)
        left, right, out = made.data
        sums = made.sums(ir.Constant(_REALS, [0.0] * COLUMNS))
        with cgutils.for_range(builder, count, intp=_SIZE) as loop:
            eight = made.load(right, made.place((loop.index, width)), _REALS)
            for row, total in enumerate(sums):
                one = made.load(left, made.place((inputs, row), (loop.index, 1)), _REAL)
                made.add(total, made.same(one, _REALS), eight)
        for row, total in enumerate(sums):
            made.store(builder.load(total), out, made.place((width, row)))
        return context.get_dummy_value()

    return types.void(left, right, out, places, count, inputs, width), code


@_emitted
def round_block(typing: Kind, row: Kind, numbers: Kind, steps: Kind, places: Kind) -> Kind:
    """One block in 8 bits: the largest becomes 127 or -127, and 128 is added."""

    def code(context: Value, builder: Value, signature: Kind, given: Value) -> Value:
        made = _Code(context, builder, signature, given)
        row, numbers, steps = made.data
        zero = ir.Constant(_REAL, 0.0)
        parts = [made.load(row, made.place((at, 1)), _REALS) for at in range(0, BLOCK, COLUMNS)]
        sizes = [made.call("llvm.fabs.v8f32", _REALS, part) for part in parts]
        while len(sizes) > 1:
            one, two = sizes[:2]
            sizes = [*sizes[2:], builder.select(builder.fcmp_ordered(">", one, two), one, two)]
        largest = made.call("llvm.vector.reduce.fmax.v8f32", _REAL, sizes[0])
        step = builder.fmul(largest, ir.Constant(_REAL, float(np.float32(1 / 127))))
        made.store(step, steps, made.place())
        many = builder.fdiv(ir.Constant(_REAL, 127.0), largest)
        many = builder.select(builder.fcmp_ordered(">", largest, zero), many, zero)
        more = ir.Constant(_WHOLES, [128] * COLUMNS)
        for at, part in enumerate(parts):
            scaled = builder.fmul(part, made.same(many, _REALS))
            near = made.call("llvm.rint.v8f32", _REALS, scaled)
            whole = builder.add(builder.fptosi(near, _WHOLES), more)
            small = builder.trunc(whole, ir.VectorType(ir.IntType(8), COLUMNS))
            made.store(small, numbers, made.place((at, COLUMNS)))
        return context.get_dummy_value()

    return types.void(row, numbers, steps, places), code


@_emitted
def nearest(typing: Kind, value: Kind) -> Kind:
    """The nearest whole number, the even one of two."""

    def code(context: Value, builder: Value, signature: Kind, given: Value) -> Value:
        return builder.call(builder.module.declare_intrinsic("llvm.rint", [_REAL]), given)

    return types.float32(types.float32), code


@_emitted
def power_of_two(typing: Kind, power: Kind) -> Kind:
    """2 to the power of a whole number: the bits of a float that has this exponent."""

    def code(context: Value, builder: Value, signature: Kind, given: Value) -> Value:
        exponent = builder.add(builder.fptosi(given[0], _WHOLE), ir.Constant(_WHOLE, 127))
        return builder.bitcast(builder.shl(exponent, ir.Constant(_WHOLE, 23)), _REAL)

    return types.float32(types.float32), code
