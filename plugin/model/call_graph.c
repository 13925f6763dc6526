/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Who calls whom: functions in call order, and what is true of all that call each other. It knows
 * what a function contains; it must not know what its ops mean. */
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

#include "collectives/collectives.h"
#include "model/call_graph.h"
#include "model/effects.h"
#include "model/signature.h"
#include "support/diagnostics.h"

/* A function in the search for strongly connected components: Tarjan, "Depth-first search and
 * linear graph algorithms", 1972; with a stack of its own, because chains of calls can be long. */
typedef struct node {
  ts_function *function;
  MlirOperation annotation;     /* the one that says the grid, null if none */
  const ts_grid *grid;          /* of a function whose annotations are gone; NULL for others */
  MlirOperation manual;         /* the first tessera.manual, null if none was looked at */
  MlirOperation recursive_call; /* the first of what reaches this function again, null if none */
  bool has_collectives;
  int number;          /* in the order of discovery, from 1; 0 if not seen */
  int low;             /* the least number that is known to be in the same component */
  int component;       /* from 1; 0 as long as it is on the stack */
  int next_call;       /* to look at */
  struct node *caller; /* on the path from the root of the search */
} node;

typedef struct graph {
  ts_model *model;
  node *nodes;  /* as functions stand in the module */
  node **stack; /* seen, and in no component yet */
  node **order; /* as model->order */
  int num_on_stack, num_seen, num_components;
  bool annotated; /* any function */
  bool complete;  /* the calls of annotated functions are known too */
  bool failed;
} graph;

/* ---- what a function contains ---------------------------------------------------------------- */

typedef struct scan {
  graph *graph;
  node *node;
} scan;

/* Whether `op` says better than `before`, which may be null, on which grid a function is: the
 * finest of its grids. */
static bool is_better(const ts_grids *grids, MlirOperation before, MlirOperation op) {
  if (!before.ptr || ts_is_asked(before))
    return true;
  if (grids->num == 1 || ts_is_asked(op))
    return false;
  const ts_grid *coarse = ts_annotation_grid(grids, before), *fine = ts_annotation_grid(grids, op);
  return coarse && fine && ts_grid_refines(fine, coarse);
}

/* Looks at most ops at no more than the first letters of the name, and at none after an annotation
 * that says the grid, if there is one grid: what is in annotated functions read_function.c finds,
 * which reads all of it. */
static MlirWalkResult scan_op(MlirOperation op, void *user) {
  scan *s = user;
  node *n = s->node;
  ts_model *model = s->graph->model;
  const char *name = ts_op_name(op);
  if (strcmp(name, "shard.shard") == 0) {
    bool asked = ts_is_asked(op);
    if (is_better(&model->grids, n->annotation, op))
      n->annotation = op;
    return asked || model->grids.num > 1 ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
  }
  if (strcmp(name, "func.call") == 0)
    ts_add_op(model, &n->function->calls, op);
  else if (strcmp(name, "func.constant") == 0)
    ts_add_op(model, &n->function->references, op);
  else if (strcmp(name, "shard.get_sharding") == 0)
    model->is_asked = true;
  else if (strcmp(name, "tessera.manual") == 0 && !n->manual.ptr)
    n->manual = op;
  else if (ts_collective_of(op))
    n->has_collectives = true;
  return MlirWalkResultAdvance;
}

static void read_node(graph *g, ts_function *function) {
  node *n = &g->nodes[function->position];
  n->function = function;
  scan s = {.graph = g, .node = n};
  mlirOperationWalk(function->handle, scan_op, &s, MlirWalkPreOrder);
  if (!n->annotation.ptr && function->has_body)
    n->grid = ts_propagated_grid(&g->model->grids, function->handle);
  if (!n->annotation.ptr && !n->grid)
    return;
  g->annotated = true;
  function->calls.num = 0;
}

static MlirWalkResult find_effect(MlirOperation op, void *user) {
  const scan *s = user;
  if (!ts_has_lasting_effect(s->graph->model, op))
    return MlirWalkResultAdvance;
  s->node->function->effect = op;
  return MlirWalkResultInterrupt;
}

/* ---- what is true of a component ------------------------------------------------------------- */

/* NULL if it is not in the module. */
static node *callee_of(const graph *g, MlirOperation call) {
  const ts_function *callee = ts_callee(g->model, call);
  return callee ? &g->nodes[callee->position] : NULL;
}

/* The grid of the annotation `op`, or NULL after a located error. */
static const ts_grid *grid_of(graph *g, MlirOperation op) {
  const ts_sharding *sharding = ts_annotation_read(&g->model->grids, op, NULL);
  g->failed |= !sharding;
  return sharding ? sharding->grid : NULL;
}

/* Adds to `all` what is true of `n` by itself and by its calls of other components. */
static void add_facts(graph *g, const node *n, ts_function *all) {
  all->has_collectives |= n->has_collectives;
  for (int i = 0; i < n->function->calls.num; i++) {
    const node *callee = callee_of(g, n->function->calls.ops[i]);
    if (!callee || callee->component == n->component)
      continue;
    all->is_active |= callee->function->is_active;
    all->has_collectives |= callee->function->has_collectives;
    if (callee->function->is_active)
      all->grid = callee->function->grid;
  }
  if (n->grid) {
    all->is_active = true;
    all->grid = n->grid;
  }
  if (n->annotation.ptr) {
    all->is_active = true;
    all->grid = grid_of(g, n->annotation);
  }
}

/* The first op of `n`, or of what it calls in other components, with effects that outlive a call.
 */
static MlirOperation effect_of(graph *g, node *n) {
  ts_function *function = n->function;
  scan s = {.graph = g, .node = n};
  if (function->has_body)
    mlirOperationWalk(function->handle, find_effect, &s, MlirWalkPreOrder);
  for (int i = 0; i < function->calls.num && !function->effect.ptr; i++) {
    const node *callee = callee_of(g, function->calls.ops[i]);
    if (!callee || (!callee->function->has_body && !callee->function->is_pure))
      function->effect = function->calls.ops[i];
    else if (callee->component != n->component)
      function->effect = callee->function->effect;
  }
  return function->effect;
}

/* The members of a component are `order[first]` to the last in order. */
static void check_recursion(graph *g, int first) {
  for (int i = g->model->num_functions; i-- > first;) {
    MlirOperation call = g->order[i]->recursive_call;
    if (!call.ptr)
      continue;
    ts_error(call,
             "recursive call of @%s, which is annotated or calls what is: shardings of recursive "
             "functions are not defined; unroll the recursion or remove the annotations",
             ts_callee(g->model, call)->name);
    g->failed = true;
    return;
  }
}

static void judge_component(graph *g, int first) {
  ts_function all = {0};
  int end = g->model->num_functions;
  for (int i = first; i < end; i++) {
    add_facts(g, g->order[i], &all);
    all.is_recursive |= g->order[i]->recursive_call.ptr != NULL;
  }
  all.grid = ts_grids_refined(&g->model->grids, all.grid);
  for (int i = first; i < end && g->annotated && !all.is_active && !all.effect.ptr; i++)
    all.effect = effect_of(g, g->order[i]);
  for (int i = first; i < end; i++) {
    ts_function *function = g->order[i]->function;
    function->is_active = all.is_active;
    function->has_collectives = all.has_collectives;
    function->grid = all.grid;
    function->effect = all.effect;
    function->is_recursive = all.is_recursive;
  }
}

/* ---- the search ------------------------------------------------------------------------------ */

static void enter(graph *g, node *n, node *caller) {
  n->number = n->low = ++g->num_seen;
  n->caller = caller;
  g->stack[g->num_on_stack++] = n;
}

/* The component of `root`, the first of it that was seen, is complete. */
static void close_component(graph *g, const node *root) {
  ts_model *model = g->model;
  int first = model->num_functions;
  g->num_components++;
  for (node *n = NULL; n != root;) {
    n = g->stack[--g->num_on_stack];
    n->component = g->num_components;
    g->order[model->num_functions] = n;
    model->order[model->num_functions++] = n->function;
  }
  if (!g->complete)
    judge_component(g, first);
  else if (root->function->is_active)
    check_recursion(g, first);
}

/* Looks at the next call of `n`; returns where the search goes on. */
static node *follow_call(graph *g, node *n) {
  MlirOperation call = n->function->calls.ops[n->next_call++];
  node *callee = callee_of(g, call);
  if (!callee)
    return n;
  callee->function->is_named = true;
  if (!callee->number) {
    enter(g, callee, n);
    return callee;
  }
  if (callee->component)
    return n;
  if (callee->number < n->low)
    n->low = callee->number;
  if (!n->recursive_call.ptr)
    n->recursive_call = call;
  return n;
}

static node *leave(graph *g, node *n) {
  node *caller = n->caller;
  if (n->low == n->number)
    close_component(g, n);
  else if (n->low < caller->low)
    caller->low = n->low;
  return caller;
}

static void search(graph *g, node *root) {
  enter(g, root, NULL);
  for (node *at = root; at;)
    at = at->next_call < at->function->calls.num ? follow_call(g, at) : leave(g, at);
}

/* ---- references ------------------------------------------------------------------------------ */

/* A reference to a function is one to its signature, which partitioning changes. */
static bool check_reference(const ts_model *model, MlirOperation op) {
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(ts_attribute(op, "value"));
  ts_function *function =
      ts_map_get(&model->functions, mlirIdentifierGet(model->context, name).ptr);
  if (function)
    function->is_named = true;
  if (!function || !function->is_active)
    return true;
  ts_error(op,
           "reference to @%s, which is annotated or calls what is: its arguments and results "
           "become pieces; call it by name, with func.call",
           function->name);
  return false;
}

static graph new_graph(ts_model *model, int num) {
  model->order = TS_NEW(model->arena, ts_function *, num);
  model->num_functions = 0;
  return (graph){.model = model,
                 .nodes = TS_NEW(model->arena, node, num),
                 .stack = TS_NEW(model->arena, node *, num),
                 .order = TS_NEW(model->arena, node *, num)};
}

static void search_all(graph *g, int num) {
  for (int i = 0; i < num; i++)
    if (!g->nodes[i].number)
      search(g, &g->nodes[i]);
}

/* A program of one device gets its pieces from an annotated function: on which grid, and that there
 * are pieces, only annotations say. */
static void check_manual(graph *g, const node *n) {
  if (n->function->is_active || !n->manual.ptr)
    return;
  ts_error(n->manual,
           "'tessera.manual' in @%s, which has no annotations: expected a `shard.shard` of one of "
           "the function's tensors, which says on which grid it runs",
           n->function->name);
  g->failed = true;
}

bool ts_find_active(ts_model *model, int num, ts_function *const *functions) {
  graph g = new_graph(model, num);
  for (int i = 0; i < num; i++)
    read_node(&g, functions[i]);
  search_all(&g, num);
  for (int i = 0; i < num; i++)
    check_manual(&g, &g.nodes[i]);
  /* Reading finds them again, as far as they are ever reached. */
  for (int i = 0; i < num; i++)
    if (functions[i]->is_active)
      functions[i]->calls.num = functions[i]->references.num = 0;
  return !g.failed;
}

bool ts_order_calls(ts_model *model, int num, ts_function *const *functions) {
  graph g = new_graph(model, num);
  g.complete = true;
  for (int i = 0; i < num; i++)
    g.nodes[i].function = functions[i];
  search_all(&g, num);
  for (int i = 0; i < num; i++)
    for (int k = 0; k < functions[i]->references.num; k++)
      g.failed |= !check_reference(model, functions[i]->references.ops[k]);
  return !g.failed;
}
