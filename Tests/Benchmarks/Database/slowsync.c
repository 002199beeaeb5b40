// A slower disk: adds SLOWSYNC_US microseconds to every fsync and fdatasync of the program it is preloaded into.
//
//     cc -shared -fPIC -O2 -o slowsync.so slowsync.c
//     SLOWSYNC_US=1000 LD_PRELOAD=./slowsync.so database-benchmark --only awaited-writes
//
// The wait comes after the real call, so that a test which pulls the plug would still see the data on the disk. It is a
// sleep, not a loop: like a disk, it leaves the processor to others.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

static long delay_us;
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);

// Before main, on the only thread there is: afterwards the three are read by all threads and written by none.
__attribute__((constructor)) static void prepare(void) {
    const char *text = getenv("SLOWSYNC_US");
    delay_us = text ? strtol(text, NULL, 10) : 0;
    real_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
}

static void wait_for_the_disk(void) {
    if (delay_us <= 0) return;
    int kept = errno;
    struct timespec left = {delay_us / 1000000, (delay_us % 1000000) * 1000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {}
    errno = kept;
}

int fsync(int file) {
    int result = real_fsync(file);
    wait_for_the_disk();
    return result;
}

int fdatasync(int file) {
    int result = real_fdatasync(file);
    wait_for_the_disk();
    return result;
}
