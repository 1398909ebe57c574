// CUDA C++ as the CPU understands it: force-included before a .cu file, so that g++ compiles the file unchanged.
//
// A block runs on one OS thread and its threads are fibers (runtime/block.cpp), so everything that CUDA promises
// within a block holds here by construction, and everything that it leaves open between blocks stays open.
#pragma once

#define WARPATH_HOST 1

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#define __global__
#define __device__
#define __host__
#define __constant__ static const
#define __shared__ thread_local  // one block at a time on an OS thread: a thread's variable is the block's variable
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))

#include "vectors.hpp"
#include "block.hpp"
#include "arithmetic.hpp"
#include "memory.hpp"
#include "atomics.hpp"
#include "warp.hpp"
#include "dpx.hpp"
