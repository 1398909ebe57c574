# A search on the card, here, is made of parts that a user can keep: what depends on no source is done once, `search` then
# is called for each source, with room for its levels, and `release` at the end. Errors are thrown.
sed -i BFS/BFSKernel.cuh -e '/unsigned noVisited;/a std::function<void(unsigned, unsigned*)> search; std::function<void()> release;'
sed -i Common.cuh -e '/fprintf(stderr/d' -e 's/if (abort) exit(code);/throw code;/'
sed -i BFS/BVSSBFSKernel.cuh \
    -e '/result.levels = new/,/result.levels\[sourceVertex\]/d' -e '/cuda\(Malloc\|Free\)(&*d_Levels/d' -e '/cudaMemset(d_/d' \
    -e '/cudaMemcpy(d_Levels, /c result.search = [=](unsigned sourceVertex, unsigned* d_Levels) {' \
    -e '/std::vector<unsigned> initialVset/,/cudaMemcpy(d_VisitedNext + word/c \
        blest_start<<<gridSize, blockSize>>>(sourceVertex, n, d_RealPtrs, d_Levels, d_Frontier, d_FrontierNext, d_Visited, \
            d_VisitedNext, d_SparseFrontierIds, d_UnvisitedCurrentSize, d_FrontierCurrentSize, d_UnvisitedNextSize, d_FrontierNextSize);' \
    -e '/double end = /,/++result.totalLevels;/c }; result.release = [=] {' \
    -e '/cudaFree(d_FrontierNext))/a };'
# Its reader of files asks whether a graph is social; the adapter, which makes a matrix of arrays, may ask too. Two like
# arcs no longer undo each other. And reverse Cuthill-McKee took steps by the number of vertices for each without arcs.
sed -i DataStructures/CSC.cuh -e 's/^private:/public:/' \
    -e '/if (visited\[i\] == 1) continue;/a if (ptrs[i] == ptrs[i + 1]) { inversePermutation[i] = permuted++; continue; }'
sed -i DataStructures/BVSS.cuh -e 's/map\[i\] = individual/map[i] |= individual/'
