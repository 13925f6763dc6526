/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Convolutions: element types, strides, groups, dilations, odd sizes, with and without oneDNN
 * (TESSERA_DNNL=none), against plain loops. usage: conv [STRIDE]: of so many cases one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "values.h"

enum { MOST_WINDOW = 3 };

typedef struct shape {
  int32_t window;
  int64_t batch, groups, inputs, outputs;
  int64_t places[MOST_WINDOW], taps[MOST_WINDOW], steps[MOST_WINDOW], dilations[MOST_WINDOW];
  int64_t unread; /* how far the input goes on behind the last window */
} shape;

/* How the dimensions of an operand lie in memory. */
typedef enum order { AS_NAMED, CHANNELS_LAST, SCATTERED, NUM_ORDERS } order;

/* The operand in memory of any order: a memref whose strides are permuted. */
static memref create(tessera_dtype type, int32_t rank, const int64_t *sizes, order order,
                     uint64_t seed) {
  int64_t outer_first[MAX_RANK], permuted[MAX_RANK];
  size_t element = tessera_dtype_size(type);
  for (int32_t i = 0; i < rank; i++)
    outer_first[i] = i;
  if (order == CHANNELS_LAST)
    for (int32_t i = 0; i < rank - 1; i++)
      outer_first[i + 1] = i + 3 < rank ? i + 3 : i + 3 - rank + 1;
  for (int32_t i = 0; i < rank; i++)
    permuted[i] = sizes[outer_first[i]];
  memref made = memref_create(rank, permuted, element,
                              order == SCATTERED ? (seed % 2 ? TRANSPOSED : WITH_GAPS) : DENSE);
  memref result = made;
  for (int32_t i = 0; i < rank; i++) {
    result.dims[outer_first[i]] = made.dims[i];
    result.dims[rank + outer_first[i]] = made.dims[rank + i];
  }
  for (int64_t i = 0; i < memref_elements(&result, rank); i++)
    store_value(type, random_value(type, TESSERA_SUM, mix(seed, (uint64_t)i)),
                memref_at(&result, rank, element, i));
  return result;
}

static value load(const memref *memref, tessera_dtype type, int32_t rank, const int64_t *index) {
  int64_t at = 0;
  for (int32_t i = 0; i < rank; i++)
    at = at * memref->dims[i] + index[i];
  return load_value(type, memref_at(memref, rank, tessera_dtype_size(type), at));
}

/* Counts `index` up within `sizes`, the last fastest; false at the end. */
static bool advance(int32_t rank, const int64_t *sizes, int64_t *index) {
  for (int32_t i = rank - 1; i >= 0; i--) {
    if (++index[i] < sizes[i])
      return true;
    index[i] = 0;
  }
  return false;
}

typedef struct operands {
  tessera_dtype input_type, output_type;
  memref input, filter, output;
} operands;

static value sum_at(const operands *o, const shape *s, const int64_t *place) {
  int32_t rank = 3 + s->window;
  value sum = {0, 0, 0};
  if (s->inputs == 0)
    return sum;
  int64_t sizes[MAX_RANK] = {s->inputs}, tap[MAX_RANK] = {0};
  memcpy(sizes + 1, s->taps, sizeof(s->taps));
  do {
    int64_t in[MAX_RANK] = {place[0], place[1], tap[0]},
            at[MAX_RANK] = {place[1], place[2], tap[0]};
    for (int32_t i = 0; i < s->window; i++) {
      in[3 + i] = place[3 + i] * s->steps[i] + tap[1 + i] * s->dilations[i];
      at[3 + i] = tap[1 + i];
    }
    value x = convert_value(o->input_type, o->output_type, false,
                            load(&o->input, o->input_type, rank, in));
    value y = convert_value(o->input_type, o->output_type, false,
                            load(&o->filter, o->input_type, rank, at));
    sum.integer = (int64_t)((uint64_t)sum.integer + (uint64_t)x.integer * (uint64_t)y.integer);
    sum.real += x.real * y.real - x.imaginary * y.imaginary;
    sum.imaginary += x.real * y.imaginary + x.imaginary * y.real;
  } while (advance(1 + s->window, sizes, tap));
  return sum;
}

static bool agrees(tessera_dtype type, value found, value sum) {
  char element[16];
  store_value(type, sum, element); /* rounds and wraps as the type does */
  value expected = load_value(type, element);
  if (kind_of(type) < KIND_FLOAT)
    return found.integer == expected.integer;
  return fabs(found.real - expected.real) <= 1e-5 * (1 + fabs(expected.real)) &&
         fabs(found.imaginary - expected.imaginary) <= 1e-5 * (1 + fabs(expected.imaginary));
}

static void check(const operands *o, const shape *s, const value *old, bool overwrite,
                  const char *what) {
  int32_t rank = 3 + s->window;
  int64_t place[MAX_RANK] = {0}, i = 0;
  do {
    value sum = sum_at(o, s, place), found = load(&o->output, o->output_type, rank, place);
    if (!overwrite) {
      sum.integer = (int64_t)((uint64_t)sum.integer + (uint64_t)old[i].integer);
      sum.real += old[i].real;
      sum.imaginary += old[i].imaginary;
    }
    if (!agrees(o->output_type, found, sum)) {
      fail_test("%s: element %d is %g, expected %g", what, (int)i, found.real, sum.real);
      return;
    }
    i++;
  } while (advance(rank, o->output.dims, place));
}

static tessera_site site_of(const shape *s, tessera_dtype input, tessera_dtype output,
                            uint32_t flags) {
  return (tessera_site){.struct_size = sizeof(tessera_site),
                        .kind = TESSERA_SITE_CONV,
                        .name = "convolution",
                        .location = "",
                        .index = -1,
                        .input_rank = 3 + s->window,
                        .output_rank = 3 + s->window,
                        .input_type = (int32_t)input,
                        .output_type = (int32_t)output,
                        .flags = flags,
                        .from = s->steps,
                        .to = s->dilations};
}

static void create_operands(const shape *s, order order, uint64_t seed, operands *o) {
  int64_t in[MAX_RANK] = {s->batch, s->groups, s->inputs};
  int64_t filter[MAX_RANK] = {s->groups, s->outputs, s->inputs};
  int64_t out[MAX_RANK] = {s->batch, s->groups, s->outputs};
  for (int32_t i = 0; i < s->window; i++) {
    in[3 + i] =
        (s->places[i] - 1) * s->steps[i] + (s->taps[i] - 1) * s->dilations[i] + 1 + s->unread;
    filter[3 + i] = s->taps[i];
    out[3 + i] = s->places[i];
  }
  int32_t rank = 3 + s->window;
  o->input = create(o->input_type, rank, in, order, mix(seed, 1));
  o->filter =
      create(o->input_type, rank, filter, (enum order)((order + seed) % NUM_ORDERS), mix(seed, 2));
  o->output = create(o->output_type, rank, out, order, mix(seed, 3));
}

static void destroy_operands(operands *o) {
  memref_destroy(&o->input);
  memref_destroy(&o->filter);
  memref_destroy(&o->output);
}

static void run_case(const shape *s, tessera_dtype input, tessera_dtype output, order order,
                     uint32_t flags, uint64_t seed) {
  operands o = {.input_type = input, .output_type = output};
  create_operands(s, order, seed, &o);
  int32_t rank = 3 + s->window;
  int64_t elements = memref_elements(&o.output, rank);
  value *old = calloc((size_t)elements + 1, sizeof(*old));
  for (int64_t i = 0; i < elements; i++)
    old[i] = load_value(output, memref_at(&o.output, rank, tessera_dtype_size(output), i));
  tessera_site site = site_of(s, input, output, flags);
  char what[160];
  snprintf(what, sizeof(what),
           "types %d %d, window %d of %d taps, %d groups of %d to %d, order %d, flags %u", input,
           output, s->window, (int)s->taps[0], (int)s->groups, (int)s->inputs, (int)s->outputs,
           order, flags);
  memref input_there = on_device(&o.input), filter_there = on_device(&o.filter);
  memref output_there = on_device(&o.output);
  tessera_rt_conv(&site, NULL, &input_there, &filter_there, &output_there);
  await_device();
  if (elements > 0)
    check(&o, s, old, flags & TESSERA_SITE_OVERWRITE, what);
  free(old);
  destroy_operands(&o);
}

static const shape shapes[] = {
    {1, 2, 1, 3, 5, {7}, {3}, {1}, {1}, 0},
    {1, 1, 2, 4, 4, {9}, {2}, {3}, {2}, 1},
    {2, 1, 1, 1, 1, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 0},
    {2, 3, 1, 3, 16, {7, 5}, {3, 3}, {2, 2}, {1, 1}, 1}, /* the first layer of a network */
    {2, 2, 1, 16, 32, {6, 9}, {3, 3}, {1, 1}, {1, 1}, 0},
    {2, 2, 1, 8, 24, {5, 7}, {1, 1}, {1, 1}, {1, 1}, 0}, /* a product */
    {2, 2, 1, 8, 24, {5, 7}, {1, 1}, {2, 3}, {1, 1}, 0},
    {2, 1, 1, 5, 7, {4, 4}, {3, 2}, {1, 2}, {2, 3}, 2},
    {2, 2, 3, 4, 6, {5, 5}, {3, 3}, {1, 1}, {1, 1}, 0},  /* grouped */
    {2, 2, 16, 1, 1, {8, 6}, {3, 3}, {1, 1}, {1, 1}, 0}, /* depthwise */
    {2, 1, 5, 1, 2, {4, 6}, {3, 3}, {2, 2}, {1, 1}, 0},
    {2, 1, 1, 4, 6, {3, 3}, {11, 9}, {1, 1}, {2, 2}, 0}, /* the gradient of a filter */
    {2, 2, 70, 1, 1, {5, 6}, {3, 3}, {1, 1}, {1, 1}, 0}, /* more channels than are summed at once */
    {2, 2, 3, 1, 1, {4, 71}, {3, 5}, {1, 2}, {2, 1}, 1},
    {2, 1, 37, 4, 1, {3, 3}, {9, 8}, {1, 1}, {1, 1}, 0}, /* the gradient of a depthwise filter */
    {2, 1, 2, 3, 1, {3, 2}, {7, 75}, {1, 1}, {2, 1}, 0},
    {2, 1, 1, 67, 1, {3, 5}, {3, 3}, {1, 1}, {1, 1}, 0}, /* to one channel */
    {1, 3, 6, 2, 4, {77}, {5}, {1}, {3}, 0},
    {3, 2, 19, 1, 1, {3, 2, 5}, {3, 2, 3}, {2, 1, 1}, {1, 2, 1}, 0},
    {3, 1, 1, 2, 3, {3, 4, 5}, {2, 3, 2}, {1, 2, 1}, {2, 1, 1}, 0},
    {2, 1, 1, 0, 3, {3, 3}, {2, 2}, {1, 1}, {1, 1}, 0}, /* sums of nothing */
    {2, 0, 1, 2, 3, {3, 3}, {2, 2}, {1, 1}, {1, 1}, 0},
    {2, 1, 1, 16, 2, {50, 45}, {3, 3}, {1, 1}, {1, 1}, 0}, /* rows in several parts */
};

/* `data`: of how many cases one is tried. */
static void run_all(int32_t rank, int32_t size, void *data) {
  static const tessera_dtype types[][2] = {{TESSERA_F32, TESSERA_F32}, {TESSERA_F64, TESSERA_F64},
                                           {TESSERA_C64, TESSERA_C64}, {TESSERA_BF16, TESSERA_BF16},
                                           {TESSERA_F16, TESSERA_F32}, {TESSERA_I8, TESSERA_I32},
                                           {TESSERA_I64, TESSERA_I64}};
  size_t num_types = sizeof(types) / sizeof(types[0]),
         last = sizeof(shapes) / sizeof(shapes[0]) - 1;
  uint64_t stride = *(const uint64_t *)data, number = 0;
  (void)size;
  for (size_t t = 0; t < num_types; t++)
    for (size_t s = 0; s <= last && (t == 0 || s < last); s++)
      for (int order = 0; order < NUM_ORDERS; order++)
        for (uint32_t flags = 0; flags <= TESSERA_SITE_OVERWRITE; flags += TESSERA_SITE_OVERWRITE)
          if (number++ % stride == 0)
            run_case(&shapes[s], types[t][0], types[t][1], (enum order)order, flags,
                     mix(mix(t, s), (uint64_t)(order + rank)));
}

/* Sizes that change with every call, more of them than are kept. */
static void run_many(int32_t rank, int32_t size, void *data) {
  (void)rank;
  int64_t stride = (int64_t)*(const uint64_t *)data;
  (void)size;
  for (int64_t i = 0; i < 600; i += stride) {
    shape s = {2, 1, 1, 2, 3, {3 + i % 40, 4 + i / 40}, {3, 3}, {1, 1}, {1, 1}, 0};
    run_case(&s, TESSERA_F32, TESSERA_F32, CHANNELS_LAST, TESSERA_SITE_OVERWRITE, (uint64_t)i);
  }
}

/* Enough to be dealt to threads: depthwise, the gradient of its filter, and to few channels. */
static void run_large(int32_t rank, int32_t size, void *data) {
  static const shape large[] = {
      {2, 2, 70, 1, 1, {33, 30}, {3, 3}, {1, 1}, {1, 1}, 0},
      {2, 1, 37, 2, 1, {3, 3}, {33, 29}, {1, 1}, {1, 1}, 0},
      {2, 2, 3, 4, 2, {40, 37}, {3, 3}, {1, 2}, {2, 1}, 0},
  };
  uint64_t stride = *(const uint64_t *)data;
  (void)rank;
  (void)size;
  for (uint64_t i = 0; i < 3 * (uint64_t)NUM_ORDERS; i += stride)
    run_case(&large[i / NUM_ORDERS], TESSERA_F32, TESSERA_F32, (enum order)(i % NUM_ORDERS),
             i % 2 ? TESSERA_SITE_OVERWRITE : 0, i);
}

static void call_misfit(void *data) {
  const operands *o = data;
  tessera_site site = site_of(&shapes[4], TESSERA_F32, TESSERA_F32, 0);
  tessera_rt_conv(&site, NULL, &o->input, &o->filter, &o->output);
}

/* A window that does not fit is an error, not a read behind the input. */
static void expect_mismatch(int32_t rank, int32_t size, void *data) {
  operands o = {.input_type = TESSERA_F32, .output_type = TESSERA_F32};
  caught caught;
  (void)rank;
  (void)size;
  (void)data;
  create_operands(&shapes[4], AS_NAMED, 1, &o);
  o.input.dims[4]--;
  EXPECT(attempt(&caught, call_misfit, &o) == TESSERA_ERROR_MISMATCH);
  EXPECT(strstr(caught.message,
                "an input of sizes 2x1x16x8x10 and a filter of sizes 1x32x16x3x3 do "
                "not give 2x1x32x6x9"));
  destroy_operands(&o);
}

int main(int argc, char **argv) {
  uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  run_local(1, run_many, &stride);
  run_local(1, run_large, &stride);
  run_local(2, run_all, &stride);
  run_local(1, expect_mismatch, NULL);
  return finish_tests();
}
