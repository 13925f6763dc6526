/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The C++ wrapper of meshes, each function of it once, on four threads or four ranks of MPI. */
#include <thread>

#include "tessera/mesh.hpp"

extern "C" {
#include "harness.h"
}

static void use(tessera_context *context, std::int32_t rank) {
  tessera::mesh mesh({2, 2}, context);
  EXPECT(mesh.size() == 4 && mesh.rank() == rank && mesh.shape()[0] == 2);
  EXPECT(mesh.rank_at(mesh.coordinates()) == rank &&
         mesh.coordinates_of(rank) == mesh.coordinates());
  EXPECT(mesh.dim("tensor") == 1 && mesh.is_master() == (rank == 0));

  tessera::group tensor = mesh.tensor_group();
  EXPECT(tensor.size() == 2 && tensor.ranks()[(std::size_t)tensor.rank()] == rank);
  EXPECT(mesh.line({1}).get() == tensor.get());
  EXPECT(mesh.slice(0, mesh.coordinates()[0]).get() == tensor.get());
  EXPECT(mesh.data_group().size() == 2 && mesh.global_group().size() == 4);

  const float mine[2] = {float(rank), float(rank + 10)};
  float joined[4], sum[2];
  tensor.all_gather(mine, joined, 2);
  EXPECT(joined[0] == float(rank / 2 * 2) && joined[3] == float(rank / 2 * 2 + 11));
  tensor.all_reduce(mine, sum, 2, TESSERA_SUM);
  EXPECT(sum[0] == joined[0] + joined[2]);
  tensor.reduce_scatter(mine, sum, 1, TESSERA_MAX);
  EXPECT(sum[0] == joined[2 + tensor.rank()]);
  tensor.all_to_all(mine, sum, 1);
  EXPECT(sum[0] == joined[tensor.rank()] && sum[1] == joined[2 + tensor.rank()]);
  tensor.broadcast(mine, sum, 2, 1);
  EXPECT(sum[0] == joined[2]);
  tensor.scatter(mine, sum, 1, 0);
  EXPECT(sum[0] == joined[tensor.rank()]);
  tensor.gather(mine, joined, 2, 0);
  tensor.reduce(mine, sum, 2, TESSERA_MIN, 0);
  EXPECT(tensor.rank() != 0 || sum[1] == float(rank + 10));
  tensor.send(mine, 2, 1 - tensor.rank());
  tensor.receive(sum, 2, 1 - tensor.rank());
  EXPECT(sum[0] == float(rank ^ 1));
  EXPECT(tessera::text(mesh.coordinates()) ==
         (rank == 2 ? "(1, 0)" : tessera::text({rank / 2, rank % 2})));
  EXPECT(mesh.name(1) == "tensor" && mesh.extent(1) == 2 && mesh.world_rank(3) == 3);
  EXPECT(tessera::mesh::of_coordinates({1, 0}, {2, 2}).rank() == 2);
  tessera::tensor_parallel parallel({2, 2}, context);
  EXPECT(parallel.tensor().ranks() == tensor.ranks() && parallel.data().size() == 2);
  EXPECT(parallel.mesh().size() == 4);

  tensor.barrier();
  mesh.barrier();
  mesh.barrier_of(0);

  int calls = 0;
  mesh.on_master([&calls] { calls++; });
  EXPECT(calls == (rank == 0));
  tessera::mesh part = mesh.sub({1});
  tessera::mesh moved = std::move(part);
  EXPECT(moved.size() == 2 && moved.rank() == tensor.rank());
}

/* Each type of C++ has the one of the same size and meaning. */
template <typename T> constexpr tessera_dtype type = tessera::dtype_of<T>::value;
static_assert(type<bool> == TESSERA_I1 && type<signed char> == TESSERA_I8 &&
              type<unsigned char> == TESSERA_U8 && type<std::int16_t> == TESSERA_I16 &&
              type<std::uint16_t> == TESSERA_U16 && type<std::int32_t> == TESSERA_I32 &&
              type<std::uint32_t> == TESSERA_U32 && type<std::int64_t> == TESSERA_I64 &&
              type<std::uint64_t> == TESSERA_U64 && type<long long> == TESSERA_I64 &&
              type<unsigned long long> == TESSERA_U64 && type<std::size_t> == TESSERA_U64 &&
              type<float> == TESSERA_F32 && type<double> == TESSERA_F64 &&
              type<std::complex<float>> == TESSERA_C64 &&
              type<std::complex<double>> == TESSERA_C128);

template <typename T>
static void reduce_as(tessera::group group, T mine, tessera_reduction reduction, T wanted) {
  T all;
  group.all_reduce(&mine, &all, 1, reduction);
  EXPECT(all == wanted);
}

static void use_types(tessera_context *context, std::int32_t rank) {
  tessera::mesh mesh({4}, context);
  tessera::group all = mesh.global_group();
  reduce_as<bool>(all, rank != 2, TESSERA_AND, false);
  reduce_as<bool>(all, rank == 2, TESSERA_OR, true);
  reduce_as<long long>(all, (1LL << 40) + rank, TESSERA_SUM, (1LL << 42) + 6);
  reduce_as<unsigned long long>(all, ~0ULL - (unsigned long long)rank, TESSERA_MAX, ~0ULL);
  reduce_as<std::complex<float>>(all, {float(rank), 1}, TESSERA_SUM, {6, 4});
  reduce_as<std::complex<double>>(all, {0, 1}, TESSERA_PRODUCT, {1, 0});
}

static void on_rank(std::int32_t rank, std::int32_t size, void *) {
  if (size != 4)
    return;
  try {
    use(tessera_context_current(), rank);
    use_types(tessera_context_current(), rank);
  } catch (const tessera::error &error) {
    fail_test("rank %d: %s", rank, error.what());
  }
}

int main() {
  try {
    tessera::mesh::of_rank(9, {2, 2}, {"x", "y"});
    fail_test("rank 9 of 4 was taken");
  } catch (const tessera::error &error) {
    EXPECT(error.status() == TESSERA_ERROR_INVALID_ARGUMENT);
  }
  if (!under_mpi()) {
    run_local(4, on_rank, nullptr);
    return finish_tests();
  }
  run_here(on_rank, nullptr);
  tessera::mesh last({tessera_context_size(tessera_context_current())});
  last.barrier();
  return finish_tests(); /* the mesh ends after its context */
}
