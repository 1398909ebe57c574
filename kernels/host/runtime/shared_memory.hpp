// The shared memory of the block that an OS thread runs.
//
// A kernel's shared variables are the thread-local variables of its library, which has no others. Before each block
// they are filled with a pattern, because a kernel must not rely on their contents before it has written them. Under
// AddressSanitizer, accesses beyond the size of the launch's dynamic shared memory are reported.
#pragma once

#include <link.h>

#include "fiber.hpp"
#include "launch.hpp"

namespace host {

class SharedMemory {
  public:
    void prepare(const Launch& launch) {
        if (launch.dynamic_shared != owner) find(launch);
#if defined(__SANITIZE_ADDRESS__)
        const size_t size = launch.configuration.shared_bytes;
        __asan_unpoison_memory_region(dynamic, size);
        __asan_poison_memory_region(dynamic + size, most_shared - size);
#endif
        memset(begin, pattern, dynamic - begin);
        memset(dynamic, pattern, launch.configuration.shared_bytes);
        memset(dynamic + most_shared, pattern, end - (dynamic + most_shared));
    }

  private:
    static constexpr int pattern = 0xcd;

    char* (*owner)() = nullptr;
    char *begin, *dynamic, *end;

    void find(const Launch& launch) {
        owner = launch.dynamic_shared;
        dynamic = owner();
        begin = dynamic;
        end = dynamic + most_shared;
        dl_iterate_phdr(widen, this);
    }

    // If `dynamic` is among the thread-local variables of this library, so are all other shared variables.
    static int widen(dl_phdr_info* library, size_t, void* self_pointer) {
        SharedMemory& self = *static_cast<SharedMemory*>(self_pointer);
        char* data = static_cast<char*>(library->dlpi_tls_data);
        for (int i = 0; data && i < library->dlpi_phnum; ++i) {
            const auto& header = library->dlpi_phdr[i];
            if (header.p_type != PT_TLS || self.dynamic < data || self.dynamic >= data + header.p_memsz) continue;
            self.begin = data;
            self.end = data + header.p_memsz;
            return 1;
        }
        return 0;
    }
};

}  // namespace host
