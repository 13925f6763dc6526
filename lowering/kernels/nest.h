/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A structured op on memory as a loop nest: the extents of its loops, and for each operand how far
 * one step of each loop goes. In this form loops are exchanged, merged and split alike for every
 * op. It knows linalg's maps; it must not know code. */
#ifndef TESSERA_LOWERING_KERNELS_NEST_H
#define TESSERA_LOWERING_KERNELS_NEST_H

#include "lowering/kernels/buffer.h"

enum { TS_NEST_LOOPS = 24 };

/* How a comparison of the body says which step of a loop is not idle. In all others the body yields
 * the outputs as they are. */
typedef struct ts_pick {
  MlirOperation compare; /* of a number with what the loop's index comes to */
  int side;      /* the operand that the index comes to: by additions of what does not ... */
  uint32_t path; /* ... depend on the loop, of which bit k says the operand, ... */
  int bits;      /* ... and casts, modulo 2^bits */
  bool is_one;   /* the loop is not so long that several steps are the same modulo that */
  bool *needs;   /* by access: what the number, and what is added, are made of */
} ts_pick;

typedef struct ts_nest_loop {
  ts_product extent;
  bool is_reduction;
  const ts_pick *pick; /* NULL: every step is done */
} ts_nest_loop;

/* Element `offset` + sum of strides[l] * (index of loop l). */
typedef struct ts_access {
  const ts_buffer *memory; /* NULL: no memory, but the index of a loop that the body asks for */
  bool reads, writes;
  ts_product offset;
  ts_product strides[TS_NEST_LOOPS];
} ts_access;

typedef struct ts_nest {
  MlirOperation op;
  MlirBlock body;
  int num_inputs, num_outputs; /* the first accesses: operands in the op's order */
  int num_loops;
  ts_nest_loop loops[TS_NEST_LOOPS];
  int num_accesses; /* behind the operands, the indices that the body asks for */
  ts_access *accesses;
  int *index_loops; /* of those: linalg.index's dimension */
} ts_nest;

/* The nest of a linalg op on memrefs, with loops in the op's order. NULL if it is not of this form
 * (a map with divisions, memory without strides). */
ts_nest *ts_nest_read(ts_buffers *memories, MlirOperation op);

/* An input may be what an output has become by then. */
bool ts_nest_reads_outputs(const ts_nest *nest);
/* The loop reduces, and goes on from the same elements of all outputs. */
bool ts_nest_keeps_outputs(const ts_nest *nest, int loop);

/* Loop `loop` becomes two, the inner one of `inner` steps; false if that does not divide it, or
 * there are too many loops. */
bool ts_nest_split(ts_nest *nest, int loop, const ts_product *inner);
/* Makes one loop of neighbours from `first` on, where every access goes through both as through
 * one. */
void ts_nest_merge(ts_nest *nest, int first);
/* The loops of which `pick` needs the step. */
uint32_t ts_nest_pick_loops(const ts_nest *nest, const ts_pick *pick);

/* What a target goes through memory in order with: the innermost loop, whatever it is, or the last
 * parallel one, in which neighbouring threads do neighbouring steps; all reductions are inside. */
typedef enum ts_nest_order { TS_NEST_NEAR_INNERMOST, TS_NEST_PARALLEL_FIRST } ts_nest_order;

/* Orders loops so, those of which a step is picked behind other parallel ones, drops those of one
 * step, and merges what can be merged. */
void ts_nest_normalize(ts_nest *nest, ts_nest_order order);

#endif /* TESSERA_LOWERING_KERNELS_NEST_H */
