#pragma once
#include <libwebsockets.h>
#include <errno.h>
#include <sys/ioctl.h>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

/* LWS_PRE is an expression of sizeof, which Swift does not import. */
enum { sona_lws_pre = LWS_PRE };

/* An enumerator of a C enum on Linux, an int in every call that takes it. */
enum { sona_socket_stream = SOCK_STREAM };

/* LWS_WRITE_RAW is a macro for another enumerator. */
static inline int sona_lws_write_raw(struct lws *wsi, unsigned char *bytes, size_t count)
{
    return lws_write(wsi, bytes, count, LWS_WRITE_RAW);
}

/* Fetches what is about to be read; an address that is none does no harm. */
static inline void sona_prefetch(const void *start, size_t count)
{
    for (size_t offset = 0; offset < count; offset += 64)
        __builtin_prefetch((const char *)start + offset, 0, 2);
}

/* Declared by glibc for _GNU_SOURCE only, which Swift does not set. */
extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
struct epoll_event;
extern int epoll_create1(int flags);
extern int epoll_ctl(int set, int operation, int descriptor, struct epoll_event *event);
extern int epoll_wait(int set, struct epoll_event *events, int count, int milliseconds);
extern int ppoll(struct pollfd *descriptors, unsigned long count, const void *time, const void *mask);

static inline int sona_accept(int listener, struct sockaddr *address, socklen_t *length)
{
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int sona_socket(int family)
{
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

/* Sends bytes with open descriptors (SCM_RIGHTS, unix(7)) over a connected Unix socket. At most 64. */
static inline long sona_send_descriptors(int channel, const void *bytes, size_t count, const int *descriptors, size_t n)
{
    union {
        char bytes[CMSG_SPACE(64 * sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (n > 64)
        return -1;
    if (n > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(n * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(n * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, n * sizeof(int));
    }
    ssize_t sent;
    do
        sent = sendmsg(channel, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent;
}

/* Receives bytes and the descriptors that come with them; they are closed on exec. `n` is set to their number. */
static inline long sona_receive_descriptors(int channel, void *bytes, size_t count, int *descriptors, size_t *n)
{
    union {
        char bytes[CMSG_SPACE(64 * sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec piece = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t received;
    *n = 0;
    do
        received = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    if (received < 0)
        return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
            continue;
        size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(descriptors + *n, CMSG_DATA(header), found * sizeof(int));
        *n += found;
    }
    return received;
}

/* The user at the other end of a Unix socket; -1 if the kernel does not say. */
static inline long sona_peer_user(int channel)
{
    struct {
        pid_t process;
        uid_t user;
        gid_t group;
    } peer;
    socklen_t length = sizeof peer;
    return getsockopt(channel, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? (long)peer.user : -1;
}

/* An epoll(7) event for the kernel. <sys/epoll.h> would define `timespec` once more, for this module alone. */
struct sona_epoll_event {
    uint32_t events;
    uint64_t data;
}
#ifdef __x86_64__
__attribute__((packed))
#endif
;

/* Edge-triggered: each arrival counts once, however long it is not read. */
static inline int sona_epoll_add(int set, int descriptor)
{
    struct sona_epoll_event event = {.events = 1u /* EPOLLIN */ | 1u << 31 /* EPOLLET */};
    return epoll_ctl(set, 1 /* EPOLL_CTL_ADD */, descriptor, (struct epoll_event *)&event);
}

static inline int sona_epoll_create(void)
{
    return epoll_create1(SOCK_CLOEXEC); /* the same flag (O_CLOEXEC) */
}

static inline int sona_epoll_remove(int set, int descriptor)
{
    return epoll_ctl(set, 2 /* EPOLL_CTL_DEL */, descriptor, NULL);
}

/* Sleeps until something arrives at one of the set's sockets, or the time is over; arrivals count as noticed then. */
static inline void sona_epoll_sleep(int set, long microseconds)
{
    struct pollfd descriptor = {.fd = set, .events = POLLIN};
    long time[2] = {microseconds / 1000000, microseconds % 1000000 * 1000}; /* a timespec on 64 bits */
    struct sona_epoll_event events[64];
    if (ppoll(&descriptor, 1, time, NULL) > 0)
        epoll_wait(set, (struct epoll_event *)events, 64, 0);
}

/* ioctl takes variable arguments, which Swift does not call. */
static inline int sona_unsent_bytes(int descriptor)
{
    int count = 0;
    return ioctl(descriptor, SIOCOUTQ, &count) == 0 ? count : 0;
}

/* Writes past libwebsockets, which keeps what a socket does not take and reads nothing from it until that is gone
 * (4.1.6, lib/roles/raw-skt/ops-raw-skt.c): a peer that sends and does not read would spin its loop.
 *
 * Returns the bytes taken, 0 if none can be taken now, -1 if none ever will. Once OpenSSL has begun a record it must be
 * given the same bytes again (SSL_write(3)): over TLS whatever was not taken has to be kept and offered again. */
static inline long sona_socket_send(struct lws *wsi, int descriptor, int is_tls, const unsigned char *bytes, size_t count)
{
    if (!is_tls) {
        ssize_t taken;
        do
            taken = send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
        while (taken < 0 && errno == EINTR);
        if (taken >= 0)
            return taken;
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == ENOMEM ? 0 : -1;
    }
    SSL *session = lws_get_ssl(wsi);
    if (!session)
        return -1;
    size_t total = 0;
    ERR_clear_error();
    while (total < count) {
        size_t taken = 0;
        if (SSL_write_ex(session, bytes + total, count - total, &taken) == 1) {
            total += taken;
            continue;
        }
        int reason = SSL_get_error(session, 0);
        if (reason == SSL_ERROR_WANT_WRITE || reason == SSL_ERROR_WANT_READ)
            break;
        ERR_clear_error();
        return -1;
    }
    return (long)total;
}

/* Says that nothing more will be sent; what the peer still sends can be read. */
static inline void sona_socket_finish(struct lws *wsi, int descriptor, int is_tls)
{
    SSL *session = is_tls ? lws_get_ssl(wsi) : NULL;
    if (session) {
        SSL_shutdown(session);
        ERR_clear_error();
    }
    shutdown(descriptor, SHUT_WR);
}

/* The length of what the kernel fills in depends on its version. -1 where there is none. */
static inline int sona_smoothed_round_trip(int descriptor)
{
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 ? (int)info.tcpi_rtt : -1;
}

static inline void sona_set_send_buffer(int descriptor, int bytes)
{
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

/* TLS is OpenSSL's, of which libwebsockets includes the headers and hands out the contexts. What is a macro there: */

/* Options of a server's context beyond those that libwebsockets sets: TLS 1.2 or newer, tickets in place of a table of
 * sessions, no renegotiation, buffers only while they are used, ChaCha20 for clients that prefer it (phones without AES
 * in hardware), and no other virtual host by the name a client asks for. */
static inline int sona_tls_prepare_server(SSL_CTX *context)
{
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_ENABLE_PARTIAL_WRITE);
    SSL_CTX_set_tlsext_servername_callback(context, NULL);
    return (int)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline int sona_tls_prepare_client(SSL_CTX *context)
{
    SSL_CTX_set_mode(context, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_ENABLE_PARTIAL_WRITE);
    return (int)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline int sona_tls_add_chain(SSL_CTX *context, X509 *certificate)
{
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int sona_tls_set_chain(SSL *session, STACK_OF(X509) *chain)
{
    return (int)SSL_set1_chain(session, chain);
}

static inline STACK_OF(X509) *sona_tls_new_chain(void) { return sk_X509_new_null(); }
static inline int sona_tls_push(STACK_OF(X509) *chain, X509 *certificate) { return sk_X509_push(chain, certificate); }
static inline void sona_tls_free_chain(STACK_OF(X509) *chain) { sk_X509_free(chain); }

static inline int sona_tls_set_ticket_keys(SSL_CTX *context, void *keys, long count)
{
    return (int)SSL_CTX_set_tlsext_ticket_keys(context, keys, count);
}

static inline int sona_tls_set_server_name(SSL *session, const char *name)
{
    return (int)SSL_set_tlsext_host_name(session, name);
}

static inline int sona_tls_error_library(unsigned long code) { return ERR_GET_LIB(code); }
static inline int sona_tls_error_reason(unsigned long code) { return ERR_GET_REASON(code); }
