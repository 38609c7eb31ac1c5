/*
 * Makes every sync of a file take SLOW_SYNC_MS longer, as a memory card does:
 * to be loaded with LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void wait_for_the_card(void) {
  const char *told = getenv("SLOW_SYNC_MS");
  long ms = told ? atol(told) : 0;
  struct timespec left = {ms / 1000, ms % 1000 * 1000000};
  while (nanosleep(&left, &left) != 0) {
  }
}

#define SLOW(name)                                   \
  int name(int fd) {                                 \
    static int (*real)(int);                         \
    if (!real) real = dlsym(RTLD_NEXT, #name);       \
    wait_for_the_card();                             \
    return real(fd);                                 \
  }

SLOW(fsync)
SLOW(fdatasync)
