/**
 * The power goes at many points of the work of `strongroom receive`. After
 * each, the disk is rebuilt as it could have been left, and the program opens
 * it: what a telephone was told is there is there, whole, sealed and under its
 * name, and nothing lies open on the disk.
 *
 * The server is away all the time, so that the spool is all there is. There
 * are 16 cuts, or as many as `TEST_CUTS` says. `TEST_SEED` repeats the cuts.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toHex, utf8 } from "../../src/core/bytes.ts";
import {
  guestBinding,
  openGuestFile,
} from "../../src/client/documents/guest.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import { sealingKeyPairFromSeed } from "../../src/client/keys/sealing.ts";
import { decryptBytes } from "../../src/client/stream/stream.ts";
import { DAY_MS, toRfc3339 } from "../../src/core/time.ts";
import { deviceKeys, safeKeyOf } from "../../src/cli/receive/device_keys.ts";
import { Receiver } from "../../src/cli/receive/receiver.ts";
import { Spool } from "../../src/cli/receive/spool.ts";
import { START_MS } from "../support/app.ts";
import { ciphertext } from "../support/people.ts";
import { programCommand, withDataDir } from "../support/program.ts";
import { bytesIn, LIMITS, PHONE, requestOf } from "../support/telephone.ts";
import { type Believed, Disk, NOTHING, readRecord } from "./disk.ts";
import { buildRecorder, copyFolder, drawing, MAY_RECORD } from "./recording.ts";

const CUTS = Number(Deno.env.get("TEST_CUTS") ?? 16);
const SEED = Deno.env.get("TEST_SEED") ?? crypto.randomUUID();

/** Telephones' uploads at a time, and files of each. */
const LANES = 4;
const FILES = 10;

/** Stands in every file, and may lie in none. */
const MARK = "EXPOSED-BY-A-POWER-CUT";

const OWNER = sealingKeyPairFromSeed(new Uint8Array(32).fill(7));
const LINK = {
  // No program listens there: the server is away.
  origin: "http://127.0.0.1:1",
  opaque_id: "cG93ZXItY3V0LWxpbmsxMg",
  recipient_key: OWNER.publicKey,
  expires_at: toRfc3339(START_MS + 3_650 * DAY_MS),
};

/** A file that a telephone was told is there. */
interface Acknowledged {
  /** Length of the record when the answer was there. */
  readonly from: number;
  /** The last name that it was given, from then on. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Recording {
  readonly start: string;
  readonly trace: Uint8Array<ArrayBuffer>;
  readonly told: readonly Acknowledged[];
}

const random = (length: number) =>
  crypto.getRandomValues(new Uint8Array(length));

/** Has a telephone send to a receiver that is recorded. */
async function record(room: string): Promise<Recording> {
  const spool = `${room}/spool`;
  {
    using held = await Spool.open(spool);
    const salt = random(16);
    const keys = deviceKeys(PHONE.password, salt);
    held.addDevice({
      ...LINK,
      binding: guestBinding(LINK.opaque_id),
      name: PHONE.name,
      title: "Ada's phone",
      salt,
      verifier: keys.verifier,
      safe_key: safeKeyOf(keys),
      created_at: START_MS,
    });
  }
  const start = `${room}/start`;
  await copyFolder(spool, start);
  const trace = `${room}/trace`;
  const { program, args } = programCommand([
    ...["receive", "--spool", spool, "--listen", "127.0.0.1:0"],
    ...["--keep-free", "0"],
  ]);
  const child = new Deno.Command(program, {
    args,
    cwd: new URL("../../", import.meta.url),
    env: {
      LD_PRELOAD: await buildRecorder(room),
      RECORDER_ROOT: spool,
      RECORDER_TRACE: trace,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let said = "";
    while (!/serving \S+\n/.test(said)) {
      const { done, value } = await reader.read();
      assert(!done, said);
      said += value;
    }
    const url = /serving (\S+)/.exec(said)?.[1] ?? "";
    const told: Acknowledged[] = [];
    const now = () => Deno.statSync(trace).size;
    const ask = async (...asked: Parameters<typeof requestOf>) => {
      const request = requestOf(...asked);
      const path = request.url.slice(new URL(request.url).origin.length + 1);
      const answer = await fetch(`${url}${path}`, {
        method: request.method,
        headers: request.headers,
        body: asked[1].body ?? null,
      });
      await answer.body?.cancel();
      return answer.status;
    };
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        for (let n = 0; n < FILES; n += 1) {
          const bytes = ciphertext(`${lane} ${n}`, 500 + 40_000 * (n % 4));
          bytes.set(utf8(MARK), bytes.length >> 1);
          const name = `IMG_${lane}_${n}.jpg`;
          // Half of them get their name once they are whole.
          const isRenamed = n % 2 === 1;
          const first = isRenamed ? `${name}.part` : name;
          assert.equal(await ask(`/${first}`, { body: bytes }), 201);
          if (isRenamed) {
            const headers = { Destination: `/${name}` };
            assert.equal(
              await ask(`/${first}`, { method: "MOVE", headers }),
              201,
            );
          }
          told.push({ from: now(), name, bytes });
        }
      }),
    );
    return { start, trace: await Deno.readFile(trace), told };
  } finally {
    child.kill("SIGKILL");
    while (!(await reader.read()).done);
    await child.status;
  }
}

/** What was not kept, a line each, where the power went behind some bytes. */
async function faultsAfter(
  folder: string,
  told: readonly Acknowledged[],
  cut: number,
): Promise<string[]> {
  const left = await bytesIn(folder);
  const spool = await Spool.open(folder).catch((cause) => String(cause));
  if (typeof spool === "string") return [`it does not open: ${spool}`];
  using held = spool;
  await held.clear();
  const receiver = new Receiver({
    spool: held,
    limits: LIMITS,
    now: () => START_MS,
    random,
    onKept: () => {},
    warn: () => {},
  });
  const files = new Map<string, Uint8Array>();
  const faults: string[] = [];
  for (const bytes of left) {
    const text = new TextDecoder("latin1").decode(bytes);
    if (text.includes(MARK)) faults.push("plaintext lies on the disk");
    if (text.includes("IMG_")) faults.push("a name lies on the disk");
  }
  for (const { id, sealed, hash, opaque_id: opaqueId } of held.outgoing(1e4)) {
    const about = openGuestFile(
      sealed,
      OWNER.secretKey,
      guestBinding(opaqueId),
    );
    const blob = await Deno.readFile(held.sealedPath(id)).catch(() => {});
    if (about === undefined || blob === undefined) {
      faults.push(`what is to be delivered is not there: ${id}`);
      continue;
    }
    const digest = await crypto.subtle.digest("SHA-256", blob);
    if (toHex(new Uint8Array(digest)) !== hash) {
      faults.push(`${about.name} has other bytes on the disk`);
      continue;
    }
    files.set(
      about.name,
      await decryptBytes(
        { fileKey: about.key, primitives: nativePrimitives },
        blob,
      ),
    );
  }
  for (const { from, name, bytes } of told) {
    if (from > cut) continue;
    const plain = files.get(name);
    if (plain === undefined || toHex(plain) !== toHex(bytes)) {
      faults.push(`${name} would not be delivered`);
    }
    const head = await receiver.answer(
      requestOf(`/${name}`, { method: "HEAD" }),
      "192.0.2.1",
    );
    if (head.headers.get("content-length") !== String(bytes.length)) {
      faults.push(`the phone does not find ${name}`);
    }
  }
  return faults;
}

async function brokenPromises(
  room: string,
  { start, trace, told }: Recording,
  { cuts, believed }: { readonly cuts: number; readonly believed?: Believed },
): Promise<string[]> {
  const draw = drawing(`cuts ${SEED}`);
  const records = readRecord(trace);
  const disk = await Disk.of(start, believed);
  const broken: string[] = [];
  let played = 0;
  const places = Array.from(
    { length: cuts },
    (_, n) =>
      // Right behind an answer nothing may be missing of what it told.
      n % 2 === 0
        ? told[Math.floor(draw() * told.length)]?.from ?? 0
        : Math.floor(draw() * trace.length),
  ).toSorted((a, b) => a - b);
  for (const [n, cut] of places.entries()) {
    for (; (records[played]?.end ?? Infinity) <= cut; played++) {
      const next = records[played];
      if (next !== undefined) disk.play(next);
    }
    const folder = `${room}/after`;
    const isAll = n % 3 === 0 || believed !== undefined;
    await disk.rebuild(folder, isAll ? NOTHING : draw);
    for (const fault of await faultsAfter(folder, told, cut)) {
      broken.push(`after ${cut} bytes: ${fault}`);
    }
    await Deno.remove(folder, { recursive: true });
  }
  return broken;
}

Deno.test({
  name:
    `the power goes ${CUTS} times while a phone sends, and all that it was told is there is there`,
  ignore: !MAY_RECORD,
  fn: async (t) => {
    await withDataDir(async (room) => {
      const recording = await record(room);
      assert.equal(recording.told.length, LANES * FILES);
      assert.deepEqual(
        await brokenPromises(room, recording, { cuts: CUTS }),
        [],
        `with TEST_SEED=${SEED}`,
      );
      const cuts = Math.min(CUTS, 6);
      await t.step("a register that does not sync would break it", async () => {
        const believed = (path: string) => !path.endsWith("-wal");
        const broken = await brokenPromises(room, recording, {
          cuts,
          believed,
        });
        assert(broken.length > 0);
      });
      await t.step("a file that is not synced would break it", async () => {
        const believed = (path: string) => !path.startsWith("incoming/");
        const broken = await brokenPromises(room, recording, {
          cuts,
          believed,
        });
        assert(broken.length > 0);
      });
      await t.step("a name that is not synced would break it", async () => {
        const believed = (path: string) => path !== "sealed";
        const broken = await brokenPromises(room, recording, {
          cuts,
          believed,
        });
        assert(broken.length > 0);
      });
    });
  },
});
