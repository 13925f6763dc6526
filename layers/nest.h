/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loop nests over tensors as linalg.generic, of which a layer gives the body for one element. It
 * knows linalg; it must not know any layer. */
#ifndef TESSERA_LAYERS_NEST_H
#define TESSERA_LAYERS_NEST_H

#include "function.h"

enum { TS_NEST_INPUTS = 6 };

/* Builds what one element comes to, of one element of each input. */
typedef MlirValue ts_element(const ts_maker *build, const MlirValue *inputs, const void *user);

/* What becomes of the values of several steps for one element of the result. */
typedef enum ts_gathering { TS_EACH, TS_ADDED, TS_LARGEST } ts_gathering;

/* The result has `shape`, and `to` says which loops its dimensions follow; steps of the others are
 * gathered. `from` does for the inputs, all loops in order where `num` is 0 and the input is no
 * tensor of no dimensions. */
typedef struct ts_layer_nest {
  int num_loops;
  int num_inputs;
  MlirValue inputs[TS_NEST_INPUTS];
  ts_layer_access from[TS_NEST_INPUTS];
  ts_layer_access to;
  MlirType type; /* of the result */
  ts_gathering gathering;
  ts_element *element;
  const void *user;
} ts_layer_nest;

MlirValue ts_nest_build(const tessera_layers *layers, const ts_layer_nest *nest);

/* Loops 0 to num - 1. */
ts_layer_access ts_loops(int num);
/* Loops first to first + num - 1. */
ts_layer_access ts_loops_from(int first, int num);

/* ---- for bodies ------------------------------------------------------------------------------ */

/* A float like `like`. */
MlirValue ts_number_like(const ts_maker *build, MlirValue like, double value);
MlirValue ts_integer_like(const ts_maker *build, MlirValue like, int64_t value);
/* An elementwise op of one operand. */
MlirValue ts_unary(const ts_maker *build, const char *name, MlirValue a);
/* The number of a loop at this step. */
MlirValue ts_loop_index(const ts_maker *build, int loop);

/* A product of the two inputs. */
ts_element ts_times;
/* The first input. */
ts_element ts_same;
ts_element ts_plus;

#endif /* TESSERA_LAYERS_NEST_H */
