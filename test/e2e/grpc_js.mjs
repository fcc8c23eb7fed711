// An unmodified @grpc/grpc-js client drives all eight calls of a running service, its health and its
// reflection.
//
//   node grpc_js.mjs --address unix:///run/cuzk.sock|host:port --proto DIR --key NAME --witness FILE
//       --bad-witness FILE --vk FILE [--token T] [--ca F [--cert F --cert-key F]]
//   node grpc_js.mjs --address A --proto DIR --watch     prints what its health is until it ends
import {readFileSync} from "node:fs";
import {parseArgs} from "node:util";
import assert from "node:assert/strict";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";
import * as snarkjs from "snarkjs";

const text = {type: "string"};
const {values: options} = parseArgs({options: {
    address: text, proto: text, key: text, witness: text, "bad-witness": text, vk: text, token: text,
    ca: text, cert: text, "cert-key": text, watch: {type: "boolean"},
}});

// What clients of the service have compiled into them.
const WIRE = {
    SubmitProofRequest: "request_id 1 proof_kind 2 sector_size 3 registered_proof 4 priority 5 " +
        "vanilla_proof 10 vanilla_proofs 11 sector_number 20 miner_id 21 randomness 22 " +
        "partition_index 23 comm_r_old 30 comm_r_new 31 comm_d_new 32",
    SubmitProofResponse: "job_id 1 queue_position 2 assigned_gpu 3",
    AwaitProofRequest: "job_id 1 timeout_ms 2",
    AwaitProofResponse: "job_id 1 status 2 proof 3 error_message 4 queue_wait_ms 10 srs_load_ms 11 " +
        "synthesis_ms 12 gpu_compute_ms 13 total_ms 14",
    ProveRequest: "submit 1",
    ProveResponse: "result 1",
    CancelProofRequest: "job_id 1",
    CancelProofResponse: "was_running 1",
    GetStatusResponse: "gpus 1 loaded_srs 2 queues 3 total_proofs_completed 4 " +
        "total_proofs_failed 5 uptime_seconds 6 pinned_memory_bytes 7 pinned_memory_limit_bytes 8",
    GPUStatus: "ordinal 1 name 2 vram_total_bytes 3 vram_free_bytes 4 current_job_id 5 " +
        "current_proof_kind 6",
    SRSStatus: "circuit_id 1 tier 2 size_bytes 3 ref_count 4",
    QueueStatus: "proof_kind 1 pending 2 in_progress 3",
    PreloadSRSRequest: "circuit_id 1",
    PreloadSRSResponse: "already_loaded 1 load_time_ms 2",
    EvictSRSRequest: "circuit_id 1",
    EvictSRSResponse: "was_loaded 1 freed_bytes 2",
    GetMetricsResponse: "prometheus_text 1",
};

const definition = loader.loadSync(
    ["cuzk/v1/proving.proto", "grpc/health/v1/health.proto",
     "grpc/reflection/v1alpha/reflection.proto"],
    {includeDirs: [options.proto], keepCase: true, enums: String, longs: Number, defaults: true});
const api = grpc.loadPackageDefinition(definition);

function checkWire() {
    for (const [name, fields] of Object.entries(WIRE)) {
        const words = fields.split(" ");
        for (let i = 0; i < words.length; i += 2) {
            const field = api.cuzk.v1[name].type.field.find(f => f.name === words[i]);
            assert.equal(field?.number, Number(words[i + 1]), `${name}.${words[i]}`);
        }
    }
    const numbers = e => Object.fromEntries(e.type.value.map(v => [v.name, v.number]));
    assert.deepEqual(numbers(api.cuzk.v1.ProofKind), {PROOF_KIND_UNSPECIFIED: 0,
        POREP_SEAL_COMMIT: 1, SNAP_DEALS_UPDATE: 2, WINDOW_POST_PARTITION: 3, WINNING_POST: 4,
        CIRCUIT: 5});
    assert.deepEqual(numbers(api.cuzk.v1.Priority),
        {PRIORITY_UNSPECIFIED: 0, LOW: 1, NORMAL: 2, HIGH: 3, CRITICAL: 4});
}

function credentials() {
    if (!options.ca)
        return grpc.credentials.createInsecure();
    const read = name => options[name] ? readFileSync(options[name]) : null;
    return grpc.credentials.createSsl(read("ca"), read("cert-key"), read("cert"));
}

const channelOptions = {"grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1,
    "grpc.enable_http_proxy": 0};
const connect = Service => new Service(options.address, credentials(), channelOptions);

function metadata(token = options.token) {
    const m = new grpc.Metadata();
    if (token)
        m.set("authorization", `Bearer ${token}`);
    return m;
}

// Calls a method; resolves with its answer, or with the error, which has a code.
const call = (client, method, request, more = {}) => new Promise(resolve =>
    client[method](request, more.metadata ?? metadata(), more.options ?? {},
        (error, answer) => resolve(error ?? answer)));

const code = grpc.status;
function refused(answer, expected) {
    assert.ok(answer instanceof Error, `answered ${JSON.stringify(answer)}`);
    assert.equal(answer.code, expected, answer.message);
}
function granted(answer) {
    if (answer instanceof Error)
        throw answer;
    return answer;
}

async function checkProof(bytes) {
    const {proof, publicSignals} = JSON.parse(bytes.toString());
    const vk = JSON.parse(readFileSync(options.vk));
    assert.ok(await snarkjs.groth16.verify(vk, publicSignals, proof), "snarkjs rejects the proof");
}

if (options.watch) {
    const stream = connect(api.grpc.health.v1.Health).Watch({service: "cuzk.v1.ProvingEngine"});
    stream.on("data", answer => console.log(answer.status));
    await new Promise((resolve, reject) => stream.on("end", resolve).on("error", reject));
    console.log("ended");
    process.exit(0);
}

const engine = connect(api.cuzk.v1.ProvingEngine);
const circuit = {proof_kind: "CIRCUIT", circuit_key: options.key};
const witness = readFileSync(options.witness);
const run = `${process.pid}-${Date.now()}`;

async function keysAndStatus() {
    const health = connect(api.grpc.health.v1.Health);
    assert.equal(granted(await call(health, "Check", {service: ""})).status, "SERVING");
    granted(await call(engine, "EvictSRS", {circuit_id: options.key}));
    const first = granted(await call(engine, "PreloadSRS", {circuit_id: options.key}));
    const again = granted(await call(engine, "PreloadSRS", {circuit_id: options.key}));
    assert.deepEqual([first.already_loaded, again.already_loaded], [false, true]);
    const missing = await call(engine, "PreloadSRS", {circuit_id: "no-such-key"});
    refused(missing, code.INVALID_ARGUMENT);
    const status = granted(await call(engine, "GetStatus", {}));
    assert.ok(status.gpus.length >= 1 && status.gpus[0].name !== "");
    assert.deepEqual(status.queues.map(q => q.proof_kind),
        ["porep-c2", "snap-update", "window-post", "winning-post", "circuit"]);
    const srs = status.loaded_srs.find(s => s.circuit_id === options.key);
    assert.ok(srs && srs.size_bytes > 0 && srs.tier === "HOT");
    assert.ok(status.pinned_memory_bytes > 0);
    assert.ok(status.pinned_memory_bytes <= status.pinned_memory_limit_bytes);
    health.close();
    return status.total_proofs_completed;
}

async function proofs() {
    const request_id = `wdpost-1-0-[1 2 3]-${run}`;
    const submit = {...circuit, request_id, witness, priority: "HIGH"};
    assert.equal(granted(await call(engine, "SubmitProof", submit)).job_id, request_id);
    const result = granted(await call(engine, "AwaitProof", {job_id: request_id}));
    assert.equal(result.status, "COMPLETED", result.error_message);
    assert.equal(result.job_id, request_id);
    await checkProof(result.proof);
    // The same again is the same job, and its proof.
    assert.equal(granted(await call(engine, "SubmitProof", submit)).job_id, request_id);
    const again = granted(await call(engine, "Prove", {submit})).result;
    assert.deepEqual(again.proof, result.proof);
    // An id is made and told.
    const unnamed = granted(await call(engine, "Prove", {submit: {...circuit, witness}})).result;
    assert.equal(unnamed.status, "COMPLETED", unnamed.error_message);
    assert.notEqual(unnamed.job_id, "");
    await checkProof(unnamed.proof);
    const late = granted(await call(engine, "AwaitProof", {job_id: unnamed.job_id, timeout_ms: 1}));
    assert.deepEqual(late.proof, unnamed.proof);
}

async function failures() {
    const bad = readFileSync(options["bad-witness"]);
    const failed = granted(await call(engine, "Prove", {submit: {...circuit, witness: bad}})).result;
    assert.equal(failed.status, "FAILED");
    assert.notEqual(failed.error_message, "");
    assert.equal(failed.proof.length, 0);
    refused(await call(engine, "Prove", {}), code.INVALID_ARGUMENT);
    refused(await call(engine, "Prove", {submit: {witness}}), code.INVALID_ARGUMENT);
    const snap = {proof_kind: "SNAP_DEALS_UPDATE", vanilla_proofs: [Buffer.alloc(9)],
        comm_r_old: Buffer.alloc(32), comm_r_new: Buffer.alloc(32), comm_d_new: Buffer.alloc(32)};
    const unread = granted(await call(engine, "Prove", {submit: snap})).result;
    assert.equal(unread.status, "FAILED");
    assert.match(unread.error_message, /vanilla_proofs\[0\]/);
    refused(await call(engine, "SubmitProof", {...snap, comm_d_new: Buffer.alloc(31)}),
        code.INVALID_ARGUMENT);
    refused(await call(engine, "SubmitProof", {proof_kind: "POREP_SEAL_COMMIT"}), code.INVALID_ARGUMENT);
    refused(await call(engine, "SubmitProof", {...circuit, witness, request_id: "x".repeat(513)}),
        code.INVALID_ARGUMENT);
    refused(await call(engine, "AwaitProof", {job_id: `nobody-${run}`}), code.NOT_FOUND);
    refused(await call(engine, "CancelProof", {job_id: `nobody-${run}`}), code.NOT_FOUND);
    if (options.token && !options.address.startsWith("unix:")) {
        for (const token of [undefined, "wrong"]) {
            const m = token ? metadata(token) : new grpc.Metadata();
            refused(await call(engine, "GetStatus", {}, {metadata: m}), code.UNAUTHENTICATED);
        }
    }
    // 60 MB of nonsense arrive, and are refused as what they are; 130 MiB do not.
    const nonsense = await call(engine, "Prove", {submit: {...circuit, witness: Buffer.alloc(6e7)}});
    assert.ok(nonsense.code === code.INVALID_ARGUMENT || nonsense.code === code.RESOURCE_EXHAUSTED ||
        nonsense.result?.status === "FAILED", `${nonsense}`);
    const huge = {...circuit, witness: Buffer.alloc(130 << 20)};
    refused(await call(engine, "SubmitProof", huge), code.RESOURCE_EXHAUSTED);
}

// Many at once, some of which are cancelled or given up by their callers.
async function manyCallers() {
    const all = [];
    for (let i = 0; i < 40; i++) {
        const submit = {...circuit, witness, request_id: `many-${i}-${run}`};
        if (i % 4 === 0) {
            all.push(new Promise(resolve => {
                const going = engine.Prove({submit}, metadata(), (error, answer) =>
                    resolve(error ? assert.equal(error.code, code.CANCELLED) : answer));
                setTimeout(() => going.cancel(), i);
            }));
        } else if (i % 4 === 1) {
            const deadline = {options: {deadline: Date.now() + i}};
            all.push(call(engine, "Prove", {submit}, deadline).then(answer =>
                answer instanceof Error && refused(answer, code.DEADLINE_EXCEEDED)));
        } else {
            all.push(call(engine, "Prove", {submit}).then(answer =>
                assert.equal(granted(answer).result.status, "COMPLETED")));
        }
    }
    await Promise.all(all);
    const cancelled = await call(engine, "CancelProof", {job_id: `many-2-${run}`});
    granted(cancelled);
    assert.deepEqual([cancelled.was_running, cancelled.state], [false, "completed"]);
}

async function reflection() {
    const client = connect(api.grpc.reflection.v1alpha.ServerReflection);
    const answers = await new Promise((resolve, reject) => {
        const got = [], stream = client.ServerReflectionInfo(metadata());
        stream.on("data", answer => got.push(answer));
        stream.on("end", () => resolve(got));
        stream.on("error", reject);
        stream.write({list_services: ""});
        stream.write({file_containing_symbol: "cuzk.v1.ProvingEngine"});
        stream.write({file_containing_symbol: "cuzk.v1.AwaitProofResponse.Status"});
        stream.write({file_by_filename: "grpc/health/v1/health.proto"});
        stream.write({file_containing_symbol: "cuzk.v1.Nothing"});
        stream.end();
    });
    assert.equal(answers.length, 5);
    assert.deepEqual(answers[0].list_services_response.service.map(s => s.name).sort(),
        ["cuzk.v1.ProvingEngine", "grpc.health.v1.Health",
         "grpc.reflection.v1alpha.ServerReflection"]);
    for (const [i, word] of [[1, "SubmitProofRequest"], [2, "PreloadSRS"], [3, "HealthCheckRequest"]]) {
        const files = answers[i].file_descriptor_response.file_descriptor_proto;
        assert.ok(files[0].includes(word), word);
    }
    assert.equal(answers[4].error_response.error_code, code.NOT_FOUND);
    client.close();
}

async function totals(before) {
    const status = granted(await call(engine, "GetStatus", {}));
    assert.ok(status.total_proofs_completed >= before + 2 + 20);
    assert.ok(status.total_proofs_failed >= 1);
    const {prometheus_text} = granted(await call(engine, "GetMetrics", {}));
    assert.match(prometheus_text, /^# TYPE cuzk_/m);
    const evicted = granted(await call(engine, "EvictSRS", {circuit_id: options.key}));
    assert.ok(evicted.was_loaded && evicted.freed_bytes > 0);
    const gone = granted(await call(engine, "EvictSRS", {circuit_id: options.key}));
    assert.deepEqual([gone.was_loaded, gone.freed_bytes], [false, 0]);
}

checkWire();
const before = await keysAndStatus();
await proofs();
await failures();
await manyCallers();
await reflection();
await totals(before);
engine.close();
console.log(`${options.address}: all calls answered as they should`);
process.exit(0); // snarkjs keeps threads
