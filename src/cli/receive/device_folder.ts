/**
 * The folder of a telephone: the names, sizes and dates of what it sent, which
 * open with its password alone. No name of a telephone is ever a path on this
 * machine's disk.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromUtf8, utf8 } from "../../core/bytes.ts";
import {
  blinded,
  type DeviceKeys,
  openAbout,
  sealAbout,
} from "./device_keys.ts";
import { SAFE_TO_DELETE } from "../person/files/sum_lines.ts";
import { SafeList } from "./safe_list.ts";
import type { NewEntry, Spool } from "./spool.ts";
import type { SafeRow } from "./spool_schema.ts";

const nodeSchema = z.object({
  name: z.string(),
  kind: z.enum(["folder", "file"]),
  /** Plaintext bytes. */
  size: z.optional(z.int()),
  /** Milliseconds since the epoch. */
  modified_at: z.int(),
  /** Of an entity tag. */
  tag: z.string(),
  /** The sealed file, as long as it waits here; absent of an empty file. */
  sealed_id: z.optional(z.string()),
  /** Of the file's own bytes, in hex. */
  sha256: z.optional(z.string()),
});

/** A folder or a file as the telephone sees it. */
export type FolderNode = z.output<typeof nodeSchema>;

/** Names from the root on. */
export type Path = readonly string[];

/** The root, which is always there. */
const ROOT: FolderNode = {
  name: "",
  kind: "folder",
  modified_at: 0,
  tag: "root",
};

/** Whether something of a file was sealed: then it cannot be taken back. */
export function isSealed(node: FolderNode): boolean {
  return node.kind === "file" && (node.size ?? 0) > 0;
}

/**
 * Whether a path is that of the list of what is proven: there nothing is taken,
 * so that what a telephone finds under this name is always from here.
 */
export function isSafeList(path: Path): boolean {
  return path.length === 1 && path[0] === SAFE_TO_DELETE;
}

/** Names that are opened at a time. */
const PAGE = 50;

/** What a telephone sent, opened with its password. */
export class DeviceFolder {
  #safe:
    | { readonly at: number; readonly list: SafeList | undefined }
    | undefined;

  constructor(
    readonly spool: Spool,
    readonly device: string,
    readonly keys: DeviceKeys,
    readonly random: (length: number) => Uint8Array,
  ) {}

  get(path: Path): FolderNode | undefined {
    if (path.length === 0) return ROOT;
    if (isSafeList(path)) return this.#safeNode();
    const row = this.spool.entry(this.device, this.#placeOf(path));
    return row === undefined ? undefined : this.#open(row.about);
  }

  /**
   * What is in a folder, page by page: between two of them others may be
   * answered.
   */
  *list(path: Path): Generator<readonly FolderNode[], void> {
    yield* this.#listOwn(path);
    const safe = path.length === 0 ? this.#safeNode() : undefined;
    if (safe !== undefined) yield [safe];
  }

  *#listOwn(path: Path): Generator<readonly FolderNode[], void> {
    const parent = this.#placeOf(path);
    // Places are longer.
    let after: Uint8Array = Uint8Array.of(0);
    for (;;) {
      const rows = this.spool.entriesIn(this.device, parent, after, PAGE);
      if (rows.length > 0) {
        yield rows.flatMap((row) => this.#open(row.about) ?? []);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      after = last.place;
    }
  }

  /** How many names it has. */
  get count(): number {
    return this.spool.entryCount(this.device);
  }

  /** The entry of a node, to be written. */
  entry(folder: Path, node: FolderNode): NewEntry {
    return {
      place: this.#placeOf([...folder, node.name]),
      parent: this.#placeOf(folder),
      about: sealAbout(this.keys, utf8(JSON.stringify(node)), this.random),
    };
  }

  put(folder: Path, node: FolderNode): void {
    this.spool.changeEntries(this.device, [this.entry(folder, node)]);
  }

  /** Everything at a path and below, the outer first. */
  *below(path: Path): Generator<{ readonly path: Path; node: FolderNode }> {
    const node = this.get(path);
    if (node === undefined) return;
    yield { path, node };
    if (node.kind !== "folder") return;
    for (const page of this.#listOwn(path)) {
      for (const { name } of page) yield* this.below([...path, name]);
    }
  }

  remove(path: Path): void {
    const places = [...this.below(path)].map(({ path }) => this.#placeOf(path));
    this.spool.changeEntries(this.device, [], places);
  }

  /** Gives a file or a folder another place; `besides` belongs to it. */
  move(from: Path, to: Path, besides?: () => void): void {
    const all = [...this.below(from)];
    const over = [...this.below(to)].map(({ path }) => this.#placeOf(path));
    const removed = all.map(({ path }) => this.#placeOf(path));
    const put = all.map(({ path, node }) => {
      const next = [...to, ...path.slice(from.length)];
      const name = next.at(-1) ?? "";
      return this.entry(next.slice(0, -1), { ...node, name });
    });
    this.spool.changeEntries(this.device, put, [...over, ...removed], besides);
  }

  /** When a file was proven to be in the library (ms); undefined if it is not. */
  provenAt({ sha256 }: FolderNode): number | undefined {
    if (sha256 === undefined) return undefined;
    const list = this.#safeList();
    return list?.has(sha256) ? list.lookedAt : undefined;
  }

  /** The text of the list; undefined if there is none. */
  safeText(): Bytes | undefined {
    if (this.#safeNode() === undefined) return undefined;
    const shown = this.spool.shown(this.device);
    return shown === undefined ? undefined : openAbout(this.keys, shown);
  }

  #safeList(): SafeList | undefined {
    // It is asked for each name, and is long.
    const at = this.spool.safeAt(this.device);
    if (at !== undefined && this.#safe?.at === at) return this.#safe.list;
    const row = this.spool.safe(this.device);
    if (row === undefined) return undefined;
    if (this.#safe?.at !== row.at) {
      const list = SafeList.open(this.keys.safe, this.device, row.sealed);
      this.#safe = { at: row.at, list };
    }
    return this.#safe.list;
  }

  #safeNode(): FolderNode | undefined {
    const row = this.spool.safe(this.device);
    const size = row === undefined ? undefined : this.#sizeOfShown(row);
    if (row === undefined || size === undefined) return undefined;
    return {
      name: SAFE_TO_DELETE,
      kind: "file",
      size,
      modified_at: row.at,
      tag: `safe-${row.at}`,
    };
  }

  /** Its names are looked up once a list, as a telephone may have many. */
  #sizeOfShown({ at, shown_bytes: held }: SafeRow): number | undefined {
    if (held !== null) return held;
    const list = this.#safeList();
    if (list === undefined) return undefined;
    const files = [...this.below([])].flatMap(({ path, node: { sha256 } }) =>
      sha256 === undefined ? [] : { path: path.join("/"), sha256 }
    );
    const text = utf8(list.text(files));
    const shown = sealAbout(this.keys, text, this.random);
    this.spool.noteShown(this.device, at, shown, text.length);
    return text.length;
  }

  #placeOf(path: Path): Uint8Array {
    return blinded(this.keys, "place", path.join("/"));
  }

  #open(about: Uint8Array): FolderNode | undefined {
    const plain = openAbout(this.keys, about);
    const text = plain === undefined ? undefined : fromUtf8(plain);
    if (text === undefined) return undefined;
    const read = nodeSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  }
}
