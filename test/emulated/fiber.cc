/* Fibers: see fiber.h. On x86-64 a switch saves the callee-saved registers by hand; elsewhere
 * swapcontext does it, which costs two system calls. Sanitizers are told of each switch. */
#include "fiber.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#define FIBER_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define FIBER_TSAN 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBER_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define FIBER_TSAN 1
#endif
#endif
#if FIBER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if FIBER_TSAN
#include <sanitizer/tsan_interface.h>
#endif

enum { STACK_BYTES = 512 * 1024, GUARD_BYTES = 4096 };

struct fiber {
    void (*work)(void *argument);
    void *argument;
    bool done;
    unsigned char *stack;
#if defined(__x86_64__)
    void *own, *caller; /* stack pointers */
#else
    ucontext_t own, caller;
#endif
    /* Of the sanitizers. */
    void *own_fake, *caller_fake, *own_tsan, *caller_tsan;
    const void *caller_stack;
    size_t caller_size;
};

#if defined(__x86_64__)
/* Pushes the registers, stores the stack pointer in *save, and goes on where `load` was saved. */
extern "C" void cuzk_emulated_switch(void **save, void *load);
asm(".text\n"
    ".globl cuzk_emulated_switch\n"
    ".type cuzk_emulated_switch, @function\n"
    "cuzk_emulated_switch:\n"
    "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n"
    "    pushq %r15\n"
    "    movq %rsp, (%rdi)\n    movq %rsi, %rsp\n"
    "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n    popq %rbp\n"
    "    ret\n"
    ".size cuzk_emulated_switch, .-cuzk_emulated_switch\n");
#endif

static void arrive_in_fiber(fiber *f)
{
#if FIBER_ASAN
    __sanitizer_finish_switch_fiber(f->own_fake, &f->caller_stack, &f->caller_size);
#endif
    (void)f;
}

static void switch_out(fiber *f)
{
#if FIBER_ASAN
    __sanitizer_start_switch_fiber(&f->own_fake, f->caller_stack, f->caller_size);
#endif
#if FIBER_TSAN
    __tsan_switch_to_fiber(f->caller_tsan, 0);
#endif
#if defined(__x86_64__)
    cuzk_emulated_switch(&f->own, f->caller);
#else
    swapcontext(&f->own, &f->caller);
#endif
    arrive_in_fiber(f);
}

static void switch_in(fiber *f)
{
#if FIBER_ASAN
    __sanitizer_start_switch_fiber(&f->caller_fake, f->stack, STACK_BYTES);
#endif
#if FIBER_TSAN
    f->caller_tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(f->own_tsan, 0);
#endif
#if defined(__x86_64__)
    cuzk_emulated_switch(&f->caller, f->own);
#else
    swapcontext(&f->caller, &f->own);
#endif
#if FIBER_ASAN
    __sanitizer_finish_switch_fiber(f->caller_fake, NULL, NULL);
#endif
}

/* The fiber that begins; set before the first switch to it. */
static fiber *beginner;

static void live(void)
{
    fiber *f = beginner;
    arrive_in_fiber(f);
    for (;;) {
        f->work(f->argument);
        f->done = true;
        switch_out(f);
    }
}

static void prepare_stack(fiber *f)
{
#if defined(__x86_64__)
    /* As if `live` had been called with registers 0: the stack is 8 modulo 16 at its entry. */
    uintptr_t *top = (uintptr_t *)(f->stack + STACK_BYTES) - 2;
    top[0] = (uintptr_t)live;
    for (int i = 1; i <= 6; i++)
        top[-i] = 0;
    f->own = top - 6;
#else
    getcontext(&f->own);
    f->own.uc_stack.ss_sp = f->stack;
    f->own.uc_stack.ss_size = STACK_BYTES;
    f->own.uc_link = NULL;
    makecontext(&f->own, live, 0);
#endif
#if FIBER_TSAN
    f->own_tsan = __tsan_create_fiber(0);
#endif
}

fiber *fiber_new(void (*work)(void *argument))
{
    fiber *f = static_cast<fiber *>(calloc(1, sizeof *f));
    void *memory = mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (f == NULL || memory == MAP_FAILED || mprotect(memory, GUARD_BYTES, PROT_NONE) != 0) {
        fprintf(stderr, "emulated device: no memory for the stack of a thread\n");
        abort();
    }
    f->stack = static_cast<unsigned char *>(memory) + GUARD_BYTES;
    f->work = work;
    prepare_stack(f);
    return f;
}

bool fiber_resume(fiber *f, void *argument)
{
    f->argument = argument;
    f->done = false;
    beginner = f;
    switch_in(f);
    return f->done;
}

void fiber_pause(fiber *f)
{
    switch_out(f);
}
