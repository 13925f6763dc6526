/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One compiled reduction of the middle of three dimensions beside plain loops: medians of calls in
 * turn, and how far the result is off. Sizes and types are macros, so that the C compiler knows
 * them. It knows the public program interface only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/timing.h"
#include "tessera/program.h"

enum { MAX_ROUNDS = 1001 };
enum { KIND_sum, KIND_products, KIND_max, KIND_min };
#define TYPE_f32 0
#define TYPE_f64 1
#define TYPE_bf16 2

#if TYPE == TYPE_f64
typedef double number;
typedef double result;
#elif TYPE == TYPE_bf16
typedef uint16_t number;
typedef float result;
#else
typedef float number;
typedef float result;
#endif

static result widen(number x) {
#if TYPE == TYPE_bf16
  uint32_t bits = (uint32_t)x << 16;
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
#else
  return x;
#endif
}

static result start(void) {
  return KIND == KIND_max ? -INFINITY : KIND == KIND_min ? INFINITY : 0;
}

static result term(number x, number y) {
  return KIND == KIND_products ? widen(x) * widen(y) : widen(x);
}

/* A NaN wins, as in arith.maximumf. */
static result combine(result s, result v) {
  if (KIND == KIND_max)
    return s > v || s != s ? s : v;
  if (KIND == KIND_min)
    return s < v || s != s ? s : v;
  return s + v;
}

__attribute__((noinline)) static void plain(const number *restrict x, const number *restrict y,
                                            result *restrict s) {
  for (int64_t o = 0; o < OUTER; o++) {
    for (int64_t c = 0; c < COLUMNS; c++)
      s[o * COLUMNS + c] = start();
    for (int64_t r = 0; r < ROWS; r++)
      for (int64_t c = 0; c < COLUMNS; c++) {
        int64_t i = (o * ROWS + r) * COLUMNS + c;
        s[o * COLUMNS + c] = combine(s[o * COLUMNS + c], term(x[i], y[i]));
      }
  }
}

/* ---- values ---------------------------------------------------------------------------------- */

static double uniform(void) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

/* A standard normal + 1. */
static number value(void) {
  double normal = sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
#if TYPE == TYPE_bf16
  float rounded = (float)(normal + 1);
  uint32_t bits;
  memcpy(&bits, &rounded, sizeof(bits));
  return (uint16_t)(bits >> 16);
#else
  return (number)(normal + 1);
#endif
}

/* The largest difference from what long doubles give, relative to the largest of those. */
static double error_of(const number *x, const number *y, const result *s) {
  long double most = 0, largest = 0;
  for (int64_t o = 0; o < OUTER; o++)
    for (int64_t c = 0; c < COLUMNS; c++) {
      long double sum = start();
      for (int64_t r = 0; r < ROWS; r++) {
        int64_t i = (o * ROWS + r) * COLUMNS + c;
        long double v =
            KIND == KIND_products ? (long double)widen(x[i]) * widen(y[i]) : widen(x[i]);
        sum = KIND == KIND_max ? fmaxl(sum, v) : KIND == KIND_min ? fminl(sum, v) : sum + v;
      }
      most = fmaxl(most, fabsl(sum - s[o * COLUMNS + c]));
      largest = fmaxl(largest, fabsl(sum));
    }
  return (double)(most / largest);
}

/* ---- times ----------------------------------------------------------------------------------- */

static void check(tessera_status status) {
  if (status == TESSERA_OK)
    return;
  fprintf(stderr, "sums: %s\n", tessera_last_error());
  exit(1);
}

int main(int argc, char **argv) {
  static double by_hand[MAX_ROUNDS], compiled[MAX_ROUNDS];
  static const tessera_dtype types[] = {TESSERA_F32, TESSERA_F64, TESSERA_BF16};
  tessera_context *context;
  tessera_program *program;
  const tessera_entry *entry;
  int rounds = argc == 3 ? atoi(argv[2]) : 0;
  if (rounds < 1 || rounds > MAX_ROUNDS)
    return fprintf(stderr, "usage: sums PROGRAM.so ROUNDS\n"), 1;
  check(tessera_default_context(&context));
  check(tessera_program_load(argv[1], &program));
  check(tessera_program_find(program, NULL, &entry));
  check(tessera_program_attach(program, context));
  tessera_tensor arguments[2], result_tensor;
  for (int a = 0; a < 2; a++) {
    const int64_t shapes[][3] = {{OUTER, ROWS, COLUMNS}, {ROWS, COLUMNS, 0}, {ROWS, 0, 0}};
    const tessera_parameter *parameter = &entry->arguments[a];
    check(tessera_tensor_create(types[TYPE], parameter->rank, shapes[3 - parameter->rank],
                                &arguments[a]));
    for (int64_t i = 0; i < (int64_t)OUTER * ROWS * COLUMNS; i++)
      ((number *)arguments[a].data)[i] = value();
  }
  result *s = calloc((size_t)OUTER * COLUMNS, sizeof(*s));
  double error = 0;
  for (int round = -1; round < rounds; round++) {
    double times[3] = {bench_now()};
    plain(arguments[0].data, arguments[1].data, s);
    times[1] = bench_now();
    check(tessera_call(program, entry, context, arguments, &result_tensor));
    times[2] = bench_now();
    if (round < 0)
      error = error_of(arguments[0].data, arguments[1].data, result_tensor.data);
    else
      by_hand[round] = times[1] - times[0], compiled[round] = times[2] - times[1];
    tessera_tensor_destroy(&result_tensor);
  }
  double plain_time = 1e3 * bench_median(by_hand, rounds);
  double our_time = 1e3 * bench_median(compiled, rounds);
  printf("%.3f %.3f %.2f %.1e\n", plain_time, our_time, our_time / plain_time, error);
  free(s);
  check(tessera_finalize());
  return 0;
}
