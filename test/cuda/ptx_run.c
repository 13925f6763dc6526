/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Blocks of threads, one after the other: each goes on until it waits for others. Accesses of
 * memory are looked up, so that one that is none is an error. It must not know streams or the
 * driver. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx_values.h"

enum { WARP = 32 };

typedef enum state { RUNS, WAITS_FOR_BLOCK, WAITS_FOR_WARP, ENDED } state;

typedef struct thread {
  uint64_t *registers;
  char *local;
  int32_t at;
  state state;
  uint32_t index[3];
  int32_t linear;
} thread;

typedef struct block {
  const ptx_launch *launch;
  uint32_t index[3];
  int32_t num_threads;
  thread *threads;
  uint64_t *registers;
  char *local, *shared;
  size_t local_bytes, shared_bytes;
  bool has_failed;
  char *message;
  size_t capacity;
} block;

static bool fail(block *block, const thread *thread, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(block *block, const thread *thread, const char *format, ...) {
  const ptx_kernel *kernel = block->launch->kernel;
  if (block->has_failed)
    return false;
  block->has_failed = true;
  int used = snprintf(block->message, block->capacity,
                      "%s, line %d, block (%u, %u, %u), thread %d: ", kernel->name,
                      kernel->code[thread->at].line, block->index[0], block->index[1],
                      block->index[2], thread->linear);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(block->message + used, block->capacity - (size_t)used, format, arguments);
  va_end(arguments);
  return false;
}

/* ---- operands -------------------------------------------------------------------------------- */

static uint64_t special(const block *block, const thread *thread, uint64_t number) {
  const ptx_launch *launch = block->launch;
  switch (number / 4) {
  case SPECIAL_TID:
    return thread->index[number % 4];
  case SPECIAL_NTID:
    return launch->threads[number % 4];
  case SPECIAL_CTAID:
    return block->index[number % 4];
  case SPECIAL_NCTAID:
    return launch->blocks[number % 4];
  case SPECIAL_LANEID:
    return (uint64_t)thread->linear % WARP;
  case SPECIAL_WARPID:
    return (uint64_t)thread->linear / WARP;
  default:
    return WARP;
  }
}

static inline uint64_t read(const block *block, const thread *thread, const ptx_operand *operand) {
  if (operand->kind == OPERAND_REGISTER) {
    uint64_t value = thread->registers[operand->slots[0]];
    return operand->negated ? !value : value;
  }
  return operand->kind == OPERAND_NUMBER ? operand->number
                                         : special(block, thread, operand->number);
}

static inline void write(thread *thread, const ptx_operand *operand, uint64_t value) {
  if (operand->slots[0] >= 0)
    thread->registers[operand->slots[0]] = value;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static char *within(char *memory, size_t size, uint64_t offset, size_t bytes) {
  return offset <= size && bytes <= size - offset ? memory + offset : NULL;
}

static char *reach(const block *block, const thread *thread, ptx_space space, uint64_t address,
                   size_t bytes) {
  if (space == SPACE_GENERIC && address >> 58 && address >> 58 < 8) {
    space = address & SHARED_WINDOW  ? SPACE_SHARED
            : address & LOCAL_WINDOW ? SPACE_LOCAL
                                     : SPACE_PARAM;
    address &= ~(SHARED_WINDOW | LOCAL_WINDOW | PARAM_WINDOW);
  }
  switch (space) {
  case SPACE_SHARED:
    return within(block->shared, block->shared_bytes, address, bytes);
  case SPACE_LOCAL:
    return within(thread->local, block->local_bytes, address, bytes);
  case SPACE_PARAM:
    return within(block->launch->parameters, block->launch->kernel->parameter_bytes, address,
                  bytes);
  default:
    return device_memory(address, bytes);
  }
}

static char *memory_of(block *block, const thread *thread, const ptx_instruction *at,
                       const ptx_operand *operand, size_t bytes) {
  uint64_t address = operand->number;
  if (operand->slots[0] >= 0)
    address += thread->registers[operand->slots[0]];
  char *memory =
      address % bytes == 0 ? reach(block, thread, (ptx_space)at->space, address, bytes) : NULL;
  if (!memory)
    fail(block, thread, "%zu bytes at 0x%llx are not %s", bytes, (unsigned long long)address,
         address % bytes ? "aligned" : "memory of the kernel");
  return memory;
}

static void load(block *block, thread *thread, const ptx_instruction *at) {
  size_t bytes = at->type.bits / 8, count = at->vector ? at->vector : 1;
  const ptx_operand *target = &at->operands[0];
  const char *memory = memory_of(block, thread, at, &at->operands[1], bytes * count);
  for (size_t i = 0; memory && i < count; i++) {
    uint64_t value = 0;
    memcpy(&value, memory + i * bytes, bytes);
    if (target->slots[i] >= 0)
      thread->registers[target->slots[i]] =
          at->type.class == CLASS_SIGNED ? (uint64_t)ptx_signed(value, at->type.bits) : value;
  }
}

static void store(block *block, thread *thread, const ptx_instruction *at) {
  size_t bytes = at->type.bits / 8, count = at->vector ? at->vector : 1;
  const ptx_operand *source = &at->operands[1];
  char *memory = memory_of(block, thread, at, &at->operands[0], bytes * count);
  for (size_t i = 0; memory && i < count; i++) {
    uint64_t value = source->kind != OPERAND_VECTOR ? read(block, thread, source)
                     : source->slots[i] >= 0        ? thread->registers[source->slots[i]]
                                                    : source->numbers[i];
    memcpy(memory + i * bytes, &value, bytes);
  }
}

/* atom has a register for what was there before; red has none. */
static void change(block *block, thread *thread, const ptx_instruction *at) {
  int first = at->operands[0].kind == OPERAND_MEMORY ? 0 : 1;
  size_t bytes = at->type.bits / 8;
  char *memory = memory_of(block, thread, at, &at->operands[first], bytes);
  uint64_t before = 0, after;
  if (!memory)
    return;
  memcpy(&before, memory, bytes);
  uint64_t value = read(block, thread, &at->operands[first + 1]);
  if (at->mode == MODE_CAS)
    after = before == ptx_cut(value, at->type.bits) ? read(block, thread, &at->operands[first + 2])
                                                    : before;
  else if (!ptx_atomic(at, before, value, &after))
    fail(block, thread, "an atomic operation that is not known");
  memcpy(memory, &after, bytes);
  if (first)
    write(thread, &at->operands[0], before);
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* Vectors are joined and taken apart by mov. */
static void move(const block *block, thread *thread, const ptx_instruction *at) {
  const ptx_operand *to = &at->operands[0], *from = &at->operands[1];
  if (from->kind == OPERAND_VECTOR) {
    int bits = at->type.bits / from->count;
    uint64_t value = 0;
    for (int i = from->count - 1; i >= 0; i--)
      value = (bits < 64 ? value << bits : 0) | ptx_cut(thread->registers[from->slots[i]], bits);
    write(thread, to, value);
  } else if (to->kind == OPERAND_VECTOR) {
    int bits = at->type.bits / to->count;
    uint64_t value = read(block, thread, from);
    for (int i = 0; i < to->count; i++)
      if (to->slots[i] >= 0)
        thread->registers[to->slots[i]] = ptx_cut(value >> (i * bits), bits);
  } else {
    write(thread, to, read(block, thread, from));
  }
}

static uint64_t window_of(ptx_space space) {
  return space == SPACE_SHARED  ? SHARED_WINDOW
         : space == SPACE_LOCAL ? LOCAL_WINDOW
         : space == SPACE_PARAM ? PARAM_WINDOW
                                : 0;
}

static void convert_address(const block *block, thread *thread, const ptx_instruction *at) {
  uint64_t window = window_of((ptx_space)at->space);
  uint64_t address = read(block, thread, &at->operands[1]);
  write(thread, &at->operands[0], at->to_space ? address & ~window : address | window);
}

/* ---- one thread ------------------------------------------------------------------------------ */

static void compute(block *block, thread *thread, const ptx_instruction *at) {
  uint64_t values[PTX_OPERANDS] = {0}, results[2] = {0};
  for (int i = 1; i < PTX_OPERANDS && at->operands[i].kind; i++)
    values[i] = read(block, thread, &at->operands[i]);
  if (!ptx_compute(at, values, results)) {
    fail(block, thread, "this form of the instruction is not known");
    return;
  }
  write(thread, &at->operands[0], results[0]);
  if (at->op == OP_SETP && at->type.lanes == 2)
    write(thread, &at->operands[1], results[1]);
}

static void branch_indexed(block *block, thread *thread, const ptx_instruction *at) {
  uint64_t index = ptx_cut(read(block, thread, &at->operands[0]), 32);
  if (index < (uint64_t)at->num_targets)
    thread->at = at->targets[index];
  else
    fail(block, thread, "a branch to number %llu of %d", (unsigned long long)index,
         at->num_targets);
}

/* Until the thread waits or has ended. */
static void run_thread(block *block, thread *thread) {
  const ptx_instruction *code = block->launch->kernel->code;
  while (!block->has_failed && thread->state == RUNS) {
    const ptx_instruction *at = &code[thread->at];
    if (at->guard >= 0 && (thread->registers[at->guard] != 0) == at->guard_negated) {
      thread->at++;
      continue;
    }
    switch (at->op) {
    case OP_BRA:
      thread->at = at->target;
      continue;
    case OP_BRX:
      branch_indexed(block, thread, at);
      continue;
    case OP_EXIT:
      thread->state = ENDED;
      continue;
    case OP_BAR:
      thread->state = at->operands[0].kind ? WAITS_FOR_BLOCK : RUNS;
      break;
    case OP_SHFL:
    case OP_VOTE:
      thread->state = WAITS_FOR_WARP;
      continue;
    case OP_LD:
      load(block, thread, at);
      break;
    case OP_ST:
      store(block, thread, at);
      break;
    case OP_ATOM:
      change(block, thread, at);
      break;
    case OP_MOV:
      move(block, thread, at);
      break;
    case OP_CVTA:
      convert_address(block, thread, at);
      break;
    case OP_MEMBAR:
      break;
    case OP_TRAP:
      fail(block, thread, "trap");
      break;
    default:
      compute(block, thread, at);
      break;
    }
    if (!block->has_failed)
      thread->at++;
  }
}

/* ---- warps ----------------------------------------------------------------------------------- */

/* The lane that a shuffle reads from, or its own where that is none. */
static int source_lane(const ptx_instruction *at, int lane, uint32_t b, uint32_t c, bool *valid) {
  int bound = (int)(c & 31), mask = (int)(c >> 8 & 31);
  int most = (lane & mask) | (bound & ~mask), least = lane & mask, from;
  switch (at->mode) {
  case MODE_UP:
    from = lane - (int)(b & 31);
    *valid = from >= most;
    break;
  case MODE_DOWN:
    from = lane + (int)(b & 31);
    *valid = from <= most;
    break;
  case MODE_BFLY:
    from = lane ^ (int)(b & 31);
    *valid = from <= most;
    break;
  default:
    from = least | ((int)(b & 31) & ~mask);
    *valid = from <= most;
    break;
  }
  return *valid ? from : lane;
}

/* `waiting` lanes are at this shuffle. What they gave is read before any result is written. */
static void shuffle(block *block, thread *warp, const ptx_instruction *at, uint32_t waiting) {
  uint64_t given[WARP] = {0};
  bool has_predicate = at->operands[5].kind;
  int first = has_predicate ? 2 : 1;
  for (int lane = 0; lane < WARP; lane++)
    if (waiting >> lane & 1)
      given[lane] = read(block, &warp[lane], &at->operands[first]);
  for (int lane = 0; lane < WARP; lane++) {
    bool valid;
    if (!(waiting >> lane & 1))
      continue;
    uint32_t b = (uint32_t)read(block, &warp[lane], &at->operands[first + 1]);
    uint32_t c = (uint32_t)read(block, &warp[lane], &at->operands[first + 2]);
    int from = source_lane(at, lane, b, c, &valid);
    if (!(waiting >> from & 1)) {
      fail(block, &warp[lane], "a shuffle from lane %d, which does not take part", from);
      return;
    }
    write(&warp[lane], &at->operands[0], given[from]);
    if (has_predicate)
      write(&warp[lane], &at->operands[1], valid);
  }
}

static void vote(block *block, thread *warp, const ptx_instruction *at, uint32_t waiting) {
  uint32_t ballot = 0;
  for (int lane = 0; lane < WARP; lane++)
    if (waiting >> lane & 1 && read(block, &warp[lane], &at->operands[1]))
      ballot |= UINT32_C(1) << lane;
  uint64_t result = at->mode == MODE_BALLOT ? ballot
                    : at->mode == MODE_ANY  ? ballot != 0
                    : at->mode == MODE_ALL  ? ballot == waiting
                                            : ballot == 0 || ballot == waiting;
  for (int lane = 0; lane < WARP; lane++)
    if (waiting >> lane & 1)
      write(&warp[lane], &at->operands[0], result);
}

static uint32_t mask_of(const block *block, const thread *thread) {
  const ptx_instruction *at = &block->launch->kernel->code[thread->at];
  int last = PTX_OPERANDS - 1;
  while (!at->operands[last].kind)
    last--;
  return (uint32_t)read(block, thread, &at->operands[last]);
}

/* Lets go on those lanes that wait at one place and are all that it names. False if there are none.
 */
static bool meet_in_warp(block *block, thread *warp, int lanes) {
  uint32_t alive = 0;
  for (int lane = 0; lane < lanes; lane++)
    alive |= (uint32_t)(warp[lane].state != ENDED) << lane;
  for (int first = 0; first < lanes; first++) {
    if (warp[first].state != WAITS_FOR_WARP)
      continue;
    uint32_t waiting = 0, mask = mask_of(block, &warp[first]) & alive;
    for (int lane = first; lane < lanes; lane++)
      if (warp[lane].state == WAITS_FOR_WARP && warp[lane].at == warp[first].at)
        waiting |= UINT32_C(1) << lane;
    waiting &= mask;
    if (waiting != mask)
      continue;
    const ptx_instruction *at = &block->launch->kernel->code[warp[first].at];
    (at->op == OP_SHFL ? shuffle : vote)(block, warp, at, waiting);
    for (int lane = 0; lane < lanes && !block->has_failed; lane++)
      if (waiting >> lane & 1) {
        warp[lane].state = RUNS;
        warp[lane].at++;
      }
    return true;
  }
  return false;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Threads that have ended wait for nobody. */
static bool meet_in_block(block *block) {
  bool any = false;
  for (int32_t i = 0; i < block->num_threads; i++) {
    if (block->threads[i].state == WAITS_FOR_WARP)
      return false;
    any = any || block->threads[i].state == WAITS_FOR_BLOCK;
  }
  for (int32_t i = 0; i < block->num_threads; i++)
    if (block->threads[i].state == WAITS_FOR_BLOCK)
      block->threads[i].state = RUNS;
  return any;
}

static void run_block(block *block) {
  size_t slots = (size_t)block->launch->kernel->num_slots;
  memset(block->registers, 0xa5, slots * sizeof(uint64_t) * (size_t)block->num_threads);
  memset(block->shared, 0xa5, block->shared_bytes);
  memset(block->local, 0xa5, block->local_bytes * (size_t)block->num_threads);
  for (int32_t i = 0; i < block->num_threads; i++) {
    const uint32_t *threads = block->launch->threads;
    uint32_t linear = (uint32_t)i;
    block->threads[i] = (thread){.registers = block->registers + slots * (size_t)i,
                                 .local = block->local + block->local_bytes * (size_t)i,
                                 .index = {linear % threads[0], linear / threads[0] % threads[1],
                                           linear / threads[0] / threads[1]},
                                 .linear = i};
  }
  for (bool goes_on = true; goes_on && !block->has_failed;) {
    bool met = false, ended = true;
    for (int32_t i = 0; i < block->num_threads && !block->has_failed; i++)
      run_thread(block, &block->threads[i]);
    for (int32_t i = 0; i < block->num_threads && !block->has_failed; i += WARP) {
      int32_t left = block->num_threads - i;
      while (!block->has_failed &&
             meet_in_warp(block, &block->threads[i], left < WARP ? left : WARP))
        met = true;
    }
    for (int32_t i = 0; i < block->num_threads; i++)
      ended = ended && block->threads[i].state == ENDED;
    goes_on = !ended && (met || meet_in_block(block));
    if (!goes_on && !ended && !block->has_failed)
      fail(block, &block->threads[0], "threads of the block wait for ever");
  }
}

static size_t at_least_one(size_t size) {
  return size ? size : 1;
}

bool ptx_run(const ptx_launch *launch, char *message, size_t capacity) {
  const ptx_kernel *kernel = launch->kernel;
  block block = {.launch = launch, .message = message, .capacity = capacity};
  block.num_threads = (int32_t)(launch->threads[0] * launch->threads[1] * launch->threads[2]);
  size_t threads = (size_t)block.num_threads;
  block.local_bytes = (kernel->local_bytes + 15) / 16 * 16;
  block.shared_bytes = kernel->shared_bytes + launch->shared_bytes;
  block.threads = calloc(threads, sizeof(*block.threads));
  block.registers = malloc(at_least_one(threads * (size_t)kernel->num_slots * sizeof(uint64_t)));
  block.local = malloc(at_least_one(threads * block.local_bytes));
  block.shared = malloc(at_least_one(block.shared_bytes));
  if (!block.threads || !block.registers || !block.local || !block.shared)
    abort();
  for (block.index[2] = 0; block.index[2] < launch->blocks[2]; block.index[2]++)
    for (block.index[1] = 0; block.index[1] < launch->blocks[1]; block.index[1]++)
      for (block.index[0] = 0; block.index[0] < launch->blocks[0] && !block.has_failed;
           block.index[0]++)
        run_block(&block);
  free(block.threads);
  free(block.registers);
  free(block.local);
  free(block.shared);
  return !block.has_failed;
}
