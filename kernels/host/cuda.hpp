// CUDA C++ for the CPU: included before a .cu file (g++ -include), which compiles unchanged.
//
// A block runs on one OS thread and its threads are fibers (runtime/block.cpp), so CUDA's guarantees within a block
// hold by construction. Between blocks, what CUDA leaves undefined is undefined here too.
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
#define __shared__ thread_local  // an OS thread runs one block at a time
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
