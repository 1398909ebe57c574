"""What can go wrong on a device. The first two are results of an experiment; the third is a bug in a kernel."""


class UnsupportedLaunch(Exception):
    """The device cannot do this launch: too many threads, too much shared memory, too many cooperating blocks."""


class OutOfMemory(Exception):
    """The device has not enough memory."""


class KernelFault(Exception):
    """A kernel has done something illegal. Where and what, as far as the device can tell."""
