"""Errors of a device. UnsupportedLaunch and OutOfMemory are experimental outcomes, KernelFault is a bug in a kernel."""


class UnsupportedLaunch(Exception):
    """The device cannot do this launch (too many threads, too much shared memory), or the algorithm this graph."""


class OutOfMemory(Exception):
    """The device does not have enough memory."""


class KernelFault(Exception):
    """A kernel did something illegal; the message says where and what, as far as the device reports it."""
