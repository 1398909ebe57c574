"""The peer_gpu device: libraries for the GPU, which share one memory pool with CuPy."""

from warpath.devices import cuda

POOL_BYTES = 2**28  # initial size; the pool grows during the warm-up, so that timed solves do not wait for it


class Device(cuda.Device):
    kind = "peer_gpu"

    def __init__(self, number=0):
        super().__init__(number)
        import rmm
        from rmm.allocators.cupy import rmm_cupy_allocator

        self._pool = rmm.mr.PoolMemoryResource(rmm.mr.CudaMemoryResource(), initial_pool_size=POOL_BYTES)
        rmm.mr.set_current_device_resource(self._pool)
        self.xp.cuda.set_allocator(rmm_cupy_allocator)

    def begin(self):
        """Begin a run: the library's pool is CuPy's too."""

    def end(self):
        """End a run. The pool is the process's, which is replaced."""
        return 0

    @property
    def launches(self):
        """None, not 0: nothing counts the kernels that a library launches."""

    @launches.setter
    def launches(self, number):
        pass

    def get(self, answer):
        """Return the answer as a host array. It may be a function that converts what a library returned, untimed."""
        with self.guard():
            answer = answer() if callable(answer) else answer
        return super().get(answer)

    def memory_used(self):
        return self._pool.pool_size()
