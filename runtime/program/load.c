/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loading compiled programs and answering questions about their records.
 * It must not know how ranks communicate or where pieces of tensors lie. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context/guard.h"
#include "context/launch.h"
#include "devices/host/host.h"
#include "plans/engine.h"
#include "program/device_record.h"
#include "program/program.h"
#include "program/record.h"
#include "support/error.h"
#include "trace/log.h"
#include "watch/note.h"
#include "watch/watch.h"

/* Programs leave libtessera's symbols undefined. A host that loaded libtessera privately (a Python
 * extension, say) would not resolve them, so make this library's own symbols global. */
static void publish_runtime(void) {
  Dl_info info;
  if (dladdr((void *)(uintptr_t)tessera_program_load, &info) != 0 && info.dli_fname) {
    void *self = dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    if (self)
      dlclose(self);
  }
}

static tessera_status make_program(const tessera_program_record *record, void *library,
                                   tessera_program **program) {
  *program = malloc(sizeof(**program));
  if (!*program)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a program");
  (*program)->record = record;
  (*program)->library = library;
  (*program)->life = tr_life_create();
  if (!(*program)->life) {
    free(*program);
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a program");
  }
  return TESSERA_OK;
}

tessera_status tessera_program_from_record(const tessera_program_record *record,
                                           tessera_program **program) {
  *program = NULL;
  tessera_status status = tr_record_check(record, "the program");
  return status ? status : make_program(record, NULL, program);
}

/* dlopen searches the system's folders for a name without a slash; a program is always a path. */
static void *open_path(const char *path) {
  if (strchr(path, '/'))
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
  size_t size = strlen(path) + 3;
  char *local = malloc(size);
  if (!local)
    return NULL;
  snprintf(local, size, "./%s", path);
  void *library = dlopen(local, RTLD_NOW | RTLD_LOCAL);
  free(local);
  return library;
}

/* Is it surely no shared library? dlopen's "invalid ELF header" does not say what to do. */
static bool is_other_file(const char *path) {
  char start[4];
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  size_t read = fread(start, 1, sizeof(start), file);
  bool other =
      !ferror(file) && (read < sizeof(start) || memcmp(start, "\177ELF", sizeof(start)) != 0);
  fclose(file);
  return other;
}

tessera_status tessera_program_load(const char *path, tessera_program **program) {
  *program = NULL;
  if (is_other_file(path))
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "%s is not a compiled program but another kind of file; tesserac makes programs "
                   "of MLIR files: tesserac FILE.mlir -o PROGRAM.so",
                   path);
  publish_runtime();
  void *library = open_path(path);
  if (!library) {
    const char *reason = dlerror();
    return tr_fail(TESSERA_ERROR_NOT_FOUND, "cannot load the program: %s", reason ? reason : path);
  }
  const tessera_program_record *record = dlsym(library, TESSERA_PROGRAM_SYMBOL);
  tessera_status status =
      record ? tr_record_check(record, path)
             : tr_fail(TESSERA_ERROR_MISMATCH, "%s is not a compiled program: it has no symbol %s",
                       path, TESSERA_PROGRAM_SYMBOL);
  if (!status)
    status = make_program(record, library, program);
  if (status)
    dlclose(library);
  return status;
}

void tessera_program_unload(tessera_program *program) {
  if (!program)
    return;
  program->life->has_ended = true;
  tr_life_release(program->life);
  if (program->library)
    dlclose(program->library);
  free(program);
}

const tessera_program_record *tessera_program_get_record(const tessera_program *program) {
  return program->record;
}

const tessera_grid *tr_parameter_grid(const tessera_program *program,
                                      const tessera_parameter *parameter) {
  if (!parameter->layout || parameter->grid < 0 || parameter->grid >= program->record->num_grids)
    return NULL;
  return program->record->grids[parameter->grid];
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static const char *grid_text(const tessera_grid *grid, char *text, size_t capacity) {
  return tr_extents_text(grid->rank, grid->shape, text, capacity);
}

/* The number of devices of a static grid; 0 if an extent comes from the launch; -1 if absurd. */
static int64_t grid_devices(const tessera_grid *grid) {
  int64_t devices = 1;
  for (int32_t i = 0; i < grid->rank; i++)
    if (grid->shape[i] < 0)
      return 0;
  for (int32_t i = 0; i < grid->rank; i++)
    if (__builtin_mul_overflow(devices, grid->shape[i], &devices) || devices > INT32_MAX)
      return -1;
  return devices > 0 ? devices : -1;
}

/* The first grid whose extents are all known, or NULL. */
static const tessera_grid *static_grid(const tessera_program_record *record) {
  for (int32_t i = 0; i < record->num_grids; i++)
    if (grid_devices(record->grids[i]) != 0)
      return record->grids[i];
  return NULL;
}

tessera_status tessera_program_ranks(const tessera_program *program, int32_t *ranks) {
  *ranks = 0;
  char text[128], other[128];
  const tessera_grid *first = static_grid(program->record);
  if (!first)
    return TESSERA_OK;
  for (int32_t i = 0; i < program->record->num_grids; i++) {
    const tessera_grid *grid = program->record->grids[i];
    int64_t devices = grid_devices(grid);
    if (devices < 0)
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "grid @%s of shape %s cannot be", grid->name,
                     grid_text(grid, text, sizeof(text)));
    if (devices > 0 && devices != grid_devices(first))
      return tr_fail(TESSERA_ERROR_MISMATCH,
                     "grids @%s (%s) and @%s (%s) have different numbers of devices", first->name,
                     grid_text(first, text, sizeof(text)), grid->name,
                     grid_text(grid, other, sizeof(other)));
  }
  *ranks = (int32_t)grid_devices(first);
  return TESSERA_OK;
}

static tessera_status wrong_device(const tr_device *device, const char *target) {
  return tr_fail(TESSERA_ERROR_MISMATCH,
                 "the program was compiled for %s, and the context's device is '%s'%s",
                 target ? target : "code of the host", device->name,
                 tr_launch_device_name() ? ", as TESSERA_DEVICE says"
                                         : "; programs for another one need another context");
}

/* A context whose device nobody has chosen gets that of its first program. */
static tessera_status attach_device(const tessera_program *program, tessera_context *context) {
  const tessera_device_code *code = tr_record_device_code(program->record);
  const tr_device *device = context->world.device;
  if (!code)
    return device->target ? wrong_device(device, NULL) : TESSERA_OK;
  bool is_open = device == &tr_host_device && !context->workspace && !tr_launch_device_name() &&
                 tr_engine_forget(context);
  if (!device->target && !is_open)
    return wrong_device(device, code->target);
  tessera_status status =
      device->target ? TESSERA_OK : tr_context_use_device(context, code->target);
  device = context->world.device;
  if (status && !context->world.backend->reaches_devices)
    return tr_context_fail(context, status, tessera_last_error());
  if (status)
    return status;
  return device->target && strcmp(device->target, code->target) == 0
             ? device->attach(device, code, program->life)
             : wrong_device(device, code->target);
}

static bool ranks_are_processes(const tessera_context *context) {
  return context->world.size > 1 && context->world.process_ranks <= 1;
}

tessera_status tessera_program_attach(const tessera_program *program, tessera_context *context) {
  static const tessera_site site = {.struct_size = sizeof(site),
                                    .kind = TESSERA_SITE_QUERY,
                                    .name = "attach",
                                    .location = "",
                                    .index = -1};
  int32_t ranks;
  tessera_status status = tessera_program_ranks(program, &ranks);
  if (status)
    return status;
  int32_t size = tessera_context_size(context);
  if (ranks && ranks != size) {
    const tessera_grid *grid = static_grid(program->record);
    char text[128];
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "grid @%s (%s) needs exactly %d rank%s, but %d %s running", grid->name,
                   grid_text(grid, text, sizeof(text)), ranks, ranks == 1 ? "" : "s", size,
                   size == 1 ? "is" : "are");
  }
  bool is_outermost;
  status = tr_context_enter(context, &is_outermost);
  if (status)
    return status;
  tr_watch_forget(context);
  tr_log_forget(context);
  tr_note_begin(context, &site, TR_MEMBERS_OF_SITE);
  status = attach_device(program, context);
  /* Groups of processes are made together; of a context that has failed others know. */
  if (ranks_are_processes(context) && !context->failure)
    status = tr_context_agree(context, status, "the program cannot be attached");
  if (status == TESSERA_ERROR_OUT_OF_MEMORY)
    status = tr_context_fail(context, status, tessera_last_error());
  if (!status)
    status = tr_context_attach_groups(context, program->record);
  if (!status)
    status = tr_engine_attach(context, program->record, program->life);
  tr_note_end(context, 0);
  if (is_outermost)
    tr_context_leave(context);
  return status;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Entries of another version of the interface may have another size. */
static const tessera_entry *entry_at(const tessera_program_record *record, int32_t i) {
  const char *first = (const char *)record->entries;
  return (const tessera_entry *)(const void *)(first + (size_t)i * record->entries->struct_size);
}

static const tessera_entry *entry_named(const tessera_program_record *record, const char *name) {
  for (int32_t i = 0; i < record->num_entries; i++)
    if (strcmp(entry_at(record, i)->name, name) == 0)
      return entry_at(record, i);
  return NULL;
}

/* The names of all entries, separated by commas, as many as fit. */
static const char *entry_list(const tessera_program_record *record, char *text, size_t capacity) {
  size_t used = 0;
  snprintf(text, capacity, "none");
  for (int32_t i = 0; i < record->num_entries && used < capacity; i++)
    used += (size_t)snprintf(text + used, capacity - used, "%s%s", i ? ", " : "",
                             entry_at(record, i)->name);
  return text;
}

tessera_status tessera_program_find(const tessera_program *program, const char *name,
                                    const tessera_entry **entry) {
  const tessera_program_record *record = program->record;
  char text[1024];
  if (name)
    *entry = entry_named(record, name);
  else if (record->num_entries == 1)
    *entry = entry_at(record, 0);
  else
    *entry = entry_named(record, "main");
  if (*entry)
    return TESSERA_OK;
  if (name)
    return tr_fail(TESSERA_ERROR_NOT_FOUND, "the program has no entry '%s'; its entries: %s", name,
                   entry_list(record, text, sizeof(text)));
  return tr_fail(TESSERA_ERROR_NOT_FOUND,
                 "the program has no single entry or 'main'; its entries: %s",
                 entry_list(record, text, sizeof(text)));
}
