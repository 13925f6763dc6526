/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where global extents that only the launch knows come from. It knows which values have an extent
 * in common; it must not know how extents are built. */
#ifndef TESSERA_PLUGIN_PARTITION_EXTENT_SOURCES_H
#define TESSERA_PLUGIN_PARTITION_EXTENT_SOURCES_H

#include "partition/partitioner.h"

/* What one dynamic extent is. */
typedef enum ts_extent_kind {
  TS_EXTENT_OWN,     /* nothing else has it: found from the pieces */
  TS_EXTENT_SAME,    /* that of dimension `dim` of `value` */
  TS_EXTENT_OPERAND, /* `operand` says it */
  TS_EXTENT_PRODUCT, /* the product of `parts` */
  TS_EXTENT_SUM      /* the sum of `parts`, of which there is one at least, plus `added` */
} ts_extent_kind;

/* That of dimension `dim` of `value`; without a value, `dim` itself. */
typedef struct ts_extent_part {
  MlirValue value;
  int64_t dim;
} ts_extent_part;

typedef struct ts_extent_source {
  ts_extent_kind kind;
  MlirValue value;
  int dim;
  ts_size_operand operand;
  int num_parts;
  const ts_extent_part *parts;
  int64_t added;
  MlirValue built; /* OWN, PRODUCT, SUM: once it has been asked for */
} ts_extent_source;

/* Reads where each dynamic extent of the function's values comes from. Before anything is
 * partitioned. */
void ts_extents_read(ts_partitioner *p, const ts_function *function);

/* One for each dimension of a value with dynamic ones; NULL if it is of static shape. */
ts_extent_source *ts_extent_sources(ts_partitioner *p, MlirValue value);

/* The first operand of which one dimension is all of loop `l`, and that dimension; -1 if none. */
int ts_operand_of_loop(const ts_op *op, int l, int *d);
/* The extents that loop `l` is the sum of, of dimensions whose windows add up; 0: it is not. What
 * is added becomes `*added`; `parts` may be NULL, and else has room for one of each operand. */
int ts_parts_of_loop(const ts_op *op, int l, ts_extent_part *parts, int64_t *added);

#endif /* TESSERA_PLUGIN_PARTITION_EXTENT_SOURCES_H */
