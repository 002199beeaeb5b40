// What Swift's Glibc leaves out of Linux.
#pragma once

#include <netinet/tcp.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/socket.h>

// Declared for programs of _GNU_SOURCE only, which a module cannot be.
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
