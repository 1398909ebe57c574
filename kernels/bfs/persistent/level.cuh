// What all ways to go on from a frontier have in common: the graph, a level, and what blocks tell each other.
#pragma once

#include "bitmap.cuh"

struct Graph {
    int vertices;
    const arc_t* offsets;
    const int* targets;
    const int* hubs;  // of each vertex, or NO_VERTEX; none where arcs lead one way

    // What blocks know of arcs ahead.
    struct Known {
        int target;
        enum : int { weight = 1 };
    };
    __device__ __forceinline__ Known know(arc_t number) const { return {targets[number]}; }
    // The target of an arc, and its weight.
    __device__ __forceinline__ int2 arc(arc_t number) const { return make_int2(__ldg(&targets[number]), 1); }
};

// What does not change in a level.
struct Level {
    Graph graph;
    unsigned number;
    bool undirected;
    unsigned *distance, *visited, *next_visited;  // swapped by a pull
    int* parents;                                 // if TREE
    NextFrontier next;
};

// What blocks tell each other and the host, which relies on the order and allots PROGRESS_WORDS of 64 bits.
struct Progress {
    unsigned barrier, levels;
    struct {
        FrontierSize size[3];         // of frontiers: one is read, one added to and one cleared
        FrontierSize listed;          // of the list that is made after pulling
        FrontierSize rest;            // of the list of vertices that a pull leaves to all blocks
        unsigned has_rest[2];         // in turn: a fast block may set one while a slow block has not read the other
        FrontierSize deferred[3];     // of the lists of vertices that a round of a stretch defers
        unsigned long long tally[2];  // words that blocks meet at in a walk
        unsigned given[2];            // groups of arcs given away in walks so far, in even and in odd levels
    } counts;
};

struct ArcGroup;

// Global memory for blocks that go on by themselves.
struct Memory {
    Progress* progress;
    const int4* first_targets;  // for stretches where most vertices have few arcs
    Listed* deferred;           // for stretches: room for all vertices, twice
    unsigned* deferred_bits;    // likewise
    ArcGroup* given;            // for walks: room for the queues of all blocks, twice
};

// How far blocks have gone by themselves.
struct Passed {
    unsigned levels;
    unsigned_arc_t arcs;  // of the vertices on the way, as far as these are counted
};

// Shared memory of a warp: members of a set, bits of those found, and vertices that are not appended yet.
struct WarpScratch {
    int members[OUTBOX], outbox[OUTBOX];
    unsigned changed[MOST_WIDTH];
};

__shared__ WarpScratch warp_scratch[BLOCK / 32];

__device__ __forceinline__ WarpScratch& own_scratch() { return warp_scratch[threadIdx.x / 32]; }
__device__ __forceinline__ Outbox empty_outbox() { return {own_scratch().outbox, 0}; }

// A frontier with fewer arcs is small: blocks had better go on by themselves.
__device__ __forceinline__ unsigned_arc_t small_arcs() { return unsigned(LOCAL_ARCS) * gridDim.x; }
__device__ __forceinline__ bool is_small(unsigned_arc_t arcs) { return arcs < small_arcs(); }
