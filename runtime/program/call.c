/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Calls an entry of a program: tensors to memref descriptors and back, types checked.
 * It must not know how pieces are cut or how ranks communicate. */
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "error.h"
#include "program/pieces.h"
#include "program/program.h"
#include "program/tensor.h"

/* A memref descriptor as 64-bit words: allocated, aligned, offset, sizes[rank], strides[rank]. */
enum { WORD_ALLOCATED = 0, WORD_ALIGNED = 1, WORD_OFFSET = 2, WORD_SIZES = 3 };

_Static_assert(sizeof(void *) == sizeof(int64_t), "descriptors mix pointers and 64-bit sizes");

/* What one call passes: the packed arrays and the memory they point to. */
typedef struct call_frame {
  void **arguments; /* num_arguments pointers */
  void **results;   /* num_results pointers */
  int64_t *words;   /* descriptors and scalar results, one after the other */
} call_frame;

/* The largest scalar is a complex<f64>. */
static size_t parameter_words(const tessera_parameter *parameter) {
  return parameter->rank < 0 ? 2 : WORD_SIZES + 2 * (size_t)parameter->rank;
}

static void *word_pointer(int64_t word) {
  return (void *)(intptr_t)word;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool known_parameter(const tessera_parameter *parameter) {
  return parameter->rank >= -1 && parameter->rank <= TR_MAX_RANK &&
         tessera_dtype_size((tessera_dtype)parameter->dtype) != 0;
}

static tessera_status check_argument(const tessera_program *program, const tessera_entry *entry,
                                     const tessera_context *context, int32_t index,
                                     const tessera_tensor *tensor) {
  const tessera_parameter *parameter = &entry->arguments[index];
  int32_t rank = parameter->rank < 0 ? 0 : parameter->rank;
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
    return TESSERA_OK;
  return tr_fail(
      TESSERA_ERROR_MISMATCH, "entry '%s', argument %d: expected %s, got %s", entry->name, index,
      tr_type_text((tessera_dtype)parameter->dtype, rank, local, expected, sizeof(expected)),
      tr_type_text(tensor->dtype, tensor->rank, tensor->shape, actual, sizeof(actual)));
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
    if (status)
      return status;
  }
  return TESSERA_OK;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void fill_descriptor(const tessera_tensor *tensor, int64_t *words) {
  words[WORD_ALLOCATED] = (int64_t)(intptr_t)tensor->data;
  words[WORD_ALIGNED] = words[WORD_ALLOCATED];
  words[WORD_OFFSET] = 0;
  for (int32_t i = 0; i < tensor->rank; i++)
    words[WORD_SIZES + i] = tensor->shape[i];
  tr_tensor_strides(tensor, words + WORD_SIZES + tensor->rank);
}

static void fill_frame(const tessera_entry *entry, const tessera_tensor *arguments,
                       call_frame *frame) {
  int64_t *words = frame->words;
  for (int32_t i = 0; i < entry->num_arguments; i++) {
    const tessera_parameter *parameter = &entry->arguments[i];
    if (parameter->rank < 0) {
      frame->arguments[i] = arguments[i].data;
      continue;
    }
    fill_descriptor(&arguments[i], words);
    frame->arguments[i] = words;
    words += parameter_words(parameter);
  }
  for (int32_t i = 0; i < entry->num_results; i++) {
    frame->results[i] = words;
    words += parameter_words(&entry->results[i]);
  }
}

static bool create_frame(const tessera_entry *entry, call_frame *frame) {
  size_t words = 1;
  for (int32_t i = 0; i < entry->num_arguments; i++)
    words += parameter_words(&entry->arguments[i]);
  for (int32_t i = 0; i < entry->num_results; i++)
    words += parameter_words(&entry->results[i]);
  frame->arguments = calloc((size_t)entry->num_arguments + 1, sizeof(void *));
  frame->results = calloc((size_t)entry->num_results + 1, sizeof(void *));
  frame->words = calloc(words, sizeof(int64_t));
  return frame->arguments && frame->results && frame->words;
}

static void destroy_frame(call_frame *frame) {
  free(frame->arguments);
  free(frame->results);
  free(frame->words);
}

/* ---- results --------------------------------------------------------------------------------- */

/* A tensor owns its data by the address that frees it, so memory whose elements start elsewhere or
 * lie apart is copied. */
static tessera_status take_memref(const tessera_parameter *parameter, const int64_t *words,
                                  tessera_tensor *result) {
  int32_t rank = parameter->rank;
  const int64_t *strides = words + WORD_SIZES + rank;
  int64_t dense[TR_MAX_RANK];
  size_t size = tessera_dtype_size((tessera_dtype)parameter->dtype);
  tessera_tensor view = {(tessera_dtype)parameter->dtype, rank, (int64_t *)(words + WORD_SIZES),
                         (int64_t *)strides, word_pointer(words[WORD_ALIGNED])};
  if (words[WORD_ALIGNED] == words[WORD_ALLOCATED] && words[WORD_OFFSET] == 0 &&
      tr_tensor_is_dense(&view))
    return tr_tensor_adopt(view.dtype, rank, view.shape, view.data, result);
  tessera_status status = tessera_tensor_create(view.dtype, rank, view.shape, result);
  if (!status && result->data) {
    tr_dense_strides(rank, result->shape, dense);
    tr_copy_strided(size, rank, result->shape,
                    (const char *)view.data + words[WORD_OFFSET] * (int64_t)size, strides,
                    result->data, dense);
  }
  tessera_free(word_pointer(words[WORD_ALLOCATED]));
  return status;
}

static tessera_status take_result(const tessera_parameter *parameter, const int64_t *words,
                                  tessera_tensor *result) {
  if (parameter->rank >= 0)
    return take_memref(parameter, words, result);
  tessera_status status = tessera_tensor_create((tessera_dtype)parameter->dtype, 0, NULL, result);
  if (!status)
    memcpy(result->data, words, tessera_dtype_size(result->dtype));
  return status;
}

/* Takes every result even after a failure, so that the callee's memory is not lost. */
static tessera_status take_results(const tessera_entry *entry, void *const *packed,
                                   tessera_tensor *results) {
  tessera_status status = TESSERA_OK;
  for (int32_t i = 0; i < entry->num_results; i++) {
    tessera_status taken = take_result(&entry->results[i], packed[i], &results[i]);
    status = status ? status : taken;
  }
  for (int32_t i = 0; status && i < entry->num_results; i++)
    tessera_tensor_destroy(&results[i]);
  return status;
}

tessera_status tessera_call(const tessera_program *program, const tessera_entry *entry,
                            tessera_context *context, const tessera_tensor *arguments,
                            tessera_tensor *results) {
  for (int32_t i = 0; i < entry->num_results; i++)
    memset(&results[i], 0, sizeof(results[i]));
  tessera_status status = check_call(program, entry, context, arguments);
  if (status)
    return status;
  call_frame frame;
  if (create_frame(entry, &frame)) {
    fill_frame(entry, arguments, &frame);
    tessera_context *previous = tr_context_swap_current(context);
    entry->function(frame.arguments, frame.results);
    tessera_context_set_current(previous);
    status = take_results(entry, frame.results, results);
  } else {
    status = tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a call of '%s'", entry->name);
  }
  destroy_frame(&frame);
  return status;
}
