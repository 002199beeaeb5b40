#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

/* glibc has no function for it. This process reads and writes only while nobody else does. The 1 is IOPRIO_WHO_PROCESS,
   the 3 IOPRIO_CLASS_IDLE. */
static inline int sona_sandbox_idle_disk(void)
{
    return (int)syscall(SYS_ioprio_set, 1, 0, 3 << 13);
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

/* Calls whose numbers glibc's headers may lack. They are the same on all architectures. */
static const int sona_sandbox_clone3 = 435;
static const int sona_sandbox_openat2 = 437;

/* Declared by glibc for _GNU_SOURCE only. */
#ifndef O_PATH
#define O_PATH 010000000
#endif

/* Landlock (Linux 5.13): from here on this process reads system files, the program and the file of this descriptor, and changes
   nothing.
   0, or -1 where the kernel has no Landlock. Needs "no new privileges" before. */
static inline int sona_sandbox_read_only(const char *program, int input)
{
    const unsigned long long read_file = LANDLOCK_ACCESS_FS_READ_FILE, read_all = LANDLOCK_ACCESS_FS_EXECUTE
        | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    struct landlock_ruleset_attr rules = {
        .handled_access_fs = read_all | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR
            | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR
            | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO
            | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM};
    const char *const folders[] = {program, "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives", "/dev/null",
        "/dev/urandom", "/proc/self", "/sys/devices/system/cpu", "/proc/cpuinfo"};
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0U), result = 0;
    if (set < 0) return -1;
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        struct landlock_path_beneath_attr rule = {.allowed_access = read_all, .parent_fd = open(folders[i], O_PATH | O_CLOEXEC)};
        if (rule.parent_fd < 0) continue;
        /* What is no folder takes no rights of folders. */
        if (syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0U) != 0) {
            rule.allowed_access = read_file;
            syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0U);
        }
        close(rule.parent_fd);
    }
    struct landlock_path_beneath_attr rule = {.allowed_access = read_file, .parent_fd = input};
    syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0U);
    result = (int)syscall(SYS_landlock_restrict_self, set, 0U);
    close(set);
    return result;
}

/* Two ends of a socket that keeps messages apart (unix(7), SOCK_SEQPACKET). 0, or -1 and errno. */
static inline int sona_sandbox_message_pair(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
}

enum { sona_sandbox_files_max = 32 };

/* Sends a message together with open files. Bytes sent, or -1 and errno. */
static inline ssize_t sona_sandbox_send_files(int socket, const void *bytes, size_t count, const int *files, int file_count)
{
    char control[CMSG_SPACE(sizeof(int) * sona_sandbox_files_max)];
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (file_count > 0) {
        memset(control, 0, sizeof control);
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)file_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)file_count);
        memcpy(CMSG_DATA(header), files, sizeof(int) * (size_t)file_count);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

/* Receives a message and the open files that came with it, at most sona_sandbox_files_max. Bytes, 0 at the end, or -1 and errno. */
static inline ssize_t sona_sandbox_receive_files(int socket, void *bytes, size_t count, int *files, int *file_count)
{
    char control[CMSG_SPACE(sizeof(int) * sona_sandbox_files_max)];
    struct iovec part = {bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    *file_count = 0;
    if (got <= 0) return got;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int here = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int i = 0; i < here && *file_count < sona_sandbox_files_max; i++)
            memcpy(&files[(*file_count)++], CMSG_DATA(header) + sizeof(int) * (size_t)i, sizeof(int));
    }
    return got;
}

/* Opens a file below a folder, whatever symbolic links lead to (Linux 5.6; glibc has no function for it). A path that leaves the
   folder is EXDEV. */
static inline int sona_sandbox_open_beneath(int folder, const char *path, int flags)
{
    /* struct open_how of linux/openat2.h: RESOLVE_NO_MAGICLINKS and RESOLVE_BENEATH. */
    unsigned long long how[3] = {(unsigned)flags | O_CLOEXEC, 0, 0x02 | 0x08};
    return (int)syscall(sona_sandbox_openat2, folder, path, how, sizeof how);
}
