/* Jobs over REST. */
#include "engine/filecoin_job.h"
#include "server/http_internal.h"
#include "server/status_json.h"
#include "server/submit_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keep_text(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from != NULL ? from : "");
}

/* --- submit --- */

/* "/v1/jobs/" and the id, escaped. */
static void set_location(http_exchange *x)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    char *to = x->answer.location;
    to += sprintf(to, "/v1/jobs/");
    for (const char *c = x->reply.job_id; *c != '\0'; c++) {
        if (strchr(plain, *c) != NULL)
            *to++ = *c;
        else
            to += sprintf(to, "%%%02X", (unsigned char)*c);
    }
    *to = '\0';
}

static void answer_taken(http_exchange *x, unsigned code, bool joined)
{
    set_location(x);
    http_answer_json(x, code,
                     json_pack("{s:o, s:b, s:b, s:I}", "job_id", cuzk_json_text(x->reply.job_id),
                               "joined", joined, "completed", code == MHD_HTTP_OK, "queue_position",
                               (json_int_t)x->reply.submitted.position));
}

static void answer_full(http_exchange *x)
{
    const cuzk_submitted *s = &x->reply.submitted;
    uint64_t seconds = (s->retry_ms + 999) / 1000;
    x->answer.retry_s = seconds == 0 ? 1 : seconds > 3600 ? 3600 : (unsigned)seconds;
    http_answer_error(x, MHD_HTTP_TOO_MANY_REQUESTS, "full",
                      "the queue is full (needed %llu, free %llu); try again in %u s",
                      (unsigned long long)s->need, (unsigned long long)s->have, x->answer.retry_s);
}

static void finish_submit(http_exchange *x)
{
    const cuzk_submitted *s = &x->reply.submitted;
    if (x->reply.status != CUZK_OK) {
        http_answer_status(x, x->reply.status, x->reply.message);
        return;
    }
    switch (s->verdict) {
    case CUZK_VERDICT_NEW:
    case CUZK_VERDICT_JOINED:
        answer_taken(x, MHD_HTTP_ACCEPTED, s->verdict == CUZK_VERDICT_JOINED);
        break;
    case CUZK_VERDICT_DONE:
        answer_taken(x, MHD_HTTP_OK, true);
        break;
    case CUZK_VERDICT_CONFLICT:
        http_answer_error(x, MHD_HTTP_CONFLICT, "conflict",
                          "a job with this id and another content is there; choose another id");
        break;
    case CUZK_VERDICT_FULL:
        answer_full(x);
        break;
    case CUZK_VERDICT_TOO_LARGE:
        http_answer_error(x, HTTP_TOO_LARGE, "too_large",
                          "the job can never fit: it needs %llu bytes, the whole budget for it is "
                          "%llu",
                          (unsigned long long)s->need, (unsigned long long)s->have);
        break;
    case CUZK_VERDICT_DRAINING:
        x->answer.retry_s = 5;
        http_answer_error(x, MHD_HTTP_SERVICE_UNAVAILABLE, "draining",
                          "the service finishes what it has and takes no more jobs");
        break;
    case CUZK_VERDICT_NO_DEVICE:
        x->answer.retry_s = 5;
        http_answer_error(x, MHD_HTTP_SERVICE_UNAVAILABLE, "no_device",
                          "all devices are left out after faults; /status names them");
        break;
    }
}

static void on_submit(void *context, const cuzk_submit_reply *reply)
{
    http_exchange *x = context;
    cuzk_engine_received(x->server->engine, x->body_handed);
    x->reply.submitted = reply->submitted;
    x->reply.status = reply->status;
    keep_text(x->reply.job_id, sizeof x->reply.job_id, reply->job_id);
    keep_text(x->reply.message, sizeof x->reply.message, reply->message);
    http_settle(x);
}

static void answer_refused_body(http_exchange *x)
{
    if (x->body_refused == HTTP_TOO_LARGE) {
        http_answer_error(x, x->body_refused, "too_large", "the body is over %zu bytes",
                          x->server->config.body_max);
        return;
    }
    x->answer.retry_s = 1;
    http_answer_error(x, x->body_refused, "busy",
                      "too many bytes of requests are being received; try again");
}

/* false: answered. */
static bool check_body(http_exchange *x)
{
    const cuzk_http_target *t = &x->target;
    const bool circuit = t->kind == CUZK_KIND_CIRCUIT;
    if (x->body_size > 0 && (t->key[0] != '\0') == circuit)
        return true;
    const char *why = circuit ? "the body is empty; send the bytes of a .wtns file"
                              : "the body is empty; send a vanilla proof";
    if (circuit && t->key[0] == '\0')
        why = "key=NAME is missing: it names the circuit's key";
    if (!circuit && t->key[0] != '\0')
        why = "key=NAME goes with kind=circuit; other kinds know their parameters";
    http_body_release(x);
    http_answer_error(x, MHD_HTTP_BAD_REQUEST, "bad_request", "%s", why);
    return false;
}

static cuzk_fil_blob blob_of(const cuzk_http_hex *hex)
{
    return (cuzk_fil_blob){hex->bytes, hex->given ? sizeof hex->bytes : 0};
}

/* The body is the only vanilla proof, the rest is in the target. false: answered. */
static bool pack(http_exchange *x, void **payload, size_t *size)
{
    const cuzk_http_target *t = &x->target;
    const cuzk_fil_blob vanilla = {x->body, x->body_size};
    const cuzk_fil_fields fields = {.kind = (cuzk_fil_kind)t->kind,
                                    .registered_proof = (unsigned)t->registered_proof,
                                    .miner_id = t->miner_id,
                                    .sector_number = t->sector_number,
                                    .partition_index = t->partition_index,
                                    .vanilla = &vanilla,
                                    .n_vanilla = 1,
                                    .randomness = blob_of(&t->randomness),
                                    .comm_r_old = blob_of(&t->comm_r_old),
                                    .comm_r_new = blob_of(&t->comm_r_new),
                                    .comm_d_new = blob_of(&t->comm_d_new)};
    cuzk_error err;
    cuzk_status status = cuzk_fil_fields_check(&fields, &err);
    if (status == CUZK_OK)
        status = cuzk_filecoin_job_make(payload, size, &fields, &err);
    if (status == CUZK_OK)
        return true;
    http_body_release(x);
    http_answer_status(x, status, err.message);
    return false;
}

void http_job_submit(http_exchange *x)
{
    const cuzk_http_target *t = &x->target;
    if (x->body_refused != 0) {
        answer_refused_body(x);
        return;
    }
    if (!check_body(x))
        return;
    void *payload = x->body;
    size_t size = x->body_size;
    if (t->kind != CUZK_KIND_CIRCUIT && !pack(x, &payload, &size))
        return;
    if (!http_wait_begin(x, finish_submit)) {
        if (payload != x->body)
            free(payload);
        return;
    }
    if (payload != x->body)
        free(x->body);
    /* The engine owns the bytes from here on, and answers for those it was told of until it has
     * taken or refused them. */
    cuzk_job_request request = {.request_id = t->id,
                                .kind = t->kind,
                                .class_ = t->class_,
                                .timeout_ms = t->timeout_ms,
                                .key = t->key,
                                .payload = payload,
                                .payload_size = size};
    x->body = NULL;
    x->body_handed = x->body_room;
    x->body_room = x->body_size = 0;
    cuzk_engine_submit(x->server->engine, &request, on_submit, x);
}

/* --- get --- */

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static json_t *base64(const unsigned char *data, size_t size)
{
    char *text = malloc(size / 3 * 4 + 5), *to = text;
    if (text == NULL)
        return NULL;
    for (size_t i = 0; i < size; i += 3) {
        size_t n = size - i < 3 ? size - i : 3;
        unsigned bits = (unsigned)data[i] << 16 | (n > 1 ? (unsigned)data[i + 1] << 8 : 0u) |
                        (n > 2 ? (unsigned)data[i + 2] : 0u);
        for (size_t digit = 0; digit < 4; digit++)
            *to++ = digit <= n ? base64_digits[bits >> (18 - 6 * digit) & 63] : '=';
    }
    *to = '\0';
    json_t *string = json_string(text);
    free(text);
    return string;
}

/* snarkjs' two parts of a circuit's proof; other kinds are bytes. */
static int add_proof(json_t *object, const http_exchange *x)
{
    if (x->reply.kind != CUZK_KIND_CIRCUIT)
        return json_object_set_new(object, "proof_base64",
                                   base64(x->reply.proof, x->reply.proof_size));
    json_t *parts = json_loadb(x->reply.proof, x->reply.proof_size, 0, NULL);
    int failed = parts == NULL || json_object_update(object, parts) != 0;
    json_decref(parts);
    return failed;
}

static void finish_get(http_exchange *x)
{
    if (!x->reply.known) {
        http_answer_error(x, MHD_HTTP_NOT_FOUND, "not_found",
                          "no job has this id, or it ended so long ago that it was forgotten");
        return;
    }
    json_t *object = json_pack(
        "{s:o, s:s, s:s, s:{s:I, s:I, s:I, s:I, s:I}}", "job_id", cuzk_json_text(x->target.name),
        "state", cuzk_job_state_name(x->reply.state), "proof_kind", cuzk_kind_name(x->reply.kind),
        "timings", "queue_ms", (json_int_t)x->reply.queue_ms, "key_ms", (json_int_t)x->reply.key_ms,
        "synth_ms", (json_int_t)x->reply.synth_ms, "compute_ms", (json_int_t)x->reply.compute_ms,
        "total_ms", (json_int_t)x->reply.total_ms);
    int failed = object == NULL;
    if (!failed && x->reply.state == CUZK_JOB_COMPLETED && !x->reply.flag)
        failed = add_proof(object, x);
    else if (!failed && cuzk_job_state_is_terminal(x->reply.state))
        failed =
            json_object_set_new(object, "error",
                                json_pack("{s:s, s:o}", "code", cuzk_status_name(x->reply.status),
                                          "message", cuzk_json_text(x->reply.message)));
    if (failed) {
        json_decref(object);
        object = NULL;
    }
    http_answer_json(x, MHD_HTTP_OK, object);
}

static void on_await(void *context, const cuzk_await_reply *reply)
{
    http_exchange *x = context;
    x->reply.known = reply->known;
    x->reply.flag = reply->timeout;
    x->reply.state = reply->state;
    x->reply.kind = reply->kind;
    x->reply.status = reply->status;
    x->reply.queue_ms = reply->queue_ms;
    x->reply.key_ms = reply->key_ms;
    x->reply.synth_ms = reply->synth_ms;
    x->reply.compute_ms = reply->compute_ms;
    x->reply.total_ms = reply->total_ms;
    keep_text(x->reply.message, sizeof x->reply.message, reply->message);
    if (reply->proof_size > 0 && (x->reply.proof = malloc(reply->proof_size)) != NULL) {
        memcpy(x->reply.proof, reply->proof, reply->proof_size);
        x->reply.proof_size = reply->proof_size;
    }
    http_settle(x);
}

void http_job_get(http_exchange *x)
{
    /* The shortest wait tells how things are. */
    uint64_t wait_ms = x->target.wait_ms > 0 ? x->target.wait_ms : 1;
    if (http_wait_begin(x, finish_get))
        http_wait_leaves_by(
            x, cuzk_engine_await(x->server->engine, x->target.name, wait_ms, on_await, x));
}

/* --- cancel --- */

static void finish_cancel(http_exchange *x)
{
    const char *state = cuzk_job_state_name(x->reply.state);
    if (!x->reply.known)
        http_answer_error(x, MHD_HTTP_NOT_FOUND, "not_found",
                          "no job has this id, or it ended so long ago that it was forgotten");
    else if (x->reply.state != CUZK_JOB_CANCELLED)
        http_answer_error(x, MHD_HTTP_CONFLICT, "ended",
                          "the job had ended before (%s): there was nothing to cancel", state);
    else
        http_answer_json(x, MHD_HTTP_OK,
                         json_pack("{s:o, s:s, s:b}", "job_id", cuzk_json_text(x->target.name),
                                   "state", state, "was_running", (int)x->reply.flag));
}

static void on_cancel(void *context, const cuzk_cancel_reply *reply)
{
    http_exchange *x = context;
    x->reply.known = reply->known;
    x->reply.flag = reply->was_running;
    x->reply.state = reply->state;
    http_settle(x);
}

void http_job_cancel(http_exchange *x)
{
    if (http_wait_begin(x, finish_cancel))
        cuzk_engine_cancel(x->server->engine, x->target.name, on_cancel, x);
}
