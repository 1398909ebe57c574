"""Files without a name that the server keeps for the processes of a workflow, within a limit.

The least recently used ones go first, and are gone with the processes that use them.
"""

import collections
import os


class Store:
    def __init__(self, limit):
        self._limit = limit
        self._files = collections.OrderedDict()  # name -> (file, bytes)

    def take(self, name, link):
        file, size = self._files.get(name, (None, None))
        if file is None:
            link.send({"size": None})
        else:
            self._files.move_to_end(name)
            link.send({"size": size}, [file])

    def put(self, name, size, file):
        if name in self._files or size > self._limit:
            os.close(file)
            return
        self._files[name] = file, size
        while sum(size for _, size in self._files.values()) > self._limit:
            os.close(self._files.popitem(last=False)[1][0])

    def close(self):
        for file, _ in self._files.values():
            os.close(file)
        self._files.clear()
