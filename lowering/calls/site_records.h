/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The site records of collectives and of other calls into the runtime: the constants that each call
 * passes. It knows ops and records; it must not know memory. */
#ifndef TESSERA_LOWERING_CALLS_SITE_RECORDS_H
#define TESSERA_LOWERING_CALLS_SITE_RECORDS_H

#include <stddef.h>

#include "collectives/collectives.h"
#include "lowering/records.h"
#include "sharding/annotation.h"

/* True of a collective that takes or gives something else than a tensor: a memref. */
bool ts_is_on_memory(MlirOperation op);

/* How the elements of a memref lie in memory that is allocated for it. */
typedef enum ts_memory {
  TS_MEMORY_DENSE,  /* row-major without gaps, or as its run-time strides come to say */
  TS_MEMORY_GAPS,   /* by steps that are known */
  TS_MEMORY_UNKNOWN /* no memory can be allocated that is surely so */
} ts_memory;

typedef struct ts_steps {
  int64_t offset, strides[TS_MAX_RANK];
  int64_t reach; /* elements from the start of the memory to behind the last one */
} ts_steps;

/* Sets `steps` where there are gaps. */
ts_memory ts_memory_layout(MlirType memref, ts_steps *steps);

/* A site that was made: its record, and the group that it communicates in (no axes: none). */
typedef struct ts_site {
  const char *symbol;
  MlirOperation global;
  const ts_grid *grid;
  int num_axes;
  int32_t axes[TS_MAX_AXES];
} ts_site;

/* The module's sites while they are being made. */
typedef struct ts_sites {
  ts_records *records;
  ts_grids grids;
  const char **grid_symbols; /* the record of each grid, or NULL as long as it has none */
  ts_map numbers;            /* grid -> its number + 1 */
  int next;                  /* number of the next site */
  ts_site *made;             /* in the order of their numbers */
  int num_made, room;
  ts_map allocations; /* symbols of name and location -> the site's symbol */
} ts_sites;

/* False after diagnostics. */
bool ts_sites_init(ts_sites *sites, ts_records *records);

/* Reductions that have a meaning for the elements of each collective: asked before upstream's
 * canonicalization drops what it takes for a copy. False after diagnostics. */
bool ts_sites_check_reductions(MlirOperation module);

/* Makes a site record for every collective in the module and notes it on the op (`tessera.site`).
 * False after diagnostics. */
bool ts_sites_create(ts_sites *sites);
/* The same for those on memory alone. */
bool ts_sites_create_on_memory(ts_sites *sites);

/* A site that asks for this device's place in `grid`, or along `axes`. Returns its symbol. */
const char *ts_sites_add_query(ts_sites *sites, MlirOperation op, const ts_grid *grid,
                               intptr_t num_axes, const int32_t *axes);

/* A site for a matrix product: `rank` dimensions, element types, TESSERA_SITE_* flags. */
const char *ts_sites_add_gemm(ts_sites *sites, MlirLocation location, int64_t rank, int32_t input,
                              int32_t output, uint32_t flags);

/* How the window of a convolution moves in the input, for each of its dimensions: by how much for
 * each index of the output, and of the filter. */
typedef struct ts_window_moves {
  int num;
  const int64_t *steps, *dilations;
} ts_window_moves;

/* A site for a convolution: element types, TESSERA_SITE_* flags. */
const char *ts_sites_add_conv(ts_sites *sites, MlirLocation location, const ts_window_moves *window,
                              int32_t input, int32_t output, uint32_t flags);

/* A site for a copy between memory of a device and the host, or on the device: TESSERA_SITE_* flags
 * say which. */
const char *ts_sites_add_copy(ts_sites *sites, MlirLocation location, int64_t rank, int32_t type,
                              uint32_t flags);

/* A site for an assertion, at the place of `op` or of the op around it that has one. */
const char *ts_sites_add_check(ts_sites *sites, MlirOperation op);

/* A site for the allocation `op`, for an op called `name`; the same one for the same place and
 * name.
 */
const char *ts_sites_add_allocation(ts_sites *sites, MlirOperation op, MlirStringRef name);

/* The grid that attribute `grid` of `op` names; NULL after a diagnostic. */
const ts_grid *ts_sites_grid(ts_sites *sites, MlirOperation op);
/* Is `axis` one of the grid's, and not in `seen`? Adds it there; false after a diagnostic. */
bool ts_sites_check_axis(MlirLocation location, const ts_grid *grid, int axis, ts_axes *seen);
/* The position of a grid in the program's table. */
ptrdiff_t ts_sites_grid_number(const ts_sites *sites, const ts_grid *grid);
/* The symbol of a grid's record. */
const char *ts_sites_grid_record(ts_sites *sites, const ts_grid *grid);

/* Is `global` a site record? */
bool ts_is_site(MlirOperation global);

#endif /* TESSERA_LOWERING_CALLS_SITE_RECORDS_H */
