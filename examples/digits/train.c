/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Trains the network of train_step.mlir on every rank of a grid and compares each epoch with the
 * same program on one device. It knows program.h alone: no MPI, no MLIR. */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/program.h"

enum {
  IMAGES = 1797,
  PIXELS = 64,
  HIDDEN = 128,
  CLASSES = 10,
  BATCH = 48,
  TRAIN = 1440, /* 30 batches */
  TEST = IMAGES - TRAIN,
  STEPS = TRAIN / BATCH,
  EPOCHS = 30,
  WEIGHTS = 4, /* w1, b1, w2, b2 */
  MAX_RANKS = 64
};

/* Large steps first, small ones towards the end. */
static float learning_rate(int epoch) {
  return 1.0f / (1.0f + 0.1f * (float)epoch);
}

/* The images in a fixed random order, pixels in [0, 1]: the first TRAIN are learnt from, the rest
 * are for testing. Read once, then only read by all ranks. */
typedef struct data_set {
  float pixels[IMAGES][PIXELS];
  int32_t labels[IMAGES];
} data_set;

typedef struct history {
  double loss[EPOCHS];     /* mean over the epoch's steps */
  double accuracy[EPOCHS]; /* on the test images, after the epoch */
} history;

/* Entries of one loaded program. */
typedef struct entries {
  const tessera_program *program;
  const tessera_entry *step;
  const tessera_entry *count;
} entries;

/* One rank's run: what it calls, and with what. `reference` is NULL on the run that makes it. */
typedef struct run {
  entries functions;
  tessera_context *context;
  const data_set *data;
  const history *reference;
  history *result;
} run;

static bool good(tessera_status status) {
  return status == TESSERA_OK;
}

static bool complain(const char *message) {
  fprintf(stderr, "train: %s\n", message);
  return false;
}

/* ---------------------------------------------------------------------------------------------- */
/* Random numbers: the same everywhere, so that all ranks agree without talking. */

static uint64_t next_random(uint64_t *state) {
  uint64_t x = (*state += 0x9e3779b97f4a7c15u);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static void shuffle(int *items, int count, uint64_t seed) {
  for (int i = 0; i < count; i++)
    items[i] = i;
  for (int i = count - 1; i > 0; i--) {
    int j = (int)(next_random(&seed) % (uint64_t)(i + 1));
    int item = items[i];
    items[i] = items[j];
    items[j] = item;
  }
}

static void fill_uniform(tessera_tensor *tensor, float bound, uint64_t seed) {
  float *values = tensor->data;
  for (int64_t i = 0; i < tessera_tensor_elements(tensor); i++)
    values[i] = bound * (float)((double)(next_random(&seed) >> 11) * 0x1p-52 - 1.0);
}

/* ---------------------------------------------------------------------------------------------- */
/* Data */

static bool read_bytes(const char *directory, const char *name, int64_t count,
                       tessera_tensor *tensor) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/%s", directory, name);
  if (!good(tessera_npy_read(path, 0, tensor)))
    return complain(tessera_last_error());
  if (tensor->dtype == TESSERA_U8 && tessera_tensor_elements(tensor) == count)
    return true;
  tessera_tensor_destroy(tensor);
  return complain("the data have another size or type than expected");
}

static bool read_data(const char *directory, data_set *data) {
  tessera_tensor images = {0}, labels = {0};
  bool done = read_bytes(directory, "images.npy", (int64_t)IMAGES * PIXELS, &images) &&
              read_bytes(directory, "labels.npy", IMAGES, &labels);
  if (done) {
    /* The file is ordered by writer; a test set of unseen writers would be another problem. */
    int order[IMAGES];
    shuffle(order, IMAGES, 1);
    for (int i = 0; i < IMAGES; i++) {
      const uint8_t *pixels = (const uint8_t *)images.data + (size_t)order[i] * PIXELS;
      for (int p = 0; p < PIXELS; p++)
        data->pixels[i][p] = (float)pixels[p] / 16.0f;
      data->labels[i] = ((const uint8_t *)labels.data)[order[i]];
    }
  }
  tessera_tensor_destroy(&images);
  tessera_tensor_destroy(&labels);
  return done;
}

/* ---------------------------------------------------------------------------------------------- */
/* One rank */

/* A view of memory as a dense tensor; nothing is owned. */
static tessera_tensor view(tessera_dtype dtype, int32_t rank, int64_t *shape, void *data) {
  return (tessera_tensor){.dtype = dtype, .rank = rank, .shape = shape, .data = data};
}

/* Makes the start values on every rank and keeps this rank's piece of each. */
static bool scatter_weights(const run *run, tessera_tensor *weights) {
  static const float bounds[WEIGHTS] = {0.3f, 0.0f, 0.2f, 0.0f};
  for (int i = 0; i < WEIGHTS; i++) {
    const tessera_parameter *parameter = &run->functions.step->arguments[2 + i];
    tessera_tensor global = {0};
    if (!good(tessera_tensor_create(TESSERA_F32, parameter->rank, parameter->shape, &global)))
      return false;
    fill_uniform(&global, bounds[i], 100 + (uint64_t)i);
    tessera_status status = tessera_scatter_parameter(run->functions.program, parameter,
                                                      run->context, &global, &weights[i]);
    tessera_tensor_destroy(&global);
    if (!good(status))
      return false;
  }
  return true;
}

/* Cuts this rank's piece out of `count` images and labels. */
static bool scatter_images(const run *run, const tessera_entry *entry, float *pixels,
                           int32_t *labels, int64_t count, tessera_tensor *pieces) {
  int64_t shape[2] = {count, PIXELS};
  tessera_tensor images = view(TESSERA_F32, 2, shape, pixels);
  tessera_tensor names = view(TESSERA_I32, 1, shape, labels);
  const tessera_program *program = run->functions.program;
  return good(tessera_scatter_parameter(program, &entry->arguments[0], run->context, &images,
                                        &pieces[0])) &&
         good(tessera_scatter_parameter(program, &entry->arguments[1], run->context, &names,
                                        &pieces[1]));
}

/* One step: the weights stay where they are, sharded, from step to step. */
static bool train_step(const run *run, const int *batch, float rate, tessera_tensor *weights,
                       double *loss) {
  float pixels[BATCH][PIXELS];
  int32_t labels[BATCH];
  for (int i = 0; i < BATCH; i++) {
    memcpy(pixels[i], run->data->pixels[batch[i]], sizeof(pixels[i]));
    labels[i] = run->data->labels[batch[i]];
  }
  tessera_tensor arguments[2 + WEIGHTS + 1] = {0}, results[WEIGHTS + 1] = {0};
  memcpy(&arguments[2], weights, WEIGHTS * sizeof(*weights));
  arguments[2 + WEIGHTS] = view(TESSERA_F32, 0, NULL, &rate);
  bool done = scatter_images(run, run->functions.step, pixels[0], labels, BATCH, arguments) &&
              good(tessera_call(run->functions.program, run->functions.step, run->context,
                                arguments, results)) &&
              good(tessera_tensor_to_host(&results[WEIGHTS]));
  tessera_tensor_destroy(&arguments[0]);
  tessera_tensor_destroy(&arguments[1]);
  if (!done)
    return false;
  for (int i = 0; i < WEIGHTS; i++) {
    tessera_tensor_destroy(&weights[i]);
    weights[i] = results[i];
  }
  *loss = *(const float *)results[WEIGHTS].data; /* a scalar is whole on every rank */
  tessera_tensor_destroy(&results[WEIGHTS]);
  return true;
}

static bool test(const run *run, const tessera_tensor *images, const tessera_tensor *weights,
                 double *accuracy) {
  tessera_tensor arguments[2 + WEIGHTS], count = {0};
  memcpy(arguments, images, 2 * sizeof(*images));
  memcpy(&arguments[2], weights, WEIGHTS * sizeof(*weights));
  if (!good(tessera_call(run->functions.program, run->functions.count, run->context, arguments,
                         &count)) ||
      !good(tessera_tensor_to_host(&count)))
    return false;
  *accuracy = *(const int32_t *)count.data / (double)TEST;
  tessera_tensor_destroy(&count);
  return true;
}

static double relative_difference(double value, double reference) {
  return fabs(value - reference) / fabs(reference);
}

static void show_epoch(const run *run, int epoch) {
  double loss = run->result->loss[epoch], reference = run->reference->loss[epoch];
  printf("epoch %2d  loss %.6f  on one device %.6f (difference %.0e)  test accuracy %.1f %%\n",
         epoch + 1, loss, reference, relative_difference(loss, reference),
         100.0 * run->result->accuracy[epoch]);
  fflush(stdout);
}

static bool train_epochs(const run *run, tessera_tensor *weights, const tessera_tensor *images) {
  bool speaks = run->reference && tessera_context_rank(run->context) == 0;
  for (int epoch = 0; epoch < EPOCHS; epoch++) {
    int order[TRAIN];
    shuffle(order, TRAIN, 1000 + (uint64_t)epoch);
    double sum = 0.0;
    for (int step = 0; step < STEPS; step++) {
      double loss;
      if (!train_step(run, &order[(size_t)step * BATCH], learning_rate(epoch), weights, &loss))
        return false;
      sum += loss;
    }
    run->result->loss[epoch] = sum / STEPS;
    if (!test(run, images, weights, &run->result->accuracy[epoch]))
      return false;
    if (speaks)
      show_epoch(run, epoch);
  }
  return true;
}

/* One more step, counted: what each collective moves. */
static bool show_traffic(const run *run, tessera_tensor *weights) {
  int first[BATCH];
  for (int i = 0; i < BATCH; i++)
    first[i] = i;
  double loss;
  tessera_traffic_start(run->context);
  if (!train_step(run, first, 0.0f, weights, &loss))
    return false;
  if (tessera_context_rank(run->context) != 0)
    return true;
  printf("\nWhat the compiler inserted, and the bytes that each device receives per step:\n");
  uint64_t total = 0;
  const tessera_program_record *record = tessera_program_get_record(run->functions.program);
  for (int i = 0; i < record->num_sites; i++) {
    const tessera_site *site = record->sites[i];
    tessera_site_traffic traffic;
    if (!good(tessera_traffic_read(run->context, site, &traffic)))
      return false;
    if (traffic.calls == 0)
      continue;
    char axes[64] = "";
    for (int a = 0; a < site->num_axes; a++)
      snprintf(axes + strlen(axes), sizeof(axes) - strlen(axes), "%s%d", a ? ", " : "",
               site->axes[a]);
    printf("  %-22s grid axes [%s]  %8llu bytes  %s\n", site->name, axes,
           (unsigned long long)traffic.bytes, site->location);
    total += traffic.bytes;
  }
  printf("  %-22s %14s  %8llu bytes\n", "all together", "", (unsigned long long)total);
  return true;
}

/* The weights that a step returns must lie as its arguments do. */
static bool steps_chain(const tessera_entry *step) {
  if (step->num_arguments != 2 + WEIGHTS + 1 || step->num_results != WEIGHTS + 1)
    return complain("train_step has other arguments or results than this program expects");
  for (int i = 0; i < WEIGHTS; i++) {
    const int64_t *in = step->arguments[2 + i].layout, *out = step->results[i].layout;
    bool same = in && out ? tessera_layout_words(in) == tessera_layout_words(out) &&
                                memcmp(in, out, (size_t)tessera_layout_words(in) * sizeof(*in)) == 0
                          : in == out;
    if (!same)
      return complain("a weight leaves the step with another layout than it enters with");
  }
  return true;
}

static bool train(const run *run) {
  tessera_context_set_current(run->context);
  tessera_tensor weights[WEIGHTS] = {0}, images[2] = {0};
  float (*pixels)[PIXELS] = malloc(sizeof(float[TEST][PIXELS]));
  int32_t labels[TEST];
  bool done = pixels && steps_chain(run->functions.step) &&
              good(tessera_program_attach(run->functions.program, run->context)) &&
              scatter_weights(run, weights);
  if (done) {
    memcpy(pixels, run->data->pixels[TRAIN], sizeof(float[TEST][PIXELS]));
    memcpy(labels, run->data->labels + TRAIN, sizeof(labels));
    done = scatter_images(run, run->functions.count, pixels[0], labels, TEST, images) &&
           train_epochs(run, weights, images) && (!run->reference || show_traffic(run, weights));
  }
  if (!done) {
    fprintf(stderr, "train: rank %d: %s\n", tessera_context_rank(run->context),
            tessera_last_error());
    tessera_context_abort(run->context, tessera_last_error());
  }
  for (int i = 0; i < WEIGHTS; i++)
    tessera_tensor_destroy(&weights[i]);
  tessera_tensor_destroy(&images[0]);
  tessera_tensor_destroy(&images[1]);
  free(pixels);
  tessera_context_set_current(NULL);
  return done;
}

/* ---------------------------------------------------------------------------------------------- */
/* The whole job */

static bool load(const char *path, tessera_program **program, entries *functions) {
  if (!good(tessera_program_load(path, program)) ||
      !good(tessera_program_find(*program, "train_step", &functions->step)) ||
      !good(tessera_program_find(*program, "count_correct", &functions->count)))
    return complain(tessera_last_error());
  functions->program = *program;
  return true;
}

/* The unpartitioned program, on one rank of its own. */
static bool train_single(const char *path, const data_set *data, history *result) {
  tessera_program *program = NULL;
  tessera_context *context = NULL;
  run single = {.data = data, .result = result};
  bool done = load(path, &program, &single.functions);
  if (done && !good(tessera_local_create(1, &context)))
    done = complain(tessera_last_error());
  single.context = context;
  done = done && train(&single);
  if (context)
    tessera_local_destroy(1, &context);
  tessera_program_unload(program);
  return done;
}

static void *train_thread(void *argument) {
  return train(argument) ? argument : NULL;
}

/* Every rank a thread of this process. */
static bool train_threads(const run *common, int ranks) {
  tessera_context *contexts[MAX_RANKS];
  pthread_t threads[MAX_RANKS];
  run runs[MAX_RANKS];
  history others[MAX_RANKS];
  if (ranks < 1 || ranks > MAX_RANKS)
    return complain("--ranks is out of range");
  if (!good(tessera_local_create(ranks, contexts)))
    return complain(tessera_last_error());
  int started = 0;
  for (; started < ranks; started++) {
    runs[started] = *common;
    runs[started].context = contexts[started];
    if (started > 0)
      runs[started].result = &others[started];
    if (pthread_create(&threads[started], NULL, train_thread, &runs[started]) != 0) {
      tessera_context_abort(contexts[0], "cannot start a thread");
      break;
    }
  }
  bool done = started == ranks;
  for (int i = 0; i < started; i++) {
    void *outcome;
    pthread_join(threads[i], &outcome);
    done = done && outcome;
  }
  tessera_local_destroy(ranks, contexts);
  return done;
}

static bool verdict(const history *result, const history *reference) {
  double first = relative_difference(result->loss[0], reference->loss[0]);
  double last = relative_difference(result->loss[EPOCHS - 1], reference->loss[EPOCHS - 1]);
  double accuracy = result->accuracy[EPOCHS - 1];
  bool equal = first <= 1e-4 && last <= 1e-3, learnt = accuracy >= 0.95;
  printf(
      "\nThe losses %s those of one device: relative difference %.0e in the first epoch, %.0e in "
      "the last.\n%.1f %% of the test images are classified right%s.\n",
      equal ? "equal" : "DIFFER from", first, last, 100.0 * accuracy,
      learnt ? "" : ", which is TOO FEW");
  return equal && learnt;
}

static bool train_and_compare(const char *const *paths, int ranks, const data_set *data) {
  tessera_program *program = NULL;
  static history reference, result; /* zero; the reference is known on rank 0 alone */
  run parallel = {.data = data, .reference = &reference, .result = &result};
  tessera_context *context = NULL;
  if (ranks == 0 && !good(tessera_default_context(&context)))
    return complain(tessera_last_error());
  int rank = context ? tessera_context_rank(context) : 0;
  if (rank == 0) {
    printf("Training on one device, to compare with ...\n");
    fflush(stdout);
  }
  bool done = rank != 0 || train_single(paths[1], data, &reference);
  if (done && rank == 0) {
    printf("... and on %d ranks (%s):\n", (int)(context ? tessera_context_size(context) : ranks),
           context ? tessera_context_backend(context) : "local");
    fflush(stdout);
  }
  done = done && load(paths[0], &program, &parallel.functions);
  parallel.context = context;
  if (!done && context)
    tessera_context_abort(context, "the training could not begin");
  done = done && (context ? train(&parallel) : train_threads(&parallel, ranks));
  if (done && rank == 0)
    done = verdict(&result, &reference);
  if (context && !good(tessera_finalize()))
    done = complain(tessera_last_error());
  tessera_program_unload(program);
  return done;
}

int main(int argc, char **argv) {
  int ranks = 0; /* 0: those of the launcher */
  if (argc == 6 && strcmp(argv[4], "--ranks") == 0)
    ranks = atoi(argv[5]);
  else if (argc != 4) {
    fprintf(stderr,
            "usage: mpirun -n 4 %s PROGRAM.so SINGLE.so DATA\n"
            "       %s PROGRAM.so SINGLE.so DATA --ranks 4\n",
            argv[0], argv[0]);
    return 1;
  }
  data_set *data = malloc(sizeof(*data));
  const char *paths[2] = {argv[1], argv[2]};
  bool done = data && read_data(argv[3], data) && train_and_compare(paths, ranks, data);
  free(data);
  return done ? 0 : 1;
}
