/* A program that warpath measures is a library with three C functions, written in any language. This is all to know. */
#ifndef WARPATH_H
#define WARPATH_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arcs of vertex v are those from offsets[v] to offsets[v + 1] - 1; their targets ascend. Nothing may be written to. */
struct warpath_arrays {
    const int64_t *offsets;        /* vertices + 1 numbers */
    const int32_t *narrow_offsets; /* the same in 32 bits; NULL from 2^31 arcs on */
    const int32_t *targets;
    const int32_t *weights; /* from 0 on; NULL for "bfs" */
};

struct warpath_graph {
    int64_t vertices, arcs;
    int32_t directed;           /* 0: every edge is there in both directions, with one weight */
    int32_t max_weight;         /* 1 for "bfs" */
    int32_t threads;            /* that the program may use on the CPU */
    const char *problem;        /* "bfs", "sssp" or "apsp" */
    struct warpath_arrays host; /* where program.yaml asks for arrays on the host or on both, otherwise NULLs */
    struct warpath_arrays card; /* likewise on the card */
};

/* Each function returns NULL, or a text that says what went wrong. Texts that begin with "unsupported" or with
   "out of memory" end the run as that; after any other one it has failed.

   prepare: before any source is known; timed apart, if short thrice more after `release`. `launch` is a point of the
   launch space, such as "delta=16 block=256". `graph` and its arrays stay until `release`. *handle is for the others.

   solve: for each source, -1 for all pairs. `answer` has room for a number for each vertex (for each pair, row by row),
   on the host or on the card, as program.yaml says, and anything may be in it. When solve returns, all is written:
     distances   int32, -1 where there is no path
     floats      the same as float, infinity where there is no path; whole numbers
     parents     int32, a vertex before this one on a shortest path, -1 where there is none; for the source either

   release: once for each `prepare`. */
const char *prepare(const struct warpath_graph *graph, const char *launch, void **handle);
const char *solve(void *handle, int64_t source, void *answer);
const char *release(void *handle);

/* The value of an axis in such a text; `otherwise` where it is not there. */
static inline long warpath_axis(const char *launch, const char *axis, long otherwise) {
    const char *found = strstr(launch, axis);
    return found && found[strlen(axis)] == '=' ? atol(found + strlen(axis) + 1) : otherwise;
}

#ifdef __cplusplus
}
#endif
#endif
