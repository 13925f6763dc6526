/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Elements of tensors as doubles and text, and doubles as elements.
 * It must not know tensors, tolerances or random numbers. */
#ifndef TESSERA_TOOLS_CHECK_NUMBERS_H
#define TESSERA_TOOLS_CHECK_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "tessera/runtime.h"

/* How many real numbers of what kind an element is made of. */
typedef enum number_kind { NUMBER_BITS, NUMBER_INTEGER, NUMBER_UNSIGNED, NUMBER_FLOAT } number_kind;

typedef struct number_type {
  number_kind kind;
  int parts; /* 2 for complex numbers */
} number_type;

number_type number_type_of(tessera_dtype type);

/* Reads the parts of a floating-point element. */
void number_read(tessera_dtype type, const void *element, double *parts);

/* Writes the parts of a floating-point element, rounded to nearest, ties to even. */
void number_write(tessera_dtype type, const double *parts, void *element);

/* The largest number of the type that is less than `value`, and the smallest that is not. */
double number_below(tessera_dtype type, double value);
double number_from(tessera_dtype type, double value);

/* Integers, signed or not, of any width; bits of raw types. */
int64_t number_read_integer(tessera_dtype type, const void *element);
void number_write_integer(tessera_dtype type, int64_t value, void *element);

/* "1.5", "-3", "(1, 2)", "0x7c". Returns text. */
const char *number_text(tessera_dtype type, const void *element, char *text, size_t capacity);

#endif /* TESSERA_TOOLS_CHECK_NUMBERS_H */
