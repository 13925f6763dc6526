/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A module as the solver sees it: functions, tensor values with their layouts, ops with their
 * loops. Built by collect.c, solved by fixpoint.c and settle.c, read by propagate and partition. */
#ifndef TESSERA_PLUGIN_SOLVE_MODEL_H
#define TESSERA_PLUGIN_SOLVE_MODEL_H

#include "mlir-c/IR.h"

#include "loops/loops.h"
#include "rules/rules.h"
#include "sharding/annotation.h"
#include "support/arena.h"
#include "support/ir.h"
#include "support/map.h"

struct ts_op;

/* A ranked tensor value, or a class of values that always have one layout (the carried value of a
 * loop: its block argument and its result). */
typedef struct ts_value {
  MlirValue handle;
  MlirType type; /* in the source */
  const int64_t *shape;
  double bytes;              /* of the whole tensor; decides conflicts */
  const ts_sharding *layout; /* of the definition; partial once settle.c has run. Never NULL after
                                the function's grid is known, except for free values */
  MlirOperation annotation;  /* the shard.shard that fixed it, null if none */
  struct ts_op *definition;  /* NULL for function arguments and values of the solver's own */
  struct ts_piece *pieces;   /* what a device holds of it while its function is partitioned */
  struct ts_op **users;      /* ops that look at it, each once per use; ends of links included */
  int num_users, max_users;
  int uses; /* operand uses that need data */
  int rank;
  bool is_free;     /* built anew for each use; has no layout */
  bool is_fixed;    /* an annotation: never changes */
  bool is_captured; /* used inside an op that runs whole */
} ts_value;

typedef enum ts_op_kind {
  TS_OP_RULE,  /* has loops */
  TS_OP_LINK,  /* shard.shard: result and operand are one tensor under two layouts */
  TS_OP_FIXED, /* operands and results have layouts of their own: func.call, func.return,
                  scf.for (inits), scf.yield, branches */
  TS_OP_WHOLE, /* no rule: everything replicated */
  TS_OP_SHAPE, /* tensor.dim, tensor.rank, shard.get_sharding: asks, never for data */
  TS_OP_IGNORE /* scalars, shard.sharding, free definitions */
} ts_op_kind;

typedef struct ts_op {
  MlirOperation handle;
  ts_op_kind kind;
  int position; /* in program order */
  const ts_rule *rule;
  const ts_op_loops *loops;         /* RULE */
  const ts_loop_sharding *sharding; /* RULE: the solver's choice, never NULL once it is made */
  int num_operands, num_results;
  ts_value **operands; /* NULL where not a ranked tensor */
  ts_value **results;
  /* FIXED: the value whose layout an operand must take (a function's argument or result, a loop's
   * carried class), NULL where the operand is not a tensor. */
  ts_value **targets;
  /* RULE, FIXED, WHOLE: the layout each operand is brought to, NULL where not a tensor; the layout
   * each result has before it is brought to the definition's. */
  const ts_sharding **required, **natural;
  struct ts_function *callee; /* func.call */
  bool is_inert;              /* LINK: its ends never change */
  bool queued;
} ts_op;

typedef struct ts_op_list {
  MlirOperation *ops;
  int num, max;
} ts_op_list;

typedef struct ts_function {
  MlirOperation handle;
  const char *name;
  bool has_body;
  bool is_active;       /* has annotations, or calls one that has */
  bool is_pure;         /* external and marked tessera.pure */
  MlirOperation effect; /* an op with effects that outlive a call, its own or of what it calls; null
                           if there is none or the function is active */
  bool has_collectives; /* itself or what it calls: the program of one device */
  ts_op_list calls;     /* func.call, those inside of other ops included */
  ts_op_list references; /* func.constant */
  bool is_named;         /* by a call or a reference */
  bool is_dynamic;       /* some tensor has an extent that only the launch knows */
  const ts_grid *grid;   /* of its annotations */
  int num_arguments, num_results;
  ts_value **arguments; /* NULL where not a ranked tensor */
  ts_value **results;   /* layouts of the results: values of the solver's own */
  ts_op **ops;          /* in program order, those of scf.for bodies included */
  int num_ops, max_ops;
  int position; /* in the module */
} ts_function;

typedef struct ts_note {
  MlirOperation op;
  const char *text;
} ts_note;

enum { TS_KEPT = 4 };

typedef struct ts_model {
  ts_arena *arena;
  ts_arena scratch;                 /* what solving one op needs: emptied before the next */
  const ts_sharding *kept[TS_KEPT]; /* the last new ones */
  int next_kept;
  const ts_op_loops *descriptions[TS_KEPT]; /* the last new ones */
  int next_description;
  const ts_loop_sharding *kept_loops;
  MlirContext context;
  MlirOperation module;
  ts_grids grids;
  ts_map values;       /* MlirValue -> ts_value */
  ts_map calls;        /* func.call of an active function -> ts_op */
  ts_map symbols;      /* symbol name identifier -> MlirOperation at the top of the module */
  ts_map functions;    /* symbol name identifier -> ts_function */
  ts_function **order; /* callees before callers */
  int num_functions;
  ts_note *notes; /* to be told, in this order */
  int num_notes, max_notes;
  bool is_asked;     /* some function has a shard.get_sharding */
  bool calls_inside; /* an op that runs whole calls an active function */
  bool asks;         /* annotations whose sharding is still asked for are open */
  bool erases;       /* annotations that repeat a layout */
  bool tells;        /* what runs whole and the like, by remarks */
} ts_model;

/* What a module is read for, and so whether to remark on ops that run whole and the like: only
 * TS_TELL does. To answer shard.get_sharding (TS_ASK), annotations that wait for an answer say
 * nothing. To rewrite annotated functions (TS_REWRITE), annotations that repeat the layout of what
 * they annotate are erased. */
typedef enum ts_purpose { TS_QUIET, TS_TELL, TS_ASK, TS_REWRITE } ts_purpose;

/* Reads the module. False after located errors; and, where `questions` is not NULL, without any if
 * a function has a shard.get_sharding, which it then says. */
bool ts_model_collect(ts_model *model, ts_arena *arena, MlirOperation module, ts_purpose purpose,
                      bool *questions);

/* Solves every active function, callees first: layouts, loop shardings, required and natural
 * layouts. False after located errors. */
bool ts_model_solve(ts_model *model);

/* Gives functions whose arguments or results have run-time halo sizes or offsets one that computes
 * them, named by the attribute tessera.resolve: the same arguments, one i64 for each number; what
 * was named before goes. Tools need those of public functions, and passes, as long as annotations
 * may be deleted, those of all (as far as they can be made). After solving and before anything is
 * rewritten. False after located errors. */
typedef enum ts_resolvers_for { TS_FOR_TOOLS, TS_FOR_PASSES } ts_resolvers_for;
bool ts_make_resolvers(ts_model *model, ts_resolvers_for who);
/* What the function's attribute tessera.resolve names, or null. */
MlirOperation ts_resolver_of(const ts_model *model, MlirOperation function);

/* The value behind an MLIR value, or NULL if it is not a ranked tensor of an active function. */
ts_value *ts_model_value(const ts_model *model, MlirValue value);
/* The op that `call`, a func.call, is in the model, or NULL. */
ts_op *ts_model_call(const ts_model *model, MlirOperation call);

/* What is called `name` at the top of the module, or null. */
MlirOperation ts_model_symbol(const ts_model *model, MlirStringRef name);
/* Makes `op`, which is new there, known; nothing if it has no name. */
void ts_model_add_symbol(ts_model *model, MlirOperation op);
/* Takes `op`, which nothing names, out of the module. */
void ts_model_drop_symbol(ts_model *model, MlirOperation op);

/* The free value that `value` is under annotations, or NULL. */
ts_value *ts_free_source(ts_value *value);

/* ---- between the solver's files
 * ------------------------------------------------------------------ */

/* Makes the values that are a function's arguments and results, for itself and its callers. */
void ts_declare_function(ts_model *model, ts_function *function);
bool ts_collect_function(ts_model *model, ts_function *function);

/* Annotates the arguments that lost their annotation though tessera.layout has numbers that only
 * the launch knows: tessera.resolve names what computes them. False after a located error. */
bool ts_restore_annotations(ts_model *model, const ts_function *function);

/* Finds the functions in which annotations may be, and what those that they may call do. False
 * after located errors. */
bool ts_find_active(ts_model *model, int num, ts_function *const *functions);
/* Puts the module's functions into model->order, once their calls are known. False after located
 * errors. */
bool ts_order_calls(ts_model *model, int num, ts_function *const *functions);
/* Adds `op` to a list that lives as long as the model. */
void ts_add_op(ts_model *model, ts_op_list *list, MlirOperation op);

/* The sharding of the annotation `op` is what a shard.get_sharding answers. */
bool ts_is_asked(MlirOperation op);
/* Tools may call the function. */
bool ts_is_public(MlirOperation function);
/* What a func.call of the module calls; NULL if it is not in the module. */
ts_function *ts_callee(const ts_model *model, MlirOperation call);
/* Whether an annotated function may have this call, or this op with all that is inside it: false
 * after located errors. */
bool ts_check_call(const ts_model *model, MlirOperation call);
bool ts_check_effects(ts_model *model, ts_function *function, MlirOperation op);
/* Whether the op of a function without annotations has effects that outlive a call: on other memory
 * than what the function, or its callers without annotations, allocate. Calls are not asked. */
bool ts_has_lasting_effect(const ts_model *model, MlirOperation op);

void ts_fixpoint(ts_model *model, ts_function *function);

/* Adds to `base` what `wish` splits beyond it, dimension by dimension, where the factors have a
 * common refinement and the axes are not in `used`. Returns the axes of `wish` that could not be
 * honoured;
 * `*result` is `base` itself if nothing was added. */
ts_axes ts_dim_extend(ts_arena *arena, const ts_grid *grid, const ts_dim *base, const ts_dim *wish,
                      ts_axes used, ts_dim *result);

/* The loop sharding for an op from the layouts of its ports; conflicts go by elements moved. In
 * scratch memory. */
ts_loop_sharding ts_choose_loops(ts_model *model, const ts_grid *grid, ts_op *op);

/* The layout in the model's memory: one of the last ones if they are equal. */
const ts_sharding *ts_keep(ts_model *model, const ts_sharding *layout);
/* The description in the model's memory: one of the last ones if they are equal. */
const ts_op_loops *ts_keep_description(ts_model *model, const ts_op_loops *loops);
/* The loop sharding in the model's memory: `known` (or NULL) or the last new one if they are equal.
 */
const ts_loop_sharding *ts_keep_loops(ts_model *model, const ts_loop_sharding *known,
                                      const ts_loop_sharding *sharding);

/* Sets tessera.layout on every tensor argument and result of the function. */
void ts_record_signature(ts_model *model, ts_function *function);
/* What tessera.layout says of parameter `i` of `list` (arg_attrs, res_attrs), and its type in the
 * source; NULL if it says nothing that makes sense. */
const ts_sharding *ts_recorded_layout(ts_model *model, MlirAttribute list, intptr_t i,
                                      MlirType *global);
/* tessera.propagated: the function has layouts and is not partitioned yet, even if no annotation is
 * left of it. */
void ts_set_propagated(MlirOperation function);
void ts_remove_propagated(MlirOperation function);
/* The grid of a propagated function's layouts; NULL if it is no such function, or has none. */
const ts_grid *ts_propagated_grid(ts_model *model, MlirOperation function);

/* Lets an elementwise op run on the explicit offsets that all its operands share. */
void ts_run_on_offsets(ts_model *model, ts_op *op);

/* `value` is known just before `op`, looking at the blocks around `op` alone. */
bool ts_known_before(MlirValue value, MlirOperation op);
/* Every run-time number of the layout is known before `op`, looking at the blocks around `op`
 * alone; is computed in, or an argument of, `block`. */
bool ts_layout_known_before(ts_model *model, const ts_sharding *layout, MlirOperation op);
bool ts_layout_known_in(ts_model *model, const ts_sharding *layout, MlirBlock block);
/* The callee's layout with the numbers that the call passes; NULL after a located error. */
const ts_sharding *ts_layout_at_call(ts_model *model, const ts_op *call, const ts_sharding *layout);
/* `op` or the op around it that is in `block`; null if there is none in its function. */
MlirOperation ts_ancestor_in(MlirBlock block, MlirOperation op);

/* Helpers on operations and attributes. */
/* "f.suffix", or "f.suffix2" and so on where something is called that already. */
const char *ts_free_symbol(const ts_model *model, const ts_function *function, const char *suffix);
/* `dictionary` with `name` set to `value`. */
MlirAttribute ts_dictionary_with(ts_arena *arena, MlirContext context, MlirAttribute dictionary,
                                 const char *name, MlirAttribute value);
void ts_error(MlirOperation op, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Notes a remark for ts_tell, which tells them all; nothing if the model is not read to tell. */
void ts_remark(ts_model *model, MlirOperation op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ts_tell(const ts_model *model);

#endif /* TESSERA_PLUGIN_SOLVE_MODEL_H */
