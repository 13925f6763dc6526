/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The program record: the constant that a compiled program exports. It knows the tables that the
 * other stages made. */
#include "lowering/entries/program_record.h"

#include <string.h>

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tessera/runtime.h"

/* ---- sites in use ---------------------------------------------------------------------------- */

typedef struct use_walk {
  ts_arena *arena;
  ts_map used; /* symbol name attribute -> itself */
} use_walk;

static void note_use(MlirOperation op, void *user) {
  use_walk *walk = user;
  if (!ts_op_is(op, "llvm.mlir.addressof"))
    return;
  MlirStringRef name = ts_op_symbol(op, "global_name");
  const void *key = mlirStringAttrGet(mlirOperationGetContext(op), name).ptr;
  ts_map_set(&walk->used, walk->arena, key, walk);
}

/* Keeps the sites that some function refers to, numbered anew. */
static void drop_unused(ts_sites *sites) {
  use_walk walk = {.arena = sites->records->arena};
  ts_each_op(sites->records->module, note_use, &walk);
  int kept = 0;
  for (int i = 0; i < sites->num_made; i++) {
    ts_site *site = &sites->made[i];
    const void *key = ts_text_attribute(sites->records->context, site->symbol).ptr;
    if (!ts_map_get(&walk.used, key)) {
      mlirOperationDestroy(site->global);
      continue;
    }
    ts_record_set_late(site->global, kept);
    sites->made[kept++] = *site;
  }
  sites->num_made = kept;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool same_group(const ts_site *a, const ts_site *b) {
  return a->grid == b->grid && a->num_axes == b->num_axes &&
         memcmp(a->axes, b->axes, sizeof(a->axes[0]) * (size_t)a->num_axes) == 0;
}

/* Each group once, in the order in which sites name them. Returns their number. */
static intptr_t groups_record(ts_sites *sites, const char **symbol) {
  enum { FIELDS = 4 };
  ts_records *records = sites->records;
  const ts_site **groups = TS_NEW(records->arena, const ts_site *, sites->num_made);
  ts_field *fields = TS_NEW(records->arena, ts_field, sites->num_made * FIELDS);
  intptr_t num = 0;
  for (int i = 0; i < sites->num_made; i++) {
    const ts_site *site = &sites->made[i];
    bool known = site->num_axes == 0;
    for (intptr_t g = 0; g < num && !known; g++)
      known = same_group(site, groups[g]);
    if (known)
      continue;
    ts_field *group = &fields[num * FIELDS];
    group[0] = TS_POINTER(ts_sites_grid_record(sites, site->grid));
    group[1] = TS_POINTER(ts_record_i32(records, site->num_axes, site->axes));
    group[2] = TS_I32(site->num_axes);
    group[3] = TS_I32(0);
    groups[num++] = site;
  }
  *symbol = num > 0 ? "tessera.groups" : NULL;
  if (num > 0)
    ts_record_structs(records, *symbol, mlirLocationUnknownGet(records->context), TS_INTERNAL, num,
                      FIELDS, fields);
  return num;
}

static const char *grids_record(ts_sites *sites) {
  const char **symbols = TS_NEW(sites->records->arena, const char *, sites->grids.num);
  for (int g = 0; g < sites->grids.num; g++)
    symbols[g] = ts_sites_grid_record(sites, sites->grids.grids[g]);
  return ts_record_pointers(sites->records, sites->grids.num, symbols);
}

static const char *sites_record(ts_sites *sites) {
  const char **symbols = TS_NEW(sites->records->arena, const char *, sites->num_made);
  for (int i = 0; i < sites->num_made; i++)
    symbols[i] = sites->made[i].symbol;
  return ts_record_pointers(sites->records, sites->num_made, symbols);
}

static const char *entries_record(ts_records *records, const ts_entries *entries) {
  enum { FIELDS = 11 };
  if (entries->num == 0)
    return NULL;
  ts_field *fields = TS_NEW(records->arena, ts_field, entries->num * FIELDS);
  for (intptr_t i = 0; i < entries->num; i++) {
    const ts_entry *entry = &entries->entries[i];
    const ts_field made[FIELDS] = {
        TS_I32(sizeof(tessera_entry)),
        TS_I32(entry->flags),
        TS_POINTER(ts_record_text(records, mlirStringRefCreateFromCString(entry->name))),
        TS_POINTER(entry->packed),
        TS_I32(entry->num_arguments),
        TS_I32(entry->num_results),
        TS_POINTER(entry->arguments),
        TS_POINTER(entry->results),
        TS_POINTER(entry->resolve ? entry->resolve->packed : NULL),
        TS_I32(entry->resolve ? entry->resolve->num_results : 0),
        TS_I32(0),
    };
    memcpy(&fields[i * FIELDS], made, sizeof(made));
  }
  ts_record_structs(records, "tessera.entries", mlirLocationUnknownGet(records->context),
                    TS_INTERNAL, entries->num, FIELDS, fields);
  return "tessera.entries";
}

/* The file that the module was parsed from. */
static const char *source_record(ts_records *records) {
  char text[1024];
  ts_location_text(mlirOperationGetLocation(records->module), text, sizeof(text));
  /* Cut ":line:column" off. */
  for (int cut = 0; cut < 2; cut++) {
    char *colon = strrchr(text, ':');
    if (colon)
      *colon = '\0';
  }
  return ts_record_text(records, mlirStringRefCreateFromCString(text));
}

void ts_program_record(ts_sites *sites, const ts_entries *entries) {
  ts_records *records = sites->records;
  drop_unused(sites);
  const char *groups;
  intptr_t num_groups = groups_record(sites, &groups);
  const ts_field fields[] = {
      TS_I32(sizeof(tessera_program_record)),
      TS_I32(TESSERA_ABI_VERSION),
      TS_POINTER(source_record(records)),
      TS_POINTER(grids_record(sites)),
      TS_I32(sites->grids.num),
      TS_I32(num_groups),
      TS_POINTER(groups),
      TS_POINTER(sites_record(sites)),
      TS_I32(sites->num_made),
      TS_I32(entries->num),
      TS_POINTER(entries_record(records, entries)),
      TS_POINTER(ts_module_symbol(records->module, TS_DEVICE_CODE).ptr ? TS_DEVICE_CODE : NULL),
  };
  ts_record_structs(records, TESSERA_PROGRAM_SYMBOL, mlirLocationUnknownGet(records->context),
                    TS_EXPORTED, 1, sizeof(fields) / sizeof(fields[0]), fields);
}
