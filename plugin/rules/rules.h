/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One row per op: its loops, how it is rewritten for one device, and whatever else is known of it.
 * A rule knows ops and factors, never collectives. To add an op: add its row to table.c, and a file
 * here if no function that is there says what it does. */
#ifndef TESSERA_PLUGIN_RULES_RULES_H
#define TESSERA_PLUGIN_RULES_RULES_H

#include "mlir-c/IR.h"

#include "emit/emit.h"
#include "loops/loops.h"

/* The indices of a dimension that this device has a part in, in IR; null: not known so. */
typedef struct ts_local_range {
  MlirValue first, end;
} ts_local_range;

/* What a rule sees when it rewrites its op. */
typedef struct ts_localize {
  ts_emit *emit; /* inserts before `op` */
  MlirOperation op;
  const ts_op_loops *loops;
  const ts_loop_sharding *loop_sharding;
  ts_extents loop_extents;
  const MlirValue *operands; /* this device's pieces, laid out as the loops ask; operands
                                that are not tensors unchanged */
  const ts_sharding *const *operand_layouts; /* NULL where not a tensor */
  const ts_sharding *const *result_layouts;  /* under the loops, partial axes included */
  MlirType *result_types;                    /* local types of the results */
  MlirType *global_types;                    /* the results' types in the source */
  /* For each operand that is a tensor, and each of its dimensions: what the shards of its window's
   * leader read of it. The pieces are cut to just that; in the others `of` is NULL. */
  const ts_ranges *const *reads;
  /* The same where only the launch knows it, of this device. */
  const ts_local_range *const *late;
} ts_localize;

/* How the result of an op depends on its operands (linear_terms.c). */
typedef enum ts_form {
  TS_FORM_UNKNOWN,
  TS_FORM_COPY,     /* operand 0 as it is */
  TS_FORM_COMBINE,  /* operands 0 and 1, by the row's kind */
  TS_FORM_SUBTRACT, /* operand 0 minus operand 1 */
  TS_FORM_MULTIPLY,
  TS_FORM_NEGATE,
  TS_FORM_DIVIDE,       /* operand 0 scaled by operand 1, which must be complete */
  TS_FORM_MULTIPLY_ADD, /* 0 times 1, plus 2 */
  TS_FORM_CHOOSE,       /* 0 ? 1 : 2 */
  TS_FORM_WIDEN,        /* exact and monotone on floats: passes sums, maxima and minima */
  TS_FORM_WRAP          /* additive, because integers wrap */
} ts_form;

/* The elements that `linear` speaks of; it says nothing of others. */
typedef enum ts_elements { TS_ALL_ELEMENTS, TS_FLOATS_ALONE } ts_elements;

typedef struct ts_linear {
  ts_form form;
  ts_reduction kind;
  ts_elements elements;
} ts_linear;

/* The first of the operands that say the result's extents, one for each dynamic dimension. */
typedef enum ts_sizes {
  TS_NO_SIZES,
  TS_SIZES_FROM_0,
  TS_SIZES_FROM_1,
  TS_SIZES_BEHIND_OFFSETS /* in operandSegmentSizes: tensor, offsets, sizes */
} ts_sizes;

/* What an op does to the data of its tensors. */
typedef enum ts_asks { TS_ASKS_DATA, TS_ASKS_SHAPE_ALONE } ts_asks;

/* Which pieces of the result the local form can make, beside those of balanced shards. */
typedef enum ts_does {
  TS_KEEPS_ITS_PLACE, /* no others */
  TS_COMPUTES,        /* any: what depends on where a piece lies (indices) is shifted */
  TS_MOVES_DATA /* any range of the result is made of ranges of operands where it is asked for */
} ts_does;

/* What extents of 1 mean where the result's are others. */
typedef enum ts_ones { TS_ONES_ARE_EXTENTS, TS_ONES_BROADCAST } ts_ones;

/* All that is known of an op, or of the ops of a family (an interface). An op whose own row has no
 * `loops` has its family's, and their `localize`; and its family's `like` if it has none. */
typedef struct ts_rule {
  const char *op; /* "tensor.expand_shape"; NULL for a family */
  /* Describes `op` in loops, in the arena, which ends with the turn of this op. False: no rule
   * after all; the op runs whole. `*reason` then says why, or stays NULL. A loop that had to be
   * kept whole for a reason the user should know (unknown combiner, window) sets `*remark`: a line
   * for each, the first of which is told where none is of what is split. */
  bool (*loops)(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                const char **remark);
  /* Rewrites it for one device: builds the local op(s) and stores their results over the op's own;
   * or keeps the op, changed in place, and its results (ts_run_on_pieces). False after a located
   * error. */
  bool (*localize)(const ts_localize *context, MlirValue *results);
  /* The operand that surely has the extents of result `r`; null if none has. */
  MlirValue (*like)(MlirOperation op, intptr_t r);
  ts_sizes sizes;
  ts_linear linear;
  const struct ts_free_form *free; /* the result is built anew for each use (free_build.c) */
  ts_asks asks;
  ts_does does;
  ts_ones ones;
  int num_data; /* elementwise: so many operands are data, the others parameters; 0: all are data */
} ts_rule;

/* Says of an op without a row which dimensions are alike (foreign.c), and that it has no effects
 * but its results. */
#define TS_RULE "tessera.rule"

/* Gives the op itself its local operands and result types. */
bool ts_run_on_pieces(const ts_localize *context, MlirValue *results);

/* The row that has the loops of an op, its own or its family's; NULL: it runs whole. */
const ts_rule *ts_rule_find(MlirOperation op);
/* Whether what is known of `op` is what it says itself, by tessera.rule. */
bool ts_rule_is_its_own(MlirOperation op);
/* Whether `op` asks for a tensor's shape alone: it needs no data. */
bool ts_asks_shape(MlirOperation op);

/* Whether the results of `op`, which has a rule, are nothing but elements of its operands. */
bool ts_only_moves(MlirOperation op);

/* Values without a sharding of their own: constants, tensor.empty, splats, fills of such and the
 * like are built anew in whatever layout a use wants. `ts_is_free` tells; `ts_free_build` builds
 * the local piece of `value` under `layout` at the insertion point (null after a located error).
 * `layout` may be partial only if ts_free_is_neutral: each device may then hold the value itself,
 * because its elements are neutral or because the reduction counts what is repeated once (max,
 * ...). */
bool ts_is_free(MlirValue value);
/* Whether `op` is a constant of some dialect. */
bool ts_is_constant(MlirOperation op);
bool ts_free_is_neutral(MlirValue value, ts_reduction kind);
/* Its pieces depend on their sizes alone, not on where they lie: they can have halos and explicit
 * offsets. Others are built under balanced layouts only. */
bool ts_free_is_same_anywhere(MlirValue value);
MlirValue ts_free_build(ts_emit *emit, MlirValue value, const ts_sharding *layout);

/* Operand `number` of `op`: a global extent, as an index. */
typedef struct ts_size_operand {
  MlirOperation op; /* null: there is none */
  intptr_t number;
} ts_size_operand;
/* What says the extent of dynamic dimension `d` of a free value, or of the result of an op that
 * takes its sizes as operands. */
ts_size_operand ts_size_operand_of(MlirValue value, int d);
/* Whether the extent of dimension `d` of `tensor` is surely `number`, `index` (an index, or an
 * integer), or that of dimension `other_d` of `other`. False says nothing. */
bool ts_extent_is_number(ts_arena *arena, MlirValue tensor, int d, int64_t number);
bool ts_extent_is_value(ts_arena *arena, MlirValue tensor, int d, MlirValue index);
bool ts_extents_are_same(ts_arena *arena, MlirValue tensor, int d, MlirValue other, int other_d);
/* Whether the extents of dimensions `first` up to `end` of `tensor` surely have the product of
 * `known` and `num` such indices. */
bool ts_extents_have_product(ts_arena *arena, MlirValue tensor, int first, int end, int64_t known,
                             int num, const MlirValue *indices);

/* Global extents of a ranked tensor type; TS_DYNAMIC where dynamic. */
const int64_t *ts_shape_of(ts_arena *arena, MlirType type);

#endif /* TESSERA_PLUGIN_RULES_RULES_H */
