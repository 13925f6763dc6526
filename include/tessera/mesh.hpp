/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera/mesh.h for C++17: meshes that end by themselves, and failures as exceptions. It knows the
 * C interface only; what functions do is said there. */
#ifndef TESSERA_MESH_HPP
#define TESSERA_MESH_HPP

#include <complex>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/mesh.h"

namespace tessera {

/* A function of libtessera failed; what() is its message. */
class error : public std::runtime_error {
public:
  explicit error(tessera_status status)
      : std::runtime_error(tessera_last_error()), status_(status) {
  }
  tessera_status status() const noexcept {
    return status_;
  }

private:
  tessera_status status_;
};

inline void check(tessera_status status) {
  if (status != TESSERA_OK)
    throw error(status);
}

/* The element type of a type of C++: bool, integers by their size and sign, float and double, and
 * complex numbers of these. Plain char is no number. The truth of bool is -1 where numbers have
 * signs, as in MLIR, so that TESSERA_OR and TESSERA_AND say more clearly than TESSERA_MIN and
 * TESSERA_MAX what is meant. */
template <typename T> struct dtype_of;
template <tessera_dtype type> struct dtype_constant {
  static constexpr tessera_dtype value = type;
};
template <typename T> constexpr tessera_dtype dtype_of_integer() {
  constexpr bool is_signed = std::is_signed<T>::value;
  switch (sizeof(T)) {
  case 1:
    return is_signed ? TESSERA_I8 : TESSERA_U8;
  case 2:
    return is_signed ? TESSERA_I16 : TESSERA_U16;
  case 4:
    return is_signed ? TESSERA_I32 : TESSERA_U32;
  default:
    return is_signed ? TESSERA_I64 : TESSERA_U64;
  }
}
template <typename T> struct dtype_of_integers : dtype_constant<dtype_of_integer<T>()> {};
template <> struct dtype_of<signed char> : dtype_of_integers<signed char> {};
template <> struct dtype_of<short> : dtype_of_integers<short> {};
template <> struct dtype_of<int> : dtype_of_integers<int> {};
template <> struct dtype_of<long> : dtype_of_integers<long> {};
template <> struct dtype_of<long long> : dtype_of_integers<long long> {};
template <> struct dtype_of<unsigned char> : dtype_of_integers<unsigned char> {};
template <> struct dtype_of<unsigned short> : dtype_of_integers<unsigned short> {};
template <> struct dtype_of<unsigned int> : dtype_of_integers<unsigned int> {};
template <> struct dtype_of<unsigned long> : dtype_of_integers<unsigned long> {};
template <> struct dtype_of<unsigned long long> : dtype_of_integers<unsigned long long> {};
template <> struct dtype_of<bool> : dtype_constant<TESSERA_I1> {};
template <> struct dtype_of<float> : dtype_constant<TESSERA_F32> {};
template <> struct dtype_of<double> : dtype_constant<TESSERA_F64> {};
template <> struct dtype_of<std::complex<float>> : dtype_constant<TESSERA_C64> {};
template <> struct dtype_of<std::complex<double>> : dtype_constant<TESSERA_C128> {};
static_assert(sizeof(bool) == 1 && sizeof(long long) == 8, "elements of I1 and I64");

/* Where a call is in the source: of those who call what has one as its last parameter. */
struct place {
  const char *file;
  int line;

  static constexpr place here(const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
  /* That the next call of this thread is there. */
  void say() const noexcept {
    tessera_at(file, line);
  }
};

/* Ranks that communicate. Ends with its mesh. */
class group {
public:
  explicit group(tessera_group *handle) noexcept : handle_(handle) {
  }

  tessera_group *get() const noexcept {
    return handle_;
  }
  std::int32_t size() const noexcept {
    return tessera_group_size(handle_);
  }
  std::int32_t rank() const noexcept {
    return tessera_group_rank(handle_);
  }
  std::vector<std::int32_t> ranks() const {
    const std::int32_t *first = tessera_group_ranks(handle_);
    return {first, first + size()};
  }

  void barrier(place at = place::here()) const {
    at.say();
    check((tessera_group_barrier)(handle_));
  }

  template <typename T>
  void all_reduce(const T *in, T *out, std::int64_t count, tessera_reduction reduction,
                  place at = place::here()) const {
    at.say();
    check((tessera_group_all_reduce)(handle_, in, out, count, dtype_of<T>::value, reduction));
  }
  template <typename T>
  void all_gather(const T *in, T *out, std::int64_t count, place at = place::here()) const {
    at.say();
    check((tessera_group_all_gather)(handle_, in, out, count, dtype_of<T>::value));
  }
  template <typename T>
  void reduce_scatter(const T *in, T *out, std::int64_t count, tessera_reduction reduction,
                      place at = place::here()) const {
    at.say();
    check((tessera_group_reduce_scatter)(handle_, in, out, count, dtype_of<T>::value, reduction));
  }
  template <typename T>
  void all_to_all(const T *in, T *out, std::int64_t count, place at = place::here()) const {
    at.say();
    check((tessera_group_all_to_all)(handle_, in, out, count, dtype_of<T>::value));
  }
  template <typename T>
  void broadcast(const T *in, T *out, std::int64_t count, std::int32_t root,
                 place at = place::here()) const {
    at.say();
    check((tessera_group_broadcast)(handle_, in, out, count, dtype_of<T>::value, root));
  }
  template <typename T>
  void scatter(const T *in, T *out, std::int64_t count, std::int32_t root,
               place at = place::here()) const {
    at.say();
    check((tessera_group_scatter)(handle_, in, out, count, dtype_of<T>::value, root));
  }
  template <typename T>
  void gather(const T *in, T *out, std::int64_t count, std::int32_t root,
              place at = place::here()) const {
    at.say();
    check((tessera_group_gather)(handle_, in, out, count, dtype_of<T>::value, root));
  }
  template <typename T>
  void reduce(const T *in, T *out, std::int64_t count, tessera_reduction reduction,
              std::int32_t root, place at = place::here()) const {
    at.say();
    check((tessera_group_reduce)(handle_, in, out, count, dtype_of<T>::value, reduction, root));
  }
  template <typename T>
  void send(const T *in, std::int64_t count, std::int32_t to, place at = place::here()) const {
    at.say();
    check((tessera_group_send)(handle_, in, count, dtype_of<T>::value, to));
  }
  template <typename T>
  void receive(T *out, std::int64_t count, std::int32_t from, place at = place::here()) const {
    at.say();
    check((tessera_group_receive)(handle_, out, count, dtype_of<T>::value, from));
  }

private:
  tessera_group *handle_;
};

class mesh {
public:
  /* Of all ranks of `context`; nullptr: the process's default one. */
  explicit mesh(const std::vector<std::int64_t> &shape, tessera_context *context = nullptr,
                const std::vector<std::string> &names = {}) {
    tessera_mesh *made;
    auto words = pointers(shape, names);
    check(tessera_mesh_create(context, dims_of(shape), shape.data(), data_of(words), &made));
    handle_.reset(made);
  }
  /* As rank `rank` sees it, without anybody to communicate with. */
  static mesh of_rank(std::int32_t rank, const std::vector<std::int64_t> &shape,
                      const std::vector<std::string> &names = {}) {
    tessera_mesh *made;
    auto words = pointers(shape, names);
    check(tessera_mesh_of_rank(rank, dims_of(shape), shape.data(), data_of(words), &made));
    return mesh(made);
  }
  /* The same for a rank of which the coordinates are known. */
  static mesh of_coordinates(const std::vector<std::int64_t> &at,
                             const std::vector<std::int64_t> &shape,
                             const std::vector<std::string> &names = {}) {
    tessera_mesh *made;
    auto words = pointers(shape, names);
    check(tessera_mesh_of_coordinates(dims_of(at), at.data(), dims_of(shape), shape.data(),
                                      data_of(words), &made));
    return mesh(made);
  }
  mesh sub(const std::vector<std::int32_t> &dims) const {
    tessera_mesh *made;
    check(tessera_mesh_sub(get(), static_cast<std::int32_t>(dims.size()), dims.data(), &made));
    return mesh(made);
  }

  tessera_mesh *get() const noexcept {
    return handle_.get();
  }
  std::int32_t size() const noexcept {
    return tessera_mesh_size(get());
  }
  std::int32_t rank() const noexcept {
    return tessera_mesh_rank(get());
  }
  std::vector<std::int64_t> shape() const {
    const std::int64_t *first = tessera_mesh_shape(get());
    return {first, first + tessera_mesh_num_dims(get())};
  }
  std::vector<std::int64_t> coordinates() const {
    const std::int64_t *first = tessera_mesh_coordinates(get());
    return {first, first + tessera_mesh_num_dims(get())};
  }
  std::vector<std::int64_t> coordinates_of(std::int32_t rank) const {
    std::vector<std::int64_t> at(static_cast<std::size_t>(tessera_mesh_num_dims(get())));
    check(tessera_mesh_to_coordinates(get(), rank, at.data()));
    return at;
  }
  std::int32_t rank_at(const std::vector<std::int64_t> &at) const {
    std::int32_t rank;
    check(tessera_mesh_to_rank(get(), dims_of(at), at.data(), &rank));
    return rank;
  }
  std::int32_t dim(const std::string &name) const {
    std::int32_t dim;
    check(tessera_mesh_find(get(), name.c_str(), &dim));
    return dim;
  }
  std::string name(std::int32_t dim) const {
    std::int64_t extent; /* fails where there is no such dimension */
    check(tessera_mesh_extent(get(), dim, &extent));
    return tessera_mesh_name(get(), dim);
  }
  std::int64_t extent(std::int32_t dim) const {
    std::int64_t extent;
    check(tessera_mesh_extent(get(), dim, &extent));
    return extent;
  }
  /* The rank in the context of rank `rank` of the mesh. */
  std::int32_t world_rank(std::int32_t rank) const {
    std::int32_t world;
    check(tessera_mesh_to_world(get(), rank, &world));
    return world;
  }
  bool is_master() const noexcept {
    return tessera_mesh_is_master(get());
  }

  group line(const std::vector<std::int32_t> &dims) const {
    tessera_group *made;
    check(tessera_mesh_line(get(), static_cast<std::int32_t>(dims.size()), dims.data(), &made));
    return group(made);
  }
  group slice(std::int32_t dim, std::int64_t index) const {
    tessera_group *made;
    check(tessera_mesh_slice(get(), dim, index, &made));
    return group(made);
  }
  group tensor_group() const {
    tessera_group *made;
    check(tessera_mesh_tensor_group(get(), &made));
    return group(made);
  }
  group data_group() const {
    tessera_group *made;
    check(tessera_mesh_data_group(get(), &made));
    return group(made);
  }
  group global_group() const {
    tessera_group *made;
    check(tessera_mesh_global_group(get(), &made));
    return group(made);
  }

  void barrier(place at = place::here()) const {
    at.say();
    check((tessera_mesh_barrier)(get()));
  }
  void barrier_of(std::int32_t dim, place at = place::here()) const {
    at.say();
    check((tessera_mesh_barrier_of)(get(), dim));
  }

  template <typename F> void on_master(F &&function) const {
    if (is_master())
      std::forward<F>(function)();
  }

private:
  struct destroy {
    void operator()(tessera_mesh *mesh) const noexcept {
      tessera_mesh_destroy(mesh);
    }
  };

  explicit mesh(tessera_mesh *handle) noexcept : handle_(handle) {
  }

  static std::int32_t dims_of(const std::vector<std::int64_t> &shape) noexcept {
    return static_cast<std::int32_t>(shape.size());
  }
  static std::vector<const char *> pointers(const std::vector<std::int64_t> &shape,
                                            const std::vector<std::string> &names) {
    if (!names.empty() && names.size() != shape.size())
      throw std::invalid_argument("a name for each dimension of a mesh, or none");
    std::vector<const char *> words;
    for (const std::string &name : names)
      words.push_back(name.c_str());
    return words;
  }
  static const char *const *data_of(const std::vector<const char *> &words) noexcept {
    return words.empty() ? nullptr : words.data();
  }

  std::unique_ptr<tessera_mesh, destroy> handle_;
};

/* "(1, 0)". Coordinates are equal where their vectors are. */
inline std::string text(const std::vector<std::int64_t> &coordinates) {
  std::string text(2 + 24 * (coordinates.size() + 1), '\0');
  tessera_coordinates_text(static_cast<std::int32_t>(coordinates.size()), coordinates.data(),
                           text.data(), text.size());
  text.resize(text.find('\0'));
  return text;
}

/* A mesh of data x tensor and whatever further dimensions `shape` has, with the groups that tensor-
 * and data-parallel layers need. */
class tensor_parallel {
public:
  explicit tensor_parallel(const std::vector<std::int64_t> &shape,
                           tessera_context *context = nullptr)
      : mesh_(shape, context), tensor_(mesh_.tensor_group()), data_(mesh_.data_group()) {
  }

  const tessera::mesh &mesh() const noexcept {
    return mesh_;
  }
  group tensor() const noexcept {
    return tensor_;
  }
  group data() const noexcept {
    return data_;
  }

private:
  tessera::mesh mesh_;
  group tensor_, data_;
};

} // namespace tessera

#endif // TESSERA_MESH_HPP
