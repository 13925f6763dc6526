/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Finds out who started the process, and loads the modules of its MPI and its device.
 * It must not know what a backend or a device does. */
#include "context/launch.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/local/local.h"
#include "backends/tcp/tcp.h"
#include "devices/host/host.h"
#include "support/error.h"
#include "watch/watch.h"

typedef struct flavour {
  const char *name;
  const char *module;
  const char *version;          /* how MPI_Get_library_version begins */
  const char *const *variables; /* its launcher sets one of these, NULL-terminated */
} flavour;

static const char *const openmpi_variables[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", NULL};
static const char *const mpich_variables[] = {"PMI_RANK", "PMI_FD", "PMI_SIZE", "HYDI_CONTROL_FD",
                                              NULL};

/* PMIx under srun means Open MPI here, PMI-1 or -2 MPICH: that is what Debian's packages speak. */
static const flavour flavours[] = {
    {"openmpi", "libtessera_mpi_openmpi.so", "Open MPI", openmpi_variables},
    {"mpich", "libtessera_mpi_mpich.so", "MPICH", mpich_variables},
};
enum { NUM_FLAVOURS = sizeof(flavours) / sizeof(flavours[0]) };

static bool started_by(const flavour *flavour) {
  for (const char *const *name = flavour->variables; *name; name++)
    if (getenv(*name))
      return true;
  return false;
}

/* ---- an MPI that the host program brought ---------------------------------------------------- */

static bool host_uses_mpi(void) {
  union {
    void *symbol;
    int (*call)(int *);
  } initialized = {dlsym(RTLD_DEFAULT, "MPI_Initialized")};
  int flag = 0;
  return initialized.symbol && initialized.call(&flag) == 0 && flag;
}

/* MPI says itself which one it is; the call may come at any time. */
static tessera_status host_flavour(const flavour **chosen) {
  enum { LONGEST = 8192 + 1 }; /* the most of both MPIs */
  union {
    void *symbol;
    int (*call)(char *, int *);
  } get_version = {dlsym(RTLD_DEFAULT, "MPI_Get_library_version")};
  char version[LONGEST] = "";
  int length = 0;
  if (get_version.symbol)
    get_version.call(version, &length);
  for (int i = 0; i < NUM_FLAVOURS; i++)
    if (strncmp(version, flavours[i].version, strlen(flavours[i].version)) == 0) {
      *chosen = &flavours[i];
      return TESSERA_OK;
    }
  return tr_fail(TESSERA_ERROR_UNSUPPORTED,
                 "the program uses an MPI for which there is no backend: %.60s; Open MPI or MPICH "
                 "was expected",
                 version);
}

/* ---- modules --------------------------------------------------------------------------------- */

/* The folder that libtessera was loaded from, with a slash at its end. */
static void own_folder(char *folder, size_t capacity) {
  Dl_info info;
  folder[0] = '\0';
  if (!dladdr((void *)(uintptr_t)tr_launch_open, &info) || !info.dli_fname)
    return;
  const char *slash = strrchr(info.dli_fname, '/');
  if (slash)
    snprintf(folder, capacity, "%.*s", (int)(slash - info.dli_fname + 1), info.dli_fname);
}

/* MPI libraries load parts of themselves and expect their symbols to be global. */
static void *load_module(const char *module) {
  char folder[4096], path[4200];
  const char *given = getenv("TESSERA_BACKEND_PATH");
  if (given)
    snprintf(folder, sizeof(folder), "%s/", given);
  else
    own_folder(folder, sizeof(folder));
  snprintf(path, sizeof(path), "%s%s", folder, module);
  return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

static pthread_mutex_t host_lock = PTHREAD_MUTEX_INITIALIZER;

/* The same for all modules, as long as the process. */
static tessera_status find_host(const tr_backend_host **found) {
  static tr_backend_host host = {TR_BACKEND_VERSION, &tr_host_device, 0, tr_fail};
  pthread_mutex_lock(&host_lock);
  tessera_status status = tr_watch_timeout(&host.patience);
  pthread_mutex_unlock(&host_lock);
  *found = &host;
  return status;
}

static tessera_status open_module(void *library, const char *module, tr_world *world) {
  const tr_backend_host *host;
  union {
    void *symbol;
    tr_backend_open call;
  } entry = {dlsym(library, TR_BACKEND_SYMBOL)};
  if (!entry.symbol)
    return tr_fail(TESSERA_ERROR_NOT_FOUND, "%s is not a backend of libtessera", module);
  tessera_status status = find_host(&host);
  return status ? status : entry.call(host, world);
}

static tessera_status open_backend(const char *name, const char *module, tr_world *world) {
  void *library = load_module(module);
  if (!library) {
    const char *reason = dlerror();
    return tr_fail(TESSERA_ERROR_NOT_FOUND, "cannot load the %s backend: %s", name,
                   reason ? reason : module);
  }
  return open_module(library, module, world);
}

static tessera_status open_flavour(const flavour *flavour, tr_world *world) {
  return open_backend(flavour->name, flavour->module, world);
}

/* Backends for the memory of a device, by its name. */
static const struct {
  const char *device, *name, *module;
} reaching[] = {{"cuda", "nccl", "libtessera_nccl.so"}};

/* TESSERA_BACKEND may ask for one that moves memory of the host only. */
tessera_status tr_launch_reach(tr_world *world) {
  const char *wish = getenv("TESSERA_BACKEND");
  size_t row = 0;
  while (row < sizeof(reaching) / sizeof(reaching[0]) &&
         strcmp(reaching[row].device, world->device->name) != 0)
    row++;
  bool is_there = row < sizeof(reaching) / sizeof(reaching[0]);
  if (is_there && (!wish || !wish[0] || strcmp(wish, reaching[row].name) == 0))
    return open_backend(reaching[row].name, reaching[row].module, world);
  return tr_fail(TESSERA_ERROR_UNSUPPORTED,
                 "the %s backend moves memory of the host only, and the device is '%s'; %s%s%s "
                 "ranks of one process (TESSERA_BACKEND=local) can use it",
                 world->backend->name, world->device->name, is_there ? "TESSERA_BACKEND=" : "",
                 is_there ? reaching[row].name : "", is_there ? " and" : "");
}

/* ---- devices --------------------------------------------------------------------------------- */

tessera_status tr_launch_device(const char *name, const tr_device_seat *seat,
                                const tr_device **device) {
  static const tr_device_host host = {TR_DEVICE_VERSION, &tr_host_device, tr_fail};
  char module[256];
  *device = &tr_host_device;
  if (strcmp(name, tr_host_device.name) == 0)
    return TESSERA_OK;
  snprintf(module, sizeof(module), "libtessera_device_%s.so", name);
  void *library = load_module(module);
  if (!library) {
    const char *reason = dlerror();
    return tr_fail(TESSERA_ERROR_NOT_FOUND, "cannot load the device '%s': %s", name,
                   reason ? reason : module);
  }
  union {
    void *symbol;
    tr_device_open call;
  } entry = {dlsym(library, TR_DEVICE_SYMBOL)};
  if (!entry.symbol)
    return tr_fail(TESSERA_ERROR_NOT_FOUND, "%s is not a device of libtessera", module);
  return entry.call(&host, seat, device);
}

const char *tr_launch_device_name(void) {
  const char *name = getenv("TESSERA_DEVICE");
  return name && name[0] ? name : NULL;
}

static _Atomic(const tr_device *) process_device; /* NULL: nobody has asked */

/* Memory of an accelerator is no memory of code that runs on the host. */
static const tr_device *find_process_device(void) {
  static const tr_device_seat alone = {0, 1};
  const char *name = tr_launch_device_name();
  const tr_device *device;
  if (!name || tr_launch_device(name, &alone, &device) != TESSERA_OK)
    return &tr_host_device;
  if (!device->target)
    return device;
  if (device->close)
    device->close(device);
  return &tr_host_device;
}

const tr_device *tr_process_device(void) {
  const tr_device *device = atomic_load_explicit(&process_device, memory_order_acquire);
  if (device)
    return device;
  device = find_process_device();
  atomic_store_explicit(&process_device, device, memory_order_release);
  return device;
}

/* The first one that can be loaded. */
static tessera_status open_any_mpi(tr_world *world) {
  tessera_status status = TESSERA_ERROR_NOT_FOUND;
  for (int i = 0; status == TESSERA_ERROR_NOT_FOUND && i < NUM_FLAVOURS; i++)
    status = open_flavour(&flavours[i], world);
  return status;
}

/* ---- choice ---------------------------------------------------------------------------------- */

static const flavour *launcher_flavour(void) {
  for (int i = 0; i < NUM_FLAVOURS; i++)
    if (started_by(&flavours[i]))
      return &flavours[i];
  return NULL;
}

static long number_of(const char *variable) {
  const char *text = getenv(variable);
  return text ? strtol(text, NULL, 10) : 0;
}

/* srun starts all tasks also where none of them can find the others: each would do the whole job,
 * and write the same files. In a batch script, which may start what it likes, SLURM_NTASKS is set
 * too, but its number is 0 and it is no step of several tasks. */
static tessera_status check_alone(void) {
  long tasks = number_of("SLURM_STEP_NUM_TASKS"), self = number_of("SLURM_PROCID");
  if (tasks == 0 && self > 0)
    tasks = number_of("SLURM_NTASKS");
  if (tasks <= 1)
    return TESSERA_OK;
  return tr_fail(
      TESSERA_ERROR_NOT_FOUND,
      "srun has started %ld tasks, but nothing tells them of each other: use srun "
      "--mpi=pmix for Open MPI, --mpi=pmi2 for MPICH, TESSERA_BACKEND=tcp or nccl to let "
      "them find each other by Slurm's variables, or TESSERA_BACKEND=local for a job of "
      "its own in every task",
      tasks);
}

/* Where no launcher of an MPI has started the process. Slurm's variables say nothing of whether
 * tasks are to work together, so they are asked where somebody wishes it. */
static tessera_status open_without_mpi(bool wishes_tcp, tr_world *world) {
  tr_tcp_place place;
  bool is_there;
  double patience;
  tessera_status status = tr_tcp_find(wishes_tcp, &place, &is_there);
  if (!status)
    status = tr_watch_timeout(&patience);
  if (status)
    return status;
  if (is_there)
    return tr_tcp_open(&place, patience, world);
  status = check_alone();
  return status ? status : tr_local_open(1, world);
}

tessera_status tr_launch_open_by(const tessera_rendezvous *rendezvous, tr_world *world) {
  double patience;
  size_t needed = offsetof(tessera_rendezvous, data) + sizeof(rendezvous->data);
  if (rendezvous->struct_size < needed || rendezvous->size < 1 || rendezvous->rank < 0 ||
      rendezvous->rank >= rendezvous->size || !rendezvous->gather)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "a rendezvous of rank %d of %d cannot be",
                   rendezvous->rank, rendezvous->size);
  tessera_status status = tr_watch_timeout(&patience);
  return status ? status : tr_tcp_open_by(rendezvous, patience, world);
}

tessera_status tr_launch_open(tr_world *world) {
  const char *wish = getenv("TESSERA_BACKEND");
  if (wish && strcmp(wish, "local") == 0)
    return tr_local_open(1, world);
  for (int i = 0; wish && i < NUM_FLAVOURS; i++)
    if (strcmp(wish, flavours[i].name) == 0)
      return open_flavour(&flavours[i], world);
  bool wishes_nccl = wish && strcmp(wish, "nccl") == 0; /* which comes with a device */
  if (wish && strcmp(wish, "tcp") == 0)
    return open_without_mpi(true, world);
  if (wish && (!wish[0] || wishes_nccl))
    wish = NULL;
  if (wish && strcmp(wish, "mpi") != 0)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "TESSERA_BACKEND is '%s'; it can be local, mpi, openmpi, mpich, tcp or nccl",
                   wish);
  const flavour *chosen = launcher_flavour();
  tessera_status status = host_uses_mpi() ? host_flavour(&chosen) : TESSERA_OK;
  if (status)
    return status;
  if (chosen)
    return open_flavour(chosen, world);
  return wish ? open_any_mpi(world) : open_without_mpi(wishes_nccl, world);
}
