/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Every function of meshes and pipelines refuses each wrong argument, one at a time, with a status
 * and a message; and nothing of it is sent. */
#include <stdlib.h>
#include <string.h>

#define TESSERA_NO_PLACES
#include "harness.h"
#include "tessera/mesh.h"
#include "tessera/pipeline.h"

enum { MOST_POINTERS = 4, MOST_NUMBERS = 4 };

/* The pointers in the order of the function's parameters, and what else it takes. */
typedef struct arguments {
  void *pointers[MOST_POINTERS];
  int32_t number; /* dimensions, a dimension, a rank, a member or a stage */
  int64_t count;
  tessera_dtype type;
  tessera_reduction reduction;
} arguments;

/* What a pointer leads to. */
typedef enum target {
  NOTHING, /* the function has no such parameter */
  A_MESH,
  A_GROUP,
  A_SHAPE,
  A_COORDINATES,
  A_DIM,
  A_NAME,
  A_FUNCTION,
  A_STAGE,
  A_NEW_MESH, /* written */
  A_NEW_GROUP,
  A_NUMBER,
  A_SOURCE,
  A_RESULT,
  TURNS,
  NEW_LAYOUT, /* of tensor_parallel */
  NUM_TARGETS
} target;

typedef struct row {
  const char *name;
  tessera_status (*call)(const arguments *a);
  target pointers[MOST_POINTERS];
  int32_t number;              /* a right one */
  int32_t wrong[MOST_NUMBERS]; /* as many as num_wrong */
  int num_wrong;
  bool moves, reduces; /* takes a count and a type, and a reduction */
} row;

/* ---- calls ----------------------------------------------------------------------------------- */

#define P(i) (a->pointers[i])
#define CALL(name, call)                                                                           \
  static tessera_status name(const arguments *a) {                                                 \
    return call;                                                                                   \
  }
CALL(create, tessera_mesh_create(tessera_context_current(), a->number, P(0), NULL, P(1)))
CALL(of_rank, tessera_mesh_of_rank(a->number, 2, P(0), NULL, P(1)))
CALL(of_coordinates, tessera_mesh_of_coordinates(a->number, P(0), 2, P(1), NULL, P(2)))
CALL(sub, tessera_mesh_sub(P(0), a->number, P(1), P(2)))
CALL(find, tessera_mesh_find(P(0), P(1), P(2)))
CALL(extent, tessera_mesh_extent(P(0), a->number, P(1)))
CALL(to_coordinates, tessera_mesh_to_coordinates(P(0), a->number, P(1)))
CALL(to_rank, tessera_mesh_to_rank(P(0), a->number, P(1), P(2)))
CALL(to_world, tessera_mesh_to_world(P(0), a->number, P(1)))
CALL(line, tessera_mesh_line(P(0), a->number, P(1), P(2)))
CALL(slice_of, tessera_mesh_slice(P(0), a->number, 0, P(1)))
CALL(slice_at, tessera_mesh_slice(P(0), 0, a->number, P(1)))
CALL(tensor_group, tessera_mesh_tensor_group(P(0), P(1)))
CALL(data_group, tessera_mesh_data_group(P(0), P(1)))
CALL(global_group, tessera_mesh_global_group(P(0), P(1)))
CALL(group_barrier, tessera_group_barrier(P(0)))
CALL(barrier, tessera_mesh_barrier(P(0)))
CALL(barrier_of, tessera_mesh_barrier_of(P(0), a->number))
CALL(all_reduce, tessera_group_all_reduce(P(0), P(1), P(2), a->count, a->type, a->reduction))
CALL(all_gather, tessera_group_all_gather(P(0), P(1), P(2), a->count, a->type))
CALL(reduce_scatter,
     tessera_group_reduce_scatter(P(0), P(1), P(2), a->count, a->type, a->reduction))
CALL(all_to_all, tessera_group_all_to_all(P(0), P(1), P(2), a->count, a->type))
CALL(broadcast, tessera_group_broadcast(P(0), P(1), P(2), a->count, a->type, a->number))
CALL(scatter, tessera_group_scatter(P(0), P(1), P(2), a->count, a->type, a->number))
CALL(gather, tessera_group_gather(P(0), P(1), P(2), a->count, a->type, a->number))
CALL(reduce, tessera_group_reduce(P(0), P(1), P(2), a->count, a->type, a->reduction, a->number))
CALL(send, tessera_group_send(P(0), P(1), a->count, a->type, a->number))
CALL(receive, tessera_group_receive(P(0), P(1), a->count, a->type, a->number))
CALL(parallel, tessera_tensor_parallel_create(tessera_context_current(), a->number, P(0), P(1)))
CALL(turns, tessera_schedule_turns(TESSERA_1F1B, 1, a->number, 1, P(0)))
CALL(turns_of, tessera_schedule_turns((tessera_schedule)a->number, 1, 0, 1, P(0)))
CALL(turns_in, tessera_schedule_turns(TESSERA_1F1B, a->number, 0, 1, P(0)))
CALL(turns_for, tessera_schedule_turns(TESSERA_1F1B, 1, 0, a->number, P(0)))
CALL(pipeline_run, tessera_pipeline_run(P(0), a->number, TESSERA_1F1B, 1, P(1)))
CALL(pipeline_of, tessera_pipeline_run(P(0), 0, (tessera_schedule)a->number, 1, P(1)))
CALL(pipeline_for, tessera_pipeline_run(P(0), 0, TESSERA_1F1B, a->number, P(1)))

static tessera_status on_master(const arguments *a) {
  tessera_status (*function)(void *data);
  memcpy(&function, &a->pointers[1], sizeof(function));
  return tessera_mesh_on_master(a->pointers[0], function, NULL);
}

/* Of a mesh of 1x1 on one rank. */
/* clang-format off */
static const row rows[] = {
    {"mesh_create", create, {A_SHAPE, A_NEW_MESH}, 2, {-1, 0, 17}, 3, false, false},
    {"mesh_of_rank", of_rank, {A_SHAPE, A_NEW_MESH}, 0, {-1, 1}, 2, false, false},
    {"mesh_of_coordinates", of_coordinates, {A_COORDINATES, A_SHAPE, A_NEW_MESH}, 2, {-1, 1, 3}, 3, false, false},
    {"mesh_sub", sub, {A_MESH, A_DIM, A_NEW_MESH}, 1, {-1, 0, 3}, 3, false, false},
    {"mesh_find", find, {A_MESH, A_NAME, A_NUMBER}, 0, {0}, 0, false, false},
    {"mesh_extent", extent, {A_MESH, A_NUMBER}, 1, {-1, 2}, 2, false, false},
    {"mesh_to_coordinates", to_coordinates, {A_MESH, A_NUMBER}, 0, {-1, 1}, 2, false, false},
    {"mesh_to_rank", to_rank, {A_MESH, A_COORDINATES, A_NUMBER}, 2, {-1, 1, 3}, 3, false, false},
    {"mesh_to_world", to_world, {A_MESH, A_NUMBER}, 0, {-1, 1}, 2, false, false},
    {"mesh_line", line, {A_MESH, A_DIM, A_NEW_GROUP}, 1, {-1, 3}, 2, false, false},
    {"mesh_slice", slice_of, {A_MESH, A_NEW_GROUP}, 1, {-1, 2}, 2, false, false},
    {"mesh_slice", slice_at, {A_MESH, A_NEW_GROUP}, 0, {-1, 1}, 2, false, false},
    {"mesh_tensor_group", tensor_group, {A_MESH, A_NEW_GROUP}, 0, {0}, 0, false, false},
    {"mesh_data_group", data_group, {A_MESH, A_NEW_GROUP}, 0, {0}, 0, false, false},
    {"mesh_global_group", global_group, {A_MESH, A_NEW_GROUP}, 0, {0}, 0, false, false},
    {"group_barrier", group_barrier, {A_GROUP}, 0, {0}, 0, false, false},
    {"mesh_barrier", barrier, {A_MESH}, 0, {0}, 0, false, false},
    {"mesh_barrier_of", barrier_of, {A_MESH}, 0, {-1, 2}, 2, false, false},
    {"mesh_on_master", on_master, {A_MESH, A_FUNCTION}, 0, {0}, 0, false, false},
    {"group_all_reduce", all_reduce, {A_GROUP, A_SOURCE, A_RESULT}, 0, {0}, 0, true, true},
    {"group_all_gather", all_gather, {A_GROUP, A_SOURCE, A_RESULT}, 0, {0}, 0, true, false},
    {"group_reduce_scatter", reduce_scatter, {A_GROUP, A_SOURCE, A_RESULT}, 0, {0}, 0, true, true},
    {"group_all_to_all", all_to_all, {A_GROUP, A_SOURCE, A_RESULT}, 0, {0}, 0, true, false},
    {"group_broadcast", broadcast, {A_GROUP, A_SOURCE, A_RESULT}, 0, {-1, 1}, 2, true, false},
    {"group_scatter", scatter, {A_GROUP, A_SOURCE, A_RESULT}, 0, {-1, 1}, 2, true, false},
    {"group_gather", gather, {A_GROUP, A_SOURCE, A_RESULT}, 0, {-1, 1}, 2, true, false},
    {"group_reduce", reduce, {A_GROUP, A_SOURCE, A_RESULT}, 0, {-1, 1}, 2, true, true},
    {"group_send", send, {A_GROUP, A_SOURCE}, 0, {-1, 1}, 2, true, false},
    {"group_receive", receive, {A_GROUP, A_RESULT}, 0, {-2, 1}, 2, true, false},
    {"tensor_parallel_create", parallel, {A_SHAPE, NEW_LAYOUT}, 2, {-1, 0, 17}, 3, false, false},
    {"schedule_turns", turns, {TURNS}, 0, {-1, 1}, 2, false, false},
    {"schedule_turns", turns_of, {TURNS}, 0, {-1, 2}, 2, false, false},
    {"schedule_turns", turns_in, {TURNS}, 1, {-1, 0}, 2, false, false},
    {"schedule_turns", turns_for, {TURNS}, 1, {-1, 0, INT32_MAX}, 3, false, false},
    {"pipeline_run", pipeline_run, {A_MESH, A_STAGE}, 0, {-1, 2}, 2, false, false},
    {"pipeline_run", pipeline_of, {A_MESH, A_STAGE}, 0, {-1, 2}, 2, false, false},
    {"pipeline_run", pipeline_for, {A_MESH, A_STAGE}, 1, {-1, 0}, 2, false, false},
};
/* clang-format on */
enum { NUM_ROWS = sizeof(rows) / sizeof(rows[0]) };

/* ---- what pointers lead to ------------------------------------------------------------------- */

static tessera_status do_nothing(void *data) {
  (void)data;
  return TESSERA_OK;
}

static tessera_status forward(void *data, int32_t microbatch, const tessera_tensor *in,
                              tessera_tensor *out) {
  (void)microbatch;
  (void)in;
  (void)out;
  return do_nothing(data);
}

static tessera_status backward(void *data, int32_t microbatch, const tessera_tensor *in,
                               const tessera_tensor *by_out, tessera_tensor *by_in) {
  (void)by_out;
  return forward(data, microbatch, in, by_in);
}

typedef struct scenery {
  void *targets[NUM_TARGETS];
  tessera_mesh *made;
  tessera_group *chosen;
  tessera_tensor_parallel parallel;
  int64_t numbers[2], source[1], result[1];
  tessera_turn turns[2];
  tessera_mesh *mesh;
  tessera_group *group;
} scenery;

static int64_t shape[] = {1, 1}, coordinates[] = {0, 0};
static int32_t dims[] = {0, 1};
static tessera_stage stage = {
    .struct_size = sizeof(stage), .forward = forward, .backward = backward};

static void set(scenery *s) {
  tessera_status (*function)(void *data) = do_nothing;
  static char name[] = "tensor";
  *s = (scenery){.targets = {[A_SHAPE] = shape,
                             [A_COORDINATES] = coordinates,
                             [A_DIM] = dims,
                             [A_NAME] = name,
                             [A_STAGE] = &stage,
                             [A_NEW_MESH] = &s->made,
                             [A_NEW_GROUP] = &s->chosen,
                             [A_NUMBER] = s->numbers,
                             [A_SOURCE] = s->source,
                             [A_RESULT] = s->result,
                             [TURNS] = s->turns,
                             [NEW_LAYOUT] = &s->parallel}};
  memcpy(&s->targets[A_FUNCTION], &function, sizeof(function));
  EXPECT(tessera_mesh_create(tessera_context_current(), 2, shape, NULL, &s->mesh) == TESSERA_OK);
  EXPECT(tessera_mesh_global_group(s->mesh, &s->group) == TESSERA_OK);
  s->targets[A_MESH] = s->mesh;
  s->targets[A_GROUP] = s->group;
}

static void clear(scenery *s) {
  tessera_mesh_destroy(s->made);
  s->made = NULL;
  tessera_tensor_parallel_destroy(&s->parallel);
}

/* ---- one wrong argument at a time ------------------------------------------------------------ */

static arguments right_arguments(const row *row, const scenery *s) {
  arguments a = {.number = row->number, .count = 1, .type = TESSERA_I64, .reduction = TESSERA_SUM};
  for (int i = 0; i < MOST_POINTERS; i++)
    a.pointers[i] = s->targets[row->pointers[i]];
  return a;
}

static void expect_refused(const row *row, scenery *s, const arguments *a, const char *what,
                           long long value) {
  tessera_schedule_turns(TESSERA_GPIPE, 0, 0, 0, NULL); /* a message of another function */
  char before[256];
  strncpy(before, tessera_last_error(), sizeof(before) - 1);
  before[sizeof(before) - 1] = '\0';
  tessera_status status = row->call(a);
  bool has_meaning = status == TESSERA_ERROR_INVALID_ARGUMENT ||
                     (status == TESSERA_ERROR_UNSUPPORTED && strcmp(what, "reduction") == 0);
  if (!has_meaning || !*tessera_last_error())
    fail_test("tessera_%s, %s %lld: status %d, \"%s\"", row->name, what, value, (int)status,
              status ? tessera_last_error() : "");
  else if (strcmp(before, tessera_last_error()) == 0 && strncmp(row->name, "schedule", 8) != 0)
    fail_test("tessera_%s, %s %lld: no message of its own", row->name, what, value);
  clear(s);
}

static void check_pointers(const row *row, scenery *s) {
  for (int i = 0; i < MOST_POINTERS && row->pointers[i]; i++) {
    arguments a = right_arguments(row, s);
    a.pointers[i] = NULL;
    expect_refused(row, s, &a, "NULL at pointer", i);
  }
}

static void check_numbers(const row *row, scenery *s) {
  for (int i = 0; i < row->num_wrong; i++) {
    arguments a = right_arguments(row, s);
    a.number = row->wrong[i];
    expect_refused(row, s, &a, "number", a.number);
  }
}

static void check_data(const row *row, scenery *s) {
  static const int64_t counts[] = {-1, INT64_MIN, INT64_MAX, INT64_MAX / 8 + 1};
  static const int types[] = {-1, 0, TESSERA_F8 + 1, INT32_MAX},
                   reductions[] = {-1, TESSERA_REDUCTION_NONE, TESSERA_MINNUM + 1, INT32_MAX};
  for (int i = 0; row->moves && i < 4; i++) {
    arguments a = right_arguments(row, s);
    a.count = counts[i];
    expect_refused(row, s, &a, "count", a.count);
    a = right_arguments(row, s);
    a.type = (tessera_dtype)types[i];
    expect_refused(row, s, &a, "type", types[i]);
    a = right_arguments(row, s);
    a.reduction = (tessera_reduction)reductions[i];
    if (row->reduces)
      expect_refused(row, s, &a, "reduction", reductions[i]);
  }
}

/* Functions that return no status have an answer. */
static void check_answers(void) {
  const int64_t one[] = {1};
  char text[8], small[1] = {'x'};
  EXPECT(strcmp(tessera_coordinates_text(1, one, NULL, sizeof(text)), "") == 0);
  EXPECT(strcmp(tessera_coordinates_text(1, one, small, 0), "") == 0 && small[0] == 'x');
  EXPECT(strcmp(tessera_coordinates_text(1, NULL, text, sizeof(text)), "(NULL)") == 0);
  EXPECT(strcmp(tessera_coordinates_text(0, NULL, text, sizeof(text)), "()") == 0);
  EXPECT(strcmp(tessera_coordinates_text(-1, one, text, sizeof(text)), "()") == 0);
  EXPECT(!tessera_coordinates_equal(1, NULL, 1, one) &&
         !tessera_coordinates_equal(1, one, 1, NULL));
  EXPECT(!tessera_coordinates_equal(1, NULL, 1, NULL) &&
         tessera_coordinates_equal(0, NULL, 0, NULL));
  EXPECT(!tessera_coordinates_equal(-1, one, -1, one));
  tessera_at(NULL, 0);
}

static void on_rank(int32_t rank, int32_t size, void *data) {
  scenery s;
  (void)rank;
  (void)size;
  (void)data;
  set(&s);
  for (int i = 0; i < NUM_ROWS; i++) {
    const row *row = &rows[i];
    check_pointers(row, &s);
    check_numbers(row, &s);
    check_data(row, &s);
    arguments a = right_arguments(row, &s); /* nothing was sent: else a receive would find it */
    if (row->call(&a) != TESSERA_OK)
      fail_test("tessera_%s: %s", row->name, tessera_last_error());
    clear(&s);
  }
  check_answers();
  tessera_mesh_destroy(s.mesh);
  EXPECT(tessera_settle(tessera_context_current()) == TESSERA_OK);
}

int main(void) {
  run_local(1, on_rank, NULL);
  return finish_tests();
}
