/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A program with device code, written by hand: kernels, constants, copies, and how it fails.
 * usage: program [fails WORD]: a call fails late, with a message that has the word.
 * It must not include anything of the runtime's inside. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/device.h"
#include "tessera/program.h"

/* What tessera/dlpack.h uses of DLPack's header. */
#define DLPACK_MAJOR_VERSION 1
enum { kDLInt, kDLUInt, kDLFloat, kDLBfloat = 4, kDLComplex, kDLBool };
enum { kDLCPU = 1, kDLCUDA };
typedef struct DLTensor {
  void *data;
  struct {
    int device_type;
    int32_t device_id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} DLTensor;

#include "tessera/dlpack.h"

static int failed;

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, tessera_last_error());    \
      failed = 1;                                                                                  \
    }                                                                                              \
  } while (0)

/* ---- the device's code ----------------------------------------------------------------------- */

/* y[i] = x[i] * table[i % 4] + sum of x over the block, by shared memory and shuffles. */
static const char code[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry scale(.param .u64 x, .param .u64 y, .param .u64 table, .param .u64 n)\n"
    "{\n"
    "  .reg .pred %p<4>; .reg .b32 %r<12>; .reg .f32 %f<12>; .reg .b64 %rd<12>;\n"
    "  .shared .align 4 .b8 sums[8];\n"
    "  mov.u32 %r1, %tid.x; ld.param.u64 %rd4, [n]; cvt.u64.u32 %rd5, %r1;\n"
    "  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u64 %rd3, [table];\n"
    "  mov.f32 %f1, 0f00000000; setp.ge.u64 %p1, %rd5, %rd4; @%p1 bra $sum;\n"
    "  shl.b64 %rd6, %rd5, 2; add.s64 %rd7, %rd1, %rd6; ld.global.f32 %f1, [%rd7];\n"
    "$sum:\n"
    "  shfl.sync.bfly.b32 %f2, %f1, 16, 31, -1; add.rn.f32 %f3, %f1, %f2;\n"
    "  shfl.sync.bfly.b32 %f2, %f3, 8, 31, -1; add.rn.f32 %f3, %f3, %f2;\n"
    "  shfl.sync.bfly.b32 %f2, %f3, 4, 31, -1; add.rn.f32 %f3, %f3, %f2;\n"
    "  shfl.sync.bfly.b32 %f2, %f3, 2, 31, -1; add.rn.f32 %f3, %f3, %f2;\n"
    "  shfl.sync.bfly.b32 %f2, %f3, 1, 31, -1; add.rn.f32 %f3, %f3, %f2;\n"
    "  shr.u32 %r2, %r1, 5; shl.b32 %r3, %r2, 2; mov.u32 %r4, sums; add.u32 %r5, %r4, %r3;\n"
    "  and.b32 %r6, %r1, 31; setp.ne.u32 %p2, %r6, 0;\n"
    "  @!%p2 st.shared.f32 [%r5], %f3;\n"
    "  bar.sync 0;\n"
    "  ld.shared.f32 %f4, [sums]; ld.shared.f32 %f5, [sums+4]; add.rn.f32 %f6, %f4, %f5;\n"
    "  @%p1 ret;\n"
    "  and.b32 %r7, %r1, 3; mul.wide.u32 %rd8, %r7, 4; add.s64 %rd9, %rd3, %rd8;\n"
    "  ld.global.f32 %f7, [%rd9]; fma.rn.f32 %f8, %f1, %f7, %f6;\n"
    "  add.s64 %rd10, %rd2, %rd6; st.global.f32 [%rd10], %f8;\n"
    "  ret;\n"
    "}\n";

static const tessera_image images[] = {
    {sizeof(images[0]), TESSERA_IMAGE_CUBIN, "sm_90", "\177ELF of another chip", 21},
    {sizeof(images[0]), TESSERA_IMAGE_PTX, "sm_70", code, sizeof(code)}};
static const tessera_module modules[] = {{sizeof(modules[0]), 2, images}};
static const float table[4] = {2, 3, 5, 7};
static const tessera_constant constants[] = {{sizeof(constants[0]), 0, table, sizeof(table)}};
static const tessera_kernel kernels[] = {
    {sizeof(kernels[0]), 0, "scale", "linalg.generic", "p.mlir:3:5", {64, 1, 1}, 0, 4, 0}};
static const tessera_device_code device_code = {sizeof(device_code), 1, "cuda", modules, kernels,
                                                constants,           1, 1};

/* ---- the host's code ------------------------------------------------------------------------- */

typedef struct vector {
  void *allocated;
  char *aligned;
  int64_t offset, size, stride;
} vector;

static const tessera_site to_host = {.struct_size = sizeof(to_host),
                                     .kind = TESSERA_SITE_COPY,
                                     .name = "memref.copy",
                                     .location = "p.mlir:4:5",
                                     .input_rank = 1,
                                     .output_rank = 1,
                                     .input_type = TESSERA_F32,
                                     .output_type = TESSERA_F32,
                                     .flags = TESSERA_SITE_TO_HOST};

static void scale(const vector *x, vector *y) {
  void *factors = tessera_rt_device_constant(&constants[0]);
  int64_t blocks[3] = {1, 1, 1};
  y->allocated = tessera_rt_device_allocate(y->size * 4);
  y->aligned = y->allocated;
  const char *from = x->aligned + 4 * x->offset;
  void *arguments[] = {&from, &y->aligned, &factors, &y->size};
  tessera_rt_launch(&kernels[0], NULL, blocks, arguments);
}

/* y = scale(scale(x)); the first one is freed while the second may still be read it. */
static void main_function(void **arguments, void **results) {
  const vector *x = arguments[0];
  vector once = {.size = x->size, .stride = 1}, *twice = results[0];
  *twice = once;
  scale(x, &once);
  scale(&once, twice);
  tessera_rt_device_free(once.allocated);
}

/* The host looks at each third element. */
static void peek(void **arguments, void **results) {
  vector from = *(const vector *)arguments[0];
  float seen[64], *sum = results[0];
  from.size = (from.size + 2) / 3;
  from.stride = 3;
  vector to = {seen, (char *)seen, 0, from.size, 1};
  tessera_rt_device_copy(&to_host, NULL, &from, &to);
  *sum = 0;
  for (int64_t i = 0; i < to.size; i++)
    *sum += seen[i];
}

static const int64_t any[] = {-1};
static const tessera_parameter tensor = {sizeof(tensor), TESSERA_F32, 1, -1, any, NULL, "x", "f32",
                                         NULL,           TESSERA_F32, 0};
static const tessera_parameter scalar = {
    sizeof(scalar), TESSERA_F32, -1, -1, NULL, NULL, "s", "f32", NULL, TESSERA_F32, 0};
static const tessera_entry entries[] = {
    {sizeof(entries[0]), 0, "main", main_function, 1, 1, &tensor, &tensor, NULL, 0, 0},
    {sizeof(entries[0]), 0, "peek", peek, 1, 1, &tensor, &scalar, NULL, 0, 0}};
static const tessera_program_record record = {.struct_size = sizeof(record),
                                              .abi_version = TESSERA_ABI_VERSION,
                                              .source = "p.mlir",
                                              .num_entries = 2,
                                              .entries = entries,
                                              .device_code = &device_code};

/* ---- what must come out ---------------------------------------------------------------------- */

static void expect_scale(float *x, int64_t n) {
  float sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += x[i];
  for (int64_t i = 0; i < n; i++)
    x[i] = x[i] * table[i % 4] + sum;
}

static void call(tessera_program *program, tessera_context *context, int64_t n, int32_t rank) {
  tessera_tensor x, y, s;
  float expected[64], sum = 0;
  EXPECT(tessera_tensor_create(TESSERA_F32, 1, &n, &x) == TESSERA_OK);
  for (int64_t i = 0; i < n; i++)
    ((float *)x.data)[i] = expected[i] = (float)(i + rank);
  EXPECT(tessera_tensor_to_device(context, &x) == TESSERA_OK);
  EXPECT(x.device);
  EXPECT(tessera_call(program, &entries[0], context, &x, &y) == TESSERA_OK);
  EXPECT(tessera_call(program, &entries[1], context, &y, &s) == TESSERA_OK);
  EXPECT(tessera_tensor_to_host(&y) == TESSERA_OK);
  expect_scale(expected, n);
  expect_scale(expected, n);
  for (int64_t i = 0; i < n; i++) {
    EXPECT(((float *)y.data)[i] == expected[i]);
    sum += i % 3 == 0 ? expected[i] : 0;
  }
  EXPECT(*(float *)s.data == sum);
  tessera_tensor_destroy(&x);
  tessera_tensor_destroy(&y);
  tessera_tensor_destroy(&s);
}

/* The driver says that each piece of work takes a microsecond: two launches, and what they need. A
 * call itself waits for nothing. */
static void measure(tessera_program *program, tessera_context *context) {
  tessera_stopwatch *watch;
  tessera_tensor x, y;
  int64_t n = 64;
  double seconds = 0;
  EXPECT(tessera_tensor_create(TESSERA_F32, 1, &n, &x) == TESSERA_OK);
  memset(x.data, 0, 64 * sizeof(float));
  EXPECT(tessera_tensor_to_device(context, &x) == TESSERA_OK);
  for (int calls = 1; calls <= 3; calls++) {
    double before = seconds;
    EXPECT(tessera_stopwatch_start(context, &watch) == TESSERA_OK);
    for (int i = 0; i < calls; i++) {
      EXPECT(tessera_call(program, &entries[0], context, &x, &y) == TESSERA_OK);
      tessera_tensor_destroy(&y);
    }
    EXPECT(tessera_stopwatch_stop(watch, &seconds) == TESSERA_OK);
    EXPECT(seconds > before + 1.9e-6 && seconds < 1e-4);
  }
  tessera_tensor_destroy(&x);
}

typedef struct seat {
  tessera_program *program;
  tessera_context *context;
} seat;

static void *run(void *data) {
  const seat *seat = data;
  EXPECT(tessera_program_attach(seat->program, seat->context) == TESSERA_OK);
  for (int64_t n = 1; n <= 64 && !failed; n += 7)
    call(seat->program, seat->context, n, tessera_context_rank(seat->context));
  measure(seat->program, seat->context);
  EXPECT(tessera_synchronize(seat->context) == TESSERA_OK);
  return NULL;
}

/* Each rank has a stream of its own; two programs in turn, and a program of the host beside. */
static void run_ranks(void) {
  enum { RANKS = 3 };
  tessera_context *contexts[RANKS];
  tessera_program *program;
  pthread_t threads[RANKS];
  seat seats[RANKS];
  for (int round = 0; round < 2; round++) {
    EXPECT(tessera_program_from_record(&record, &program) == TESSERA_OK);
    EXPECT(tessera_local_create(RANKS, contexts) == TESSERA_OK);
    for (int i = 0; i < RANKS; i++) {
      seats[i] = (seat){program, contexts[i]};
      pthread_create(&threads[i], NULL, run, &seats[i]);
    }
    for (int i = 0; i < RANKS; i++)
      pthread_join(threads[i], NULL);
    tessera_local_destroy(RANKS, contexts);
    tessera_program_unload(program);
  }
}

/* ---- arrays of the host, and of others ------------------------------------------------------- */

static void halve(void **arguments, void **results) {
  const vector *x = arguments[0];
  vector *y = results[0];
  y->allocated = y->aligned = tessera_alloc((size_t)x->size * sizeof(float));
  y->offset = 0;
  y->size = x->size;
  y->stride = 1;
  for (int64_t i = 0; i < x->size; i++)
    ((float *)y->aligned)[i] = ((const float *)x->aligned)[i * x->stride] / 2;
}

static const tessera_entry half_entry = {
    sizeof(half_entry), 0, "half", halve, 1, 1, &tensor, &tensor, NULL, 0, 0};
static const tessera_program_record half_record = {.struct_size = sizeof(half_record),
                                                   .abi_version = TESSERA_ABI_VERSION,
                                                   .source = "half.mlir",
                                                   .num_entries = 1,
                                                   .entries = &half_entry};

static bool is_same(const float *a, const float *b, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

/* Every other number of the host, through DLPack and to the device by the call itself; back to the
 * host, where a program of the host goes on; its result by hand to the device and back. */
static void pass_host_arrays(tessera_program *program, tessera_context *context,
                             tessera_program *half, tessera_context *host) {
  enum { N = 40 };
  float numbers[2 * N], expected[N];
  int64_t n = N, two = 2;
  for (int i = 0; i < 2 * N; i++)
    numbers[i] = (float)(i % 5);
  for (int i = 0; i < N; i++)
    expected[i] = numbers[2 * i];
  expect_scale(expected, N);
  expect_scale(expected, N);
  DLTensor given = {.data = numbers,
                    .device = {kDLCPU, 0},
                    .ndim = 1,
                    .dtype = {kDLFloat, 32, 1},
                    .shape = &n,
                    .strides = &two};
  tessera_tensor x, y, z, there, back;
  EXPECT(tessera_from_dlpack(context, &given, &x) && !x.device);
  EXPECT(tessera_call_to_host(program, &entries[0], context, &x, &y) == TESSERA_OK);
  EXPECT(!y.device && is_same(y.data, expected, N));
  EXPECT(tessera_call(half, &half_entry, host, &y, &z) == TESSERA_OK);
  EXPECT(!z.device && ((const float *)z.data)[7] == expected[7] / 2);
  EXPECT(tessera_device_put(context, &z, &there) == TESSERA_OK && there.device);
  EXPECT(tessera_to_dlpack(&there, &given) && given.device.device_type == kDLCUDA);
  EXPECT(given.device.device_id == tessera_device_ordinal(there.device));
  EXPECT(tessera_from_dlpack(context, &given, &x) && x.device == there.device);
  EXPECT(!tessera_from_dlpack(host, &given, &x));
  EXPECT(tessera_device_get(&there, &back) == TESSERA_OK);
  EXPECT(is_same(back.data, z.data, N));
  EXPECT(tessera_call(half, &half_entry, host, &there, &x) == TESSERA_ERROR_MISMATCH);
  tessera_tensor_destroy(&y);
  tessera_tensor_destroy(&z);
  tessera_tensor_destroy(&there);
  tessera_tensor_destroy(&back);
}

static void run_beside_host(void) {
  tessera_program *program, *half;
  tessera_context *context, *host;
  EXPECT(tessera_program_from_record(&record, &program) == TESSERA_OK);
  EXPECT(tessera_program_from_record(&half_record, &half) == TESSERA_OK);
  EXPECT(tessera_local_create(1, &context) == TESSERA_OK);
  EXPECT(tessera_local_create(1, &host) == TESSERA_OK);
  EXPECT(tessera_program_attach(program, context) == TESSERA_OK);
  EXPECT(tessera_program_attach(half, host) == TESSERA_OK);
  EXPECT(tessera_context_device(context) && !tessera_context_device(host));
  for (int i = 0; i < 3 && !failed; i++)
    pass_host_arrays(program, context, half, host);
  tessera_local_destroy(1, &context);
  tessera_local_destroy(1, &host);
  tessera_program_unload(program);
  tessera_program_unload(half);
}

static void refuse_host_program(void) {
  tessera_program_record plain = record;
  tessera_program *program, *other;
  tessera_context *context;
  plain.device_code = NULL;
  EXPECT(tessera_program_from_record(&record, &program) == TESSERA_OK);
  EXPECT(tessera_program_from_record(&plain, &other) == TESSERA_OK);
  EXPECT(tessera_local_create(1, &context) == TESSERA_OK);
  EXPECT(tessera_program_attach(program, context) == TESSERA_OK);
  EXPECT(tessera_program_attach(other, context) == TESSERA_ERROR_MISMATCH);
  EXPECT(strstr(tessera_last_error(), "code of the host, and the context's device is 'cuda'"));
  tessera_local_destroy(1, &context);
  EXPECT(tessera_local_create(1, &context) == TESSERA_OK);
  EXPECT(tessera_program_attach(other, context) == TESSERA_OK);
  EXPECT(tessera_program_attach(program, context) == TESSERA_ERROR_MISMATCH);
  tessera_local_destroy(1, &context);
  tessera_program_unload(program);
  tessera_program_unload(other);
}

/* The failure comes from wherever the device is asked next. */
static int run_failing(const char *word) {
  tessera_program *program = NULL;
  tessera_context *context = NULL;
  tessera_tensor x = {0}, y = {0};
  int64_t n = 64;
  tessera_status status = tessera_program_from_record(&record, &program);
  if (!status)
    status = tessera_local_create(1, &context);
  if (!status)
    status = tessera_program_attach(program, context);
  if (!status)
    status = tessera_tensor_create(TESSERA_F32, 1, &n, &x);
  if (!status)
    status = tessera_tensor_to_device(context, &x);
  for (int i = 0; !status && i < 4; i++) {
    status = tessera_call(program, &entries[0], context, &x, &y);
    if (!status)
      tessera_tensor_destroy(&y);
  }
  if (!status)
    status = tessera_synchronize(context);
  fprintf(stderr, "%s\n", tessera_last_error());
  bool is_told = status && strstr(tessera_last_error(), word);
  tessera_tensor_destroy(&x);
  if (context)
    tessera_local_destroy(1, &context);
  if (program)
    tessera_program_unload(program);
  return is_told ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc == 3)
    return run_failing(argv[2]);
  run_ranks();
  run_beside_host();
  refuse_host_program();
  return failed;
}
