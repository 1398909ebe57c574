// Runs the threads of one block as fibers of one OS thread.
//
// A fiber takes a thread that has not begun yet (`unstarted`), runs it to its end, and takes the next. Only when a
// thread must wait for others does its fiber stop, with that thread on its stack, and another fiber continues. So there
// are as many fibers as threads that wait at once: one for a kernel without barriers, 32 if only warps wait. There is
// no polling: a waiting thread is in no queue until the last thread that it waits for puts its fiber into `ready`. If
// threads wait while none is ready or unstarted, they are deadlocked, which is reported.

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include "fiber.hpp"
#include "launch.hpp"
#include "shared_memory.hpp"

thread_local uint3 threadIdx;
thread_local uint3 blockIdx;
thread_local dim3 blockDim;
thread_local dim3 gridDim;

namespace host {

thread_local Unstarted unstarted;

namespace {

constexpr unsigned most_threads = 1024;
constexpr unsigned lanes_per_warp = 32;
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t stack_size = 1 << 20;
#else
constexpr size_t stack_size = 256 << 10;  // devices/host.py makes the compiler reject frames that come near it
#endif

struct Queue {
    Fiber *first = nullptr, *last = nullptr;
    unsigned size = 0;

    void push(Fiber* fiber) {
        fiber->next = nullptr;
        (first ? last->next : first) = fiber;
        last = fiber;
        ++size;
    }
    Fiber* pop() {
        Fiber* fiber = first;
        if (fiber) first = fiber->next, --size;
        return fiber;
    }
    void take_all(Queue& other) {
        if (!other.first) return;
        (first ? last->next : first) = other.first;
        last = other.last;
        size += other.size;
        other = {};
    }
};

// A thread that takes part in an exchange between the lanes of its warp.
struct Lane {
    uint64_t value, result;
    unsigned mask, source;
    Exchange kind;
    Combine combine;
    Fiber* fiber;
    Place place;
};

struct Warp {
    unsigned live;        // lanes that have not ended; this and the next two as bit masks
    unsigned exchanging;  // ... that wait in an exchange
    unsigned at_barrier;  // ... that wait in a barrier of the block
    Place barrier;        // which one
};

struct BlockBarrier {
    Queue waiting;
    unsigned arrived = 0, in_favour = 0;
    bool across_grid = false;
    Votes outcome = {};
};

const char* name_of(Exchange kind) {
    switch (kind) {
        case Exchange::sync:
            return "__syncwarp";
        case Exchange::shuffle:
            return "__shfl_sync";
        case Exchange::ballot:
            return "__ballot_sync, any or all";
        case Exchange::match:
            return "__match_sync";
        case Exchange::reduce:
            return "__reduce_sync";
    }
    return "";
}

std::string at(Place place) {
    const char* slash = strrchr(place.file, '/');
    return std::string("at ") + (slash ? slash + 1 : place.file) + ":" + std::to_string(place.line);
}

// "threads 0-15, 20"
std::string ranges(const std::vector<unsigned>& ranks) {
    std::ostringstream text;
    text << (ranks.size() == 1 ? "thread " : "threads ");
    for (size_t i = 0, end; i < ranks.size(); i = end) {
        for (end = i + 1; end < ranks.size() && ranks[end] == ranks[end - 1] + 1;) ++end;
        text << (i ? ", " : "") << ranks[i];
        if (end > i + 1) text << '-' << ranks[end - 1];
    }
    return text.str();
}

// What an OS thread needs to run blocks.
class Worker {
  public:
    void run_block(Launch& launch, uint64_t number);
    Votes synchronize_block(bool vote, Place here, bool across_grid);
    uint64_t exchange(Exchange kind, unsigned mask, uint64_t value, unsigned source, Combine combine, Place here);
    void yield();
    void thread_ended();
    [[noreturn]] void fault(const std::string& what);
    [[noreturn]] void abandon();
    bool is_cooperative() const { return launch->configuration.cooperative; }
    static void fiber_main();

  private:
    Fiber* idle_fiber();
    void add_stacks();
    void reset();
    std::string where() const;
    void switch_to(Fiber* fiber);
    void suspend(Fiber* successor);
    Fiber* successor();
    void start_waiting();
    void open_barrier();
    bool all_agree(const Warp& warp, unsigned members, Exchange kind, unsigned mask) const;
    void finish_exchange(Warp& warp, unsigned members, Exchange kind);
    [[noreturn]] void report_deadlock();
    Lane* lanes_of(const Warp& warp) { return lanes + (&warp - warps) * lanes_per_warp; }
    const Lane* lanes_of(const Warp& warp) const { return lanes + (&warp - warps) * lanes_per_warp; }

    Launch* launch = nullptr;
    SharedMemory shared_memory;
    Queue ready;
    BlockBarrier barrier;
    unsigned live = 0;     // threads that have not ended; valid once a thread has waited
    unsigned waiting = 0;  // threads in a barrier or an exchange
    bool faulted = false;
    Warp warps[most_threads / lanes_per_warp];
    Lane lanes[most_threads];

    Fiber home;  // the stack of the OS thread itself
    Fiber* current = &home;
    Queue idle;
    std::vector<std::unique_ptr<Fiber>> fibers;
};

__attribute__((tls_model("initial-exec"))) thread_local Worker* this_worker = nullptr;

Worker& worker() {
    if (!this_worker) this_worker = new Worker;  // until the process ends, as does the OS thread
    return *this_worker;
}

void Worker::add_stacks() {
    constexpr size_t count = 32;
    void* memory = mmap(nullptr, count * stack_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    madvise(memory, count * stack_size, MADV_NOHUGEPAGE);  // a stack uses only a page or two
    for (size_t i = 0; i < count; ++i) {
        auto fiber = std::make_unique<Fiber>();
        fiber->stack = static_cast<char*>(memory) + i * stack_size;
        // Tops in different cache sets: otherwise a thousand waiting threads contend for the same few lines.
        fiber->stack_size = stack_size - fibers.size() % 16 * 256;
        prepare(*fiber, fiber_main);
        idle.push(fiber.get());
        fibers.push_back(std::move(fiber));
    }
}

Fiber* Worker::idle_fiber() {
    if (!idle.first) add_stacks();
    return idle.pop();
}

// After a fault: discards what is on the fibers' stacks.
void Worker::reset() {
    idle = ready = {};
    barrier = {};
    for (auto& fiber : fibers) {
        prepare(*fiber, fiber_main);
        idle.push(fiber.get());
    }
    waiting = 0;
    faulted = false;
}

void Worker::switch_to(Fiber* fiber) {
    Fiber* from = current;
    current = fiber;
    switch_fiber(*from, *fiber, home);
}

// Switches from the current thread to another fiber; returns when the thread has become ready.
void Worker::suspend(Fiber* successor) {
    const uint3 index = threadIdx;
    switch_to(successor);
    threadIdx = index;
}

void Worker::fiber_main() {
    Worker& self = worker();
    arrive(self.home);
    for (;;) {
        self.launch->kernel.run_threads(self.launch->configuration.arguments);
        Fiber* next = self.ready.pop();
        if (!next && self.waiting) self.report_deadlock();
        self.idle.push(self.current);
        self.switch_to(next ? next : &self.home);
    }
}

void Worker::run_block(Launch& of, uint64_t number) {
    const Configuration& configuration = of.configuration;
    launch = &of;
    gridDim = {configuration.grid[0], configuration.grid[1], configuration.grid[2]};
    blockDim = {configuration.block[0], configuration.block[1], configuration.block[2]};
    blockIdx = {unsigned(number % gridDim.x), unsigned(number / gridDim.x % gridDim.y),
                unsigned(number / gridDim.x / gridDim.y)};
    shared_memory.prepare(of);
    unstarted = {of.threads, {0, 0, 0}, false};
    switch_to(idle_fiber());
    if (faulted) return reset();
    if (!of.barrier.block_ended()) of.give_up(where() + "has ended while other blocks wait for it at a grid barrier");
}

// Called when a thread of the block waits for the first time. The threads before it have run to their end, in order.
void Worker::start_waiting() {
    const unsigned first = thread_rank();
    unstarted.together = true;
    live = launch->threads - first;
    for (unsigned w = 0; w * lanes_per_warp < launch->threads; ++w) {
        const unsigned begin = w * lanes_per_warp, end = std::min(begin + lanes_per_warp, launch->threads);
        const unsigned present = end - begin == 32 ? ~0u : (1u << (end - begin)) - 1;
        const unsigned past = first <= begin ? 0 : first >= end ? ~0u : (1u << (first - begin)) - 1;
        warps[w] = {present & ~past, 0, 0, {}};
    }
}

// The fiber that continues when a thread must wait. Ready threads come before unstarted ones, which keeps the number of
// fibers small.
Fiber* Worker::successor() {
    if (Fiber* fiber = ready.pop()) {
        if (ready.first) __builtin_prefetch(ready.first->stack_pointer);
        return fiber;
    }
    if (!unstarted.count) report_deadlock();
    return idle_fiber();
}

Votes Worker::synchronize_block(bool vote, Place here, bool across_grid) {
    if (!unstarted.together) start_waiting();
    const unsigned rank = thread_rank();
    Warp& warp = warps[rank / lanes_per_warp];
    if (!warp.at_barrier) warp.barrier = here;
    if (warp.barrier.line != here.line) {
        fault("threads of one warp wait in different barriers: " + at(warp.barrier) + " and " + at(here));
    }
    if (barrier.arrived && barrier.across_grid != across_grid) {
        fault("some threads wait for the block and some for the whole grid, " + at(here));
    }
    warp.at_barrier |= 1u << rank % lanes_per_warp;
    barrier.across_grid = across_grid;
    barrier.in_favour += vote;
    if (++barrier.arrived == live) {
        open_barrier();
    } else {
        barrier.waiting.push(current);
        ++waiting;
        suspend(successor());
    }
    return barrier.outcome;
}

void Worker::open_barrier() {
    if (barrier.across_grid) {
        const auto outcome = launch->barrier.wait();
        if (outcome == GridBarrier::Outcome::never) fault("waits at a grid barrier for a block that has ended");
        if (outcome == GridBarrier::Outcome::given_up) abandon();
    }
    barrier.outcome = {barrier.in_favour, barrier.arrived};
    waiting -= barrier.waiting.size;
    ready.take_all(barrier.waiting);
    barrier.arrived = barrier.in_favour = 0;
    for (unsigned w = 0; w * lanes_per_warp < launch->threads; ++w) warps[w].at_barrier = 0;
}

uint64_t Worker::exchange(Exchange kind, unsigned mask, uint64_t value, unsigned source, Combine combine, Place here) {
    if (!unstarted.together) start_waiting();
    const unsigned rank = thread_rank(), number = rank % lanes_per_warp;
    Warp& warp = warps[rank / lanes_per_warp];
    if (!(mask >> number & 1)) {
        fault("lane " + std::to_string(number) + " is not in the mask that it passes to " + name_of(kind) + ", " +
              at(here));
    }
    Lane& lane = lanes[rank];
    lane = {value, 0, mask, source, kind, combine, current, here};
    warp.exchanging |= 1u << number;
    ++waiting;
    const unsigned members = mask & warp.live;
    if (all_agree(warp, members, kind, mask)) {
        finish_exchange(warp, members, kind);
    } else {
        suspend(successor());
    }
    return lane.result;
}

// Whether all members have come to the same exchange.
bool Worker::all_agree(const Warp& warp, unsigned members, Exchange kind, unsigned mask) const {
    if ((warp.exchanging & members) != members) return false;
    const Lane* lanes = lanes_of(warp);
    for (unsigned rest = members; rest; rest &= rest - 1) {
        const Lane& lane = lanes[__builtin_ctz(rest)];
        if (lane.kind != kind || lane.mask != mask) return false;
    }
    return true;
}

void Worker::finish_exchange(Warp& warp, unsigned members, Exchange kind) {
    Lane* lanes = lanes_of(warp);
    uint64_t common = 0;  // the result of all members
    bool first = true;
    for (unsigned rest = members; rest; rest &= rest - 1) {
        const unsigned number = __builtin_ctz(rest);
        const Lane& lane = lanes[number];
        if (kind == Exchange::ballot) common |= lane.value << number;
        if (kind == Exchange::reduce) common = first ? lane.value : lane.combine(common, lane.value);
        first = false;
    }
    for (unsigned rest = members; rest; rest &= rest - 1) {
        Lane& lane = lanes[__builtin_ctz(rest)];
        lane.result = common;
        if (kind == Exchange::shuffle) lane.result = (members >> lane.source & 1 ? lanes[lane.source] : lane).value;
        if (kind == Exchange::match) {
            for (unsigned others = members; others; others &= others - 1) {
                const unsigned other = __builtin_ctz(others);
                lane.result |= uint64_t(lanes[other].value == lane.value) << other;
            }
        }
        if (lane.fiber != current) ready.push(lane.fiber);
        --waiting;
    }
    warp.exchanging &= ~members;
}

// Lets another thread run: an unstarted one first, because this thread may be waiting for it.
void Worker::yield() {
    if (!unstarted.together) start_waiting();
    if (!ready.first && !unstarted.count) {
        if (launch->given_up) abandon();
        sched_yield();
        return;
    }
    ready.push(current);
    suspend(unstarted.count ? idle_fiber() : ready.pop());
}

// Threads that waited for this one no longer do.
void Worker::thread_ended() {
    const unsigned rank = thread_rank();
    Warp& warp = warps[rank / lanes_per_warp];
    warp.live &= ~(1u << rank % lanes_per_warp);
    --live;
    if (barrier.arrived && barrier.arrived == live) open_barrier();
    for (unsigned rest = warp.exchanging; rest; rest &= rest - 1) {
        const Lane& lane = lanes_of(warp)[__builtin_ctz(rest)];
        const unsigned members = lane.mask & warp.live;
        if (all_agree(warp, members, lane.kind, lane.mask)) {
            finish_exchange(warp, members, lane.kind);
            rest &= warp.exchanging | 1u << __builtin_ctz(rest);
        }
    }
}

void Worker::abandon() {
    faulted = true;
    switch_to(&home);
    __builtin_unreachable();
}

void Worker::fault(const std::string& what) {
    launch->give_up(where() + what);
    abandon();
}

std::string Worker::where() const {
    std::ostringstream text;
    text << launch->kernel.name << ", block (" << blockIdx.x << ", " << blockIdx.y << ", " << blockIdx.z << "): ";
    return text.str();
}

// The message is like "threads 0-30 in __syncthreads at level.cu:12; thread 31 in __shfl_sync(0xff) at level.cu:9".
void Worker::report_deadlock() {
    std::map<std::string, std::vector<unsigned>> places;
    for (unsigned rank = 0; rank < launch->threads; ++rank) {
        const Warp& warp = warps[rank / lanes_per_warp];
        const unsigned bit = 1u << rank % lanes_per_warp;
        std::ostringstream where;
        if (warp.at_barrier & bit) {
            where << "a barrier of the block " << at(warp.barrier);
        } else if (warp.exchanging & bit) {
            where << name_of(lanes[rank].kind) << " with mask 0x" << std::hex << lanes[rank].mask << ' '
                  << at(lanes[rank].place);
        } else {
            continue;
        }
        places[where.str()].push_back(rank);
    }
    std::ostringstream message;
    message << "deadlock:";
    const char* separator = " ";
    for (const auto& [where, ranks] : places) {
        message << separator << ranges(ranks) << " in " << where;
        separator = "; ";
    }
    message << "; " << launch->threads - waiting << " of " << launch->threads << " have ended";
    fault(message.str());
}

}  // namespace

Votes synchronize_block(bool vote, Place here) { return worker().synchronize_block(vote, here, false); }

void synchronize_grid(Place here) {
    if (!worker().is_cooperative())
        worker().fault("waits for the whole grid in a launch that is not cooperative, " + at(here));
    worker().synchronize_block(false, here, true);
}

uint64_t exchange(Exchange kind, unsigned mask, uint64_t value, unsigned source, Combine combine, Place here) {
    return worker().exchange(kind, mask, value, source, combine, here);
}

void yield() { worker().yield(); }
void thread_ended() { worker().thread_ended(); }
void fault(const char* what, Place here) { worker().fault(what + (", " + at(here))); }

void run_blocks(Launch& launch) {
    while (!launch.given_up) {
        const uint64_t first = launch.next_block.fetch_add(launch.blocks_at_once);
        if (first >= launch.blocks) return;
        const uint64_t end = std::min(first + launch.blocks_at_once, launch.blocks);
        for (uint64_t block = first; block < end && !launch.given_up; ++block) worker().run_block(launch, block);
    }
}

}  // namespace host
