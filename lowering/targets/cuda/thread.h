/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What one thread does of a nest: elements, and loops that it goes through alone. It knows nests
 * and scf; it must not know how threads share the rest. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_THREAD_H
#define TESSERA_LOWERING_TARGETS_CUDA_THREAD_H

#include "lowering/targets/body.h"

enum { TS_CUDA_OPERANDS = 256 };

/* A nest whose code is written. */
typedef struct ts_thread {
  ts_emitter *e;
  const ts_nest *nest;
  int number;             /* of the nest in the kernel */
  MlirValue *const *kept; /* by pointer: the value that a thread keeps of memory of its own, for
                             memory that is no more than that; entries may be NULL */
} ts_thread;

/* The product of the extents of `num` loops; factor 1 for none. */
MlirValue ts_thread_extents(ts_emitter *e, const ts_maker *build, const ts_nest *nest, int num,
                            const int *loops);
/* The same if it is known, else -1. */
int64_t ts_thread_known_extents(const ts_nest *nest, int num, const int *loops);
/* Takes `number` apart into an index for each of the loops, the last of which goes fastest. */
void ts_thread_indices(ts_emitter *e, const ts_maker *build, const ts_nest *nest, int num,
                       const int *loops, MlirValue number, MlirValue *indices);
/* Moves all accesses of the nest from `from` on by these indices. */
void ts_thread_advance(ts_emitter *e, const ts_maker *build, const ts_nest *nest, int num,
                       const int *loops, const MlirValue *indices, const MlirValue *from,
                       MlirValue *to);

/* Threads have registers for elements of this type. */
bool ts_thread_may_keep(MlirType type);
/* What was never written has any value: this one, of a type that threads may keep. */
MlirValue ts_thread_any_value(const ts_maker *build, MlirType type);

/* `index` may lack the access's offset, and be null: 0. */
MlirValue ts_thread_load(const ts_thread *t, const ts_maker *build, int access, MlirValue index);
void ts_thread_store(const ts_thread *t, const ts_maker *build, MlirValue value, int access,
                     MlirValue index);

/* The body for one element. `given`, if not null, has values of inputs by number that are known
 * already; `outputs` those of the outputs. */
void ts_thread_element(const ts_thread *t, const ts_maker *build, const MlirValue *indices,
                       const MlirValue *given, const MlirValue *outputs, MlirValue *results);

/* Loads what outputs are from memory, where the body asks for it. */
void ts_thread_load_outputs(const ts_thread *t, const ts_maker *build, const MlirValue *indices,
                            MlirValue *values);
void ts_thread_store_outputs(const ts_thread *t, const ts_maker *build, const MlirValue *indices,
                             const MlirValue *values);

/* Goes through these loops in order, and does the body in the innermost. */
void ts_thread_loops(const ts_thread *t, const ts_maker *build, int num, const int *loops,
                     const MlirValue *indices);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_THREAD_H */
