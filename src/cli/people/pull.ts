/**
 * `strongroom pull`: everything, or what is looked for, as files of this
 * machine. Nothing that is there is ever written over.
 *
 * @module
 */
import { dirname, join, resolve } from "node:path";
import { DamagedBlob, type Row, takenAt } from "../../client/library/mod.ts";
import { queryOf } from "../../client/library/search.ts";
import { bytesInWords, counted } from "../../core/sizes.ts";
import { terminalProgress } from "../progress.ts";
import { printable } from "../words.ts";
import { openFile } from "./describing.ts";
import { complaintOf, STATUS } from "./faults.ts";
import { foldedName, layoutOf, nextName } from "./names.ts";
import type { Person } from "./person.ts";
import { followFeed } from "./push.ts";

/** The options of `pull`. */
export interface PullOptions {
  readonly layout: string;
  readonly query?: string;
  readonly sidecars?: true;
}

const MOST_OF_A_NAME = 10_000;

/** Writes what is looked for into a folder. */
export async function pull(
  person: Person,
  folder: string,
  options: PullOptions,
): Promise<void> {
  const { library, tell, warn, endWith, signal } = person;
  const root = resolve(folder);
  const pathOf = layoutOf(options.layout);
  const wanted = queryOf(options.query ?? "");
  await followFeed(person);
  const progress = terminalProgress(() => performance.now());
  const taken = new Set<string>();
  const tally = { written: 0, there: 0, failed: 0, bytes: 0 };
  let damaged = 0;
  try {
    for (const row of library.list()) {
      signal.throwIfAborted();
      if (!wanted(row)) continue;
      const name = row.metadata?.name ?? row.id;
      try {
        const done = await write(person, row, join(root, pathOf(row)), taken);
        tally[done.what] += 1;
        if (done.what === "there") continue;
        tally.bytes += row.metadata?.size ?? 0;
        progress.show("written", tally.bytes);
        if (options.sidecars) await writeSidecar(row, done.path);
        tell(
          {
            event: "file",
            path: done.path,
            outcome: "written",
            asset_id: row.id,
          },
          `wrote ${printable(done.path)}`,
        );
      } catch (error) {
        const complaint = complaintOf(error);
        if (
          complaint?.status === STATUS.tryLater ||
          complaint?.status === STATUS.interrupted
        ) throw error;
        if (error instanceof DamagedBlob) damaged += 1;
        tally.failed += 1;
        const why = complaint?.text ??
          (error instanceof Error ? error.message : String(error));
        progress.end();
        warn(`${printable(name)} (${row.id}): ${printable(why)}`);
        tell({ event: "file", asset_id: row.id, outcome: "failed", why }, "");
      }
    }
  } finally {
    progress.end();
  }
  const status = damaged > 0
    ? STATUS.wrong
    : tally.failed > 0
    ? STATUS.someFailed
    : 0;
  tell(
    { event: "end", status, ...tally },
    [
      `${counted(tally.written, "file")} written (${
        bytesInWords(tally.bytes)
      })`,
      `${counted(tally.there, "file")} there already`,
      ...tally.failed > 0 ? [`${counted(tally.failed, "file")} FAILED`] : [],
    ].join(", "),
  );
  if (status !== 0) endWith(status);
}

interface Written {
  readonly what: "written" | "there";
  readonly path: string;
}

async function write(
  person: Person,
  row: Row,
  wanted: string,
  taken: Set<string>,
): Promise<Written> {
  const { library, local, signal } = person;
  const metadata = row.metadata;
  // This very asset, where an earlier pull wrote it.
  for (const held of local.filesOf(row.id)) {
    if (dirname(held.path) !== dirname(wanted)) continue;
    const info = await statOf(held.path);
    if (info?.size !== held.size || info.modifiedAt !== held.modifiedAt) {
      continue;
    }
    taken.add(foldedName(held.path));
    return { what: "there", path: held.path };
  }
  for (let number = 1; number < MOST_OF_A_NAME; number++) {
    const path = nextName(wanted, number);
    const info = await statOf(path);
    if (info !== undefined) {
      const isSame = !taken.has(foldedName(path)) &&
        info.size === metadata?.size &&
        await hashOf(person, path) === metadata.sha256;
      if (!isSame) continue;
      taken.add(foldedName(path));
      await note(person, row, path);
      return { what: "there", path };
    }
    if (taken.has(foldedName(path))) continue;
    await Deno.mkdir(dirname(path), { recursive: true });
    const part = join(dirname(path), `.${row.id}.part`);
    await writePart(person, row, part);
    const at = new Date(takenAt(row));
    await Deno.utime(part, at, at);
    signal.throwIfAborted();
    if (!await moveNew(part, path)) continue;
    taken.add(foldedName(path));
    await note(person, row, path);
    return { what: "written", path };
  }
  throw new Error(`${MOST_OF_A_NAME} files of that name are there`);

  async function note(_: Person, { id }: Row, path: string) {
    const info = await Deno.stat(path);
    local.noteFile({
      path,
      size: info.size,
      modifiedAt: info.mtime?.getTime() ?? 0,
      inode: info.ino,
      sha256: metadata?.sha256 ?? "",
      assetId: id,
    });
  }

  async function writePart({ library }: Person, { id }: Row, part: string) {
    const file = await Deno.open(part, {
      write: true,
      create: true,
      truncate: true,
      mode: 0o600,
    });
    try {
      await library.pull(id, {
        async write(bytes) {
          let at = 0;
          while (at < bytes.length) at += await file.write(bytes.subarray(at));
        },
        close: () => file.sync(),
        abort: () => Deno.remove(part).catch(() => undefined),
      }, { signal });
    } finally {
      file.close();
    }
  }

  async function hashOf(_: Person, path: string) {
    using opened = await openFile(path);
    return await library.hash(opened.source, { signal });
  }
}

async function statOf(path: string) {
  try {
    const info = await Deno.lstat(path);
    return { size: info.size, modifiedAt: info.mtime?.getTime() ?? 0 };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Gives a file its name, unless something has it: false then. */
async function moveNew(part: string, path: string): Promise<boolean> {
  try {
    // A link, unlike a rename, refuses what is there.
    await Deno.link(part, path);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    if (await statOf(path) !== undefined) return false;
    // A file system without hard links (FAT on a stick).
    await Deno.rename(part, path);
    return true;
  }
  await Deno.remove(part);
  return true;
}

/** What is known of an asset, beside its file. */
async function writeSidecar({ id, metadata }: Row, path: string) {
  const known = { asset_id: id, ...metadata };
  await Deno.writeTextFile(
    `${path}.json`,
    `${
      JSON.stringify(known, (_, value) =>
        value instanceof Uint8Array ? value.toBase64() : value, 2)
    }\n`,
    { createNew: true },
  ).catch((error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  });
}
