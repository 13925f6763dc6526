/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Calls an entry of a program: tensors to memref descriptors and back, types checked.
 * It must not know how pieces are cut or how ranks communicate. */
#include <stdlib.h>
#include <string.h>

#include "context/guard.h"
#include "program/frame.h"
#include "program/locate.h"
#include "program/program.h"
#include "program/tensor.h"
#include "support/error.h"

/* ---- checks ---------------------------------------------------------------------------------- */

static bool known_parameter(const tessera_parameter *parameter) {
  return parameter->rank >= -1 && parameter->rank <= TR_MAX_RANK &&
         tessera_dtype_size((tessera_dtype)parameter->dtype) != 0;
}

static tessera_status check_argument(const tessera_program *program, const tessera_entry *entry,
                                     const tessera_context *context, int32_t index,
                                     const tessera_tensor *tensor) {
  const tessera_parameter *parameter = &entry->arguments[index];
  int32_t rank = tr_parameter_rank(parameter);
  int64_t local[TR_MAX_RANK];
  char expected[256], actual[256];
  tessera_status status =
      tessera_local_shape(program, parameter, context, tessera_context_rank(context), NULL, local);
  if (status)
    return status;
  bool fits = tensor->dtype == (tessera_dtype)parameter->dtype && tensor->rank == rank;
  for (int32_t i = 0; fits && i < rank; i++)
    fits = tensor->shape[i] >= 0 && (local[i] < 0 || local[i] == tensor->shape[i]);
  if (fits)
    return tensor->device ? tr_check_device(parameter, context, tensor) : TESSERA_OK;
  return tr_fail(
      TESSERA_ERROR_MISMATCH, "entry '%s', argument %d: expected %s, got %s", entry->name, index,
      tr_type_text((tessera_dtype)parameter->dtype, rank, local, expected, sizeof(expected)),
      tr_type_text(tensor->dtype, tensor->rank, tensor->shape, actual, sizeof(actual)));
}

static bool is_donated(const tessera_entry *entry, int32_t index) {
  return entry->arguments[index].rank >= 0 &&
         (entry->arguments[index].flags & TESSERA_PARAMETER_DONATED);
}

/* Compiled code takes the memory of a donated argument for no other one's. */
static tessera_status check_apart(const tessera_entry *entry, const tessera_tensor *arguments,
                                  int32_t index) {
  for (int32_t i = 0; is_donated(entry, index) && i < entry->num_arguments; i++)
    if (i != index && arguments[index].data && arguments[i].data == arguments[index].data)
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                     "entry '%s', argument %d: it is donated, so its memory cannot be that of "
                     "argument %d too: pass a copy",
                     entry->name, index, i);
  return TESSERA_OK;
}

static tessera_status check_call(const tessera_program *program, const tessera_entry *entry,
                                 const tessera_context *context, const tessera_tensor *arguments) {
  for (int32_t i = 0; i < entry->num_results; i++)
    if (!known_parameter(&entry->results[i]))
      return tr_fail(TESSERA_ERROR_UNSUPPORTED, "entry '%s': result %d has an unknown type",
                     entry->name, i);
  for (int32_t i = 0; i < entry->num_arguments; i++) {
    if (!known_parameter(&entry->arguments[i]))
      return tr_fail(TESSERA_ERROR_UNSUPPORTED, "entry '%s': argument %d has an unknown type",
                     entry->name, i);
    tessera_status status = check_argument(program, entry, context, i, &arguments[i]);
    if (!status)
      status = check_apart(entry, arguments, i);
    if (status)
      return status;
  }
  return TESSERA_OK;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* The arguments of a call as compiled code gets them. */
typedef struct passed {
  const tessera_tensor *tensors;
  tessera_tensor *owned;      /* the same, of which results may take the memory; NULL: of none */
  const tessera_tensor *kept; /* which the caller keeps; NULL: only what results did not take */
} passed;

static bool may_take(const passed *passed, int32_t index) {
  return passed->owned && !(passed->kept && passed->kept[index].data == passed->owned[index].data);
}

static void drop_arguments(int32_t count, tessera_tensor *brought, const tessera_tensor *given) {
  for (int32_t i = 0; brought && i < count; i++)
    if (brought[i].data != given[i].data)
      tessera_tensor_destroy(&brought[i]);
  free(brought);
}

/* The arguments, with copies of those that are on the host and have to be on the device. */
static tessera_status bring_arguments(const tessera_entry *entry, const tessera_context *context,
                                      const tessera_tensor *given, tessera_tensor **brought) {
  int32_t count = entry->num_arguments;
  tessera_status status = TESSERA_OK;
  *brought = malloc(sizeof(**brought) * ((size_t)count + 1));
  if (!*brought)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a call of '%s'", entry->name);
  memcpy(*brought, given, sizeof(*given) * (size_t)count);
  for (int32_t i = 0; !status && i < count; i++) {
    const tr_device *device = tr_parameter_device(&entry->arguments[i], context);
    if (!given[i].data || tr_tensor_device(&given[i]) == device)
      continue;
    status = tr_tensor_copy(device, &given[i], &(*brought)[i]);
    if (status)
      (*brought)[i] = given[i];
  }
  if (!status)
    return TESSERA_OK;
  drop_arguments(count, *brought, given);
  *brought = NULL;
  return status;
}

static void *word_pointer(int64_t word) {
  return (void *)(intptr_t)word;
}

/* ---- results --------------------------------------------------------------------------------- */

/* The donated argument in whose memory a result lies, or -1. */
static int32_t find_argument(const tessera_entry *entry, const tessera_tensor *arguments,
                             const int64_t *words) {
  void *allocated = word_pointer(words[TR_WORD_ALLOCATED]);
  for (int32_t i = 0; allocated && i < entry->num_arguments; i++)
    if (is_donated(entry, i) && arguments[i].data && tr_tensor_reach(&arguments[i]) == allocated)
      return i;
  return -1;
}

/* Its memory is a result's. */
static void give_up(tessera_tensor *argument) {
  argument->data = NULL;
  tessera_tensor_destroy(argument);
}

/* A tensor owns its data by the address that frees it, so memory whose elements start elsewhere or
 * lie apart is copied. */
static tessera_status take_memref(const tr_device *device, const tessera_entry *entry,
                                  const passed *passed, const tessera_parameter *parameter,
                                  const int64_t *words, tessera_tensor *result) {
  int32_t rank = parameter->rank;
  size_t size = tessera_dtype_size((tessera_dtype)parameter->dtype);
  char *allocated = tr_device_regain(device, word_pointer(words[TR_WORD_ALLOCATED]));
  char *aligned = tr_device_regain(device, word_pointer(words[TR_WORD_ALIGNED]));
  tessera_tensor view = {.dtype = (tessera_dtype)parameter->dtype,
                         .rank = rank,
                         .shape = (int64_t *)(words + TR_WORD_SIZES),
                         .strides = (int64_t *)(words + TR_WORD_SIZES + rank),
                         .data = aligned + words[TR_WORD_OFFSET] * (int64_t)size,
                         .device = device};
  int32_t argument = find_argument(entry, passed->tensors, words);
  if (words[TR_WORD_ALIGNED] == words[TR_WORD_ALLOCATED] && words[TR_WORD_OFFSET] == 0 &&
      tr_tensor_is_dense(&view) && (argument < 0 || may_take(passed, argument))) {
    tessera_status adopted =
        tr_tensor_adopt(device, view.dtype, rank, view.shape, allocated, result);
    if (argument >= 0)
      give_up(&passed->owned[argument]);
    return adopted;
  }
  tessera_status status = tr_tensor_copy(device, &view, result);
  if (allocated && argument < 0)
    device->release(device, allocated);
  return status;
}

static tessera_status take_result(const tr_device *device, const tessera_entry *entry,
                                  const passed *passed, const tessera_parameter *parameter,
                                  const int64_t *words, tessera_tensor *result) {
  if (parameter->rank >= 0)
    return take_memref(device, entry, passed, parameter, words, result);
  tessera_status status = tessera_tensor_create((tessera_dtype)parameter->dtype, 0, NULL, result);
  if (!status)
    memcpy(result->data, words, tessera_dtype_size(result->dtype));
  return status;
}

/* Takes every result even after a failure, so that the callee's memory is not lost. */
static tessera_status take_results(const tr_device *device, const tessera_entry *entry,
                                   const passed *passed, void *const *packed,
                                   tessera_tensor *results) {
  tessera_status status = TESSERA_OK;
  for (int32_t i = 0; i < entry->num_results; i++) {
    tessera_status taken =
        take_result(device, entry, passed, &entry->results[i], packed[i], &results[i]);
    status = status ? status : taken;
  }
  for (int32_t i = 0; status && i < entry->num_results; i++)
    tessera_tensor_destroy(&results[i]);
  return status;
}

typedef struct run {
  const tessera_entry *entry;
  const tr_frame *frame;
} run;

static void run_entry(void *data) {
  const run *run = data;
  run->entry->function(run->frame->arguments, run->frame->results);
}

static tessera_status call_with(const tessera_entry *entry, tessera_context *context,
                                const passed *passed, tessera_tensor *results) {
  tessera_status status;
  tr_frame frame;
  if (tr_frame_create(entry, &frame)) {
    tr_frame_fill(entry, passed->tensors, &frame);
    run run = {entry, &frame};
    status = tessera_attempt(context, run_entry, &run);
    tr_trim_after_call(context);
    if (!status)
      status = take_results(context->world.device, entry, passed, frame.results, results);
  } else {
    status = tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a call of '%s'", entry->name);
  }
  tr_frame_destroy(&frame);
  return status;
}

/* Most calls have all where it belongs. */
static bool has_foreign(const tessera_entry *entry, const tessera_context *context,
                        const tessera_tensor *arguments) {
  for (int32_t i = 0; i < entry->num_arguments; i++)
    if (arguments[i].data &&
        tr_tensor_device(&arguments[i]) != tr_parameter_device(&entry->arguments[i], context))
      return true;
  return false;
}

/* What results took of the caller's own is no longer the caller's. */
static void clear_taken(const tessera_entry *entry, const tessera_context *context,
                        const tessera_tensor *brought, tessera_tensor *given) {
  for (int32_t i = 0; i < entry->num_arguments; i++)
    if (given[i].data && !brought[i].data &&
        tr_tensor_device(&given[i]) == tr_parameter_device(&entry->arguments[i], context))
      memset(&given[i], 0, sizeof(given[i]));
}

/* `donated`: the arguments, if results may take the memory of those that are donated. */
static tessera_status call(const tessera_program *program, const tessera_entry *entry,
                           tessera_context *context, const tessera_tensor *arguments,
                           tessera_tensor *donated, tessera_tensor *results) {
  passed passed = {.tensors = arguments, .owned = donated};
  tessera_tensor *brought;
  tessera_status status = check_call(program, entry, context, arguments);
  if (status || !has_foreign(entry, context, arguments))
    return status ? status : call_with(entry, context, &passed, results);
  status = bring_arguments(entry, context, arguments, &brought);
  if (status)
    return status;
  passed.tensors = passed.owned = brought;
  passed.kept = donated ? NULL : arguments;
  status = call_with(entry, context, &passed, results);
  if (donated)
    clear_taken(entry, context, brought, donated);
  drop_arguments(entry->num_arguments, brought, arguments);
  return status;
}

static tessera_status enter_and_call(const tessera_program *program, const tessera_entry *entry,
                                     tessera_context *context, const tessera_tensor *arguments,
                                     tessera_tensor *donated, tessera_tensor *results) {
  for (int32_t i = 0; i < entry->num_results; i++)
    memset(&results[i], 0, sizeof(results[i]));
  bool is_outermost;
  tessera_status status = tr_context_enter(context, &is_outermost);
  if (status)
    return status;
  context->world.program_calls++; /* whatever becomes of it: other ranks count theirs */
  status = call(program, entry, context, arguments, donated, results);
  if (is_outermost)
    tr_context_leave(context);
  return status;
}

tessera_status tessera_call(const tessera_program *program, const tessera_entry *entry,
                            tessera_context *context, const tessera_tensor *arguments,
                            tessera_tensor *results) {
  return enter_and_call(program, entry, context, arguments, NULL, results);
}

tessera_status tessera_call_donating(const tessera_program *program, const tessera_entry *entry,
                                     tessera_context *context, tessera_tensor *arguments,
                                     tessera_tensor *results) {
  return enter_and_call(program, entry, context, arguments, arguments, results);
}

tessera_status tessera_call_to_host(const tessera_program *program, const tessera_entry *entry,
                                    tessera_context *context, const tessera_tensor *arguments,
                                    tessera_tensor *results) {
  tessera_status status = tessera_call(program, entry, context, arguments, results);
  for (int32_t i = 0; !status && i < entry->num_results; i++)
    status = tessera_tensor_to_host(&results[i]);
  for (int32_t i = 0; status && i < entry->num_results; i++)
    tessera_tensor_destroy(&results[i]);
  return status;
}
