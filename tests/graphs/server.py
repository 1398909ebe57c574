"""A local HTTP server with scripted failures: each request takes the next function of the script."""

import contextlib
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, find):
        """`find(path)` returns the content of a path, or None."""
        super().__init__(("127.0.0.1", 0), Handler)
        self.find, self.script, self.requests = find, [], []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


@contextlib.contextmanager
def serving(find):
    with Server(find) as server:
        yield server
        server.shutdown()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    labels: ClassVar = {}  # headers in place of those that an answer would have; None for none

    def do_GET(self):
        self.server.requests.append((self.path, self.headers.get("Range")))
        act = self.server.script.pop(0) if self.server.script else serve
        act(self, self.server.find(self.path))

    def answer(self, status, body=b"", length=None, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def send_header(self, name, value):
        if name.replace("-", "_") not in self.labels:
            super().send_header(name, value)

    def end_headers(self):
        for name, value in self.labels.items():
            if value is not None:
                super().send_header(name.replace("_", "-"), value)
        super().end_headers()

    def log_message(self, *_):
        pass


def serve(request, body, cut=None):
    """Serve the file or a range of it correctly; `cut` ends the connection after that many bytes."""
    if body is None:
        return request.answer(404)
    begin, status, headers = 0, 200, {"ETag": f'"{hash(body)}"'}
    interval = request.headers.get("Range")
    if interval and request.headers.get("If-Range") in (None, headers["ETag"]):
        begin, status = int(interval.removeprefix("bytes=").rstrip("-")), 206
        if begin >= len(body):
            return request.answer(416)
        headers["Content_Range"] = f"bytes {begin}-{len(body) - 1}/{len(body)}"
    rest = body[begin:]
    request.answer(status, rest[:cut], len(rest), **headers)
    request.close_connection |= cut is not None


def answering(status, body=b"", **headers):
    """Answer so, whatever is asked for."""
    return lambda request, _: request.answer(status, body, **headers)


def cut(after):
    """End the connection after that many bytes."""
    return lambda request, body: serve(request, body, after)


def reset(request, body):
    """Reset the connection half-way."""
    request.answer(200, body[: len(body) // 2], len(body))
    request.wfile.flush()
    request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.connection.close()
    request.close_connection = True


def stall(request, body):
    """Send half of the file, then nothing."""
    request.answer(200, body[: len(body) // 2], len(body), ETag=f'"{hash(body)}"')
    hang(request, body)


def hang(request, _):
    time.sleep(1)
    request.close_connection = True


def labelled(act, **headers):
    """Do `act` with headers of the test's choosing, such as those of another version of the file."""

    def answer(request, body):
        request.labels = headers
        act(request, body)

    return answer


no_length = labelled(serve, Content_Length=None, Connection="close")  # the end of the connection ends the file


def chunked(request, body, complete=True):
    """Send chunks, and the one that ends them only if the file is complete."""
    request.send_response(200)
    request.send_header("Transfer-Encoding", "chunked")
    request.end_headers()
    for begin in range(0, len(body), 100_000):
        part = body[begin : begin + 100_000]
        request.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
    request.wfile.write(b"0\r\n\r\n" if complete else b"")
    request.close_connection = True


def trickle(request, body):
    """Send a few bytes at a time, never too few for a time-out."""
    request.answer(200, b"", len(body), ETag=f'"{hash(body)}"')
    for begin in range(0, 20):
        request.wfile.write(body[begin : begin + 1])
        request.wfile.flush()
        time.sleep(0.05)
    request.close_connection = True
