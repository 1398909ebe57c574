// Spreads the blocks of a launch over OS threads.

#include "launch.hpp"

#include <pthread.h>

#include <algorithm>
#include <thread>

namespace host {

GridBarrier::Outcome GridBarrier::wait() {
    std::unique_lock lock(mutex);
    if (ended) return Outcome::never;
    const uint64_t mine = generation;
    if (++arrived == blocks) {
        arrived = 0;
        ++generation;
        changed.notify_all();
    } else {
        changed.wait(lock, [&] { return generation != mine || given_up; });
    }
    return given_up ? Outcome::given_up : Outcome::opened;
}

bool GridBarrier::block_ended() {
    std::unique_lock lock(mutex);
    ++ended;
    return arrived == 0 || given_up;
}

void GridBarrier::give_up() {
    std::unique_lock lock(mutex);
    given_up = true;
    changed.notify_all();
}

void Launch::give_up(const std::string& message) {
    if (!given_up.exchange(true)) {
        const size_t length = message.copy(configuration.error, configuration.error_size - 1);
        configuration.error[length] = '\0';
    }
    barrier.give_up();
}

namespace {

// OS threads that sleep between launches.
class ThreadPool {
  public:
    // Runs the launch on this thread and up to `helpers` others. A helper that wakes too late is not waited for.
    void run(Launch& launch, unsigned helpers) {
        if (helpers == 0) return run_blocks(launch);
        {
            std::unique_lock lock(mutex);
            while (size < helpers) std::thread(&ThreadPool::work, this).detach(), ++size;
            job = &launch;
            vacant = helpers;
        }
        posted.notify_all();
        run_blocks(launch);
        std::unique_lock lock(mutex);
        vacant = 0;
        finished.wait(lock, [&] { return busy == 0; });
    }

  private:
    void work() {
        std::unique_lock lock(mutex);
        for (;;) {
            posted.wait(lock, [&] { return vacant > 0; });
            --vacant;
            ++busy;
            lock.unlock();
            run_blocks(*job);
            lock.lock();
            if (--busy == 0) finished.notify_one();
        }
    }

    std::mutex mutex;
    std::condition_variable posted, finished;
    Launch* job = nullptr;
    unsigned size = 0, vacant = 0, busy = 0;
};

// A forked process has none of its parent's threads, so it starts its own.
ThreadPool* pool = nullptr;
ThreadPool& this_pool() {
    static const int registered = pthread_atfork(nullptr, nullptr, [] { pool = nullptr; });
    (void)registered;
    if (!pool) pool = new ThreadPool;
    return *pool;
}

}  // namespace
}  // namespace host

// Returns 0, or 1 with a message in configuration->error. One launch at a time in a process.
extern "C" WARPATH_RUNTIME int warpath_launch(const host::Kernel* kernel, const host::Configuration* configuration,
                                              char* (*dynamic_shared)()) {
    const auto& [gx, gy, gz] = configuration->grid;
    const auto& [bx, by, bz] = configuration->block;
    const uint64_t blocks = uint64_t(gx) * gy * gz;
    const unsigned threads = bx * by * bz;
    uint64_t workers = std::min<uint64_t>(configuration->workers, blocks);
    uint64_t blocks_at_once = std::max<uint64_t>(1, blocks / (workers * 16));
    if (configuration->cooperative) {
        workers = blocks;  // which wait for each other, so all run at once
        blocks_at_once = 1;
    } else if (blocks * threads < 8192) {
        workers = 1;  // faster than waking a thread
    }
    host::Launch launch{*kernel, *configuration, dynamic_shared, blocks, blocks_at_once, threads};
    host::this_pool().run(launch, unsigned(workers - 1));
    return launch.given_up;
}
