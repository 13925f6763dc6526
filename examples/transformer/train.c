/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Trains the transformer of model.c, compiled, on every rank of a mesh and compares each step's
 * loss with that on one device. It knows program.h, mesh.h and pipeline.h: no MPI, no MLIR.
 *
 *   train SINGLE.so PROGRAM.so data DATA TENSOR             on MPI ranks
 *   train SINGLE.so PROGRAM.so gpipe|1f1b STAGES TENSOR     likewise
 *   ... --ranks N                                           on threads */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "task.h"
#include "tessera/pipeline.h"

enum { MICROBATCHES = 4, STEPS = 60, MAX_RANKS = 64 };

/* Gradient descent, plain. */
static float learning_rate = 0.4f;

/* What the command line says. */
typedef struct plan {
  const char *programs[2]; /* of one device, of the mesh */
  bool is_pipeline;
  tessera_schedule schedule;
  int64_t shape[2];
  int ranks; /* threads; 0: those of the launcher */
} plan;

static bool good(tessera_status status) {
  return status == TESSERA_OK;
}

static bool complain(const char *message) {
  fprintf(stderr, "train: %s\n", message);
  return false;
}

/* ---- one rank -------------------------------------------------------------------------------- */

enum { MAX_VALUES = 128 };

/* A piece on this rank, by its name in the program. */
typedef struct value {
  const char *name;
  tessera_tensor tensor;
} value;

typedef struct run {
  const plan *plan;
  const tessera_program *program;
  tessera_context *context;
  tessera_mesh *mesh;
  int64_t stage;
  batch batch;
  int num_values;
  value values[MAX_VALUES];
  double sum; /* of the microbatches' losses */
  const double *reference;
  double *losses;
} run;

static tessera_tensor *find_value(run *r, const char *name) {
  for (int i = 0; i < r->num_values; i++)
    if (strcmp(r->values[i].name, name) == 0)
      return &r->values[i].tensor;
  if (r->num_values == MAX_VALUES)
    return NULL;
  r->values[r->num_values] = (value){.name = name};
  return &r->values[r->num_values++].tensor;
}

static bool begins_with(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

static void *integers_of(batch *b, const char *name) {
  if (strcmp(name, "tokens") == 0)
    return b->tokens;
  if (strcmp(name, "labels") == 0)
    return b->labels;
  return strcmp(name, "places") == 0 ? b->places : NULL;
}

/* This rank's piece of an argument that does not come from a call: integers of the batch from row
 * `row` on, or at the beginning a weight. Sums begin at nothing. */
static tessera_status make_value(run *r, const tessera_parameter *parameter, int row,
                                 tessera_tensor *piece) {
  int32_t (*integers)[TOKENS] = integers_of(&r->batch, parameter->name);
  tessera_tensor whole = {0};
  int64_t shape[8];
  memcpy(shape, parameter->shape, sizeof(*shape) * (size_t)parameter->rank);
  tessera_status status;
  if (integers) {
    whole =
        (tessera_tensor){.dtype = TESSERA_I32, .rank = 2, .shape = shape, .data = integers[row]};
    return tessera_scatter_parameter(r->program, parameter, r->context, &whole, piece);
  }
  status = tessera_tensor_create(TESSERA_F32, parameter->rank, shape, &whole);
  if (status)
    return status;
  if (!begins_with(parameter->name, "sum."))
    fill_weight(parameter->name, &whole);
  status = tessera_scatter_parameter(r->program, parameter, r->context, &whole, piece);
  tessera_tensor_destroy(&whole);
  return status;
}

/* The arguments of an entry: what is known by their names, and what is not is made. */
static tessera_status find_arguments(run *r, const tessera_entry *entry, int row,
                                     tessera_tensor *arguments) {
  for (int32_t i = 0; i < entry->num_arguments; i++) {
    const tessera_parameter *parameter = &entry->arguments[i];
    if (strcmp(parameter->name, "rate") == 0) {
      arguments[i] = (tessera_tensor){.dtype = TESSERA_F32, .data = &learning_rate};
      continue;
    }
    tessera_tensor *known = find_value(r, parameter->name);
    if (!known)
      return TESSERA_ERROR_OUT_OF_MEMORY;
    bool is_input = integers_of(&r->batch, parameter->name) != NULL;
    if (is_input)
      tessera_tensor_destroy(known);
    tessera_status status = known->shape ? TESSERA_OK : make_value(r, parameter, row, known);
    if (status)
      return status;
    arguments[i] = *known;
  }
  return TESSERA_OK;
}

/* Calls an entry on rows of the batch from `row` on; results take the place of what has their
 * names. */
static tessera_status call(run *r, const char *name, int row) {
  const tessera_entry *entry;
  tessera_tensor arguments[MAX_VALUES], results[MAX_VALUES];
  tessera_status status = tessera_program_find(r->program, name, &entry);
  if (!status)
    status = find_arguments(r, entry, row, arguments);
  if (!status)
    status = tessera_call(r->program, entry, r->context, arguments, results);
  for (int32_t i = 0; !status && i < entry->num_results; i++) {
    tessera_tensor *place = find_value(r, entry->results[i].name);
    if (!place)
      return TESSERA_ERROR_OUT_OF_MEMORY;
    tessera_tensor_destroy(place);
    *place = results[i];
  }
  return status;
}

/* Gives what has this name away. */
static tessera_tensor take(run *r, const char *name) {
  tessera_tensor *place = find_value(r, name), taken = *place;
  *place = (tessera_tensor){0};
  return taken;
}

static double loss_of(run *r) {
  tessera_tensor loss = take(r, "loss");
  double value = good(tessera_tensor_to_host(&loss)) ? *(const float *)loss.data : (double)NAN;
  tessera_tensor_destroy(&loss);
  return value;
}

/* ---- a stage --------------------------------------------------------------------------------- */

enum { MICROBATCH = BATCH / MICROBATCHES };

static tessera_status forward(void *data, int32_t microbatch, const tessera_tensor *in,
                              tessera_tensor *out) {
  run *r = data;
  (void)in; /* the last stage does all when it goes backward */
  if (!out)
    return TESSERA_OK;
  tessera_status status = call(r, "stage0_forward", microbatch * MICROBATCH);
  if (!status)
    *out = take(r, "hidden");
  return status;
}

/* A tensor that somebody else owns, as an argument. */
static void lend(run *r, const char *name, const tessera_tensor *tensor) {
  *find_value(r, name) = *tensor;
}

static tessera_status backward(void *data, int32_t microbatch, const tessera_tensor *in,
                               const tessera_tensor *by_out, tessera_tensor *by_in) {
  run *r = data;
  if (by_out) {
    lend(r, "by.hidden", by_out);
    tessera_status status = call(r, "stage0_backward", microbatch * MICROBATCH);
    take(r, "by.hidden");
    return status;
  }
  lend(r, "hidden", in);
  tessera_status status = call(r, "stage1_backward", microbatch * MICROBATCH);
  take(r, "hidden");
  if (!status) {
    *by_in = take(r, "by.hidden");
    r->sum += loss_of(r);
  }
  return status;
}

/* The piece that passes between the stages, on this rank. */
static tessera_status find_piece(run *r, int64_t shape[8], tessera_piece *piece) {
  const tessera_entry *entry;
  tessera_status status = tessera_program_find(r->program, "stage0_forward", &entry);
  if (status)
    return status;
  const tessera_parameter *hidden = &entry->results[0];
  *piece = (tessera_piece){(tessera_dtype)hidden->dtype, hidden->rank, shape};
  return tessera_local_shape(r->program, hidden, r->context, tessera_context_rank(r->context), NULL,
                             shape);
}

/* All ranks learn the last stage's loss. */
static tessera_status share_loss(run *r, double *loss) {
  const int32_t along = 0;
  tessera_group *line;
  *loss = r->sum / MICROBATCHES;
  tessera_status status = tessera_mesh_line(r->mesh, 1, &along, &line);
  return status ? status
                : tessera_group_broadcast(line, loss, loss, 1, TESSERA_F64,
                                          tessera_group_size(line) - 1);
}

static tessera_status step_in_stages(run *r, double *loss) {
  int64_t shape[8];
  tessera_stage stage = {
      .struct_size = sizeof(stage), .forward = forward, .backward = backward, .data = r};
  tessera_status status = find_piece(r, shape, &stage.in);
  stage.out = stage.in;
  r->sum = 0.0;
  for (int i = 0; i < r->num_values; i++) /* sums begin again */
    if (begins_with(r->values[i].name, "sum."))
      tessera_tensor_destroy(&r->values[i].tensor);
  if (!status)
    status = tessera_pipeline_run(r->mesh, 0, r->plan->schedule, MICROBATCHES, &stage);
  if (!status)
    status = call(r, r->stage == 0 ? "stage0_update" : "stage1_update", 0);
  return status ? status : share_loss(r, loss);
}

/* ---- training -------------------------------------------------------------------------------- */

static tessera_status step(run *r, double *loss) {
  tessera_status status;
  if (r->plan->is_pipeline && r->mesh)
    return step_in_stages(r, loss);
  status = call(r, "step", 0);
  if (!status)
    *loss = loss_of(r);
  return status;
}

static double difference(double value, double reference) {
  return fabs(value - reference) / fabs(reference);
}

static tessera_status train_steps(run *r) {
  bool speaks = r->reference && tessera_context_rank(r->context) == 0;
  for (int i = 0; i < STEPS; i++) {
    make_batch(i, &r->batch);
    tessera_status status = step(r, &r->losses[i]);
    if (status)
      return status;
    if (speaks && (i + 1) % 10 == 0)
      printf("step %2d  loss %.6f  on one device %.6f (difference %.0e)\n", i + 1, r->losses[i],
             r->reference[i], difference(r->losses[i], r->reference[i]));
  }
  return TESSERA_OK;
}

static bool train(run *r) {
  static const char *const names[2][2] = {{"data", "tensor"}, {"pipeline", "tensor"}};
  tessera_context_set_current(r->context);
  tessera_status status = tessera_program_attach(r->program, r->context);
  if (!status && r->reference)
    status =
        tessera_mesh_create(r->context, 2, r->plan->shape, names[r->plan->is_pipeline], &r->mesh);
  if (!status && r->mesh)
    r->stage = tessera_mesh_coordinates(r->mesh)[0];
  if (!status)
    status = train_steps(r);
  if (!status)
    status = tessera_settle(r->context);
  if (status) {
    fprintf(stderr, "train: rank %d: %s\n", tessera_context_rank(r->context), tessera_last_error());
    tessera_context_abort(r->context, tessera_last_error());
  }
  for (int i = 0; i < r->num_values; i++)
    tessera_tensor_destroy(&r->values[i].tensor);
  tessera_mesh_destroy(r->mesh);
  tessera_context_set_current(NULL);
  return !status;
}

static void *train_thread(void *r) {
  return train(r) ? r : NULL;
}

/* Every rank a thread of this process; with one rank, on one device. */
static bool train_threads(const run *common, int ranks, double *losses) {
  tessera_context *contexts[MAX_RANKS];
  pthread_t threads[MAX_RANKS];
  run *runs = calloc((size_t)ranks, sizeof(*runs));
  double *others = calloc((size_t)ranks, sizeof(*others) * STEPS);
  if (!runs || !others || !good(tessera_local_create(ranks, contexts)))
    return complain("no memory for the ranks");
  bool done = true;
  int started = 0;
  for (; done && started < ranks; started++) {
    runs[started] = *common;
    runs[started].context = contexts[started];
    runs[started].losses = started ? others + (size_t)started * STEPS : losses;
    done = pthread_create(&threads[started], NULL, train_thread, &runs[started]) == 0;
  }
  if (!done) {
    tessera_context_abort(contexts[0], "cannot start a thread");
    started--;
  }
  for (int i = 0; i < started; i++) {
    void *outcome;
    pthread_join(threads[i], &outcome);
    done = done && outcome;
  }
  tessera_local_destroy(ranks, contexts);
  free(runs);
  free(others);
  return done;
}

/* ---- the whole job --------------------------------------------------------------------------- */

static bool verdict(const double *losses, const double *reference) {
  double worst = 0.0;
  for (int i = 0; i < STEPS; i++)
    worst = fmax(worst, difference(losses[i], reference[i]));
  bool equal = worst <= 1e-3, learnt = losses[STEPS - 1] < 0.5 * losses[0];
  printf("The losses %s those of one device: relative difference %.0e at most.\n"
         "From %.3f to %.3f%s.\n",
         equal ? "equal" : "DIFFER from", worst, losses[0], losses[STEPS - 1],
         learnt ? "" : ", which is TOO LITTLE");
  return equal && learnt;
}

static bool load(const char *path, tessera_program **program) {
  return good(tessera_program_load(path, program)) || complain(tessera_last_error());
}

static bool train_and_compare(const plan *plan) {
  static double reference[STEPS], losses[STEPS]; /* the reference is known on rank 0 alone */
  tessera_program *single = NULL, *parallel = NULL;
  tessera_context *context = NULL;
  if (plan->ranks == 0 && !good(tessera_default_context(&context)))
    return complain(tessera_last_error());
  int rank = context ? tessera_context_rank(context) : 0;
  bool done = true;
  if (rank == 0) {
    run alone = {.plan = plan};
    done = load(plan->programs[0], &single);
    alone.program = single;
    done = done && train_threads(&alone, 1, reference);
  }
  run all = {.plan = plan, .context = context, .reference = reference, .losses = losses};
  done = done && load(plan->programs[1], &parallel);
  all.program = parallel;
  if (!done && context)
    tessera_context_abort(context, "the training could not begin");
  done = done && (context ? train(&all) : train_threads(&all, plan->ranks, losses));
  if (done && rank == 0)
    done = verdict(losses, reference);
  if (context && !good(tessera_finalize()))
    done = complain(tessera_last_error());
  tessera_program_unload(parallel);
  tessera_program_unload(single);
  return done;
}

static bool read_plan(int argc, char **argv, plan *plan) {
  if (argc == 8 && strcmp(argv[6], "--ranks") == 0)
    plan->ranks = atoi(argv[7]);
  else if (argc != 6)
    return false;
  plan->programs[0] = argv[1];
  plan->programs[1] = argv[2];
  plan->is_pipeline = strcmp(argv[3], "data") != 0;
  plan->schedule = strcmp(argv[3], "1f1b") == 0 ? TESSERA_1F1B : TESSERA_GPIPE;
  plan->shape[0] = atoll(argv[4]);
  plan->shape[1] = atoll(argv[5]);
  return plan->ranks >= 0 && plan->ranks <= MAX_RANKS &&
         (!plan->is_pipeline || plan->shape[0] == 2);
}

int main(int argc, char **argv) {
  plan plan = {0};
  if (!read_plan(argc, argv, &plan)) {
    fprintf(stderr, "usage: mpirun -n RANKS train SINGLE.so PROGRAM.so data DATA TENSOR\n"
                    "       mpirun -n RANKS train SINGLE.so PROGRAM.so gpipe|1f1b 2 TENSOR\n"
                    "       train ... --ranks RANKS\n");
    return 1;
  }
  return train_and_compare(&plan) ? 0 : 1;
}
