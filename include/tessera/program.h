/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Compiled programs from C: load, query, scatter inputs, call, gather results. tessera-run and
 * tessera-check use only this. It knows whole tensors and entries; it must not know MLIR, nor
 * how ranks communicate. */
#ifndef TESSERA_PROGRAM_H
#define TESSERA_PROGRAM_H

#include "tessera/runtime.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Where memory is: the host, or an accelerator that a context has for its programs. */
typedef struct tessera_device tessera_device;

/* A tensor in memory: dense row-major unless strides say otherwise. For scalars rank is 0.
 * shape and strides have `rank` entries; strides count elements; NULL strides: row-major. Only
 * what is on the host can be read and written through `data`. Pieces, that is arguments and results
 * of a call, lie on the device of the context; scalars, files and whole tensors on the host. A
 * tensor in memory of somebody else's is one whose fields were filled by hand; it is not destroyed.
 */
typedef struct tessera_tensor {
  tessera_dtype dtype;
  int32_t rank;
  int64_t *shape;
  int64_t *strides;
  void *data;
  const tessera_device *device; /* on which data lies; NULL: the host */
} tessera_tensor;

/* Makes a dense row-major tensor on the host with fresh zeroed memory for shape and data. */
TESSERA_API tessera_status tessera_tensor_create(tessera_dtype dtype, int32_t rank,
                                                 const int64_t *shape, tessera_tensor *tensor);
/* Frees shape, strides and data, and clears the struct. Safe on a cleared one. */
TESSERA_API void tessera_tensor_destroy(tessera_tensor *tensor);
TESSERA_API int64_t tessera_tensor_elements(const tessera_tensor *tensor);

/* Moves a tensor that owns its memory to the host, or to the device of the context's programs; one
 * that is there stays as it is, one that is moved becomes dense. After a failure it is as before.
 */
TESSERA_API tessera_status tessera_tensor_to_host(tessera_tensor *tensor);
TESSERA_API tessera_status tessera_tensor_to_device(const tessera_context *context,
                                                    tessera_tensor *tensor);

/* The device on which the tensors of the context's programs lie, once one that was compiled for an
 * accelerator is attached; NULL: the host. What a tensor on it says in `device`. */
TESSERA_API const tessera_device *tessera_context_device(const tessera_context *context);
/* Its number among the accelerators of its kind that the driver lists; -1 for the host (NULL). */
TESSERA_API int32_t tessera_device_ordinal(const tessera_device *device);

/* Dense copies of a tensor, which stays as it is: on the context's device, or on the host. `copy`
 * is created, and the caller destroys it. Both wait until the copy is there. */
TESSERA_API tessera_status tessera_device_put(const tessera_context *context,
                                              const tessera_tensor *tensor, tessera_tensor *copy);
TESSERA_API tessera_status tessera_device_get(const tessera_tensor *tensor, tessera_tensor *copy);

typedef struct tessera_program tessera_program;

/* Loads a compiled program and checks its ABI version and its record. The program may be shared by
 * all local ranks of a process. Not thread-safe; do it before starting rank threads. */
TESSERA_API tessera_status tessera_program_load(const char *path, tessera_program **program);
/* Takes a record that is linked into the process (or JIT-compiled) instead of a file. */
TESSERA_API tessera_status tessera_program_from_record(const tessera_program_record *record,
                                                       tessera_program **program);
TESSERA_API void tessera_program_unload(tessera_program *program);
TESSERA_API const tessera_program_record *
tessera_program_get_record(const tessera_program *program);

/* The number of ranks that the program's static grids ask for, or 0 if any number will do. */
TESSERA_API tessera_status tessera_program_ranks(const tessera_program *program, int32_t *ranks);

/* Finds an entry: by name, or with NULL the only one, else "main". The message of a failure lists
 * the entries. */
TESSERA_API tessera_status tessera_program_find(const tessera_program *program, const char *name,
                                                const tessera_entry **entry);

/* Prepares `context` for the program: checks the number of ranks against the grids, resolves `?`
 * extents, creates the groups in table order. Collective over all ranks; required before a call. */
TESSERA_API tessera_status tessera_program_attach(const tessera_program *program,
                                                  tessera_context *context);

/* An entry whose halo sizes and shard offsets are all known, for a call with these arguments
 * (global tensors, entry->num_arguments of them; scalars and shapes count, the data of tensors is
 * not looked at): a copy of `entry` for all functions below, as it is where no layout depends on
 * the arguments. The program and `entry` must outlive it. No communication. Fails where a number
 * does not fit: a negative halo, offsets that do not rise from 0 to the extent. The numbers are
 * computed by code of the program: what fails in that is returned as tessera_call returns it, with
 * the thread's context. */
TESSERA_API tessera_status tessera_entry_resolve(const tessera_entry *entry,
                                                 const tessera_tensor *arguments,
                                                 tessera_entry **resolved);
/* NULL is safe. */
TESSERA_API void tessera_entry_release(tessera_entry *resolved);

/* The shape of `rank`'s piece of a tensor of the given global shape under the parameter's layout,
 * halos included. `shape` has parameter->rank entries. `global` resolves dynamic extents. */
TESSERA_API tessera_status tessera_local_shape(const tessera_program *program,
                                               const tessera_parameter *parameter,
                                               const tessera_context *context, int32_t rank,
                                               const int64_t *global, int64_t *shape);

/* Cuts this rank's piece out of the global tensor (on the host, which every rank passes). A partial
 * parameter has its value at coordinate 0 of the partial axes and the neutral element elsewhere;
 * halo rows beyond the tensor's ends are zero. `local` is created on the context's device; the
 * caller destroys it. No communication. */
TESSERA_API tessera_status tessera_scatter_parameter(const tessera_program *program,
                                                     const tessera_parameter *parameter,
                                                     tessera_context *context,
                                                     const tessera_tensor *global,
                                                     tessera_tensor *local);

/* tessera_scatter_parameter without a copy, where this rank's piece lies in `global` as in memory
 * of tessera_alloc: the whole tensor, or some of its rows. `local->data` is then global's, which a
 * call only reads and which must outlive it: set it to NULL before `local` is destroyed. Elsewhere
 * (not dense, not aligned to 64 bytes, empty, partial, donated, or for a device) `local` is
 * cleared, and tessera_scatter_parameter cuts the piece out. No communication. */
TESSERA_API tessera_status tessera_borrow_parameter(const tessera_program *program,
                                                    const tessera_parameter *parameter,
                                                    tessera_context *context,
                                                    const tessera_tensor *global,
                                                    tessera_tensor *local);

/* Reduces a piece of a partial parameter over its partial axes, so that `reduced` holds final
 * values (for another parameter: a copy). Collective. `reduced` is created on the context's device;
 * the caller destroys it. A reduction that the type lacks fails. */
TESSERA_API tessera_status tessera_reduce_parameter(const tessera_program *program,
                                                    const tessera_parameter *parameter,
                                                    tessera_context *context,
                                                    const tessera_tensor *local,
                                                    tessera_tensor *reduced);

/* For each element of this rank's piece, its row-major index in the global tensor, or -1 in halo
 * rows beyond the tensor's ends. `indices` becomes an i64 tensor of the piece's shape. */
TESSERA_API tessera_status tessera_parameter_indices(const tessera_program *program,
                                                     const tessera_parameter *parameter,
                                                     const tessera_context *context,
                                                     const int64_t *global,
                                                     tessera_tensor *indices);

/* Puts the global tensor together on rank `root`, without halos, partial values reduced.
 * Collective. `global` is created on the root's host and cleared elsewhere. `global_shape` resolves
 * dynamic extents (NULL: derived from the local shapes). */
TESSERA_API tessera_status tessera_gather_parameter(
    const tessera_program *program, const tessera_parameter *parameter, tessera_context *context,
    const tessera_tensor *local, int32_t root, const int64_t *global_shape, tessera_tensor *global);

/* Calls an entry with local tensors on the calling thread under `context`. arguments has
 * entry->num_arguments tensors whose types must fit, each on the context's device, or on the host,
 * from where it is copied for this call; results (entry->num_results) are created on the device;
 * the caller destroys them. On an accelerator the call may return before its work is done: what is
 * given to the context next comes after it, what others do with a result (another library's stream)
 * after tessera_synchronize. All ranks make the same calls,
 * in the same order: a collective of one call never meets one of another. What fails inside the
 * program (a collective, an allocation, an assertion, a division by zero) is returned as its
 * status, with a message that names the operation, its place in the source, and the rank; what the
 * program had allocated is given back, and the context has failed (runtime.h). */
TESSERA_API tessera_status tessera_call(const tessera_program *program, const tessera_entry *entry,
                                        tessera_context *context, const tessera_tensor *arguments,
                                        tessera_tensor *results);

/* The same, for callers that no longer need the arguments that the program has marked
 * tessera.donated (TESSERA_PARAMETER_DONATED): a result that was computed in such an argument's
 * memory takes it, without a copy, and the argument is cleared as tessera_tensor_destroy clears it.
 * Whether one is taken depends on the program; what is left stays the caller's to destroy.
 * A donated argument has to own its memory, as tensors do that this library made.
 *
 * In both calls a donated argument is written: after the call, also one that failed, its elements
 * are unspecified. Its memory is no other argument's (TESSERA_ERROR_INVALID_ARGUMENT), and no other
 * rank's. tessera_call copies a result out of it, and the memory stays the caller's. */
TESSERA_API tessera_status tessera_call_donating(const tessera_program *program,
                                                 const tessera_entry *entry,
                                                 tessera_context *context,
                                                 tessera_tensor *arguments,
                                                 tessera_tensor *results);

/* As tessera_call, with all results on the host, which waits for them. */
TESSERA_API tessera_status tessera_call_to_host(const tessera_program *program,
                                                const tessera_entry *entry,
                                                tessera_context *context,
                                                const tessera_tensor *arguments,
                                                tessera_tensor *results);

/* .npy files. Reading allocates, on the host; no type is converted silently. `dtype_hint` (or 0)
 * names the type that raw V1/V2 or unsigned bits stand for: a 16-bit or 8-bit float, or a signless
 * integer of their width. Signless integers are written as signed ones. What is written takes the
 * place of a file only when it is whole; a failure leaves that as it was. */
TESSERA_API tessera_status tessera_npy_read(const char *path, tessera_dtype dtype_hint,
                                            tessera_tensor *tensor);
TESSERA_API tessera_status tessera_npy_write(const char *path, const tessera_tensor *tensor);

/* Named arrays: one .npy file, a folder of .npy files, or an .npz archive as numpy.savez writes it.
 * A path is a folder if it ends in '/' or there is one, and an archive if it ends in ".npz". */
typedef enum tessera_arrays_kind {
  TESSERA_ARRAYS_FILE,
  TESSERA_ARRAYS_FOLDER,
  TESSERA_ARRAYS_ARCHIVE
} tessera_arrays_kind;
TESSERA_API tessera_arrays_kind tessera_arrays_kind_of(const char *path);

/* Lists the arrays without reading them: of a folder by name, numbers in names by their value; of
 * an archive in its order, `arr_0`, `arr_1`, ... by their numbers. Other files and members are
 * none. Names are those of files without ".npy"; that of a single file is "". Files are mapped:
 * whoever changes them in place changes the arrays. Close with tessera_arrays_close. */
typedef struct tessera_arrays tessera_arrays;
TESSERA_API tessera_status tessera_arrays_open(const char *path, tessera_arrays **arrays);
TESSERA_API int32_t tessera_arrays_count(const tessera_arrays *arrays);
TESSERA_API const char *tessera_arrays_name(const tessera_arrays *arrays, int32_t index);
/* What messages call an array: its file, or archive and member. */
TESSERA_API const char *tessera_arrays_text(const tessera_arrays *arrays, int32_t index);

/* An array as tessera_npy_read has it, but read-only, in the memory of the file, which may be
 * column-major or less aligned than its type: an input of tessera_scatter_parameter, not of
 * tessera_call. It belongs to `arrays` until that is closed or the array is read again; it is not
 * to be destroyed. Not thread-safe; the tensors may be read by any thread. */
TESSERA_API tessera_status tessera_arrays_read(tessera_arrays *arrays, int32_t index,
                                               tessera_dtype dtype_hint, tessera_tensor *tensor);
/* NULL is safe. */
TESSERA_API void tessera_arrays_close(tessera_arrays *arrays);

/* Writes arrays to a folder, which is made if it is missing, or to an archive, which takes its
 * place when it is finished. Each name is one of a file without ".npy", and given once. What is
 * finished or dropped is freed, whatever comes of it. */
typedef struct tessera_arrays_writer tessera_arrays_writer;
TESSERA_API tessera_status tessera_arrays_create(const char *path, tessera_arrays_writer **writer);
TESSERA_API tessera_status tessera_arrays_add(tessera_arrays_writer *writer, const char *name,
                                              const tessera_tensor *tensor);
TESSERA_API tessera_status tessera_arrays_finish(tessera_arrays_writer *writer);
/* NULL is safe. */
TESSERA_API void tessera_arrays_drop(tessera_arrays_writer *writer);

/* What one call of `entry`'s program moves: bytes received by a device over the network at `site`,
 * counted as: all-reduce of B bytes over n devices 2B(n-1)/n; all-gather of result B,
 * reduce-scatter of input B, all-to-all of local B: B(n-1)/n; permute, send, halo: what arrives.
 * Filled by the runtime as calls happen, when counting is on; products, questions and the like are
 * not counted. */
typedef struct tessera_site_traffic {
  uint64_t calls;
  uint64_t bytes;
} tessera_site_traffic;

/* Switches counting on and clears the counters of this context. */
TESSERA_API void tessera_traffic_start(tessera_context *context);
/* Reads the counters for one site of an attached program. */
TESSERA_API tessera_status tessera_traffic_read(const tessera_context *context,
                                                const tessera_site *site,
                                                tessera_site_traffic *traffic);

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_PROGRAM_H */
