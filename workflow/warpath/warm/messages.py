"""Messages between processes of one machine, with open files beside them.

Each follows its length. A command is texts that end with zeros, so that the compiled client can write it; the first is
a folder. All others are JSON.
"""

import json
import os
import socket
import sys

MOST_FILES = 8
LENGTH = 4  # bytes


class Link:
    """One end of a socket; iterating yields messages until the other end is closed."""

    def __init__(self, connection):
        self.connection = connection
        self._files = []  # received and not taken yet
        self._buffer = b""

    def fileno(self):
        return self.connection.fileno()

    def send(self, message, files=()):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        data = len(data).to_bytes(LENGTH, sys.byteorder) + data
        if rest := data[socket.send_fds(self.connection, [data], files) :]:  # none can be sent to a closed end
            self.connection.sendall(rest)

    def receive(self):
        """Return the messages that are there by now, after waiting for data; None at the end."""
        try:
            data, files, _, _ = socket.recv_fds(self.connection, 1 << 20, MOST_FILES)
        except ConnectionResetError:
            return None
        self._files += files
        self._buffer += data
        return list(self._complete()) if data else None

    def _complete(self):
        while len(self._buffer) >= LENGTH:
            end = LENGTH + int.from_bytes(self._buffer[:LENGTH], sys.byteorder)
            if len(self._buffer) < end:
                return
            message, self._buffer = self._buffer[LENGTH:end], self._buffer[end:]
            yield message if message.startswith(b"/") else json.loads(message)

    def __iter__(self):
        while (messages := self.receive()) is not None:
            yield from messages

    def take_files(self):
        files, self._files = self._files, []
        return files

    def close(self):
        for file in self.take_files():
            os.close(file)
        self.connection.close()


def pair():
    return tuple(map(Link, socket.socketpair()))


def connect(path):
    link = Link(socket.socket(socket.AF_UNIX))
    link.connection.connect(str(path))
    return link
