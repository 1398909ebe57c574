"""The device of libraries for the GPU: CUDA as ours has it, and one memory pool for the library and for CuPy."""

from warpath.devices import cuda

# What the pool starts with. It doubles as it needs to, which the warm-up sees and the timed solves do not.
POOL = 2**28


class Device(cuda.Device):
    kind = "peer_gpu"

    def __init__(self, number=0):
        super().__init__(number)
        import rmm
        from rmm.allocators.cupy import rmm_cupy_allocator

        self._pool = rmm.mr.PoolMemoryResource(rmm.mr.CudaMemoryResource(), initial_pool_size=POOL)
        rmm.mr.set_current_device_resource(self._pool)
        self.xp.cuda.set_allocator(rmm_cupy_allocator)

    @property
    def launches(self):
        """How many kernels a library launches is its own affair: the record says null, not 0."""

    @launches.setter
    def launches(self, number):
        pass

    def get(self, answer):
        """An answer may be a function: the conversion of what a library returned, which is not its own work."""
        with self.guard():
            answer = answer() if callable(answer) else answer
        return super().get(answer)

    def memory_used(self):
        return self._pool.pool_size()
