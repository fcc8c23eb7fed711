/* A raw HTTP client: what it sends is what the test says, byte by byte. */
#ifndef CUZK_TEST_HTTP_CLIENT_H
#define CUZK_TEST_HTTP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

/* Connects to "127.0.0.1:PORT" or "unix:///path"; fails the test if it cannot. Reads time out after
 * 600 s: on slow machines a proof takes long. */
int http_connect(const char *address);

/* false: the other end has closed. */
int http_write(int fd, const void *data, size_t size);
int http_write_text(int fd, const char *text);

/* All that comes until the other end closes, as a string; closes fd. Freed by the caller. */
char *http_read_all(int fd);

/* One request of its own connection, with "Connection: close" and the headers given ("Name:
 * value\r\n..."), body NULL: none. Returns all of the answer; "" where nobody listens. */
char *http_ask(const char *address, const char *method, const char *target, const char *headers,
               const void *body, size_t size);

/* The status code of an answer; 0: it is none. */
int http_code(const char *answer);

/* All of the body that the head announces has come. */
bool http_is_whole(const char *answer);

/* What follows the head; "": nothing. */
const char *http_body(const char *answer);

#endif
