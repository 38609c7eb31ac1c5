/**
 * Backing up and restoring, as the operator does it: by processes, while a
 * server runs or after it.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  parsePublishedKeys,
  type PublishedKeys,
} from "../../src/crypto/receipt_chain.ts";
import { readPublishedKeys } from "../../src/features/backup/keys.ts";
import { checkStore } from "../../src/features/verification/check.ts";
import { directoriesOf } from "../../src/store/blobs/blobs.ts";
import { storedIn } from "../../src/store/blobs/small_blobs.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { keyGeneration } from "../../src/store/generation.ts";
import { openBesideServer } from "../../src/store/store.ts";
import { makeRequest, type Sender, type SendOptions } from "./app.ts";
import { expectJson, type Json } from "./expect.ts";
import {
  createAsset,
  hashOf,
  PASSWORD,
  type Person,
  registerWriter,
} from "./people.ts";
import {
  type EndedProgram,
  type RunningServer,
  runProcess,
  runProgram,
  serveHere,
} from "./program.ts";

/** A directory for data directories and backups, taken away afterwards. */
export async function withRoom(
  test: (room: string) => Promise<void>,
): Promise<void> {
  const room = await Deno.makeTempDir({ prefix: "strongroom-backup-" });
  try {
    await test(room);
  } finally {
    await Deno.remove(room, { recursive: true });
  }
}

/** A server that hashes passwords cheaply, and whose origin stays. */
export interface Running extends Sender {
  readonly program: RunningServer;
}

/** The origin that servers over one history say they have. */
export const BASE_URL = "https://photos.example.org";

/** Starts the real server over a data directory. */
export async function startServer(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Running> {
  const program = await serveHere({
    STRONGROOM_DATA_DIR: dataDir,
    STRONGROOM_BASE_URL: BASE_URL,
    STRONGROOM_ARGON2_MEMORY_KIB: "8",
    STRONGROOM_ARGON2_PASSES: "1",
    STRONGROOM_RESERVED_DISK_BYTES: "0",
    // Blobs are files unless a test sets another size.
    STRONGROOM_SMALL_BLOB_BYTES: "0",
    STRONGROOM_BLOBS: "directory",
    ...settings,
  });
  if (program.url === "") throw new Error(await program.complaint());
  return {
    program,
    send: async (method, path, options: SendOptions = {}) => {
      const request = makeRequest(method, path, options, program.url);
      const answer = await fetch(request);
      // Read whole: an unread body keeps its connection.
      const { status, headers } = answer;
      const body = await answer.arrayBuffer();
      return new Response(body.byteLength > 0 ? body : null, {
        status,
        headers,
      });
    },
  };
}

/** Runs a server for as long as a test over it. */
export async function withServer<T>(
  dataDir: string,
  test: (server: Running) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const server = await startServer(dataDir, settings);
  try {
    return await test(server);
  } finally {
    await server.program.stop();
  }
}

/** Runs a command that is done; returns its answer, from `--json`. */
export async function done(...args: readonly string[]): Promise<Json> {
  return answerOf(await runProgram([...args, "--json"]));
}

/** Backs up in another process while this one goes on. */
export async function backUpBeside(data: string, to: string): Promise<Json> {
  return answerOf(
    await runProcess(["backup", to, "--data-dir", data, "--json"]),
  );
}

function answerOf(ended: EndedProgram): Json {
  assert.equal(ended.status, 0, ended.stderr + ended.stdout);
  assert.equal(ended.stderr, "");
  assert.match(ended.stdout, /^[^\n]+\n$/);
  return JSON.parse(ended.stdout);
}

/** Backs a data directory up. */
export function backUp(
  dataDir: string,
  backup: string,
  ...more: readonly string[]
): Promise<Json> {
  return done("backup", backup, "--data-dir", dataDir, ...more);
}

/** Verifies a backup: the answer, whatever was found. */
export async function verifyBackup(backup: string): Promise<Json> {
  const ended = await runProgram(["backup", "verify", backup, "--json"]);
  assert.equal(ended.stderr, "");
  const report = JSON.parse(ended.stdout);
  assert.equal(ended.status, report.found === 0 ? 0 : 1);
  return report;
}

/** Restores a backup into a data directory. */
export function restore(
  backup: string,
  dataDir: string,
  ...more: readonly string[]
): Promise<Json> {
  return done("restore", backup, "--data-dir", dataDir, ...more);
}

/** Every file under a directory, by its path there, with its inode. */
export async function filesUnder(
  root: string,
  at = "",
): Promise<Map<string, number | null>> {
  const found = new Map<string, number | null>();
  for await (const { name, isDirectory } of Deno.readDir(`${root}/${at}`)) {
    const path = at === "" ? name : `${at}/${name}`;
    if (isDirectory) {
      for (const one of await filesUnder(root, path)) found.set(...one);
    } else found.set(path, (await Deno.stat(`${root}/${path}`)).ino);
  }
  return found;
}

/** Checks a data directory as `check --deep` does: what is wrong with it. */
export async function faultsOf(dataDir: string): Promise<string[]> {
  const db = await openBesideServer(dataDir);
  try {
    const report = await checkStore({
      db,
      ...storedIn(db, directoriesOf(denoFiles, dataDir)),
      keys: await readPublishedKeys(
        denoFiles,
        `${dataDir}/keys`,
        await keyGeneration(db),
      ),
    }, { deep: true });
    return report.findings.map(({ kind, subject, detail }) =>
      `${kind} ${subject}: ${detail}`
    );
  } finally {
    await db.destroy();
  }
}

/** The signed bytes of every receipt of a data directory, in their order. */
export async function receiptsOf(
  dataDir: string,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const db = await openBesideServer(dataDir);
  try {
    const rows = await db.selectFrom("receipt").select("body")
      .orderBy("receipt_seq").execute();
    return rows.map(({ body }) => body);
  } finally {
    await db.destroy();
  }
}

/** The keys that a server publishes. */
export async function publishedBy(server: Sender): Promise<PublishedKeys> {
  const record = await expectJson(
    await server.send("GET", "/.well-known/service/attestation-keys", {
      protocol: null,
    }),
    200,
  );
  return parsePublishedKeys(record);
}

/** A person who has signed in again. */
export async function signIn(server: Sender, person: Person): Promise<Person> {
  const tokens = await expectJson(
    await server.send("POST", "/v1/auth/login", {
      json: { address: person.address, password: PASSWORD },
    }),
    200,
  );
  return {
    ...person,
    sessionId: tokens.session_id,
    sessionToken: tokens.session_token,
    token: tokens.access_token,
  };
}

/** The paths of a server's data, its backup and what is restored of that. */
export function placesIn(room: string) {
  return {
    data: `${room}/data`,
    backup: `${room}/backup`,
    restored: `${room}/restored`,
  };
}

/** Length and SHA-256 of a file, as a manifest records them. */
export async function hashFileOf(path: string) {
  const bytes = await Deno.readFile(path);
  return { bytes: bytes.length, sha256: hashOf(bytes) };
}

/** A server's data and its backup, the server being stopped. */
export async function withBackup(
  test: (
    places: ReturnType<typeof placesIn> & { readonly room: string },
  ) => Promise<void>,
): Promise<void> {
  await withRoom(async (room) => {
    const places = placesIn(room);
    await withServer(places.data, async (server) => {
      const ada = await registerWriter(server, "ada");
      await createAsset(server, ada, "photo");
    });
    await backUp(places.data, places.backup);
    await test({ ...places, room });
  });
}

/** `backup`, however it ends. */
export function tryBackup(data: string, backup: string): Promise<EndedProgram> {
  return runProgram(["backup", backup, "--data-dir", data]);
}

/** `restore`, however it ends. */
export function tryRestore(
  backup: string,
  data: string,
): Promise<EndedProgram> {
  return runProgram(["restore", backup, "--data-dir", data]);
}

/** The names in a directory. */
export async function namesIn(path: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(path));
  return entries.map(({ name }) => name).toSorted();
}
