/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Modules of LLVM's to object files, on all cores. It knows processors and optimisation levels; it
 * must not know where the modules come from. */
#include "lowering/targets/cpu/objects.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "lowering/targets/target.h"

static pthread_once_t target_once = PTHREAD_ONCE_INIT;

static bool fail(ts_code_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(ts_code_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof(error->text), format, arguments);
  va_end(arguments);
  return false;
}

static void initialize_target(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
}

/* The machine that `options` name, of which LLVM knows `features`; NULL after an error. */
static LLVMTargetMachineRef create_named(const ts_code_options *options, const char *triple,
                                         const char *cpu, const char *features,
                                         ts_code_error *error) {
  LLVMTargetRef target;
  LLVMTargetMachineRef machine = NULL;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &message) == 0)
    machine = LLVMCreateTargetMachine(target, triple, cpu, features,
                                      (LLVMCodeGenOptLevel)options->opt_level, LLVMRelocPIC,
                                      LLVMCodeModelDefault);
  if (!machine) {
    error->about_source = true;
    fail(error, "no code generator for %s: %s", triple,
         message ? message : "it could not be created");
  }
  LLVMDisposeMessage(message ? message : LLVMCreateMessage(""));
  return machine;
}

LLVMTargetMachineRef ts_cpu_machine(const ts_code_options *options, ts_code_error *error) {
  pthread_once(&target_once, initialize_target);
  LLVMTargetMachineRef machine = NULL;
  char *triple = LLVMGetDefaultTargetTriple();
  if (!options->march || strcmp(options->march, "native") == 0) {
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    machine = create_named(options, triple, cpu, features, error);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
  } else if (ts_target_has_cpu(triple, options->march)) {
    machine = create_named(options, triple, options->march, "", error);
  } else {
    fail(error,
         "--march=%s: %s has no such processor; clang-22 --print-supported-cpus lists those that "
         "there are",
         options->march, triple);
  }
  LLVMDisposeMessage(triple);
  return machine;
}

/* Short loops inside others, as windows of convolutions have, are two to three times as fast
 * unrolled; code for them takes twice the time. Large programs do without. */
enum { MOST_UNROLLED_BLOCKS = 1000 };

static unsigned num_blocks(LLVMModuleRef module) {
  unsigned num = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    num += LLVMCountBasicBlocks(f);
  return num;
}

/* Whether short loops are unrolled, which depends on all modules. */
typedef enum unrolling { LOOPS_AS_THEY_ARE, LOOPS_UNROLLED } unrolling;

static bool optimize(LLVMModuleRef module, LLVMTargetMachineRef machine,
                     const ts_code_options *options, unrolling unrolling, ts_code_error *mistake) {
  char passes[] = "default<O0>";
  passes[sizeof(passes) - 3] = (char)('0' + options->opt_level);
  LLVMPassBuilderOptionsRef builder = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(builder, options->opt_level > 1);
  LLVMPassBuilderOptionsSetSLPVectorization(builder, options->opt_level > 1);
  LLVMPassBuilderOptionsSetLoopInterleaving(builder, options->opt_level > 1);
  LLVMPassBuilderOptionsSetLoopUnrolling(builder, unrolling == LOOPS_UNROLLED);
  LLVMErrorRef error = LLVMRunPasses(module, passes, machine, builder);
  LLVMDisposePassBuilderOptions(builder);
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  mistake->about_source = true;
  fail(mistake, "optimisation failed: %s", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

/* What options say, or no optimisation. */
static LLVMTargetMachineRef create_machine(const ts_code_options *options, ts_object_job *job) {
  ts_code_options none = *options;
  none.opt_level = 0;
  return ts_cpu_machine(job->is_long ? &none : options, &job->error);
}

/* Through memory: LLVM ends the process where its own stream cannot write. */
static bool emit_object(LLVMTargetMachineRef machine, ts_object_job *job) {
  char *message = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, job->module, LLVMObjectFile, &message,
                                          &job->object) == 0)
    return true;
  job->object = NULL;
  job->error.about_source = true;
  fail(&job->error, "no code could be generated: %s", message ? message : "");
  LLVMDisposeMessage(message);
  return false;
}

/* ---- on all cores ---------------------------------------------------------------------------- */

enum { MOST_THREADS = 64 };

typedef struct team {
  ts_object_job *jobs;
  int num;
  const ts_code_options *options;
  unrolling unrolling;
  _Atomic int next, done;
} team;

static void do_job(const team *t, ts_object_job *job) {
  LLVMTargetMachineRef machine = create_machine(t->options, job);
  if (!machine)
    return;
  if (optimize(job->module, machine, t->options, t->unrolling, &job->error))
    emit_object(machine, job);
  LLVMDisposeTargetMachine(machine);
}

static void finish_job(team *t, ts_object_job *job) {
  do_job(t, job);
  int done = atomic_fetch_add(&t->done, 1) + 1;
  if (t->options->progress)
    t->options->progress(t->options->progress_user, done, t->num);
}

static void *do_jobs(void *user) {
  team *t = user;
  for (int i; (i = atomic_fetch_add(&t->next, 1)) < t->num;)
    finish_job(t, &t->jobs[i]);
  return NULL;
}

static int num_cores(void) {
  cpu_set_t cores;
  int num = sched_getaffinity(0, sizeof(cores), &cores) == 0 ? CPU_COUNT(&cores) : 1;
  return num < MOST_THREADS ? num : MOST_THREADS;
}

void ts_objects_make(int num, ts_object_job *jobs, const ts_code_options *options) {
  unsigned blocks = 0;
  for (int i = 0; i < num; i++)
    blocks += num_blocks(jobs[i].module);
  team t = {.jobs = jobs,
            .num = num,
            .options = options,
            .unrolling = blocks <= MOST_UNROLLED_BLOCKS ? LOOPS_UNROLLED : LOOPS_AS_THEY_ARE};
  pthread_t threads[MOST_THREADS];
  int most = num_cores() < num ? num_cores() : num, started = 0;
  while (started < most - 1 && pthread_create(&threads[started], NULL, do_jobs, &t) == 0)
    started++;
  do_jobs(&t);
  for (int i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
}

/* ---- archives -------------------------------------------------------------------------------- */

static void write_member(const ts_code_sink *sink, int number, LLVMMemoryBufferRef object) {
  char name[17], header[61];
  size_t size = LLVMGetBufferSize(object);
  snprintf(name, sizeof(name), "%d.o/", number);
  snprintf(header, sizeof(header), "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0644U, size);
  sink->write(sink->user, header, sizeof(header) - 1);
  sink->write(sink->user, LLVMGetBufferStart(object), size);
  if (size % 2)
    sink->write(sink->user, "\n", 1);
}

void ts_objects_write(int num, const ts_object_job *jobs, const ts_code_sink *sink) {
  if (num == 1) {
    sink->write(sink->user, LLVMGetBufferStart(jobs[0].object), LLVMGetBufferSize(jobs[0].object));
    return;
  }
  sink->write(sink->user, "!<arch>\n", 8);
  for (int i = 0; i < num; i++)
    write_member(sink, i, jobs[i].object);
}
