/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products and convolutions on the host: by libraries where they have them, else in tiles.
 * It must not know sites, groups or messages. */
#ifndef TESSERA_RUNTIME_DEVICES_HOST_PRODUCTS_H
#define TESSERA_RUNTIME_DEVICES_HOST_PRODUCTS_H

#include <sys/types.h>

#include "memory/scratch.h"
#include "planes/device.h"

typedef struct tr_prepared tr_prepared;

/* The host's tr_workspace. */
struct tr_workspace {
  int32_t threads;
  pid_t process;         /* that opened it */
  tr_pool *pool;         /* of as many threads, the context's; NULL: of one */
  tr_scratch scratch;    /* until the product, or convolution, is done */
  tr_scratch inner;      /* until one product of matrices is: a convolution may be many */
  void *tiles;           /* of the first, for tiled products of `tiles_threads` threads */
  int32_t tiles_threads; /* 0: not taken */
  tr_prepared *prepared; /* by a library; NULL: nothing yet */
};

/* How many threads a library may use: one in a process that was forked, where those of OpenMP,
 * which it would wait for, are not. */
int32_t tr_host_library_threads(const tr_workspace *workspace);

/* Scratch memory, and that of one product of matrices; NULL with a message if there is none. */
void *tr_host_room(tr_workspace *workspace, size_t bytes);
void *tr_host_inner_room(tr_workspace *workspace, size_t bytes);

/* Does it. Scratch memory is taken for tiles, and for copies of operands that BLAS cannot take: of
 * those whose rows or columns are not contiguous. */
tessera_status tr_host_gemm(tr_workspace *workspace, const tr_product *product);

/* Matrix `index` of a batch, or the matrix itself. */
tr_view tr_host_matrix(const tr_view *view, int64_t index);

/* By BLAS, where it is there and has the type and the sizes: copies of operands are made where it
 * cannot take their strides. */
bool tr_host_gemm_has_blas(const tr_workspace *workspace, const tr_product *product);
tessera_status tr_host_gemm_by_blas(tr_workspace *workspace, const tr_product *product);

/* True if oneDNN is there and has done it; false: nothing has happened. */
bool tr_host_gemm_by_library(tr_workspace *workspace, const tr_product *product);

/* By BLAS as f32, where it is there: of 16-bit floats, no size 0. */
bool tr_host_gemm_has_halves(const tr_workspace *workspace, const tr_product *product);
tessera_status tr_host_gemm_by_halves(tr_workspace *workspace, const tr_product *product);

/* As products of matrices, whose rows are what the window sees at each place: any types that have
 * products, any strides, no size 0 but those that tr_host_gemm takes. */
tessera_status tr_host_conv_by_products(tr_workspace *workspace, const tr_conv *conv);

/* As loops, where a group has so few channels that products would have hardly a column: of f32 or
 * f64, any strides, no size 0. */
bool tr_host_conv_is_direct(const tr_conv *conv);
void tr_host_conv_directly(tr_workspace *workspace, const tr_conv *conv);

/* True if oneDNN is there and has done it; false: nothing has happened. */
bool tr_host_conv_by_library(tr_workspace *workspace, const tr_conv *conv);
/* Frees what the library has made ready. */
void tr_host_drop_prepared(tr_workspace *workspace);

#endif /* TESSERA_RUNTIME_DEVICES_HOST_PRODUCTS_H */
