/* A clock that is wrong by OCM_TEST_CLOCK seconds, for a process and all that it starts.
 *
 *   cc -shared -fPIC -o clock.so clock.c -ldl; LD_PRELOAD=./clock.so OCM_TEST_CLOCK=-3600 date
 *
 * The times of files are those of the kernel, which knows nothing of it: as if they had
 * been written before the clock was put back.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long long wrong_by(void) {
  const char *seconds = getenv("OCM_TEST_CLOCK");
  return seconds ? atoll(seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int failed = real(clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += wrong_by();
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec found;
  int failed = clock_gettime(CLOCK_REALTIME, &found);
  now->tv_sec = found.tv_sec;
  now->tv_usec = found.tv_nsec / 1000;
  return failed;
}

time_t time(time_t *told) {
  struct timespec found;
  clock_gettime(CLOCK_REALTIME, &found);
  if (told) *told = found.tv_sec;
  return found.tv_sec;
}
