"""The peer_gpu device: code of others on the GPU, whose memory is its own."""

from warpath.devices import cuda


class Device(cuda.Device):
    kind = "peer_gpu"

    def begin(self):
        super().begin()
        self._free_before = self.free_bytes()

    def memory_used(self):
        return max(0, self._free_before - self.free_bytes())
