/**
 * `deno task demo [folder]`: the whole way of a photograph, from a folder into
 * the server and out of a share link, in one process, next to a real server.
 * Exit status 0 if everything came back byte for byte, 1 if anything differed
 * or went wrong, 2 for a malformed command line.
 *
 * @module
 */
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ApiProblem, createClient } from "../src/client/api/api.ts";
import { parseShareLink } from "../src/client/documents/share.ts";
import { ConnectionError } from "../src/client/api/transport.ts";
import { CustodyFault, openCustody } from "./demo/custody.ts";
import { FolderFault, readFolder, type SourceFile } from "./demo/folder.ts";
import { becomeOwner, keepFile, type Owner, shareAll } from "./demo/owner.ts";
import {
  column,
  columnWidth,
  formatBytes,
  openScreen,
  printable,
} from "./demo/screen.ts";
import { type RunningServer, ServerFault, startServer } from "./demo/server.ts";
import { differenceFrom, openLink } from "./demo/viewer.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** A share link serves at most so many blobs, its index included. */
const SERVES_MAX = 10_000;
const SHORT_HASH = 12;
/** Fits "999.9 KiB", and " + 999.9 KiB thumbnail". */
const LARGE_WIDTH = 9;
const SMALL_WIDTH = 22;
/** What a shell reports for a program that SIGINT ended. */
const INTERRUPTED = 130;

const USAGE = `usage: deno task demo [folder] [--keep]

Encrypts every file of a folder (default: the sample photographs), stores them
on a server of its own, verifies each receipt, and views them through a share
link as a stranger would.

  --keep  keep the server running until Ctrl-C`;

const screen = openScreen();

const clientOf = (origin: string) =>
  createClient({
    baseUrl: origin,
    fetch: (input, init) => fetch(input, init),
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  });

async function main(args: string[]): Promise<number> {
  const given = readArguments(args);
  if (given === undefined) {
    screen.complain(USAGE);
    return 2;
  }
  if (given.help) {
    screen.say(USAGE);
    return 0;
  }
  const files = await readFolder(given.folder);
  const blobs = files.reduce((sum, one) => sum + (one.thumbnail ? 2 : 1), 1);
  if (blobs > SERVES_MAX) {
    throw new FolderFault(
      `${given.folder} needs a link over ${blobs} blobs, more than ${SERVES_MAX}`,
    );
  }
  const place = await Deno.makeTempDir({ prefix: "strongroom-demo-" });
  const dataDir = join(place, "data");
  const stagingDir = join(place, "staging");
  await Deno.mkdir(stagingDir);
  const interrupted = untilInterrupted();
  const logFile = join(place, "server.log");
  const server = await startServer({ dataDir, logFile });
  try {
    screen.say(`A server is up at ${server.origin}.`);
    const work = showAll(server, files, stagingDir);
    const differences = await Promise.race([work, interrupted]);
    if (differences === undefined) {
      screen.complain(`interrupted; ${dataDir} is left in place`);
      return INTERRUPTED;
    }
    sayHowToGoOn(dataDir, server);
    if (given.keep) {
      screen.say("\nServing until Ctrl-C.");
      await Promise.race([interrupted, server.ended]);
    }
    return differences === 0 ? 0 : 1;
  } finally {
    await server.stop();
    await Deno.remove(stagingDir, { recursive: true });
  }
}

function readArguments(args: string[]) {
  const options = {
    keep: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    const { values, positionals } = parseArgs({
      args,
      options,
      allowPositionals: true,
    });
    const [folder = join(ROOT, "tests", "samples"), ...more] = positionals;
    if (more.length > 0) return undefined;
    return {
      // A task runs in the project's folder, wherever it was called.
      folder: isAbsolute(folder)
        ? folder
        : resolve(Deno.env.get("INIT_CWD") ?? Deno.cwd(), folder),
      keep: values.keep === true,
      help: values.help === true,
    };
  } catch {
    return undefined;
  }
}

/** Stores, shares and views; returns how many files did not come back. */
async function showAll(
  server: RunningServer,
  files: readonly SourceFile[],
  stagingDir: string,
): Promise<number> {
  const owner = await becomeOwner(clientOf(server.origin));
  screen.say(
    "An account was made, its signed directory published, an album provisioned.",
  );
  const link = await storeAll(owner, server.origin, files, stagingDir);
  const differences = await viewAll(link, files);
  screen.say(`\nThe link: ${link}`);
  return differences;
}

async function storeAll(
  owner: Owner,
  origin: string,
  files: readonly SourceFile[],
  stagingDir: string,
): Promise<string> {
  const custody = openCustody();
  // Each byte counts twice: encrypted, then held by the server.
  const progress = progressOver(files, 2);
  const nameWidth = columnWidth(files.map((file) => file.shown));
  const hasThumbnails = files.some((file) => file.thumbnail !== undefined);
  const items = [];
  screen.say(`\nStoring ${count(files.length, "file")}, encrypted:`);
  for (const file of files) {
    const { item, receiptSeqs } = await keepFile(owner, file, {
      stagingDir,
      custody,
      onProgress: progress.at,
    });
    progress.next(file);
    items.push(item);
    screen.say(
      `  ${column(file.shown, nameWidth)}  ${sizesOf(file, hasThumbnails)}  ` +
        `${item.hash.slice(0, SHORT_HASH)}  ${rangeOf(receiptSeqs)}`,
    );
  }
  const { link, receiptSeqs } = await shareAll(owner, origin, {
    v: 1,
    n: 0,
    title: "strongroom demo",
    items,
  }, { stagingDir, custody, onProgress: () => {} });
  screen.say(`The link's own index is an asset too: ${rangeOf(receiptSeqs)}.`);
  // Fetched once; from here on the server has no part in it.
  const keys = await clientOf(origin).attestationKeys();
  const verified = await custody.verify(keys);
  screen.say(
    `${count(verified, "receipt")} verified offline: each signature, and the ` +
      "chain from the first to the last.",
  );
  return link;
}

/** What a stranger sees who was given the link; returns the differences. */
async function viewAll(
  link: string,
  files: readonly SourceFile[],
): Promise<number> {
  const parsed = parseShareLink(link);
  if (parsed === undefined) throw new Error("the link cannot be read back");
  const viewer = await openLink(clientOf(parsed.origin), parsed);
  const { items } = viewer.index;
  if (items.length !== files.length) {
    throw new Error(`the link shows ${items.length} of ${files.length} files`);
  }
  const progress = progressOver(files, 1);
  const differences: string[] = [];
  let thumbnails = 0;
  for (const [index, file] of files.entries()) {
    const item = items[index];
    if (item === undefined) continue;
    const { name, mime, size, hash, key, chunk_size, thumbnail } = item;
    const original = viewer.read(hash, { fileKey: key, chunkSize: chunk_size });
    const telling = (bytes: number) =>
      progress.at(`viewing ${file.shown}`, bytes);
    const difference = await differenceFrom(file.path, original, telling);
    if (difference !== undefined) {
      differences.push(`${file.shown} ${difference}`);
    } else if (name !== file.name || mime !== file.mime || size !== file.size) {
      differences.push(`${file.shown} has another name, type or size`);
    }
    if ((thumbnail === undefined) !== (file.thumbnail === undefined)) {
      differences.push(`${file.shown} has lost its thumbnail`);
    } else if (thumbnail !== undefined && file.thumbnail !== undefined) {
      thumbnails++;
      const small = viewer.read(thumbnail.hash, { fileKey: thumbnail.key });
      const other = await differenceFrom(file.thumbnail.path, small);
      if (other !== undefined) {
        differences.push(`the thumbnail of ${file.shown} ${other}`);
      }
    }
    progress.next(file);
  }
  for (const line of differences) screen.complain(`demo: ${printable(line)}`);
  const seen = count(files.length, "file") +
    (thumbnails === 0 ? "" : ` and ${count(thumbnails, "thumbnail")}`);
  screen.say(
    "\nA viewer with nothing but the link downloaded and decrypted " +
      (differences.length === 0
        ? `${seen}: equal byte for byte.`
        : `${seen}: ${count(differences.length, "difference")}.`),
  );
  return differences.length;
}

function progressOver(files: readonly SourceFile[], times: number) {
  const sizeOf = (file: SourceFile) =>
    (file.size + (file.thumbnail?.size ?? 0)) * times;
  const total = files.reduce((sum, file) => sum + sizeOf(file), 0);
  let before = 0;
  return {
    at: (what: string, done: number) =>
      screen.progress(what, before + done, total),
    next(file: SourceFile) {
      before += sizeOf(file);
    },
  };
}

function sayHowToGoOn(dataDir: string, server: RunningServer): void {
  const runner = Deno.execPath().includes("node_modules")
    ? `npx --yes deno@${Deno.version.deno}`
    : "deno";
  const start = `STRONGROOM_DATA_DIR=${quoted(dataDir)} ` +
    `STRONGROOM_LISTEN=${server.listen} ${runner} task start`;
  const called = Deno.env.get("INIT_CWD") ?? Deno.cwd();
  const inside = `${called}/`.startsWith(ROOT);
  screen.say(`What was stored is left in place: ${dataDir}`);
  screen.say("To keep serving it, so that the link works:");
  screen.say(
    `  ${inside ? start : `cd ${quoted(ROOT.replace(/\/$/, ""))} && ${start}`}`,
  );
}

/** For a shell: as it is where that is safe. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path)
    ? path
    : `'${path.replaceAll("'", "'\\''")}'`;
}

function sizesOf({ size, thumbnail }: SourceFile, padded: boolean): string {
  const small = thumbnail === undefined
    ? ""
    : ` + ${formatBytes(thumbnail.size)} thumbnail`;
  const large = formatBytes(size).padStart(LARGE_WIDTH);
  return `${large}${small.padEnd(padded ? SMALL_WIDTH : 0)}`;
}

/** Receipts of one asset, which are consecutive here. */
function rangeOf(seqs: readonly number[]): string {
  return `receipts ${seqs[0] ?? "?"} to ${seqs.at(-1) ?? "?"}`;
}

function count(many: number, what: string): string {
  return `${many.toLocaleString("en")} ${what}${many === 1 ? "" : "s"}`;
}

/** Resolves, to undefined, when the program is asked to end. */
function untilInterrupted(): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  Deno.addSignalListener("SIGINT", end);
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", end);
  return promise;
}

/** Faults that people can fix get their message, others their place too. */
function complain(error: unknown): void {
  const isExpected = error instanceof FolderFault ||
    error instanceof ServerFault || error instanceof CustodyFault ||
    error instanceof ApiProblem || error instanceof ConnectionError ||
    error instanceof Deno.errors.NotFound ||
    error instanceof Deno.errors.PermissionDenied;
  const text = error instanceof Error
    ? (isExpected ? printable(error.message) : error.stack ?? error.message)
    : String(error);
  screen.complain(`demo: ${text}`);
}

async function run(): Promise<number> {
  try {
    return await main(Deno.args);
  } catch (error) {
    complain(error);
    return 1;
  }
}

if (import.meta.main) Deno.exit(await run());
