"""Values that are kept within a limit of bytes; the least recently used go first."""

import collections


class Shelf:
    """Values by key. Those that the current run uses stay, whatever the limit."""

    def __init__(self, limit):
        self.limit, self.bytes = limit, 0
        self.in_use = {}  # key -> bytes, of the current run
        self._values = collections.OrderedDict()  # key -> (value, bytes)

    def begin(self):
        """Begin a run, which uses nothing yet."""
        self.in_use = {}

    def get(self, key, make, size):
        """Return the value, made if it is missing; `size` returns the bytes of a value."""
        if key not in self._values:
            value = make()
            self._values[key] = value, size(value)
            self.bytes += size(value)
        self._values.move_to_end(key)
        value, self.in_use[key] = self._values[key]
        self.shrink(self.limit)
        return value

    def release(self, key):
        """Let the value go when room is needed, although the current run has used it."""
        del self.in_use[key]

    def shrink(self, limit=0):
        """Drop what the current run does not use, until the limit holds; return how many values were dropped."""
        unused = [key for key in self._values if key not in self.in_use]
        dropped = 0
        while self.bytes > limit and dropped < len(unused):
            self.bytes -= self._values.pop(unused[dropped])[1]
            dropped += 1
        return dropped

    def items(self):
        return [(key, value) for key, (value, _) in self._values.items()]
