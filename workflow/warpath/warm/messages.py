"""Messages between processes of one machine: plain data with open files beside it.

Each is preceded by its length, and written by `marshal`. A job should not pay for modules that it hardly uses:
`marshal` and `_socket` are there at once, `json` and `socket` cost as much as the interpreter itself.
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
        self._files = []  # received and not taken yet
        self._buffer = b""

    def fileno(self):
        return self.connection.fileno()

    def send(self, message, files=()):
        data = marshal.dumps(_plain(message))
        data = len(data).to_bytes(LENGTH, sys.byteorder) + data
        numbers = b"".join(file.to_bytes(LENGTH, sys.byteorder) for file in files)
        beside = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, numbers)] if files else []
        if rest := data[self.connection.sendmsg([data], beside) :]:  # sending nothing fails where the other end is gone
            self.connection.sendall(rest)

    def receive(self):
        """Return the messages that are there by now, after waiting for data; None at the end."""
        try:
            data, beside, _, _ = self.connection.recvmsg(1 << 20, _socket.CMSG_SPACE(LENGTH * MOST_FILES))
        except ConnectionResetError:
            return None
        for _, _, numbers in beside:
            self._files += [_number(numbers, at) for at in range(0, len(numbers), LENGTH)]
        self._buffer += data
        return list(self._complete()) if data else None

    def _complete(self):
        while len(self._buffer) >= LENGTH and len(self._buffer) >= (end := LENGTH + _number(self._buffer, 0)):
            message, self._buffer = self._buffer[LENGTH:end], self._buffer[end:]
            yield marshal.loads(message)

    def __iter__(self):
        while (messages := self.receive()) is not None:
            yield from messages

    def take_files(self):
        files, self._files = self._files, []
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
    """Return two connected links."""
    return tuple(map(Link, _socket.socketpair()))


def opened(file):
    """Return the link whose socket is that open file."""
    return Link(_socket.socket(fileno=file))


def connect(path):
    """Return a link to the process that listens there."""
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
    """Return the value as built-in types; `marshal` would turn a number of NumPy's into bytes."""
    if isinstance(value, dict):
        return {_plain(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float | str):
        return float(value) if isinstance(value, float) else str(value)
    if value is None or type(value) in (bytes, bool, int):
        return value
    raise TypeError(f"{type(value).__name__}: not plain data")
