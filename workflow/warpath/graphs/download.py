"""One file from its URL or a mirror: resumed, retried, checked, and under its name only when it is whole.

What is on its way lies in a hidden `.part` file that nothing else reads. A record beside the file (`.origin.json`)
keeps which address gave which SHA-256, so that a file that changes upstream is noticed even without a sum in the
catalogue.
"""

import hashlib
import json
import os
import shutil
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from warpath.foundation.errors import UserError
from warpath.foundation.files import locked, sha256, write_json
from warpath.graphs.progress import Progress

ATTEMPTS = 5  # in a row without a new byte
TIMEOUT = (10, 30)  # seconds to connect, and without any byte
LONGEST_PAUSE = 120
CHUNK = 1 << 20
RETRIED = {408, 425, 429, 500, 502, 503, 504}


class Failed(Exception):
    """This address does not give the file; another may."""


def fetch(entry, file, destination, mirrors=(), pause=1.0, timeout=TIMEOUT):
    """Put `file` of `entry` at `destination`, from the first mirror or address that gives it."""
    source = next(source for source in entry.sources if source.file == file)
    destination = Path(destination)
    with locked(destination.with_name(f".{destination.name}.lock")):  # whoever waited finds the file there
        if destination.exists():
            return destination
        failures = []
        for address, wanted in source.addresses(mirrors):
            try:
                part = (
                    _copy(address, destination) if _is_folder(address) else _get(address, destination, pause, timeout)
                )
                _check(part, address, wanted, destination)
                with open(part, "rb+") as whole:
                    os.fsync(whole.fileno())
                os.replace(part, destination)
                return destination
            except Failed as failure:
                failures.append(f"{address}: {failure}")
        raise UserError(f"{entry.name}: {file} cannot be fetched; " + "; ".join(failures))


def _is_folder(address):
    return "://" not in address


def _part(address, destination):
    """Of this address alone: halves of two different files never meet."""
    tag = hashlib.sha256(address.encode()).hexdigest()[:8]
    return destination.with_name(f".{destination.name}.{tag}.part")


def _copy(address, destination):
    path = Path(address).expanduser()
    if not path.is_file():
        raise Failed("no such file")
    part = _part(address, destination)
    shutil.copyfile(path, part)
    return part


def _get(address, destination, pause, timeout):
    """Download to the part file, going on where the last attempt stopped."""
    part = _part(address, destination)
    progress = Progress(destination.name)
    failures, most = 0, 0
    while True:
        try:
            _attempt(address, part, timeout, progress)
            return part
        except _Again as again:
            size = part.stat().st_size if part.exists() else 0
            failures = 1 if size > most else failures + 1
            most = max(size, most)
            if failures >= ATTEMPTS:
                raise Failed(f"{again} ({failures} attempts)") from None
            progress.say(f"{again}; another attempt follows")
            time.sleep(_pause(again, failures) * pause)


class _Again(Exception):
    """Worth another attempt, perhaps after so many seconds."""

    def __init__(self, reason, after=None):
        super().__init__(reason)
        self.after = after


def _pause(again, failures):
    if again.after is None:
        return min(2.0 ** (failures - 1), 30)
    if again.after > LONGEST_PAUSE:
        raise Failed(f"{again}, and asks to wait {again.after:.0f} seconds")
    return again.after


def _attempt(address, part, timeout, progress):
    import requests
    import urllib3

    state = _read_state(part)
    have = part.stat().st_size if state else 0
    try:
        with requests.get(address, headers=_headers(state, have), stream=True, timeout=timeout) as response:
            have, total = _accept(response, part, have, state)
            _receive(response, part, have, total, progress)
    except requests.TooManyRedirects:
        raise Failed("it redirects in a circle") from None
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise _Again(_reason(error)) from None


def _headers(state, have):
    headers = {"Accept-Encoding": "identity", "User-Agent": "warpath"}
    if have:
        headers["Range"] = f"bytes={have}-"
        if state["validator"]:
            headers["If-Range"] = state["validator"]
    return headers


def _accept(response, part, have, state):
    """Look at the status; returns how many bytes are kept and how many there will be (or None)."""
    status = response.status_code
    if status == 206 and have:
        begin, total = _content_range(response)
        if begin == have and total == state["total"]:
            return have, total
        _forget(part)
        raise _Again("the server resumed another file than it began")
    if status == 416 and have:
        _forget(part)
        raise _Again("the server refused to resume")
    if status in RETRIED:
        raise _Again(f"the server answered {status} {response.reason}", _retry_after(response))
    if status != 200:
        raise Failed(f"the server answered {status} {response.reason}")
    _forget(part)
    length = response.headers.get("Content-Length", "")
    total = int(length) if length.isdigit() else None
    etag = response.headers.get("ETag", "")
    validator = etag if etag and not etag.startswith("W/") else response.headers.get("Last-Modified")
    if validator or total:
        write_json(_state(part), {"validator": validator, "total": total})
    return 0, total


def _receive(response, part, have, total, progress):
    with open(part, "ab") as file:
        progress.start(have, total)
        while chunk := response.raw.read(CHUNK, decode_content=False):
            file.write(chunk)
            have += len(chunk)
            progress.show(have)
    if total is not None and have < total:
        raise _Again(f"the server sent {have:,} of {total:,} bytes")
    if total is not None and have > total:
        _forget(part)
        raise _Again(f"the server sent {have:,} bytes instead of {total:,}")
    progress.end(have)


def _content_range(response):
    value = response.headers.get("Content-Range", "")
    interval, _, total = value.removeprefix("bytes ").partition("/")
    begin = interval.partition("-")[0]
    return (int(begin) if begin.isdigit() else None), (int(total) if total.isdigit() else None)


def _retry_after(response):
    value = response.headers.get("Retry-After", "")
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _reason(error):
    text = f"{type(error).__name__} {error}"
    if "timed out" in text or "Timeout" in text:
        return "the server did not answer in time"
    if "NameResolution" in text:
        return "the host's name is not known (is there a network?)"
    if "refused" in text or "NewConnection" in text:
        return "no connection"
    if any(word in text for word in ("reset", "aborted", "broken", "IncompleteRead", "prematurely")):
        return "the connection broke"
    return type(error).__name__


def _state(part):
    return part.with_name(part.name + ".json")


def _read_state(part):
    """What is known about a part that may be resumed, or None."""
    known = _known(_state(part))
    validator, total = known.get("validator"), known.get("total")
    sendable = validator is None or (isinstance(validator, str) and validator.isascii() and validator.isprintable())
    if known and sendable and isinstance(total, int | None) and part.exists() and part.stat().st_size:
        return {"validator": validator, "total": total}
    return None


def _known(path):
    """What a JSON file of ours says; nothing if it is not there or says nothing that could be meant."""
    try:
        known = json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _forget(part):
    part.unlink(missing_ok=True)
    _state(part).unlink(missing_ok=True)


def _check(part, address, wanted, destination):
    """Is it the right file? If not, nothing of it stays."""
    with open(part, "rb") as file:
        start = file.read(512).lstrip(b"\xef\xbb\xbf \t\r\n")[:64].lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml", b"<head")):
        _forget(part)
        raise Failed("a web page came instead of the file")
    if not start:
        _forget(part)
        raise Failed("an empty file came")
    found = sha256(part)
    if wanted and found != wanted:
        _forget(part)
        raise Failed(f"another file came: SHA-256 {found}, and the catalogue says {wanted}")
    _record(part, address, wanted, found, destination)
    _state(part).unlink(missing_ok=True)


def _record(part, address, wanted, found, destination):
    path = destination.with_name(destination.name + ".origin.json")
    known = {where: what for where, what in _known(path).items() if isinstance(what, dict)}
    before = known.get(address, {})
    if not wanted and before.get("sha256", found) != found:
        _forget(part)
        raise Failed(
            f"the file has changed since {str(before.get('fetched'))[:10]}: SHA-256 was {before['sha256']} and is "
            f"{found}; if that is as it should be, delete {path}"
        )
    fetched = datetime.now(UTC).isoformat(timespec="seconds")
    write_json(path, known | {address: {"sha256": found, "bytes": part.stat().st_size, "fetched": fetched}})
