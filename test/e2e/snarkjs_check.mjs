// snarkjs and cuzk check each other: one process for all, because starting snarkjs takes longer than the work.
// Usage: node snarkjs_check.mjs CUZK CIRCOM_DATA WORK_FOLDER
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import * as snarkjs from "snarkjs";

const [cuzk, data, work] = process.argv.slice(2);
let cases = 0;
let failures = 0;

function check(what, good) {
    cases++;
    if (!good) {
        failures++;
        console.log(`FAILED: ${what}`);
    }
}

function run(args, env = {}) {
    return execFileSync(cuzk, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
}

// Exit code of a run.
function exitCode(args) {
    try {
        run(args);
        return 0;
    } catch (error) {
        return error.status;
    }
}

const readJson = (file) => JSON.parse(fs.readFileSync(file));
const inWork = (name) => path.join(work, name);

function prove(key, witness, env) {
    run(["prove", key, witness, "-o", inWork("proof.json"), "--public", inWork("public.json")], env);
    return { proof: readJson(inWork("proof.json")), signals: readJson(inWork("public.json")) };
}

async function checkFixture(folder) {
    const vk = readJson(path.join(folder, "verification_key.json"));
    const { proof, signals } = prove(path.join(folder, "circuit.zkey"), path.join(folder, "witness.wtns"));
    const expected = readJson(path.join(folder, "public.json"));
    const name = path.basename(folder);
    check(`${name}: public signals`, JSON.stringify(signals) === JSON.stringify(expected));
    check(`${name}: snarkjs accepts`, await snarkjs.groth16.verify(vk, signals, proof));
    if (signals.length > 0) {
        const other = [(BigInt(signals[0]) + 1n).toString(), ...signals.slice(1)];
        check(`${name}: snarkjs rejects another statement`, !(await snarkjs.groth16.verify(vk, other, proof)));
    }
}

async function checkLevels(folder) {
    const vk = readJson(path.join(folder, "verification_key.json"));
    const levels = ["portable", "adx", "avx2", "ifma"];
    const best = JSON.parse(run(["version", "--json"])).best_cpu;
    for (const level of levels.slice(0, levels.indexOf(best) + 1)) {
        const { proof, signals } = prove(
            path.join(folder, "circuit.zkey"),
            path.join(folder, "witness.wtns"),
            { CUZK_CPU: level },
        );
        check(`${path.basename(folder)} at ${level}`, await snarkjs.groth16.verify(vk, signals, proof));
    }
}

// A key made by `cuzk setup` serves both programs.
async function checkKey(what, folder, zkey, vkFile) {
    const witness = path.join(folder, "witness.wtns");
    const vk = await snarkjs.zKey.exportVerificationKey(zkey);
    check(`${what}: both export the same verification key`,
        JSON.stringify(vk) === JSON.stringify(readJson(vkFile)));
    const theirs = await snarkjs.groth16.prove(zkey, witness);
    fs.writeFileSync(inWork("theirs.json"), JSON.stringify(theirs.proof));
    fs.writeFileSync(inWork("their_signals.json"), JSON.stringify(theirs.publicSignals));
    check(`${what}: cuzk accepts snarkjs' proof`,
        exitCode(["verify", vkFile, inWork("their_signals.json"), inWork("theirs.json")]) === 0);
    const ours = prove(zkey, witness);
    check(`${what}: snarkjs accepts cuzk's proof`, await snarkjs.groth16.verify(vk, ours.signals, ours.proof));
}

async function checkSetup(name, curve) {
    const folder = path.join(data, `${name}-${curve}`);
    const r1cs = path.join(folder, "circuit.r1cs");
    const ptau = path.join(data, "ptau", `${curve}-5-contributed.ptau`);
    const fresh = inWork("fresh.zkey");
    const phase2 = inWork("phase2.zkey");
    const vk = inWork("vk.json");
    run(["setup", r1cs, "-o", fresh, "--vk", vk]);
    await checkKey(`${name}-${curve}, fresh`, folder, fresh, vk);
    run(["setup", r1cs, "-o", phase2, "--vk", vk, "--ptau", ptau]);
    await checkKey(`${name}-${curve}, ptau`, folder, phase2, vk);
    check(`${name}-${curve}: snarkjs zkey verify`, await snarkjs.zKey.verifyFromR1cs(r1cs, ptau, phase2));
    const more = inWork("more.zkey");
    await snarkjs.zKey.contribute(phase2, more, "second", "entropy of a test");
    check(`${name}-${curve}: snarkjs zkey verify after its own contribution`,
        await snarkjs.zKey.verifyFromR1cs(r1cs, ptau, more));
    check(`${name}-${curve}: info counts both contributions`,
        JSON.parse(run(["info", more, "--json"])).contributions === 2);
    run(["export-vk", more, "-o", vk]);
    await checkKey(`${name}-${curve}, two contributions`, folder, more, vk);
}

for (const entry of fs.readdirSync(data).sort()) {
    const folder = path.join(data, entry);
    if (fs.existsSync(path.join(folder, "circuit.zkey"))) await checkFixture(folder);
}
for (const curve of ["bn128", "bls12381"]) {
    await checkLevels(path.join(data, `poseidon2-${curve}`));
    for (const name of ["nopublic", "chain6", "chain30"]) await checkSetup(name, curve);
}
console.log(`${cases} cases with snarkjs, ${failures} failed`);
process.exit(failures === 0 && cases > 0 ? 0 : 1);
