/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A function of layers under construction, inside: its arguments, what is annotated how, and what
 * was computed from what. It knows what layers share; it must not know any layer. */
#ifndef TESSERA_LAYERS_FUNCTION_H
#define TESSERA_LAYERS_FUNCTION_H

#include "tessera/layers.h"

#include "ir/build.h"
#include "support/arena.h"

enum { TS_LAYER_RANK = 8, TS_LAYER_DIMS = 16 };

/* How a value is laid out. */
typedef struct ts_layout {
  int rank;
  tessera_split splits[TS_LAYER_RANK];
  bool is_part; /* of a sum over the data dimension */
} ts_layout;

typedef struct ts_argument {
  const char *name;
  MlirValue value; /* as layers see it: annotated */
  bool is_parameter;
} ts_argument;

/* `value` is `from` with a layout. */
typedef struct ts_annotation {
  MlirValue value, from;
  ts_layout layout;
} ts_annotation;

/* Which loops the dimensions of a tensor follow, one each. */
typedef struct ts_layer_access {
  int num;
  int loops[TS_LAYER_RANK];
} ts_layer_access;

enum { TS_NODE_INPUTS = 3, TS_NODE_SAVED = 3 };

/* A step of the computation: a result, and how the gradients by its inputs follow from the
 * gradient by it. Steps stand in the order of the program. */
typedef struct ts_node ts_node;
struct ts_node {
  /* Writes the gradients by the inputs that are wanted. */
  void (*gradient)(tessera_layers *layers, const ts_node *node, MlirValue by_result,
                   const bool *wanted, MlirValue *by_inputs);
  MlirValue result;
  int num_inputs;
  MlirValue inputs[TS_NODE_INPUTS];
  MlirValue saved[TS_NODE_SAVED];
  ts_layer_access accesses[TS_NODE_INPUTS]; /* of a product: its operands, its result */
  ts_layout layout;                         /* of an annotation */
  double number;
  int kind;
};

struct tessera_layers {
  ts_arena arena;
  MlirContext context;
  MlirModule module;
  MlirLocation location;
  MlirType element;
  const char *name;
  const char *grid;
  int32_t num_dims;
  int64_t shape[TS_LAYER_DIMS];
  int axes[3]; /* of the grid, by tessera_split; -1: none */
  MlirBlock block;
  MlirOperation last_sharding; /* at the block's start */
  int num_arguments, max_arguments;
  ts_argument *arguments;
  int num_annotations, max_annotations;
  ts_annotation *annotations;
  int num_nodes, max_nodes;
  ts_node *nodes;
  const char *message; /* the first; NULL: all is well */
};

/* Emits a diagnostic and keeps the first as the message; null. */
MlirValue ts_layers_fail(tessera_layers *layers, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Nothing has failed, and none of these values is null. Says so where a value is null although
 * nothing has failed. */
bool ts_layers_good(tessera_layers *layers, int num, const MlirValue *values);
/* Builds at the end of the function so far. */
ts_maker ts_layers_build(const tessera_layers *layers);
/* "name.part", in the function's memory. */
const char *ts_layers_text(tessera_layers *layers, const char *name, const char *part);

/* An argument of the function's element type with this layout, which is no parameter. */
MlirValue ts_layers_argument(tessera_layers *layers, const char *name, int rank,
                             const int64_t *shape, const ts_layout *layout);

/* ---- types ----------------------------------------------------------------------------------- */

MlirType ts_layers_tensor(const tessera_layers *layers, int rank, const int64_t *shape);
/* The shape of a tensor of up to TS_LAYER_RANK dimensions. */
int ts_layers_shape(MlirValue value, int64_t *shape);
int64_t ts_layers_extent(MlirValue value, int dim);
/* A tensor of the function's element type and of `min` to TS_LAYER_RANK static dimensions, or else
 * an error that calls it `what`. */
bool ts_layers_check(tessera_layers *layers, MlirValue value, int min, const char *what);
/* An extent of 1 or more, or an error. */
bool ts_layers_check_size(tessera_layers *layers, int64_t size, const char *what);
bool ts_layers_check_flags(tessera_layers *layers, uint32_t flags, uint32_t known,
                           const char *what);

/* ---- layouts (annotate.c) -------------------------------------------------------------------- */

/* Of `rank` dimensions, the first split over data. */
ts_layout ts_batch_layout(int rank);
/* Of 2 dimensions or more; the last is split as it is said. */
ts_layout ts_activation_layout(int rank, tessera_split last);
bool ts_layout_equal(const ts_layout *a, const ts_layout *b);
/* The layout that a value was annotated with; false if it was not. */
bool ts_layout_of(const tessera_layers *layers, MlirValue value, ts_layout *layout);
/* `value` with this layout, of which gradients know; the one that is there if there is one. */
MlirValue ts_annotate(tessera_layers *layers, MlirValue value, const ts_layout *layout);
/* The same without a step for gradients. */
MlirValue ts_annotate_alone(tessera_layers *layers, MlirValue value, const ts_layout *layout);

/* ---- steps (gradient.c) ---------------------------------------------------------------------- */

/* Notes a step and returns its result. */
MlirValue ts_note(tessera_layers *layers, const ts_node *node);

#endif /* TESSERA_LAYERS_FUNCTION_H */
