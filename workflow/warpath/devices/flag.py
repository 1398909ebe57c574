"""The flag of a host loop."""

import ctypes

TYPES = {"int32": (ctypes.c_int32, 1), "int64": (ctypes.c_int64, 2)}


class Flag:
    """A number that kernels set and the host loop reads each round, as an integer and without NumPy's indexing."""

    def __init__(self, allocate, dtype):
        kind, self._count = TYPES[dtype]
        self._words = allocate(self._count)
        self.array, self.address = self._words.array.view(dtype), self._words.address
        self._value = kind.from_address(self.address)

    def clear(self):
        self._words.clear()

    def set(self, value):
        self.array.fill(value)

    def read(self):
        self._words.fetch(self._count)
        return self._value.value
