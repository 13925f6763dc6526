/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The hash of all that an object depends on, and of nothing else. It knows options, and the
 * libraries that the compiler is made of. */
#include "key.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capi/capi.h"

/* ---- the compiler ---------------------------------------------------------------------------- */

typedef struct identity {
  FILE *text;
  bool known;
} identity;

/* Is our own code in this object? */
static bool has_this_code(const struct dl_phdr_info *object) {
  uintptr_t here = (uintptr_t)&ts_cache_set_key;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t begin = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && here >= begin && here - begin < part->p_memsz)
      return true;
  }
  return false;
}

static size_t padded(size_t size) {
  return (size + 3) & ~(size_t)3;
}

/* Writes the build id among the notes of [at, end), if there is one. */
static bool write_build_id(FILE *text, const char *at, const char *end) {
  ElfW(Nhdr) note;
  while ((size_t)(end - at) > sizeof(note)) {
    memcpy(&note, at, sizeof(note));
    const char *name = at + sizeof(note), *id = name + padded(note.n_namesz);
    if (id > end || padded(note.n_descsz) > (size_t)(end - id))
      return false;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
      fputs("build ", text);
      for (size_t i = 0; i < note.n_descsz; i++)
        fprintf(text, "%02x", (unsigned char)id[i]);
      fputc('\n', text);
      return true;
    }
    at = id + padded(note.n_descsz);
  }
  return false;
}

static bool write_object_build(FILE *text, const struct dl_phdr_info *object) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_NOTE || part->p_align > 4)
      continue;
    const char *notes = (const char *)object->dlpi_addr + part->p_vaddr;
    if (write_build_id(text, notes, notes + part->p_memsz))
      return true;
  }
  return false;
}

/* A library without a build id is known by its file. */
static bool write_file_identity(FILE *text, const char *path) {
  struct stat status;
  if (stat(*path ? path : "/proc/self/exe", &status) != 0)
    return false;
  fprintf(text, "file %s %lld %lld.%09ld\n", path, (long long)status.st_size,
          (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  return true;
}

/* The program that calls counts only if the compiler is in it; what the kernel gives (its name has
 * no folder) never does. */
static int add_object(struct dl_phdr_info *object, size_t size, void *user) {
  (void)size;
  identity *known = user;
  if (strchr(object->dlpi_name, '/') || has_this_code(object))
    known->known &= write_object_build(known->text, object) ||
                    write_file_identity(known->text, object->dlpi_name);
  return 0;
}

/* All libraries of the process: code is made by ours and LLVM's, constants are folded by libm's
 * functions. */
static bool write_compiler(FILE *text) {
  identity identity = {text, true};
  fputs("tessera " TESSERA_VERSION "\n", text);
  dl_iterate_phdr(add_object, &identity);
  return identity.known;
}

/* ---- what is compiled, and for whom ---------------------------------------------------------- */

/* With its length, so that no value can be taken for another and what follows it. */
static void write_value(FILE *text, const char *name, const char *value) {
  if (value)
    fprintf(text, "%s %zu %s\n", name, strlen(value), value);
  else
    fprintf(text, "%s\n", name);
}

static void write_digest(const ts_bytes *bytes, char digits[TS_CACHE_KEY + 1]) {
  unsigned char digest[TS_SHA256_SIZE];
  ts_sha256(bytes->data, bytes->size, digest);
  for (int i = 0; i < TS_SHA256_SIZE; i++)
    snprintf(digits + 2 * i, 3, "%02x", digest[i]);
}

/* The path is in locations, which messages and programs have. */
static void write_source(FILE *text, const ts_compilation *c) {
  char digits[TS_CACHE_KEY + 1];
  write_digest(&c->source, digits);
  write_value(text, "source", digits);
  write_value(text, "path", c->options->input);
}

static void write_options(FILE *text, const tessera_compile_options *options) {
  write_value(text, "entry", options->entry);
  write_value(text, "grid", options->grid);
  fprintf(text, "oracle %d\nlevel %d\n", options->oracle != 0, options->opt_level);
  for (int i = 0; i < options->num_extra; i++)
    write_value(text, "pass", options->extra[i]);
}

static void write_part(void *user, const char *data, size_t size) {
  fwrite(data, 1, size, user);
}

static void write_machine(FILE *text, const ts_compilation *c) {
  const ts_code_options options = {
      .march = c->options->march, .opt_level = c->options->opt_level, .chip = c->options->chip};
  const ts_code_sink sink = {write_part, text};
  write_value(text, "target", c->target->name);
  c->target->write_machine(&options, &sink);
}

bool ts_cache_set_key(ts_compilation *c) {
  ts_bytes text = {0};
  FILE *stream = open_memstream(&text.data, &text.size);
  if (!stream)
    return false;
  bool good = write_compiler(stream);
  write_source(stream, c);
  write_options(stream, c->options);
  write_machine(stream, c);
  good &= !ferror(stream);
  good &= fclose(stream) == 0;
  if (good)
    write_digest(&text, c->cache.key);
  free(text.data);
  return good;
}
