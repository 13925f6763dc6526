/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Gradients: from the last step of a computation to the first, each says what it means for its
 * inputs. It knows steps; it must not know what any computes. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "function.h"
#include "nest.h"
#include "support/ir.h"
#include "support/map.h"

MlirValue ts_note(tessera_layers *layers, const ts_node *node) {
  layers->nodes = ts_arena_grow(&layers->arena, layers->nodes, layers->num_nodes,
                                &layers->max_nodes, sizeof(*layers->nodes));
  layers->nodes[layers->num_nodes++] = *node;
  return node->result;
}

/* ---- what depends on what -------------------------------------------------------------------- */

/* Of one walk: what is known of each value that a step reads or makes. */
typedef struct mark {
  MlirValue value;
  bool is_asked;      /* the gradient by it is asked for */
  bool is_wanted;     /* it is asked for, or depends on what is */
  bool is_made;       /* by a step */
  bool is_needed;     /* for the value whose gradients these are */
  MlirValue gradient; /* so far; null: none */
} mark;

typedef struct walk {
  tessera_layers *layers;
  int num, max;
  mark *marks;
  ts_map known; /* value -> mark's number, from 1 */
} walk;

static mark *mark_of(walk *w, MlirValue value) {
  size_t number = (size_t)ts_map_get(&w->known, value.ptr);
  if (number)
    return &w->marks[number - 1];
  ts_arena *arena = &w->layers->arena;
  w->marks = ts_arena_grow(arena, w->marks, w->num, &w->max, sizeof(*w->marks));
  w->marks[w->num] = (mark){.value = value};
  ts_map_set(&w->known, arena, value.ptr, (void *)(size_t)++w->num);
  return &w->marks[w->num - 1];
}

static void find_wanted(walk *w, int num_nodes, int32_t num, const MlirValue *by) {
  for (int32_t i = 0; i < num; i++)
    mark_of(w, by[i])->is_asked = mark_of(w, by[i])->is_wanted = true;
  for (int n = 0; n < num_nodes; n++) {
    const ts_node *node = &w->layers->nodes[n];
    bool is_wanted = false;
    for (int i = 0; i < node->num_inputs; i++)
      is_wanted |= mark_of(w, node->inputs[i])->is_wanted;
    mark_of(w, node->result)->is_made = true;
    mark_of(w, node->result)->is_wanted |= is_wanted;
  }
}

/* ---- the walk -------------------------------------------------------------------------------- */

static MlirValue sum(tessera_layers *layers, MlirValue a, MlirValue b) {
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(a));
  return ts_nest_build(layers, &(ts_layer_nest){.num_loops = rank,
                                                .num_inputs = 2,
                                                .inputs = {a, b},
                                                .to = ts_loops(rank),
                                                .type = mlirValueGetType(a),
                                                .element = ts_plus});
}

static void go_through(walk *w, const ts_node *node) {
  MlirValue by_result = mark_of(w, node->result)->gradient, by_inputs[TS_NODE_INPUTS] = {{NULL}};
  bool wanted[TS_NODE_INPUTS], any = false;
  for (int i = 0; i < node->num_inputs; i++)
    any |= wanted[i] = mark_of(w, node->inputs[i])->is_wanted;
  if (!by_result.ptr || !any)
    return;
  node->gradient(w->layers, node, by_result, wanted, by_inputs);
  for (int i = 0; i < node->num_inputs; i++) {
    mark *input = mark_of(w, node->inputs[i]);
    if (wanted[i] && by_inputs[i].ptr)
      input->gradient =
          input->gradient.ptr ? sum(w->layers, input->gradient, by_inputs[i]) : by_inputs[i];
  }
}

/* A value that an op of the function made, of which no step tells how. */
static bool is_foreign(const mark *mark) {
  if (mark->is_made || mark->is_asked || !mlirValueIsAOpResult(mark->value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(mark->value);
  bool is_argument =
      ts_op_is(op, "shard.shard") && mlirValueIsABlockArgument(mlirOperationGetOperand(op, 0));
  return !is_argument && !ts_op_is(op, "arith.constant");
}

/* Ops that are no layers would take part in the gradient without its knowing. */
static bool check_known(walk *w, MlirValue value) {
  mark *mark = mark_of(w, value);
  mark->is_needed = true;
  if (!is_foreign(mark))
    return true;
  ts_layers_fail(w->layers,
                 "a gradient goes through a '%s' that no layer made: expected layers "
                 "alone, or its result among the values asked for",
                 ts_op_name(mlirOpResultGetOwner(value)));
  return false;
}

static bool all_known(walk *w, int num_nodes, MlirValue of) {
  if (!check_known(w, of))
    return false;
  for (int n = num_nodes - 1; n >= 0; n--) {
    const ts_node *node = &w->layers->nodes[n];
    if (!mark_of(w, node->result)->is_needed)
      continue;
    for (int i = 0; i < node->num_inputs; i++)
      if (!check_known(w, node->inputs[i]))
        return false;
  }
  return true;
}

static bool take(walk *w, int32_t num, const MlirValue *by, MlirValue *gradients) {
  for (int32_t i = 0; i < num; i++) {
    gradients[i] = mark_of(w, by[i])->gradient;
    if (mlirValueIsNull(gradients[i])) {
      ts_layers_fail(w->layers, "the gradient by value %d is asked for, on which nothing depends",
                     i);
      return false;
    }
  }
  return true;
}

static bool seed_fits(tessera_layers *layers, MlirValue of, MlirValue seed) {
  if (mlirTypeEqual(mlirValueGetType(of), mlirValueGetType(seed)))
    return true;
  char expected[128], found[128];
  ts_type_text(mlirValueGetType(of), expected, sizeof(expected));
  ts_type_text(mlirValueGetType(seed), found, sizeof(found));
  ts_layers_fail(layers, "the seed of a gradient is a %s: expected a %s", found, expected);
  return false;
}

static bool walk_back(tessera_layers *layers, MlirValue of, MlirValue seed, int32_t num,
                      const MlirValue *by, MlirValue *gradients) {
  walk w = {.layers = layers};
  int num_nodes = layers->num_nodes; /* gradients make no steps */
  find_wanted(&w, num_nodes, num, by);
  mark_of(&w, of)->gradient = seed;
  if (!all_known(&w, num_nodes, of))
    return false;
  for (int n = num_nodes - 1; n >= 0; n--)
    go_through(&w, &layers->nodes[n]);
  return take(&w, num, by, gradients);
}

MlirValue tessera_layers_constant(tessera_layers *layers, MlirType type, double value) {
  if (!ts_layers_good(layers, 0, NULL))
    return (MlirValue){NULL};
  if (mlirTypeIsNull(type))
    type = ts_layers_tensor(layers, 0, NULL);
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(type), layers->element))
    return ts_layers_fail(layers, "a constant of layers is a tensor of known dimensions, of their "
                                  "element type");
  ts_maker build = ts_layers_build(layers);
  MlirAttribute element = mlirFloatAttrDoubleGet(layers->context, layers->element, value);
  return ts_make_constant(&build, mlirDenseElementsAttrSplatGet(type, element));
}

bool tessera_layers_gradient(tessera_layers *layers, MlirValue of, MlirValue seed, int32_t num,
                             const MlirValue *by, MlirValue *gradients) {
  if (gradients)
    for (int32_t i = 0; i < num; i++)
      gradients[i] = (MlirValue){NULL};
  if (!ts_layers_good(layers, 1, &of))
    return false;
  if (num < 0 || (num > 0 && (!by || !gradients))) {
    ts_layers_fail(layers, "%d gradients: expected 0 or more, and the values by which", num);
    return false;
  }
  if (!ts_layers_good(layers, num, by) || !ts_layers_check(layers, of, 0, "what has a gradient"))
    return false;
  if (mlirValueIsNull(seed))
    seed = tessera_layers_constant(layers, mlirValueGetType(of), 1.0);
  return seed_fits(layers, of, seed) && walk_back(layers, of, seed, num, by, gradients);
}
