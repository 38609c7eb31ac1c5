/**
 * `strongroom push` as people run it, against curl that sends as many bytes,
 * encrypted before, to upload sessions that were opened before.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nativeSha256 } from "../../src/client/native.ts";
import { ciphertextSize } from "../../src/client/stream.ts";
import { toHex } from "../../src/core/bytes.ts";
import { MEMORY_FLAG, PROGRAM_PERMISSIONS } from "../packaging/permissions.ts";
import { curl, type Sent } from "./curl.ts";
import {
  bearer,
  MIB,
  originalOf,
  type Ours,
  peakMib,
  repeated,
} from "./support.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PASSWORD = "a horse that reads the newspaper";
/** The suite's chunks. */
const CHUNK_BYTES = 65_536;
/** How often a process's peak is looked at (milliseconds). */
const LOOK_MS = 100;

/** A machine whose person is signed in. */
export interface Machine {
  /** Runs a command to its end: seconds, and its peak (MiB). */
  run(...args: string[]): Promise<{ seconds: number; peakMib: number }>;
}

/** Makes an account from a machine of its own. */
export async function signedIn(ours: Ours, home: string): Promise<Machine> {
  await Deno.mkdir(home);
  await Deno.writeTextFile(join(home, "password"), `${PASSWORD}\n`);
  const machine = { run: (...args: string[]) => strongroom(home, args) };
  await machine.run(
    ...["login", ours.server.origin, "--new", "--address", "ada@example.org"],
    ...["--password-file", join(home, "password")],
    ...["--words-file", join(home, "words")],
  );
  return machine;
}

async function strongroom(home: string, args: readonly string[]) {
  const cache = Deno.env.get("DENO_DIR") ??
    join(Deno.env.get("HOME") ?? "", ".cache/deno");
  const started = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", MEMORY_FLAG, ...PROGRAM_PERMISSIONS],
      ...["main.ts", ...args],
    ],
    cwd: ROOT,
    clearEnv: true,
    env: { HOME: home, DENO_DIR: cache, NO_COLOR: "1" },
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

/** What curl is to send: blobs of the size that sealed files have. */
export async function preparedUploads(
  { account, server }: Ours,
  folder: string,
  files: number,
  bytes: number,
): Promise<readonly Sent[]> {
  const size = ciphertextSize(bytes, CHUNK_BYTES);
  await writeFiles(folder, files, size);
  const sent: Sent[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    const bodyFile = join(folder, name);
    const hash = nativeSha256();
    hash.update(await Deno.readFile(bodyFile));
    const request = originalOf(account, { size, hash: toHex(hash.digest()) });
    const { upload_id: id } = await account.createUpload(request);
    sent.push({
      method: "PUT",
      url: `${server.origin}/v1/upload/${id}`,
      headers: {
        ...bearer(account),
        "X-Service-Crypto-Suite": "1",
        "Content-Type": "application/octet-stream",
      },
      bodyFile,
    });
  }
  return sent;
}

/** Sends everything in a folder both ways; MiB a second. */
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
  const requests = await preparedUploads(ours, sealed, files, bytes);
  const push = () => machine.run("push", ownFolder);
  const send = () => curl(scratch, requests);
  // Whoever begins changes from round to round.
  const first = round % 2 === 0 ? await push() : undefined;
  const curlSeconds = await send();
  const pushed = first ?? await push();
  const again = await push();
  await Deno.remove(ownFolder, { recursive: true });
  await Deno.remove(sealed, { recursive: true });
  return {
    push: mib / pushed.seconds,
    curl: mib / curlSeconds,
    againSeconds: again.seconds,
    peakMib: pushed.peakMib,
  };
}
