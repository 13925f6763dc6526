/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera_compile_print_pipeline: the stages as a command line of upstream's tools. It knows
 * shells' quotes and these tools' options. */
#include <stdlib.h>
#include <string.h>

#include "driver.h"

/* One word of a shell's command line. */
static void print_word(const char *text) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./=,";
  if (*text && text[strspn(text, plain)] == '\0') {
    fputs(text, stdout);
    return;
  }
  putchar('\'');
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", stdout);
    else
      putchar(*text);
  putchar('\'');
}

/* The passes of all stages up to `last`, owned by the caller; NULL without memory. */
static char *whole_pipeline(const tessera_compile_options *options, ts_emit_stage last) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream)
    return NULL;
  fprintf(stream, "builtin.module(%s", ts_pipeline_import);
  for (ts_emit_stage stage = TS_EMIT_PROPAGATED; stage <= last; stage++) {
    char *passes = ts_stages_pipeline(options, ts_options_target(options), stage);
    if (passes)
      fprintf(stream, ",%s", passes);
    free(passes);
  }
  fputc(')', stream);
  fclose(stream);
  return text;
}

static void print_pipeline(const tessera_compile_options *options, ts_emit_stage last,
                           const char *pipeline) {
  printf("mlir-opt-22 --load-pass-plugin=TesseraPlugin.so --load-dialect-plugin=TesseraPlugin.so ");
  print_word(options->input);
  printf(" --pass-pipeline=");
  print_word(pipeline);
  if (last >= TS_EMIT_LLVM)
    printf(" | mlir-translate-22 --mlir-to-llvmir");
  if (last >= TS_EMIT_OBJ) {
    printf(" | clang-22 -x ir - -O%d -march=", options->opt_level);
    print_word(options->march ? options->march : "native");
    printf(" -fPIC %s", last == TS_EMIT_OBJ ? "-c" : "-shared");
  }
  printf(" -o ");
  print_word(options->output);
  putchar('\n');
}

int tessera_compile_print_pipeline(const tessera_compile_options *given) {
  tessera_compile_options options;
  ts_emit_stage last;
  if (!ts_options_copy(given, &options) || !ts_options_check(&options, &last))
    return 1;
  if (options.grid || options.oracle) {
    ts_driver_error(NULL,
                    "--print-pipeline: --%s changes the source before any pass: write it into the "
                    "source, and print the pipeline without",
                    options.grid ? "grid" : "oracle");
    return 1;
  }
  if (options.target && ts_options_target(&options)->write_kernels && last >= TS_EMIT_KERNELS) {
    ts_driver_error(NULL,
                    "--print-pipeline: no tool of upstream's puts kernels of --target=%s into an "
                    "object: expected --emit=llvm or an earlier stage",
                    options.target);
    return 1;
  }
  char *pipeline = whole_pipeline(&options, last);
  if (!pipeline)
    ts_driver_error(NULL, "no memory for the pipeline");
  else
    print_pipeline(&options, last, pipeline);
  int status = pipeline ? 0 : 1;
  free(pipeline);
  return status;
}
