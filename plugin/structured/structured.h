/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that structured ops, slices and reshapes can say become such, because these have rules. It
 * knows what ops mean; it must not know layouts. */
#ifndef TESSERA_PLUGIN_STRUCTURED_STRUCTURED_H
#define TESSERA_PLUGIN_STRUCTURED_STRUCTURED_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* Rewrites them in a module that has annotations. What cannot be said stays. */
void ts_structure(MlirOperation module);
/* Inserts the dialects of what is written. */
void ts_structure_insert_dialects(MlirDialectRegistry registry);

/* ---- one op each ------------------------------------------------------------------------------
 * Each replaces `op`, or leaves it where it cannot be said. */

/* tensor.cast that forgets extents: of those that read it, who can reads what is cast. */
void ts_structure_cast(MlirOperation op);
/* complex.create of parts that are added, subtracted or multiplied as those of whole numbers: the
 * op on the numbers. */
void ts_structure_complex(MlirOperation op);
/* tensor.concat, and insertions that fill a tensor, of equal parts in front of a product: along a
 * dimension of parts, then merged. */
void ts_structure_joined(MlirOperation op);
/* linalg.generic with operands of which it takes diagonals: what it reads so the body reads, and
 * what it writes so becomes an elementwise op on all of the tensor. Returns the op in its place. */
MlirOperation ts_structure_diagonals(MlirOperation op);
/* tensor.extract_slice, where all that a product gives is taken in equal parts: of a dimension of
 * parts. One that nobody uses goes. */
void ts_structure_part(MlirOperation op);
/* tensor.extract_slice of what is joined, inserted or a slice itself: of the part that it takes.
 * True if it is all of that, and so went. */
bool ts_structure_shortcut(MlirOperation op);
/* scf.forall that inserts slices into tensors: loops that carry these. Upstream's bufferization
 * takes the reads of such a tensor for reads of what trips have written. */
void ts_structure_forall(MlirOperation op);
/* tensor.gather: a loop over the slices that reads the tensor where the list says. */
void ts_structure_gather(MlirOperation op);
/* tensor.generate whose body reads tensors. One that does not is built anew for each use as it is.
 */
void ts_structure_generate(MlirOperation op);
/* tensor.insert: an insertion of a slice of one element. */
void ts_structure_insert(MlirOperation op);
/* tensor.pad by negative widths: a slice, and a pad by the others; where the body
 * depends on the place or on tensors, an insertion into what is generated. */
void ts_structure_pad(MlirOperation op);
/* linalg.generic that has a number in place of some elements that are looked up: the number as an
 * input. */
void ts_structure_filled(MlirOperation op);
/* linalg.generic that reads tensors at indices of its loops, shifted, backwards or added: as
 * inputs. */
void ts_structure_reads(MlirOperation op);
/* linalg.generic that writes at places counted in steps, each once: an elementwise op on the slice
 * of these, inserted. False if it is something else. */
bool ts_structure_scattered(MlirOperation op);
/* linalg.generic of one result whose last loop counts dimensions that reshapes merged: the same
 * before it, with a loop for each. Null if it is something else. */
MlirOperation ts_unmerge_last_loop(MlirOperation op);
/* tensor.reshape, tosa.reshape: merged and split dimensions. */
void ts_structure_reshape(MlirOperation op);
/* tosa.slice: a slice that has all of the dimensions whose extents only the run knows. */
void ts_structure_tosa_slice(MlirOperation op);
/* linalg.softmax, pack, unpack and the like, as upstream takes them apart. */
void ts_structure_aggregate(MlirOperation op);

/* What lies between reversals of a dimension, in all of the module: the other way round, of what
 * was not reversed. */
void ts_structure_turned(MlirOperation module);
/* What is computed of vectors that are joined of merged tensors, and is taken apart again, in all
 * of the module: of each part. */
void ts_structure_ravelled(MlirOperation module);
/* tosa.scatter in all of the module, which upstream makes loops over single updates: an update is
 * taken where its index is that of the row. */
void ts_structure_tosa_scatters(MlirOperation module);
/* Pads by negative widths, copies of one diagonal to another, scf.forall, and reshapes, in all of
 * the module, annotated or not. */
void ts_structure_negative_pads(MlirOperation module);
void ts_structure_copied_diagonals(MlirOperation module);
void ts_structure_foralls(MlirOperation module);
void ts_structure_reshapes(MlirOperation module);

#endif /* TESSERA_PLUGIN_STRUCTURED_STRUCTURED_H */
