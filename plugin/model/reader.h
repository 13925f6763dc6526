/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The state of reading a function, and what makes its values and ops. It knows the model; it must
 * not know which op is of which kind. Shared by the files of this folder alone. */
#ifndef TESSERA_PLUGIN_MODEL_READER_H
#define TESSERA_PLUGIN_MODEL_READER_H

#include "model/model.h"
#include "support/captured.h"
#include "support/map.h"

typedef struct ts_reader {
  ts_model *model;
  ts_function *function;
  int num_blocks; /* that can be reached */
  double weight;  /* of the ops of the block that is read */
  bool failed;
  ts_value last; /* the last new value as it was at first: the next is often of the same type */
  ts_map ends;   /* MlirOperation that ends a block -> what its operands are tied to, as targets */
  ts_axes apart; /* along which loops around what is read are dealt out */
  ts_map dealt;  /* MlirOperation or MlirValue -> what is dealt of it (read_dealt.c) */
  ts_map groups; /* number + 1 -> grouped, the first of the group */
  ts_map left;   /* MlirOperation -> the outermost loop that it could stand before */
} ts_reader;

/* ---- values ---------------------------------------------------------------------------------- */

/* A value of the solver's own, of a ranked tensor type. */
ts_value *ts_reader_new_value(ts_reader *r, MlirType type);
void ts_reader_bind(ts_reader *r, MlirValue handle, ts_value *value);
/* The value for `handle`, made at its definition; NULL if it is not a ranked tensor. */
ts_value *ts_reader_define(ts_reader *r, MlirValue handle);
void ts_reader_add_user(ts_reader *r, ts_value *value, ts_op *op);

/* ---- ops ------------------------------------------------------------------------------------- */

/* `captured`: tensors that its regions read, which count as operands. */
ts_op *ts_reader_new_op_reading(ts_reader *r, MlirOperation handle, ts_op_kind kind,
                                ts_captured captured);
ts_op *ts_reader_new_op(ts_reader *r, MlirOperation handle, ts_op_kind kind);
void ts_reader_use_operands(ts_reader *r, ts_op *op);
void ts_reader_define_results(ts_reader *r, ts_op *op);
/* Behind a located error; false. */
bool ts_reader_fail(ts_reader *r);

/* How often what the op gives is made: less often than the op runs, where it is the same in each
 * trip of loops around it. */
double ts_weight_of_op(ts_reader *r, MlirOperation op);

/* ---- kinds of ops: false after located errors ------------------------------------------------ */

/* An annotation (shard.shard). */
bool ts_read_annotation(ts_reader *r, MlirOperation handle);
/* An op that runs whole on every device, for this reason (NULL: it has no rule). */
bool ts_read_whole(ts_reader *r, MlirOperation handle, const char *reason);
/* A program of one device (tessera.manual). */
bool ts_read_manual(ts_reader *r, MlirOperation handle);

/* ---- loops that are dealt out (read_dealt.c) --------------------------------------------------
 */

/* Reads whether the trips of `loop` are dealt out, NULL if they are not, and notes which of their
 * own places slices inside take. */
const ts_dealing *ts_read_dealing(ts_reader *r, MlirOperation loop);
/* Whether `handle` is such a slice; along which dimensions of its tensor, as bits. */
uint32_t ts_dealt_dims(const ts_reader *r, MlirOperation handle);
/* How dimension `d` of what `key`, an op or a value, stands for is dealt out; NULL if it is not. */
const ts_dim *ts_dealt_dim(const ts_reader *r, const void *key, int d);
/* Lays `value`, just made for `handle`, out as trips have places in it. */
void ts_lay_out_dealt(ts_reader *r, ts_value *value, MlirValue handle);
/* The ties of a loop that is dealt out: its sums are no longer what their parts are. */
const ts_ties *ts_dealt_ties(ts_reader *r, const ts_dealing *deals, const ts_ties *ties);

/* Layouts that the function says of its arguments. */
void ts_read_argument_layouts(ts_reader *r);

#endif /* TESSERA_PLUGIN_MODEL_READER_H */
