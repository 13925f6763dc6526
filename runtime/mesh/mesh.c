/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Making meshes: of a context, of a rank alone, of part of another. It knows grids; it must not
 * know groups or communication. */
#include "mesh/mesh.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context/context.h"
#include "support/error.h"
#include "tensors/view.h"

/* ---- what is asked for ----------------------------------------------------------------------- */

static tessera_status check_output(const void *output) {
  return output ? TESSERA_OK
                : tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                          "there is no place for the mesh that is to be made: it is NULL");
}

static tessera_status check_shape(int32_t num_dims, const int64_t *shape, int32_t *devices) {
  int64_t product = 1;
  if (!shape)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there is no shape: it is NULL");
  if (num_dims < 1 || num_dims > TR_MESH_DIMS)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "a mesh of %d dimensions: expected a shape of 1 to %d", num_dims, TR_MESH_DIMS);
  for (int32_t d = 0; d < num_dims; d++) {
    if (shape[d] < 1)
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                     "dimension %d of the mesh has the extent %" PRId64 ": expected 1 or more", d,
                     shape[d]);
    if (__builtin_mul_overflow(product, shape[d], &product) || product > INT32_MAX)
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                     "the mesh has more devices than ranks can be: expected at most %d", INT32_MAX);
  }
  *devices = (int32_t)product;
  return TESSERA_OK;
}

/* Words of ASCII, whatever the locale: what is printed of them stays one. The first byte that is in
 * no such word. */
static const char *find_odd_byte(const char *name) {
  while (*name > ' ' && *name < 0x7f)
    name++;
  return *name ? name : NULL;
}

static tessera_status check_names(int32_t num_dims, const char *const *names) {
  for (int32_t d = 0; names && d < num_dims; d++) {
    if (!names[d] || !names[d][0])
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "dimension %d of the mesh has no name", d);
    const char *odd = find_odd_byte(names[d]);
    if (odd)
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                     "the name of dimension %d of the mesh has the byte 0x%02x behind \"%.*s\": "
                     "expected printable ASCII without spaces",
                     d, (unsigned char)*odd, (int)(odd - names[d]), names[d]);
    for (int32_t other = 0; other < d; other++)
      if (strcmp(names[d], names[other]) == 0)
        return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                       "two dimensions of the mesh are called \"%s\"", names[d]);
  }
  return TESSERA_OK;
}

static char *name_of(int32_t dim, const char *const *names) {
  static const char *const usual[] = {"data", "tensor", "pipeline", "expert"};
  enum { NUM_USUAL = sizeof(usual) / sizeof(usual[0]) };
  char text[32];
  if (names)
    return strdup(names[dim]);
  if (dim < NUM_USUAL)
    return strdup(usual[dim]);
  snprintf(text, sizeof(text), "dim%d", dim);
  return strdup(text);
}

/* As much of "mesh of rows x columns" as messages have room for. */
static void write_title(int32_t num_dims, const char *const *names, char *title, size_t capacity) {
  size_t used = (size_t)snprintf(title, capacity, "mesh");
  for (int32_t d = 0; names && d < num_dims && used < capacity; d++)
    used += (size_t)snprintf(title + used, capacity - used, "%s%s", d ? " x " : " of ", names[d]);
}

/* ---- making ---------------------------------------------------------------------------------- */

static tessera_status no_memory(void) {
  return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a mesh");
}

/* Shape, coordinates and names of dimensions whose axes of the grid are there. */
static tessera_status describe(tessera_mesh *mesh, const char *const *names) {
  int64_t rest = mesh->world, coordinates[TR_MESH_DIMS];
  for (int32_t a = mesh->grid.rank - 1; a >= 0; a--) {
    coordinates[a] = rest % mesh->extents[a];
    rest /= mesh->extents[a];
  }
  mesh->size = 1;
  mesh->rank = 0;
  for (int32_t d = 0; d < mesh->num_dims; d++) {
    mesh->shape[d] = mesh->extents[mesh->axes[d]];
    mesh->own[d] = coordinates[mesh->axes[d]];
    mesh->size *= (int32_t)mesh->shape[d];
    mesh->rank = (int32_t)(mesh->rank * mesh->shape[d] + mesh->own[d]);
    mesh->names[d] = name_of(d, names);
    if (!mesh->names[d])
      return no_memory();
  }
  return TESSERA_OK;
}

static tessera_status make(tessera_context *context, int32_t rank, int32_t num_dims,
                           const int64_t *shape, const char *const *names, tessera_mesh **made) {
  tessera_status status = check_names(num_dims, names);
  if (status)
    return status;
  tessera_mesh *mesh = calloc(1, sizeof(*mesh));
  if (!mesh)
    return no_memory();
  tr_lodger_come(&mesh->lodger, context);
  mesh->world = rank;
  mesh->num_dims = num_dims;
  for (int32_t d = 0; d < num_dims; d++) {
    mesh->axes[d] = d;
    mesh->extents[d] = shape[d];
  }
  write_title(num_dims, names, mesh->title, sizeof(mesh->title));
  mesh->grid = (tessera_grid){sizeof(tessera_grid), num_dims, mesh->title, mesh->extents};
  status = describe(mesh, names);
  if (status)
    tessera_mesh_destroy(mesh);
  else
    *made = mesh;
  return status;
}

tessera_status tessera_mesh_create(tessera_context *context, int32_t num_dims, const int64_t *shape,
                                   const char *const *names, tessera_mesh **mesh) {
  int32_t devices;
  tessera_status status = check_output(mesh);
  if (!status)
    status = check_shape(num_dims, shape, &devices);
  if (!status && !context)
    status = tessera_default_context(&context);
  if (status)
    return status;
  int32_t ranks = tessera_context_size(context);
  if (devices != ranks) {
    char text[256];
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "a mesh of shape %s has %d device%s, and there %s %d rank%s: expected as many",
                   tr_extents_text(num_dims, shape, text, sizeof(text)), devices,
                   devices == 1 ? "" : "s", ranks == 1 ? "is" : "are", ranks,
                   ranks == 1 ? "" : "s");
  }
  tr_context_attend(context); /* its first call may be what others wait for */
  return make(context, tessera_context_rank(context), num_dims, shape, names, mesh);
}

tessera_status tessera_mesh_of_rank(int32_t rank, int32_t num_dims, const int64_t *shape,
                                    const char *const *names, tessera_mesh **mesh) {
  int32_t devices;
  tessera_status status = check_output(mesh);
  if (!status)
    status = check_shape(num_dims, shape, &devices);
  if (!status && (rank < 0 || rank >= devices))
    status = tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there is no rank %d in a mesh of %d", rank,
                     devices);
  return status ? status : make(NULL, rank, num_dims, shape, names, mesh);
}

tessera_status tessera_mesh_of_coordinates(int32_t num_coordinates, const int64_t *coordinates,
                                           int32_t num_dims, const int64_t *shape,
                                           const char *const *names, tessera_mesh **mesh) {
  tessera_mesh *first;
  int32_t rank;
  tessera_status status = check_output(mesh);
  if (!status)
    status = tessera_mesh_of_rank(0, num_dims, shape, names, &first);
  if (status)
    return status;
  status = tessera_mesh_to_rank(first, num_coordinates, coordinates, &rank);
  tessera_mesh_destroy(first);
  return status ? status : make(NULL, rank, num_dims, shape, names, mesh);
}

/* ---- parts ----------------------------------------------------------------------------------- */

tessera_status tessera_mesh_sub(const tessera_mesh *mesh, int32_t num_dims, const int32_t *dims,
                                tessera_mesh **sub) {
  const char *names[TR_MESH_DIMS];
  tessera_status status = tr_mesh_check(mesh, sub, "a mesh");
  if (status)
    return status;
  if (!dims)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there are no dimensions: they are NULL");
  if (num_dims < 1 || num_dims > mesh->num_dims)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "%d of the %d dimensions of a mesh: expected 1 to %d", num_dims, mesh->num_dims,
                   mesh->num_dims);
  for (int32_t d = 0; d < num_dims; d++) {
    status = tr_mesh_check_dim(mesh, dims[d]);
    if (status)
      return status;
    names[d] = mesh->names[dims[d]];
  }
  status = check_names(num_dims, names); /* each dimension once */
  if (status)
    return status;
  tessera_mesh *made = calloc(1, sizeof(*made));
  if (!made)
    return no_memory();
  *made = *mesh;
  tr_lodger_come(&made->lodger, mesh->lodger.context);
  made->lodger.has_ended = mesh->lodger.has_ended;
  memset(made->names, 0, sizeof(made->names));
  made->groups = NULL;
  made->grid.shape = made->extents;
  made->grid.name = made->title;
  made->num_dims = num_dims;
  for (int32_t d = 0; d < num_dims; d++)
    made->axes[d] = mesh->axes[dims[d]];
  status = describe(made, names);
  if (status)
    tessera_mesh_destroy(made);
  else
    *sub = made;
  return status;
}

void tessera_mesh_destroy(tessera_mesh *mesh) {
  if (!mesh)
    return;
  tr_mesh_free_groups(mesh);
  tr_lodger_go(&mesh->lodger);
  for (int32_t d = 0; d < mesh->num_dims; d++)
    free(mesh->names[d]);
  free(mesh);
}

/* ---- tensor parallelism ---------------------------------------------------------------------- */

tessera_status tessera_tensor_parallel_create(tessera_context *context, int32_t num_dims,
                                              const int64_t *shape,
                                              tessera_tensor_parallel *parallel) {
  tessera_status status = check_output(parallel);
  if (status)
    return status;
  *parallel = (tessera_tensor_parallel){0};
  status = tessera_mesh_create(context, num_dims, shape, NULL, &parallel->mesh);
  if (!status)
    status = tessera_mesh_tensor_group(parallel->mesh, &parallel->tensor);
  if (!status)
    status = tessera_mesh_data_group(parallel->mesh, &parallel->data);
  if (status)
    tessera_tensor_parallel_destroy(parallel);
  return status;
}

void tessera_tensor_parallel_destroy(tessera_tensor_parallel *parallel) {
  if (!parallel)
    return;
  tessera_mesh_destroy(parallel->mesh);
  *parallel = (tessera_tensor_parallel){0};
}
