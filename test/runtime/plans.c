/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Plans of attached programs: several programs by turns, one where another was, in more shapes than
 * are kept, and some of them under way when their plans make room. */
#include <string.h>

#include "harness.h"

enum { PROGRAMS = 3, SITES = 2, SHAPES = 40, ROUNDS = 3 };

/* The records of a program, which another one may take the place of. */
typedef struct records {
  int64_t extent;
  tessera_grid grid;
  const tessera_grid *grids[1];
  int32_t axis;
  tessera_site sites[SITES];
  const tessera_site *site_list[SITES];
  tessera_program_record record;
} records;

static tessera_site site_of(const records *r, int32_t index, tessera_site_kind kind) {
  return (tessera_site){.struct_size = sizeof(tessera_site),
                        .kind = kind,
                        .name = "site",
                        .location = "",
                        .grid = &r->grid,
                        .axes = &r->axis,
                        .num_axes = 1,
                        .index = index,
                        .input_rank = 1,
                        .output_rank = 1,
                        .input_type = TESSERA_I64,
                        .output_type = TESSERA_I64,
                        .reduction = kind == TESSERA_SITE_ALL_REDUCE ? TESSERA_SUM : 0};
}

/* Programs differ in which of their sites gathers, and which one adds up. */
static void write_records(records *r, int32_t size, int which) {
  *r = (records){.extent = size};
  r->grid = (tessera_grid){sizeof(r->grid), 1, "g", &r->extent};
  r->grids[0] = &r->grid;
  for (int32_t i = 0; i < SITES; i++) {
    bool gathers = (i + which) % 2;
    r->sites[i] = site_of(r, i, gathers ? TESSERA_SITE_ALL_GATHER : TESSERA_SITE_ALL_REDUCE);
    r->site_list[i] = &r->sites[i];
  }
  r->record = (tessera_program_record){.struct_size = sizeof(r->record),
                                       .abi_version = TESSERA_ABI_VERSION,
                                       .source = "",
                                       .grids = r->grids,
                                       .num_grids = 1,
                                       .sites = r->site_list,
                                       .num_sites = SITES};
}

typedef struct call {
  const tessera_site *site;
  int32_t rank, size;
  int64_t number, rows;
  memref in, out;
  tessera_operation *operation;
} call;

static int64_t value_of(const call *c, int32_t rank, int64_t row) {
  return (int64_t)(mix((uint64_t)(c->number * 64 + rank), (uint64_t)row) % 1000);
}

static call start(const tessera_site *site, int32_t rank, int32_t size, int64_t number,
                  int64_t rows) {
  call c = {.site = site, .rank = rank, .size = size, .number = number, .rows = rows};
  int64_t all = site->kind == TESSERA_SITE_ALL_GATHER ? rows * size : rows;
  c.in = memref_create(1, &rows, sizeof(int64_t), DENSE);
  c.out = memref_create(1, &all, sizeof(int64_t), DENSE);
  for (int64_t i = 0; i < rows; i++)
    ((int64_t *)c.in.allocated)[i] = value_of(&c, rank, i);
  c.operation = tessera_rt_start(site, NULL, &c.in, &c.out, NULL);
  return c;
}

static void finish(call *c) {
  const int64_t *out = c->out.allocated;
  bool is_right = true;
  tessera_rt_wait(c->site, c->operation);
  for (int64_t i = 0; i < c->out.dims[0]; i++) {
    int64_t expected = 0;
    for (int32_t rank = 0; rank < c->size; rank++)
      expected += value_of(c, rank, i);
    if (c->site->kind == TESSERA_SITE_ALL_GATHER)
      expected = value_of(c, (int32_t)(i / c->rows), i % c->rows);
    is_right = is_right && out[i] == expected;
  }
  EXPECT(is_right);
  memref_destroy(&c->in);
  memref_destroy(&c->out);
}

/* One is under way while so many shapes come that its plan is no longer kept. */
static void call_often(const records *r, int32_t rank, int32_t size, int64_t *number) {
  for (int32_t s = 0; s < SITES; s++) {
    call first = start(&r->sites[s], rank, size, ++*number, 500);
    for (int64_t rows = 1; rows <= SHAPES; rows++) {
      call other = start(&r->sites[s], rank, size, ++*number, rows);
      finish(&other);
    }
    finish(&first);
  }
}

static void run(int32_t rank, int32_t size, void *data) {
  tessera_context *context = tessera_context_current();
  records places[PROGRAMS];
  tessera_program *programs[PROGRAMS];
  int64_t number = 0;
  (void)data;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < PROGRAMS; i++) {
      write_records(&places[i], size, round + i);
      EXPECT(tessera_program_from_record(&places[i].record, &programs[i]) == TESSERA_OK);
      EXPECT(tessera_program_attach(programs[i], context) == TESSERA_OK);
    }
    for (int turn = 0; turn < 2 * PROGRAMS; turn++)
      call_often(&places[turn % PROGRAMS], rank, size, &number);
    for (int i = 0; i < PROGRAMS; i++)
      tessera_program_unload(programs[i]);
  }
}

int main(void) {
  if (under_mpi())
    run_here(run, NULL);
  for (int32_t size = 1; size <= 3 && !under_mpi(); size++)
    run_local(size, run, NULL);
  return finish_tests();
}
