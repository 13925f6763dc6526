/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Device meshes for programs that people write by hand: ranks as coordinates, the groups of ranks
 * along dimensions, and collectives on plain buffers. The groups are those of compiled programs. It
 * knows nothing of MLIR.
 *
 * A mesh of shape 4x2 has eight devices, numbered by their coordinates in row-major order: (1, 0)
 * is rank 2. Its dimensions have names, "data", "tensor", "pipeline" and "expert" where none are
 * given.
 *
 * Functions return a status; what is wrong with an argument is in tessera_last_error(). A mesh is
 * used by one thread at a time, as its context is. Without a context (as tessera_mesh_of_rank makes
 * them, and when it has ended) everything works but what communicates. Of a NULL mesh or group,
 * functions that return no status tell 0, false or NULL.
 *
 * Functions that communicate are macros, too, which say where in the source they are called: that
 * is in messages, traces and statistics. TESSERA_NO_PLACES before the header leaves them out. */
#ifndef TESSERA_MESH_H
#define TESSERA_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tessera/runtime.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct tessera_mesh tessera_mesh;
/* Ranks that communicate: owned by the mesh that it was asked of. */
typedef struct tessera_group tessera_group;

/* The dimensions of a mesh whose dimensions are not named. */
enum {
  TESSERA_DIM_DATA = 0,     /* batches */
  TESSERA_DIM_TENSOR = 1,   /* within layers */
  TESSERA_DIM_PIPELINE = 2, /* layers */
  TESSERA_DIM_EXPERT = 3
};

/* ------------------------------------------------------------------------------------------------
 * Meshes
 * --------------------------------------------------------------------------------------------- */

/* A mesh of all ranks of `context`, in which this rank has the coordinates of its number. NULL: the
 * process's default context, under an MPI launcher the ranks of MPI; tessera_local_create makes
 * contexts of threads. `shape` has `num_dims` extents of 1 or more, whose product is the number of
 * ranks. `names` has as many different words of printable ASCII without spaces, or is NULL. Not
 * collective. */
TESSERA_API tessera_status tessera_mesh_create(tessera_context *context, int32_t num_dims,
                                               const int64_t *shape, const char *const *names,
                                               tessera_mesh **mesh);
/* A mesh as rank `rank` sees it, without anybody to communicate with. */
TESSERA_API tessera_status tessera_mesh_of_rank(int32_t rank, int32_t num_dims,
                                                const int64_t *shape, const char *const *names,
                                                tessera_mesh **mesh);
/* The same for a rank of which the coordinates are known; as many as the shape has dimensions. */
TESSERA_API tessera_status tessera_mesh_of_coordinates(int32_t num_coordinates,
                                                       const int64_t *coordinates, int32_t num_dims,
                                                       const int64_t *shape,
                                                       const char *const *names,
                                                       tessera_mesh **mesh);
/* The ranks that share this rank's coordinates in all dimensions but `dims`, as a mesh of these, in
 * the order given. It is a mesh of its own, and may outlive `mesh`. Not collective. */
TESSERA_API tessera_status tessera_mesh_sub(const tessera_mesh *mesh, int32_t num_dims,
                                            const int32_t *dims, tessera_mesh **sub);
/* Frees the mesh and its groups. NULL: nothing. */
TESSERA_API void tessera_mesh_destroy(tessera_mesh *mesh);

/* ------------------------------------------------------------------------------------------------
 * Ranks and coordinates
 * --------------------------------------------------------------------------------------------- */

TESSERA_API int32_t tessera_mesh_num_dims(const tessera_mesh *mesh);
TESSERA_API const int64_t *tessera_mesh_shape(const tessera_mesh *mesh);
TESSERA_API int32_t tessera_mesh_size(const tessera_mesh *mesh);
/* This rank's number in the mesh, and its coordinates. */
TESSERA_API int32_t tessera_mesh_rank(const tessera_mesh *mesh);
TESSERA_API const int64_t *tessera_mesh_coordinates(const tessera_mesh *mesh);
/* NULL if there is no dimension `dim`. */
TESSERA_API const char *tessera_mesh_name(const tessera_mesh *mesh, int32_t dim);
/* The dimension called `name`: TESSERA_ERROR_NOT_FOUND if there is none. */
TESSERA_API tessera_status tessera_mesh_find(const tessera_mesh *mesh, const char *name,
                                             int32_t *dim);
/* The extent of dimension `dim`: how many ways data or tensors are split. */
TESSERA_API tessera_status tessera_mesh_extent(const tessera_mesh *mesh, int32_t dim,
                                               int64_t *extent);

/* `coordinates` has room for, or has, num_dims numbers. */
TESSERA_API tessera_status tessera_mesh_to_coordinates(const tessera_mesh *mesh, int32_t rank,
                                                       int64_t *coordinates);
TESSERA_API tessera_status tessera_mesh_to_rank(const tessera_mesh *mesh, int32_t num_coordinates,
                                                const int64_t *coordinates, int32_t *rank);
/* The rank in the context of rank `rank` of the mesh; of a sub-mesh they differ. */
TESSERA_API tessera_status tessera_mesh_to_world(const tessera_mesh *mesh, int32_t rank,
                                                 int32_t *world);

/* Writes "(1, 0)" and returns `text`; as much of it as fits, and of NULL "(NULL)". Without room for
 * it returns "". */
TESSERA_API const char *tessera_coordinates_text(int32_t num, const int64_t *coordinates,
                                                 char *text, size_t size);
/* NULL equals nothing, but where both have no coordinates. */
TESSERA_API bool tessera_coordinates_equal(int32_t num_a, const int64_t *a, int32_t num_b,
                                           const int64_t *b);

/* ------------------------------------------------------------------------------------------------
 * Groups
 * --------------------------------------------------------------------------------------------- */

/* A *line* varies: the ranks that differ from this one in dimensions `dims` only, the last one
 * fastest. No dimensions: this rank alone. A line is what collectives of parallel layers go along.
 */
TESSERA_API tessera_status tessera_mesh_line(tessera_mesh *mesh, int32_t num_dims,
                                             const int32_t *dims, tessera_group **group);
/* A *slice* holds: all ranks whose coordinate in dimension `dim` is `index`, by rank. This rank
 * need not be one of them; then the group only tells who they are. On a mesh of data x tensor the
 * slice of dimension data at this rank's own index is its tensor-parallel line; with three
 * dimensions it is a plane of which that line is a part. */
TESSERA_API tessera_status tessera_mesh_slice(tessera_mesh *mesh, int32_t dim, int64_t index,
                                              tessera_group **group);
/* The lines along "tensor" and "data", whatever other dimensions there are. */
TESSERA_API tessera_status tessera_mesh_tensor_group(tessera_mesh *mesh, tessera_group **group);
TESSERA_API tessera_status tessera_mesh_data_group(tessera_mesh *mesh, tessera_group **group);
/* All ranks. */
TESSERA_API tessera_status tessera_mesh_global_group(tessera_mesh *mesh, tessera_group **group);

TESSERA_API int32_t tessera_group_size(const tessera_group *group);
/* This rank's position in the group; -1 if it is not in it. */
TESSERA_API int32_t tessera_group_rank(const tessera_group *group);
/* The members' ranks in the mesh. */
TESSERA_API const int32_t *tessera_group_ranks(const tessera_group *group);

/* ------------------------------------------------------------------------------------------------
 * Waiting for each other
 * --------------------------------------------------------------------------------------------- */

TESSERA_API tessera_status tessera_group_barrier(tessera_group *group);
/* All ranks of the mesh. */
TESSERA_API tessera_status tessera_mesh_barrier(tessera_mesh *mesh);
/* The slice of dimension `dim` that this rank is in. */
TESSERA_API tessera_status tessera_mesh_barrier_of(tessera_mesh *mesh, int32_t dim);

/* Whether all coordinates of this rank are 0. */
TESSERA_API bool tessera_mesh_is_master(const tessera_mesh *mesh);
/* Calls `function(data)` there, and returns what it does; TESSERA_OK elsewhere. Nobody waits. */
TESSERA_API tessera_status tessera_mesh_on_master(const tessera_mesh *mesh,
                                                  tessera_status (*function)(void *data),
                                                  void *data);

/* ------------------------------------------------------------------------------------------------
 * Collectives
 *
 * Collective over the members, in the same order on each. Buffers are dense, of elements of `type`;
 * in and out that overlap are refused, except that all_reduce and broadcast may have in == out.
 * `count` is elements of one part: of what a member gives to all_gather, gather and all_reduce, or
 * gets from scatter and reduce_scatter, or of each of the parts that all_to_all has for the
 * members.
 * --------------------------------------------------------------------------------------------- */

TESSERA_API tessera_status tessera_group_all_reduce(tessera_group *group, const void *in, void *out,
                                                    int64_t count, tessera_dtype type,
                                                    tessera_reduction reduction);
TESSERA_API tessera_status tessera_group_all_gather(tessera_group *group, const void *in, void *out,
                                                    int64_t count, tessera_dtype type);
TESSERA_API tessera_status tessera_group_reduce_scatter(tessera_group *group, const void *in,
                                                        void *out, int64_t count,
                                                        tessera_dtype type,
                                                        tessera_reduction reduction);
TESSERA_API tessera_status tessera_group_all_to_all(tessera_group *group, const void *in, void *out,
                                                    int64_t count, tessera_dtype type);
/* `root` is a position in the group. `in` is read there alone, and written to `out` everywhere. */
TESSERA_API tessera_status tessera_group_broadcast(tessera_group *group, const void *in, void *out,
                                                   int64_t count, tessera_dtype type, int32_t root);
TESSERA_API tessera_status tessera_group_scatter(tessera_group *group, const void *in, void *out,
                                                 int64_t count, tessera_dtype type, int32_t root);
/* `out` is written on the root alone. */
TESSERA_API tessera_status tessera_group_gather(tessera_group *group, const void *in, void *out,
                                                int64_t count, tessera_dtype type, int32_t root);
TESSERA_API tessera_status tessera_group_reduce(tessera_group *group, const void *in, void *out,
                                                int64_t count, tessera_dtype type,
                                                tessera_reduction reduction, int32_t root);
/* Buffered: returns without waiting for the receiver. */
TESSERA_API tessera_status tessera_group_send(tessera_group *group, const void *in, int64_t count,
                                              tessera_dtype type, int32_t to);
/* `from` -1: from any member. */
TESSERA_API tessera_status tessera_group_receive(tessera_group *group, void *out, int64_t count,
                                                 tessera_dtype type, int32_t from);

/* The call that this thread makes next is at line `line` of `file`, whose text stays. The macros at
 * the end of this file say so; bindings of other languages may. */
TESSERA_API void tessera_at(const char *file, int32_t line);

/* ------------------------------------------------------------------------------------------------
 * Tensor parallelism in one call
 * --------------------------------------------------------------------------------------------- */

/* A mesh with the groups that tensor- and data-parallel layers need, ready. */
typedef struct tessera_tensor_parallel {
  tessera_mesh *mesh;
  tessera_group *tensor;
  tessera_group *data;
} tessera_tensor_parallel;

/* Of a mesh of data x tensor and whatever further dimensions `shape` has, on the ranks of `context`
 * (NULL: the default one). */
TESSERA_API tessera_status tessera_tensor_parallel_create(tessera_context *context,
                                                          int32_t num_dims, const int64_t *shape,
                                                          tessera_tensor_parallel *parallel);
TESSERA_API void tessera_tensor_parallel_destroy(tessera_tensor_parallel *parallel);

#if !defined(TESSERA_NO_PLACES)
/* clang-format off */
#define TESSERA_AT(call) (tessera_at(__FILE__, __LINE__), call)
#define tessera_group_barrier(...) TESSERA_AT(tessera_group_barrier(__VA_ARGS__))
#define tessera_mesh_barrier(...) TESSERA_AT(tessera_mesh_barrier(__VA_ARGS__))
#define tessera_mesh_barrier_of(...) TESSERA_AT(tessera_mesh_barrier_of(__VA_ARGS__))
#define tessera_group_all_reduce(...) TESSERA_AT(tessera_group_all_reduce(__VA_ARGS__))
#define tessera_group_all_gather(...) TESSERA_AT(tessera_group_all_gather(__VA_ARGS__))
#define tessera_group_reduce_scatter(...) TESSERA_AT(tessera_group_reduce_scatter(__VA_ARGS__))
#define tessera_group_all_to_all(...) TESSERA_AT(tessera_group_all_to_all(__VA_ARGS__))
#define tessera_group_broadcast(...) TESSERA_AT(tessera_group_broadcast(__VA_ARGS__))
#define tessera_group_scatter(...) TESSERA_AT(tessera_group_scatter(__VA_ARGS__))
#define tessera_group_gather(...) TESSERA_AT(tessera_group_gather(__VA_ARGS__))
#define tessera_group_reduce(...) TESSERA_AT(tessera_group_reduce(__VA_ARGS__))
#define tessera_group_send(...) TESSERA_AT(tessera_group_send(__VA_ARGS__))
#define tessera_group_receive(...) TESSERA_AT(tessera_group_receive(__VA_ARGS__))
/* clang-format on */
#endif

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_MESH_H */
