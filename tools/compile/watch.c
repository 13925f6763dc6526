/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What --verbose and --print-after show of the stages while they run. It knows clocks and streams.
 */
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "driver.h"

double ts_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void ts_report(const ts_compilation *c, const char *format, ...) {
  if (!c->options->verbose)
    return;
  fputs("tesserac: ", stderr);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

void ts_report_time(const ts_compilation *c, const char *what, double since) {
  ts_report(c, "%-22s %8.1f ms", what, 1e3 * (ts_now() - since));
}

/* Is `name` in the comma-separated `list`? */
static bool is_listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at; at = strchr(at, ',')) {
    at += *at == ',';
    if (strncmp(at, name, length) == 0 && (!at[length] || at[length] == ','))
      return true;
  }
  return false;
}

void ts_watch_begin(void *user, const char *name) {
  ts_compilation *c = user;
  ts_named_stage stage;
  if (ts_stages_find(c->target, name, &stage))
    c->begun[stage.kind] = ts_now();
}

void ts_watch_end(void *user, const char *name, MlirOperation op) {
  ts_compilation *c = user;
  ts_named_stage stage;
  if (!ts_stages_find(c->target, name, &stage))
    return;
  if (c->options->verbose && stage.kind == TS_STAGE)
    fprintf(stderr, "tesserac:   %-20s %8.1f ms\n", name, 1e3 * (ts_now() - c->begun[TS_STAGE]));
  if (!op.ptr || !c->options->print_after || !is_listed(c->options->print_after, name))
    return;
  fprintf(stderr, "// ---- after %s\n", name);
  mlirOperationPrint(op, ts_print_part, stderr);
}
