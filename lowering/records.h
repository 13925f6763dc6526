/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Constant records as llvm.mlir.global ops: strings, number arrays, structs. It knows layout in
 * memory; it must not know what a site or a program is. */
#ifndef TESSERA_LOWERING_RECORDS_H
#define TESSERA_LOWERING_RECORDS_H

#include "ir/build.h"
#include "ir/element_types.h"
#include "support/arena.h"
#include "support/map.h"

/* The constants of one module. Equal strings and arrays are one global. */
typedef struct ts_records {
  ts_arena *arena;
  MlirContext context;
  MlirOperation module;
  ts_map shared; /* attribute -> symbol of the global that holds it */
  int next;      /* number of the next anonymous global */
} ts_records;

void ts_records_init(ts_records *records, ts_arena *arena, MlirOperation module);

/* Symbols of constants; NULL stands for a null pointer (an empty array). They live in the arena. */
const char *ts_record_text(ts_records *records, MlirStringRef text);
const char *ts_record_i32(ts_records *records, intptr_t num, const int32_t *values);
const char *ts_record_i64(ts_records *records, intptr_t num, const int64_t *values);
const char *ts_record_f64(ts_records *records, intptr_t num, const double *values);
const char *ts_record_pointers(ts_records *records, intptr_t num, const char *const *symbols);

typedef enum ts_field_kind { TS_FIELD_I32, TS_FIELD_I64, TS_FIELD_POINTER } ts_field_kind;

typedef struct ts_field {
  ts_field_kind kind;
  int64_t number;
  const char *symbol; /* of a pointer; NULL: null */
  bool late;          /* this number is set by ts_record_set_late */
} ts_field;

#define TS_I32(value) ((ts_field){TS_FIELD_I32, (int64_t)(value), NULL, false})
#define TS_I64(value) ((ts_field){TS_FIELD_I64, (int64_t)(value), NULL, false})
#define TS_LATE_I32(value) ((ts_field){TS_FIELD_I32, (int64_t)(value), NULL, true})
#define TS_POINTER(symbol) ((ts_field){TS_FIELD_POINTER, 0, (symbol), false})

typedef enum ts_linkage { TS_INTERNAL, TS_EXPORTED } ts_linkage;

/* A global called `symbol` of `num` structs in a row, each of `num_fields` fields (at most 64). */
MlirOperation ts_record_structs(ts_records *records, const char *symbol, MlirLocation location,
                                ts_linkage linkage, intptr_t num, intptr_t num_fields,
                                const ts_field *fields);
/* Changes the late field of a lone struct that is there already. */
void ts_record_set_late(MlirOperation global, int64_t value);

#endif /* TESSERA_LOWERING_RECORDS_H */
