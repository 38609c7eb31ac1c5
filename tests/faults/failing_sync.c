/*
 * Makes syncs fail with EIO, as a disk that is going does: those of files whose
 * path ends like the text in the file that FAILING_SYNC names, while it is
 * there. To be loaded with LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fails(int fd) {
  const char *place = getenv("FAILING_SYNC");
  if (!place) return 0;
  int told = open(place, O_RDONLY | O_CLOEXEC);
  if (told < 0) return 0;
  char ending[256], link[64], path[PATH_MAX];
  ssize_t ends = read(told, ending, sizeof ending);
  close(told);
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path);
  return ends > 0 && length >= ends &&
         memcmp(path + length - ends, ending, ends) == 0;
}

#define FAILING(name)                                \
  int name(int fd) {                                 \
    static int (*real)(int);                         \
    if (!real) real = dlsym(RTLD_NEXT, #name);       \
    if (!fails(fd)) return real(fd);                 \
    errno = EIO;                                     \
    return -1;                                       \
  }

FAILING(fsync)
FAILING(fdatasync)
