/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions of processes, block by block: while one block is put on the stage, the one before is
 * reduced, and the one before that is taken. It must not know how a member sleeps, nor how failures
 * are told. */
#include "room/stage.h"

#include <string.h>

#include "room/stream.h"

typedef struct work {
  const tr_room_sum *sum;
  tr_stage *stages;
  int32_t self, members;
  int64_t block;  /* elements of each part in a step */
  int64_t blocks; /* of the largest part */
  bool streams;   /* the output goes past the caches */
  const char *in;
  char *out;
} work;

/* Elements [first, first + count) of a member's part in a block. */
typedef struct range {
  int64_t first, count;
} range;

static range range_of(const work *work, int32_t member, int64_t block) {
  int64_t first = work->sum->starts[member] + block * work->block;
  int64_t left = work->sum->starts[member + 1] - first;
  return (range){first, left < 0 ? 0 : left < work->block ? left : work->block};
}

static char *input_of(const work *work, int32_t owner, int32_t part, int64_t block) {
  return work->stages[owner].inputs[block & 1] + (size_t)(part * work->block) * work->sum->in_size;
}

static void write_out(const work *work, int64_t place, const char *from, int64_t count) {
  size_t size = work->sum->out_size;
  char *to = work->out + (size_t)place * size;
  if (work->streams)
    tr_stream_copy(to, from, (size_t)count * size);
  else
    tr_block_copy(to, from, (size_t)count * size);
}

/* Where this member's part of the output begins. */
static int64_t place_in_output(const work *work, int64_t element) {
  return work->sum->scatters ? element - work->sum->starts[work->self] : element;
}

/* What others reduce. */
static void put(const work *work, int64_t block) {
  size_t size = work->sum->in_size;
  for (int32_t i = 0; i < work->members; i++) {
    range range = range_of(work, i, block);
    if (i != work->self && range.count > 0)
      tr_block_copy(input_of(work, work->self, i, block), work->in + (size_t)range.first * size,
                    (size_t)range.count * size);
  }
}

static void reduce(const work *work, int64_t block) {
  const tr_room_sum *sum = work->sum;
  range own = range_of(work, work->self, block);
  char *pieces[TR_ROOM_MEMBERS], *result = work->stages[work->self].results[block & 1];
  int64_t place = place_in_output(work, own.first);
  bool is_shown = !sum->scatters || work->streams;
  tr_combination what = sum->what;
  if (own.count == 0)
    return;
  what.count = own.count;
  for (int32_t i = 0; i < work->members; i++)
    pieces[i] = i == work->self ? (char *)work->in + (size_t)own.first * sum->in_size
                                : input_of(work, i, work->self, block);
  sum->device->combine(sum->device, NULL, &what, pieces,
                       is_shown ? result : work->out + (size_t)place * sum->out_size);
  if (is_shown)
    write_out(work, place, result, own.count);
}

/* What others have reduced. */
static void take(const work *work, int64_t block) {
  for (int32_t i = 0; i < work->members; i++) {
    range range = range_of(work, i, block);
    if (i != work->self && range.count > 0)
      write_out(work, range.first, work->stages[i].results[block & 1], range.count);
  }
}

static int64_t largest_part(const tr_room_sum *sum, int32_t members) {
  int64_t largest = 0;
  for (int32_t i = 0; i < members; i++) {
    int64_t part = sum->starts[i + 1] - sum->starts[i];
    largest = part > largest ? part : largest;
  }
  return largest;
}

static work plan(const tr_room *room, tr_stage *stages, const tr_room_sum *sum, const char *in,
                 char *out) {
  enum { STREAMED = 1 << 23 };
  size_t widest = sum->in_size > sum->out_size ? sum->in_size : sum->out_size;
  int64_t grain = TR_ROOM_LINE;
  int64_t most = TR_STAGE_BYTES / (int64_t)widest / room->members;
  int64_t block = most > grain ? most / grain * grain : most;
  return (work){.sum = sum,
                .stages = stages,
                .self = room->self,
                .members = room->members,
                .block = block,
                .blocks = (largest_part(sum, room->members) + block - 1) / block,
                .streams = (size_t)sum->what.count * sum->out_size >= STREAMED,
                .in = in,
                .out = out};
}

/* Between two steps the members meet. */
static tessera_status walk(tr_room *room, const work *work, int64_t steps,
                           void (*do_step)(const struct work *work, int64_t step)) {
  tessera_status status = TESSERA_OK;
  for (int64_t step = 0; !status && step < steps; step++) {
    do_step(work, step);
    if (step + 1 == steps)
      break;
    tr_room_come(room);
    status = tr_room_await(room);
  }
  if (work->streams)
    tr_stream_settle();
  return status;
}

/* The memory of a block is written again two steps later: what is put at step t has been reduced at
 * step t + 1 and what is reduced at t + 1 has been taken at t + 2, before the members meet there.
 */
static void reduce_step(const work *work, int64_t step) {
  if (step < work->blocks)
    put(work, step);
  if (step >= 1 && step - 1 < work->blocks)
    reduce(work, step - 1);
  if (step >= 2 && !work->sum->scatters)
    take(work, step - 2);
}

tessera_status tr_stage_reduce(tr_room *room, tr_stage *stages, const tr_room_sum *sum,
                               const char *in, char *out) {
  work work = plan(room, stages, sum, in, out);
  return walk(room, &work, work.blocks + (sum->scatters ? 1 : 2), reduce_step);
}

static void gather_step(const work *work, int64_t step) {
  size_t size = work->sum->out_size;
  range own = range_of(work, work->self, step);
  if (own.count > 0)
    tr_block_copy(work->stages[work->self].results[step & 1], work->out + (size_t)own.first * size,
                  (size_t)own.count * size);
  if (step >= 1)
    take(work, step - 1);
}

tessera_status tr_stage_gather(tr_room *room, tr_stage *stages, const tr_room_sum *sum, char *out) {
  work work = plan(room, stages, sum, NULL, out);
  return walk(room, &work, work.blocks + 1, gather_step);
}
