/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that say themselves how they may be split, by the attribute tessera.rule: a letter for each
 * dimension of each operand and result. It knows this notation; it must not know any op. */
#include <ctype.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "rules/build_loops.h"
#include "rules/rows.h"
#include "sharding/notation.h"

enum { NUM_LETTERS = 256, NONE = -1 };

typedef struct parser {
  ts_arena *arena;
  ts_op_loops *out;
  const char *at, *end;
  const char *mistake;                             /* the first; NULL as long as there is none */
  int loops[NUM_LETTERS];                          /* of each letter, or NONE */
  int operands[NUM_LETTERS], results[NUM_LETTERS]; /* that have the letter */
} parser;

static bool fail(parser *p, const char *mistake) {
  if (!p->mistake)
    p->mistake = mistake;
  return false;
}

static void skip_blanks(parser *p) {
  while (p->at < p->end && *p->at == ' ')
    p->at++;
}

static bool takes(parser *p, const char *text) {
  skip_blanks(p);
  size_t length = strlen(text);
  if ((size_t)(p->end - p->at) < length || memcmp(p->at, text, length) != 0)
    return false;
  p->at += length;
  return true;
}

/* ---- dimensions ------------------------------------------------------------------------------ */

static bool follows(const ts_port *port, int loop) {
  for (int d = 0; d < port->rank; d++)
    if (port->dims[d].num_loops && port->dims[d].loops[0] == loop)
      return true;
  return false;
}

/* Dimension `d` of `port`, of extent `size`, is the letter that stands here. */
static bool read_letter(parser *p, ts_port *port, int d, int64_t size, bool is_result) {
  skip_blanks(p);
  if (p->at == p->end || !(isalpha((unsigned char)*p->at) || *p->at == '.'))
    return fail(p, "expected a letter, or '.', for each dimension");
  unsigned char letter = (unsigned char)*p->at++;
  if (letter == '.')
    return true;
  if (p->loops[letter] == NONE)
    p->loops[letter] = ts_ports_add_loop(p->out, TS_LOOP_PARALLEL, size);
  int loop = p->loops[letter];
  int64_t known = p->out->loops[loop].size;
  if (follows(port, loop))
    return fail(p, "a letter stands for two dimensions of one tensor");
  if (size != TS_DYNAMIC && known != TS_DYNAMIC && size != known)
    return fail(p, "a letter stands for dimensions of different extents");
  ts_ports_follow(p->arena, p->out, port, d, loop, size);
  (is_result ? p->results : p->operands)[letter]++;
  return true;
}

static bool read_ports(parser *p, ts_port *ports, int num, MlirOperation op, bool are_results) {
  for (int i = 0; i < num; i++) {
    if (i > 0 && !takes(p, ","))
      return fail(p, "expected ',' between operands and between results");
    MlirValue value = are_results ? mlirOperationGetResult(op, i) : mlirOperationGetOperand(op, i);
    const int64_t *shape =
        ports[i].is_tensor ? ts_shape_of(p->arena, mlirValueGetType(value)) : NULL;
    for (int d = 0; d < ports[i].rank; d++)
      if (!read_letter(p, &ports[i], d, shape[d], are_results))
        return false;
  }
  return true;
}

/* ---- reductions ------------------------------------------------------------------------------ */

static ts_reduction read_kind(parser *p) {
  skip_blanks(p);
  const char *start = p->at;
  while (p->at < p->end && isalpha((unsigned char)*p->at))
    p->at++;
  size_t length = (size_t)(p->at - start);
  for (int kind = TS_REDUCTION_NONE + 1; kind <= TS_MINNUM; kind++) {
    const char *name = ts_reduction_text((ts_reduction)kind);
    if (strlen(name) == length && memcmp(name, start, length) == 0)
      return (ts_reduction)kind;
  }
  return TS_REDUCTION_NONE;
}

/* "k = sum, l = sum". */
static bool read_reductions(parser *p) {
  do {
    skip_blanks(p);
    unsigned char letter = p->at < p->end ? (unsigned char)*p->at++ : 0;
    if (p->loops[letter] == NONE || p->results[letter])
      return fail(p, "expected a letter of operands that no result has");
    ts_reduction kind = takes(p, "=") ? read_kind(p) : TS_REDUCTION_NONE;
    if (!kind)
      return fail(p, "expected '=' and a kind of reduction behind the letter (k = sum)");
    if (kind == TS_AVERAGE)
      return fail(p, "averages of pieces do not make the average of all: expected a sum");
    for (int r = 0; r < p->out->num_results; r++) {
      ts_reduction other = p->out->result_reduction[r];
      if (!p->out->results[r].is_tensor)
        return fail(p, "expected results that are tensors where devices combine them (tensor<f32> "
                       "for a number)");
      if (other && other != kind)
        return fail(p, "expected one kind of reduction");
      p->out->result_reduction[r] = kind;
    }
    p->out->loops[p->loops[letter]].kind = TS_LOOP_REDUCTION;
  } while (takes(p, ","));
  return true;
}

/* Letters that not all results have, and that no reduction combines, stay whole; and those that no
 * operand has: an op on pieces could not know which part is its own. */
static void keep_whole(parser *p) {
  for (int letter = 0; letter < NUM_LETTERS; letter++) {
    if (p->loops[letter] == NONE)
      continue;
    ts_loop *loop = &p->out->loops[p->loops[letter]];
    if (loop->kind == TS_LOOP_PARALLEL &&
        (p->results[letter] < p->out->num_results || !p->operands[letter]))
      loop->kind = TS_LOOP_WHOLE;
  }
}

static bool read_rule(parser *p, MlirOperation op) {
  if (!read_ports(p, p->out->operands, p->out->num_operands, op, false))
    return false;
  if (!takes(p, "->"))
    return fail(p, "expected '->' behind the operands");
  if (!read_ports(p, p->out->results, p->out->num_results, op, true))
    return false;
  if (takes(p, ";") && !read_reductions(p))
    return false;
  skip_blanks(p);
  return p->at == p->end || fail(p, "expected nothing more behind the rule");
}

bool ts_foreign_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                      const char **remark) {
  (void)remark;
  if (mlirOperationGetNumRegions(op) != 0) {
    *reason = "its tessera.rule says nothing of what its regions read";
    return false;
  }
  if (!ts_ports_init(arena, op, NUM_LETTERS, out, reason))
    return false;
  MlirAttribute rule = ts_attribute(op, TS_RULE);
  MlirStringRef text = mlirAttributeIsAString(rule) ? mlirStringAttrGetValue(rule)
                                                    : mlirStringRefCreateFromCString("");
  parser p = {.arena = arena, .out = out, .at = text.data, .end = text.data + text.length};
  for (int letter = 0; letter < NUM_LETTERS; letter++)
    p.loops[letter] = NONE;
  if (!read_rule(&p, op)) {
    *reason = ts_arena_format(arena, "its tessera.rule cannot be read: %s", p.mistake);
    return false;
  }
  keep_whole(&p);
  return true;
}
