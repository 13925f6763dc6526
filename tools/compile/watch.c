/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What --verbose and --print-after show of the stages while they run. It knows clocks and streams.
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "driver.h"

double ts_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- the bar --------------------------------------------------------------------------------- */

/* The terminal's last line is one that says what runs. */
static atomic_bool has_bar;

/* Code takes about as long as all stages before it. */
enum { WIDTH = 32, CODE_WIDTH = WIDTH / 2 };

static bool shows_bar(const ts_compilation *c) {
  return c->options->verbose && isatty(STDERR_FILENO);
}

static void show_bar(int length, const char *what) {
  static const char done[] = "################################";
  fprintf(stderr, "[%.*s%*s] %s\033[K\r", length, done, WIDTH - length, "", what);
  fflush(stderr);
  atomic_store(&has_bar, true);
}

void ts_watch_show(ts_compilation *c, const char *what) {
  if (!shows_bar(c))
    return;
  int total, before = ts_stages_before(c->target, what, &total);
  show_bar((WIDTH - CODE_WIDTH) * before / total, what);
}

void ts_watch_show_last(const ts_compilation *c, const char *what) {
  if (shows_bar(c))
    show_bar(WIDTH, what);
}

void ts_watch_code(void *user, int done, int total) {
  const ts_compilation *c = user;
  char text[64];
  if (!shows_bar(c) || total == 1)
    return;
  snprintf(text, sizeof(text), "code, %d of %d parts", done, total);
  show_bar(WIDTH - CODE_WIDTH + CODE_WIDTH * done / total, text);
}

void ts_watch_clear(void) {
  if (atomic_exchange(&has_bar, false))
    fputs("\033[K", stderr);
}

/* ---- lines ----------------------------------------------------------------------------------- */

void ts_report(ts_compilation *c, const char *format, ...) {
  if (!c->options->verbose)
    return;
  ts_watch_clear();
  fputs("tesserac: ", stderr);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

void ts_report_time(ts_compilation *c, const char *what, double since) {
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
  if (!ts_stages_find(c->target, name, &stage))
    return;
  c->begun[stage.kind] = ts_now();
  ts_watch_show(c, name);
}

void ts_watch_end(void *user, const char *name, MlirOperation op) {
  ts_compilation *c = user;
  ts_named_stage stage;
  if (!ts_stages_find(c->target, name, &stage))
    return;
  if (stage.kind == TS_STAGE)
    ts_report(c, "  %-20s %8.1f ms", name, 1e3 * (ts_now() - c->begun[TS_STAGE]));
  if (!op.ptr || !c->options->print_after || !is_listed(c->options->print_after, name))
    return;
  ts_watch_clear();
  fprintf(stderr, "// ---- after %s\n", name);
  mlirOperationPrint(op, ts_print_part, stderr);
}
