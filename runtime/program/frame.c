/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Packs arguments and makes room for results.
 * It must not know layouts, or what the function does. */
#include "program/frame.h"

#include <stdlib.h>

#include "program/tensor.h"

_Static_assert(sizeof(void *) == sizeof(int64_t), "descriptors mix pointers and 64-bit sizes");

/* The largest scalar is a complex<f64>. */
static size_t parameter_words(const tessera_parameter *parameter) {
  return parameter->rank < 0 ? 2 : TR_WORD_SIZES + 2 * (size_t)parameter->rank;
}

static void fill_descriptor(const tessera_tensor *tensor, int64_t *words) {
  words[TR_WORD_ALLOCATED] = (int64_t)(intptr_t)tr_tensor_reach(tensor);
  words[TR_WORD_ALIGNED] = words[TR_WORD_ALLOCATED];
  words[TR_WORD_OFFSET] = 0;
  for (int32_t i = 0; i < tensor->rank; i++)
    words[TR_WORD_SIZES + i] = tensor->shape[i];
  tr_tensor_strides(tensor, words + TR_WORD_SIZES + tensor->rank);
}

void tr_frame_fill(const tessera_entry *entry, const tessera_tensor *arguments, tr_frame *frame) {
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

bool tr_frame_create(const tessera_entry *entry, tr_frame *frame) {
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

void tr_frame_destroy(tr_frame *frame) {
  free(frame->arguments);
  free(frame->results);
  free(frame->words);
}
