/*
 * Writes down, in order, what a program does to the files below RECORDER_ROOT:
 * to be loaded with LD_PRELOAD. Out of that record a test rebuilds the disk as a
 * power cut could have left it.
 *
 * A record is: kind (1 byte), handle (4), offset (8), length (4), then so many
 * bytes; numbers are little-endian. Everything but syncing is done and recorded
 * under one lock, so that the order is the true one. A sync is two records: what
 * came before the first is on the disk after the second.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_FDS 65536
#define FOREIGN -1

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int handles[MAX_FDS]; /* 0: not looked at yet */
static int last_handle = 0;
static int trace = -1;
static char root[PATH_MAX];
static size_t root_length = 0;

#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = dlsym(RTLD_NEXT, #name)

static ssize_t real_write(int fd, const void *data, size_t count) {
  REAL(write);
  return real(fd, data, count);
}

__attribute__((constructor)) static void start(void) {
  const char *place = getenv("RECORDER_ROOT");
  const char *file = getenv("RECORDER_TRACE");
  if (!place || !file || !realpath(place, root)) return;
  root_length = strlen(root);
  /* Several programs may write to one record. */
  last_handle = (getpid() & 0x7fff) << 16;
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  trace = real_open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(const void *data, size_t count) {
  const char *at = data;
  while (count > 0) {
    ssize_t done = real_write(trace, at, count);
    if (done < 0) {
      if (errno == EINTR) continue;
      abort(); /* A record with a hole would prove nothing. */
    }
    at += done;
    count -= done;
  }
}

static void record(char kind, int handle, uint64_t offset, const void *data,
                   uint32_t length) {
  int saved = errno;
  char head[17];
  uint32_t h = handle;
  head[0] = kind;
  memcpy(head + 1, &h, 4);
  memcpy(head + 5, &offset, 8);
  memcpy(head + 13, &length, 4);
  /* One write each, so that a reader of the length never sees half a record. */
  struct iovec parts[2] = {{head, sizeof head}, {(void *)data, length}};
  ssize_t done = writev(trace, parts, length > 0 ? 2 : 1);
  if (done < 0) abort();
  if ((size_t)done < sizeof head + length) {
    size_t rest = sizeof head + length - done;
    if ((size_t)done < sizeof head) abort();
    put((const char *)data + length - rest, rest);
  }
  errno = saved;
}

/* The path relative to the root, or NULL for one that lies elsewhere. */
static const char *below(int directory, const char *path, char *buffer) {
  if (trace < 0 || !path) return NULL;
  if (path[0] != '/') {
    char link[64];
    if (directory == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = readlink(link, buffer, PATH_MAX - 1);
    if (length < 0 || length + strlen(path) + 2 > PATH_MAX) return NULL;
    buffer[length] = '/';
    strcpy(buffer + length + 1, path);
    path = buffer;
  }
  if (strncmp(path, root, root_length) != 0) return NULL;
  if (path[root_length] == 0) return "";
  return path[root_length] == '/' ? path + root_length + 1 : NULL;
}

static int handle_of(int fd) {
  if (trace < 0 || fd < 0 || fd >= MAX_FDS || fd == trace) return FOREIGN;
  if (handles[fd] != 0) return handles[fd];
  int saved = errno;
  char link[64], buffer[PATH_MAX], other[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, buffer, PATH_MAX - 1);
  errno = saved;
  if (length < 0) return FOREIGN;
  buffer[length] = 0;
  const char *path = below(AT_FDCWD, buffer, other);
  handles[fd] = path ? ++last_handle : FOREIGN;
  if (path) record('o', handles[fd], 0, path, strlen(path));
  return handles[fd];
}

/* kind 'o': opened as it is; 'c': opened, made if it was not there;
   't': the same and emptied. */
static void opened(int fd, int directory, const char *path, int flags) {
  char buffer[PATH_MAX];
  if (fd < 0 || fd >= MAX_FDS) return;
  const char *name = below(directory, path, buffer);
  if (!name || fd == trace) {
    handles[fd] = FOREIGN;
    return;
  }
  handles[fd] = ++last_handle;
  char kind = flags & O_TRUNC ? 't' : flags & O_CREAT ? 'c' : 'o';
  record(kind, handles[fd], 0, name, strlen(name));
}

#define OPENAT(name) \
  int name(int directory, const char *path, int flags, ...) { \
    REAL(name); \
    mode_t mode = 0; \
    if (flags & (O_CREAT | __O_TMPFILE)) { \
      va_list rest; \
      va_start(rest, flags); \
      mode = va_arg(rest, mode_t); \
      va_end(rest); \
    } \
    pthread_mutex_lock(&lock); \
    int fd = real(directory, path, flags, mode); \
    opened(fd, directory, path, flags); \
    pthread_mutex_unlock(&lock); \
    return fd; \
  }
#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    mode_t mode = 0; \
    if (flags & (O_CREAT | __O_TMPFILE)) { \
      va_list rest; \
      va_start(rest, flags); \
      mode = va_arg(rest, mode_t); \
      va_end(rest); \
    } \
    pthread_mutex_lock(&lock); \
    int fd = real(path, flags, mode); \
    opened(fd, AT_FDCWD, path, flags); \
    pthread_mutex_unlock(&lock); \
    return fd; \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
  REAL(close);
  pthread_mutex_lock(&lock);
  if (fd >= 0 && fd < MAX_FDS) handles[fd] = 0;
  int result = real(fd);
  pthread_mutex_unlock(&lock);
  return result;
}

static void wrote(int fd, uint64_t at, const void *data, ssize_t done) {
  int handle = handle_of(fd);
  if (handle > 0 && done > 0) record('w', handle, at, data, done);
}

ssize_t write(int fd, const void *data, size_t count) {
  if (trace < 0 || fd < 0 || fd >= MAX_FDS || handles[fd] == FOREIGN)
    return real_write(fd, data, count);
  pthread_mutex_lock(&lock);
  ssize_t done = real_write(fd, data, count);
  if (handle_of(fd) > 0 && done > 0)
    wrote(fd, lseek(fd, 0, SEEK_CUR) - done, data, done);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(writev);
  if (fd == trace || trace < 0 || fd < 0 || fd >= MAX_FDS ||
      handles[fd] == FOREIGN)
    return real(fd, parts, count);
  pthread_mutex_lock(&lock);
  ssize_t done = real(fd, parts, count);
  if (handle_of(fd) > 0 && done > 0) {
    uint64_t at = lseek(fd, 0, SEEK_CUR) - done;
    ssize_t left = done;
    for (int i = 0; i < count && left > 0; i++) {
      ssize_t part = parts[i].iov_len < (size_t)left ? (ssize_t)parts[i].iov_len
                                                     : left;
      wrote(fd, at, parts[i].iov_base, part);
      at += part;
      left -= part;
    }
  }
  pthread_mutex_unlock(&lock);
  return done;
}

#define PWRITE(name, offset_type) \
  ssize_t name(int fd, const void *data, size_t count, offset_type at) { \
    REAL(name); \
    pthread_mutex_lock(&lock); \
    ssize_t done = real(fd, data, count, at); \
    wrote(fd, at, data, done); \
    pthread_mutex_unlock(&lock); \
    return done; \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define FTRUNCATE(name, offset_type) \
  int name(int fd, offset_type length) { \
    REAL(name); \
    pthread_mutex_lock(&lock); \
    int result = real(fd, length); \
    int handle = handle_of(fd); \
    if (result == 0 && handle > 0) record('s', handle, length, NULL, 0); \
    pthread_mutex_unlock(&lock); \
    return result; \
  }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define SYNC(name) \
  int name(int fd) { \
    REAL(name); \
    pthread_mutex_lock(&lock); \
    int handle = handle_of(fd); \
    if (handle > 0) record('b', handle, 0, NULL, 0); \
    pthread_mutex_unlock(&lock); \
    int result = real(fd); \
    pthread_mutex_lock(&lock); \
    if (handle > 0 && result == 0) record('e', handle, 0, NULL, 0); \
    pthread_mutex_unlock(&lock); \
    return result; \
  }
SYNC(fsync)
SYNC(fdatasync)

/* Copying inside the kernel passes no bytes by: say that it cannot be had. */
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to,
                        size_t count, unsigned flags) {
  (void)in, (void)from, (void)out, (void)to, (void)count, (void)flags;
  errno = ENOSYS;
  return -1;
}
ssize_t sendfile64(int out, int in, off64_t *from, size_t count) {
  REAL(sendfile64);
  pthread_mutex_lock(&lock);
  int handle = handle_of(out);
  pthread_mutex_unlock(&lock);
  if (handle > 0) {
    errno = EINVAL;
    return -1;
  }
  return real(out, in, from, count);
}

/* Two paths are told with a zero byte between; an empty one lies elsewhere. */
static void named(char kind, int d1, const char *p1, int d2, const char *p2) {
  char b1[PATH_MAX], b2[PATH_MAX], both[2 * PATH_MAX];
  const char *n1 = below(d1, p1, b1), *n2 = p2 ? below(d2, p2, b2) : NULL;
  if (!n1 && !n2) return;
  int length = snprintf(both, sizeof both, "%s", n1 ? n1 : "");
  if (p2) {
    both[length] = 0;
    length += 1 + snprintf(both + length + 1, sizeof both - length - 1, "%s",
                           n2 ? n2 : "");
  }
  record(kind, 0, 0, both, length);
}

#define NAMED(kind, call, d1, p1, d2, p2) \
  pthread_mutex_lock(&lock); \
  int result = call; \
  if (result == 0) named(kind, d1, p1, d2, p2); \
  pthread_mutex_unlock(&lock); \
  return result

int rename(const char *from, const char *to) {
  REAL(rename);
  NAMED('r', real(from, to), AT_FDCWD, from, AT_FDCWD, to);
}
int renameat(int d1, const char *from, int d2, const char *to) {
  REAL(renameat);
  NAMED('r', real(d1, from, d2, to), d1, from, d2, to);
}
int link(const char *from, const char *to) {
  REAL(link);
  NAMED('l', real(from, to), AT_FDCWD, from, AT_FDCWD, to);
}
int linkat(int d1, const char *from, int d2, const char *to, int flags) {
  REAL(linkat);
  NAMED('l', real(d1, from, d2, to, flags), d1, from, d2, to);
}
int unlink(const char *path) {
  REAL(unlink);
  NAMED('u', real(path), AT_FDCWD, path, AT_FDCWD, NULL);
}
int unlinkat(int directory, const char *path, int flags) {
  REAL(unlinkat);
  NAMED('u', real(directory, path, flags), directory, path, AT_FDCWD, NULL);
}
int rmdir(const char *path) {
  REAL(rmdir);
  NAMED('u', real(path), AT_FDCWD, path, AT_FDCWD, NULL);
}
int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  NAMED('m', real(path, mode), AT_FDCWD, path, AT_FDCWD, NULL);
}
int mkdirat(int directory, const char *path, mode_t mode) {
  REAL(mkdirat);
  NAMED('m', real(directory, path, mode), directory, path, AT_FDCWD, NULL);
}
