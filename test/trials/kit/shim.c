/* A shim between a program and the C library, for files below one folder: counts operations, makes the n-th one fail or kills the
 * program there, shifts the clock, and logs writes and syncs in a journal. Loaded by LD_PRELOAD; see shim.ts. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Shared with the trial through a mapped file. */
struct control {
  int64_t kinds;    /* bits of the counted operations, see below */
  int64_t at;       /* number of the operation that is hit; 0 for none */
  int64_t action;   /* an errno, or -1 for SIGKILL */
  int64_t sticky;   /* 1: all operations after it are hit too */
  int64_t count;    /* number of operations so far */
  int64_t hits;
  int64_t clock_ns; /* added to the time of day */
  int64_t full;     /* 1: nothing can be written, the disk is full */
};
enum { WRITE = 1, SYNC = 2, NAME = 4, OPEN = 8, ALLOC = 16 };
enum { J_OPEN = 1, J_WRITE, J_TRUNCATE, J_SYNC, J_RENAME, J_UNLINK, J_LINK };

#define FDS 65536
static struct control *control;
static const char *under;
static size_t under_length;
static char *paths[FDS];
static ino_t inodes[FDS];
static int journal = -1;
static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t addon_low, addon_high;

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

__attribute__((constructor)) static void set_up(void) {
  const char *file = getenv("TRIAL_SHIM");
  under = getenv("TRIAL_UNDER");
  if (!file || !under) return;
  under_length = strlen(under);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0) return;
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  const char *log = getenv("TRIAL_JOURNAL");
  if (log) journal = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (mapped != MAP_FAILED) control = mapped;
}

static int is_ours(const char *path) {
  return control && path && strncmp(path, under, under_length) == 0 && (path[under_length] == '/' || !path[under_length]);
}

/* Node closes files without this library, so a descriptor may belong to another file or a socket by now. */
static const char *path_of(int fd) {
  if (fd < 0 || fd >= FDS || !paths[fd]) return NULL;
  struct stat found;
  return syscall(SYS_fstat, fd, &found) == 0 && found.st_ino == inodes[fd] ? paths[fd] : NULL;
}

/* Returns 0, or the errno with which the operation must fail. */
static int hit(int kind) {
  if (!(control->kinds & kind)) return 0;
  int64_t number = __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST);
  if (control->at == 0 || (number != control->at && !(control->sticky && number > control->at))) return 0;
  __atomic_add_fetch(&control->hits, 1, __ATOMIC_SEQ_CST);
  if (control->action == -1) syscall(SYS_kill, getpid(), SIGKILL);
  return (int)control->action;
}

static void note(int op, const char *path, int64_t offset, const void *data, int64_t length) {
  if (journal < 0) return;
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  int64_t head[5] = {now.tv_sec * 1000000000LL + now.tv_nsec, op, (int64_t)strlen(path), offset, length};
  struct iovec parts[3] = {{head, sizeof head}, {(void *)path, (size_t)head[2]}, {(void *)data, data ? (size_t)length : 0}};
  if (!data) head[4] = 0, head[3] = op == J_TRUNCATE ? length : offset;
  pthread_mutex_lock(&journal_lock);
  syscall(SYS_writev, journal, parts, 3);
  pthread_mutex_unlock(&journal_lock);
}

static int fail(int error) {
  errno = error;
  return -1;
}

static int opened(int fd, const char *path, int flags) {
  if (fd < 0 || fd >= FDS) return fd;
  free(paths[fd]);
  paths[fd] = strdup(path);
  struct stat found;
  inodes[fd] = syscall(SYS_fstat, fd, &found) == 0 ? found.st_ino : 0;
  if (flags & (O_CREAT | O_TRUNC)) note(J_OPEN, path, (flags & O_TRUNC) != 0, NULL, 0);
  return fd;
}

static mode_t mode_of(int flags, va_list rest) { return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(rest, int) : 0; }

#define OPENER(name) \
  int name(const char *path, int flags, ...) { \
    REAL(int, #name, const char *, int, ...); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = mode_of(flags, rest); \
    va_end(rest); \
    if (!is_ours(path)) return real(path, flags, mode); \
    int error = hit(OPEN); \
    if (!error && control->full && (flags & O_CREAT) && syscall(SYS_access, path, F_OK) != 0) error = ENOSPC; \
    return error ? fail(error) : opened(real(path, flags, mode), path, flags); \
  }
OPENER(open)
OPENER(open64)

int close(int fd) {
  REAL(int, "close", int);
  if (fd >= 0 && fd < FDS && paths[fd]) {
    free(paths[fd]);
    paths[fd] = NULL;
  }
  return real(fd);
}

static int64_t where(int fd) {
  int flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
  return flags & O_APPEND ? syscall(SYS_lseek, fd, 0, SEEK_END) : syscall(SYS_lseek, fd, 0, SEEK_CUR);
}

static int refused(void) {
  int error = hit(WRITE);
  return error ? error : control->full ? ENOSPC : 0;
}

ssize_t write(int fd, const void *data, size_t length) {
  REAL(ssize_t, "write", int, const void *, size_t);
  const char *path = control ? path_of(fd) : NULL;
  if (!path) return real(fd, data, length);
  int error = refused();
  if (error) return fail(error);
  int64_t offset = journal < 0 ? 0 : where(fd);
  ssize_t written = real(fd, data, length);
  if (written > 0) note(J_WRITE, path, offset, data, written);
  return written;
}

#define PWRITER(name, offset_type) \
  ssize_t name(int fd, const void *data, size_t length, offset_type offset) { \
    REAL(ssize_t, #name, int, const void *, size_t, offset_type); \
    const char *path = control ? path_of(fd) : NULL; \
    if (!path) return real(fd, data, length, offset); \
    int error = refused(); \
    if (error) return fail(error); \
    ssize_t written = real(fd, data, length, offset); \
    if (written > 0) note(J_WRITE, path, offset, data, written); \
    return written; \
  }
PWRITER(pwrite, off_t)
PWRITER(pwrite64, off64_t)

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  const char *path = control ? path_of(fd) : NULL;
  if (!path) return real(fd, parts, count);
  ssize_t total = 0;
  for (int i = 0; i < count; i++) {
    ssize_t written = write(fd, parts[i].iov_base, parts[i].iov_len);
    if (written < 0) return total ? total : -1;
    total += written;
  }
  return total;
}

#define TRUNCATER(name, offset_type) \
  int name(int fd, offset_type length) { \
    REAL(int, #name, int, offset_type); \
    const char *path = control ? path_of(fd) : NULL; \
    if (!path) return real(fd, length); \
    int error = hit(WRITE); \
    if (error) return fail(error); \
    note(J_TRUNCATE, path, 0, NULL, length); \
    return real(fd, length); \
  }
TRUNCATER(ftruncate, off_t)
TRUNCATER(ftruncate64, off64_t)

/* Logs a sync when it returns, because only then the program may rely on it. Nothing is synced in fact, which would only take time. */
#define SYNCER(name) \
  int name(int fd) { \
    REAL(int, #name, int); \
    const char *path = control ? path_of(fd) : NULL; \
    if (!path) return real(fd); \
    int error = hit(SYNC); \
    if (error) return fail(error); \
    note(J_SYNC, path, 0, NULL, 0); \
    return 0; \
  }
SYNCER(fsync)
SYNCER(fdatasync)

int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  if (!is_ours(to)) return real(from, to);
  int error = hit(NAME);
  if (error) return fail(error);
  int result = real(from, to);
  if (result == 0) note(J_RENAME, from, 0, to, (int64_t)strlen(to));
  return result;
}

int link(const char *from, const char *to) {
  REAL(int, "link", const char *, const char *);
  if (!is_ours(to)) return real(from, to);
  int error = hit(NAME);
  if (error) return fail(error);
  int result = real(from, to);
  if (result == 0) note(J_LINK, from, 0, to, (int64_t)strlen(to));
  return result;
}

int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  if (!is_ours(path)) return real(path);
  int error = hit(NAME);
  if (error) return fail(error);
  int result = real(path);
  if (result == 0) note(J_UNLINK, path, 0, NULL, 0);
  return result;
}

int clock_gettime(clockid_t id, struct timespec *time) {
  REAL(int, "clock_gettime", clockid_t, struct timespec *);
  int result = real(id, time);
  if (result || !control || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)) return result;
  int64_t now = time->tv_sec * 1000000000LL + time->tv_nsec + control->clock_ns;
  time->tv_sec = now / 1000000000LL;
  time->tv_nsec = now % 1000000000LL;
  return result;
}

int gettimeofday(struct timeval *time, void *zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

/* Only allocations of the addon of SQLite fail: Node itself aborts without memory. */
static int find_addon(struct dl_phdr_info *info, size_t size, void *nothing) {
  (void)size, (void)nothing;
  if (!info->dlpi_name || !strstr(info->dlpi_name, "better-sqlite3")) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X)) continue;
    addon_low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    addon_high = addon_low + info->dlpi_phdr[i].p_memsz;
  }
  return 1;
}

void *dlopen(const char *file, int flags) {
  REAL(void *, "dlopen", const char *, int);
  void *handle = real(file, flags);
  if (control && file && strstr(file, "better-sqlite3")) dl_iterate_phdr(find_addon, NULL);
  return handle;
}

extern void *__libc_malloc(size_t);
extern void *__libc_realloc(void *, size_t);
static int is_refused(uintptr_t caller) {
  return addon_high && caller >= addon_low && caller < addon_high && (control->kinds & ALLOC) && hit(ALLOC);
}
void *malloc(size_t size) {
  if (is_refused((uintptr_t)__builtin_return_address(0))) return errno = ENOMEM, NULL;
  return __libc_malloc(size);
}
void *realloc(void *old, size_t size) {
  if (is_refused((uintptr_t)__builtin_return_address(0))) return errno = ENOMEM, NULL;
  return __libc_realloc(old, size);
}
