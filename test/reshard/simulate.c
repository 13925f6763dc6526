/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The collectives of plans, carried out on arrays: an oracle of its own, slow and plain. */
#include "simulate.h"

#include <string.h>

int64_t piece_elements(const piece *p) {
  int64_t elements = 1;
  for (int d = 0; d < p->rank; d++)
    elements *= p->shape[d];
  return elements;
}

int64_t combine(ts_reduction kind, int64_t a, int64_t b) {
  if (kind == TS_MAX)
    return a > b ? a : b;
  return a + b;
}

int64_t coordinate_of(const ts_grid *grid, int device, int axis) {
  int64_t rest = device;
  for (int a = grid->rank - 1; a > axis; a--)
    rest /= grid->shape[a];
  return rest % grid->shape[axis];
}

/* `device` with its coordinate on `axis` replaced. */
static int device_with(const ts_grid *grid, int device, int axis, int64_t coordinate) {
  int64_t stride = 1;
  for (int a = grid->rank - 1; a > axis; a--)
    stride *= grid->shape[a];
  return device + (int)((coordinate - coordinate_of(grid, device, axis)) * stride);
}

/* The devices of the group of `device` over the axes, in group order; *self is its place. */
static int group_of(const ts_grid *grid, int device, int num_axes, const int8_t *axes, int *members,
                    int *self) {
  int size = 1;
  for (int i = 0; i < num_axes; i++)
    size *= (int)grid->shape[axes[i]];
  for (int m = 0; m < size; m++) {
    int member = device, rest = m;
    for (int i = num_axes - 1; i >= 0; i--) {
      member = device_with(grid, member, axes[i], rest % grid->shape[axes[i]]);
      rest /= (int)grid->shape[axes[i]];
    }
    members[m] = member;
    if (member == device)
      *self = m;
  }
  return size;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static piece make_piece(ts_arena *arena, const piece *like) {
  piece p = *like;
  p.data = TS_NEW(arena, int64_t, piece_elements(&p));
  return p;
}

/* Copies `count` rows along dimension `d`, from row `first` of `from` to row `at` of `to`. */
static void copy_rows(const piece *from, int64_t first, int64_t count, piece *to, int64_t at,
                      int d) {
  int64_t outer = 1, inner = 1;
  for (int i = 0; i < d; i++)
    outer *= from->shape[i];
  for (int i = d + 1; i < from->rank; i++)
    inner *= from->shape[i];
  for (int64_t o = 0; o < outer; o++)
    memcpy(to->data + (o * to->shape[d] + at) * inner,
           from->data + (o * from->shape[d] + first) * inner,
           sizeof(int64_t) * (size_t)(count * inner));
}

/* The part that place `self` of `size` gets of `from` cut along dimension `d`. */
static piece cut(ts_arena *arena, const piece *from, int d, int size, int self) {
  int64_t n = from->shape[d];
  int64_t first = n / size * self, larger = n % size;
  int64_t extra_before = self > size - larger ? self - (size - larger) : 0;
  int64_t rows = n / size + (self >= size - larger ? 1 : 0);
  piece part = *from;
  part.shape[d] = rows;
  part = make_piece(arena, &part);
  copy_rows(from, first + extra_before, rows, &part, 0, d);
  return part;
}

/* ---- collectives ----------------------------------------------------------------------------- */

/* One step under way: the pieces before it and a device's group. */
typedef struct context {
  devices *all;
  const piece *before;
  const ts_step *step;
  int members[4096], size, self;
} context;

static piece reduce(context *c) {
  piece sum = make_piece(c->all->arena, &c->before[c->members[0]]);
  memcpy(sum.data, c->before[c->members[0]].data, sizeof(int64_t) * (size_t)piece_elements(&sum));
  for (int m = 1; m < c->size; m++)
    for (int64_t i = 0; i < piece_elements(&sum); i++)
      sum.data[i] = combine(c->step->reduction, sum.data[i], c->before[c->members[m]].data[i]);
  return sum;
}

static void note_received(devices *all, double elements) {
  all->received = elements > all->received ? elements : all->received;
}

static piece concatenate(context *c, const piece *parts) {
  int d = c->step->joined;
  piece whole = parts[0];
  whole.shape[d] = 0;
  for (int m = 0; m < c->size; m++)
    whole.shape[d] += parts[m].shape[d];
  whole = make_piece(c->all->arena, &whole);
  for (int64_t m = 0, at = 0; m < c->size; at += parts[m++].shape[d])
    copy_rows(&parts[m], 0, parts[m].shape[d], &whole, at, d);
  note_received(c->all, (double)(piece_elements(&whole) - piece_elements(&parts[c->self])));
  return whole;
}

static piece neutral(context *c, const piece *like) {
  piece all = make_piece(c->all->arena, like);
  for (int64_t i = 0; i < piece_elements(&all); i++)
    all.data[i] = c->step->reduction == TS_MAX ? LOWEST : 0;
  return all;
}

/* The piece where it is in those of the group, one behind the other. */
static piece place(context *c, const piece *own) {
  int d = c->step->joined;
  int64_t at = 0;
  piece whole = *own;
  whole.shape[d] = 0;
  for (int m = 0; m < c->size; m++) {
    at = m == c->self ? whole.shape[d] : at;
    whole.shape[d] += c->before[c->members[m]].shape[d];
  }
  whole = neutral(c, &whole);
  copy_rows(own, 0, own->shape[d], &whole, at, d);
  return whole;
}

static piece run_collective(context *c, int device) {
  ts_arena *arena = c->all->arena;
  const piece *own = &c->before[device];
  double others = (double)(c->size - 1) / c->size;
  piece *parts = TS_NEW(arena, piece, c->size);
  switch (c->step->kind) {
  case TS_STEP_ALL_REDUCE:
    note_received(c->all, 2 * others * (double)piece_elements(own));
    return reduce(c);
  case TS_STEP_REDUCE_SCATTER: {
    piece sum = reduce(c);
    note_received(c->all, others * (double)piece_elements(own));
    return cut(arena, &sum, c->step->cut, c->size, c->self);
  }
  case TS_STEP_ALL_SLICE:
    return cut(arena, own, c->step->cut, c->size, c->self);
  case TS_STEP_ALL_GATHER:
    for (int m = 0; m < c->size; m++)
      parts[m] = c->before[c->members[m]];
    return concatenate(c, parts);
  case TS_STEP_ALL_TO_ALL:
    for (int m = 0; m < c->size; m++)
      parts[m] = cut(arena, &c->before[c->members[m]], c->step->cut, c->size, c->self);
    return concatenate(c, parts);
  case TS_STEP_MAKE_PARTIAL:
    if (c->step->joined >= 0)
      return place(c, own);
    return c->self == 0 ? *own : neutral(c, own);
  case TS_STEP_EXCHANGE:
    break;
  }
  return *own;
}

/* ---- exchange -------------------------------------------------------------------------------- */

int64_t held_indices(ts_arena *arena, const ts_sharding *layout, int d, int device,
                     int64_t **indices) {
  const ts_dim *dim = &layout->dims[d];
  int64_t num = 1;
  int64_t *held = TS_NEW(arena, int64_t, 1);
  for (int f = 0; f < dim->num_factors; f++) {
    const ts_factor *factor = &dim->factors[f];
    int64_t shard = 0, shards = 1;
    for (int i = 0; i < factor->num_axes; i++) {
      shard = shard * layout->grid->shape[factor->axes[i]] +
              coordinate_of(layout->grid, device, factor->axes[i]);
      shards *= layout->grid->shape[factor->axes[i]];
    }
    int64_t n = factor->size, larger = n % shards, small = shards - larger;
    int64_t first = shard * (n / shards) + (shard > small ? shard - small : 0);
    int64_t count = n / shards + (shard >= small ? 1 : 0);
    if (dim->offsets) {
      first = dim->offsets[shard].known;
      count = dim->offsets[shard + 1].known - first;
    }
    int64_t *finer = TS_NEW(arena, int64_t, num *count);
    for (int64_t i = 0; i < num; i++)
      for (int64_t j = 0; j < count; j++)
        finer[i * count + j] = held[i] * n + first + j;
    held = finer;
    num *= count;
  }
  *indices = held;
  return num;
}

typedef void (*visit_element)(void *user, int device, int64_t position, int64_t global);

/* Calls `visit` for each element of the piece of `device` under `layout`. */
static void visit_piece(ts_arena *arena, const ts_sharding *layout, int device, visit_element visit,
                        void *user) {
  int64_t *held[MAX_RANK], num[MAX_RANK], at[MAX_RANK] = {0}, elements = 1;
  for (int d = 0; d < layout->rank; d++) {
    num[d] = held_indices(arena, layout, d, device, &held[d]);
    elements *= num[d];
  }
  for (int64_t position = 0; position < elements; position++) {
    int64_t global = 0, rest = position;
    for (int d = layout->rank - 1; d >= 0; d--) {
      at[d] = rest % num[d];
      rest /= num[d];
    }
    for (int d = 0; d < layout->rank; d++)
      global = global * ts_dim_size(&layout->dims[d]) + held[d][at[d]];
    visit(user, device, position, global);
  }
}

typedef struct exchange_state {
  const piece *before;
  piece *after;
  int64_t *tensor;
  unsigned char *owned; /* by the device that is asked */
  int64_t lacking;
} exchange_state;

static void collect(void *user, int device, int64_t position, int64_t global) {
  exchange_state *state = user;
  state->tensor[global] = state->before[device].data[position];
}

static void own(void *user, int device, int64_t position, int64_t global) {
  (void)device, (void)position;
  ((exchange_state *)user)->owned[global] = 1;
}

static void deliver(void *user, int device, int64_t position, int64_t global) {
  exchange_state *state = user;
  state->after[device].data[position] = state->tensor[global];
  state->lacking += !state->owned[global];
}

static void run_exchange(devices *all, const ts_step *step, const piece *before) {
  ts_arena *arena = all->arena;
  int64_t elements = 1;
  for (int d = 0; d < step->before->rank; d++)
    elements *= ts_dim_size(&step->before->dims[d]);
  exchange_state state = {.before = before, .after = all->pieces};
  state.tensor = TS_NEW(arena, int64_t, elements);
  for (int device = 0; device < all->num; device++)
    visit_piece(arena, step->before, device, collect, &state);
  for (int device = 0; device < all->num; device++) {
    piece *after = &all->pieces[device];
    for (int d = 0; d < step->after->rank; d++) {
      int64_t *ignored;
      after->shape[d] = held_indices(arena, step->after, d, device, &ignored);
    }
    *after = make_piece(arena, after);
    state.owned = ts_arena_alloc(arena, (size_t)elements + 1);
    state.lacking = 0;
    visit_piece(arena, step->before, device, own, &state);
    visit_piece(arena, step->after, device, deliver, &state);
    note_received(all, (double)state.lacking);
  }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static const char *wrong_shape(devices *all, const ts_sharding *layout) {
  for (int device = 0; device < all->num; device++)
    for (int d = 0; d < layout->rank; d++) {
      int64_t *ignored;
      if (held_indices(all->arena, layout, d, device, &ignored) != all->pieces[device].shape[d])
        return ts_arena_format(all->arena, "device %d has %lld rows of dimension %d", device,
                               (long long)all->pieces[device].shape[d], d);
    }
  return NULL;
}

const char *simulate(devices *all, const ts_step *step) {
  const char *mistake = wrong_shape(all, step->before);
  if (mistake)
    return mistake;
  all->received = 0;
  piece *before = ts_arena_copy(all->arena, all->pieces, sizeof(piece) * (size_t)all->num);
  if (step->kind == TS_STEP_EXCHANGE) {
    if (step->before->num_partial || step->after->num_partial)
      return "an exchange of partial values";
    run_exchange(all, step, before);
    return NULL;
  }
  context c = {.all = all, .before = before, .step = step};
  for (int device = 0; device < all->num; device++) {
    c.size = group_of(all->grid, device, step->num_axes, step->axes, c.members, &c.self);
    all->pieces[device] = run_collective(&c, device);
  }
  return wrong_shape(all, step->after);
}
