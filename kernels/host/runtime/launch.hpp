// One launch of a kernel: its configuration, and what its blocks share while it runs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>

#include "../cuda.hpp"

namespace host {

constexpr size_t most_shared = WARPATH_MAX_SHARED;  // bytes a block may have; devices/launch.py defines it

// Filled in by devices/host.py.
struct Configuration {
    unsigned grid[3];
    unsigned block[3];
    unsigned shared_bytes;
    unsigned cooperative;
    unsigned workers;  // OS threads to spread the blocks over
    unsigned error_size;
    char* error;  // receives the message of a fault
    void** arguments;
};

// The barrier between the blocks of a cooperative launch. A block that has ended never arrives: if others wait, or
// arrive later, that is a fault.
class GridBarrier {
  public:
    enum class Outcome { opened, given_up, never };

    explicit GridBarrier(uint64_t blocks) : blocks(blocks) {}
    Outcome wait();
    bool block_ended();  // false if others wait for the block
    void give_up();

  private:
    std::mutex mutex;
    std::condition_variable changed;
    uint64_t blocks, arrived = 0, ended = 0, generation = 0;
    bool given_up = false;
};

struct Launch {
    const Kernel& kernel;
    const Configuration& configuration;
    char* (*dynamic_shared)();  // the address of the kernel's, for the calling OS thread
    const uint64_t blocks;
    const uint64_t blocks_at_once;  // that a worker takes together
    const unsigned threads;         // of a block
    std::atomic<uint64_t> next_block{0};
    std::atomic<bool> given_up{false};
    GridBarrier barrier{blocks};

    // Reports the first fault.
    void give_up(const std::string& message);
};

// Runs blocks of the launch on the calling OS thread until all have been taken.
void run_blocks(Launch& launch);

}  // namespace host
