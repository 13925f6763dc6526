/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Forms of values that are built anew: when an op makes one, and how its pieces are built. It must
 * not know which op has which form. */
#ifndef TESSERA_PLUGIN_RULES_FREE_H
#define TESSERA_PLUGIN_RULES_FREE_H

#include "rules/rows.h"

typedef enum ts_free_kind {
  TS_FREE_CONSTANT,
  TS_FREE_EMPTY, /* memory of whatever contents */
  TS_FREE_SPLAT,
  TS_FREE_COMPUTED
} ts_free_kind;

typedef struct ts_free_builder {
  ts_emit *emit;
  MlirOperation op;
  const ts_sharding *layout;
  MlirType global, local;
} ts_free_builder;

struct ts_free_form {
  ts_free_kind kind;
  bool (*is)(MlirOperation op); /* NULL: every op whose row has the form is of it */
  /* The constant that all elements are; NULL, or null, if they are not one constant. */
  MlirAttribute (*element)(MlirOperation op);
  bool (*is_same_anywhere)(MlirOperation op); /* NULL: no */
  MlirValue (*build)(ts_free_builder *b);
};

/* The form of what `op` makes, or NULL. */
const ts_free_form *ts_free_form_of(MlirOperation op);

/* ---- members of forms ------------------------------------------------------------------------ */

bool ts_free_has_static_shape(MlirOperation op);
bool ts_free_makes_tensor_of_scalars(MlirOperation op);
bool ts_free_is_generated(MlirOperation op);
bool ts_free_is_of_indices(MlirOperation op);
MlirAttribute ts_free_element_of_scalar(MlirOperation op);
bool ts_free_is_splat(MlirOperation op);
bool ts_free_is_always_same(MlirOperation op);
bool ts_free_is_same_as_destination(MlirOperation op);

#endif /* TESSERA_PLUGIN_RULES_FREE_H */
