/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Parallel layers as annotated IR: functions of linalg on tensors, written for one device, with the
 * annotations that have the passes split them over the named dimensions of a device mesh. It emits
 * plain IR of upstream's dialects and knows nothing of how that is partitioned or run.
 *
 * A tessera_layers is a function under construction. Layers add ops to it, and the parameters that
 * they need as its arguments; tessera_layers_gradient adds the ops of the gradients. Batches, the
 * first dimension of activations, are split over the mesh's dimension "data", and layers over
 * "tensor"; a dimension that the mesh lacks splits nothing, and over others ("pipeline") all is the
 * same on every device. Extents need not divide.
 *
 * Values are MlirValues of the function. What is wrong with an argument is emitted as a diagnostic
 * and kept as the function's message; then, and of a null value, the result is null, so that a
 * model may be written straight on and asked at its end (tessera_layers_finish). Names and shapes
 * are copied. A tessera_layers is used by one thread at a time, as its MlirContext is. */
#ifndef TESSERA_LAYERS_H
#define TESSERA_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

#include "tessera/status.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct tessera_layers tessera_layers;

/* What a dimension of a tensor is split over. */
typedef enum tessera_split {
  TESSERA_WHOLE = 0,
  TESSERA_BY_DATA = 1,
  TESSERA_BY_TENSOR = 2
} tessera_split;

typedef enum tessera_activation {
  TESSERA_RELU = 0,
  TESSERA_GELU = 1 /* 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) */
} tessera_activation;

/* How a layer differs from its usual form, which is 0. */
enum {
  TESSERA_NO_BIAS = 1u,       /* without one */
  TESSERA_GATHER_OUTPUT = 2u, /* column-parallel: the result is whole on every device */
  TESSERA_WHOLE_INPUT = 4u,   /* row-parallel: the input is whole, each device takes its columns */
  TESSERA_CAUSAL = 8u         /* attention: a token sees itself and those before it */
};

/* ------------------------------------------------------------------------------------------------
 * Functions
 * --------------------------------------------------------------------------------------------- */

/* Zero-initialise, set struct_size, num_dims and shape; everything else may stay 0. Later versions
 * add members at the end. */
typedef struct tessera_layers_options {
  uint32_t struct_size;
  int32_t num_dims;         /* of the mesh: 1 to 16 */
  const int64_t *shape;     /* extents, 1 or more */
  const char *const *names; /* num_dims different ones; NULL: those of tessera/mesh.h */
  const char *grid;         /* the shard.grid that stands for the mesh; NULL: "mesh" */
  const char *data;         /* the dimension for batches; NULL: "data", if there is one */
  const char *tensor;       /* the dimension for layers; NULL: "tensor", if there is one */
  MlirType element;         /* f32 or f64; null: f32 */
} tessera_layers_options;

/* Begins a public function `name` of `module`, which has none of that name, and which the caller
 * keeps until the function is finished or dropped. The module is not changed before that. NULL
 * after a diagnostic (on stderr if the module or its context is missing). */
TESSERA_API tessera_layers *tessera_layers_begin(MlirModule module, const char *name,
                                                 const tessera_layers_options *options);
/* Has the function return `results`, called `names` (NULL: none has a name; so may single ones be),
 * verifies it and puts it into the module, with the grid if that is not there. Frees `layers`.
 * False if anything was wrong since the beginning: then the module is as it was. */
TESSERA_API bool tessera_layers_finish(tessera_layers *layers, int32_t num_results,
                                       const MlirValue *results, const char *const *names);
/* Frees a function that is not finished. NULL: nothing. */
TESSERA_API void tessera_layers_drop(tessera_layers *layers);
/* What went wrong first, or "". */
TESSERA_API const char *tessera_layers_message(const tessera_layers *layers);
/* Ops that follow get this location; that of the module at first. */
TESSERA_API void tessera_layers_at(tessera_layers *layers, MlirLocation location);
/* Where ops of the caller's may be put: they are appended to the block. Gradients do not pass
 * them. */
TESSERA_API MlirBlock tessera_layers_block(const tessera_layers *layers);

/* ------------------------------------------------------------------------------------------------
 * Arguments
 *
 * They follow each other in the order in which they are first asked for, and are known by their
 * names in the compiled program's record.
 * --------------------------------------------------------------------------------------------- */

/* An argument of `shape` (up to 8 dimensions) and `splits` (NULL: whole); `element` null: that of
 * the layers. One of this name that is there already is given again if it is the same, else it is
 * an error. */
TESSERA_API MlirValue tessera_layers_input(tessera_layers *layers, const char *name,
                                           MlirType element, int32_t rank, const int64_t *shape,
                                           const tessera_split *splits);
/* The same for what is learnt. */
TESSERA_API MlirValue tessera_layers_parameter(tessera_layers *layers, const char *name,
                                               int32_t rank, const int64_t *shape,
                                               const tessera_split *splits);
/* A number of the layers' type, passed by value. */
TESSERA_API MlirValue tessera_layers_scalar(tessera_layers *layers, const char *name);

/* The parameters so far, those of layers included. A name lives as long as `layers`; NULL and null
 * if there is no such parameter. */
TESSERA_API int32_t tessera_layers_num_parameters(const tessera_layers *layers);
TESSERA_API const char *tessera_layers_parameter_name(const tessera_layers *layers, int32_t index);
TESSERA_API MlirValue tessera_layers_parameter_value(const tessera_layers *layers, int32_t index);

/* ------------------------------------------------------------------------------------------------
 * Layers
 *
 * Activations have 2 dimensions or more: batch first, features last. A layer's parameters are
 * called `name` and a point before what is said; a layer that is asked for again by the same name
 * shares them.
 * --------------------------------------------------------------------------------------------- */

/* x w + b, with "weight" (features x output_size) and "bias" split by columns. The input is whole
 * (and is gathered if it is not), the result split, or gathered with TESSERA_GATHER_OUTPUT. */
TESSERA_API MlirValue tessera_layer_column_parallel(tessera_layers *layers, const char *name,
                                                    MlirValue x, int64_t output_size,
                                                    uint32_t flags);
/* x w + b, with "weight" split by rows and a whole "bias". The input is split, or whole with
 * TESSERA_WHOLE_INPUT; the result is summed up and whole: an all-reduce. */
TESSERA_API MlirValue tessera_layer_row_parallel(tessera_layers *layers, const char *name,
                                                 MlirValue x, int64_t output_size, uint32_t flags);
/* "up", column-parallel, an activation, and "down", row-parallel: an all-reduce, and one in the
 * gradient. */
TESSERA_API MlirValue tessera_layer_mlp(tessera_layers *layers, const char *name, MlirValue x,
                                        int64_t hidden_size, int64_t output_size,
                                        tessera_activation activation, uint32_t flags);
/* Rows of "weight" (vocabulary x features), which is split by rows: of ids (integers, batch first)
 * of shape n x m a result of n x m x features, whole: an all-reduce. An id outside the vocabulary
 * gives zeros. */
TESSERA_API MlirValue tessera_layer_embedding(tessera_layers *layers, const char *name,
                                              MlirValue ids, int64_t vocabulary, int64_t features);
/* (x - mean) / sqrt(variance + epsilon) * "weight" + "bias" along the last dimension, whole. */
TESSERA_API MlirValue tessera_layer_norm(tessera_layers *layers, const char *name, MlirValue x,
                                         double epsilon);
/* Attention of x (batch x tokens x features) to itself, by `heads` heads of `head_size`, split over
 * devices: "query", "key" and "value" (".weight", features x heads x head_size, and ".bias"), and
 * "out" (".weight", heads x head_size x features, and ".bias"). The result is whole: an all-reduce,
 * and one in the gradient. */
TESSERA_API MlirValue tessera_layer_attention(tessera_layers *layers, const char *name, MlirValue x,
                                              int64_t heads, int64_t head_size, uint32_t flags);
/* logsumexp(logits) - logits[label] for each row: of logits n x m x vocabulary, split along the
 * last dimension (they are not gathered), and labels n x m, n x m losses. A row whose label is
 * outside the vocabulary has the loss 0 and no gradient. */
TESSERA_API MlirValue tessera_layer_cross_entropy(tessera_layers *layers, MlirValue logits,
                                                  MlirValue labels);
/* Elementwise; a and b of one type. */
TESSERA_API MlirValue tessera_layer_activation(tessera_layers *layers, MlirValue x,
                                               tessera_activation activation);
TESSERA_API MlirValue tessera_layer_add(tessera_layers *layers, MlirValue a, MlirValue b);
/* The mean of all elements, a tensor without dimensions, whole. */
TESSERA_API MlirValue tessera_layer_mean(tessera_layers *layers, MlirValue x);
/* `x` with another layout, one split for each dimension: data are moved as that needs. */
TESSERA_API MlirValue tessera_layer_annotate(tessera_layers *layers, MlirValue x,
                                             const tessera_split *splits);

/* ------------------------------------------------------------------------------------------------
 * Gradients and their use
 * --------------------------------------------------------------------------------------------- */

/* A tensor of `type` (null: of no dimensions), every element of it `value`. */
TESSERA_API MlirValue tessera_layers_constant(tessera_layers *layers, MlirType type, double value);

/* The gradients of `of`, weighted by `seed`, which has its type (null: ones), by `num` values, each
 * an argument or a layer's result. They are not annotated: a sum over data may be left for what
 * uses it. An error if `of` does not depend on one, or depends on ops that no layer made. */
TESSERA_API bool tessera_layers_gradient(tessera_layers *layers, MlirValue of, MlirValue seed,
                                         int32_t num, const MlirValue *by, MlirValue *gradients);
/* parameter - rate * gradient, laid out as the parameter. `rate` is a scalar of the layers' type.
 */
TESSERA_API MlirValue tessera_layers_descend(tessera_layers *layers, MlirValue parameter,
                                             MlirValue gradient, MlirValue rate);
/* For sums of gradients over several calls (microbatches): an argument `name` of the type and
 * layout of `parameter`, of which each device along the data dimension holds its own part, so that
 * these are added up once, where the sum is used. */
TESSERA_API MlirValue tessera_layers_sum(tessera_layers *layers, const char *name,
                                         MlirValue parameter);
/* Such a sum and a gradient by the same parameter, laid out as the sum is. */
TESSERA_API MlirValue tessera_layers_accumulate(tessera_layers *layers, MlirValue sum,
                                                MlirValue gradient);

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_LAYERS_H */
