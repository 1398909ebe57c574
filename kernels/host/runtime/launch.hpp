// One launch of a kernel: what it was asked for, and what its blocks share while it runs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>

#include "../cuda.hpp"

namespace host {

constexpr size_t most_shared = WARPATH_MAX_SHARED;  // bytes a block may have; devices/launch.py defines it

// As devices/host.py fills it in.
struct Configuration {
    unsigned grid[3];
    unsigned block[3];
    unsigned shared_bytes;
    unsigned cooperative;
    unsigned workers;  // OS threads to spread the blocks over
    unsigned error_size;
    char* error;  // where the message of a fault goes
    void** arguments;
};

// The barrier of a cooperative launch between its blocks. A block that ends comes to none any more: whoever waits then,
// or comes later, would wait for ever, which is a fault.
class GridBarrier {
  public:
    enum class Outcome { opened, given_up, never };

    explicit GridBarrier(uint64_t blocks) : blocks(blocks) {}
    Outcome wait();
    bool block_ended();  // false: others wait for it
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
    char* (*dynamic_shared)();  // where the calling OS thread has this kernel's
    const uint64_t blocks;
    const uint64_t blocks_at_once;  // that a worker takes in one go
    const unsigned threads;         // of a block
    std::atomic<uint64_t> next_block{0};
    std::atomic<bool> given_up{false};
    GridBarrier barrier{blocks};

    // The first fault is the one that is reported.
    void give_up(const std::string& message);
};

// Runs blocks of the launch on the calling OS thread until none is left.
void run_blocks(Launch& launch);

}  // namespace host
