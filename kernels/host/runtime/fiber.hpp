// Fibers: stacks that an OS thread switches between, in a few instructions and without a system call.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ucontext.h>
#endif

namespace host {

struct Fiber {
    void* stack_pointer = nullptr;  // while it is stopped
    Fiber* next = nullptr;          // in a queue
    char* stack = nullptr;          // lowest address; null for the OS thread's own stack
    size_t stack_size = 0;
#if !defined(__x86_64__) && !defined(__aarch64__)
    ucontext_t context;
#endif
};

#if defined(__x86_64__) || defined(__aarch64__)
// Saves the registers that a function must preserve, stores the stack pointer in *from, and continues at `to`. It ends
// with `ret`, not with a jump: fibers stop at much the same places, so the processor predicts the return address, which
// halves the cost of a switch.
extern "C" void warpath_switch_stack(void** from, void* to);
#endif

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.type warpath_switch_stack, @function
.hidden warpath_switch_stack
.globl warpath_switch_stack
warpath_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size warpath_switch_stack, .-warpath_switch_stack
)");
constexpr int return_word = 6, frame_words = 8;
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.type warpath_switch_stack, %function
.hidden warpath_switch_stack
.globl warpath_switch_stack
warpath_switch_stack:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
.size warpath_switch_stack, .-warpath_switch_stack
)");
constexpr int return_word = 11, frame_words = 20;
#endif

// Makes `fiber` begin main(), which must never return, when it is next switched to.
inline void prepare(Fiber& fiber, void (*main)()) {
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(fiber.stack, fiber.stack_size);  // of its previous use
#endif
#if defined(__x86_64__) || defined(__aarch64__)
    uintptr_t* top = reinterpret_cast<uintptr_t*>(fiber.stack + fiber.stack_size);
    uintptr_t* frame = top - frame_words;
    for (int word = 0; word < frame_words; ++word) frame[word] = 0;
    frame[return_word] = reinterpret_cast<uintptr_t>(main);
    fiber.stack_pointer = frame;
#else
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack;
    fiber.context.uc_stack.ss_size = fiber.stack_size;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, main, 0);
#endif
}

// Tells AddressSanitizer that the stack has changed; the first call of a fiber.
inline void arrive([[maybe_unused]] Fiber& home) {
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
    if (!home.stack) {
        home.stack = static_cast<char*>(const_cast<void*>(bottom));
        home.stack_size = size;
    }
#endif
}

inline void switch_fiber(Fiber& from, Fiber& to, [[maybe_unused]] Fiber& home) {
#if defined(__SANITIZE_ADDRESS__)
    void* fake_stack;
    __sanitizer_start_switch_fiber(&fake_stack, to.stack, to.stack_size);
#endif
#if defined(__x86_64__) || defined(__aarch64__)
    warpath_switch_stack(&from.stack_pointer, to.stack_pointer);
#else
    swapcontext(&from.context, &to.context);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

}  // namespace host
