/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which op becomes structured ops by which function. It knows names; it must not know what an op
 * means. */
#include "structured/structured.h"

#include <stdbool.h>
#include <stddef.h>

#include "capi/capi.h"
#include "support/ir.h"

/* Where it writes; else what it reads. */
static void structure_generic(MlirOperation op) {
  op = ts_structure_diagonals(op);
  if (ts_structure_scattered(op))
    return;
  ts_structure_reads(op);
  ts_structure_filled(op);
}

static void structure_slice(MlirOperation op) {
  if (!ts_structure_shortcut(op))
    ts_structure_part(op);
}

typedef struct row {
  const char *op;
  void (*structure)(MlirOperation op);
} row;

// clang-format off
static const row rows[] = {
    {"complex.create", ts_structure_complex},
    {"linalg.generic", structure_generic},
    {"linalg.pack", ts_structure_aggregate},
    {"linalg.softmax", ts_structure_aggregate},
    {"linalg.unpack", ts_structure_aggregate},
    {"scf.forall", ts_structure_forall},
    {"tensor.cast", ts_structure_cast},
    {"tensor.concat", ts_structure_joined},
    {"tensor.extract_slice", structure_slice},
    {"tensor.gather", ts_structure_gather},
    {"tensor.generate", ts_structure_generate},
    {"tensor.insert", ts_structure_insert},
    {"tensor.insert_slice", ts_structure_joined},
    {"tensor.pad", ts_structure_pad},
    {"tensor.reshape", ts_structure_reshape},
    {"tosa.reshape", ts_structure_reshape},
    {"tosa.slice", ts_structure_tosa_slice},
};
// clang-format on

static void note_annotation(MlirOperation op, void *user) {
  bool *found = user;
  *found |= ts_op_is(op, "shard.shard");
}

static void structure(MlirOperation op, void *user) {
  (void)user;
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    if (ts_op_is(op, rows[i].op)) {
      rows[i].structure(op);
      return;
    }
}

void ts_structure_aggregate(MlirOperation op) {
  ts_decompose_aggregate(op);
}

void ts_structure(MlirOperation module) {
  bool is_annotated = false;
  ts_each_op(module, note_annotation, &is_annotated);
  if (!is_annotated)
    return;
  ts_erase_unused_results(module);
  ts_structure_ravelled(module);
  ts_each_op(module, structure, NULL);
  ts_structure_turned(module);
  ts_erase_unused_results(module); /* what stands in the place of others no longer uses */
}

void ts_structure_insert_dialects(MlirDialectRegistry registry) {
  ts_decompose_register_dialects(registry);
  ts_insert_pipeline_dialects("func.func(convert-elementwise-to-linalg)", registry);
}
