/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A module as the passes see it: functions, tensor values with their layouts, ops with their loops,
 * and questions about them. Filled by read_module.c; solving changes layouts and loop shardings in
 * it, printing (propagate) and applying (partition) use it. It knows nobody who fills or uses it.
 */
#ifndef TESSERA_PLUGIN_MODEL_MODEL_H
#define TESSERA_PLUGIN_MODEL_MODEL_H

#include "mlir-c/IR.h"

#include "loops/intern.h"
#include "loops/loops.h"
#include "regions/regions.h"
#include "rules/rules.h"
#include "sharding/annotation.h"
#include "support/arena.h"
#include "support/captured.h"
#include "support/ir.h"
#include "support/map.h"

struct ts_op;
struct ts_summary;

/* Why a dimension is split over an axis: the op whose loops or ends brought it there, and the
 * annotated value behind that, NULL if none is known. */
typedef struct ts_cause {
  int dim, axis;
  struct ts_op *op;
  const struct ts_value *origin;
} ts_cause;

/* What a value would be partial over where it is made if nothing before it were completed, and what
 * that costs in bytes (solve/partial.c). No axes: it is complete. */
typedef struct ts_pending {
  ts_axes axes;
  ts_reduction kind;
  double now;       /* to complete it where it is made */
  double later;     /* the least: there, or behind those that can pass it on */
  double beyond;    /* in addition: behind the loops that carry on what it is passed on as */
  bool stays;       /* it is left partial */
  bool ends;        /* it is completed where it is made, whatever else is decided */
  bool ends_behind; /* carried by a loop: it is completed for all ops behind the loop */
} ts_pending;

/* A piece that is asked for. */
typedef struct ts_ask {
  const ts_sharding *layout;
  const ts_ranges *read; /* by dimension: what of the piece is read, if `of` is not NULL; or NULL */
  bool is_in_trips;      /* of what a loop carries: not behind the loop alone */
} ts_ask;

/* A ranked tensor value, or a class of values that are tied and so always have one layout (the
 * carried value of a loop: its block argument and its result). */
typedef struct ts_value {
  MlirValue handle;
  MlirType type; /* in the source */
  const int64_t *shape;
  double bytes;              /* of the whole tensor; decides conflicts */
  const ts_sharding *layout; /* of the definition; partial once settle.c has run. Never NULL after
                                the function's grid is known, except for free values */
  MlirOperation annotation;  /* the shard.shard that fixed it, null if none */
  struct ts_op *definition;  /* NULL for arguments of a function's blocks and values of the
                                solver's own */
  struct ts_op **users;      /* ops that look at it, each once per use; ends of links included */
  int num_users, max_users;
  const ts_openness *openness;    /* how it may grow; NULL: without limits, or not at all */
  const ts_sharding *announced;   /* what the annotation says, as long as later rounds have to add
                                     some of it to the layout; else NULL */
  int round;                      /* the last one that `layout` has all of */
  struct ts_value *next_in_group; /* a ring of values that grow alike; NULL: alone */
  ts_cause *causes; /* of what its layout has beyond its annotation, in the order of growth */
  int num_causes, max_causes;
  int uses; /* operand uses that need data */
  ts_pending pending;
  int rank;
  /* Axes along which loops around it are dealt out, so that devices that differ there have values
   * of different trips: none splits it but as it is. */
  ts_axes apart;
  uint32_t dealt_dims; /* dimensions (as bits) that trips of such a loop have their places in: they
                          stay split as the trips are dealt out */
  bool is_free;        /* built anew for each use; has no layout */
  bool is_fixed;       /* an annotation: never changes */
  bool is_captured;    /* used inside an op that runs whole */
  /* Axes that ops behind the loop that adds the value up may not split it over, so that the sum can
   * stay partial over them inside. */
  uint32_t held;
  /* What demand.c finds: the pieces that uses ask for, and whether they are made of the operands'
   * for each, rather than all of it once. */
  ts_ask *asks;
  int num_asks, max_asks;
  bool is_view;
  bool could_be_view; /* its pieces could be made so; decided by the total (solve/rehearsal.h) */
  const ts_ask *expected; /* what is likely to be asked for, before it is */
  int num_expected;
  bool is_cut_out;       /* made of parts of others along some dimension (solve/reduced.c) */
  bool is_for_a_sum;     /* which takes other pieces than balanced ones, of this value as well */
  bool is_asked_through; /* the result of a link: its asks are its source's (demand.c) */
  ts_ask *unions;        /* of asks that are served by one piece; NULL before they are asked */
  int num_unions;
  /* Of a function's result that nobody annotates: layouts that it may have besides the one that
   * the fixpoint found (solve/returned.c). */
  const ts_sharding **choices;
  int num_choices;
  bool is_unlike_arguments; /* likewise: no argument is of its type, so it may lie as it is made */
  const ts_sharding *returned; /* how a function returns it although the loop that it is of carries
                                  it otherwise by now (solve/walk_carried.c); else NULL */
} ts_value;

/* A loop whose trips are dealt out: each device runs those of its piece of the dimension that they
 * go along (model/dealt.h). */
typedef struct ts_dealing {
  ts_axes axes;
  ts_dim dim; /* how that dimension is split, wherever a trip has its own place in it */
  const ts_reduction *sums; /* by result: what combines the trips' parts; NONE: it is built */
} ts_dealing;

typedef enum ts_op_kind {
  TS_OP_RULE,  /* has loops */
  TS_OP_LINK,  /* shard.shard: result and operand are one tensor under two layouts */
  TS_OP_FIXED, /* operands and results have layouts of their own: func.call, func.return, ops whose
                  values are tied (regions.h) and what ends their blocks */
  TS_OP_CALL,  /* func.call of a function without annotations, which is solved for what it passes */
  TS_OP_WHOLE, /* no rule: everything replicated */
  TS_OP_SHAPE, /* tensor.dim, tensor.rank, shard.get_sharding: asks, never for data */
  TS_OP_IGNORE /* scalars, shard.sharding, free definitions */
} ts_op_kind;

typedef struct ts_op {
  MlirOperation handle;
  ts_op_kind kind;
  int position;  /* in program order */
  double weight; /* how often it runs in one call of the function */
  const ts_rule *rule;
  const ts_op_loops *loops;         /* RULE */
  const ts_loop_sharding *sharding; /* RULE: the solver's choice, never NULL once it is made */
  ts_axes apart;                    /* axes along which loops around it are dealt out */
  const ts_dim *dealt; /* RULE: how each loop is split at least, at a place of a trip; or NULL */
  const ts_dealing *deals; /* FIXED: of a loop whose trips are dealt out; or NULL */
  bool is_given_nothing;   /* RULE: light, of no tensor that is an argument (solve/improve.c) */
  int num_operands, num_results;
  ts_captured captured; /* RULE: the operands behind the op's own, tensors that its regions read */
  ts_value **operands;  /* NULL where not a ranked tensor */
  ts_value **results;
  /* FIXED: the value whose layout an operand must take (a function's argument or result, what it is
   * tied to), NULL where the operand is not a tensor. */
  ts_value **targets;
  const ts_ties *ties; /* FIXED: of its values with those in its regions; NULL if there are none */
  /* RULE, FIXED, WHOLE: the layout each operand is brought to, NULL where not a tensor; the layout
   * each result has before it is brought to the definition's. */
  const ts_sharding **required, **natural;
  struct ts_function *callee; /* func.call */
  struct ts_summary *summary; /* CALL: what the callee does to layouts, once that is settled */
  ts_flow flow;               /* LINK: which way layouts pass */
  bool is_inert;              /* LINK: its ends never change */
  bool is_open;               /* LINK: its sharding is still asked for; it says nothing */
  bool waits;                 /* LINK: of what a loop gives; its layout does not pass back to the
                                 loop, where it could keep a sum from staying partial, before all
                                 else has passed */
} ts_op;

typedef struct ts_op_list {
  MlirOperation *ops;
  int num, max;
} ts_op_list;

/* A dimension of an annotated value whose axes count from a later round on. */
typedef struct ts_late_dim {
  ts_value *value;
  int dim, priority;
  int order; /* among all of the function */
} ts_late_dim;

typedef struct ts_function {
  MlirOperation handle;
  const char *name;
  bool has_body;
  bool is_active;           /* has annotations, or calls one that has */
  bool is_solved_for_calls; /* of others, which have given it layouts (solve/summary.c) */
  bool is_pure;             /* external and marked tessera.pure */
  MlirOperation effect; /* an op with effects that outlive a call, its own or of what it calls; null
                           if there is none or the function is active */
  bool has_collectives; /* itself or what it calls: the program of one device */
  ts_op_list calls;     /* func.call, those inside of other ops included */
  ts_op_list references;    /* func.constant */
  bool is_named;            /* by a call or a reference */
  bool is_recursive;        /* without annotations, and calls itself, directly or through others */
  bool is_judged, is_plain; /* whether ts_is_plain has looked, and what it said */
  bool is_dynamic;          /* some tensor has an extent that only the launch knows */
  const ts_grid *grid;      /* of its annotations */
  int num_arguments, num_results;
  ts_value **arguments; /* NULL where not a ranked tensor */
  ts_value **results;   /* layouts of the results: values of the solver's own */
  ts_late_dim *late;    /* in program order */
  int num_late, max_late;
  ts_op **ops; /* in program order, those inside ops that have ties included */
  int num_ops, max_ops;
  const ts_ties *ties; /* of arguments of its blocks with what branches to them pass */
  int position;        /* in the module */
} ts_function;

typedef enum ts_note_kind {
  TS_NOTE_ALWAYS,
  TS_NOTE_IF_IDLE, /* not told where nothing is lost */
  TS_NOTE_MISTAKE  /* a warning, whatever is lost */
} ts_note_kind;

typedef struct ts_note {
  MlirOperation op;
  const char *text;
  ts_note_kind kind;
} ts_note;

/* What calls of functions without annotations are. */
typedef enum ts_plain_calls { TS_CALLS_WHOLE, TS_CALLS_BY_LAYOUT } ts_plain_calls;

typedef struct ts_model {
  ts_arena *arena;
  ts_arena scratch; /* what reading or solving one op needs: emptied before the next */
  ts_interned interned;
  MlirContext context;
  MlirOperation module;
  ts_grids grids;
  ts_map values;       /* MlirValue -> ts_value */
  ts_map calls;        /* func.call of an active function -> ts_op */
  ts_map symbols;      /* symbol name identifier -> MlirOperation at the top of the module */
  ts_map origins;      /* shard.shard of the source -> what it says, in words (causes.c) */
  ts_map functions;    /* symbol name identifier -> ts_function */
  ts_function **order; /* callees before callers */
  int num_functions;
  ts_note *notes; /* what runs whole and the like, to be told in this order */
  int num_notes, max_notes;
  ts_map *summaries; /* ts_function without annotations -> ts_summary (solve/summary.h) */
  ts_plain_calls plain_calls;
  bool has_plain_calls; /* some op is a TS_OP_CALL */
  bool is_asked;        /* some function has a shard.get_sharding */
  bool calls_inside;    /* an op that runs whole calls an active function */
  /* What solving may do. What only moves elements, in ranges, may be split otherwise than
   * propagation has it, at a price that does not know that moves behind each other are one. */
  bool prices_ranges;
  /* An op may be split along a dimension where its pieces begin at other indices than those of what
   * it reads, so that a part of a piece moves: a reshape to 511 rows over 8 devices. */
  bool moves_borders;
  /* Loops carry nothing partial where completing it in each trip costs less for all values together
   * (solve/partial.h). */
  bool carries_less;
  /* Set for a rehearsal (solve/rehearsal.h): ops are run for pieces where that seems no more, for
   * others may take the same of their operands. */
  bool hopes;
  /* How solving solves one function, for callees that are solved per layout on the way. */
  bool (*solve_function)(struct ts_model *model, ts_function *function);
} ts_model;

/* ---- values and ops -------------------------------------------------------------------------- */

/* Whether it is a sum of parts of trips that are dealt out, behind the loop. */
bool ts_is_dealt_sum(const ts_value *value);
/* The layout in which the op that defines the value naturally has it; NULL if it has none of them.
 */
const ts_sharding *ts_natural_layout(const ts_value *value);
/* What the trips of `op` carry for its result `r`: the result itself, or of a dealt sum the
 * argument of its body; NULL if values of `op` are not tied. */
ts_value *ts_carried_for(const ts_op *op, int r);
/* The value behind an MLIR value, or NULL if it is not a ranked tensor of an active function. */
ts_value *ts_model_value(const ts_model *model, MlirValue value);
/* Operand `i` of an op in the IR: its own, or a tensor that its regions read. */
MlirValue ts_op_operand(const ts_op *op, int i);
void ts_op_set_operand(const ts_op *op, int i, MlirValue value);
/* The op that `call`, a func.call, is in the model, or NULL. */
ts_op *ts_model_call(const ts_model *model, MlirOperation call);
/* The free value that `value` is under annotations, or NULL. */
ts_value *ts_free_source(ts_value *value);
/* Whether some function is active. */
bool ts_model_has_active(const ts_model *model);

/* ---- functions and symbols ------------------------------------------------------------------- */

/* What a func.call of the module calls; NULL if it is not in the module. */
ts_function *ts_callee(const ts_model *model, MlirOperation call);
/* Whether tensors pass as pieces from `caller` to `callee`, both active, and back: on one grid, or
 * on the caller's finer one. Else they pass whole. */
bool ts_passes_pieces(const ts_function *caller, const ts_function *callee);
/* What is called `name` at the top of the module, or null. */
MlirOperation ts_model_symbol(const ts_model *model, MlirStringRef name);
/* Makes `op`, which is new there, known; nothing if it has no name. */
void ts_model_add_symbol(ts_model *model, MlirOperation op);
/* Takes `op`, which nothing names, out of the module. */
void ts_model_drop_symbol(ts_model *model, MlirOperation op);
/* "f.suffix", or "f.suffix2" and so on where something is called that already. */
const char *ts_free_symbol(const ts_model *model, const ts_function *function, const char *suffix);
/* Adds `op` to a list that lives as long as the model. */
void ts_add_op(ts_model *model, ts_op_list *list, MlirOperation op);

/* Erases the blocks of the function, and of ops in it that have ties, that cannot be reached. */
void ts_drop_unreached(const ts_model *model, const ts_function *function);

/* ---- ops of the module ----------------------------------------------------------------------- */

/* The sharding of the annotation `op` is what a shard.get_sharding answers. */
bool ts_is_asked(MlirOperation op);

/* Notes what is to be told at `op` once the layouts are known (solve/told.h). */
void ts_remark(ts_model *model, MlirOperation op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of a dimension that stays whole, which matters where somebody splits it. */
void ts_remark_if_idle(ts_model *model, MlirOperation op, const char *text);
/* Keeps a warning at `op`, whose text lives as long as the model, of what its author meant and did
 * not get. */
void ts_note_mistake(ts_model *model, MlirOperation op, const char *text);

#endif /* TESSERA_PLUGIN_MODEL_MODEL_H */
