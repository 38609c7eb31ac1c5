/**
 * `strongroom push` as people run it, against curl that sends as many bytes,
 * encrypted before: once to upload sessions that were opened before, once to
 * sessions that it opens itself, and once with everything else that `push`
 * sends of a file too, its metadata and its signed manifest.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { UploadRequest } from "../../src/client/api/api.ts";
import { signManifest } from "../../src/client/documents/manifest.ts";
import { nativeSha256 } from "../../src/client/keys/native.ts";
import { ciphertextSize } from "../../src/client/stream/stream.ts";
import { toBase64, toHex } from "../../src/core/bytes.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { randomBytes } from "../demo/staging.ts";
import { MEMORY_FLAG, PROGRAM_PERMISSIONS } from "../packaging/permissions.ts";
import { curl, type Sent } from "./curl.ts";
import {
  bearer,
  cpuSeconds,
  endedSeconds,
  MIB,
  originalOf,
  type Ours,
  peakMib,
  repeated,
} from "./support.ts";
import { LOCKED } from "../locked.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PASSWORD = "a horse that reads the newspaper";
/** The suite's chunks. */
const CHUNK_BYTES = 65_536;
/** Of the sealed metadata of such a file. */
const METADATA_BYTES = 400;
/** How often a process's peak is looked at (milliseconds). */
const LOOK_MS = 100;

interface Ran {
  readonly seconds: number;
  readonly peakMib: number;
}

/** A machine whose person is signed in. */
interface Machine {
  /**
   * Runs a command to its end: seconds, and its peak (MiB).
   */
  run(...args: string[]): Promise<Ran>;
  /** The same with variables of the environment. */
  runWith(env: Readonly<Record<string, string>>, args: string[]): Promise<Ran>;
}

/** Makes an account from a machine of its own. */
export async function signedIn(ours: Ours, home: string): Promise<Machine> {
  await Deno.mkdir(home);
  await Deno.writeTextFile(join(home, "password"), `${PASSWORD}\n`);
  const machine: Machine = {
    run: (...args) => strongroom(home, args, {}),
    runWith: (env, args) => strongroom(home, args, env),
  };
  await machine.run(
    ...["login", ours.server.origin, "--new", "--address", "ada@example.org"],
    ...["--password-file", join(home, "password")],
    ...["--words-file", join(home, "words")],
  );
  return machine;
}

async function strongroom(
  home: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const cache = Deno.env.get("DENO_DIR") ??
    join(Deno.env.get("HOME") ?? "", ".cache/deno");
  const started = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", ...LOCKED, "--no-prompt", MEMORY_FLAG, ...PROGRAM_PERMISSIONS],
      ...["main.ts", ...args],
    ],
    cwd: ROOT,
    clearEnv: true,
    env: { HOME: home, DENO_DIR: cache, NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let peak = 0;
  const looking = setInterval(async () => {
    peak = Math.max(peak, await peakMib(child.pid) ?? 0);
  }, LOOK_MS);
  const { success, stderr } = await child.output();
  clearInterval(looking);
  const seconds = (performance.now() - started) / 1_000;
  if (!success) {
    throw new Error(`${args[0]}: ${new TextDecoder().decode(stderr)}`);
  }
  return { seconds, peakMib: peak };
}

/** Writes files of random bytes, which no two runs share. */
export async function writeFiles(
  folder: string,
  files: number,
  bytes: number,
): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const { piece } = repeated(1, Math.min(bytes, MIB));
  for (let i = 0; i < files; i++) {
    using file = await Deno.open(
      join(folder, `${String(i).padStart(5, "0")}.raw`),
      {
        write: true,
        createNew: true,
      },
    );
    // Fresh at its beginning: no two files are the same.
    crypto.getRandomValues(piece.subarray(0, 32));
    for (let at = 0; at < bytes; at += piece.length) {
      await file.write(piece.subarray(0, Math.min(piece.length, bytes - at)));
    }
  }
}

/** A blob that curl is to send, and the session that it asks for. */
interface Prepared {
  readonly bodyFile: string;
  readonly request: UploadRequest;
}

/** What curl is to send: blobs of the size that sealed files have. */
async function preparedUploads(
  { account }: Ours,
  folder: string,
  files: number,
  bytes: number,
): Promise<readonly Prepared[]> {
  const size = ciphertextSize(bytes, CHUNK_BYTES);
  await writeFiles(folder, files, size);
  const prepared: Prepared[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    const bodyFile = join(folder, name);
    const hash = nativeSha256();
    hash.update(await Deno.readFile(bodyFile));
    const request = originalOf(account, { size, hash: toHex(hash.digest()) });
    prepared.push({ bodyFile, request });
  }
  return prepared;
}

/** Seconds that curl takes to send blobs to sessions that are open. */
async function sendPrepared(
  { account, server }: Ours,
  scratch: string,
  blobs: readonly (Prepared & { readonly id: string })[],
): Promise<number> {
  return await curl(
    scratch,
    blobs.map(({ id, bodyFile }) => ({
      method: "PUT",
      url: `${server.origin}/v1/upload/${id}`,
      headers: {
        ...bearer(account),
        "X-Service-Crypto-Suite": "1",
        "Content-Type": "application/octet-stream",
      },
      bodyFile,
    })),
  );
}

/**
 * Seconds that curl takes to open the sessions itself, to send, and to apply
 * the manifests.
 */
async function openAndSend(
  ours: Ours,
  scratch: string,
  blobs: readonly Prepared[],
): Promise<{ readonly sending: number; readonly applying: number }> {
  const { account, server } = ours;
  const manifests = await Promise.all(
    blobs.map((blob) => manifestOf(ours, blob)),
  );
  const asked: (Sent & { readonly answerFile: string })[] = [];
  for (const { bodyFile, request } of blobs) {
    const file = `${bodyFile}.request`;
    const { role, hash, size, envelope } = request;
    await Deno.writeTextFile(
      file,
      JSON.stringify({
        crypto_suite_id: 1,
        blob_role: role,
        ciphertext_hash: hash,
        size,
        manifest_envelope: envelope,
      }),
    );
    asked.push({
      method: "POST",
      url: `${server.origin}/v1/upload`,
      headers: {
        ...bearer(account),
        "X-Service-Crypto-Suite": "1",
        "Content-Type": "application/json",
      },
      bodyFile: file,
      answerFile: `${bodyFile}.answer`,
    });
  }
  const opening = await curl(scratch, asked);
  const opened = [];
  for (const [at, { answerFile }] of asked.entries()) {
    const { upload_id: id } = JSON.parse(await Deno.readTextFile(answerFile));
    const blob = blobs[at];
    if (blob !== undefined) opened.push({ ...blob, id: String(id) });
  }
  const sending = opening + await sendPrepared(ours, scratch, opened);
  return { sending, applying: await curl(scratch, manifests) };
}

/**
 * The request that makes an asset of a blob, signed before: its metadata, of
 * the size that `push` seals of such a file, and its manifest.
 */
async function manifestOf(
  { account, owner, server }: Ours,
  { bodyFile, request }: Prepared,
): Promise<Sent> {
  const metadata = randomBytes(METADATA_BYTES);
  const envelope = {
    ...request.envelope,
    album_id: owner.albumId,
    created_by_device: owner.deviceId,
    metadata_blob_hash: sha256Hex(metadata),
  };
  const manifest = await signManifest(owner.identity.signer, envelope);
  const file = `${bodyFile}.manifest`;
  await Deno.writeTextFile(
    file,
    JSON.stringify({
      manifest_envelope: envelope,
      manifest_cbor: toBase64(manifest),
      metadata_blob: toBase64(metadata),
    }),
  );
  return {
    method: "POST",
    url: `${server.origin}/v1/albums/${owner.albumId}/ops`,
    headers: {
      ...bearer(account),
      "X-Service-Crypto-Suite": "1",
      "Content-Type": "application/json",
    },
    bodyFile: file,
  };
}

/** Seconds of the processor, of the server and of the programs that ask it. */
interface Processor {
  readonly server: number;
  readonly client: number;
}

/** Does some work, and says what it takes of the processor. */
async function measured<T>({ server }: Ours, work: () => Promise<T>) {
  const now = async (): Promise<Processor> => ({
    server: await cpuSeconds(server.pid) ?? NaN,
    client: await endedSeconds(),
  });
  const before = await now();
  const done = await work();
  const after = await now();
  const cpu: Processor = {
    server: after.server - before.server,
    client: after.client - before.client,
  };
  return { done, cpu };
}

/**
 * Sends everything in a folder both ways: MiB a second, and milliseconds of the
 * processor for a file.
 */
export async function race(
  scratch: string,
  ours: Ours,
  machine: Machine,
  { files, bytes }: { readonly files: number; readonly bytes: number },
  round: number,
) {
  const mib = files * bytes / MIB;
  const ownFolder = join(scratch, `push-${round}`);
  await writeFiles(ownFolder, files, bytes);
  const sealed = join(scratch, `sealed-${round}`);
  const blobs = await preparedUploads(ours, sealed, files, bytes);
  const opened: (Prepared & { readonly id: string })[] = [];
  for (const blob of blobs) {
    const { upload_id: id } = await ours.account.createUpload(blob.request);
    opened.push({ ...blob, id });
  }
  const others = join(scratch, `others-${round}`);
  const unopened = await preparedUploads(ours, others, files, bytes);
  const push = () => measured(ours, () => machine.run("push", ownFolder));
  const same = () => measured(ours, () => openAndSend(ours, scratch, unopened));
  // Whoever begins changes from round to round.
  const first = round % 2 === 0 ? await push() : undefined;
  const peer = await same();
  const put = await measured(ours, () => sendPrepared(ours, scratch, opened));
  const { done: pushed, cpu } = first ?? await push();
  const { done: again } = await push();
  for (const folder of [ownFolder, sealed, others]) {
    await Deno.remove(folder, { recursive: true });
  }
  const { sending, applying } = peer.done;
  const eachMs = (one: Processor): Processor => ({
    server: one.server * 1_000 / files,
    client: one.client * 1_000 / files,
  });
  return {
    push: mib / pushed.seconds,
    curl: mib / put.done,
    curlOpening: mib / sending,
    curlApplying: mib / (sending + applying),
    againSeconds: again.seconds,
    peakMib: pushed.peakMib,
    cpuMs: {
      push: eachMs(cpu),
      put: eachMs(put.cpu),
      /** curl that sends all that `push` sends. */
      same: eachMs(peer.cpu),
    },
  };
}
