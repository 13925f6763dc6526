/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Many collectives of every kind in a loop: memory stays flat, and what was taken from MPI is given
 * back. It stands between libtessera and MPI to count.
 * usage: soak [COLLECTIVES [types]]
 * types: some of them must go by datatypes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"

/* ---- what MPI has given out ------------------------------------------------------------------ */

static struct {
  int64_t comms, types, requests;             /* now */
  int64_t all_comms, all_types, all_requests; /* ever */
} taken;

static int count_comm(int code) {
  taken.comms += code == MPI_SUCCESS;
  taken.all_comms += code == MPI_SUCCESS;
  return code;
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *created) {
  return count_comm(PMPI_Comm_create_group(comm, group, tag, created));
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *created) {
  return count_comm(PMPI_Comm_dup(comm, created));
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *created) {
  return count_comm(PMPI_Comm_split(comm, color, key, created));
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *created) {
  return count_comm(PMPI_Comm_split_type(comm, type, key, info, created));
}

int MPI_Comm_free(MPI_Comm *comm) {
  taken.comms--;
  return PMPI_Comm_free(comm);
}

static int count_type(int code) {
  taken.types += code == MPI_SUCCESS;
  taken.all_types += code == MPI_SUCCESS;
  return code;
}

int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *created) {
  return count_type(PMPI_Type_contiguous(count, old, created));
}

int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old,
                            MPI_Datatype *created) {
  return count_type(PMPI_Type_create_hvector(count, length, stride, old, created));
}

int MPI_Type_free(MPI_Datatype *type) {
  taken.types--;
  return PMPI_Type_free(type);
}

static int count_request(int code) {
  taken.requests += code == MPI_SUCCESS;
  taken.all_requests += code == MPI_SUCCESS;
  return code;
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
  return count_request(PMPI_Isend(data, count, type, to, tag, comm, request));
}

int MPI_Issend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request) {
  return count_request(PMPI_Issend(data, count, type, to, tag, comm, request));
}

int MPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op operation,
                   MPI_Comm comm, MPI_Request *request) {
  return count_request(PMPI_Iallreduce(in, out, count, type, operation, comm, request));
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request) {
  return count_request(PMPI_Irecv(data, count, type, from, tag, comm, request));
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
  return count_request(PMPI_Ibarrier(comm, request));
}

static int pending(int count, const MPI_Request *requests) {
  int pending = 0;
  for (int i = 0; i < count; i++)
    pending += requests[i] != MPI_REQUEST_NULL;
  return pending;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  taken.requests -= pending(1, request);
  int code = PMPI_Wait(request, status);
  taken.requests += pending(1, request);
  return code;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
  taken.requests -= pending(count, requests);
  int code = PMPI_Waitall(count, requests, statuses);
  taken.requests += pending(count, requests);
  return code;
}

int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
  taken.requests -= pending(count, requests);
  int code = PMPI_Testall(count, requests, flag, statuses);
  taken.requests += pending(count, requests);
  return code;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  taken.requests -= pending(1, request);
  int code = PMPI_Test(request, flag, status);
  taken.requests += pending(1, request);
  return code;
}

/* ---- one collective -------------------------------------------------------------------------- */

typedef struct soak {
  int32_t rank, size;
  int64_t extents[2];
  tessera_grid grid;
  tessera_site site;
  int64_t rows, columns, members; /* of a piece, and of the group */
} soak;

/* rows x columns floats. */
static memref matrix(int64_t rows, int64_t columns) {
  return memref_create(2, (int64_t[]){rows, columns}, sizeof(float), DENSE);
}

/* The left half of a matrix of rows that are twice as long. */
static memref left_half(int64_t rows, int64_t columns) {
  memref result = matrix(rows, 2 * columns);
  result.dims[1] = columns;
  return result;
}

typedef memref (*maker)(int64_t rows, int64_t columns);

static const int64_t origin[2] = {0, 0};

static void gather(soak *s, const memref *in, const memref *out) {
  if (s->site.kind == TESSERA_SITE_ALL_GATHER)
    tessera_rt_all_gather(&s->site, NULL, in, out);
  else if (s->site.kind == TESSERA_SITE_GATHER)
    tessera_rt_gather(&s->site, NULL, in, out, origin);
  else if (s->site.kind == TESSERA_SITE_SCATTER)
    tessera_rt_scatter(&s->site, NULL, out, in, origin);
  else
    tessera_rt_reduce_scatter(&s->site, NULL, out, in);
}

/* A piece on one side, all pieces along `axis` on the other. */
static void gather_like(soak *s, int32_t axis, maker make) {
  int64_t many = s->members;
  s->site.axis = axis;
  memref piece = make(s->rows, s->columns);
  memref whole =
      matrix(axis == 0 ? many * s->rows : s->rows, axis == 1 ? many * s->columns : s->columns);
  gather(s, &piece, &whole);
  memref_destroy(&piece);
  memref_destroy(&whole);
}

static void all_to_all(soak *s) {
  s->site.axis = 0;
  s->site.concat_axis = 1;
  memref in = matrix(s->members * s->rows, s->columns);
  memref out = matrix(s->rows, s->members * s->columns);
  tessera_rt_all_to_all(&s->site, NULL, &in, &out);
  memref_destroy(&in);
  memref_destroy(&out);
}

static void update_halo(soak *s) {
  static const int64_t words[] = {2, 0, 1, 0}, sizes[] = {1, 1};
  memref buffer = matrix(s->rows, s->columns + 2);
  s->site.from = words;
  tessera_rt_update_halo(&s->site, NULL, &buffer, sizes);
  memref_destroy(&buffer);
}

/* From rows split over axis 0 to whole ones, in few shapes: plans are kept. */
static void exchange(soak *s) {
  static const int64_t from[] = {2, -1, 1, -1, 1, 0, 0, 0, -1, 1, -1, 0, 0, 0, 0};
  static const int64_t to[] = {2, -1, 1, -1, 0, 0, 0, -1, 1, -1, 0, 0, 0, 0};
  s->columns %= 8;
  int64_t sizes[2] = {s->rows * s->extents[0], s->columns};
  s->site.from = from;
  s->site.to = to;
  memref in = matrix(s->rows, s->columns), out = matrix(sizes[0], sizes[1]);
  tessera_rt_exchange(&s->site, NULL, &in, &out, sizes);
  memref_destroy(&in);
  memref_destroy(&out);
}

static void same_shape(soak *s, maker make) {
  memref in = make(s->rows, s->columns), out = make(s->rows, s->columns);
  int64_t next[2] = {(s->rank / s->extents[1] + 1) % s->extents[0], 0};
  int64_t previous[2] = {(s->rank / s->extents[1] + s->extents[0] - 1) % s->extents[0], 0};
  s->site.axis = s->site.axes[0];
  s->site.flags = TESSERA_SITE_ROTATE;
  s->site.offset = 1;
  if (s->site.kind == TESSERA_SITE_ALL_REDUCE)
    tessera_rt_all_reduce(&s->site, NULL, &in, &out);
  else if (s->site.kind == TESSERA_SITE_REDUCE)
    tessera_rt_reduce(&s->site, NULL, &in, &out, origin);
  else if (s->site.kind == TESSERA_SITE_BROADCAST)
    tessera_rt_broadcast(&s->site, NULL, &in, &out, origin);
  else if (s->site.kind == TESSERA_SITE_SHIFT)
    tessera_rt_shift(&s->site, NULL, &in, &out);
  else {
    s->site.num_axes = 1;
    s->site.axes = (const int32_t[]){0};
    tessera_rt_send(&s->site, NULL, &in, next);
    tessera_rt_recv(&s->site, NULL, &out, previous);
  }
  memref_destroy(&in);
  memref_destroy(&out);
}

/* The same on every rank. Now and then a strided one that is large enough for a datatype, in more
 * shapes than are kept. */
static void run_one(soak *s, int64_t number) {
  static const int32_t axes[][2] = {{0, 1}, {1, 0}, {0, 0}, {1, 0}};
  static const tessera_site_kind kinds[] = {
      TESSERA_SITE_ALL_GATHER, TESSERA_SITE_GATHER,         TESSERA_SITE_SCATTER,
      TESSERA_SITE_ALL_REDUCE, TESSERA_SITE_REDUCE_SCATTER, TESSERA_SITE_ALL_TO_ALL,
      TESSERA_SITE_REDUCE,     TESSERA_SITE_BROADCAST,      TESSERA_SITE_SHIFT,
      TESSERA_SITE_SEND,       TESSERA_SITE_UPDATE_HALO,    TESSERA_SITE_EXCHANGE};
  uint64_t draw = mix((uint64_t)number, 1);
  bool is_large = number % 64 == 0;
  int choice = (int)(draw >> 8 & 3);
  s->rows = is_large ? 64 : 1 + (int64_t)(draw >> 16 & 3);
  s->columns = is_large ? 64 + number / 64 % 300 : 1 + (int64_t)(draw >> 20 & 7);
  s->site = (tessera_site){.struct_size = sizeof(s->site),
                           .kind = kinds[draw % (sizeof(kinds) / sizeof(kinds[0]))],
                           .name = "soak",
                           .location = "",
                           .grid = &s->grid,
                           .axes = axes[choice],
                           .num_axes = choice < 2 ? 2 : 1,
                           .index = -1,
                           .input_rank = 2,
                           .output_rank = 2,
                           .input_type = TESSERA_F32,
                           .output_type = TESSERA_F32};
  s->members = choice < 2 ? s->size : s->extents[s->site.axes[0]];
  switch (s->site.kind) {
  case TESSERA_SITE_REDUCE_SCATTER:
    s->site.reduction = TESSERA_SUM;
    /* fall through */
  case TESSERA_SITE_ALL_GATHER:
  case TESSERA_SITE_GATHER:
  case TESSERA_SITE_SCATTER:
    gather_like(s, (int32_t)(draw >> 30 & 1), is_large ? left_half : matrix);
    break;
  case TESSERA_SITE_ALL_TO_ALL:
    all_to_all(s);
    break;
  case TESSERA_SITE_UPDATE_HALO:
    update_halo(s);
    break;
  case TESSERA_SITE_EXCHANGE:
    exchange(s);
    break;
  case TESSERA_SITE_ALL_REDUCE:
  case TESSERA_SITE_REDUCE:
    s->site.reduction = TESSERA_SUM;
    /* fall through */
  default:
    same_shape(s, is_large ? left_half : matrix);
    break;
  }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int64_t resident_bytes(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%ld %ld", &pages, &resident) != 2)
    resident = 0;
  if (file)
    fclose(file);
  return (int64_t)resident * sysconf(_SC_PAGESIZE);
}

static void run(int32_t rank, int32_t size, void *data) {
  /* The first rounds meet every shape; MPI's own pools grow by what happens to be under way. */
  enum { WARM_UP = 20000, TOLERATED = 1 << 20, RESIDENT_TOLERATED = 8 << 20 };
  int64_t count = *(const int64_t *)data;
  soak s = {.rank = rank, .size = size, .extents = {size % 2 ? size : 2, size % 2 ? 1 : size / 2}};
  s.grid = (tessera_grid){sizeof(s.grid), 2, "g", s.extents};
  for (int64_t i = 0; i < WARM_UP; i++)
    run_one(&s, i);
  int64_t comms = taken.comms, before = bytes_in_use(), resident = resident_bytes();
  for (int64_t i = WARM_UP; i < WARM_UP + count; i++)
    run_one(&s, i);
  int64_t grown = bytes_in_use() - before, resident_grown = resident_bytes() - resident;
  EXPECT(taken.comms == comms);
  EXPECT(grown <= TOLERATED);
  EXPECT(resident_grown <= RESIDENT_TOLERATED);
  printf("rank %d: %lld collectives, %+lld bytes in use, %+lld resident; ever made: %lld "
         "communicators, %lld types, %lld requests\n",
         rank, (long long)count, (long long)grown, (long long)resident_grown,
         (long long)taken.all_comms, (long long)taken.all_types, (long long)taken.all_requests);
}

int main(int argc, char **argv) {
  int64_t count = argc > 1 ? strtoll(argv[1], NULL, 10) : 20000;
  int provided, status;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  run_here(run, &count);
  status = finish_tests(); /* ends the runtime, not MPI */
  bool lacks_types = argc > 2 && taken.all_types == 0;
  if (taken.comms || taken.types || taken.requests || taken.all_requests == 0 || lacks_types) {
    fprintf(stderr, "kept: %lld communicators, %lld types, %lld requests\n", (long long)taken.comms,
            (long long)taken.types, (long long)taken.requests);
    status = 1;
  }
  MPI_Finalize();
  return status;
}
