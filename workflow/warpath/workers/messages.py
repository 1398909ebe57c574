"""Messages between processes of one machine: a line of JSON each, open files beside it."""

import json
import os
import socket

MOST_FILES = 8


class Link:
    """One end of a socket; iterating yields messages until the other end is closed."""

    def __init__(self, connection):
        self.connection = connection
        self.files = []  # received and not taken yet
        self._buffer = b""

    def fileno(self):
        return self.connection.fileno()

    def send(self, message, files=()):
        line = json.dumps(message).encode() + b"\n"
        if files:
            line = line[socket.send_fds(self.connection, [line], files) :]
        if line:  # sending nothing fails too where the other end has read all and left
            self.connection.sendall(line)

    def receive(self):
        """Messages that are there by now, after waiting for data; None at the end."""
        data, files, _, _ = socket.recv_fds(self.connection, 1 << 20, MOST_FILES)
        self.files += files
        if not data:
            return None
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        return [json.loads(line) for line in lines]

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
    return tuple(map(Link, socket.socketpair()))


def connect(path):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    return Link(connection)
