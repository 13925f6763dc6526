/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* PTX as a compiler writes it, to instructions. What is not known is an error with its line.
 * It must not know how they are done. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

/* ---- the reader ------------------------------------------------------------------------------ */

typedef struct name {
  char text[256];
  uint64_t value; /* a register's slot, a label's instruction, an address in its space */
} name;

typedef struct names {
  name *rows;
  int32_t count, capacity;
} names;

typedef struct reader {
  const char *at;
  int32_t line;
  bool has_failed;
  char *message;
  size_t capacity;
  ptx_place_global *place_global;
  ptx_module *module;
  names symbols;           /* of the module */
  ptx_kernel *kernel;      /* being read */
  names registers, labels; /* of it */
  names tables;            /* of brx.idx: where in `targets` */
  char (*targets)[256];
  int32_t num_targets, code_capacity;
} reader;

static bool fail(reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(reader *reader, const char *format, ...) {
  va_list arguments;
  if (reader->has_failed)
    return false;
  reader->has_failed = true;
  int used = snprintf(reader->message, reader->capacity, "line %d: ", reader->line);
  va_start(arguments, format);
  vsnprintf(reader->message + used, reader->capacity - (size_t)used, format, arguments);
  va_end(arguments);
  return false;
}

static void *grow(void *rows, size_t count, size_t size) {
  void *grown = realloc(rows, count * size);
  if (!grown)
    abort();
  return grown;
}

static name *add_name(names *names, const char *text, uint64_t value) {
  if (names->count == names->capacity) {
    names->capacity = names->capacity ? 2 * names->capacity : 64;
    names->rows = grow(names->rows, (size_t)names->capacity, sizeof(*names->rows));
  }
  name *added = &names->rows[names->count++];
  snprintf(added->text, sizeof(added->text), "%s", text);
  added->value = value;
  return added;
}

static const name *find_name(const names *names, const char *text) {
  for (int32_t i = names->count - 1; i >= 0; i--)
    if (strcmp(names->rows[i].text, text) == 0)
      return &names->rows[i];
  return NULL;
}

static void skip(reader *reader) {
  for (;; reader->at++) {
    if (reader->at[0] == '/' && reader->at[1] == '/')
      while (*reader->at && *reader->at != '\n')
        reader->at++;
    if (reader->at[0] == '/' && reader->at[1] == '*')
      while (*reader->at && !(reader->at[0] == '*' && reader->at[1] == '/')) {
        reader->line += *reader->at == '\n';
        reader->at++;
      }
    if (reader->at[0] == '*' && reader->at[1] == '/') {
      reader->at++;
      continue;
    }
    if (*reader->at == '\n')
      reader->line++;
    else if (!isspace((unsigned char)*reader->at))
      return;
    if (!*reader->at)
      return;
  }
}

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.' || c == '@';
}

/* A word, or one character that is none; "" at the end. */
static const char *next_token(reader *reader, char *token) {
  enum { LONGEST = 255 };
  int length = 0;
  skip(reader);
  if (*reader->at == '-' || is_word(*reader->at)) {
    do
      token[length++] = *reader->at++;
    while (is_word(*reader->at) && length < LONGEST);
  } else if (*reader->at) {
    token[length++] = *reader->at++;
  }
  token[length] = '\0';
  return token;
}

static char peek(reader *reader) {
  skip(reader);
  return *reader->at;
}

static bool expect(reader *reader, char wanted) {
  char token[256];
  next_token(reader, token);
  return (token[0] == wanted && !token[1]) ||
         fail(reader, "expected '%c', found '%s'", wanted, token);
}

/* The end of the line stays: it is counted. */
static void skip_to(reader *reader, char wanted) {
  while (*reader->at && *reader->at != wanted)
    reader->at++;
  if (*reader->at && wanted != '\n')
    reader->at++;
}

/* ---- types ----------------------------------------------------------------------------------- */

static bool type_of(const char *word, ptx_type *type) {
  static const struct {
    const char *word;
    ptx_type type;
  } types[] = {{"pred", {1, CLASS_BITS, 1}},       {"b8", {8, CLASS_BITS, 1}},
               {"b16", {16, CLASS_BITS, 1}},       {"b32", {32, CLASS_BITS, 1}},
               {"b64", {64, CLASS_BITS, 1}},       {"u8", {8, CLASS_UNSIGNED, 1}},
               {"u16", {16, CLASS_UNSIGNED, 1}},   {"u32", {32, CLASS_UNSIGNED, 1}},
               {"u64", {64, CLASS_UNSIGNED, 1}},   {"s8", {8, CLASS_SIGNED, 1}},
               {"s16", {16, CLASS_SIGNED, 1}},     {"s32", {32, CLASS_SIGNED, 1}},
               {"u16x2", {32, CLASS_UNSIGNED, 2}}, {"s16x2", {32, CLASS_SIGNED, 2}},
               {"s64", {64, CLASS_SIGNED, 1}},     {"f16", {16, CLASS_FLOAT, 1}},
               {"f32", {32, CLASS_FLOAT, 1}},      {"f64", {64, CLASS_FLOAT, 1}},
               {"bf16", {16, CLASS_BF16, 1}},      {"f16x2", {32, CLASS_FLOAT, 2}},
               {"bf16x2", {32, CLASS_BF16, 2}}};
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
    if (strcmp(types[i].word, word) == 0) {
      *type = types[i].type;
      return true;
    }
  return false;
}

static size_t element_bytes(const ptx_type *type) {
  return type->bits / 8 ? type->bits / 8 : 1;
}

/* ---- declarations ---------------------------------------------------------------------------- */

static size_t align(size_t offset, size_t alignment) {
  return alignment > 1 ? (offset + alignment - 1) / alignment * alignment : offset;
}

typedef struct declaration {
  char name[256];
  size_t alignment, bytes;
  ptx_type type;
  char *data; /* NULL: none is given */
} declaration;

static void read_values(reader *reader, declaration *read) {
  char token[256];
  size_t element = element_bytes(&read->type), done = 0;
  read->data = calloc(1, read->bytes + sizeof(uint64_t));
  bool braces = peek(reader) == '{';
  if (braces)
    expect(reader, '{');
  while (!reader->has_failed && peek(reader) != '}' && peek(reader) != ';') {
    next_token(reader, token);
    uint64_t value = strncmp(token, "0f", 2) == 0 || strncmp(token, "0d", 2) == 0
                         ? strtoull(token + 2, NULL, 16)
                         : (uint64_t)(token[0] == '-' ? strtoll(token, NULL, 0)
                                                      : (long long)strtoull(token, NULL, 0));
    if (done + element > read->bytes) {
      fail(reader, "more values than '%s' has room for", read->name);
      return;
    }
    memcpy(read->data + done, &value, element);
    done += element;
    if (peek(reader) == ',')
      expect(reader, ',');
  }
  if (braces)
    expect(reader, '}');
}

/* ".align 4 .b8 name[16] = {...}", from behind the space on; what follows stays. */
static bool read_declaration(reader *reader, declaration *read) {
  char token[256];
  memset(read, 0, sizeof(*read));
  while (peek(reader) == '.') {
    next_token(reader, token);
    if (strcmp(token, ".align") == 0)
      read->alignment = strtoull(next_token(reader, token), NULL, 10);
    else
      type_of(token + 1, &read->type);
  }
  next_token(reader, read->name);
  if (read->type.bits == 0)
    return fail(reader, "'%s' has no type", read->name);
  read->bytes = element_bytes(&read->type);
  if (read->alignment == 0)
    read->alignment = read->bytes;
  if (peek(reader) == '[') {
    expect(reader, '[');
    size_t count = peek(reader) == ']' ? 0 : strtoull(next_token(reader, token), NULL, 10);
    read->bytes *= count;
    expect(reader, ']');
  }
  if (peek(reader) == '=') {
    expect(reader, '=');
    read_values(reader, read);
  }
  return !reader->has_failed;
}

/* Arrays of the module: shared ones lie one behind the other, those without a size at the end. */
static void read_variable(reader *reader, ptx_space space) {
  declaration read;
  if (!read_declaration(reader, &read))
    return;
  expect(reader, ';');
  uint64_t address = 0;
  if (space == SPACE_SHARED) {
    size_t *top = reader->kernel ? &reader->kernel->shared_bytes : &reader->module->shared_bytes;
    enum { LARGEST_ALIGNMENT = 128 };
    *top = align(*top, read.bytes ? read.alignment : LARGEST_ALIGNMENT);
    address = *top;
    *top += read.bytes;
  } else if (space == SPACE_LOCAL) {
    reader->kernel->local_bytes = align(reader->kernel->local_bytes, read.alignment);
    address = reader->kernel->local_bytes;
    reader->kernel->local_bytes += read.bytes;
  } else {
    address = reader->place_global(read.data, read.bytes ? read.bytes : 1);
  }
  free(read.data);
  add_name(reader->kernel ? &reader->registers : &reader->symbols, read.name, address);
}

static void read_registers(reader *reader) {
  char token[256], name[300];
  ptx_type type;
  next_token(reader, token);
  if (!type_of(token + 1, &type)) {
    fail(reader, "registers of type '%s'", token);
    return;
  }
  while (!reader->has_failed) {
    next_token(reader, token);
    if (peek(reader) == '<') {
      char count[256];
      expect(reader, '<');
      long registers = strtol(next_token(reader, count), NULL, 10);
      expect(reader, '>');
      for (long i = 0; i < registers; i++) {
        snprintf(name, sizeof(name), "%s%ld", token, i);
        add_name(&reader->registers, name, (uint64_t)reader->kernel->num_slots++);
      }
    } else {
      add_name(&reader->registers, token, (uint64_t)reader->kernel->num_slots++);
    }
    if (peek(reader) != ',')
      break;
    expect(reader, ',');
  }
  expect(reader, ';');
}

static void read_parameters(reader *reader) {
  ptx_kernel *kernel = reader->kernel;
  char token[256];
  expect(reader, '(');
  while (!reader->has_failed && peek(reader) != ')') {
    ptx_parameter parameter = {.bytes = 0};
    ptx_type type = {0}, other;
    size_t alignment = 0;
    next_token(reader, token);
    while (peek(reader) == '.') {
      next_token(reader, token);
      if (strcmp(token, ".align") == 0)
        alignment = strtoull(next_token(reader, token), NULL, 10);
      else if (type_of(token + 1, &other) && type.bits == 0)
        type = other;
    }
    next_token(reader, token);
    snprintf(parameter.name, sizeof(parameter.name), "%.63s", token);
    parameter.bytes = element_bytes(&type);
    if (alignment == 0 || type.bits > 8)
      alignment = parameter.bytes;
    if (peek(reader) == '[') {
      expect(reader, '[');
      parameter.bytes *= strtoull(next_token(reader, token), NULL, 10);
      expect(reader, ']');
    }
    if (type.bits == 0)
      fail(reader, "parameter '%s' has no type", parameter.name);
    parameter.offset = align(kernel->parameter_bytes, alignment);
    kernel->parameter_bytes = parameter.offset + parameter.bytes;
    kernel->parameters =
        grow(kernel->parameters, (size_t)kernel->num_parameters + 1, sizeof(*kernel->parameters));
    kernel->parameters[kernel->num_parameters++] = parameter;
    add_name(&reader->registers, parameter.name, parameter.offset);
    if (peek(reader) == ',')
      expect(reader, ',');
  }
  expect(reader, ')');
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool special_of(const char *word, uint64_t *number) {
  static const struct {
    const char *word;
    int base;
  } bases[] = {{"%tid.", SPECIAL_TID},
               {"%ntid.", SPECIAL_NTID},
               {"%ctaid.", SPECIAL_CTAID},
               {"%nctaid.", SPECIAL_NCTAID}};
  for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
    size_t length = strlen(bases[i].word);
    if (strncmp(word, bases[i].word, length) == 0 && word[length] >= 'x' && word[length] <= 'z') {
      *number = (uint64_t)(4 * bases[i].base + word[length] - 'x');
      return true;
    }
  }
  *number = strcmp(word, "%laneid") == 0   ? 4 * SPECIAL_LANEID
            : strcmp(word, "%warpid") == 0 ? 4 * SPECIAL_WARPID
                                           : 4 * SPECIAL_WARP_SIZE;
  return strcmp(word, "%laneid") == 0 || strcmp(word, "%warpid") == 0 ||
         strcmp(word, "WARP_SZ") == 0;
}

/* 0f and 0d begin bits of floats, in the type of the instruction: f32 widened where that is f64. */
static uint64_t number_of(const char *word) {
  if (word[0] == '0' && (word[1] == 'f' || word[1] == 'F') && strlen(word) == 10)
    return strtoull(word + 2, NULL, 16);
  if (word[0] == '0' && (word[1] == 'd' || word[1] == 'D') && strlen(word) == 18)
    return strtoull(word + 2, NULL, 16);
  return word[0] == '-' ? (uint64_t)strtoll(word, NULL, 0) : strtoull(word, NULL, 0);
}

static void read_word_operand(reader *reader, const char *word, ptx_operand *operand) {
  if (isdigit((unsigned char)word[0]) || (word[0] == '-' && isdigit((unsigned char)word[1]))) {
    operand->kind = OPERAND_NUMBER;
    operand->number = number_of(word);
    return;
  }
  if (special_of(word, &operand->number)) {
    operand->kind = OPERAND_SPECIAL;
    return;
  }
  const name *found = find_name(&reader->registers, word);
  bool is_register = found && word[0] == '%';
  if (!found)
    found = find_name(&reader->symbols, word);
  if (!found) {
    fail(reader, "'%s' is not known", word);
    return;
  }
  operand->kind = is_register ? OPERAND_REGISTER : OPERAND_NUMBER;
  operand->slots[0] = is_register ? (int32_t)found->value : -1;
  operand->number = is_register ? 0 : found->value;
}

static void read_memory(reader *reader, ptx_operand *operand) {
  char token[256];
  ptx_operand base = {0};
  expect(reader, '[');
  read_word_operand(reader, next_token(reader, token), &base);
  *operand = (ptx_operand){.kind = OPERAND_MEMORY, .slots = {-1}};
  if (base.kind == OPERAND_REGISTER)
    operand->slots[0] = base.slots[0];
  else
    operand->number = base.number;
  if (peek(reader) == '+') {
    expect(reader, '+');
    operand->number += number_of(next_token(reader, token));
  }
  expect(reader, ']');
}

static void read_vector(reader *reader, ptx_operand *operand) {
  char token[256];
  expect(reader, '{');
  *operand = (ptx_operand){.kind = OPERAND_VECTOR};
  while (!reader->has_failed && peek(reader) != '}') {
    ptx_operand member = {0};
    next_token(reader, token);
    if (strcmp(token, "_") == 0) {
      member.slots[0] = -1;
    } else {
      read_word_operand(reader, token, &member);
      if (member.kind == OPERAND_NUMBER)
        member.slots[0] = -1;
      else if (member.kind != OPERAND_REGISTER)
        fail(reader, "a vector of what is neither register nor number");
    }
    if (operand->count < 4) {
      operand->numbers[operand->count] = member.number;
      operand->slots[operand->count++] = member.slots[0];
    }
    if (peek(reader) == ',')
      expect(reader, ',');
  }
  expect(reader, '}');
}

static void read_operand(reader *reader, ptx_operand *operand) {
  char token[256];
  if (peek(reader) == '[') {
    read_memory(reader, operand);
  } else if (peek(reader) == '{') {
    read_vector(reader, operand);
  } else {
    if (peek(reader) == '!') {
      expect(reader, '!');
      operand->negated = true;
    }
    next_token(reader, token);
    if (strcmp(token, "_") == 0)
      *operand = (ptx_operand){.kind = OPERAND_REGISTER, .slots = {-1}};
    else
      read_word_operand(reader, token, operand);
  }
}

/* ---- instructions ---------------------------------------------------------------------------- */

typedef struct word_row {
  const char *word;
  int value;
} word_row;

static int row_of(const word_row *rows, size_t count, const char *word) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(rows[i].word, word) == 0)
      return rows[i].value;
  return -1;
}

#define ROW_OF(rows, word) row_of(rows, sizeof(rows) / sizeof((rows)[0]), word)

static const word_row ops[] = {
    {"abs", OP_ABS},   {"add", OP_ADD},       {"and", OP_AND},           {"atom", OP_ATOM},
    {"red", OP_ATOM},  {"bar", OP_BAR},       {"barrier", OP_BAR},       {"bfe", OP_BFE},
    {"bfi", OP_BFI},   {"bra", OP_BRA},       {"brev", OP_BREV},         {"brx", OP_BRX},
    {"clz", OP_CLZ},   {"cnot", OP_CNOT},     {"copysign", OP_COPYSIGN}, {"cos", OP_COS},
    {"cvt", OP_CVT},   {"cvta", OP_CVTA},     {"div", OP_DIV},           {"ex2", OP_EX2},
    {"exit", OP_EXIT}, {"fma", OP_FMA},       {"fence", OP_MEMBAR},      {"isspacep", OP_ISSPACE},
    {"ld", OP_LD},     {"lg2", OP_LG2},       {"lop3", OP_LOP3},         {"mad", OP_MAD},
    {"max", OP_MAX},   {"membar", OP_MEMBAR}, {"min", OP_MIN},           {"mov", OP_MOV},
    {"mul", OP_MUL},   {"neg", OP_NEG},       {"not", OP_NOT},           {"or", OP_OR},
    {"popc", OP_POPC}, {"prmt", OP_PRMT},     {"rcp", OP_RCP},           {"rem", OP_REM},
    {"ret", OP_EXIT},  {"rsqrt", OP_RSQRT},   {"sad", OP_SAD},           {"selp", OP_SELP},
    {"setp", OP_SETP}, {"shf", OP_SHF},       {"shfl", OP_SHFL},         {"shl", OP_SHL},
    {"shr", OP_SHR},   {"sin", OP_SIN},       {"sqrt", OP_SQRT},         {"st", OP_ST},
    {"sub", OP_SUB},   {"tanh", OP_TANH},     {"testp", OP_TESTP},       {"trap", OP_TRAP},
    {"vote", OP_VOTE}, {"xor", OP_XOR}};

static const word_row compares[] = {{"eq", COMPARE_EQ},
                                    {"ne", COMPARE_NE},
                                    {"lt", COMPARE_LT},
                                    {"le", COMPARE_LE},
                                    {"gt", COMPARE_GT},
                                    {"ge", COMPARE_GE},
                                    {"lo", COMPARE_LT},
                                    {"ls", COMPARE_LE},
                                    {"hi", COMPARE_GT},
                                    {"hs", COMPARE_GE},
                                    {"num", COMPARE_NUM},
                                    {"nan", COMPARE_NAN},
                                    {"equ", COMPARE_EQ + COMPARE_UNORDERED},
                                    {"neu", COMPARE_NE + COMPARE_UNORDERED},
                                    {"ltu", COMPARE_LT + COMPARE_UNORDERED},
                                    {"leu", COMPARE_LE + COMPARE_UNORDERED},
                                    {"gtu", COMPARE_GT + COMPARE_UNORDERED},
                                    {"geu", COMPARE_GE + COMPARE_UNORDERED}};

static const word_row spaces[] = {{"global", SPACE_GLOBAL},
                                  {"const", SPACE_GLOBAL},
                                  {"shared", SPACE_SHARED},
                                  {"local", SPACE_LOCAL},
                                  {"param", SPACE_PARAM}};

static const word_row modes[] = {{"up", MODE_UP},   {"down", MODE_DOWN},     {"bfly", MODE_BFLY},
                                 {"idx", MODE_IDX}, {"all", MODE_ALL},       {"any", MODE_ANY},
                                 {"uni", MODE_UNI}, {"ballot", MODE_BALLOT}, {"add", MODE_ADD},
                                 {"min", MODE_MIN}, {"max", MODE_MAX},       {"exch", MODE_EXCH},
                                 {"cas", MODE_CAS}, {"and", MODE_AND},       {"or", MODE_OR},
                                 {"xor", MODE_XOR}, {"l", MODE_LEFT},        {"r", MODE_RIGHT}};

/* What may be said and changes nothing here: all accesses are seen by all at once. */
static const char *const ignored[] = {"uni",
                                      "sync",
                                      "aligned",
                                      "nc",
                                      "relaxed",
                                      "acquire",
                                      "release",
                                      "acq_rel",
                                      "gpu",
                                      "cta",
                                      "sys",
                                      "volatile",
                                      "weak",
                                      "lo",
                                      "full",
                                      "idx",
                                      "L1::no_allocate",
                                      "sc",
                                      "gl",
                                      "wrap",
                                      "noftz",
                                      "L2::128B",
                                      "L1::evict_last",
                                      "proxy",
                                      "warp"};

static bool is_ignored(const char *word) {
  for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
    if (strcmp(ignored[i], word) == 0)
      return true;
  return false;
}

static bool is_rounding(const char *word) {
  static const char *const roundings[] = {"rn",  "rz",  "rm",  "rp", "rni",
                                          "rzi", "rmi", "rpi", "rna"};
  for (size_t i = 0; i < sizeof(roundings) / sizeof(roundings[0]); i++)
    if (strcmp(roundings[i], word) == 0)
      return true;
  return false;
}

/* One word of "op.word.word". */
static void read_modifier(reader *reader, const char *word, ptx_instruction *made) {
  ptx_type type;
  bool has_mode =
      made->op == OP_SHFL || made->op == OP_VOTE || made->op == OP_ATOM || made->op == OP_SHF;
  if (type_of(word, &type)) {
    *(made->type.bits ? &made->from : &made->type) = type;
  } else if (has_mode && ROW_OF(modes, word) >= 0) {
    made->mode = (uint8_t)ROW_OF(modes, word);
  } else if (ROW_OF(spaces, word) >= 0) {
    made->space = (uint8_t)ROW_OF(spaces, word);
  } else if (made->op == OP_SETP && ROW_OF(compares, word) >= 0) {
    made->compare = (uint8_t)ROW_OF(compares, word);
  } else if (made->op == OP_SETP && ROW_OF(modes, word) >= MODE_AND) {
    made->combine = (uint8_t)(ROW_OF(modes, word) - MODE_AND + COMBINE_AND);
  } else if (is_rounding(word)) {
    snprintf(made->rounding, sizeof(made->rounding), "%.3s", word);
  } else if (strcmp(word, "v2") == 0 || strcmp(word, "v4") == 0) {
    made->vector = (uint8_t)(word[1] - '0');
  } else if (strcmp(word, "wide") == 0) {
    made->wide = true;
  } else if (strcmp(word, "hi") == 0) {
    made->high = true;
  } else if (strcmp(word, "to") == 0) {
    made->to_space = true;
  } else if (strcmp(word, "sat") == 0) {
    made->saturates = true;
  } else if (strcmp(word, "NaN") == 0) {
    made->keeps_nan = true; /* min and max: a NaN wins */
  } else if (strcmp(word, "relu") == 0 && (made->op == OP_MIN || made->op == OP_MAX)) {
    made->relu = true; /* of that, no less than 0 */
  } else if (strcmp(word, "clamp") == 0) {
    made->clamps = true;
  } else if (strcmp(word, "approx") == 0) {
    made->approximate = true;
  } else if (strcmp(word, "ftz") == 0) {
    made->flushes = true;
  } else if (!is_ignored(word)) {
    fail(reader, "'.%s' is not known", word);
  }
}

static void read_modifiers(reader *reader, char *words, ptx_instruction *made) {
  char *rest = NULL;
  for (char *word = strtok_r(words, ".", &rest); word; word = strtok_r(NULL, ".", &rest))
    read_modifier(reader, word, made);
}

static ptx_instruction *add_instruction(reader *reader) {
  ptx_kernel *kernel = reader->kernel;
  if (kernel->length == reader->code_capacity) {
    reader->code_capacity = reader->code_capacity ? 2 * reader->code_capacity : 256;
    kernel->code = grow(kernel->code, (size_t)reader->code_capacity, sizeof(*kernel->code));
  }
  ptx_instruction *made = &kernel->code[kernel->length++];
  memset(made, 0, sizeof(*made));
  made->guard = made->target = -1;
  made->line = reader->line;
  return made;
}

/* Labels are found when all are known; till then the number is that of a wanted name. */
static int32_t want_label(reader *reader, const char *label) {
  reader->targets = grow(reader->targets, (size_t)reader->num_targets + 1, 256);
  snprintf(reader->targets[reader->num_targets], 256, "%s", label);
  return reader->num_targets++;
}

static void read_operands(reader *reader, ptx_instruction *made) {
  char token[256];
  int count = 0;
  if (made->op == OP_BRA) {
    made->target = want_label(reader, next_token(reader, token));
    expect(reader, ';');
    return;
  }
  while (!reader->has_failed && peek(reader) != ';') {
    if (made->op == OP_BRX && count == 1) {
      made->target = want_label(reader, next_token(reader, token));
      break;
    }
    if (count == PTX_OPERANDS) {
      fail(reader, "too many operands");
      return;
    }
    read_operand(reader, &made->operands[count++]);
    if (peek(reader) == ',' || peek(reader) == '|')
      reader->at++;
  }
  expect(reader, ';');
}

/* ".branchtargets A, B;" behind its label: a list that brx.idx names. */
static void read_branch_targets(reader *reader, const char *label) {
  char token[256];
  add_name(&reader->tables, label, (uint64_t)reader->num_targets);
  while (!reader->has_failed && peek(reader) != ';') {
    want_label(reader, next_token(reader, token));
    if (peek(reader) == ',')
      expect(reader, ',');
  }
  want_label(reader, ""); /* its end */
  expect(reader, ';');
}

static void read_instruction(reader *reader, char *word) {
  char token[256];
  ptx_instruction *made = add_instruction(reader);
  if (word[0] == '@') {
    const char *predicate = word + 1;
    if (!*predicate) {
      made->guard_negated = peek(reader) == '!';
      if (made->guard_negated)
        expect(reader, '!');
      predicate = next_token(reader, token);
    }
    const name *found = find_name(&reader->registers, predicate);
    if (!found) {
      fail(reader, "no predicate '%s'", predicate);
      return;
    }
    made->guard = (int32_t)found->value;
    next_token(reader, word);
  }
  char *dot = strchr(word, '.');
  char base[256];
  snprintf(base, sizeof(base), "%.*s", dot ? (int)(dot - word) : (int)strlen(word), word);
  int op = ROW_OF(ops, base);
  if (op < 0) {
    fail(reader, "'%s' is not known", word);
    return;
  }
  made->op = (uint16_t)op;
  if (dot)
    read_modifiers(reader, dot + 1, made);
  if (!reader->has_failed)
    read_operands(reader, made);
}

static bool find_label(reader *reader, int32_t wanted, int32_t *target) {
  const name *found = find_name(&reader->labels, reader->targets[wanted]);
  if (!found)
    return fail(reader, "no label '%s'", reader->targets[wanted]);
  *target = (int32_t)found->value;
  return true;
}

static void resolve_labels(reader *reader) {
  ptx_kernel *kernel = reader->kernel;
  for (int32_t i = 0; !reader->has_failed && i < kernel->length; i++) {
    ptx_instruction *at = &kernel->code[i];
    if (at->op == OP_BRA) {
      find_label(reader, at->target, &at->target);
    } else if (at->op == OP_BRX) {
      const name *table = find_name(&reader->tables, reader->targets[at->target]);
      if (!table) {
        fail(reader, "no table '%s'", reader->targets[at->target]);
        return;
      }
      for (int32_t k = (int32_t)table->value; reader->targets[k][0]; k++) {
        at->targets = grow(at->targets, (size_t)at->num_targets + 1, sizeof(*at->targets));
        find_label(reader, k, &at->targets[at->num_targets++]);
      }
    }
  }
}

/* ---- functions ------------------------------------------------------------------------------- */

static void read_statement(reader *reader) {
  char token[256];
  next_token(reader, token);
  if (strcmp(token, ".reg") == 0) {
    read_registers(reader);
  } else if (strcmp(token, ".local") == 0) {
    read_variable(reader, SPACE_LOCAL);
  } else if (strcmp(token, ".shared") == 0) {
    read_variable(reader, SPACE_SHARED);
  } else if (strcmp(token, ".pragma") == 0 || strcmp(token, ".loc") == 0) {
    skip_to(reader, token[1] == 'p' ? ';' : '\n');
  } else if (peek(reader) == ':' && token[0] != '@') {
    expect(reader, ':');
    skip(reader);
    if (strncmp(reader->at, ".branchtargets", strlen(".branchtargets")) == 0) {
      char directive[256];
      next_token(reader, directive);
      read_branch_targets(reader, token);
    } else {
      add_name(&reader->labels, token, (uint64_t)reader->kernel->length);
    }
  } else if (token[0] != '{' && token[0] != '}') {
    read_instruction(reader, token);
  }
}

static void read_body(reader *reader) {
  expect(reader, '{');
  for (int depth = 1; !reader->has_failed;) {
    char c = peek(reader);
    if (!c) {
      fail(reader, "the function has no end");
      return;
    }
    depth += (c == '{') - (c == '}');
    if (c == '{' || c == '}')
      reader->at++;
    if (depth == 0)
      break;
    if (c != '{' && c != '}')
      read_statement(reader);
  }
  add_instruction(reader)->op = OP_EXIT;
  resolve_labels(reader);
}

static void read_entry(reader *reader) {
  char token[256];
  ptx_kernel *kernel = calloc(1, sizeof(*kernel));
  kernel->next = reader->module->kernels;
  reader->module->kernels = reader->kernel = kernel;
  reader->registers.count = reader->labels.count = reader->tables.count = 0;
  reader->num_targets = reader->code_capacity = 0;
  kernel->shared_bytes = reader->module->shared_bytes;
  next_token(reader, token);
  snprintf(kernel->name, sizeof(kernel->name), "%s", token);
  if (peek(reader) == '(')
    read_parameters(reader);
  while (peek(reader) && peek(reader) != '{') /* .maxntid and the like */
    next_token(reader, token);
  read_body(reader);
  reader->kernel = NULL;
}

static void read_module(reader *reader) {
  char token[256];
  while (!reader->has_failed && peek(reader)) {
    next_token(reader, token);
    if (strcmp(token, ".version") == 0 || strcmp(token, ".target") == 0 ||
        strcmp(token, ".address_size") == 0 || strcmp(token, ".file") == 0)
      skip_to(reader, '\n');
    else if (strcmp(token, ".entry") == 0)
      read_entry(reader);
    else if (strcmp(token, ".shared") == 0)
      read_variable(reader, SPACE_SHARED);
    else if (strcmp(token, ".global") == 0 || strcmp(token, ".const") == 0)
      read_variable(reader, SPACE_GLOBAL);
    else if (strcmp(token, ".visible") != 0 && strcmp(token, ".extern") != 0 &&
             strcmp(token, ".weak") != 0)
      fail(reader, "'%s' is not known", token);
  }
}

ptx_module *ptx_parse(const char *text, ptx_place_global *place_global, char *message,
                      size_t capacity) {
  reader reader = {.at = text,
                   .line = 1,
                   .message = message,
                   .capacity = capacity,
                   .place_global = place_global,
                   .module = calloc(1, sizeof(ptx_module))};
  read_module(&reader);
  free(reader.symbols.rows);
  free(reader.registers.rows);
  free(reader.labels.rows);
  free(reader.tables.rows);
  free(reader.targets);
  if (!reader.has_failed)
    return reader.module;
  ptx_free(reader.module);
  return NULL;
}

void ptx_free(ptx_module *module) {
  for (ptx_kernel *kernel = module->kernels, *next; kernel; kernel = next) {
    next = kernel->next;
    for (int32_t i = 0; i < kernel->length; i++)
      free(kernel->code[i].targets);
    free(kernel->code);
    free(kernel->parameters);
    free(kernel);
  }
  free(module);
}

const ptx_kernel *ptx_find(const ptx_module *module, const char *name) {
  const ptx_kernel *kernel = module->kernels;
  while (kernel && strcmp(kernel->name, name) != 0)
    kernel = kernel->next;
  return kernel;
}
