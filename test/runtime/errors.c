/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What goes wrong is said once, by name, on every rank; nobody hangs.
 * usage: errors, or errors NAME, which must exit 1 with one message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

static const int64_t four = 4, pair[2] = {2, 2};
static const tessera_grid line = {sizeof(line), 1, "line", &four};
static const tessera_grid square = {sizeof(square), 2, "square", pair};
static const int32_t axes[2] = {0, 1};

/* One call of a rank: a collective on vectors of so many rows. */
typedef struct vector_call {
  tessera_site site;
  int64_t in_rows, out_rows;
} vector_call;

static vector_call make_call(tessera_site_kind kind, const char *name, const char *location,
                             int64_t in_rows, int64_t out_rows) {
  tessera_site site = {.struct_size = sizeof(tessera_site),
                       .kind = kind,
                       .name = name,
                       .location = location,
                       .grid = &line,
                       .axes = axes,
                       .num_axes = 1,
                       .index = -1,
                       .input_rank = 1,
                       .output_rank = 1,
                       .input_type = TESSERA_F32,
                       .output_type = TESSERA_F32,
                       .reduction = kind == TESSERA_SITE_ALL_REDUCE ? TESSERA_SUM : 0};
  return (vector_call){site, in_rows, out_rows};
}

static void run_call(void *argument) {
  const vector_call *call = argument;
  float memory[2][64] = {{0}};
  memref in = {memory[0], (char *)memory[0], 0, {call->in_rows, 1}};
  memref out = {memory[1], (char *)memory[1], 0, {call->out_rows, 1}};
  if (call->site.kind == TESSERA_SITE_ALL_REDUCE)
    tessera_rt_all_reduce(&call->site, NULL, &in, &out);
  else if (call->site.kind == TESSERA_SITE_RECV)
    tessera_rt_recv(&call->site, NULL, &out, NULL);
  else
    tessera_rt_all_gather(&call->site, NULL, &in, &out);
}

static void expect_text(const caught *caught, const char *text) {
  if (!strstr(caught->message, text))
    fail_test("'%s' is not in '%s'", text, caught->message);
}

/* ---- collectives that do not belong together
 * ----------------------------------------------------- */

/* One rank finds the mismatch and names both sides; the others hear of it. */
static void other_collective(int32_t rank, int32_t size, void *data) {
  (void)size;
  caught caught;
  vector_call call =
      rank == 2 ? make_call(TESSERA_SITE_ALL_GATHER, "shard.all_gather", "b.mlir:7:1", 1, 4)
                : make_call(TESSERA_SITE_ALL_REDUCE, "shard.all_reduce", "a.mlir:3:9", 4, 4);
  tessera_status status = attempt(&caught, run_call, &call);
  EXPECT(status == TESSERA_ERROR_MISMATCH || status == TESSERA_ERROR_PEER);
  expect_text(&caught, "shard.all_gather");
  expect_text(&caught, "shard.all_reduce");
  expect_text(&caught, "a.mlir:3:9");
  expect_text(&caught, "b.mlir:7:1");
  if (status == TESSERA_ERROR_MISMATCH)
    __atomic_add_fetch((int *)data, 1, __ATOMIC_RELAXED);
}

static void other_shape(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  caught caught;
  vector_call call = make_call(TESSERA_SITE_ALL_REDUCE, "shard.all_reduce", "a.mlir:3:9",
                               4 + rank / 3, 4 + rank / 3);
  tessera_status status = attempt(&caught, run_call, &call);
  EXPECT(status == TESSERA_ERROR_MISMATCH || status == TESSERA_ERROR_PEER);
  expect_text(&caught, "pieces do not fit");
}

static void other_order(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  caught caught;
  vector_call calls[2] = {
      make_call(TESSERA_SITE_ALL_REDUCE, "shard.all_reduce", "a.mlir:1:1", 4, 4),
      make_call(TESSERA_SITE_ALL_REDUCE, "shard.all_reduce", "a.mlir:2:1", 4, 4)};
  tessera_status status = attempt(&caught, run_call, &calls[rank == 0]);
  EXPECT(status == TESSERA_ERROR_MISMATCH || status == TESSERA_ERROR_PEER);
  expect_text(&caught, "a.mlir:1:1");
  expect_text(&caught, "a.mlir:2:1");
}

/* In a group so large that messages follow a tree. */
static void other_in_many(int32_t rank, int32_t size, void *data) {
  static const int64_t twenty = 20;
  static const tessera_grid row = {sizeof(row), 1, "row", &twenty};
  (void)size;
  (void)data;
  caught caught;
  vector_call call = make_call(TESSERA_SITE_ALL_REDUCE, "shard.all_reduce", "a.mlir:3:9", 4, 4);
  call.site.grid = &row;
  if (rank == 13)
    call.site.location = "b.mlir:7:1";
  tessera_status status = attempt(&caught, run_call, &call);
  EXPECT(status == TESSERA_ERROR_MISMATCH || status == TESSERA_ERROR_PEER);
  expect_text(&caught, "a.mlir:3:9");
  expect_text(&caught, "b.mlir:7:1");
}

/* Two groups in different orders: everyone waits for someone. */
static void crossed_groups(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  caught caught;
  vector_call call = make_call(TESSERA_SITE_ALL_REDUCE, "reduce", "here", 1, 1);
  call.site.grid = &square;
  call.site.axes = &axes[rank == 0 || rank == 3];
  tessera_status status = attempt(&caught, run_call, &call);
  EXPECT(status == TESSERA_ERROR_MISMATCH || status == TESSERA_ERROR_PEER);
  expect_text(&caught, "all ranks wait for each other");
}

/* ---- ranks that fail ------------------------------------------------------------------------- */

static void failing_rank(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  caught caught;
  vector_call call = make_call(TESSERA_SITE_ALL_GATHER, "gather", "c.mlir:1:1", 1, 4);
  if (rank == 1) {
    usleep(20000);
    tessera_context_abort(tessera_context_current(), "rank 1 gives up");
    return;
  }
  EXPECT(attempt(&caught, run_call, &call) == TESSERA_ERROR_PEER);
  expect_text(&caught, "rank 1 gives up");
  expect_text(&caught, "c.mlir:1:1");
  expect_text(&caught, "ranks {0, 1, 2, 3}");
}

static void failing_receive(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  caught caught;
  vector_call call = make_call(TESSERA_SITE_RECV, "recv", "", 0, 4);
  if (rank == 0)
    call = make_call(TESSERA_SITE_ALL_REDUCE, "reduce", "", 4, 4);
  tessera_status status = attempt(&caught, run_call, &call);
  EXPECT(status == TESSERA_ERROR_MISMATCH || status == TESSERA_ERROR_PEER);
}

/* ---- calls that cannot be meant
 * ------------------------------------------------------------------ */

static void expect_failure(vector_call call, tessera_status expected, const char *text) {
  caught caught;
  tessera_status status = attempt(&caught, run_call, &call);
  EXPECT(status == expected);
  expect_text(&caught, text);
}

typedef struct wrong_call {
  vector_call call;
  tessera_status status;
  const char *text;
} wrong_call;

static void run_wrong(int32_t rank, int32_t size, void *data) {
  (void)size;
  const wrong_call *wrong = data;
  if (rank == 0)
    expect_failure(wrong->call, wrong->status, wrong->text);
}

static void wrong_calls(void) {
  static const int64_t three = 3, open_pair[2] = {-1, 3};
  static const tessera_grid misfit = {sizeof(misfit), 1, "misfit", &three};
  static const tessera_grid open_misfit = {sizeof(open_misfit), 2, "open", open_pair};
  static const int32_t twice[2] = {0, 0}, beyond[1] = {7};
  vector_call gather = make_call(TESSERA_SITE_ALL_GATHER, "gather", "", 1, 4);
  vector_call reduce = make_call(TESSERA_SITE_ALL_REDUCE, "reduce", "", 4, 4);
  wrong_call wrong[] = {
      {gather, TESSERA_ERROR_MISMATCH, "of 5 rows over 4 ranks, number 0 has 1, not 2"},
      {gather, TESSERA_ERROR_MISMATCH, "grid @misfit of shape 3 does not fit 4 ranks"},
      {gather, TESSERA_ERROR_MISMATCH, "grid @open of shape ?x3 does not fit 4 ranks"},
      {gather, TESSERA_ERROR_INVALID_ARGUMENT, "no axis 7"},
      {gather, TESSERA_ERROR_INVALID_ARGUMENT, "named twice"},
      {gather, TESSERA_ERROR_MISMATCH, "element types f32 and i32 differ"},
      {reduce, TESSERA_ERROR_UNSUPPORTED, "'bitwise_xor' has no meaning for f32"},
      {reduce, TESSERA_ERROR_UNSUPPORTED, "'max' has no meaning for complex<f32>"},
      {reduce, TESSERA_ERROR_UNSUPPORTED, "no reduction from f32 to i32"},
      {reduce, TESSERA_ERROR_MISMATCH, "dimension 0 has 4 rows going in and 5 coming out"},
  };
  wrong[0].call.in_rows = 2;
  wrong[0].call.out_rows = 5;
  wrong[1].call.site.grid = &misfit;
  wrong[2].call.site.grid = &open_misfit;
  wrong[3].call.site.axes = beyond;
  wrong[4].call.site.grid = &square;
  wrong[4].call.site.axes = twice;
  wrong[4].call.site.num_axes = 2;
  wrong[5].call.site.output_type = TESSERA_I32;
  wrong[6].call.site.reduction = TESSERA_XOR;
  wrong[7].call.site.reduction = TESSERA_MAX;
  wrong[7].call.site.input_type = wrong[7].call.site.output_type = TESSERA_C64;
  wrong[8].call.site.output_type = TESSERA_I32;
  wrong[9].call.out_rows = 5;
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
    run_local(4, run_wrong, &wrong[i]);
}

/* ---- assertions ------------------------------------------------------------------------------ */

static void assert_on_second(void *argument) {
  const tessera_site *site = argument;
  if (tessera_context_rank(tessera_context_current()) == 1)
    tessera_rt_fail(site, "x is negative");
  vector_call call = make_call(TESSERA_SITE_ALL_REDUCE, "sum", "a.mlir:2:1", 4, 4);
  run_call(&call);
}

/* The others, which wait for the rank that fails, hear of it. */
static void failing_assertion(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = TESSERA_SITE_CHECK,
                       .name = "cf.assert",
                       .location = "a.mlir:1:1",
                       .index = -1};
  caught caught;
  tessera_status status = attempt(&caught, assert_on_second, &site);
  EXPECT(status == (rank == 1 ? TESSERA_ERROR_CHECK : TESSERA_ERROR_PEER));
  expect_text(&caught, rank == 1 ? "a.mlir:1:1: error: 'cf.assert' on rank 1: x is negative"
                                 : "x is negative");
}

/* ---- programs -------------------------------------------------------------------------------- */

/* A library call returns what goes wrong inside it: the handler is for compiled code alone. */
static void meaningless_partial(int32_t rank, int32_t size, void *data) {
  static const int64_t shape = 3, layout[] = {1, 3, 1, 3, 0, 0, 0, 1, 0, TESSERA_XOR};
  static const tessera_grid *const grids[] = {&line};
  static const tessera_parameter result = {.struct_size = sizeof(result),
                                           .dtype = TESSERA_F32,
                                           .rank = 1,
                                           .shape = &shape,
                                           .layout = layout,
                                           .name = "",
                                           .element = "f32"};
  static const tessera_program_record record = {.struct_size = sizeof(record),
                                                .abi_version = TESSERA_ABI_VERSION,
                                                .source = "",
                                                .grids = grids,
                                                .num_grids = 1};
  (void)rank;
  (void)size;
  (void)data;
  tessera_program *program = NULL;
  tessera_tensor local, global;
  EXPECT(tessera_program_from_record(&record, &program) == TESSERA_OK);
  EXPECT(tessera_tensor_create(TESSERA_F32, 1, &shape, &local) == TESSERA_OK);
  EXPECT(tessera_gather_parameter(program, &result, tessera_context_current(), &local, 0, NULL,
                                  &global) == TESSERA_ERROR_UNSUPPORTED);
  EXPECT(strstr(tessera_last_error(), "'bitwise_xor' has no meaning for f32"));
  tessera_tensor_destroy(&local);
  tessera_program_unload(program);
}

/* ---- the default handler --------------------------------------------------------------------- */

static void leave_to_default(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  vector_call call = make_call(TESSERA_SITE_ALL_GATHER, "gather", "d.mlir:4:2", rank ? 1 : 2, 4);
  run_call(&call);
}

/* ---- members that differ, told by the default handler or at the end
 * ------------------------------
 */

/* On as many ranks as there are. */
static vector_call call_of_all(tessera_site_kind kind, const char *name, const char *location,
                               int64_t rows) {
  static const int64_t open_extent = -1;
  static const tessera_grid all = {sizeof(all), 1, "all", &open_extent};
  vector_call call = make_call(kind, name, location, rows, rows);
  call.site.grid = &all;
  return call;
}

static void reduce_other(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  vector_call call =
      call_of_all(TESSERA_SITE_ALL_REDUCE, "reduce", rank ? "e.mlir:1:1" : "e.mlir:2:1", 4);
  call.site.reduction = rank ? TESSERA_SUM : TESSERA_MAX;
  run_call(&call);
}

static void reduce_longer(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  int64_t rows = rank ? 10 : 8;
  vector_call call = call_of_all(TESSERA_SITE_ALL_REDUCE, "reduce", "e.mlir:3:1", rows);
  run_call(&call);
}

static void broadcast_longer(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  int64_t rows = rank ? 10 : 8, root = 0;
  vector_call call = call_of_all(TESSERA_SITE_BROADCAST, "broadcast", "e.mlir:4:1", rows);
  float memory[2][64] = {{0}};
  memref in = {memory[0], (char *)memory[0], 0, {rows, 1}};
  memref out = {memory[1], (char *)memory[1], 0, {rows, 1}};
  tessera_rt_broadcast(&call.site, NULL, &in, &out, &root);
}

static void run_shift(const vector_call *call) {
  float memory[2][64] = {{0}};
  memref in = {memory[0], (char *)memory[0], 0, {call->in_rows, 1}};
  memref out = {memory[1], (char *)memory[1], 0, {call->out_rows, 1}};
  tessera_rt_shift(&call->site, NULL, &in, &out);
}

/* Extents of a shift are compared by nobody but MPI. */
static void shift_longer(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  vector_call call = call_of_all(TESSERA_SITE_SHIFT, "shift", "e.mlir:5:1", rank ? 10 : 8);
  call.site.flags = TESSERA_SITE_ROTATE;
  call.site.offset = 1;
  run_shift(&call);
}

/* Pieces of one size, as the call says, but one. */
static void gather_longer(int32_t rank, int32_t size, void *data) {
  (void)data;
  int64_t rows = rank == 1 ? 5 : 4, root = 0;
  vector_call call = call_of_all(TESSERA_SITE_GATHER, "gather", "e.mlir:7:1", rows);
  call.site.flags = TESSERA_SITE_EVEN_SIZES;
  float memory[2][64] = {{0}};
  memref in = {memory[0], (char *)memory[0], 0, {rows, 1}};
  memref out = {memory[1], (char *)memory[1], 0, {size * rows, 1}};
  tessera_rt_gather(&call.site, NULL, &in, &out, &root);
}

/* Columns that are not as many together for one member as for the others. */
static void transpose_longer(int32_t rank, int32_t size, void *data) {
  (void)data;
  int64_t columns = 2 * size + (rank == 0);
  vector_call call = call_of_all(TESSERA_SITE_ALL_TO_ALL, "transpose", "e.mlir:8:1", 2);
  call.site.input_rank = call.site.output_rank = 2;
  call.site.concat_axis = 1;
  float memory[2][64] = {{0}};
  memref in = {memory[0], (char *)memory[0], 0, {size, 2, 2, 1}};
  memref out = {memory[1], (char *)memory[1], 0, {1, columns, columns, 1}};
  tessera_rt_all_to_all(&call.site, NULL, &in, &out);
}

/* ---- members that differ once, and late, when calls are remembered --------------------------- */

static bool is_late(int32_t rank, int number) {
  return rank == 0 && number == 90;
}

enum { LATE_CALLS = 100, LATE_INDEX = 3 };

/* Rank 0's call number `other` is another reduction. */
static void reduce_often(int32_t rank, int calls, int other) {
  vector_call call = call_of_all(TESSERA_SITE_ALL_REDUCE, "reduce", "e.mlir:6:1", 4);
  call.site.index = LATE_INDEX;
  for (int i = 0; i < calls; i++) {
    call.site.reduction = rank == 0 && i == other ? TESSERA_PRODUCT : TESSERA_SUM;
    run_call(&call);
  }
}

/* What is not seen at once is seen at the end. */
static void reduce_other_late(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  reduce_often(rank, LATE_CALLS, 90);
}

/* The first calls are all compared. */
static void reduce_other_soon(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  reduce_often(rank, 64, 63);
}

/* Later calls are compared together, those up to number 128, 256, 512 and so on. */
static void reduce_on_and_on(int32_t rank, int32_t size, void *data) {
  (void)size;
  reduce_often(rank, 512 * 4, *(const int *)data);
  _exit(9); /* nothing was found on the way */
}

static void reduce_other_before_128(int32_t rank, int32_t size, void *data) {
  (void)data;
  reduce_on_and_on(rank, size, &(int){90});
}

static void reduce_other_before_2048(int32_t rank, int32_t size, void *data) {
  (void)data;
  reduce_on_and_on(rank, size, &(int){512 * 3});
}

/* What is said of members whose calls are remembered is what they do now. */
static void reduce_longer_late(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  for (int i = 0; i < LATE_CALLS; i++) {
    vector_call call =
        call_of_all(TESSERA_SITE_ALL_REDUCE, "reduce", "e.mlir:13:1", is_late(rank, i) ? 5 : 4);
    call.site.index = LATE_INDEX;
    run_call(&call);
  }
}

static void shift_late(int32_t rank, int64_t rows, int32_t index, const char *location) {
  vector_call call = call_of_all(TESSERA_SITE_SHIFT, "shift", "e.mlir:9:1", 8);
  call.site.index = LATE_INDEX;
  call.site.flags = TESSERA_SITE_ROTATE;
  call.site.offset = 1;
  for (int i = 0; i < LATE_CALLS; i++) {
    vector_call other = call;
    other.site.index = index;
    other.site.location = location;
    other.in_rows = other.out_rows = rows;
    run_shift(is_late(rank, i) ? &other : &call);
  }
}

static void shift_longer_late(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  shift_late(rank, 10, LATE_INDEX, "e.mlir:9:1");
}

/* Messages fit, though they belong to another place of the program. */
static void shift_other_late(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  shift_late(rank, 8, LATE_INDEX + 1, "e.mlir:10:1");
}

static void update_longer_late(int32_t rank, int32_t size, void *data) {
  static const int64_t rows_split[] = {2, 1, 0, 0}, halo[] = {1, 1};
  vector_call call = call_of_all(TESSERA_SITE_UPDATE_HALO, "update_halo", "e.mlir:11:1", 0);
  call.site.index = LATE_INDEX;
  call.site.input_rank = 2;
  call.site.from = rows_split;
  (void)size;
  (void)data;
  for (int i = 0; i < LATE_CALLS; i++) {
    int64_t columns = is_late(rank, i) ? 5 : 4;
    float memory[64] = {0};
    memref buffer = {memory, (char *)memory, 0, {6, columns, columns, 1}};
    tessera_rt_update_halo(&call.site, NULL, &buffer, halo);
  }
}

/* Columns between three ranks side by side, of which the last sends too many; what rank 0 sends
 * comes long after, and nothing is wrong with it. */
static void update_more_beside_slow(int32_t rank, int32_t size, void *data) {
  static const int64_t columns_split[] = {2, 0, 1, 0};
  enum { ROWS = 300, COLUMNS = 6 };
  float *memory = calloc(ROWS * COLUMNS, sizeof(float));
  vector_call call = call_of_all(TESSERA_SITE_UPDATE_HALO, "update_halo", "e.mlir:14:1", 0);
  call.site.index = LATE_INDEX;
  call.site.input_rank = 2;
  call.site.from = columns_split;
  (void)data;
  for (int i = 0; i < LATE_CALLS; i++) {
    bool is_last = i == LATE_CALLS - 1;
    int64_t halo[] = {1, is_last && rank == size - 1 ? 2 : 1};
    memref buffer = {memory, (char *)memory, 0, {ROWS, COLUMNS, COLUMNS, 1}};
    if (is_last && rank == 0)
      usleep(300000);
    tessera_rt_update_halo(&call.site, NULL, &buffer, halo);
  }
  free(memory);
}

/* To all rows on every rank, of a tensor that is larger for one. */
static void exchange_longer_late(int32_t rank, int32_t size, void *data) {
  static const int64_t split[] = {1, -1, 1, -1, 1, 0, 0, 0, 0},
                       whole[] = {1, -1, 1, -1, 0, 0, 0, 0};
  vector_call call = call_of_all(TESSERA_SITE_EXCHANGE, "exchange", "e.mlir:12:1", 0);
  call.site.index = LATE_INDEX;
  call.site.from = split;
  call.site.to = whole;
  (void)data;
  for (int i = 0; i < LATE_CALLS; i++) {
    int64_t rows = is_late(rank, i) ? 5 : 4, all = rows * size;
    float memory[2][64] = {{0}};
    memref in = {memory[0], (char *)memory[0], 0, {rows, 1}};
    memref out = {memory[1], (char *)memory[1], 0, {all, 1}};
    tessera_rt_exchange(&call.site, NULL, &in, &out, &all);
  }
}

static void start_again(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  tessera_context *context;
  if (tessera_finalize() != TESSERA_OK || tessera_default_context(&context) == TESSERA_OK)
    return;
  if (rank == 0)
    fprintf(stderr, "error: %s\n", tessera_last_error());
  else
    usleep(500000); /* the first rank that fails ends the job, before another has spoken */
  _exit(1);
}

typedef struct ending {
  const char *name;
  rank_function function;
} ending;

/* Runs what must end the job with one message. */
static int run_ending(const char *name) {
  static const ending endings[] = {
      {"default-handler", leave_to_default},
      {"other-reduction", reduce_other},
      {"longer-reduction", reduce_longer},
      {"longer-broadcast", broadcast_longer},
      {"longer-shift", shift_longer},
      {"late-difference", reduce_other_late},
      {"longer-gather", gather_longer},
      {"longer-transposition", transpose_longer},
      {"late-longer-shift", shift_longer_late},
      {"late-other-shift", shift_other_late},
      {"late-longer-halo", update_longer_late},
      {"late-longer-exchange", exchange_longer_late},
      {"late-longer-reduction", reduce_longer_late},
      {"late-more-halo-beside-slow", update_more_beside_slow},
      {"soon-difference", reduce_other_soon},
      {"difference-before-128", reduce_other_before_128},
      {"difference-before-2048", reduce_other_before_2048},
      {"second-start", start_again},
  };
  static int64_t ranks = 4;
  for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
    if (strcmp(name, endings[i].name) != 0)
      continue;
    else if (under_mpi())
      ranks = run_here(endings[i].function, NULL);
    else
      run_local((int32_t)ranks, endings[i].function, NULL);
  tessera_context *context;
  bool speaks =
      tessera_default_context(&context) == TESSERA_OK && tessera_context_rank(context) == 0;
  if (tessera_finalize() == TESSERA_OK)
    return 0;
  if (speaks)
    fprintf(stderr, "error: %s\n", tessera_last_error());
  else
    usleep(500000); /* the first rank that fails ends the job, before another has spoken */
  return 1;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return run_ending(argv[1]);
  int discoverers = 0;
  run_local(4, other_collective, &discoverers);
  EXPECT(discoverers == 1);
  run_local(4, other_shape, NULL);
  run_local(4, other_order, NULL);
  run_local(4, crossed_groups, NULL);
  run_local(4, failing_rank, NULL);
  run_local(4, failing_receive, NULL);
  run_local(4, failing_assertion, NULL);
  wrong_calls();
  run_local(4, meaningless_partial, NULL);
  EXPECT(strcmp(tessera_status_name(TESSERA_ERROR_PEER), "another rank failed") == 0);
  EXPECT(tessera_local_create(0, NULL) == TESSERA_ERROR_INVALID_ARGUMENT);
  EXPECT(tessera_local_create(40000, NULL) == TESSERA_ERROR_UNSUPPORTED);
  run_local(20, other_in_many, NULL);
  return finish_tests();
}
