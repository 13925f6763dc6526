/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Damaged program records: each pointer, count and size of one is broken in turn, and each word of
 * its layouts. Loading must say so, or what was loaded must be usable. Prints what fails, exits 1.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tessera/device.h"
#include "tessera/program.h"

/* Behind words: what no word may be, so that a walk that goes on too far ends there. */
enum { END = -9 };

static const int64_t sound_layout[] = {2, 10, 1, 10, 1, 0, 2, 0, 0,           2,   0,  10,
                                       5, 1,  5, 0,  0, 0, 1, 1, TESSERA_SUM, END, END};
static const int64_t sound_split[] = {2, 1, 0, 1, 1, END, END};

/* A record and all that it points to. */
typedef struct image {
  int64_t extents[2], shape[2], layout[23], split[7];
  double range[2];
  int32_t axes[2];
  tessera_grid grid;
  const tessera_grid *grids[1];
  tessera_group_record group;
  tessera_site reduce, exchange, halo;
  const tessera_site *sites[3];
  tessera_parameter argument, result;
  tessera_entry entry;
  tessera_image code;
  tessera_module module;
  tessera_kernel kernel;
  tessera_constant constant;
  tessera_device_code device_code;
  tessera_program_record record;
} image;

static void nothing(void **arguments, void **results) {
  (void)arguments;
  (void)results;
}

static tessera_site make_site(const image *image, tessera_site_kind kind, int32_t index) {
  return (tessera_site){.struct_size = sizeof(tessera_site),
                        .kind = kind,
                        .name = "op",
                        .location = "r.mlir:1:1",
                        .grid = &image->grid,
                        .axes = image->axes,
                        .num_axes = 2,
                        .index = index,
                        .input_rank = 2,
                        .output_rank = 2,
                        .input_type = TESSERA_F32,
                        .output_type = TESSERA_F32,
                        .reduction = TESSERA_SUM};
}

static void make(image *i) {
  *i = (image){.extents = {1, 1}, .shape = {10, 5}, .range = {0, 1}, .axes = {0, 1}};
  memcpy(i->layout, sound_layout, sizeof(sound_layout));
  memcpy(i->split, sound_split, sizeof(sound_split));
  i->grid = (tessera_grid){sizeof(i->grid), 2, "g", i->extents};
  i->grids[0] = &i->grid;
  i->group = (tessera_group_record){&i->grid, i->axes, 2, 0};
  i->reduce = make_site(i, TESSERA_SITE_ALL_REDUCE, 0);
  i->exchange = make_site(i, TESSERA_SITE_EXCHANGE, 1);
  i->exchange.from = i->exchange.to = i->layout;
  i->halo = make_site(i, TESSERA_SITE_UPDATE_HALO, 2);
  i->halo.from = i->split;
  i->sites[0] = &i->reduce;
  i->sites[1] = &i->exchange;
  i->sites[2] = &i->halo;
  i->argument = (tessera_parameter){sizeof(i->argument),
                                    TESSERA_F32,
                                    2,
                                    0,
                                    i->shape,
                                    i->layout,
                                    "x",
                                    "f32",
                                    i->range,
                                    TESSERA_F32,
                                    0};
  i->result = i->argument;
  i->entry = (tessera_entry){sizeof(i->entry), 0,          "main",  nothing, 1, 1,
                             &i->argument,     &i->result, nothing, 0,       0};
  i->record = (tessera_program_record){
      sizeof(i->record), TESSERA_ABI_VERSION, "r.mlir", i->grids, 1, 1, &i->group, i->sites, 3, 1,
      &i->entry,         &i->device_code};
  i->code =
      (tessera_image){.struct_size = sizeof(i->code), .chip = "sm_90", .data = "", .bytes = 1};
  i->module = (tessera_module){sizeof(i->module), 1, &i->code};
  i->kernel = (tessera_kernel){.struct_size = sizeof(i->kernel),
                               .name = "k",
                               .label = "op",
                               .location = "r.mlir:1:1",
                               .threads = {32, 1, 1},
                               .num_arguments = 1};
  i->constant = (tessera_constant){.struct_size = sizeof(i->constant), .data = "", .bytes = 1};
  i->device_code = (tessera_device_code){
      sizeof(i->device_code), 1, "no device", &i->module, &i->kernel, &i->constant, 1, 1};
}

/* ---- what is broken -------------------------------------------------------------------------- */

/* What a field may be: it need not fail then, but must do no harm. */
enum { NOTHING = 0, ZERO = 1, MINUS_ONE = 2 };

typedef struct field {
  const char *name;
  size_t offset, size;
  enum { POINTER, NUMBER } kind;
  int may_be;
  const char *says; /* part of the message */
} field;

/* clang-format off */
#define FIELD(kind, member, may_be, says) \
  {#member, offsetof(image, member), sizeof(((image *)0)->member), kind, may_be, says}
#define SITE(site, grid_may_be, zero_rank, says) \
  FIELD(NUMBER, site.struct_size, NOTHING, says), \
  FIELD(NUMBER, site.kind, NOTHING, says), \
  FIELD(POINTER, site.name, NOTHING, says), \
  FIELD(POINTER, site.location, NOTHING, says), \
  FIELD(POINTER, site.grid, grid_may_be, says), \
  FIELD(POINTER, site.axes, NOTHING, says), \
  FIELD(NUMBER, site.num_axes, ZERO, says), \
  FIELD(NUMBER, site.index, ZERO, says), \
  FIELD(NUMBER, site.input_rank, zero_rank, says), \
  FIELD(NUMBER, site.output_rank, ZERO, says), \
  FIELD(NUMBER, site.input_type, ZERO, says), \
  FIELD(NUMBER, site.output_type, ZERO, says), \
  FIELD(NUMBER, site.reduction, ZERO, says), \
  FIELD(NUMBER, site.axis, ZERO, says), \
  FIELD(NUMBER, site.concat_axis, ZERO, says)
#define PARAMETER(parameter, says) \
  FIELD(NUMBER, parameter.struct_size, NOTHING, says), \
  FIELD(NUMBER, parameter.dtype, NOTHING, says), \
  FIELD(NUMBER, parameter.rank, NOTHING, says), \
  FIELD(NUMBER, parameter.grid, ZERO, says), \
  FIELD(POINTER, parameter.shape, NOTHING, says), \
  FIELD(POINTER, parameter.layout, ZERO, says), \
  FIELD(POINTER, parameter.name, NOTHING, says), \
  FIELD(POINTER, parameter.element, NOTHING, says), \
  FIELD(POINTER, parameter.range, ZERO, says), \
  FIELD(NUMBER, parameter.computed_in, ZERO, says)

static const field fields[] = {
    FIELD(NUMBER, record.struct_size, NOTHING, "its tables: the size of the record is"),
    FIELD(NUMBER, record.abi_version, NOTHING, "version"),
    FIELD(POINTER, record.source, NOTHING, "its tables: the name of its source"),
    FIELD(POINTER, record.grids, NOTHING, "its tables: grids"),
    FIELD(NUMBER, record.num_grids, NOTHING, "grid"),
    FIELD(POINTER, record.groups, NOTHING, "its tables: groups"),
    FIELD(NUMBER, record.num_groups, ZERO, "its tables: the number of groups is"),
    FIELD(POINTER, record.sites, NOTHING, "its tables: sites"),
    FIELD(NUMBER, record.num_sites, ZERO, "its tables: the number of sites is"),
    FIELD(POINTER, record.entries, NOTHING, "its tables: entries"),
    FIELD(NUMBER, record.num_entries, ZERO, "its tables: the number of entries is"),
    FIELD(POINTER, grids[0], NOTHING, "grid 0: "),
    FIELD(NUMBER, grid.struct_size, NOTHING, "grid 0: "),
    FIELD(NUMBER, grid.rank, NOTHING, ""), /* 0 fits, but not the axes of others */
    FIELD(POINTER, grid.name, NOTHING, "grid 0: "),
    FIELD(POINTER, grid.shape, NOTHING, "grid 0: "),
    FIELD(NUMBER, extents[0], ZERO | MINUS_ONE, ""),
    FIELD(POINTER, group.grid, NOTHING, "group 0: "),
    FIELD(POINTER, group.axes, NOTHING, "group 0: axes"),
    FIELD(NUMBER, group.num_axes, ZERO, "group 0: the number of axes is"),
    FIELD(NUMBER, axes[1], ZERO, "group 0: an axis is"),
    FIELD(POINTER, sites[0], NOTHING, "site 0: "),
    FIELD(POINTER, sites[2], NOTHING, "site 2: "),
    SITE(reduce, NOTHING, ZERO, "site 0"),
    SITE(exchange, NOTHING, NOTHING, "site 1"),
    SITE(halo, NOTHING, NOTHING, "site 2"),
    FIELD(POINTER, exchange.from, NOTHING, "site 1 (op at r.mlir:1:1): the layout"),
    FIELD(POINTER, exchange.to, NOTHING, "site 1 (op at r.mlir:1:1): the layout"),
    FIELD(POINTER, halo.from, NOTHING, "site 2 (op at r.mlir:1:1): the split axes"),
    FIELD(NUMBER, entry.struct_size, NOTHING, "entry 0: the size of its record is"),
    FIELD(POINTER, entry.name, NOTHING, "entry 0: its name"),
    FIELD(POINTER, entry.function, NOTHING, "entry 'main': its function"),
    FIELD(POINTER, entry.arguments, NOTHING, "entry 'main': arguments"),
    FIELD(NUMBER, entry.num_arguments, ZERO, "entry 'main': the number of arguments is"),
    FIELD(POINTER, entry.results, NOTHING, "entry 'main': results"),
    FIELD(NUMBER, entry.num_results, ZERO, "entry 'main': the number of results is"),
    FIELD(POINTER, entry.resolve, ZERO, "entry 'main': its resolver"),
    FIELD(NUMBER, entry.num_resolved, ZERO, "entry 'main': how many numbers it resolves is"),
    PARAMETER(argument, "entry 'main', argument 0: "),
    PARAMETER(result, "entry 'main', result 0: "),
    FIELD(NUMBER, shape[0], ZERO | MINUS_ONE, ""),
    FIELD(POINTER, record.device_code, ZERO, "its device code: tables"),
    FIELD(NUMBER, device_code.struct_size, NOTHING, "its device code: tables"),
    FIELD(POINTER, device_code.target, NOTHING, "its device code: tables"),
    FIELD(POINTER, device_code.modules, NOTHING, "its device code: tables"),
    FIELD(POINTER, device_code.kernels, NOTHING, "its device code: tables"),
    FIELD(POINTER, device_code.constants, NOTHING, "its device code: tables"),
    FIELD(NUMBER, device_code.num_modules, NOTHING, "its device code: "), /* 0: not the kernel's */
    FIELD(NUMBER, device_code.num_kernels, ZERO, "its device code: tables"),
    FIELD(NUMBER, device_code.num_constants, ZERO, "its device code: tables"),
    FIELD(NUMBER, module.struct_size, NOTHING, "its device code: module 0"),
    FIELD(NUMBER, module.num_images, NOTHING, "its device code: module 0"),
    FIELD(POINTER, module.images, NOTHING, "its device code: module 0"),
    FIELD(NUMBER, code.struct_size, NOTHING, "its device code: module 0"),
    FIELD(POINTER, code.chip, NOTHING, "its device code: module 0"),
    FIELD(POINTER, code.data, NOTHING, "its device code: module 0"),
    FIELD(NUMBER, code.bytes, NOTHING, "its device code: module 0"),
    FIELD(NUMBER, kernel.struct_size, NOTHING, "its device code: kernel 0"),
    FIELD(NUMBER, kernel.module, ZERO, "its device code: kernel 0"),
    FIELD(POINTER, kernel.name, NOTHING, "its device code: kernel 0"),
    FIELD(POINTER, kernel.label, NOTHING, "its device code: kernel 0"),
    FIELD(POINTER, kernel.location, NOTHING, "its device code: kernel 0"),
    FIELD(NUMBER, kernel.threads[1], NOTHING, "its device code: kernel 0"),
    FIELD(NUMBER, kernel.shared_bytes, ZERO, "its device code: kernel 0"),
    FIELD(NUMBER, kernel.num_arguments, ZERO, "its device code: kernel 0"),
    FIELD(NUMBER, constant.struct_size, NOTHING, "its device code: constant 0"),
    FIELD(POINTER, constant.data, NOTHING, "its device code: constant 0"),
    FIELD(NUMBER, constant.bytes, ZERO, "its device code: constant 0"),
};
/* clang-format on */

/* ---- loading --------------------------------------------------------------------------------- */

static int failures;

/* Whatever a program's user asks first; it may fail. */
static void use(const tessera_program *program, tessera_context *context) {
  const tessera_entry *entry;
  int64_t shape[8];
  int32_t ranks;
  tessera_program_ranks(program, &ranks);
  tessera_program_attach(program, context);
  if (tessera_program_find(program, "nothing", &entry) == TESSERA_OK ||
      tessera_program_find(program, NULL, &entry) != TESSERA_OK)
    return;
  for (int32_t i = 0; i < entry->num_arguments; i++)
    tessera_local_shape(program, &entry->arguments[i], context, 0, NULL, shape);
  for (int32_t i = 0; i < entry->num_results; i++)
    tessera_local_shape(program, &entry->results[i], context, 0, NULL, shape);
}

static tessera_status load(const image *image, tessera_context *context) {
  tessera_program *program;
  tessera_status status = tessera_program_from_record(&image->record, &program);
  if (!status)
    use(program, context);
  tessera_program_unload(program);
  return status;
}

/* `allowed`: it may load. */
static void expect(const image *image, tessera_context *context, const char *name, long long value,
                   int allowed, const char *says) {
  tessera_status status = load(image, context);
  const char *message = tessera_last_error();
  int good = status ? strstr(message, says) != NULL : allowed;
  if (status && !strstr(message, "damaged program record") && !strstr(message, "version"))
    good = 0;
  if (good)
    return;
  printf("%s = %lld: %s\n", name, value, status ? message : "it was loaded");
  failures++;
}

static void break_field(const field *field, tessera_context *context) {
  static const int64_t values[] = {0, -1, INT32_MAX, INT64_MAX, 1};
  static const int allowed[] = {ZERO, MINUS_ONE, NOTHING, NOTHING, NOTHING};
  static image broken;
  for (int i = 0; i < 5; i++) {
    /* A pointer is none or leads nowhere; a number is never just 1. */
    if (field->kind == POINTER
            ? i != 0 && i != 4
            : i == 4 || (i == 3 && field->size == 4) || (i == 2 && field->size == 8))
      continue;
    make(&broken);
    memcpy((char *)&broken + field->offset, &values[i], field->size);
    expect(&broken, context, field->name, (long long)values[i], field->may_be & allowed[i],
           field->says);
  }
}

/* Some values of some words fit: the rest says what is wrong, and none of them does harm. */
static void break_words(const char *name, size_t offset, size_t num, tessera_context *context) {
  static const int64_t values[] = {INT64_MIN, -2, -1, 0, 1, 2, 3, 11, 33, INT32_MAX, INT64_MAX};
  static image broken;
  for (size_t word = 0; word < num; word++)
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
      int never = values[i] == INT64_MIN || values[i] == -2;
      make(&broken);
      memcpy((char *)&broken + offset + word * sizeof(int64_t), &values[i], sizeof(int64_t));
      expect(&broken, context, name, (long long)values[i], !never, "");
    }
}

int main(void) {
  tessera_context *context;
  static image sound;
  make(&sound);
  if (tessera_local_create(1, &context) || load(&sound, context)) {
    printf("cannot start: %s\n", tessera_last_error());
    return 1;
  }
  for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
    break_field(&fields[i], context);
  break_words("layout", offsetof(image, layout), 21, context);
  break_words("split", offsetof(image, split), 5, context);
  tessera_local_destroy(1, &context);
  return failures ? 1 : 0;
}
