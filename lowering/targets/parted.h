/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions that may be done in parts, as their loops. It knows maps of linalg ops; it must not
 * know which are worth it, nor how parts are made. */
#ifndef TESSERA_LOWERING_TARGETS_PARTED_H
#define TESSERA_LOWERING_TARGETS_PARTED_H

#include "lowering/kernels/nest.h"
#include "mlir-c/AffineMap.h"

enum { TS_PART_LOOPS = TS_NEST_LOOPS - 4, TS_PART_OPERANDS = 16 }; /* at most */

typedef struct ts_parted {
  MlirOperation op;
  ts_nest nest; /* body and numbers of operands alone */
  int num_loops, num_operands;
  int64_t extents[TS_PART_LOOPS];
  int64_t kept, combined; /* steps of all parallel loops, of all reductions */
  int inner;              /* the loop that goes through the largest input in order */
  /* What a target chooses: */
  int loop;                  /* a reduction, which is done in parts */
  int64_t parts, each, rest; /* its extent = parts * each + rest */
  bool in_turn;              /* neighbouring steps are different parts', or else a part's */
  int place;                 /* the dimension of results of parts that the part is */
} ts_parted;

/* False unless the op is a reduction of static shape whose order may change, and its results are of
 * one shape. */
bool ts_parted_read(MlirOperation op, ts_parted *r);

/* Chooses; false if the reduction is not worth parts. */
typedef bool ts_parted_choose(ts_parted *r);

bool ts_parted_combines(const ts_parted *r, int loop);
/* `most`, or the largest number above its half that divides `extent` without a rest. */
int64_t ts_parted_without_rest(int64_t extent, int64_t most);
/* The loop that dimension `d` of an operand follows; -1: none alone. */
int ts_parted_loop(MlirAffineMap map, intptr_t d);
/* Dimensions of results. */
int ts_parted_result_rank(const ts_parted *r);
/* Elements from one step of the loop to the next, in the largest input that follows it. */
int64_t ts_parted_row(const ts_parted *r, int loop);
/* Where results of parts have to have the part, so that they lie in the order in which the largest
 * input goes through parts. */
int ts_parted_place(const ts_parted *r, int loop);
/* Where results of parts that take steps in turn have to have the part, so that it is one loop with
 * those behind `loop` in memory; -1: they are not one. */
int ts_parted_joined_place(const ts_parted *r, int loop);

#endif /* TESSERA_LOWERING_TARGETS_PARTED_H */
