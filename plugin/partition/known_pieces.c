/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The lists of pieces, by value of the model. It must not know how pieces are made. */
#include "partition/known_pieces.h"

#include "solve/views.h"
#include "support/blocks.h"

ts_local_piece *ts_local_pieces(const ts_partitioner *p, const ts_value *info) {
  return ts_map_get(&p->pieces, info);
}

void ts_add_local_piece(ts_partitioner *p, ts_value *info, ts_local_piece piece) {
  ts_local_piece *last = ts_local_pieces(p, info);
  ts_local_piece *added = ts_arena_copy(p->model->arena, &piece, sizeof(piece));
  while (last && last->next)
    last = last->next;
  if (last)
    last->next = added;
  else
    ts_map_set(&p->pieces, p->model->arena, info, added);
}

void ts_set_piece(ts_partitioner *p, ts_value *info, MlirValue value, MlirValue local,
                  const ts_sharding *layout) {
  ts_add_local_piece(p, info, (ts_local_piece){.value = value, .local = local, .layout = layout});
}

/* Ops come in program order, but views are built where their ops are: before what was built for ops
 * behind these. */
bool ts_is_known_piece(const ts_partitioner *p, MlirValue value, const ts_local_piece *piece) {
  return mlirValueEqual(piece->value, value) &&
         (!piece->scope.ptr || (ts_ancestor_in(piece->scope, p->current).ptr &&
                                ts_known_before(piece->local, p->current)));
}

static bool dim_has_run_time(const ts_sharding *layout, int d) {
  ts_sharding alone = {.grid = layout->grid, .rank = 1, .dims = &layout->dims[d]};
  return ts_sharding_run_time(&alone, NULL) > 0;
}

void ts_look_behind(ts_value **info, MlirValue *value) {
  const ts_value *behind = ts_value_behind(*info);
  while (*info != behind) {
    *value = mlirOperationGetOperand((*info)->definition->handle, 0);
    *info = (*info)->definition->operands[0];
  }
}

ts_known_piece ts_find_piece(const ts_partitioner *p, MlirValue value, int d) {
  const ts_local_piece *best = NULL;
  ts_value *info = ts_model_value(p->model, value);
  ts_look_behind(&info, &value);
  for (const ts_local_piece *at = ts_local_pieces(p, info); at; at = at->next) {
    if (!ts_is_known_piece(p, value, at))
      continue;
    if (!best || dim_has_run_time(best->layout, d))
      best = at;
  }
  if (!best)
    return (ts_known_piece){.everywhere = false};
  return (ts_known_piece){.local = best->local,
                          .layout = best->layout,
                          .everywhere = !best->scope.ptr,
                          .run_time = dim_has_run_time(best->layout, d)};
}
