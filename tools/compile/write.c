/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a compilation writes: a text, an object file or a shared object. It knows files; it must not
 * know code. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"

static void write_part(void *user, const char *data, size_t size) {
  tr_output_write(user, data, size);
}

typedef bool (*code_writer)(MlirOperation module, const ts_code_options *options,
                            const ts_code_sink *sink, ts_code_error *error);

/* False after a message; failures to write are left in `output`. */
static bool write_code(ts_compilation *c, code_writer write, tr_output *output) {
  const ts_code_options options = {.march = c->options->march,
                                   .opt_level = c->options->opt_level,
                                   .form = c->last == TS_EMIT_SO ? TS_CODE_ARCHIVE : TS_CODE_OBJECT,
                                   .chip = c->options->chip,
                                   .progress = ts_watch_code,
                                   .progress_user = c};
  const ts_code_sink sink = {write_part, output};
  ts_code_error error = {0};
  bool good = write(mlirModuleGetOperation(c->module), &options, &sink, &error);
  if (!good && *error.text)
    ts_driver_error(error.about_source ? c->options->input : NULL, "%s", error.text);
  return good;
}

bool ts_make_object(ts_compilation *c) {
  double start = ts_now();
  ts_watch_show(c, "code");
  FILE *stream = open_memstream(&c->object.data, &c->object.size);
  if (!stream)
    return ts_driver_error(NULL, "no code: %s", strerror(errno));
  tr_output output;
  tr_output_on(stream, &output);
  bool good = write_code(c, c->target->write_object, &output);
  int error = tr_output_close(&output);
  if (fclose(stream) != 0 && !error)
    error = errno;
  ts_report_time(c, "code", start);
  return good && (!error || ts_driver_error(NULL, "no code: %s", strerror(error)));
}

bool ts_is_archive(const ts_bytes *object) {
  return object->size >= 8 && memcmp(object->data, "!<arch>\n", 8) == 0;
}

static void print_output(MlirStringRef text, void *user) {
  tr_output_write(user, text.data, text.length);
}

static bool write_stage(ts_compilation *c, tr_output *output) {
  if (c->last == TS_EMIT_OBJ) {
    tr_output_write(output, c->object.data, c->object.size);
    return true;
  }
  if (c->last == TS_EMIT_LLVM)
    return write_code(c, c->target->write_text, output);
  if (c->last == TS_EMIT_KERNELS)
    return write_code(c, c->target->write_kernels, output);
  mlirOperationPrint(mlirModuleGetOperation(c->module), print_output, output);
  return true;
}

static bool cannot_write(const char *path, int error) {
  return ts_driver_error(NULL, "%s cannot be written: %s", path, strerror(error));
}

static bool write_file(ts_compilation *c) {
  const char *path = c->options->output;
  tr_output output;
  int error = 0;
  if (strcmp(path, "-") == 0)
    tr_output_on(stdout, &output);
  else
    error = tr_output_open(path, &output);
  if (error)
    return cannot_write(path, error);
  if (!write_stage(c, &output)) {
    tr_output_drop(&output);
    return false;
  }
  error = tr_output_close(&output);
  return !error || cannot_write(path, error);
}

/* Writes the object to a new temporary file, named in `path`. */
static bool write_temporary_object(ts_compilation *c, char *path, size_t capacity) {
  const char *folder = getenv("TMPDIR");
  snprintf(path, capacity, "%s/tesseraXXXXXX.o", folder && *folder ? folder : "/tmp");
  int file = mkstemps(path, 2);
  FILE *stream = file < 0 ? NULL : fdopen(file, "wb");
  if (!stream)
    return cannot_write(path, errno);
  tr_output output;
  tr_output_on(stream, &output);
  tr_output_write(&output, c->object.data, c->object.size);
  int error = tr_output_close(&output);
  if (fclose(stream) != 0 && !error)
    error = errno;
  return !error || cannot_write(path, error);
}

static bool link_output(ts_compilation *c, const char *object) {
  const char *path = c->options->output;
  tr_output output;
  int error = tr_output_reserve(path, &output);
  if (error)
    return cannot_write(path, error);
  if (!ts_link_shared(object, output.name, path)) {
    tr_output_drop(&output);
    return false;
  }
  error = tr_output_close(&output);
  return !error || cannot_write(path, error);
}

static bool write_shared_object(ts_compilation *c) {
  char object[4096];
  double start = ts_now();
  ts_watch_show_last(c, "link");
  bool good = write_temporary_object(c, object, sizeof(object)) && link_output(c, object);
  ts_report_time(c, "link", start);
  unlink(object);
  return good;
}

bool ts_write_output(ts_compilation *c) {
  return c->last == TS_EMIT_SO ? write_shared_object(c) : write_file(c);
}
