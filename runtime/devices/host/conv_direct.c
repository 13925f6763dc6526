/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Convolutions of few channels a group, and the gradients of their filters, as loops: as products
 * of matrices they would have hardly a column. It must not know sites, nor how sums are computed.
 */
#include "devices/host/conv_sums.h"
#include "devices/host/products.h"
#include "threads/pool.h"

/* ---- loops ----------------------------------------------------------------------------------- */

typedef enum role { CHANNEL, PLACE, SUM } role;

/* Strides are in elements. */
typedef struct loop {
  role role;
  bool is_chunk; /* of lanes */
  int64_t size, input, filter, output;
} loop;

enum { MOST_LOOPS = 2 * TR_VIEW_RANK };

typedef struct loops {
  int num;
  loop list[MOST_LOOPS];
} loops;

static void append(loops *to, loop one) {
  if (one.size != 1)
    to->list[to->num++] = one;
}

static loop take(loops *from, int i) {
  loop taken = from->list[i];
  for (from->num--; i < from->num; i++)
    from->list[i] = from->list[i + 1];
  return taken;
}

static const loop single = {.role = SUM, .size = 1};

static loop take_last(loops *from) {
  return from->num > 0 ? take(from, from->num - 1) : single;
}

static int64_t steps_of(const loops *loops) {
  int64_t steps = 1;
  for (int i = 0; i < loops->num; i++)
    steps *= loops->list[i].size;
  return steps;
}

static void read_loops(const tr_conv *conv, loops *all) {
  const tr_view *in = &conv->input, *filter = &conv->filter, *out = &conv->output;
  append(all, (loop){.role = CHANNEL,
                     .size = out->sizes[TR_CONV_BATCH],
                     .input = in->strides[TR_CONV_BATCH],
                     .output = out->strides[TR_CONV_BATCH]});
  append(all, (loop){.role = CHANNEL,
                     .size = out->sizes[TR_CONV_GROUP],
                     .input = in->strides[TR_CONV_GROUP],
                     .filter = filter->strides[TR_FILTER_GROUP],
                     .output = out->strides[TR_CONV_GROUP]});
  append(all, (loop){.role = CHANNEL,
                     .size = out->sizes[TR_CONV_OUTPUTS],
                     .filter = filter->strides[TR_FILTER_OUTPUTS],
                     .output = out->strides[TR_CONV_OUTPUTS]});
  append(all, (loop){.role = SUM,
                     .size = in->sizes[TR_CONV_INPUTS],
                     .input = in->strides[TR_CONV_INPUTS],
                     .filter = filter->strides[TR_FILTER_INPUTS]});
  for (int32_t i = 0, d = TR_CONV_WINDOW; i < conv->window; i++, d++) {
    append(all, (loop){.role = PLACE,
                       .size = out->sizes[d],
                       .input = in->strides[d] * conv->steps[i],
                       .output = out->strides[d]});
    append(all, (loop){.role = SUM,
                       .size = filter->sizes[d],
                       .input = in->strides[d] * conv->dilations[i],
                       .filter = filter->strides[d]});
  }
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* By how much a kernel is the faster that has these lanes. */
static int64_t worth(const loop *lanes) {
  enum { ENOUGH = 64, FEW = 8, NO_VECTORS = 3 };
  if (!tr_sums_are_vectors(lanes->input, lanes->filter))
    return lanes->size < FEW ? 1 : NO_VECTORS;
  return lanes->size < ENOUGH ? lanes->size : ENOUGH;
}

/* Takes the best of all loops, the first of equals. */
static loop take_lanes(loops *all) {
  int best = 0;
  for (int i = 1; i < all->num; i++)
    if (worth(&all->list[i]) > worth(&all->list[best]))
      best = i;
  return all->num > 0 ? take(all, best) : single;
}

static loop chunks_of(const loop *lanes, int64_t chunk) {
  return (loop){.role = lanes->role,
                .is_chunk = true,
                .size = (lanes->size + chunk - 1) / chunk,
                .input = lanes->input * chunk,
                .filter = lanes->filter * chunk,
                .output = lanes->output * chunk};
}

/* ---- the order ------------------------------------------------------------------------------- */

/* Units are done by whoever is free. Each goes through the inner loops, and at each step of those
 * the kernel computes the sums of a chunk of lanes. */
typedef struct order {
  const tr_conv *conv;
  tr_sums_kernel *kernel;
  loop lanes, planes, rows, steps;
  int64_t chunk;
  loops units, inner;
} order;

/* A long sum, as of the gradient of a filter, is cut into rows that stay in the cache while all
 * places of the small result add theirs; a short one is done at once for each of many places. */
static void choose_order(const tr_conv *conv, int32_t threads, order *o) {
  enum { SHORT = 64 };
  loops all = {.num = 0}, places = {.num = 0}, sums = {.num = 0};
  read_loops(conv, &all);
  o->lanes = take_lanes(&all);
  o->chunk = TR_SUMS_BYTES / conv->output.element;
  for (int i = 0; i < all.num; i++)
    append(all.list[i].role == CHANNEL ? &o->units
           : all.list[i].role == PLACE ? &places
                                       : &sums,
           all.list[i]);
  int64_t num_places = steps_of(&places) * (o->lanes.role == PLACE ? o->lanes.size : 1);
  bool is_short = steps_of(&sums) <= SHORT || steps_of(&sums) <= num_places;
  o->steps = take_last(&sums);
  o->rows = is_short ? take_last(&sums) : single;
  o->planes = is_short ? take_last(&sums) : single;
  loop chunks = chunks_of(&o->lanes, o->chunk);
  int64_t enough = threads > 1 ? 4 * (int64_t)threads : 1;
  while (places.num > (is_short ? 1 : 0) && (is_short || steps_of(&o->units) < enough))
    append(&o->units, take(&places, 0));
  append(o->lanes.role == SUM ? &sums : &o->units, chunks);
  for (int i = 0; i < sums.num; i++)
    append(&o->inner, sums.list[i]);
  for (int i = 0; i < places.num; i++)
    append(&o->inner, places.list[i]);
}

/* ---- running --------------------------------------------------------------------------------- */

/* A place in the loops. */
typedef struct cursor {
  int64_t input, filter, output; /* elements from the first */
  int64_t lanes;
  bool keeps; /* the result so far counts */
} cursor;

static cursor moved(const order *o, const loop *along, int64_t i, const cursor *from) {
  cursor to = *from;
  to.input += i * along->input;
  to.filter += i * along->filter;
  to.output += i * along->output;
  to.keeps = from->keeps || (along->role == SUM && i > 0);
  int64_t left = o->lanes.size - i * o->chunk;
  if (along->is_chunk)
    to.lanes = left < o->chunk ? left : o->chunk;
  return to;
}

#define STORE(suffix, ctype)                                                                       \
  static void store_##suffix(const order *o, const void *results, const cursor *at) {              \
    const ctype *sums = results;                                                                   \
    ctype *to = (ctype *)o->conv->output.data + at->output, total = at->keeps ? *to : 0;           \
    int64_t stride = o->lanes.output;                                                              \
    for (int64_t i = 0; o->lanes.role == SUM && i < at->lanes; i++)                                \
      total += sums[i];                                                                            \
    if (o->lanes.role == SUM)                                                                      \
      *to = total;                                                                                 \
    else if (at->keeps)                                                                            \
      for (int64_t i = 0; i < at->lanes; i++)                                                      \
        to[i * stride] += sums[i];                                                                 \
    else                                                                                           \
      for (int64_t i = 0; i < at->lanes; i++)                                                      \
        to[i * stride] = sums[i];                                                                  \
  }

STORE(f32, float)
STORE(f64, double)

static void sum_up(const order *o, const cursor *at) {
  const tr_conv *conv = o->conv;
  int64_t element = conv->output.element;
  char results[TR_SUMS_BYTES] __attribute__((aligned(64)));
  const tr_sums sums = {.a = {conv->input.data + at->input * element, o->planes.input,
                              o->rows.input, o->steps.input, o->lanes.input},
                        .b = {conv->filter.data + at->filter * element, o->planes.filter,
                              o->rows.filter, o->steps.filter, o->lanes.filter},
                        .planes = o->planes.size,
                        .rows = o->rows.size,
                        .steps = o->steps.size,
                        .lanes = at->lanes};
  o->kernel(&sums, results);
  if (conv->output_type == TESSERA_F32)
    store_f32(o, results, at);
  else
    store_f64(o, results, at);
}

static void run_inner(const order *o, int depth, const cursor *from) {
  if (depth == o->inner.num) {
    sum_up(o, from);
    return;
  }
  const loop *along = &o->inner.list[depth];
  for (int64_t i = 0; i < along->size; i++) {
    cursor at = moved(o, along, i, from);
    run_inner(o, depth + 1, &at);
  }
}

static void run_units(void *data, int64_t from, int64_t to) {
  const order *o = data;
  for (int64_t unit = from; unit < to; unit++) {
    cursor at = {.lanes = o->lanes.size < o->chunk ? o->lanes.size : o->chunk,
                 .keeps = !o->conv->overwrite};
    int64_t rest = unit;
    for (int i = o->units.num - 1; i >= 0; i--) {
      at = moved(o, &o->units.list[i], rest % o->units.list[i].size, &at);
      rest /= o->units.list[i].size;
    }
    run_inner(o, 0, &at);
  }
}

/* ---- convolutions ---------------------------------------------------------------------------- */

/* Measured against products by OpenBLAS: vectors win up to the larger number of columns, a number
 * at a time up to the smaller one. */
static int64_t most_columns(const tr_conv *conv) {
  enum { IN_VECTORS = 8, IN_NUMBERS = 2, VECTOR = 16 };
  loops all = {.num = 0};
  read_loops(conv, &all);
  loop lanes = take_lanes(&all);
  return worth(&lanes) >= VECTOR ? IN_VECTORS : IN_NUMBERS;
}

bool tr_host_conv_is_direct(const tr_conv *conv) {
  return conv->input_type == conv->output_type && tr_sums_kernel_of(conv->output_type) &&
         tr_view_elements(&conv->filter) > 0 && tr_view_elements(&conv->input) > 0 &&
         conv->output.sizes[TR_CONV_OUTPUTS] <= most_columns(conv);
}

void tr_host_conv_directly(tr_workspace *workspace, const tr_conv *conv) {
  enum { LEAST = 1 << 19 }; /* products of numbers that take longer than to wake threads */
  order o = {.conv = conv, .kernel = tr_sums_kernel_of(conv->output_type)};
  double products =
      (double)tr_view_elements(&conv->output) * (double)tr_view_elements(&conv->filter) /
      (double)(conv->filter.sizes[TR_FILTER_GROUP] * conv->filter.sizes[TR_FILTER_OUTPUTS]);
  tr_pool *pool = products >= LEAST ? workspace->pool : NULL;
  int32_t threads = pool ? workspace->threads : 1;
  choose_order(conv, threads, &o);
  int64_t units = steps_of(&o.units), block = units / (8 * (int64_t)threads);
  if (pool)
    tr_pool_run(pool, run_units, &o, units, block > 1 ? block : 1);
  else
    run_units(&o, 0, units);
}
