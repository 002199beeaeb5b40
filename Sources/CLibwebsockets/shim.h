#pragma once
#include <libwebsockets.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <linux/sockios.h>

/* LWS_PRE is an expression of sizeof, which Swift does not import. */
enum { sona_lws_pre = LWS_PRE };

/* An enumerator of a C enum on Linux, an int in every call that takes it. */
enum { sona_socket_stream = SOCK_STREAM };

/* LWS_WRITE_RAW is a macro for another enumerator. */
static inline int sona_lws_write_raw(struct lws *wsi, unsigned char *bytes, size_t count)
{
    return lws_write(wsi, bytes, count, LWS_WRITE_RAW);
}

/* Declared by glibc for _GNU_SOURCE only, which Swift does not set. */
extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);

static inline int sona_accept(int listener, struct sockaddr *address, socklen_t *length)
{
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int sona_socket(int family)
{
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static inline void sona_name_thread(const char *name)
{
    pthread_setname_np(pthread_self(), name);
}

/* ioctl takes variable arguments, which Swift does not call. */
static inline int sona_unsent_bytes(int descriptor)
{
    int count = 0;
    return ioctl(descriptor, SIOCOUTQ, &count) == 0 ? count : 0;
}
