"""Download one file from a mirror or its URL, with resuming, retries and a checksum.

A partial download is a hidden `.part` file, renamed once it is complete and verified. `<file>.origin.json` records the
SHA-256 of the file at each address, so that a change upstream is noticed even without a checksum in the catalogue.
Addresses are recorded without credentials.
"""

import contextlib
import hashlib
import os
import re
import shutil
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from warpath.base.errors import UserError
from warpath.base.files import locked, read_json, sha256, write_json
from warpath.base.text import escaped, reason, shown_url

ATTEMPTS = 5  # in a row without a new byte
ATTEMPTS_TO_RESOLVE = 2  # a host's name, before the first byte: mostly there is no network
UNKNOWN_HOST = "the host's name is unknown (is there a network?)"
TIMEOUT = (10, 30)  # seconds to connect, and without any byte
LONGEST_PAUSE = 120
MINIMUM_RATE = 10  # kB/s; the default of the setting download_rate
RATE_INTERVAL = 60  # seconds over which the rate is an average
LONGEST_NUMBER = 15  # digits of a size
LARGEST_EDGE = 4 * 32  # bytes: four times those of an edge with long ids and a weight
MOST_UNSTATED = 100 * 10**9  # bytes from a server that states no size, for a graph whose edges no catalogue counts
CHUNK = 1 << 20
BETWEEN_LINES = 10  # seconds
RETRIED = {408, 425, 429, 500, 502, 503, 504}
REASONS = {  # by words in the names and texts of requests' errors
    "timed out|Timeout": "the server did not answer in time",
    "NameResolution": UNKNOWN_HOST,
    "refused|NewConnection": "no connection",
    "reset|aborted|broken|IncompleteRead|prematurely": "the connection broke",
}


class Failed(Exception):
    """This address cannot provide the file; the next one may."""


class _Retry(Exception):
    """This attempt failed; another may succeed, after `pause` seconds if the server states them."""

    def __init__(self, reason, pause=None, too_slow=False):
        super().__init__(reason)
        self.pause, self.too_slow = pause, too_slow


class _State(NamedTuple):
    """What the server said about the file that a part is the beginning of; None for what it did not say."""

    etag: str | None = None
    modified: str | None = None
    total: int | None = None


def fetch(entry, destination, mirrors=(), pause=1.0, timeout=TIMEOUT, minimum_rate=MINIMUM_RATE):
    """Put the file of `entry` at `destination`, from the first mirror or address that provides it.

    `pause` scales the seconds between attempts. A server that sends less than `minimum_rate` kB/s is given up.
    """
    edges = entry.published.get("edges")
    most = MOST_UNSTATED if edges is None else CHUNK + LARGEST_EDGE * edges
    destination = Path(destination)

    def say(message):
        print(f"{escaped(destination.name)}: {escaped(message)}", file=sys.stderr)

    with locked(destination.with_name(f".{destination.name}.lock")):
        if destination.exists():  # downloaded earlier, or by the process that held the lock
            return destination
        failures = []
        for address, checksum in entry.origin.addresses(mirrors):
            shown = shown_url(address)
            part = destination.with_name(f".{destination.name}.{hashlib.sha256(shown.encode()).hexdigest()[:8]}.part")
            try:
                if "://" in address:
                    _download(address, part, checksum, say, pause, timeout, (minimum_rate, most))
                elif Path(address).expanduser().is_file():
                    shutil.copyfile(Path(address).expanduser(), part)
                else:
                    raise Failed("no such file")
                _verify(part, shown, checksum, destination)
                with open(part, "rb+") as received:
                    os.fsync(received.fileno())
                os.replace(part, destination)
                return destination
            except Failed as failure:
                failures.append(f"{shown}: {failure}")
        told = "; ".join(failures)
        if UNKNOWN_HOST in told and entry.stand_in:
            told += ". Without a network, add --config scale=offline, which replaces this graph by a generated one"
        raise UserError(f"{entry.name}: {entry.origin.file} cannot be fetched; {told}")


def _download(address, part, checksum, say, pause, timeout, bounds):
    """Download to the part file, resuming it after each failed attempt."""
    failures, largest = 0, 0
    while True:
        try:
            return _attempt(address, part, checksum, timeout, say, bounds)
        except _Retry as retry:
            size = _size(part)
            failures = 1 if size > largest and not retry.too_slow else failures + 1
            largest = max(size, largest)
            if failures >= (ATTEMPTS_TO_RESOLVE if str(retry) == UNKNOWN_HOST and not size else ATTEMPTS):
                raise Failed(f"{retry} ({failures} attempts)") from None
            if retry.pause is not None and retry.pause > LONGEST_PAUSE:
                raise Failed(f"{retry}, and asks to wait {retry.pause:.0f} seconds") from None
            say(f"{retry}; trying again")
            time.sleep(pause * (min(2.0 ** (failures - 1), 30) if retry.pause is None else retry.pause))


def _attempt(address, part, checksum, timeout, say, bounds):
    import requests
    import urllib3

    state = _read_state(part)
    is_weak = not state or not state.etag or state.etag.startswith("W/")  # If-Range takes a strong ETag, else the date
    received = 0 if is_weak and not (state and checksum) else _size(part)  # either tells that both parts are one file's
    headers = {"Accept-Encoding": "identity", "User-Agent": "warpath"}
    if received:
        headers["Range"] = f"bytes={received}-"
        if validator := state.modified if is_weak else state.etag:
            headers["If-Range"] = validator
    try:
        with requests.get(address, headers=headers, stream=True, timeout=timeout) as response:
            received, total = _accept(response, part, received, state)
            _receive(response, part, received, total, say, *bounds)
    except requests.TooManyRedirects:
        raise Failed("it redirects in a circle") from None
    except requests.exceptions.SSLError as error:
        stated = re.search(r"\[SSL[^]]*\] ([^('\"]*)", str(error))  # by OpenSSL, in what requests says
        raise Failed(f"no secure connection: {reason(stated[1] if stated else error)}") from None
    except ValueError as error:  # a URL or a header that is none
        raise Failed(reason(error)) from None
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        text = f"{type(error).__name__} {error}"
        why = (why for words, why in REASONS.items() if re.search(words, text))
        raise _Retry(next(why, type(error).__name__)) from None


def _accept(response, part, received, state):
    """Check the status; return how many bytes of the part are kept, and the total if the server states it."""
    status, headers = response.status_code, response.headers
    if status == 206 and received:
        interval, _, total = headers.get("Content-Range", "").removeprefix("bytes ").partition("/")
        modified = headers.get("Last-Modified", state.modified)  # a server may leave it out of a range
        stated = _State(headers.get("ETag"), modified, int(total) if total.isdigit() else None)
        if interval.partition("-")[0] == str(received) and stated == state:
            return received, stated.total
        _discard(part)
        raise _Retry("the file changed while it was being resumed")
    if status == 416 and received:
        _discard(part)
        raise _Retry("the server refused to resume")
    if status in RETRIED:
        raise _Retry(f"the server answered {status} {reason(response.reason)}", _retry_after(response))
    if status != 200:
        raise Failed(f"the server answered {status} {reason(response.reason)}")
    _discard(part)
    total = headers.get("Content-Length")
    if total is not None:
        if not re.fullmatch(f"[0-9]{{1,{LONGEST_NUMBER}}}", total):
            raise Failed(f"the server states an impossible size (Content-Length: {total[:40]})")
        total, free = int(total), shutil.disk_usage(part.parent).free
        if total > free:
            raise Failed(f"it has {total:,} bytes, and {free:,} are free in {part.parent}")
    state = _State(headers.get("ETag"), headers.get("Last-Modified"), total)
    if state != _State():
        write_json(_state_file(part), state._asdict())
    return 0, state.total


def _receive(response, part, received, total, say, minimum_rate, most=MOST_UNSTATED):
    """Append what the server sends to the part; every ten seconds say how much there is."""
    begin = told = checked = time.monotonic()
    resumed_at = at_check = received
    with open(part, "ab") as file:
        say(f"from {received:,} bytes on" if received else f"{_shown(total)} to fetch" if total else "fetching")
        while chunk := response.raw.read1(CHUNK, decode_content=False):
            file.write(chunk)
            received += len(chunk)
            if total is None and received > most:
                _discard(part)
                raise Failed(f"the server states no size, and sent more than {most:,} bytes, too many for this graph")
            now = time.monotonic()
            if now - told >= BETWEEN_LINES:
                told, rate = now, (received - resumed_at) / (now - begin)
                amount = f"{received / total:4.0%} of {_shown(total)}" if total else _shown(received)
                say(f"{amount}, {_shown(rate)}/s")
            if now - checked >= RATE_INTERVAL:
                rate = (received - at_check) / (now - checked) / 1000
                if rate < minimum_rate:
                    too_slow = f"the server sends {rate:.1f} kB/s, and download_rate asks for {minimum_rate:g}"
                    raise _Retry(too_slow, too_slow=True)
                checked, at_check = now, received
    if total is not None and received < total:
        raise _Retry(f"the server sent {received:,} of {total:,} bytes")
    say(f"{_shown(received)} in {time.monotonic() - begin:.1f} s")
    if total is None:
        say("the server stated no size, so a part that is missing at the end would not be noticed")


def _retry_after(response):
    """The seconds in the header Retry-After, which may give a date; None if there are none."""
    import urllib3

    with contextlib.suppress(urllib3.exceptions.InvalidHeader, OverflowError, ValueError):
        return urllib3.Retry().get_retry_after(response.raw)
    return None


def _state_file(part):
    return part.with_name(part.name + ".json")


def _read_state(part):
    """The state of a part that can be resumed; None if it cannot."""
    content = read_json(_state_file(part))
    state = _State(*(content.get(name) for name in _State._fields))
    texts = all(text is None or (isinstance(text, str) and text.isascii() and text.isprintable()) for text in state[:2])
    usable = state != _State() and texts and isinstance(state.total, int | None)
    return state if usable and _size(part) else None


def _size(part):
    return part.stat().st_size if part.exists() else 0


def _discard(part):
    part.unlink(missing_ok=True)
    _state_file(part).unlink(missing_ok=True)


def _verify(part, address, checksum, destination):
    """Record the checksum of a complete part, at its address; discard one that is not the file.

    Without a checksum in the catalogue, refuse a file that differs from an earlier download.
    """
    with open(part, "rb") as file:
        start = file.read(512).lstrip(b"\xef\xbb\xbf \t\r\n")[:64].lower()
    path, actual = destination.with_name(destination.name + ".origin.json"), sha256(part)
    origins = {shown_url(url): record for url, record in read_json(path).items() if isinstance(record, dict)}
    earlier, wrong = origins.get(address, {}), None
    if start.startswith((b"<!doctype", b"<html", b"<?xml", b"<head")):
        wrong = "it is a web page instead of the file"
    elif not start:
        wrong = "it is an empty file"
    elif checksum and actual != checksum:
        wrong = f"it is another file: SHA-256 {actual}, and the catalogue says {checksum}"
    elif not checksum and earlier.get("sha256", actual) != actual:
        since = f"since {str(earlier.get('fetched'))[:10]}: SHA-256 was {earlier['sha256']} and is {actual}"
        wrong = f"the file has changed {since}; to accept the new file, delete {path}"
    if wrong:
        _discard(part)
        raise Failed(wrong)
    fetched = datetime.now(UTC).isoformat(timespec="seconds")
    write_json(path, origins | {address: {"sha256": actual, "bytes": part.stat().st_size, "fetched": fetched}})
    _state_file(part).unlink(missing_ok=True)


def _shown(count):
    for unit, each in (("GB", 10**9), ("MB", 10**6), ("kB", 1000)):
        if count >= each:
            return f"{count / each:.1f} {unit}"
    return f"{count:.0f} bytes"
