/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Targets: what a lowered program becomes code for. Everything that differs between them is in a
 * row of this table, and in the folder of its name. It knows what targets are asked for; it must
 * not know how any does it. */
#ifndef TESSERA_LOWERING_TARGETS_TARGET_H
#define TESSERA_LOWERING_TARGETS_TARGET_H

#include <stddef.h>

#include "lowering/kernels/kernel.h"
#include "lowering/stages.h"

/* An object file, or where there is much code an archive of several, for a linker to take as a
 * whole. */
typedef enum ts_code_form { TS_CODE_OBJECT, TS_CODE_ARCHIVE } ts_code_form;

typedef struct ts_code_options {
  const char *march; /* processor; NULL or "native": this one */
  int opt_level;     /* 0 to 3 */
  ts_code_form form; /* of objects */
  const char *chip;  /* of an accelerator; NULL: what the target has where nobody chooses */
  /* Told that `done` of `total` parts of the code are made, by any thread; NULL: nobody asks. */
  void (*progress)(void *user, int done, int total);
  void *progress_user;
} ts_code_options;

/* Where code goes. What fails there is for who made it to remember. */
typedef struct ts_code_sink {
  void (*write)(void *user, const char *data, size_t size);
  void *user;
} ts_code_sink;

/* Why there is no code, where no diagnostic says so; empty if one does. */
typedef struct ts_code_error {
  bool about_source; /* or about the options and the machine */
  char text[512];
} ts_code_error;

enum { TS_LLVM_LISTS = 2 };

typedef struct ts_target {
  const char *name; /* "cpu" */
  const char *what; /* one line */
  /* Stages of its own inside tessera-lower: which arithmetic it has, and how it is spelled. */
  ts_stage_list slots[TS_NUM_SLOTS];
  const ts_kernel_target *kernels;
  bool adds_to_products; /* the device's products have epilogues: sums and activations */
  /* From memrefs to the LLVM dialect, one list behind the other: upstream's passes alone, so that
   * mlir-opt takes them too. */
  ts_stage_list to_llvm[TS_LLVM_LISTS];
  /* From a module of these to LLVM IR as text, or to objects, which may take it apart. Names the
   * target in the module. False after a diagnostic, or with `error` set. One thread at a time for a
   * module. */
  bool (*write_text)(MlirOperation module, const ts_code_options *options, const ts_code_sink *sink,
                     ts_code_error *error);
  bool (*write_object)(MlirOperation module, const ts_code_options *options,
                       const ts_code_sink *sink, ts_code_error *error);
  /* The code of kernels alone, as text; NULL where they are part of the object's. */
  bool (*write_kernels)(MlirOperation module, const ts_code_options *options,
                        const ts_code_sink *sink, ts_code_error *error);
  /* What code from the same module depends on beside the compiler, as text: the machine that
   * `options` stand for, and whatever else of the machine at hand it is made for. */
  void (*write_machine)(const ts_code_options *options, const ts_code_sink *sink);
} ts_target;

extern const ts_target ts_targets[];
extern const int ts_num_targets;

/* The target called `name`; NULL stands for the first one, whose name is also what options have
 * where nobody chooses. NULL if there is none: ts_target_names says which there are. */
const ts_target *ts_target_named(const char *name);
/* Stage `i` of those to the LLVM dialect, NULL behind the last one. */
const ts_stage *ts_target_llvm_stage(const ts_target *target, int i);
/* "cpu, ..." into `text`; returns it. */
const char *ts_target_names(char *text, size_t capacity);
#define TS_DEFAULT_TARGET "cpu"

#endif /* TESSERA_LOWERING_TARGETS_TARGET_H */
