#pragma once
#include <curl/curl.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A macro of macros, which Swift does not import. */
static inline CURLcode sona_curl_start(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

/* curl_easy_setopt and curl_easy_getinfo are variadic: one function for each kind of argument. */
typedef size_t (*sona_curl_flow)(char *bytes, size_t size, size_t count, void *context);
typedef int (*sona_curl_progress)(
    void *context, curl_off_t down_all, curl_off_t down_now, curl_off_t up_all, curl_off_t up_now);

static inline CURLcode sona_curl_set_number(CURL *easy, CURLoption option, long value)
{
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode sona_curl_set_text(CURL *easy, CURLoption option, const char *value)
{
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode sona_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value)
{
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode sona_curl_set_context(CURL *easy, CURLoption option, void *value)
{
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode sona_curl_set_flow(CURL *easy, CURLoption option, sona_curl_flow value)
{
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode sona_curl_set_progress(CURL *easy, sona_curl_progress value)
{
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}

static inline CURLcode sona_curl_set_opening(CURL *easy, curl_opensocket_callback value, void *context)
{
    CURLcode result = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context) : result;
}

static inline CURLcode sona_curl_get_number(CURL *easy, CURLINFO info, long *value)
{
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode sona_curl_get_text(CURL *easy, CURLINFO info, char **value)
{
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode sona_curl_get_socket(CURL *easy, curl_socket_t *value)
{
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}

/* Declared by glibc for _GNU_SOURCE only, which Swift does not set. */
extern int pipe2(int ends[2], int flags);

static inline int sona_transfer_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC);
}

static inline int sona_transfer_event(void)
{
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/* A variadic system call; the file it opens becomes readable when the process ends (Linux 5.3). */
static inline int sona_transfer_open_process(pid_t process)
{
    return (int)syscall(SYS_pidfd_open, process, 0);
}

/* Since glibc 2.34, for _DEFAULT_SOURCE only. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

static inline int sona_transfer_close_from(posix_spawn_file_actions_t *actions, int from)
{
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
}
