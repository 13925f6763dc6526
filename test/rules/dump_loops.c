/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Prints what the rules say about every op of a file: loops, the dimensions that follow them,
 * reductions and terms. With --table, the mistakes of the table itself. It must not know any
 * sharding. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/RegisterEverything.h"

#include "rules/rows.h"
#include "support/ir.h"

static const char *const kind_names[] = {"none", "sum", "max",  "min",  "product", "average", "and",
                                         "or",   "xor", "umax", "umin", "maxnum",  "minnum"};

static void print_extent(int64_t extent) {
  if (extent == TS_DYNAMIC)
    printf("?");
  else
    printf("%lld", (long long)extent);
}

/* [0 0-1 1-2 2, led by 1]: at index 1 of loop 1, places 0 and 1 are read. */
static void print_places(const ts_window *window) {
  for (int64_t i = 0; i < window->num_places; i++) {
    ts_range places = window->places[i];
    printf("%s%lld", i ? " " : "", (long long)places.first);
    if (places.end > places.first + 1)
      printf("-%lld", (long long)places.end - 1);
  }
  printf(", led by %d", window->leader - 1);
}

/* [2*1(3) + 1*4(15) + 1 of 17, led by 1]: at twice the index of loop 1, plus that of loop 4, plus
 * 1; 3 indices for each iteration of loop 1, 15 for each of loop 4, 17 in all; split along loop 1.
 * "all and 3": that loop runs over all of it, and 3 more. */
static void print_window(const ts_op_loops *loops, const ts_window *window) {
  if (window->num_places) {
    print_places(window);
    return;
  }
  for (int i = 0; i < window->num_steps; i++) {
    const ts_window_step *step = &window->steps[i];
    printf("%s%lld*%d(", i ? " + " : "", (long long)step->stride, step->loop);
    print_extent(ts_window_extent(loops, window, step->loop));
    printf(")");
  }
  if (window->offset)
    printf(" %c %lld", window->offset < 0 ? '-' : '+', llabs((long long)window->offset));
  printf(" of ");
  print_extent(ts_window_extent(loops, window, -1));
  if (window->every > 1)
    printf(", every %lld", (long long)window->every);
  if (window->leader)
    printf(", led by %d", window->leader - 1);
  if (window->adds_up)
    printf(", all and %lld", (long long)window->added);
}

static void print_dims(const ts_op_loops *loops, const ts_port *port) {
  for (int d = 0; d < port->rank; d++) {
    printf("[");
    if (port->dims[d].window)
      print_window(loops, port->dims[d].window);
    for (int i = 0; i < port->dims[d].num_loops; i++)
      printf("%s%d", i ? " " : "", port->dims[d].loops[i]);
    printf("]");
  }
  printf(port->is_tensor ? "" : "scalar");
}

static void print_ports(const ts_op_loops *loops, const char *what, int num, const ts_port *ports) {
  printf("  %s:", what);
  for (int i = 0; i < num; i++) {
    printf(i ? ", " : " ");
    print_dims(loops, &ports[i]);
  }
  printf("\n");
}

static void print_set(uint32_t set) {
  printf("{");
  const char *comma = "";
  for (int i = 0; i < TS_MAX_TERM_OPERANDS; i++)
    if (set >> i & 1) {
      printf("%s%d", comma, i);
      comma = ",";
    }
  printf("}");
}

static void print_result(const ts_op_loops *loops, int r) {
  const ts_terms *terms = &loops->terms[r];
  printf("  result %d: reduces %s, init %d%s, ", r, kind_names[loops->result_reduction[r]],
         loops->result_init[r], loops->init_is_read[r] ? " read" : "");
  if (!terms->num_terms) {
    printf("complete operands\n");
    return;
  }
  printf("%s of", kind_names[terms->kind]);
  for (int t = 0; t < terms->num_terms; t++) {
    printf(" ");
    print_set(terms->sets[t]);
  }
  if (terms->must_be_complete) {
    printf(" with complete ");
    print_set(terms->must_be_complete);
  }
  printf("\n");
}

static void print_loops(const ts_op_loops *loops) {
  static const char *const names[] = {"parallel", "reduction", "lookup", "choice", "scan", "whole"};
  printf("  loops:");
  for (int l = 0; l < loops->num_loops; l++) {
    printf("%s %d %s ", l ? "," : "", l, names[loops->loops[l].kind]);
    print_extent(loops->loops[l].size);
  }
  printf("\n");
  print_ports(loops, "operands", loops->num_operands, loops->operands);
  print_ports(loops, "results", loops->num_results, loops->results);
  for (int r = 0; r < loops->num_results; r++)
    print_result(loops, r);
}

static bool has_tensor_result(MlirOperation op) {
  return mlirOperationGetNumResults(op) > 0 &&
         mlirTypeIsATensor(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static void print_free(MlirValue value) {
  printf("  free");
  for (int kind = TS_SUM; kind <= TS_MINNUM; kind++)
    if (ts_free_is_neutral(value, (ts_reduction)kind))
      printf(" %s", kind_names[kind]);
  printf("\n");
}

static MlirWalkResult print_op(MlirOperation op, void *user) {
  ts_arena *arena = user;
  if (!has_tensor_result(op))
    return MlirWalkResultAdvance;
  printf("%s\n", ts_op_name(op));
  if (ts_is_free(mlirOperationGetResult(op, 0))) {
    print_free(mlirOperationGetResult(op, 0));
    return MlirWalkResultSkip;
  }
  const ts_rule *rule = ts_rule_find(op);
  ts_op_loops loops;
  const char *reason = NULL, *remark = NULL;
  if (rule && rule->loops(arena, op, &loops, &reason, &remark))
    print_loops(&loops);
  else
    printf("  no rule%s%s\n", reason ? ": " : "", reason ? reason : "");
  if (remark)
    printf("  remark: %s\n", remark);
  return MlirWalkResultSkip;
}

static void print_name(MlirOperation function) {
  MlirStringRef name = mlirStringAttrGetValue(ts_attribute(function, "sym_name"));
  printf("@%.*s\n", (int)name.length, name.data);
}

static MlirStringRef read_all(ts_arena *arena, FILE *file) {
  size_t size = 0, capacity = 1 << 20;
  char *text = ts_arena_alloc(arena, capacity);
  for (size_t n; size < capacity && (n = fread(text + size, 1, capacity - size, file)) > 0;)
    size += n;
  return mlirStringRefCreate(text, size);
}

/* What is looked up by bisection has to be sorted, and be an op's name. */
static bool check_table(MlirContext context) {
  int mistakes = 0;
  mlirContextLoadAllAvailableDialects(context);
  for (int i = 0; i < ts_num_rules; i++) {
    const char *name = ts_rules[i].op;
    if (!mlirContextIsRegisteredOperation(context, mlirStringRefCreateFromCString(name)))
      mistakes += printf("FAIL: %s is a row but no op\n", name) > 0;
    if (i > 0 && strcmp(ts_rules[i - 1].op, name) >= 0)
      mistakes += printf("FAIL: %s is not sorted behind %s\n", name, ts_rules[i - 1].op) > 0;
  }
  printf("%d rows, %d mistakes\n", ts_num_rules, mistakes);
  return mistakes == 0;
}

static bool print_rules(MlirContext context) {
  ts_arena arena = {0};
  MlirModule module = mlirModuleCreateParse(context, read_all(&arena, stdin));
  bool parsed = !mlirModuleIsNull(module);
  if (parsed) {
    MlirBlock body = mlirModuleGetBody(module);
    for (MlirOperation function = mlirBlockGetFirstOperation(body); function.ptr;
         function = mlirOperationGetNextInBlock(function)) {
      print_name(function);
      mlirOperationWalk(function, print_op, &arena, MlirWalkPreOrder);
    }
    mlirModuleDestroy(module);
  }
  ts_arena_free(&arena);
  return parsed;
}

int main(int argc, char **argv) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  bool table = argc > 1 && strcmp(argv[1], "--table") == 0;
  bool good = table ? check_table(context) : print_rules(context);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return good ? 0 : 1;
}
