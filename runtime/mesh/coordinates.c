/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ranks of a mesh as coordinates, and back; questions about its shape. It knows numbers; it must
 * not know groups or communication. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mesh/mesh.h"
#include "support/error.h"

/* ---- shape ----------------------------------------------------------------------------------- */

int32_t tessera_mesh_num_dims(const tessera_mesh *mesh) {
  return mesh ? mesh->num_dims : 0;
}

const int64_t *tessera_mesh_shape(const tessera_mesh *mesh) {
  return mesh ? mesh->shape : NULL;
}

int32_t tessera_mesh_size(const tessera_mesh *mesh) {
  return mesh ? mesh->size : 0;
}

int32_t tessera_mesh_rank(const tessera_mesh *mesh) {
  return mesh ? mesh->rank : 0;
}

const int64_t *tessera_mesh_coordinates(const tessera_mesh *mesh) {
  return mesh ? mesh->own : NULL;
}

const char *tessera_mesh_name(const tessera_mesh *mesh, int32_t dim) {
  return !mesh || dim < 0 || dim >= mesh->num_dims ? NULL : mesh->names[dim];
}

tessera_status tr_mesh_check(const tessera_mesh *mesh, const void *output, const char *what) {
  if (!mesh)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there is no mesh: it is NULL");
  return output ? TESSERA_OK
                : tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there is no place for %s: it is NULL",
                          what);
}

tessera_status tr_mesh_check_context(const tessera_mesh *mesh) {
  if (mesh->lodger.context)
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                 mesh->lodger.has_ended
                     ? "the context of the mesh has ended: expected one that goes on"
                     : "the mesh was made of a rank alone: expected one of tessera_mesh_create");
}

tessera_status tr_mesh_check_dim(const tessera_mesh *mesh, int32_t dim) {
  if (dim >= 0 && dim < mesh->num_dims)
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                 "there is no dimension %d in a mesh of %d dimension%s", dim, mesh->num_dims,
                 mesh->num_dims == 1 ? "" : "s");
}

tessera_status tessera_mesh_find(const tessera_mesh *mesh, const char *name, int32_t *dim) {
  tessera_status status = tr_mesh_check(mesh, dim, "a dimension");
  if (status)
    return status;
  if (!name)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there is no name: it is NULL");
  for (int32_t d = 0; d < mesh->num_dims; d++)
    if (strcmp(mesh->names[d], name) == 0) {
      *dim = d;
      return TESSERA_OK;
    }
  return tr_fail(TESSERA_ERROR_NOT_FOUND, "there is no dimension \"%s\" in the mesh", name);
}

tessera_status tessera_mesh_extent(const tessera_mesh *mesh, int32_t dim, int64_t *extent) {
  tessera_status status = tr_mesh_check(mesh, extent, "an extent");
  if (!status)
    status = tr_mesh_check_dim(mesh, dim);
  if (!status)
    *extent = mesh->shape[dim];
  return status;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static tessera_status check_rank(const tessera_mesh *mesh, int32_t rank) {
  if (rank >= 0 && rank < mesh->size)
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there is no rank %d in a mesh of %d", rank,
                 mesh->size);
}

tessera_status tessera_mesh_to_coordinates(const tessera_mesh *mesh, int32_t rank,
                                           int64_t *coordinates) {
  tessera_status status = tr_mesh_check(mesh, coordinates, "coordinates");
  if (!status)
    status = check_rank(mesh, rank);
  for (int32_t d = status ? -1 : mesh->num_dims - 1; d >= 0; d--) {
    coordinates[d] = rank % mesh->shape[d];
    rank = (int32_t)(rank / mesh->shape[d]);
  }
  return status;
}

tessera_status tessera_mesh_to_rank(const tessera_mesh *mesh, int32_t num_coordinates,
                                    const int64_t *coordinates, int32_t *rank) {
  int64_t linear = 0;
  tessera_status status = tr_mesh_check(mesh, rank, "a rank");
  if (status)
    return status;
  if (!coordinates)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there are no coordinates: they are NULL");
  if (num_coordinates != mesh->num_dims)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "%d coordinates for a mesh of %d dimensions: expected as many", num_coordinates,
                   mesh->num_dims);
  for (int32_t d = 0; d < num_coordinates; d++) {
    if (coordinates[d] < 0 || coordinates[d] >= mesh->shape[d])
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                     "coordinate %" PRId64 " in dimension \"%s\" of extent %" PRId64,
                     coordinates[d], mesh->names[d], mesh->shape[d]);
    linear = linear * mesh->shape[d] + coordinates[d];
  }
  *rank = (int32_t)linear;
  return TESSERA_OK;
}

tessera_status tessera_mesh_to_world(const tessera_mesh *mesh, int32_t rank, int32_t *world) {
  int64_t steps[TR_MESH_DIMS], step = 1, coordinates[TR_MESH_DIMS];
  tessera_status status = tr_mesh_check(mesh, world, "a rank");
  if (!status)
    status = tessera_mesh_to_coordinates(mesh, rank, coordinates);
  if (status)
    return status;
  int64_t linear = mesh->world;
  for (int32_t a = mesh->grid.rank - 1; a >= 0; a--) {
    steps[a] = step;
    step *= mesh->extents[a];
  }
  for (int32_t d = 0; d < mesh->num_dims; d++)
    linear += (coordinates[d] - mesh->own[d]) * steps[mesh->axes[d]];
  *world = (int32_t)linear;
  return TESSERA_OK;
}

/* ---- coordinates ----------------------------------------------------------------------------- */

const char *tessera_coordinates_text(int32_t num, const int64_t *coordinates, char *text,
                                     size_t size) {
  if (!text || size == 0)
    return "";
  if (!coordinates && num > 0) {
    snprintf(text, size, "(NULL)");
    return text;
  }
  size_t used = (size_t)snprintf(text, size, "(");
  for (int32_t i = 0; i < num && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, i ? ", " : "", coordinates[i]);
  if (used < size)
    snprintf(text + used, size - used, ")");
  return text;
}

bool tessera_coordinates_equal(int32_t num_a, const int64_t *a, int32_t num_b, const int64_t *b) {
  if (num_a != num_b || num_a <= 0 || !a || !b)
    return num_a == 0 && num_b == 0;
  return memcmp(a, b, sizeof(*a) * (size_t)num_a) == 0;
}

/* ---- master ---------------------------------------------------------------------------------- */

bool tessera_mesh_is_master(const tessera_mesh *mesh) {
  return mesh && mesh->rank == 0;
}

tessera_status tessera_mesh_on_master(const tessera_mesh *mesh,
                                      tessera_status (*function)(void *data), void *data) {
  tessera_status status = tr_mesh_check(mesh, mesh, "a mesh");
  if (!status && !function)
    status = tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there is no function: it is NULL");
  if (status || !tessera_mesh_is_master(mesh))
    return status;
  tr_fail(TESSERA_OK, "%s", ""); /* what is told of an earlier failure is not this one's */
  status = function(data);
  if (status && !*tessera_last_error())
    tr_fail(status, "the function on the master of the mesh: %s", tessera_status_name(status));
  return status;
}
