/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Bytes, sizes and sums between ranks, as calls of the runtime's collectives with sites made here.
 * It must not know layouts or programs. */
#include "program/transfer.h"

#include "context.h"
#include "program/tensor.h"

/* A memref descriptor of any rank: the arrays are packed by the rank that a site states. */
typedef struct descriptor {
  void *allocated, *aligned;
  int64_t offset;
  int64_t sizes_and_strides[2 * TR_MAX_RANK];
} descriptor;

static descriptor describe(void *data, int32_t rank, const int64_t *shape) {
  descriptor result = {data, data, 0, {0}};
  for (int32_t i = 0; i < rank; i++)
    result.sizes_and_strides[i] = shape[i];
  tr_dense_strides(rank, shape, result.sizes_and_strides + rank);
  return result;
}

/* All ranks in one row, and a site over them. Filled in place: it points into itself. */
typedef struct world {
  int64_t extent;
  int32_t axis;
  tessera_grid grid;
  tessera_site site;
} world;

static void fill_world(const tessera_context *context, tessera_site_kind kind, const char *name,
                       tessera_dtype type, world *world) {
  world->extent = tessera_context_size(context);
  world->axis = 0;
  world->grid = (tessera_grid){sizeof(tessera_grid), 1, "all", &world->extent};
  world->site = (tessera_site){.struct_size = sizeof(tessera_site),
                               .kind = kind,
                               .name = name,
                               .location = "",
                               .grid = &world->grid,
                               .axes = &world->axis,
                               .num_axes = 1,
                               .index = -1,
                               .input_rank = 1,
                               .output_rank = 1,
                               .input_type = type,
                               .output_type = type};
}

tessera_status tr_send_bytes(tessera_context *context, int32_t rank, const void *data,
                             size_t bytes) {
  world world;
  int64_t size = (int64_t)bytes, destination = rank;
  fill_world(context, TESSERA_SITE_SEND, "gather result", TESSERA_I8, &world);
  descriptor view = describe((void *)data, 1, &size);
  tessera_context *previous = tr_context_swap_current(context);
  tessera_rt_send(&world.site, NULL, &view, &destination);
  tessera_context_set_current(previous);
  return TESSERA_OK;
}

tessera_status tr_receive_bytes(tessera_context *context, int32_t rank, void *data, size_t bytes) {
  world world;
  int64_t size = (int64_t)bytes, source = rank;
  fill_world(context, TESSERA_SITE_RECV, "gather result", TESSERA_I8, &world);
  descriptor view = describe(data, 1, &size);
  tessera_context *previous = tr_context_swap_current(context);
  tessera_rt_recv(&world.site, NULL, &view, &source);
  tessera_context_set_current(previous);
  return TESSERA_OK;
}

tessera_status tr_collect_sizes(tessera_context *context, int64_t count, const int64_t *mine,
                                int64_t *all) {
  world world;
  int64_t total = count * tessera_context_size(context);
  fill_world(context, TESSERA_SITE_ALL_GATHER, "gather sizes", TESSERA_I64, &world);
  descriptor in = describe((void *)mine, 1, &count), out = describe(all, 1, &total);
  tessera_context *previous = tr_context_swap_current(context);
  tessera_rt_all_gather(&world.site, NULL, &in, &out);
  tessera_context_set_current(previous);
  return TESSERA_OK;
}

tessera_status tr_reduce_axes(tessera_context *context, const tessera_grid *grid, int32_t num_axes,
                              const int32_t *axes, tessera_reduction reduction,
                              tessera_tensor *tensor) {
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = TESSERA_SITE_ALL_REDUCE,
                       .name = "reduce partial value",
                       .location = "",
                       .grid = grid,
                       .axes = axes,
                       .num_axes = num_axes,
                       .index = -1,
                       .input_rank = tensor->rank,
                       .output_rank = tensor->rank,
                       .input_type = tensor->dtype,
                       .output_type = tensor->dtype,
                       .reduction = reduction};
  descriptor view = describe(tensor->data, tensor->rank, tensor->shape);
  tessera_context *previous = tr_context_swap_current(context);
  tessera_rt_all_reduce(&site, NULL, &view, &view);
  tessera_context_set_current(previous);
  return TESSERA_OK;
}
