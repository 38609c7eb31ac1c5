/**
 * A disk rebuilt as a power cut could have left it, out of the record that
 * `recorder.c` made of a program.
 *
 * What a file system promises is POSIX and no more: a file's bytes are on the
 * disk once it was synced, and a name once its directory was. What was not
 * synced may be lost, whole or in part; so much of it as a test draws survives.
 *
 * @module
 */

const HEAD_BYTES = 17;
/** What a disk writes whole or not at all. */
const SECTOR_BYTES = 512;

/** One record, and where in the record's bytes it ends. */
export interface Recorded {
  readonly kind: string;
  readonly handle: number;
  readonly offset: number;
  readonly data: Uint8Array<ArrayBuffer>;
  readonly end: number;
}

/** Reads a record; one that was cut off by the end is left out. */
export function readRecord(bytes: Uint8Array<ArrayBuffer>): Recorded[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: Recorded[] = [];
  let at = 0;
  while (at + HEAD_BYTES <= bytes.length) {
    const length = view.getUint32(at + 13, true);
    const end = at + HEAD_BYTES + length;
    if (end > bytes.length) break;
    records.push({
      kind: String.fromCharCode(bytes[at] ?? 0),
      handle: view.getUint32(at + 1, true),
      offset: Number(view.getBigUint64(at + 5, true)),
      data: bytes.subarray(at + HEAD_BYTES, end),
      end,
    });
    at = end;
  }
  return records;
}

/** Draws a number from 0 up to 1; what is drawn decides what survives. */
export type Draw = () => number;

/** Nothing survives that was not synced. */
export const NOTHING: Draw = () => 1;

type Change =
  | { readonly at: number; readonly data: Uint8Array<ArrayBuffer> }
  | { readonly size: number };

/** A file: what is on the disk, and what came since it was synced last. */
class File {
  #durable = new Uint8Array();
  #size = 0;
  #changes: Change[] = [];
  /** Changes that were made before a sync that is under way, by its handle. */
  readonly #syncing = new Map<number, number>();
  #forgotten = 0;

  constructor(durable?: Uint8Array<ArrayBuffer>) {
    if (durable !== undefined) {
      this.#durable = durable;
      this.#size = durable.length;
    }
  }

  change(change: Change): void {
    this.#changes.push(change);
  }

  beginSync(handle: number): void {
    this.#syncing.set(handle, this.#forgotten + this.#changes.length);
  }

  endSync(handle: number): void {
    const until = (this.#syncing.get(handle) ?? 0) - this.#forgotten;
    this.#syncing.delete(handle);
    for (const change of this.#changes.splice(0, Math.max(0, until))) {
      this.#forgotten += 1;
      this.#keep(change);
    }
  }

  #keep(change: Change): void {
    if ("size" in change) {
      if (change.size < this.#size) this.#durable.fill(0, change.size);
      this.#size = change.size;
      this.#reserve(change.size);
      return;
    }
    const end = change.at + change.data.length;
    this.#reserve(end);
    this.#durable.set(change.data, change.at);
    this.#size = Math.max(this.#size, end);
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#durable.length) return;
    const grown = new Uint8Array(Math.max(bytes, 2 * this.#durable.length));
    grown.set(this.#durable);
    this.#durable = grown;
  }

  /** The bytes after a power cut. */
  after(draw: Draw): Uint8Array<ArrayBuffer> {
    const left = new File(this.#durable.slice(0, this.#size));
    for (const change of this.#changes) {
      if (draw() >= 0.5) continue;
      if ("size" in change) left.#keep(change);
      else left.#keep(torn(change, draw));
    }
    return left.#durable.slice(0, left.#size);
  }
}

/** A write of several sectors may have ended after any of them. */
function torn(
  change: { readonly at: number; readonly data: Uint8Array<ArrayBuffer> },
  draw: Draw,
) {
  if (draw() >= 0.5) return change;
  const sectors = Math.ceil(change.data.length / SECTOR_BYTES);
  const kept = Math.floor(draw() * sectors) * SECTOR_BYTES;
  return { at: change.at, data: change.data.subarray(0, kept) };
}

type Entry = File | Directory;

interface NameChange {
  /** Names that this gives or takes away; done whole or not at all. */
  readonly names: readonly (readonly [string, Entry | undefined])[];
}

/** A directory: its names on the disk, and what came since. */
class Directory {
  readonly #durable: Map<string, Entry>;
  readonly now: Map<string, Entry>;
  #changes: NameChange[] = [];
  readonly #syncing = new Map<number, number>();
  #forgotten = 0;

  constructor(entries: ReadonlyMap<string, Entry> = new Map()) {
    this.#durable = new Map(entries);
    this.now = new Map(entries);
  }

  change(...names: readonly (readonly [string, Entry | undefined])[]): void {
    this.#changes.push({ names });
    apply(this.now, names);
  }

  beginSync(handle: number): void {
    this.#syncing.set(handle, this.#forgotten + this.#changes.length);
  }

  endSync(handle: number): void {
    const until = (this.#syncing.get(handle) ?? 0) - this.#forgotten;
    this.#syncing.delete(handle);
    for (const { names } of this.#changes.splice(0, Math.max(0, until))) {
      this.#forgotten += 1;
      apply(this.#durable, names);
    }
  }

  /** The names after a power cut: a journal loses its end, not its middle. */
  after(draw: Draw): ReadonlyMap<string, Entry> {
    const left = new Map(this.#durable);
    for (const { names } of this.#changes) {
      if (draw() >= 0.7) break;
      apply(left, names);
    }
    return left;
  }
}

function apply(
  entries: Map<string, Entry>,
  names: readonly (readonly [string, Entry | undefined])[],
): void {
  for (const [name, entry] of names) {
    if (entry === undefined) entries.delete(name);
    else entries.set(name, entry);
  }
}

/** Whether a sync of a file is believed; a control believes fewer. */
export type Believed = (path: string) => boolean;

/** The disk under a program, as its record goes on. */
export class Disk {
  readonly #root: Directory;
  readonly #handles = new Map<number, { entry: Entry; path: string }>();

  private constructor(root: Directory, private readonly believed: Believed) {
    this.#root = root;
  }

  /** A disk that holds what a folder holds now, all of it synced. */
  static async of(
    folder: string,
    believed: Believed = () => true,
  ): Promise<Disk> {
    return new Disk(await directoryOf(folder), believed);
  }

  /** Does what one record says. */
  play({ kind, handle, offset, data }: Recorded): void {
    switch (kind) {
      case "o":
      case "c":
      case "t":
        return this.#open(kind, handle, textOf(data));
      case "w":
        return this.#file(handle)?.change({ at: offset, data });
      case "s":
        return this.#file(handle)?.change({ size: offset });
      case "b":
      case "e": {
        const held = this.#handles.get(handle);
        if (held === undefined || !this.believed(held.path)) return;
        if (kind === "b") held.entry.beginSync(handle);
        else held.entry.endSync(handle);
        return;
      }
      case "m":
        return this.#name(textOf(data), new Directory());
      case "u":
        return this.#name(textOf(data), undefined);
      case "l": {
        const [from, to] = pathsOf(data);
        return this.#name(to, this.#find(from) ?? new File());
      }
      case "r":
        return this.#rename(...pathsOf(data));
      default:
        throw new Error(`an unknown record ${kind}`);
    }
  }

  #open(kind: string, handle: number, path: string): void {
    let entry = this.#find(path);
    if (entry === undefined) {
      entry = new File();
      // Opened without being made: its name is gone already.
      if (kind !== "o") this.#name(path, entry);
    } else if (kind === "t" && entry instanceof File) {
      entry.change({ size: 0 });
    }
    this.#handles.set(handle, { entry, path });
  }

  #file(handle: number): File | undefined {
    const entry = this.#handles.get(handle)?.entry;
    return entry instanceof File ? entry : undefined;
  }

  #rename(from: string, to: string): void {
    const entry = this.#find(from) ?? new File();
    const [source, sourceName] = this.#parent(from);
    const [target, targetName] = this.#parent(to);
    if (from === "") return this.#name(to, entry);
    if (to === "") return this.#name(from, undefined);
    if (source === target) {
      source.change([targetName, entry], [sourceName, undefined]);
      return;
    }
    target.change([targetName, entry]);
    source.change([sourceName, undefined]);
  }

  #name(path: string, entry: Entry | undefined): void {
    if (path === "") return;
    const [parent, name] = this.#parent(path);
    parent.change([name, entry]);
  }

  #parent(path: string): [Directory, string] {
    const cut = path.lastIndexOf("/");
    const parent = cut < 0 ? this.#root : this.#find(path.slice(0, cut));
    if (!(parent instanceof Directory)) throw new Error(`no folder of ${path}`);
    return [parent, path.slice(cut + 1)];
  }

  #find(path: string): Entry | undefined {
    let entry: Entry | undefined = this.#root;
    for (const name of path === "" ? [] : path.split("/")) {
      entry = entry instanceof Directory ? entry.now.get(name) : undefined;
    }
    return entry;
  }

  /** Writes down what a power cut leaves, into a folder that is not there. */
  async rebuild(folder: string, draw: Draw): Promise<void> {
    await writeOut(this.#root, folder, draw, new Map());
  }
}

async function writeOut(
  directory: Directory,
  folder: string,
  draw: Draw,
  written: Map<File, string>,
): Promise<void> {
  await Deno.mkdir(folder, { mode: 0o700 });
  for (const [name, entry] of directory.after(draw)) {
    const path = `${folder}/${name}`;
    if (entry instanceof Directory) {
      await writeOut(entry, path, draw, written);
      continue;
    }
    // The index of a write-ahead log is memory that lies in a file.
    if (name.endsWith("-shm")) continue;
    const first = written.get(entry);
    if (first === undefined) {
      await Deno.writeFile(path, entry.after(draw), { mode: 0o600 });
      written.set(entry, path);
    } else {
      await Deno.link(first, path);
    }
  }
}

async function directoryOf(folder: string): Promise<Directory> {
  const entries = new Map<string, Entry>();
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    entries.set(
      name,
      isDirectory
        ? await directoryOf(path)
        : new File(await Deno.readFile(path)),
    );
  }
  return new Directory(entries);
}

function textOf(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}

function pathsOf(data: Uint8Array): [string, string] {
  const [from = "", to = ""] = textOf(data).split("\0");
  return [from, to];
}
