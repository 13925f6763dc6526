/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Pipelines: the order of turns, against what a schedule promises, and runs of stages that compute
 * numbers which a loop over all stages knows; a stage that fails ends the run on all ranks. */
#include <string.h>

#include "harness.h"
#include "tessera/pipeline.h"

enum { MOST_STAGES = 6, MOST_BATCHES = 8 };

static void expect_refused(tessera_status status, const char *words, int line) {
  if (status != TESSERA_OK && strstr(tessera_last_error(), words))
    return;
  fail_test("pipeline.c:%d: status %d, \"%s\": expected \"%s\"", line, (int)status,
            status ? tessera_last_error() : "", words);
}
#define REFUSED(call, words) expect_refused(call, words, __LINE__)

/* ---- schedules ------------------------------------------------------------------------------- */

/* Each microbatch once each way, forward first, both in order; how many are between the two. */
static void check_turns(tessera_schedule schedule, int32_t stages, int32_t stage, int32_t num,
                        const tessera_turn *turns) {
  int32_t forward = 0, backward = 0, most = 0;
  for (int32_t i = 0; i < 2 * num; i++) {
    int32_t *next = turns[i].direction == TESSERA_FORWARD ? &forward : &backward;
    EXPECT(turns[i].microbatch == (*next)++);
    EXPECT(backward <= forward);
    most = forward - backward > most ? forward - backward : most;
  }
  int32_t bound = schedule == TESSERA_1F1B && stages - stage < num ? stages - stage : num;
  EXPECT(forward == num && backward == num && most == bound);
}

/* All stages take turns as soon as they have what these need: nobody waits for ever. */
static void check_progress(int32_t stages, int32_t num,
                           tessera_turn turns[MOST_STAGES][2 * MOST_BATCHES]) {
  int32_t done[MOST_STAGES] = {0}, there[2][MOST_STAGES + 2] = {0}, left = stages * 2 * num;
  bool moved = true;
  while (left > 0 && moved) {
    moved = false;
    for (int32_t s = 0; s < stages; s++) {
      if (done[s] == 2 * num)
        continue;
      tessera_turn turn = turns[s][done[s]];
      bool is_forward = turn.direction == TESSERA_FORWARD;
      bool at_end = is_forward ? s == 0 : s == stages - 1;
      if (!at_end && there[turn.direction][is_forward ? s - 1 : s + 1] <= turn.microbatch)
        continue;
      there[turn.direction][s]++;
      done[s]++;
      left--;
      moved = true;
    }
  }
  EXPECT(left == 0);
}

static void test_schedules(void) {
  static tessera_turn turns[MOST_STAGES][2 * MOST_BATCHES];
  for (int kind = 0; kind < 2; kind++)
    for (int32_t stages = 1; stages <= MOST_STAGES; stages++)
      for (int32_t num = 1; num <= MOST_BATCHES; num++) {
        tessera_schedule schedule = kind ? TESSERA_1F1B : TESSERA_GPIPE;
        for (int32_t s = 0; s < stages; s++) {
          EXPECT(tessera_schedule_turns(schedule, stages, s, num, turns[s]) == TESSERA_OK);
          check_turns(schedule, stages, s, num, turns[s]);
        }
        check_progress(stages, num, turns);
      }
  REFUSED(tessera_schedule_turns((tessera_schedule)2, 1, 0, 1, turns[0]), "there is no schedule 2");
  REFUSED(tessera_schedule_turns(TESSERA_GPIPE, 2, 2, 1, turns[0]), "there is no stage 2 of 2");
  REFUSED(tessera_schedule_turns(TESSERA_GPIPE, 0, 0, 1, turns[0]), "there is no stage 0 of 0");
  REFUSED(tessera_schedule_turns(TESSERA_GPIPE, 1, 0, 0, turns[0]), "0 microbatches");
  REFUSED(tessera_schedule_turns(TESSERA_GPIPE, 1, 0, 1, NULL), "no room");
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* A stage multiplies by its number + 2, and adds what the line along "tensor" has together. */
typedef struct job {
  tessera_group *tensor;
  int32_t number, stages;
  int64_t size;      /* of this rank's pieces, which differ along "tensor" */
  int32_t under_way; /* microbatches forward and not backward, and the most of these */
  int32_t most;
  int32_t fails_at; /* a microbatch; -1: none */
} job;

/* What stage `stage` makes of a number. */
static double forward_of(double x, int32_t stage, int32_t members) {
  return x * (stage + 2) + members;
}

static double input_of(int32_t microbatch, int64_t i) {
  return microbatch * 100 + (double)i;
}

static tessera_status together(const job *job, double *sum) {
  double one = 1;
  return tessera_group_all_reduce(job->tensor, &one, sum, 1, TESSERA_F64, TESSERA_SUM);
}

static tessera_status forward(void *data, int32_t microbatch, const tessera_tensor *in,
                              tessera_tensor *out) {
  job *job = data;
  double members;
  EXPECT((in == NULL) == (job->number == 0) && (out == NULL) == (job->number == job->stages - 1));
  if (microbatch == job->fails_at && job->number == 1)
    return TESSERA_ERROR_CHECK;
  job->under_way++;
  job->most = job->under_way > job->most ? job->under_way : job->most;
  tessera_status status = together(job, &members);
  if (!status && out)
    status = tessera_tensor_create(TESSERA_F64, 1, &job->size, out);
  for (int64_t i = 0; !status && i < job->size; i++) {
    double expected = input_of(microbatch, i);
    for (int32_t s = 0; s < job->number; s++)
      expected = forward_of(expected, s, (int32_t)members);
    double x = in ? ((const double *)in->data)[i] : input_of(microbatch, i);
    EXPECT(x == expected);
    if (out)
      ((double *)out->data)[i] = forward_of(x, job->number, (int32_t)members);
  }
  return status;
}

static tessera_status backward(void *data, int32_t microbatch, const tessera_tensor *in,
                               const tessera_tensor *by_out, tessera_tensor *by_in) {
  job *job = data;
  EXPECT((by_in == NULL) == (job->number == 0));
  EXPECT((by_out == NULL) == (job->number == job->stages - 1));
  EXPECT(!in || in->shape[0] == job->size);
  job->under_way--;
  tessera_status status =
      by_in ? tessera_tensor_create(TESSERA_F64, 1, &job->size, by_in) : TESSERA_OK;
  for (int64_t i = 0; !status && i < job->size; i++) {
    double expected = microbatch;
    for (int32_t s = job->stages - 1; s > job->number; s--)
      expected *= s + 2;
    double by = by_out ? ((const double *)by_out->data)[i] : microbatch;
    EXPECT(by == expected);
    if (by_in)
      ((double *)by_in->data)[i] = by * (job->number + 2);
  }
  return status;
}

/* Of a mesh of pipeline x tensor. */
static tessera_mesh *make_mesh(int32_t stages, int32_t size) {
  static const char *const names[] = {"pipeline", "tensor"};
  const int64_t shape[] = {stages, size / stages};
  tessera_mesh *mesh = NULL;
  EXPECT(tessera_mesh_create(tessera_context_current(), 2, shape, names, &mesh) == TESSERA_OK);
  return mesh;
}

static job make_job(tessera_mesh *mesh) {
  job job = {.fails_at = -1};
  EXPECT(tessera_mesh_tensor_group(mesh, &job.tensor) == TESSERA_OK);
  job.number = (int32_t)tessera_mesh_coordinates(mesh)[0];
  job.stages = (int32_t)tessera_mesh_shape(mesh)[0];
  job.size = 3 + tessera_mesh_coordinates(mesh)[1];
  return job;
}

static tessera_stage make_stage(job *job) {
  tessera_piece piece = {TESSERA_F64, 1, &job->size};
  return (tessera_stage){.struct_size = sizeof(tessera_stage),
                         .in = piece,
                         .out = piece,
                         .forward = forward,
                         .backward = backward,
                         .data = job};
}

static void check_run(tessera_mesh *mesh, tessera_schedule schedule, int32_t num) {
  job job = make_job(mesh);
  tessera_stage stage = make_stage(&job);
  EXPECT(tessera_pipeline_run(mesh, 0, schedule, num, &stage) == TESSERA_OK);
  int32_t behind = job.stages - job.number;
  EXPECT(job.under_way == 0);
  EXPECT(job.most == (schedule == TESSERA_1F1B && behind < num ? behind : num));
  EXPECT(tessera_mesh_barrier(mesh) == TESSERA_OK);
}

/* What is refused on each rank alike, before anybody communicates. */
static void check_refusals(tessera_mesh *mesh) {
  job job = make_job(mesh);
  tessera_stage stage = make_stage(&job), wrong;
  REFUSED(tessera_pipeline_run(NULL, 0, TESSERA_GPIPE, 1, &stage), "there is no mesh: it is NULL");
  REFUSED(tessera_pipeline_run(mesh, 0, TESSERA_GPIPE, 1, NULL), "a stage needs its size");
  wrong = stage, wrong.struct_size = 8;
  REFUSED(tessera_pipeline_run(mesh, 0, TESSERA_GPIPE, 1, &wrong), "a stage needs its size");
  wrong = stage, wrong.backward = NULL;
  REFUSED(tessera_pipeline_run(mesh, 0, TESSERA_GPIPE, 1, &wrong), "a stage needs its size");
  REFUSED(tessera_pipeline_run(mesh, 2, TESSERA_GPIPE, 1, &stage), "there is no dimension 2");
  REFUSED(tessera_pipeline_run(mesh, 0, TESSERA_GPIPE, 0, &stage), "0 microbatches");
  REFUSED(tessera_pipeline_run(mesh, 0, (tessera_schedule)5, 1, &stage), "no schedule 5");
}

/* What one stage alone is refused ends the others. */
static void wrong_rank(int32_t rank, int32_t size, void *data) {
  static const int64_t negative = -1;
  tessera_mesh *mesh = make_mesh(size, size);
  job job = make_job(mesh);
  tessera_stage stage = make_stage(&job);
  (void)data;
  if (rank == 1)
    stage.in.shape = &negative;
  REFUSED(tessera_pipeline_run(mesh, 0, TESSERA_GPIPE, 3, &stage), "no type of a tensor");
  tessera_mesh_destroy(mesh);
}

static void on_rank(int32_t rank, int32_t size, void *data) {
  (void)rank;
  (void)data;
  for (int32_t stages = 1; stages <= size; stages++) {
    if (size % stages != 0)
      continue;
    tessera_mesh *mesh = make_mesh(stages, size);
    check_refusals(mesh);
    for (int32_t num = 1; num <= 5; num += 2) {
      check_run(mesh, TESSERA_GPIPE, num);
      check_run(mesh, TESSERA_1F1B, num);
    }
    tessera_mesh_destroy(mesh);
  }
}

/* ---- stages that call programs --------------------------------------------------------------- */

static void do_nothing(void **arguments, void **results) {
  (void)arguments;
  (void)results;
}

static const tessera_entry entry = {
    .struct_size = sizeof(entry), .name = "nothing", .function = do_nothing};
static const tessera_program_record record = {.struct_size = sizeof(record),
                                              .abi_version = TESSERA_ABI_VERSION,
                                              .source = "",
                                              .num_entries = 1,
                                              .entries = &entry};

/* Of each stage, as many calls in each turn as `calls` says. */
typedef struct caller {
  const tessera_program *program;
  int32_t calls[2]; /* by direction */
} caller;

static tessera_status make_calls(const caller *caller, tessera_direction direction,
                                 tessera_tensor *made) {
  static const int64_t size = 1;
  tessera_status status = made ? tessera_tensor_create(TESSERA_F64, 1, &size, made) : TESSERA_OK;
  for (int32_t i = 0; !status && i < caller->calls[direction]; i++)
    status = tessera_call(caller->program, &entry, tessera_context_current(), NULL, NULL);
  return status;
}

static tessera_status call_forward(void *data, int32_t microbatch, const tessera_tensor *in,
                                   tessera_tensor *out) {
  (void)microbatch;
  (void)in;
  return make_calls(data, TESSERA_FORWARD, out);
}

static tessera_status call_backward(void *data, int32_t microbatch, const tessera_tensor *in,
                                    const tessera_tensor *by_out, tessera_tensor *by_in) {
  (void)microbatch;
  (void)in;
  (void)by_out;
  return make_calls(data, TESSERA_BACKWARD, by_in);
}

static tessera_status run_caller(tessera_mesh *mesh, caller *caller) {
  static const int64_t size = 1;
  const tessera_piece piece = {TESSERA_F64, 1, &size};
  tessera_stage stage = {.struct_size = sizeof(stage),
                         .in = piece,
                         .out = piece,
                         .forward = call_forward,
                         .backward = call_backward,
                         .data = caller};
  return tessera_pipeline_run(mesh, 0, TESSERA_1F1B, 3, &stage);
}

/* Stages call differently often, and go on together all the same; one call too many is told. */
static void calling_rank(int32_t rank, int32_t size, void *data) {
  tessera_mesh *mesh = make_mesh(size, size);
  caller caller = {.program = data, .calls = {rank % 2, rank < 2}};
  double one = 1, sum = 0;
  tessera_group *all;
  EXPECT(tessera_mesh_global_group(mesh, &all) == TESSERA_OK);
  EXPECT(run_caller(mesh, &caller) == TESSERA_OK);
  EXPECT(tessera_group_all_reduce(all, &one, &sum, 1, TESSERA_F64, TESSERA_SUM) == TESSERA_OK);
  EXPECT(sum == size);
  EXPECT(tessera_settle(tessera_context_current()) == TESSERA_OK);
  caller.calls[0] = 2;
  caller.calls[1] = 1;
  REFUSED(run_caller(mesh, &caller), "entries of programs in 6 turns");
  tessera_mesh_destroy(mesh);
}

static void test_calls(void) {
  tessera_program *program;
  EXPECT(tessera_program_from_record(&record, &program) == TESSERA_OK);
  run_local(3, calling_rank, program);
  run_local(3, wrong_rank, NULL);
  tessera_program_unload(program);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* The second stage makes what the third has no place for. */
static tessera_status make_more(void *data, int32_t microbatch, const tessera_tensor *in,
                                tessera_tensor *out) {
  const job *job = data;
  int64_t size = job->size + (job->number == 1);
  (void)microbatch;
  (void)in;
  return out ? tessera_tensor_create(TESSERA_F64, 1, &size, out) : TESSERA_OK;
}

static void longer_rank(int32_t rank, int32_t size, void *data) {
  tessera_mesh *mesh = make_mesh(size, size);
  job job = make_job(mesh);
  tessera_stage stage = make_stage(&job);
  (void)rank;
  (void)data;
  stage.forward = make_more;
  REFUSED(tessera_pipeline_run(mesh, 0, TESSERA_1F1B, 2, &stage),
          "stage 1 made a piece of 4xf64: expected 3xf64, dense");
  tessera_mesh_destroy(mesh);
}

static void failing_rank(int32_t rank, int32_t size, void *data) {
  bool *all_failed = data;
  tessera_mesh *mesh = make_mesh(size, size);
  job job = make_job(mesh);
  job.fails_at = 1;
  tessera_stage stage = make_stage(&job);
  tessera_status status = tessera_pipeline_run(mesh, 0, TESSERA_1F1B, 4, &stage);
  all_failed[rank] = status == (rank == 1 ? TESSERA_ERROR_CHECK : TESSERA_ERROR_PEER) &&
                     strstr(tessera_last_error(), "pipeline.c:") &&
                     strstr(tessera_last_error(), "on rank 1: stage 1, microbatch 1 forward");
  tessera_mesh_destroy(mesh);
}

static void test_failure(void) {
  bool all_failed[3] = {false};
  run_local(3, failing_rank, all_failed);
  EXPECT(all_failed[0] && all_failed[1] && all_failed[2]);
  run_local(3, longer_rank, NULL);
}

int main(void) {
  if (under_mpi()) {
    run_here(on_rank, NULL);
    return finish_tests();
  }
  test_schedules();
  for (int32_t ranks = 1; ranks <= 6; ranks++)
    run_local(ranks, on_rank, NULL);
  test_calls();
  test_failure();
  return finish_tests();
}
