"""Thrift's compact protocol, in which the footer of a Parquet file is written.

A struct is a dict of (type, value) by field number, a list is (type of its elements, their values).
"""

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, _, STRUCT = range(1, 13)


def decode(data):
    """Return the struct that begins the bytes."""
    return _struct(memoryview(data), 0)[0]


def encode(fields):
    """Return the bytes of a struct."""
    into = bytearray()
    _put_struct(into, fields)
    return bytes(into)


def _varint(data, at):
    number = shift = 0
    while data[at] & 0x80:
        number |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return number | data[at] << shift, at + 1


def _struct(data, at):
    fields, number = {}, 0
    while head := data[at]:
        kind, step, at = head & 15, head >> 4, at + 1
        if step:
            number += step
        else:
            number, at = _value(data, at, I16)
        value, at = (kind == TRUE, at) if kind in (TRUE, FALSE) else _value(data, at, kind)
        fields[number] = kind, value
    return fields, at + 1


def _value(data, at, kind):
    if kind in (I16, I32, I64):
        number, at = _varint(data, at)
        return number >> 1 ^ -(number & 1), at
    if kind == STRUCT:
        return _struct(data, at)
    if kind in (LIST, SET):
        return _list(data, at)
    length, at = (1, at) if kind in (TRUE, FALSE, BYTE) else (8, at) if kind == DOUBLE else _varint(data, at)
    return bytes(data[at : at + length]), at + length


def _list(data, at):
    count, kind, at = data[at] >> 4, data[at] & 15, at + 1
    if count == 15:
        count, at = _varint(data, at)
    values = []
    for _ in range(count):
        value, at = _value(data, at, kind)
        values.append(value)
    return (kind, values), at


def _put_varint(into, number):
    while number > 0x7F:
        into.append(number & 0x7F | 0x80)
        number >>= 7
    into.append(number)


def _put_struct(into, fields):
    before = 0
    for number, (kind, value) in sorted(fields.items()):
        if 0 < number - before < 16:
            into.append(number - before << 4 | kind)
        else:
            into.append(kind)
            _put(into, I16, number)
        before = number
        if kind not in (TRUE, FALSE):
            _put(into, kind, value)
    into.append(0)


def _put(into, kind, value):
    if kind in (I16, I32, I64):
        _put_varint(into, value << 1 if value >= 0 else ~value << 1 | 1)
    elif kind == STRUCT:
        _put_struct(into, value)
    elif kind in (LIST, SET):
        element, values = value
        into.append(min(len(values), 15) << 4 | element)
        if len(values) >= 15:
            _put_varint(into, len(values))
        for each in values:
            _put(into, element, each)
    else:
        if kind == BINARY:
            _put_varint(into, len(value))
        into += value
