"""Messages between processes of one machine: plain data with open files beside it.

A job sends and receives a few of them and should not pay for modules that it hardly uses: `marshal` and `_socket` are
there at once, `json` and `socket` cost as much as the interpreter itself.
"""

import _socket
import marshal
import os
import sys

MOST_FILES = 8
LENGTH = 4  # bytes before each message, and of the number of an open file


class Link:
    """One end of a socket; iterating yields messages until the other end is closed."""

    def __init__(self, connection):
        self.connection = connection
        self.files = []  # received and not taken yet
        self._buffer = b""

    def fileno(self):
        return self.connection.fileno()

    def send(self, message, files=()):
        data = marshal.dumps(_plain(message))
        data = len(data).to_bytes(LENGTH, sys.byteorder) + data
        numbers = b"".join(file.to_bytes(LENGTH, sys.byteorder) for file in files)
        beside = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, numbers)] if files else []
        data = data[self.connection.sendmsg([data], beside) :]
        if data:
            self.connection.sendall(data)

    def receive(self):
        """Messages that are there by now, after waiting for data; None at the end."""
        data, beside, _, _ = self.connection.recvmsg(1 << 20, _socket.CMSG_SPACE(LENGTH * MOST_FILES))
        for _, _, numbers in beside:
            self.files += [_number(numbers, at) for at in range(0, len(numbers), LENGTH)]
        if not data:
            return None
        self._buffer += data
        return list(self._complete())

    def _complete(self):
        while len(self._buffer) >= LENGTH and len(self._buffer) >= (end := LENGTH + _number(self._buffer, 0)):
            message, self._buffer = self._buffer[LENGTH:end], self._buffer[end:]
            yield marshal.loads(message)

    def __iter__(self):
        while (messages := self.receive()) is not None:
            yield from messages

    def take_files(self):
        files, self.files = self.files, []
        return files

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for file in self.take_files():
            os.close(file)
        self.connection.close()


def pair():
    """Two connected links."""
    return tuple(map(Link, _socket.socketpair()))


def connect(path):
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    return Link(connection)


def _number(data, at):
    return int.from_bytes(data[at : at + LENGTH], sys.byteorder)


def _plain(value):
    """The value as built-in types; `marshal` would turn a number of NumPy's into bytes."""
    if value is None or type(value) in (str, bytes, bool, int, float):
        return value
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {_plain(name): _plain(item) for name, item in value.items()}
    raise TypeError(f"{type(value).__name__}: not plain data")
