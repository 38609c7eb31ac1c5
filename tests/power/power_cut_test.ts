/**
 * The power goes at many points of a server's work. After each, the disk is
 * rebuilt as it could have been left, and the program opens it: whatever a
 * client was told is true, every receipt stands in the chain, and nothing is
 * found wrong.
 *
 * There are 16 cuts, or as many as `TEST_CUTS` says: `deno task test:nightly`
 * has 600. `TEST_SEED` repeats the cuts, though not the work that is cut.
 *
 * @module
 */
import assert from "node:assert/strict";
import { openApp } from "../../src/app.ts";
import { sleep } from "../../src/server/sleep.ts";
import { readConfig } from "../support/config.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { verifyReceiptChain } from "../../src/crypto/receipt_chain.ts";
import {
  checkStore,
  publishedKeys,
} from "../../src/features/verification/check.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { makeRequest, ORIGIN, type Sender } from "../support/app.ts";
import { expectJson } from "../support/expect.ts";
import { MortalServer } from "../support/mortal_server.ts";
import { PASSWORD, registerPerson, registerWriter } from "../support/people.ts";
import { runProgram, withDataDir } from "../support/program.ts";
import {
  type Believed,
  Disk,
  type Draw,
  NOTHING,
  readRecord,
  type Recorded,
} from "./disk.ts";
import { readCheckpoints } from "./checkpoints.ts";
import { Ledger, work } from "./promises.ts";
import { keepInodes } from "../support/lease.ts";
import { buildRecorder, copyFolder, drawing, MAY_RECORD } from "./recording.ts";

const CUTS = Number(Deno.env.get("TEST_CUTS") ?? 16);
const SEED = Deno.env.get("TEST_SEED") ?? crypto.randomUUID();

const SETTINGS = {
  STRONGROOM_BASE_URL: ORIGIN,
  STRONGROOM_ARGON2_MEMORY_KIB: "8",
  STRONGROOM_ARGON2_PASSES: "1",
  STRONGROOM_RESERVED_DISK_BYTES: "0",
  // Manifests and metadata are rows, and originals files.
  STRONGROOM_SMALL_BLOB_BYTES: "4KiB",
};

/** What was done, and what clients were told of it. */
interface Recording {
  readonly start: string;
  readonly records: readonly Recorded[];
  readonly ledger: Ledger;
}

/** Has clients work at a server that is recorded. */
async function record(room: string): Promise<Recording> {
  const data = `${room}/data`;
  const trace = `${room}/trace`;
  const settings = { ...SETTINGS, STRONGROOM_DATA_DIR: data };
  // Setting up is over, and on the disk, when the record begins.
  const first = new MortalServer(settings);
  await first.start();
  const people = [];
  for (const name of ["ada", "bob", "cyd"]) {
    people.push(await registerWriter(first, name));
  }
  const dan = await registerPerson(first, "dan");
  assert.equal(await first.stop(), 0);
  const start = `${room}/start`;
  await copyFolder(data, start);

  const recorded = {
    ...settings,
    LD_PRELOAD: await buildRecorder(room),
    RECORDER_ROOT: data,
    RECORDER_TRACE: trace,
    STRONGROOM_LOG_SECONDS: "1",
  };
  const server = new MortalServer(recorded);
  await server.start();
  const ledger = new Ledger(() => Deno.statSync(trace).size);
  const watched = ledger.watch(server);
  const done = new AbortController();
  const reader = readCheckpoints(ledger, server, done.signal);
  await Promise.all([
    ...people.map((person, n) =>
      work(ledger, watched, person, person.address, 4 + n)
    ),
    changePasswords(ledger, server, dan),
    rotate(ledger, recorded),
  ]);
  done.abort();
  await reader;
  await server.kill();
  return { start, records: readRecord(await Deno.readFile(trace)), ledger };
}

async function changePasswords(
  ledger: Ledger,
  server: Sender,
  person: { readonly address: string; readonly token: string },
): Promise<void> {
  let { token } = person;
  let current = PASSWORD;
  let kept: ReturnType<Ledger["promise"]> | undefined;
  for (let n = 0; n < 5; n++) {
    const next = `${PASSWORD}, number ${n}`;
    if (kept !== undefined) ledger.release(kept);
    const changed = await expectJson(
      await server.send("POST", "/v1/auth/password", {
        token,
        json: { current_password: current, new_password: next },
      }),
      200,
    );
    token = changed.access_token;
    current = next;
    kept = ledger.promise(`password number ${n}`, async (after) => {
      const { address } = person;
      await expectJson(
        await after.send("POST", "/v1/auth/login", {
          json: { address, password: next },
        }),
        200,
      );
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Two rotations of the key that signs receipts, while the server runs. */
async function rotate(
  ledger: Ledger,
  settings: Record<string, string>,
): Promise<void> {
  for (let keys = 2; keys < 4; keys++) {
    const args = ["keys", "rotate", "attestation"];
    const { status, stderr } = await runProgram(args, settings);
    assert.equal(status, 0, stderr);
    ledger.promise(`${keys} attestation keys`, async (after) => {
      const path = "/.well-known/service/attestation-keys";
      const published = await expectJson(await after.send("GET", path), 200);
      assert(published.keys.length >= keys, `${published.keys.length} keys`);
    });
  }
}

/** Where the power goes: behind so many bytes of the record, ascending. */
function cutsOf({ records, ledger }: Recording, count: number, draw: Draw) {
  const told = [...ledger.promises, ...ledger.receipts].map(({ from }) => from);
  const last = records.at(-1)?.end ?? 0;
  return Array.from({ length: count }, (_, n) =>
    // Right behind an answer nothing may be missing of what it told.
    n % 2 === 0
      ? told[Math.floor(draw() * told.length)] ?? last
      : Math.floor(draw() * last)).toSorted((a, b) => a - b);
}

/**
 * Rebuilds the disk at each cut; returns what was not kept, a line each. Where
 * not every sync is believed, nothing else survives either.
 */
async function brokenPromises(
  room: string,
  recording: Recording,
  options: { readonly cuts: number; readonly believed?: Believed },
): Promise<string[]> {
  const draw = drawing(`cuts ${SEED}`);
  const disk = await Disk.of(recording.start, options.believed);
  const broken: string[] = [];
  let played = 0;
  const cuts = cutsOf(recording, options.cuts, draw);
  for (const [n, cut] of cuts.entries()) {
    for (; (recording.records[played]?.end ?? Infinity) <= cut; played++) {
      const next = recording.records[played];
      if (next !== undefined) disk.play(next);
    }
    const folder = `${room}/after`;
    await disk.rebuild(
      folder,
      n % 3 === 0 || options.believed !== undefined ? NOTHING : draw,
    );
    await keepInodes(folder);
    for (const fault of await faultsAfter(folder, recording.ledger, cut)) {
      broken.push(`after ${cut} bytes: ${fault}`);
    }
    await Deno.remove(folder, { recursive: true });
  }
  return broken;
}

/** What is wrong with a disk after the power went, a line each. */
async function faultsAfter(
  dataDir: string,
  ledger: Ledger,
  cut: number,
): Promise<string[]> {
  const silent = () => {};
  const config = readConfig({ ...SETTINGS, STRONGROOM_DATA_DIR: dataDir });
  const opened = await openApp(config, {
    now: Date.now,
    monotonic: () => performance.now(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    sleep,
    fetch,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  }, { origin: ORIGIN, files: denoFiles }).catch((cause) => String(cause));
  if (typeof opened === "string") return [`it does not open: ${opened}`];
  try {
    const server: Sender = {
      send: (method, path, options = {}) =>
        opened.fetch(makeRequest(method, path, options), {
          clientAddress: "192.0.2.1",
        }),
    };
    const faults: string[] = [];
    for (const { what, from, until, expectKept } of ledger.promises) {
      if (from > cut || cut >= until) continue;
      await expectKept(server).catch((cause) =>
        faults.push(`${what}: ${cause.message}`)
      );
    }
    faults.push(...await chainFaults(opened, ledger, cut));
    const { db, staging, blobs, secrets: { attestationKeys } } = opened.app;
    const { findings } = await checkStore(
      {
        db,
        staging,
        blobs,
        tiles: { files: denoFiles, root: dataDir },
        keys: publishedKeys(attestationKeys),
      },
      { deep: true },
    );
    for (const { kind, subject } of findings) {
      // What a cut leaves behind for collection to move away.
      if (kind === "upload_file_unknown" || kind === "blob_file_unknown") {
        continue;
      }
      faults.push(`${kind} ${subject}`);
    }
    return faults;
  } finally {
    await opened.close();
  }
}

async function chainFaults(
  { app }: Awaited<ReturnType<typeof openApp>>,
  ledger: Ledger,
  cut: number,
): Promise<string[]> {
  const rows = await app.db.selectFrom("receipt")
    .select(["receipt_seq", "body"]).orderBy("receipt_seq").execute();
  const verdict = await verifyReceiptChain(rows.map(({ body }) => body), {
    serverId: ORIGIN,
    keys: publishedKeys(app.secrets.attestationKeys),
  });
  const faults = verdict.ok ? [] : [`the chain: ${JSON.stringify(verdict)}`];
  const held = new Map(
    rows.map(({ receipt_seq, body }) => [receipt_seq, toBase64(body)]),
  );
  for (const { from, seq, body } of ledger.receipts) {
    if (from <= cut && held.get(seq) !== body) {
      faults.push(`receipt ${seq} is not what a client was given`);
    }
  }
  return faults;
}

Deno.test({
  name: `the power goes ${CUTS} times and every promise is kept`,
  ignore: !MAY_RECORD,
  fn: async (t) => {
    await withDataDir(async (room) => {
      const recording = await record(room);
      const { ledger, records } = recording;
      assert(records.length > 1_000, `${records.length} records`);
      assert(ledger.receipts.length > 30 && ledger.promises.length > 25);
      assert.deepEqual(
        await brokenPromises(room, recording, { cuts: CUTS }),
        [],
        `with TEST_SEED=${SEED}`,
      );
      await t.step("a commit that does not sync would break them", async () => {
        // As the database is with synchronous = normal.
        const believed = (path: string) => !path.endsWith("-wal");
        const cuts = Math.min(CUTS, 6);
        const broken = await brokenPromises(room, recording, {
          cuts,
          believed,
        });
        assert(broken.length > 0);
      });
      await t.step("a blob that is not synced would break them", async () => {
        const believed = (path: string) => !path.startsWith("uploads/");
        const cuts = Math.min(CUTS, 6);
        const broken = await brokenPromises(room, recording, {
          cuts,
          believed,
        });
        assert(broken.length > 0);
      });
    });
  },
});
