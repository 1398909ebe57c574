"""Write Thrift's compact protocol, in which the footer of a Parquet file is.

A struct is a dict of (type, value) by field number, a list is (type of its elements, their values).
"""

I32, I64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12


def encode(fields):
    """Return the bytes of a struct."""
    into, before = bytearray(), 0
    for number, (kind, value) in fields.items():
        into.append(number - before << 4 | kind)
        into += _encoded(kind, value)
        before = number
    return bytes(into) + b"\0"


def _encoded(kind, value):
    if kind in (I32, I64):
        return _varint(value << 1 if value >= 0 else ~value << 1 | 1)
    if kind == BINARY:
        return _varint(len(value)) + value
    if kind == STRUCT:
        return encode(value)
    element, values = value
    count = bytes([len(values) << 4 | element]) if len(values) < 15 else bytes([0xF0 | element]) + _varint(len(values))
    return count + b"".join(_encoded(element, each) for each in values)


def _varint(number):
    into = bytearray()
    while number > 0x7F:
        into.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(into) + bytes([number])
