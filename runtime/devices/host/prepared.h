/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What oneDNN computes of two operands, made ready once for a shape, a layout and a number of
 * threads, and kept in the rank's workspace. It must not know what is computed, nor sites. */
#ifndef TESSERA_RUNTIME_DEVICES_HOST_PREPARED_H
#define TESSERA_RUNTIME_DEVICES_HOST_PREPARED_H

#include <stdbool.h>

#include "devices/host/dnnl.h"
#include "devices/host/products.h"

/* The operands' order. */
enum { TR_SOURCE, TR_WEIGHTS, TR_RESULT, TR_NUM_OPERANDS };

enum { TR_KIND_CONVOLUTION, TR_KIND_PRODUCT };

/* An operand as oneDNN takes it. */
typedef struct tr_layout {
  int32_t rank, type; /* TR_DNNL_F32, ...; no bytes lie between members */
  int64_t sizes[TR_DNNL_MOST_RANK], strides[TR_DNNL_MOST_RANK];
} tr_layout;

/* What a prepared computation depends on: all of it is compared, as bytes, so begin with zeros. */
typedef struct tr_shape {
  tr_layout operands[TR_NUM_OPERANDS];
  int64_t kind;                                                      /* TR_KIND_CONVOLUTION, ... */
  int64_t window, steps[TR_DNNL_MOST_RANK], gaps[TR_DNNL_MOST_RANK]; /* of a convolution */
  int64_t threads, overwrite;
} tr_shape;

/* Appends a dimension; and, after the last one, true if the library takes such memory. Strides of
 * single elements say nothing: they become ones that collide with no other. */
void tr_layout_append(tr_layout *layout, int64_t size, int64_t stride);
bool tr_layout_settle(tr_layout *layout);

/* The library's description of the memory as it lies, or of any that it likes. */
bool tr_layout_describe(const tr_dnnl *dnnl, const tr_layout *layout, tr_dnnl_layout *described);
bool tr_layout_describe_any(const tr_dnnl *dnnl, const tr_layout *layout,
                            tr_dnnl_layout *described);

/* The library's description of how it will do what the recipe says; the result's old value counts
 * unless `overwrite`. `*way` is its name, which lives as long. NULL if nobody has made it fast. */
void *tr_recipe_describe(const tr_dnnl *dnnl, const tr_dnnl_recipe *recipe, bool overwrite,
                         const char **way);

/* Describes what is to be done to operands of a shape; NULL if there is no good way. */
typedef void *(*tr_describe)(const tr_dnnl *dnnl, const tr_shape *shape);

/* Does it, prepared when the shape is new, with the shape's number of threads. False: the library
 * cannot, and nothing has happened. */
bool tr_prepared_run(tr_workspace *workspace, const tr_dnnl *dnnl, const tr_shape *shape,
                     tr_describe describe, char *const data[TR_NUM_OPERANDS]);

#endif /* TESSERA_RUNTIME_DEVICES_HOST_PREPARED_H */
