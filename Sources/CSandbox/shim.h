#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* prctl is variadic. */
static inline int sona_sandbox_control(int option, unsigned long value)
{
    return prctl(option, value, 0UL, 0UL, 0UL);
}

/* glibc has no function for it. All threads get the filter, not the calling one alone. 0, or -1 and errno. */
static inline int sona_sandbox_filter(struct sock_filter *steps, unsigned short count)
{
    struct sock_fprog program = {count, steps};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

/* The resource is an enumeration in C++ and Swift, and a number in C. Never more than was allowed before. */
static inline int sona_sandbox_limit(int resource, rlim_t soft, rlim_t hard)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -1;
    if (hard < limit.rlim_max) limit.rlim_max = hard;
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    return setrlimit(resource, &limit);
}

/* Swift forbids fork; in here it is only tried, and what it makes ends at once. 0 if it worked, or errno. */
static inline int sona_sandbox_try_fork(void)
{
    long process = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (process == 0) _exit(0);
    return process < 0 ? errno : 0;
}

/* Declared by glibc for _GNU_SOURCE only, which Swift does not set. */
extern int pipe2(int ends[2], int flags);
extern int memfd_create(const char *name, unsigned flags);

static inline int sona_sandbox_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC);
}

/* A file in memory that no other program has the name of. The 1 is MFD_CLOEXEC. */
static inline int sona_sandbox_memory_file(const char *name)
{
    return memfd_create(name, 1U);
}

/* A variadic system call; the file it opens becomes readable when the process ends (Linux 5.3). */
static inline int sona_sandbox_open_process(pid_t process)
{
    return (int)syscall(SYS_pidfd_open, process, 0);
}

/* Since glibc 2.34, for _DEFAULT_SOURCE only. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

static inline int sona_sandbox_close_from(posix_spawn_file_actions_t *actions, int from)
{
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}
