/*
 * Makes syncs fail with EIO, as a disk that is going does: those of files whose
 * path ends like the text in the file that FAILING_SYNC names, while it is
 * there. Those of files whose path ends like the text in the file that
 * HELD_SYNC names last until that file is gone; once one is held, a file
 * next to it, with ".reached" at its end, is there. To be loaded with LD_PRELOAD.
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

static int is_told(int fd, const char *place) {
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

static void hold(int fd) {
  const char *place = getenv("HELD_SYNC");
  if (!is_told(fd, place)) return;
  char reached[PATH_MAX];
  snprintf(reached, sizeof reached, "%s.reached", place);
  close(open(reached, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  while (is_told(fd, place)) usleep(1000);
}

#define FAILING(name)                                \
  int name(int fd) {                                 \
    static int (*real)(int);                         \
    if (!real) real = dlsym(RTLD_NEXT, #name);       \
    hold(fd);                                        \
    if (!is_told(fd, getenv("FAILING_SYNC")))        \
      return real(fd);                               \
    errno = EIO;                                     \
    return -1;                                       \
  }

FAILING(fsync)
FAILING(fdatasync)
