"""The flag of a host loop."""

import ctypes


class Flag:
    """One word that kernels set and the host loop reads each round, as an integer and without NumPy's indexing."""

    def __init__(self, words):
        self._words, self.array, self.address = words, words.array, words.address
        self._value = ctypes.c_int32.from_address(words.address)

    def clear(self):
        self._words.clear()

    def set(self, value):
        self.array.fill(value)

    def read(self):
        self._words.fetch(1)
        return self._value.value
