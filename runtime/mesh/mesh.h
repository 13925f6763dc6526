/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a mesh and its groups are inside. It knows grids; it must not know how bytes travel. */
#ifndef TESSERA_RUNTIME_MESH_MESH_H
#define TESSERA_RUNTIME_MESH_MESH_H

#define TESSERA_NO_PLACES /* of our own calls */
#include "tessera/mesh.h"

#include "context/lodgers.h"

enum { TR_MESH_DIMS = 16 }; /* the most dimensions of a mesh, as of a compiler's grid */

/* The mesh is all of a grid, or the part of it that shares this rank's coordinates along the grid's
 * other axes. */
struct tessera_mesh {
  tr_lodger lodger; /* in its context, if there is anybody to communicate with */
  tessera_grid grid;
  char title[64]; /* the grid's name: "mesh", and the names of its dimensions if they were given */
  int64_t extents[TR_MESH_DIMS]; /* of the grid */
  int32_t world;                 /* this rank in the grid */
  int32_t num_dims;
  int32_t axes[TR_MESH_DIMS]; /* of the grid, that the dimensions are */
  int64_t shape[TR_MESH_DIMS];
  int64_t own[TR_MESH_DIMS]; /* coordinates of this rank */
  char *names[TR_MESH_DIMS];
  int32_t size;
  int32_t rank;
  tessera_group *groups; /* a list */
};

/* The constant record of the calls of one function at one place in a group. */
typedef struct tr_group_site {
  struct tr_group_site *next;
  const char *file;
  int32_t line;
  tessera_site site;
  char location[]; /* "file.c:12", or "" */
} tr_group_site;

struct tessera_group {
  tessera_mesh *mesh;
  tessera_group *next;
  int32_t size;
  int32_t self; /* -1: this rank is not in it */
  int32_t num_axes;
  int32_t axes[TR_MESH_DIMS]; /* of the grid, outermost first; of a group that this rank is in */
  tr_group_site *sites;
  int32_t ranks[]; /* in the mesh */
};

/* Frees a mesh's groups and what they know of calls. */
void tr_mesh_free_groups(tessera_mesh *mesh);

/* Fails of a mesh that has no context, or has it no longer. */
tessera_status tr_mesh_check_context(const tessera_mesh *mesh);
/* Fail where there is no mesh, or nowhere to write `what`, and where the mesh has no dimension
 * `dim`.
 */
tessera_status tr_mesh_check(const tessera_mesh *mesh, const void *output, const char *what);
tessera_status tr_mesh_check_dim(const tessera_mesh *mesh, int32_t dim);

/* Where this thread makes its next call, as tessera_at said; nowhere from then on. */
typedef struct tr_source_place {
  const char *file; /* NULL: nowhere */
  int32_t line;
} tr_source_place;
tr_source_place tr_take_place(void);

#endif /* TESSERA_RUNTIME_MESH_MESH_H */
