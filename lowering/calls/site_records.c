/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The site records of calls into the runtime: the constants that each call passes. It knows ops and
 * records; it must not know collectives. */
#include "lowering/calls/site_records.h"

#include <string.h>

#include "capi/capi.h"
#include "lowering/calls/site_members.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sharding/notation.h"
#include "support/diagnostics.h"
#include "tessera/runtime.h"

#define SITE_PREFIX "tessera.site."

bool ts_is_site(MlirOperation global) {
  MlirStringRef name = ts_op_symbol(global, "sym_name");
  return ts_op_is(global, "llvm.mlir.global") && name.length > strlen(SITE_PREFIX) &&
         memcmp(name.data, SITE_PREFIX, strlen(SITE_PREFIX)) == 0;
}

bool ts_sites_init(ts_sites *sites, ts_records *records) {
  *sites = (ts_sites){.records = records};
  if (!ts_grids_collect(&sites->grids, records->arena, records->module))
    return false;
  sites->grid_symbols = TS_NEW(records->arena, const char *, sites->grids.num);
  for (int g = 0; g < sites->grids.num; g++)
    ts_map_set(&sites->numbers, records->arena, sites->grids.grids[g], (void *)(intptr_t)(g + 1));
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(records->module)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    sites->next += ts_is_site(op);
  return true;
}

/* ---- grids ----------------------------------------------------------------------------------- */

const ts_grid *ts_sites_grid(ts_sites *sites, MlirOperation op) {
  MlirStringRef name = ts_op_symbol(op, "grid");
  const ts_grid *grid = ts_grids_find(&sites->grids, name);
  if (!grid)
    ts_error_at(mlirOperationGetLocation(op), "no grid is called @%.*s", (int)name.length,
                name.data);
  return grid;
}

ptrdiff_t ts_sites_grid_number(const ts_sites *sites, const ts_grid *grid) {
  return (intptr_t)ts_map_get(&sites->numbers, grid) - 1;
}

const char *ts_sites_grid_record(ts_sites *sites, const ts_grid *grid) {
  ts_records *records = sites->records;
  ptrdiff_t g = ts_sites_grid_number(sites, grid);
  if (sites->grid_symbols[g])
    return sites->grid_symbols[g];
  int64_t shape[TS_MAX_AXES];
  for (int a = 0; a < grid->rank; a++)
    shape[a] = grid->shape[a] == TS_DYNAMIC ? -1 : grid->shape[a];
  char *symbol = ts_arena_format(records->arena, "tessera.grid.%s", grid->name);
  ts_field fields[] = {
      TS_I32(sizeof(tessera_grid)),
      TS_I32(grid->rank),
      TS_POINTER(ts_record_text(records, mlirStringRefCreateFromCString(grid->name))),
      TS_POINTER(ts_record_i64(records, grid->rank, shape)),
  };
  if (!ts_module_symbol(records->module, symbol).ptr)
    ts_record_structs(records, symbol, mlirOperationGetLocation(sites->grids.ops[g]), TS_INTERNAL,
                      1, sizeof(fields) / sizeof(fields[0]), fields);
  sites->grid_symbols[g] = symbol;
  return symbol;
}

/* ---- one record ------------------------------------------------------------------------------ */

static const char *location_record(ts_sites *sites, MlirLocation location) {
  char text[1024];
  size_t length = ts_location_text(location, text, sizeof(text));
  if (length >= sizeof(text))
    length = sizeof(text) - 1;
  return ts_record_text(sites->records, mlirStringRefCreate(text, length));
}

/* Why there is such a collective, which partitioning notes at its location; "" if nobody did. */
static const char *cause_record(ts_sites *sites, MlirLocation location) {
  MlirStringRef cause = ts_location_note(location, TS_CAUSE);
  return ts_record_text(sites->records, cause.data ? cause : mlirStringRefCreateFromCString(""));
}

static void remember(ts_sites *sites, const char *symbol, MlirOperation global,
                     const ts_site_members *site) {
  if (sites->num_made == sites->room) {
    sites->room = sites->room ? 2 * sites->room : 64;
    ts_site *made = TS_NEW(sites->records->arena, ts_site, sites->room);
    if (sites->num_made > 0)
      memcpy(made, sites->made, sizeof(*made) * (size_t)sites->num_made);
    sites->made = made;
  }
  ts_site *entry = &sites->made[sites->num_made++];
  *entry = (ts_site){.symbol = symbol, .global = global, .grid = site->grid};
  if (site->kind == TESSERA_SITE_QUERY)
    return;
  entry->num_axes = (int)site->num_axes;
  memcpy(entry->axes, site->axes, sizeof(entry->axes));
}

const char *ts_sites_add(ts_sites *sites, MlirLocation location, const ts_site_members *site) {
  ts_records *records = sites->records;
  const char *grid = site->grid ? ts_sites_grid_record(sites, site->grid) : NULL;
  ts_field fields[] = {
      TS_I32(sizeof(tessera_site)),
      TS_I32(site->kind),
      TS_POINTER(ts_record_text(records, site->name)),
      TS_POINTER(location_record(sites, location)),
      TS_POINTER(grid),
      TS_POINTER(ts_record_i32(records, site->num_axes, site->axes)),
      TS_I32(site->num_axes),
      TS_LATE_I32(sites->next),
      TS_I32(site->input_rank),
      TS_I32(site->output_rank),
      TS_I32(site->input_type),
      TS_I32(site->output_type),
      TS_I32(site->reduction),
      TS_I32(site->flags),
      TS_I32(site->axis),
      TS_I32(site->concat_axis),
      TS_I64(site->offset),
      TS_POINTER(site->from),
      TS_POINTER(site->to),
      TS_POINTER(cause_record(sites, location)),
  };
  char *symbol = ts_arena_format(records->arena, SITE_PREFIX "%d", sites->next++);
  MlirOperation global = ts_record_structs(records, symbol, location, TS_INTERNAL, 1,
                                           sizeof(fields) / sizeof(fields[0]), fields);
  remember(sites, symbol, global, site);
  return symbol;
}

const char *ts_sites_add_query(ts_sites *sites, MlirOperation op, const ts_grid *grid,
                               intptr_t num_axes, const int32_t *axes) {
  ts_site_members site = {.kind = TESSERA_SITE_QUERY,
                          .name = mlirIdentifierStr(mlirOperationGetName(op)),
                          .grid = grid,
                          .num_axes = num_axes};
  memcpy(site.axes, axes, sizeof(axes[0]) * (size_t)num_axes);
  return ts_sites_add(sites, mlirOperationGetLocation(op), &site);
}

const char *ts_sites_add_gemm(ts_sites *sites, MlirLocation location, int64_t rank, int32_t input,
                              int32_t output, uint32_t flags) {
  ts_site_members site = {.kind = TESSERA_SITE_GEMM,
                          .name = mlirStringRefCreateFromCString("matmul"),
                          .input_rank = (int32_t)rank,
                          .output_rank = (int32_t)rank,
                          .input_type = input,
                          .output_type = output,
                          .flags = flags};
  return ts_sites_add(sites, location, &site);
}

const char *ts_sites_add_copy(ts_sites *sites, MlirLocation location, int64_t rank, int32_t type,
                              uint32_t flags) {
  ts_site_members site = {.kind = TESSERA_SITE_COPY,
                          .name = mlirStringRefCreateFromCString("copy"),
                          .input_rank = (int32_t)rank,
                          .output_rank = (int32_t)rank,
                          .input_type = type,
                          .output_type = type,
                          .flags = flags};
  return ts_sites_add(sites, location, &site);
}

const char *ts_sites_add_conv(ts_sites *sites, MlirLocation location, const ts_window_moves *window,
                              int32_t input, int32_t output, uint32_t flags) {
  enum { OUTER_DIMS = 3 }; /* batch, groups, channels */
  ts_site_members site = {.kind = TESSERA_SITE_CONV,
                          .name = mlirStringRefCreateFromCString("convolution"),
                          .input_rank = OUTER_DIMS + window->num,
                          .output_rank = OUTER_DIMS + window->num,
                          .input_type = input,
                          .output_type = output,
                          .flags = flags,
                          .from = ts_record_i64(sites->records, window->num, window->steps),
                          .to = ts_record_i64(sites->records, window->num, window->dilations)};
  return ts_sites_add(sites, location, &site);
}

/* The place of `op`, or of the op around it that has one: what the bodies of named ops hold has
 * none. */
static MlirLocation place_around(MlirOperation op) {
  MlirLocation location = mlirOperationGetLocation(op);
  for (MlirOperation around = op; around.ptr; around = mlirOperationGetParentOperation(around)) {
    char text[2];
    if (ts_location_text(mlirOperationGetLocation(around), text, sizeof(text)) > 0)
      return mlirOperationGetLocation(around);
  }
  return location;
}

const char *ts_sites_add_check(ts_sites *sites, MlirOperation op) {
  ts_site_members site = {.kind = TESSERA_SITE_CHECK,
                          .name = mlirIdentifierStr(mlirOperationGetName(op))};
  return ts_sites_add(sites, place_around(op), &site);
}

const char *ts_sites_add_allocation(ts_sites *sites, MlirOperation op, MlirStringRef name) {
  ts_records *records = sites->records;
  MlirLocation location = place_around(op);
  /* Equal texts are one constant, whose symbol tells them apart. */
  char *key = ts_arena_format(records->arena, "%s %s", ts_record_text(records, name),
                              location_record(sites, location));
  const void *known = mlirStringAttrGet(records->context, mlirStringRefCreateFromCString(key)).ptr;
  const char *symbol = ts_map_get(&sites->allocations, known);
  if (symbol)
    return symbol;
  ts_site_members site = {.kind = TESSERA_SITE_CHECK, .name = name};
  symbol = ts_sites_add(sites, location, &site);
  ts_map_set(&sites->allocations, records->arena, known, (void *)(uintptr_t)symbol);
  return symbol;
}
