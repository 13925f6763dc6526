/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One collective on one grid, group, type and tensor, and what a plain loop over all devices says
 * of it. It shares no code with the runtime. */
#ifndef TESSERA_TEST_RUNTIME_CASE_H
#define TESSERA_TEST_RUNTIME_CASE_H

#include "harness.h"

typedef struct shape {
  int32_t rank;
  int64_t sizes[MAX_RANK];
} shape;

/* One call of all devices. Moves through messages between single devices are a ring in each group:
 * TESSERA_SITE_SEND stands for the receive as well. */
typedef struct test_case {
  shape grid;
  int32_t axes[MAX_RANK];
  int32_t num_axes;
  tessera_site_kind kind;
  tessera_dtype input, output;
  tessera_reduction reduction;
  shape whole;      /* the undivided tensor */
  int32_t axis;     /* of the tensor, or of the grid for shifts */
  int32_t concat;   /* all_to_all */
  int64_t offset;   /* shift */
  int64_t halos[2]; /* update_halo: rows below and above the piece */
  uint32_t flags;
  int64_t root[MAX_RANK];
  uint64_t seed;
  uint64_t again; /* the number of the call among those of this case */
} test_case;

int64_t devices_of(const shape *grid);
int32_t group_size(const test_case *test);
/* Whether the call is one of a program's, which is remembered. */
bool is_listed(const test_case *test);
/* A case that has been started and not been waited for, with the records that its call refers to.
 */
typedef struct started_case {
  test_case test;
  int32_t device;
  memref in, out;
  tessera_grid grid;
  tessera_site site;
  int64_t words[2 * MAX_RANK + 1];
  tessera_operation *operation;
} started_case;

/* The same in two steps, of kinds that can be started; the second one checks the output. */
void start_case(const test_case *test, int32_t device, started_case *started);
void wait_for_case(started_case *started);

/* Does this device's part and checks all of its output. What is remembered is done once more, on
 * other values. */
void run_case(const test_case *test, int32_t device);

#endif /* TESSERA_TEST_RUNTIME_CASE_H */
