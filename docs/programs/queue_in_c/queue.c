#include "warpath.h"

struct search {
    const struct warpath_graph* graph;
    int32_t* queue;
};

const char* prepare(const struct warpath_graph* graph, const char* launch, void** handle) {
    struct search* search = malloc(sizeof *search);
    search->graph = graph;
    search->queue = malloc(graph->vertices * sizeof *search->queue);
    *handle = search;
    return search->queue ? NULL : "out of memory";
}

const char* solve(void* handle, int64_t source, void* answer) {
    struct search* search = handle;
    const struct warpath_arrays* arrays = &search->graph->host;
    int32_t *levels = answer, *queue = search->queue;
    memset(levels, -1, search->graph->vertices * sizeof *levels);
    levels[source] = 0;
    queue[0] = source;
    for (int64_t head = 0, tail = 1; head < tail; head++) {
        int32_t vertex = queue[head];
        for (int64_t arc = arrays->offsets[vertex]; arc < arrays->offsets[vertex + 1]; arc++) {
            int32_t target = arrays->targets[arc];
            if (levels[target] >= 0) continue;
            levels[target] = levels[vertex] + 1;
            queue[tail++] = target;
        }
    }
    return NULL;
}

const char* release(void* handle) {
    struct search* search = handle;
    free(search->queue);
    free(search);
    return NULL;
}
