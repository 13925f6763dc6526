/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A compilation's use of the cache: what is looked for, said again and kept. No failure of the
 * cache is one of the compilation. It knows compilations and entries; it must not know how
 * entries lie in files. */
#include "cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "tools/compile/driver.h"

/* Modules on the way are printed by stages, which must run then. */
static bool has_use(const ts_compilation *c) {
  return c->last >= TS_EMIT_OBJ && !c->options->no_cache && !c->options->print_after;
}

static void turn_off(ts_compilation *c) {
  free(c->cache.folder);
  c->cache.folder = NULL;
}

/* An archive is not what was asked for where that is one object; an object serves as an archive. */
static bool serves(const ts_compilation *c) {
  return c->last != TS_EMIT_OBJ || !ts_is_archive(&c->object);
}

static bool take(ts_compilation *c, double start) {
  ts_bytes messages = {0};
  if (!ts_cache_read(&c->cache, &messages, &c->object))
    return false;
  if (!serves(c)) {
    free(messages.data);
    free(c->object.data);
    c->object = (ts_bytes){0};
    return false;
  }
  ts_repeat_messages(c, &messages);
  free(messages.data);
  ts_report(c, "%-22s %8.1f ms  %s", "cached", 1e3 * (ts_now() - start), c->cache.key);
  return true;
}

bool ts_cache_begin(ts_compilation *c) {
  double start = ts_now();
  if (!has_use(c))
    return true;
  if (!ts_cache_locate(&c->cache))
    return false;
  if (!c->cache.folder)
    return true;
  if (!ts_cache_set_key(c)) {
    ts_report(c, "no cache: what this compiler is made of is not known");
    turn_off(c);
  } else if (!take(c, start)) {
    c->record = open_memstream(&c->cache.messages.data, &c->cache.messages.size);
  }
  return true;
}

void ts_cache_keep(ts_compilation *c) {
  FILE *record = c->record;
  c->record = NULL;
  if (!record || fclose(record) != 0 || c->errors > 0)
    return;
  int error = ts_cache_make_folder(&c->cache);
  if (!error)
    error = ts_cache_write(&c->cache, &c->cache.messages, &c->object);
  if (error)
    ts_report(c, "no cache: %s: %s", c->cache.folder, strerror(error));
  else
    ts_cache_trim(&c->cache);
}

void ts_cache_end(ts_compilation *c) {
  if (c->record)
    fclose(c->record);
  c->record = NULL;
  free(c->cache.messages.data);
  turn_off(c);
}
