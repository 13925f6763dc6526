/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions in a room, from everybody's memory to everybody's.
 * It must not know how a member sleeps, nor how failures are told. */
#include "room/sum.h"

#include <string.h>

#include "room/stream.h"

/* Where a member's tensors are, for the others. */
typedef struct shown {
  char *in, *out;
} shown;

void tr_room_sum_cut(tr_room_sum *sum, int32_t members) {
  int64_t grain = TR_ROOM_LINE / (int64_t)sum->out_size;
  int64_t grains = (sum->what.count + grain - 1) / grain;
  for (int32_t i = 0; i <= members; i++) {
    int64_t start = grains * i / members * grain;
    sum->starts[i] = start < sum->what.count ? start : sum->what.count;
  }
}

void tr_room_sum_plan(tr_room_sum *sum, const tr_device *device, const tr_collective *what) {
  sum->device = device;
  sum->what = *what->combination;
  sum->scatters = what->in.starts != NULL;
  sum->in_size = tessera_dtype_size(sum->what.input);
  sum->out_size = tessera_dtype_size(sum->what.output);
  if (!sum->scatters) {
    tr_room_sum_cut(sum, sum->what.members);
    return;
  }
  int64_t row = (int64_t)(what->in.row / sum->in_size);
  for (int32_t i = 0; i <= sum->what.members; i++)
    sum->starts[i] = what->in.starts[i] * row;
}

/* ---- small ones ------------------------------------------------------------------------------ */

void tr_room_sum_bring(tr_room *room, const tr_room_sum *sum, const char *in) {
  if (sum->what.count > 0)
    memcpy(tr_room_bring(room)->data, in, (size_t)sum->what.count * sum->in_size);
}

void tr_room_sum_take(const tr_room *room, const tr_room_sum *sum, char *out) {
  char *pieces[TR_ROOM_MEMBERS];
  tr_combination what = sum->what;
  int64_t first = sum->scatters ? sum->starts[room->self] : 0;
  if (sum->scatters)
    what.count = sum->starts[room->self + 1] - first;
  for (int32_t i = 0; i < room->members; i++)
    pieces[i] = tr_room_of(room, i)->data + (size_t)first * sum->in_size;
  sum->device->combine(sum->device, NULL, &what, pieces, out);
}

/* ---- large ones ------------------------------------------------------------------------------ */

void tr_room_sum_show(tr_room *room, char *in, char *out) {
  shown shown = {in, out};
  memcpy(tr_room_bring(room)->data, &shown, sizeof(shown));
}

void tr_room_sum_find_part(const tr_room *room, const tr_room_sum *sum, tr_room_part *part) {
  int64_t first = sum->starts[room->self];
  part->members = room->members;
  part->num_outs = sum->scatters ? 1 : room->members;
  part->count = sum->starts[room->self + 1] - first;
  for (int32_t i = 0; i < room->members; i++) {
    int32_t member = (room->self + i) % room->members;
    shown shown;
    memcpy(&shown, tr_room_of(room, member)->data, sizeof(shown));
    part->ins[member] = shown.in + (size_t)first * sum->in_size;
    part->outs[i] = sum->scatters ? shown.out : shown.out + (size_t)first * sum->out_size;
  }
}

/* Chunk by chunk, each of which stays in the first-level cache. The output may be the input: a
 * chunk is read from all before it is written to any. */
enum { CHUNK = 1 << 12 };

/* What is larger than the caches goes past them. */
static bool is_streamed(const tr_room_sum *sum) {
  enum { STREAMED = 1 << 24 };
  return (size_t)sum->what.count * sum->out_size >= STREAMED;
}

static void reduce_chunk(const tr_room_sum *sum, const tr_room_part *part, int64_t done,
                         int64_t count, char *streamed) {
  char *pieces[TR_ROOM_MEMBERS];
  tr_combination what = sum->what;
  size_t offset = (size_t)done * sum->out_size, bytes = (size_t)count * sum->out_size;
  what.count = count;
  for (int32_t i = 0; i < part->members; i++)
    pieces[i] = part->ins[i] + (size_t)done * sum->in_size;
  char *result = streamed ? streamed : part->outs[0] + offset;
  sum->device->combine(sum->device, NULL, &what, pieces, result);
  for (int32_t i = streamed ? 0 : 1; i < part->num_outs; i++)
    if (streamed)
      tr_stream_copy(part->outs[i] + offset, result, bytes);
    else
      tr_block_copy(part->outs[i] + offset, result, bytes);
}

void tr_room_sum_reduce(const tr_room *room, const tr_room_sum *sum) {
  _Alignas(TR_ROOM_LINE) char streamed[CHUNK];
  size_t widest = sum->in_size > sum->out_size ? sum->in_size : sum->out_size;
  int64_t step = CHUNK / (int64_t)widest;
  bool streams = is_streamed(sum);
  tr_room_part part;
  tr_room_sum_find_part(room, sum, &part);
  for (int64_t done = 0; done < part.count; done += step) {
    int64_t count = part.count - done < step ? part.count - done : step;
    reduce_chunk(sum, &part, done, count, streams ? streamed : NULL);
  }
  if (streams)
    tr_stream_settle();
}
