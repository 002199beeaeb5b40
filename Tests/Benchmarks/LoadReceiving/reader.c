// The floor of receiving: guests that join rooms of a Sona server and count the packets that come. One thread, epoll, one
// recv per readable socket, frames counted where they lie; nothing is looked at but the length and the first byte.
//
//     reader PORT LISTENERS ROOM...
//
// Writes "ready" once all are in, then each second: seconds of CLOCK_MONOTONIC, deliveries so far, its processor time in
// nanoseconds. Ends with the first SIGTERM.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { INPUT = 1 << 19, CONNECTIONS_PER_ADDRESS = 500, WINDOW = 64 };
enum phase { CONNECTING, UPGRADING, GREETING, JOINING, OPEN };

struct line {
    int socket;
    enum phase phase;
    const char *room;
    unsigned char *kept;
    size_t kept_count;
};

static unsigned char input[INPUT];
static uint64_t deliveries;
static int waiting, open_count;

static void fail(const char *what) {
    fprintf(stderr, "reader: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static uint64_t processor(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void say(struct line *line, unsigned char opcode, const void *payload, size_t count) {
    unsigned char frame[1024];
    size_t header = 2;
    frame[0] = 0x80 | opcode;
    if (count < 126) {
        frame[1] = 0x80 | count;
    } else {
        frame[1] = 0xFE;
        frame[2] = count >> 8;
        frame[3] = count & 0xFF;
        header = 4;
    }
    memset(frame + header, 0, 4);
    memcpy(frame + header + 4, payload, count);
    if (send(line->socket, frame, header + 4 + count, MSG_NOSIGNAL) < 0) fail("send");
}

static void text(struct line *line, const unsigned char *bytes, size_t count) {
    if (line->phase == OPEN || count < 12 || memcmp(bytes, "{\"type\":\"ok\"", 12)) {
        if (count >= 15 && !memcmp(bytes, "{\"type\":\"error\"", 15)) {
            fprintf(stderr, "reader: %.*s\n", (int)count, bytes);
            exit(1);
        }
        return;
    }
    if (line->phase == GREETING) {
        char join[128];
        int length = snprintf(join, sizeof join, "{\"type\":\"room.join\",\"id\":2,\"data\":{\"room\":\"%s\"}}", line->room);
        line->phase = JOINING;
        say(line, 1, join, length);
    } else {
        line->phase = OPEN;
        waiting--;
        open_count++;
    }
}

static size_t take(struct line *line, size_t have) {
    size_t used = 0;
    if (line->phase == UPGRADING) {
        unsigned char *end = memmem(input, have, "\r\n\r\n", 4);
        if (!end) return 0;
        if (memcmp(input, "HTTP/1.1 101", 12)) {
            fprintf(stderr, "reader: refused: %.*s\n", (int)have, input);
            exit(1);
        }
        used = end + 4 - input;
        static const char hello[] =
            "{\"type\":\"hello\",\"id\":1,\"data\":{\"client\":{\"name\":\"reader\",\"version\":\"1\"},\"auth\":{\"guest\":true}}}";
        line->phase = GREETING;
        say(line, 1, hello, sizeof hello - 1);
    }
    while (have - used >= 2) {
        unsigned char *frame = input + used;
        size_t length = frame[1], header = 2;
        if (length == 126) {
            if (have - used < 4) break;
            length = frame[2] << 8 | frame[3];
            header = 4;
        } else if (length == 127) {
            if (have - used < 10) break;
            length = (size_t)frame[6] << 24 | frame[7] << 16 | frame[8] << 8 | frame[9];
            header = 10;
        }
        if (have - used < header + length) break;
        if (frame[0] == 0x82) {
            deliveries += length > 20 && frame[header] == 0x10;
        } else if (frame[0] == 0x81) {
            text(line, frame + header, length);
        } else if (frame[0] == 0x89) {
            say(line, 10, frame + header, length);
        } else if (frame[0] == 0x88) {
            fprintf(stderr, "reader: closed by the server\n");
            exit(1);
        }
        used += header + length;
    }
    return used;
}

static void receive(struct line *line) {
    for (;;) {
        size_t have = line->kept_count;
        if (have) memcpy(input, line->kept, have);
        ssize_t count = recv(line->socket, input + have, INPUT - have, 0);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count <= 0) {
            fprintf(stderr, "reader: the server ended a connection\n");
            exit(1);
        }
        int full = (size_t)count == INPUT - have;
        have += count;
        size_t used = take(line, have), rest = have - used;
        if (rest || line->kept_count) {
            free(line->kept);
            line->kept = rest ? malloc(rest) : NULL;
            if (rest) memcpy(line->kept, input + used, rest);
            line->kept_count = rest;
        }
        if (!full) return;
    }
}

static void begin(struct line *line, int poll, int port, int number) {
    line->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (line->socket < 0) fail("socket");
    int yes = 1;
    setsockopt(line->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(line->socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes);
    struct sockaddr_in address = {.sin_family = AF_INET};
    // Addresses of this process's own, so that the server's limit for one is no hindrance: 127.2.0.1 and up.
    address.sin_addr.s_addr = htonl(0x7F020001 + ((getpid() % 200) << 16) + number / CONNECTIONS_PER_ADDRESS);
    if (bind(line->socket, (struct sockaddr *)&address, sizeof address)) fail("bind");
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    if (connect(line->socket, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS) fail("connect");
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.u32 = number};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, line->socket, &event)) fail("epoll_ctl");
    line->phase = CONNECTING;
    waiting++;
}

int main(int count, char **arguments) {
    if (count < 4) {
        fprintf(stderr, "usage: reader PORT LISTENERS ROOM...\n");
        return 64;
    }
    int port = atoi(arguments[1]), listeners = atoi(arguments[2]), begun = 0, told = 0;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    struct line *lines = calloc(listeners, sizeof *lines);
    int poll = epoll_create1(EPOLL_CLOEXEC);
    if (!lines || poll < 0) fail("start");
    char upgrade[512];
    int upgrade_count = snprintf(
        upgrade, sizeof upgrade,
        "GET /v1/ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: sona.v1\r\n\r\n", port);
    double next = 0;
    struct epoll_event events[256];
    for (;;) {
        while (begun < listeners && waiting < WINDOW) {
            lines[begun].room = arguments[3 + begun % (count - 3)];
            begin(lines + begun, poll, port, begun);
            begun++;
        }
        if (!told && open_count == listeners) {
            told = 1;
            printf("ready\n");
            fflush(stdout);
            next = now() + 1;
        }
        int ready = epoll_wait(poll, events, 256, 50);
        for (int index = 0; index < ready; index++) {
            struct line *line = lines + events[index].data.u32;
            if (line->phase == CONNECTING) {
                struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u32 = events[index].data.u32};
                epoll_ctl(poll, EPOLL_CTL_MOD, line->socket, &event);
                line->phase = UPGRADING;
                if (send(line->socket, upgrade, upgrade_count, MSG_NOSIGNAL) != upgrade_count) fail("upgrade");
            } else {
                receive(line);
            }
        }
        if (told && now() >= next) {
            printf("%.6f %llu %llu\n", now(), (unsigned long long)deliveries, (unsigned long long)processor());
            fflush(stdout);
            next += 1;
        }
    }
}
