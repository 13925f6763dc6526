/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The table of collectives: one row for each op, with all that the compiler knows of it. Must not
 * know who asks: resharding, effects, lowering and the dialect's verifiers read the same rows. */
#ifndef TESSERA_PLUGIN_COLLECTIVES_COLLECTIVES_H
#define TESSERA_PLUGIN_COLLECTIVES_COLLECTIVES_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#include "tessera/runtime.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* The devices that take part. */
typedef enum ts_group {
  TS_GROUP_OF_AXES,   /* those along attribute `grid_axes` of `grid` */
  TS_GROUP_OF_SPLITS, /* those along each dimension's axes in `split_axes` of `grid` */
  TS_GROUP_OF_LAYOUTS /* the whole grid of the layouts `from` and `to` */
} ts_group;

/* Numbers that the runtime call takes behind its tensors. */
typedef enum ts_words {
  TS_NO_WORDS,
  TS_MEMBER_WORDS, /* coordinates of one member of the group, in attribute `words_in` */
  TS_HALO_WORDS,   /* two sizes for each split dimension, in attribute `words_in` */
  TS_LAYOUT_WORDS  /* the layouts' extents, halo sizes and offsets that only the launch knows */
} ts_words;

/* Where the extents of the result come from, apart from what `joins` and `cuts` change. */
typedef enum ts_result_extents {
  TS_EXTENTS_OF_INPUT,
  TS_EXTENTS_OF_ROOT, /* of the input on the member that the words name */
  TS_EXTENTS_GIVEN    /* one operand, behind the input, for each that the type leaves open */
} ts_result_extents;

/* The memory of the result. */
typedef enum ts_result_memory {
  TS_RESULT_NEW,             /* never the input's */
  TS_RESULT_OVER_DEAD_INPUT, /* the input's where nobody reads that again, else new */
  TS_RESULT_OVER_INPUT       /* always the input's, which is copied first if it is read again */
} ts_result_memory;

/* The tensors that the runtime call takes. */
typedef enum ts_passed { TS_PASSES_BOTH, TS_PASSES_INPUT, TS_PASSES_RESULT } ts_passed;

/* The runtime's functions of a collective: one that blocks, and for most also the two that start it
 * and wait for it. */
typedef enum ts_forms { TS_STARTS_OR_BLOCKS, TS_BLOCKS_ALONE } ts_forms;

/* What the device that receives most receives. */
typedef enum ts_received {
  TS_RECEIVES_NOTHING,
  TS_RECEIVES_LACKING,     /* what it wants of its result and does not hold, once */
  TS_RECEIVES_INPUT_ONCE,  /* its n-th of the input, from each of the others */
  TS_RECEIVES_INPUT_TWICE, /* the same, and then the others' n-ths of the result */
  TS_RECEIVES_ALL_INPUTS   /* the input of each of the others */
} ts_received;

/* How several ops that are alike but for their tensors can share one message. */
typedef enum ts_combines {
  TS_COMBINES_NOTHING,
  TS_COMBINES_ELEMENTS, /* an element of the result depends on the same one of the members' inputs
                         */
  TS_COMBINES_PIECES    /* along the first dimension, each member has a piece of one of the tensors,
                           and    all of the other */
} ts_combines;

typedef struct ts_collective {
  const char *op;         /* "shard.all_gather" */
  tessera_site_kind kind; /* of its record, which is the same for an op of each dialect */
  const char *function;   /* the runtime's function, without tessera_rt_ */
  ts_group group;
  const char *joins; /* attribute: the dimension along which the members' pieces are joined */
  const char *cuts;  /* attribute: the dimension that is cut into the members' pieces */
  const char *along; /* attribute: the grid axis along which tensors move by `offset` */
  ts_words words;
  const char *words_in; /* attribute; what it leaves open are the operands behind the input */
  bool reduces;         /* combines elements by attribute `reduction`; the others only move them, so
                           that anything done to each element alone may come before or after */
  bool agrees;          /* every member of the group has the same result */
  bool pairs;           /* messages between pairs of members, of which backends have hardly a better
                           form: several that are under way at once cost one wait */
  ts_result_extents extents;
  ts_result_memory memory;
  ts_passed passes;
  ts_forms forms;
  ts_received receives;
  ts_combines combines;
} ts_collective;

/* All rows, sorted by `op`. */
extern const ts_collective ts_collectives[];
extern const int ts_num_collectives;

/* The row of an op of this name, or NULL if it is no collective. */
const ts_collective *ts_collective_named(const char *op);
/* The row of `op`, or NULL. Every op is asked. */
const ts_collective *ts_collective_of(MlirOperation op);
/* The op of this kind whose result has these extents, or NULL. */
const ts_collective *ts_collective_find(tessera_site_kind kind, ts_result_extents extents);

/* What the device that receives most receives, in the unit of `input`, its input, and `lacking`,
 * the part of its result that it does not hold before; `devices` in a group, 0 if not known. */
double ts_collective_received(const ts_collective *row, double devices, double input,
                              double lacking);

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_PLUGIN_COLLECTIVES_COLLECTIVES_H */
