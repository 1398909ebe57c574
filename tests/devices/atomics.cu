// Every thread of every block applies every atomic operation; `old` is the value returned.

#include "warpath.cuh"

template <typename T>
__device__ void all_operations(const T* operands, T* results) {
    const T operand = operands[thread_index()];
    atomicMin(&results[0], operand);
    atomicMax(&results[1], operand);
}

extern "C" __global__ void on_int(const int* operands, int* results) {
    const int operand = operands[thread_index()];
    all_operations(operands, results);
    atomicAdd(&results[2], operand);
    atomicAnd(&results[3], operand);
    atomicOr(&results[4], operand);
    atomicXor(&results[5], operand);
    atomicSub(&results[6], operand);
}

extern "C" __global__ void on_unsigned(const unsigned* operands, unsigned* results) {
    const unsigned operand = operands[thread_index()];
    all_operations(operands, results);
    atomicAdd(&results[2], operand);
    atomicAnd(&results[3], operand);
    atomicOr(&results[4], operand);
    atomicXor(&results[5], operand);
    atomicSub(&results[6], operand);
    atomicInc(&results[7], 6);
    atomicDec(&results[8], 6);
}

extern "C" __global__ void on_unsigned_long_long(const unsigned long long* operands, unsigned long long* results) {
    const unsigned long long operand = operands[thread_index()];
    all_operations(operands, results);
    atomicAdd(&results[2], operand);
    atomicAnd(&results[3], operand);
    atomicOr(&results[4], operand);
    atomicXor(&results[5], operand);
}

extern "C" __global__ void on_long_long(const long long* operands, long long* results) {
    all_operations(operands, results);
}

extern "C" __global__ void on_floats(const float* operands, float* sum, double* wide_sum) {
    atomicAdd(sum, operands[thread_index()]);
    atomicAdd(wide_sum, static_cast<double>(operands[thread_index()]));
}

// Appends to a queue: every thread gets a different ticket.
extern "C" __global__ void enqueue(unsigned* size, int* tickets) { tickets[thread_index()] = atomicAdd(size, 1); }

// Exactly one thread wins each cell; a chain of exchanges loses no token.
extern "C" __global__ void claim(int cells, unsigned long long* owners, int* winners, int* token, int* passed) {
    const int me = thread_index() + 1;
    for (int cell = 0; cell < cells; ++cell) {
        if (atomicCAS(&owners[cell], 0, me) == 0) atomicAdd(&winners[cell], 1);
    }
    passed[me - 1] = atomicExch(token, me);
}
