#pragma once
/* libwebsockets has an enum of the same name. */
#define http_status sona_http_parser_status
#include <http_parser.h>
#undef http_status

/* Bit fields, and an enum that is kept in one. */
static inline int sona_http_method(const http_parser *parser) { return parser->method; }
static inline int sona_http_errno(const http_parser *parser) { return parser->http_errno; }
