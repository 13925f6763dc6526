/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Device meshes: coordinates, lines and slices against loops over all ranks, barriers, collectives
 * on plain buffers, and every wrong argument. usage: mesh [DIMENSIONS], of all meshes or those of
 * so many dimensions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "harness.h"
#include "tessera/mesh.h"

enum { MOST = 64, COUNT = 5 };

typedef struct shape {
  int32_t num;
  int64_t extents[4];
} shape;

static const shape shapes[] = {{1, {1}},          {1, {5}},          {2, {4, 2}},
                               {2, {2, 3}},       {2, {1, 6}},       {3, {2, 3, 2}},
                               {3, {3, 1, 2}},    {3, {2, 2, 2}},    {3, {1, 3, 2}},
                               {4, {2, 1, 3, 2}}, {4, {1, 2, 2, 1}}, {4, {2, 2, 2, 1}}};
enum { NUM_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static int32_t devices_of(const shape *shape) {
  int64_t devices = 1;
  for (int32_t d = 0; d < shape->num; d++)
    devices *= shape->extents[d];
  return (int32_t)devices;
}

/* ---- coordinates ----------------------------------------------------------------------------- */

static void check_coordinates(const shape *shape, int32_t rank) {
  tessera_mesh *mesh, *again;
  int64_t coordinates[4], rest = rank;
  int32_t back;
  char text[64], expected[64] = "(";
  EXPECT(tessera_mesh_of_rank(rank, shape->num, shape->extents, NULL, &mesh) == TESSERA_OK);
  for (int32_t d = shape->num - 1; d >= 0; d--) {
    coordinates[d] = rest % shape->extents[d];
    rest /= shape->extents[d];
  }
  EXPECT(tessera_mesh_rank(mesh) == rank && tessera_mesh_size(mesh) == devices_of(shape));
  EXPECT(tessera_mesh_num_dims(mesh) == shape->num);
  EXPECT(memcmp(tessera_mesh_shape(mesh), shape->extents, sizeof(int64_t) * (size_t)shape->num) ==
         0);
  EXPECT(tessera_coordinates_equal(shape->num, tessera_mesh_coordinates(mesh), shape->num,
                                   coordinates));
  EXPECT(tessera_mesh_to_rank(mesh, shape->num, coordinates, &back) == TESSERA_OK && back == rank);
  EXPECT(tessera_mesh_to_world(mesh, rank, &back) == TESSERA_OK && back == rank);
  EXPECT(tessera_mesh_is_master(mesh) == (rank == 0));
  for (int32_t d = 0; d < shape->num; d++) {
    char one[16];
    snprintf(one, sizeof(one), "%s%d", d ? ", " : "", (int)coordinates[d]);
    strcat(expected, one);
  }
  strcat(expected, ")");
  EXPECT(strcmp(tessera_coordinates_text(shape->num, coordinates, text, sizeof(text)), expected) ==
         0);
  EXPECT(tessera_mesh_of_coordinates(shape->num, coordinates, shape->num, shape->extents, NULL,
                                     &again) == TESSERA_OK);
  EXPECT(tessera_mesh_rank(again) == rank);
  tessera_mesh_destroy(again);
  tessera_mesh_destroy(mesh);
}

static void test_coordinates(void) {
  for (int s = 0; s < NUM_SHAPES; s++)
    for (int32_t rank = 0; rank < devices_of(&shapes[s]); rank++)
      check_coordinates(&shapes[s], rank);
  const int64_t a[] = {1, 2}, b[] = {1, 3};
  char small[4];
  EXPECT(tessera_coordinates_equal(2, a, 2, a) && !tessera_coordinates_equal(2, a, 2, b));
  EXPECT(!tessera_coordinates_equal(1, a, 2, a));
  EXPECT(strcmp(tessera_coordinates_text(2, a, small, sizeof(small)), "(1,") == 0);
}

static void test_names(void) {
  const int64_t extents[] = {1, 2, 1, 1, 1};
  const char *const own[] = {"rows", "columns"};
  tessera_mesh *mesh;
  int32_t dim;
  int64_t extent;
  EXPECT(tessera_mesh_of_rank(1, 5, extents, NULL, &mesh) == TESSERA_OK);
  static const char *const usual[] = {"data", "tensor", "pipeline", "expert", "dim4"};
  for (int32_t d = 0; d < 5; d++)
    EXPECT(strcmp(tessera_mesh_name(mesh, d), usual[d]) == 0);
  EXPECT(tessera_mesh_name(mesh, 5) == NULL && tessera_mesh_name(mesh, -1) == NULL);
  EXPECT(tessera_mesh_find(mesh, "tensor", &dim) == TESSERA_OK && dim == TESSERA_DIM_TENSOR);
  EXPECT(tessera_mesh_extent(mesh, dim, &extent) == TESSERA_OK && extent == 2);
  tessera_mesh_destroy(mesh);
  EXPECT(tessera_mesh_of_rank(1, 2, extents, own, &mesh) == TESSERA_OK);
  EXPECT(tessera_mesh_find(mesh, "columns", &dim) == TESSERA_OK && dim == 1);
  EXPECT(tessera_mesh_find(mesh, "tensor", &dim) == TESSERA_ERROR_NOT_FOUND);
  tessera_mesh_destroy(mesh);
}

/* ---- wrong arguments ------------------------------------------------------------------------- */

static void expect_refused(tessera_status status, const char *words, int line) {
  if (status != TESSERA_OK && strstr(tessera_last_error(), words))
    return;
  fail_test("mesh.c:%d: status %d, \"%s\": expected \"%s\"", line, (int)status,
            status ? tessera_last_error() : "", words);
}
#define REFUSED(call, words) expect_refused(call, words, __LINE__)

static tessera_status do_nothing(void *data) {
  (void)data;
  return TESSERA_OK;
}

static void test_refusals(void) {
  const int64_t extents[] = {2, 3}, zero[] = {2, 0}, huge[] = {1 << 20, 1 << 20}, at[] = {1, 3};
  const char *const twice[] = {"a", "a"}, *const unnamed[] = {"a", ""},
                    *const missing[] = {"a", NULL}, *const blank[] = {"a", "b c"};
  const int32_t both[] = {0, 0}, beyond[] = {2};
  int32_t rank, dim;
  int64_t extent, coordinates[2];
  float value = 0;
  tessera_mesh *mesh, *other;
  tessera_group *group;
  REFUSED(tessera_mesh_of_rank(0, 0, extents, NULL, &mesh), "a mesh of 0 dimensions");
  REFUSED(tessera_mesh_of_rank(0, 17, extents, NULL, &mesh), "a mesh of 17 dimensions");
  REFUSED(tessera_mesh_of_rank(0, 2, zero, NULL, &mesh),
          "dimension 1 of the mesh has the extent 0");
  REFUSED(tessera_mesh_of_rank(0, 2, huge, NULL, &mesh), "more devices than ranks can be");
  REFUSED(tessera_mesh_of_rank(6, 2, extents, NULL, &mesh), "there is no rank 6 in a mesh of 6");
  REFUSED(tessera_mesh_of_rank(-1, 2, extents, NULL, &mesh), "there is no rank -1");
  REFUSED(tessera_mesh_of_rank(0, 2, extents, twice, &mesh),
          "two dimensions of the mesh are called \"a\"");
  REFUSED(tessera_mesh_of_rank(0, 2, extents, unnamed, &mesh),
          "dimension 1 of the mesh has no name");
  REFUSED(tessera_mesh_of_rank(0, 2, extents, missing, &mesh),
          "dimension 1 of the mesh has no name");
  REFUSED(tessera_mesh_of_coordinates(1, at, 2, extents, NULL, &mesh),
          "1 coordinates for a mesh of 2 dimensions");
  REFUSED(tessera_mesh_of_coordinates(2, at, 2, extents, NULL, &mesh),
          "coordinate 3 in dimension \"tensor\" of extent 3");
  EXPECT(tessera_mesh_of_rank(4, 2, extents, NULL, &mesh) == TESSERA_OK);
  REFUSED(tessera_mesh_to_coordinates(mesh, 6, coordinates), "there is no rank 6");
  REFUSED(tessera_mesh_to_world(mesh, -1, &rank), "there is no rank -1");
  REFUSED(tessera_mesh_to_rank(mesh, 3, at, &rank), "3 coordinates for a mesh of 2");
  REFUSED(tessera_mesh_extent(mesh, 2, &extent), "there is no dimension 2 in a mesh of 2");
  REFUSED(tessera_mesh_find(mesh, NULL, &dim), "there is no name");
  REFUSED(tessera_mesh_line(mesh, 2, both, &group), "dimension 0 is twice");
  REFUSED(tessera_mesh_line(mesh, 1, beyond, &group), "there is no dimension 2");
  REFUSED(tessera_mesh_line(mesh, 3, both, &group), "a line along 3 of 2 dimensions");
  REFUSED(tessera_mesh_slice(mesh, 2, 0, &group), "there is no dimension 2");
  REFUSED(tessera_mesh_slice(mesh, 1, 3, &group), "index 3 in dimension \"tensor\" of extent 3");
  REFUSED(tessera_mesh_sub(mesh, 0, both, &other), "0 of the 2 dimensions");
  REFUSED(tessera_mesh_sub(mesh, 2, both, &other), "two dimensions of the mesh are called");
  REFUSED(tessera_mesh_barrier_of(mesh, 7), "there is no dimension 7");
  REFUSED(tessera_mesh_barrier(mesh), "the mesh was made of a rank alone");
  EXPECT(tessera_mesh_global_group(mesh, &group) == TESSERA_OK);
  REFUSED(tessera_group_all_gather(group, &value, &value, 1, TESSERA_F32),
          "the mesh was made of a rank alone");
  REFUSED(tessera_mesh_of_rank(0, 2, extents, blank, &other),
          "dimension 1 of the mesh has the byte 0x20 behind \"b\": expected printable ASCII");
  for (int byte = 1; byte < 256; byte++) { /* each one by itself */
    const char text[] = {'n', (char)byte, '\0'}, *const names[] = {"a", text};
    bool is_refused = tessera_mesh_of_rank(0, 2, extents, names, &other) != TESSERA_OK;
    EXPECT(is_refused == (byte <= ' ' || byte >= 0x7f));
    if (!is_refused)
      tessera_mesh_destroy(other);
  }
  REFUSED(tessera_mesh_of_rank(0, 2, extents, NULL, NULL), "no place for the mesh");
  REFUSED(tessera_mesh_create(NULL, 2, extents, NULL, NULL), "no place for the mesh");
  REFUSED(tessera_mesh_of_coordinates(2, at, 2, extents, NULL, NULL), "no place for the mesh");
  REFUSED(tessera_mesh_of_coordinates(2, NULL, 2, extents, NULL, &other), "no coordinates");
  REFUSED(tessera_mesh_sub(NULL, 1, both, &other), "there is no mesh");
  REFUSED(tessera_mesh_sub(mesh, 1, both, NULL), "no place for a mesh");
  REFUSED(tessera_mesh_sub(mesh, 1, NULL, &other), "there are no dimensions");
  REFUSED(tessera_mesh_find(NULL, "data", &dim), "there is no mesh");
  REFUSED(tessera_mesh_find(mesh, "data", NULL), "no place for a dimension");
  REFUSED(tessera_mesh_extent(mesh, 0, NULL), "no place for an extent");
  REFUSED(tessera_mesh_to_coordinates(NULL, 0, coordinates), "there is no mesh");
  REFUSED(tessera_mesh_to_coordinates(mesh, 0, NULL), "no place for coordinates");
  REFUSED(tessera_mesh_to_rank(mesh, 2, NULL, &rank), "no coordinates");
  REFUSED(tessera_mesh_to_rank(mesh, 2, at, NULL), "no place for a rank");
  REFUSED(tessera_mesh_to_world(mesh, 0, NULL), "no place for a rank");
  REFUSED(tessera_mesh_line(NULL, 0, NULL, &group), "there is no mesh");
  REFUSED(tessera_mesh_line(mesh, 1, both, NULL), "no place for a group");
  REFUSED(tessera_mesh_line(mesh, 1, NULL, &group), "there are no dimensions");
  REFUSED(tessera_mesh_slice(NULL, 0, 0, &group), "there is no mesh");
  REFUSED(tessera_mesh_tensor_group(NULL, &group), "there is no mesh");
  REFUSED(tessera_mesh_data_group(mesh, NULL), "no place for a group");
  REFUSED(tessera_mesh_global_group(NULL, &group), "there is no mesh");
  REFUSED(tessera_mesh_barrier(NULL), "there is no mesh");
  REFUSED(tessera_mesh_barrier_of(NULL, 0), "there is no mesh");
  REFUSED(tessera_mesh_on_master(NULL, do_nothing, NULL), "there is no mesh");
  REFUSED(tessera_mesh_on_master(mesh, NULL, NULL), "there is no function");
  REFUSED(tessera_tensor_parallel_create(NULL, 2, extents, NULL), "no place for the mesh");
  tessera_tensor_parallel_destroy(NULL);
  EXPECT(tessera_mesh_num_dims(NULL) == 0 && tessera_mesh_size(NULL) == 0 &&
         tessera_mesh_rank(NULL) == 0 && !tessera_mesh_shape(NULL) &&
         !tessera_mesh_coordinates(NULL) && !tessera_mesh_name(NULL, 0) &&
         !tessera_mesh_is_master(NULL));
  EXPECT(tessera_group_size(NULL) == 0 && tessera_group_rank(NULL) == -1 &&
         !tessera_group_ranks(NULL));
  tessera_mesh_destroy(mesh);
  tessera_mesh_destroy(NULL);
}

/* Meshes and what came of them are there when their context is not, as at the end of main. */
static void test_end_of_context(void) {
  const int64_t extents[] = {1, 1};
  const int32_t first[] = {0};
  tessera_context *context = NULL;
  tessera_mesh *mesh, *part, *other, *late;
  tessera_group *group;
  EXPECT(tessera_local_create(1, &context) == TESSERA_OK);
  EXPECT(tessera_mesh_create(context, 2, extents, NULL, &other) == TESSERA_OK);
  EXPECT(tessera_mesh_create(context, 2, extents, NULL, &mesh) == TESSERA_OK);
  EXPECT(tessera_mesh_sub(mesh, 1, first, &part) == TESSERA_OK);
  EXPECT(tessera_mesh_global_group(mesh, &group) == TESSERA_OK);
  EXPECT(tessera_group_barrier(group) == TESSERA_OK && tessera_mesh_barrier(part) == TESSERA_OK);
  tessera_mesh_destroy(other);
  tessera_local_destroy(1, &context);
  REFUSED(tessera_group_barrier(group), "the context of the mesh has ended");
  REFUSED(tessera_mesh_barrier(part), "the context of the mesh has ended");
  EXPECT(tessera_mesh_sub(mesh, 1, first, &late) == TESSERA_OK);
  REFUSED(tessera_mesh_barrier(late), "the context of the mesh has ended");
  EXPECT(tessera_mesh_size(mesh) == 1 && tessera_mesh_line(mesh, 1, first, &group) == TESSERA_OK);
  tessera_mesh_destroy(mesh);
  tessera_mesh_destroy(late);
  tessera_mesh_destroy(part);
}

/* What one rank writes another may still have to read. Where only a root reads or writes, the
 * others' other buffer is nobody's business. */
static void refuse_overlaps(tessera_group *group) {
  float memory[2 * MOST + 2] = {0}, *last = memory + 1;
  int32_t self = tessera_group_rank(group), size = tessera_group_size(group);
  const char *words = "are written overlap";
  REFUSED(tessera_group_all_gather(group, memory, memory, 2, TESSERA_F32), words);
  REFUSED(tessera_group_all_gather(group, memory + 2 * size - 1, memory, 2, TESSERA_F32), words);
  REFUSED(tessera_group_reduce_scatter(group, memory, memory, 2, TESSERA_F32, TESSERA_SUM), words);
  REFUSED(tessera_group_reduce_scatter(group, memory, memory + 2 * size - 1, 2, TESSERA_F32,
                                       TESSERA_SUM),
          words);
  REFUSED(tessera_group_all_to_all(group, memory, memory, 2, TESSERA_F32), words);
  REFUSED(tessera_group_all_reduce(group, memory, last, 2, TESSERA_F32, TESSERA_SUM),
          "or one that begins where the other does");
  REFUSED(tessera_group_broadcast(group, last, memory, 2, TESSERA_F32, self), words);
  REFUSED(tessera_group_scatter(group, memory, memory, 2, TESSERA_F32, self), words);
  REFUSED(tessera_group_gather(group, memory, memory, 2, TESSERA_F32, self), words);
  REFUSED(tessera_group_reduce(group, memory, memory, 2, TESSERA_F32, TESSERA_SUM, self), words);
  EXPECT(tessera_group_all_gather(group, memory, memory, 0, TESSERA_F32) == TESSERA_OK);
  EXPECT(tessera_group_broadcast(group, memory, memory, 2, TESSERA_F32, 0) == TESSERA_OK);
  EXPECT(tessera_group_all_gather(group, memory + 2 * size, memory, 2, TESSERA_F32) == TESSERA_OK);
  EXPECT(tessera_group_broadcast(group, self == 0 ? memory + 2 : last, memory, 2, TESSERA_F32, 0) ==
         TESSERA_OK);
}

/* Of a mesh that communicates: what is refused on each rank alike, so that nobody waits. */
static void refusals_here(tessera_mesh *mesh) {
  const int64_t too_many[] = {MOST, MOST};
  tessera_mesh *other;
  tessera_group *group;
  float value = 0;
  REFUSED(tessera_mesh_create(tessera_context_current(), 2, too_many, NULL, &other),
          tessera_context_size(tessera_context_current()) == 1
              ? "a mesh of shape 64x64 has 4096 devices, and there is 1 rank:"
              : "a mesh of shape 64x64 has 4096 devices, and there are ");
  EXPECT(tessera_mesh_global_group(mesh, &group) == TESSERA_OK);
  REFUSED(tessera_group_all_gather(group, &value, &value, -1, TESSERA_F32),
          "-1 elements cannot be");
  REFUSED(tessera_group_all_gather(group, &value, &value, 1, (tessera_dtype)99),
          "element type 99 is not known");
  REFUSED(tessera_group_broadcast(group, &value, &value, 1, TESSERA_F32, -1),
          "there is no member -1");
  REFUSED(tessera_group_gather(group, &value, &value, 1, TESSERA_F32, MOST),
          "there is no member 64");
  REFUSED(tessera_group_send(group, &value, 1, TESSERA_F32, -1), "there is no member -1");
  REFUSED(tessera_group_receive(group, &value, 1, TESSERA_F32, -2), "there is no member -2");
  REFUSED(tessera_group_all_reduce(group, &value, &value, 1, TESSERA_F32, TESSERA_XOR),
          "has no meaning for f32");
  REFUSED(tessera_group_all_reduce(group, &value, &value, 1, TESSERA_F32, (tessera_reduction)99),
          "the reduction 'unknown' has no meaning for f32");
  REFUSED(tessera_group_all_reduce(group, NULL, &value, 1, TESSERA_F32, TESSERA_SUM),
          "1 elements are to be read at NULL");
  REFUSED(tessera_group_all_gather(group, &value, NULL, 1, TESSERA_F32),
          "1 elements are to be written at NULL");
  REFUSED(tessera_group_barrier(NULL), "there is no group");
  refuse_overlaps(group);
  EXPECT(tessera_group_all_reduce(group, &value, &value, 1, TESSERA_F32, TESSERA_SUM) ==
         TESSERA_OK);
  if (tessera_mesh_shape(mesh)[0] > 1) {
    int64_t elsewhere = (tessera_mesh_coordinates(mesh)[0] + 1) % tessera_mesh_shape(mesh)[0];
    EXPECT(tessera_mesh_slice(mesh, 0, elsewhere, &group) == TESSERA_OK);
    EXPECT(tessera_group_rank(group) == -1);
    REFUSED(tessera_group_barrier(group), "is not in the group");
  }
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The ranks, in order, that agree with `at` in the dimensions that `varies` does not have. */
static int32_t ranks_like(const tessera_mesh *mesh, const int64_t *at, uint32_t varies,
                          int32_t *ranks) {
  int32_t num = 0;
  for (int32_t rank = 0; rank < tessera_mesh_size(mesh); rank++) {
    int64_t coordinates[4];
    bool same = true;
    tessera_mesh_to_coordinates(mesh, rank, coordinates);
    for (int32_t d = 0; d < tessera_mesh_num_dims(mesh); d++)
      same = same && (varies >> d & 1 || coordinates[d] == at[d]);
    if (same)
      ranks[num++] = rank;
  }
  return num;
}

static void expect_members(const tessera_group *group, int32_t num, const int32_t *ranks,
                           int32_t rank) {
  int32_t self = -1;
  for (int32_t i = 0; i < num; i++)
    if (ranks[i] == rank)
      self = i;
  EXPECT(tessera_group_size(group) == num && tessera_group_rank(group) == self);
  EXPECT(num == tessera_group_size(group) &&
         memcmp(tessera_group_ranks(group), ranks, sizeof(int32_t) * (size_t)num) == 0);
}

static tessera_group *line_along(tessera_mesh *mesh, uint32_t varies) {
  int32_t dims[4], num = 0;
  tessera_group *group = NULL;
  for (int32_t d = 0; d < tessera_mesh_num_dims(mesh); d++)
    if (varies >> d & 1)
      dims[num++] = d;
  EXPECT(tessera_mesh_line(mesh, num, dims, &group) == TESSERA_OK);
  return group;
}

static void check_groups(tessera_mesh *mesh) {
  int32_t ranks[MOST], num_dims = tessera_mesh_num_dims(mesh), rank = tessera_mesh_rank(mesh);
  const int64_t *own = tessera_mesh_coordinates(mesh);
  tessera_group *group, *again;
  uint32_t all = (1u << num_dims) - 1;
  for (uint32_t varies = 0; varies <= all; varies++)
    expect_members(line_along(mesh, varies), ranks_like(mesh, own, varies, ranks), ranks, rank);
  EXPECT(line_along(mesh, all) == line_along(mesh, all));
  for (int32_t d = 0; d < num_dims; d++)
    for (int64_t index = 0; index < tessera_mesh_shape(mesh)[d]; index++) {
      int64_t at[4];
      memcpy(at, own, sizeof(int64_t) * (size_t)num_dims);
      at[d] = index;
      EXPECT(tessera_mesh_slice(mesh, d, index, &group) == TESSERA_OK);
      expect_members(group, ranks_like(mesh, at, all & ~(1u << d), ranks), ranks, rank);
    }
  EXPECT(tessera_mesh_global_group(mesh, &group) == TESSERA_OK);
  expect_members(group, ranks_like(mesh, own, all, ranks), ranks, rank);
  EXPECT(tessera_mesh_data_group(mesh, &group) == TESSERA_OK);
  expect_members(group, ranks_like(mesh, own, 1, ranks), ranks, rank);
  tessera_status status = tessera_mesh_tensor_group(mesh, &group);
  EXPECT(status == (num_dims > 1 ? TESSERA_OK : TESSERA_ERROR_NOT_FOUND));
  if (num_dims > 1)
    expect_members(group, ranks_like(mesh, own, 2, ranks), ranks, rank);
  if (num_dims == 2) { /* then the slice at the own index is the line of the other dimension */
    EXPECT(tessera_mesh_slice(mesh, TESSERA_DIM_DATA, own[0], &again) == TESSERA_OK);
    EXPECT(again == group);
  }
}

static void test_groups(void) {
  for (int s = 0; s < NUM_SHAPES; s++)
    for (int32_t rank = 0; rank < devices_of(&shapes[s]); rank++) {
      tessera_mesh *mesh;
      EXPECT(tessera_mesh_of_rank(rank, shapes[s].num, shapes[s].extents, NULL, &mesh) ==
             TESSERA_OK);
      check_groups(mesh);
      tessera_mesh_destroy(mesh);
    }
}

/* ---- collectives ----------------------------------------------------------------------------- */

/* What member `rank` has at place `i`. */
static int64_t number(int32_t rank, int64_t i) {
  return (int64_t)(mix((uint64_t)rank + 1, (uint64_t)i + 1) % 1000);
}

static void fill(int64_t *memory, int64_t count, int32_t rank) {
  for (int64_t i = 0; i < count; i++)
    memory[i] = number(rank, i);
}

static void check_joining(tessera_group *group, int32_t rank) {
  const int32_t *ranks = tessera_group_ranks(group);
  int32_t n = tessera_group_size(group), self = tessera_group_rank(group), root = n - 1;
  int64_t in[COUNT * MOST], out[COUNT * MOST], one[COUNT];
  fill(in, COUNT * n, rank);
  EXPECT(tessera_group_all_gather(group, in, out, COUNT, TESSERA_I64) == TESSERA_OK);
  for (int64_t i = 0; i < COUNT * n; i++)
    EXPECT(out[i] == number(ranks[i / COUNT], i % COUNT));
  EXPECT(tessera_group_all_to_all(group, in, out, COUNT, TESSERA_I64) == TESSERA_OK);
  for (int64_t i = 0; i < COUNT * n; i++)
    EXPECT(out[i] == number(ranks[i / COUNT], self * COUNT + i % COUNT));
  memset(out, 0xff, sizeof(out));
  EXPECT(tessera_group_gather(group, in, out, COUNT, TESSERA_I64, root) == TESSERA_OK);
  for (int64_t i = 0; i < COUNT * n; i++)
    EXPECT(out[i] == (self == root ? number(ranks[i / COUNT], i % COUNT) : -1));
  EXPECT(tessera_group_scatter(group, in, one, COUNT, TESSERA_I64, root) == TESSERA_OK);
  for (int64_t i = 0; i < COUNT; i++)
    EXPECT(one[i] == number(ranks[root], self * COUNT + i));
  fill(one, COUNT, rank);
  EXPECT(tessera_group_broadcast(group, one, one, COUNT, TESSERA_I64, 0) == TESSERA_OK);
  for (int64_t i = 0; i < COUNT; i++)
    EXPECT(one[i] == number(ranks[0], i));
}

/* A rank alone has its sum: in place nothing is read or written. */
static void check_alone(tessera_mesh *mesh) {
  enum { LENGTH = 1 << 16 };
  void *memory = mmap(NULL, LENGTH, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  tessera_group *self = NULL;
  EXPECT(memory != MAP_FAILED && tessera_mesh_line(mesh, 0, NULL, &self) == TESSERA_OK);
  EXPECT(tessera_group_all_reduce(self, memory, memory, LENGTH / sizeof(float), TESSERA_F32,
                                  TESSERA_AVERAGE) == TESSERA_OK);
  munmap(memory, LENGTH);
}

static int64_t sum_of(const tessera_group *group, int64_t i) {
  int64_t sum = 0;
  for (int32_t m = 0; m < tessera_group_size(group); m++)
    sum += number(tessera_group_ranks(group)[m], i);
  return sum;
}

static void check_reducing(tessera_group *group, int32_t rank) {
  int32_t n = tessera_group_size(group), self = tessera_group_rank(group);
  int64_t in[COUNT * MOST], out[COUNT * MOST];
  fill(in, COUNT * n, rank);
  EXPECT(tessera_group_reduce_scatter(group, in, out, COUNT, TESSERA_I64, TESSERA_SUM) ==
         TESSERA_OK);
  for (int64_t i = 0; i < COUNT; i++)
    EXPECT(out[i] == sum_of(group, self * COUNT + i));
  memset(out, 0xff, sizeof(out));
  EXPECT(tessera_group_reduce(group, in, out, COUNT, TESSERA_I64, TESSERA_SUM, 0) == TESSERA_OK);
  for (int64_t i = 0; i < COUNT; i++)
    EXPECT(out[i] == (self == 0 ? sum_of(group, i) : -1));
  EXPECT(tessera_group_all_reduce(group, in, out, COUNT, TESSERA_I64, TESSERA_SUM) == TESSERA_OK);
  EXPECT(tessera_group_all_reduce(group, in, in, COUNT, TESSERA_I64, TESSERA_SUM) == TESSERA_OK);
  for (int64_t i = 0; i < COUNT; i++)
    EXPECT(out[i] == sum_of(group, i) && in[i] == out[i]);
  EXPECT(tessera_group_all_reduce(group, in, out, 0, TESSERA_I64, TESSERA_SUM) == TESSERA_OK);
}

static void check_ring(tessera_group *group, int32_t rank) {
  int32_t n = tessera_group_size(group), self = tessera_group_rank(group);
  int64_t in[COUNT], out[COUNT];
  fill(in, COUNT, rank);
  EXPECT(tessera_group_send(group, in, COUNT, TESSERA_I64, (self + 1) % n) == TESSERA_OK);
  EXPECT(tessera_group_receive(group, out, COUNT, TESSERA_I64, (self + n - 1) % n) == TESSERA_OK);
  for (int64_t i = 0; i < COUNT; i++)
    EXPECT(out[i] == number(tessera_group_ranks(group)[(self + n - 1) % n], i));
}

static void check_collectives(tessera_mesh *mesh) {
  uint32_t all = (1u << tessera_mesh_num_dims(mesh)) - 1;
  int rounds = tessera_mesh_size(mesh) > 8 ? 1 : 2; /* made, and from what was made */
  for (int round = 0; round < rounds; round++)
    for (uint32_t varies = 0; varies <= all; varies++) {
      tessera_group *group = line_along(mesh, varies);
      check_joining(group, tessera_mesh_rank(mesh));
      check_reducing(group, tessera_mesh_rank(mesh));
      check_ring(group, tessera_mesh_rank(mesh));
    }
}

/* Sub-meshes are where their dimensions cross this rank. */
static void check_parts(tessera_mesh *mesh) {
  int32_t num_dims = tessera_mesh_num_dims(mesh), dims[4], num = 0;
  if (num_dims < 2)
    return;
  for (int32_t d = num_dims - 1; d > 0; d--)
    dims[num++] = d; /* in another order */
  tessera_mesh *sub;
  tessera_group *line, *all;
  EXPECT(tessera_mesh_sub(mesh, num, dims, &sub) == TESSERA_OK);
  EXPECT(tessera_mesh_line(mesh, num, dims, &line) == TESSERA_OK);
  EXPECT(tessera_mesh_size(sub) == tessera_group_size(line));
  EXPECT(tessera_mesh_rank(sub) == tessera_group_rank(line));
  for (int32_t i = 0; i < tessera_mesh_size(sub); i++) {
    int32_t world;
    EXPECT(tessera_mesh_to_world(sub, i, &world) == TESSERA_OK);
    EXPECT(world == tessera_group_ranks(line)[i]);
  }
  for (int32_t d = 0; d < num; d++)
    EXPECT(strcmp(tessera_mesh_name(sub, d), tessera_mesh_name(mesh, dims[d])) == 0);
  EXPECT(tessera_mesh_global_group(sub, &all) == TESSERA_OK);
  check_reducing(all, tessera_mesh_rank(sub));
  tessera_mesh_destroy(sub);
}

/* ---- barriers -------------------------------------------------------------------------------- */

/* The first of `group` comes late: nobody passes before. */
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check_barrier(tessera_group *group,
                          tessera_status (*wait)(tessera_mesh *mesh, int32_t dim),
                          tessera_mesh *mesh, int32_t dim) {
  double came, last, all[MOST];
  const struct timespec pause = {0, 20000000};
  if (tessera_group_rank(group) == 0)
    nanosleep(&pause, NULL);
  came = seconds();
  EXPECT(wait(mesh, dim) == TESSERA_OK);
  double passed = seconds();
  EXPECT(tessera_group_all_gather(group, &came, all, 1, TESSERA_F64) == TESSERA_OK);
  last = 0;
  for (int32_t i = 0; i < tessera_group_size(group); i++)
    last = all[i] > last ? all[i] : last;
  EXPECT(passed >= last); /* ranks of the test share a host, and so its clock */
}

static tessera_status wait_for_all(tessera_mesh *mesh, int32_t dim) {
  (void)dim;
  return tessera_mesh_barrier(mesh);
}

static void check_barriers(tessera_mesh *mesh) {
  tessera_group *group;
  EXPECT(tessera_mesh_global_group(mesh, &group) == TESSERA_OK);
  check_barrier(group, wait_for_all, mesh, 0);
  for (int32_t d = 0; d < tessera_mesh_num_dims(mesh); d++) {
    EXPECT(tessera_mesh_slice(mesh, d, tessera_mesh_coordinates(mesh)[d], &group) == TESSERA_OK);
    check_barrier(group, tessera_mesh_barrier_of, mesh, d);
  }
}

static tessera_status count_master(void *data) {
  ++*(int32_t *)data;
  return TESSERA_ERROR_CHECK;
}

static void check_master(tessera_mesh *mesh) {
  int32_t calls = 0;
  bool is_master = tessera_mesh_is_master(mesh);
  tessera_status status = tessera_mesh_on_master(mesh, count_master, &calls);
  EXPECT(is_master == (tessera_mesh_rank(mesh) == 0) && calls == (is_master ? 1 : 0));
  EXPECT(status == (is_master ? TESSERA_ERROR_CHECK : TESSERA_OK));
  EXPECT(!is_master || strstr(tessera_last_error(), "the function on the master"));
}

/* ---- all ranks ------------------------------------------------------------------------------- */

static void check_context(const shape *shape) {
  tessera_tensor_parallel parallel;
  tessera_status status = tessera_tensor_parallel_create(tessera_context_current(), shape->num,
                                                         shape->extents, &parallel);
  if (shape->num < 2) {
    EXPECT(status == TESSERA_ERROR_NOT_FOUND && !parallel.mesh);
    return;
  }
  EXPECT(status == TESSERA_OK && tessera_group_size(parallel.tensor) == shape->extents[1]);
  EXPECT(tessera_group_size(parallel.data) == shape->extents[0]);
  check_reducing(parallel.tensor, tessera_mesh_rank(parallel.mesh));
  tessera_tensor_parallel_destroy(&parallel);
}

static void check_shape(const shape *shape, int32_t rank) {
  tessera_mesh *mesh;
  EXPECT(tessera_mesh_create(tessera_context_current(), shape->num, shape->extents, NULL, &mesh) ==
         TESSERA_OK);
  EXPECT(tessera_mesh_rank(mesh) == rank);
  check_groups(mesh);
  check_collectives(mesh);
  check_alone(mesh);
  check_parts(mesh);
  check_barriers(mesh);
  check_master(mesh);
  refusals_here(mesh);
  check_context(shape);
  tessera_mesh_destroy(mesh);
}

/* Of every number of ranks meshes of one to four dimensions, or one of as many as `data` says. */
static void on_rank(int32_t rank, int32_t size, void *data) {
  int64_t factor = 2;
  const int32_t *num_dims = data;
  for (; size % factor != 0 && factor < size; factor++)
    continue;
  factor = factor < size ? factor : size;
  const shape of_size[] = {{1, {size}},
                           {2, {factor, size / factor}},
                           {3, {size / factor, 1, factor}},
                           {4, {1, factor, 1, size / factor}}};
  for (int s = 0; s < 4; s++)
    if (!num_dims || *num_dims == of_size[s].num)
      check_shape(&of_size[s], rank);
  for (int s = 0; s < NUM_SHAPES && !num_dims; s++)
    if (devices_of(&shapes[s]) == size)
      check_shape(&shapes[s], rank);
}

int main(int argc, char **argv) {
  int32_t num_dims = argc > 1 ? atoi(argv[1]) : 0;
  if (under_mpi()) {
    run_here(on_rank, num_dims > 0 ? &num_dims : NULL);
    return finish_tests();
  }
  test_coordinates();
  test_names();
  test_refusals();
  test_groups();
  test_end_of_context();
  for (int32_t ranks = 1; ranks <= 12; ranks++)
    run_local(ranks, on_rank, NULL);
  return finish_tests();
}
