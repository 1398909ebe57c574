"""Write and read structures in Thrift's compact protocol, which Parquet describes its pages and row groups in."""

I32, I64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12
_TRUE, _FALSE, _BYTE, _I16 = 1, 2, 3, 4


def struct(*fields):
    """Return the bytes of a structure; a field is (id, type, value), and left out where the value is None.

    The value of a structure is its bytes, and that of a list a pair of its elements' type and its elements.
    """
    parts, before = [], 0
    for number, kind, value in fields:
        if value is not None:
            parts += [bytes([(number - before) << 4 | kind]), _encoded(kind, value)]
            before = number
    return b"".join(parts) + b"\0"


def _encoded(kind, value):
    if kind in (I32, I64):
        return _varint(value << 1 if value >= 0 else ~(value << 1))
    if kind == BINARY:
        return _varint(len(value)) + value
    if kind == LIST:
        of, elements = value
        head = bytes([len(elements) << 4 | of]) if len(elements) < 15 else bytes([0xF0 | of]) + _varint(len(elements))
        return head + b"".join(_encoded(of, element) for element in elements)
    return value


def _varint(number):
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def read_struct(buffer, at):
    """Return the integers and structures of a structure by their ids, and where it ends; others are not needed here."""
    fields, number = {}, 0
    while head := buffer[at]:
        kind, at = head & 15, at + 1
        if head >> 4:
            number += head >> 4
        else:
            number, at = _read_integer(buffer, at)
        if kind in (_I16, I32, I64):
            fields[number], at = _read_integer(buffer, at)
        elif kind == STRUCT:
            fields[number], at = read_struct(buffer, at)
        elif kind == BINARY:
            length, at = _read_varint(buffer, at)
            at += length
        elif kind == _BYTE:
            at += 1
        elif kind not in (_TRUE, _FALSE):
            raise ValueError(f"a field of type {kind}")
    return fields, at + 1


def _read_integer(buffer, at):
    number, at = _read_varint(buffer, at)
    return (number >> 1) ^ -(number & 1), at


def _read_varint(buffer, at):
    number = shift = 0
    while buffer[at] > 127:
        number, shift, at = number | (buffer[at] & 127) << shift, shift + 7, at + 1
    return number | buffer[at] << shift, at + 1
