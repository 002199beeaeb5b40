// What Swift's Glibc leaves out of Linux, and OpenSSL's client side (3.0 or newer).
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/epoll.h>
#include <sys/socket.h>

// Declared for programs of _GNU_SOURCE only, which a module cannot be.
void *memmem(const void *haystack, size_t length, const void *needle, size_t count);

// Macros over SSL_ctrl.
static inline long cload_set_server_name(SSL *session, const char *name) {
    return SSL_set_tlsext_host_name(session, name);
}
static inline void cload_prepare_context(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
}
