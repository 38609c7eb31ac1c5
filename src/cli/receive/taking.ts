/**
 * Taking files in: sealed as they come, to the owner's upload link, and
 * acknowledged once they are durable
 * (protocol/client-cryptography.md#upload-link).
 *
 * @module
 */
import { type Bytes, toHex } from "../../core/bytes.ts";
import { MINUTE_MS, readTime, SECOND_MS, toRfc3339 } from "../../core/time.ts";
import { sealGuestFile } from "../../client/documents/guest.ts";
import { mediaTypeOf } from "../../media/media_types.ts";
import { nativePrimitives } from "../../client/keys/native.ts";
import { isDiskFull } from "../person/faults.ts";
import { blinded } from "./device_keys.ts";
import type { DeviceFolder, FolderNode, Path } from "./device_folder.ts";
import { type Received, Reception } from "./reception.ts";
import type { Spool } from "./spool.ts";
import type { Device } from "./spool_schema.ts";

/** Bounds of what a telephone may bring. */
export interface TakingLimits {
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Sealed bytes that may wait here. */
  readonly spoolBytes: number;
  /** Bytes of the disk that stay free. */
  readonly freeBytes: number;
  /** Names of one telephone. */
  readonly entries: number;
  /** Files that come from one telephone at a time. */
  readonly atOnce: number;
}

/** What a kill may cost: a broken file can be continued for so long. */
const BROKEN_MS = 60 * MINUTE_MS;
/** Broken files of one telephone. */
const MOST_BROKEN = 8;
/** A telephone that sends nothing for so long has gone. */
const SILENT_MS = 2 * MINUTE_MS;
/** A file may be renamed, and still get its name, for so long; ... */
const SETTLE_MS = 10 * SECOND_MS;
/** ... and one whose name says that it will be. */
const TEMPORARY_MS = 10 * MINUTE_MS;
/** Keys that are kept for a rename. */
const MOST_HELD = 1_000;

/** Names that programs give to files which they rename once they are whole. */
const TEMPORARY =
  /^\.|~$|\.(tmp|temp|part|partial|filepart|tacitpart|upload|uploading|crdownload)$|^[~$]/i;

/** Why a file is not taken; the telephone may try again. */
export class NotTaken extends Error {
  override readonly name = "NotTaken";
  constructor(readonly status: 409 | 413 | 416 | 503 | 507, message: string) {
    super(message);
  }
}

/** The telephone went away while it sent. */
export class BrokenOff extends Error {
  override readonly name = "BrokenOff";
}

/** A telephone that asked, with its folder. */
export interface Asking {
  readonly device: Device;
  readonly folder: DeviceFolder;
}

/** A file on its way in. */
interface Incoming {
  readonly path: Path;
  readonly body: ReadableStream<Uint8Array> | null;
  /** Bytes of the body, where the telephone says so. */
  readonly length: number | undefined;
  /** Where it goes on, of how many bytes in all. */
  readonly range?:
    | { readonly first: number; readonly last: number; readonly total: number }
    | undefined;
  /** Where it goes on, if the request does not say how much there is in all. */
  readonly from?: number;
  /** More of it comes by another request. */
  readonly isPart?: boolean;
  /** Milliseconds since the epoch; looked at once all of it came. */
  readonly modifiedAt?: number | undefined;
}

/** A file whose description may still change. */
interface HeldFile {
  readonly device: Device;
  readonly received: Received;
  readonly modifiedAt: number | undefined;
  readonly until: number;
}

/** A body that is being read. */
interface Running {
  readonly cancel: () => void;
  /** When something of it came last (ms). */
  lastAt: number;
}

/** A file of which the rest may come. */
interface Broken {
  readonly reception: Reception;
  readonly key: string;
}

/** What takes files in. */
export class Taking {
  readonly #running = new Map<string, Set<Running>>();
  readonly #broken = new Map<string, Broken>();
  readonly #held = new Map<string, HeldFile>();
  #isClosed = false;

  constructor(
    readonly spool: Spool,
    readonly limits: TakingLimits,
    readonly now: () => number,
    readonly random: (length: number) => Bytes,
    /** Called once there is something to deliver. */
    readonly onKept: () => void,
  ) {}

  /**
   * Takes a file; what the telephone's folder has of it now. Throws NotTaken.
   */
  async take(asking: Asking, incoming: Incoming): Promise<FolderNode> {
    const { device } = asking;
    const running = this.#running.get(device.name) ?? new Set();
    if (this.#isClosed || running.size >= this.limits.atOnce) {
      throw new NotTaken(503, "too much arrives at a time");
    }
    const body = incoming.body === null ? undefined : bodyOf(incoming.body);
    let isCancelled = false;
    const one: Running = {
      cancel: () => {
        isCancelled = true;
        void body?.cancel().catch(() => {});
      },
      lastAt: this.now(),
    };
    running.add(one);
    this.#running.set(device.name, running);
    const read = async () => {
      try {
        const piece = await body?.read();
        one.lastAt = this.now();
        // A cancelled body looks like one that has come to its end.
        if (isCancelled) throw new Error("nothing came for too long");
        return piece;
      } catch (cause) {
        throw new BrokenOff("the connection broke", { cause });
      }
    };
    try {
      return await this.#receive(asking, incoming, read);
    } catch (error) {
      throw isDiskFull(error)
        ? new NotTaken(507, "the disk is full here")
        : error;
    } finally {
      running.delete(one);
      if (running.size === 0) this.#running.delete(device.name);
      one.cancel();
    }
  }

  /** The bytes of a file whose rest may come. */
  brokenSize({ device }: Asking, path: Path): number | undefined {
    return this.#broken.get(keyOf(device, path))?.reception.size;
  }

  /** Gives up a file whose rest may come; whether there was one. */
  async forget({ device }: Asking, path: Path): Promise<boolean> {
    const key = keyOf(device, path);
    const broken = this.#broken.get(key);
    if (broken === undefined) return false;
    this.#broken.delete(key);
    await broken.reception.drop();
    return true;
  }

  /**
   * Gives a file its last name, as programs do that send under another; for a
   * while after it came, and not once it is on its way.
   */
  rename({ sealed_id: id }: FolderNode, path: Path): void {
    const held = id === undefined ? undefined : this.#held.get(id);
    if (held === undefined || id === undefined) return;
    const { device, received, modifiedAt } = held;
    const told = this.#describe(device, received, path, modifiedAt);
    if (!this.spool.retell(id, told)) return;
    const until = this.now() + settleOf(path);
    this.#held.set(id, { ...held, until });
  }

  /** Says another date of a file, as programs do once they have sent it. */
  setModified({ folder }: Asking, path: Path, modifiedAt: number): void {
    const node = folder.get(path);
    if (node?.kind !== "file") return;
    folder.put(path.slice(0, -1), { ...node, modified_at: modifiedAt });
    const held = this.#held.get(node.sealed_id ?? "");
    if (held === undefined || node.sealed_id === undefined) return;
    const told = this.#describe(held.device, held.received, path, modifiedAt);
    if (!this.spool.retell(node.sealed_id, told)) return;
    this.#held.set(node.sealed_id, { ...held, modifiedAt });
  }

  /** Whether the name of a sealed file may still change. */
  isHeld(id: string): boolean {
    return this.#held.has(id);
  }

  /**
   * Forgets keys whose time is over and files whose rest did not come; returns
   * whether something may be delivered that could not before.
   */
  async tidy(): Promise<boolean> {
    const now = this.now();
    let isMore = false;
    for (
      const { lastAt, cancel } of [...this.#running.values()].flatMap(
        (running) => [...running],
      )
    ) if (lastAt + SILENT_MS <= now) cancel();
    for (const [id, { until, received }] of this.#held) {
      if (until > now) continue;
      this.#release(id, received);
      isMore = true;
    }
    for (const [key, { reception }] of this.#broken) {
      if (reception.lastAt + BROKEN_MS > now) continue;
      this.#broken.delete(key);
      await reception.drop();
    }
    return isMore;
  }

  /** Ends what is running; what is broken is given up. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const running of this.#running.values()) {
      for (const { cancel } of running) cancel();
    }
    for (const { reception } of this.#broken.values()) await reception.drop();
    this.#broken.clear();
    for (const [id, { received }] of this.#held) this.#release(id, received);
  }

  async #receive(
    asking: Asking,
    incoming: Incoming,
    read: Read,
  ): Promise<FolderNode> {
    const { path, length = 0, range } = incoming;
    await this.#requireRoom(asking, range === undefined ? length : range.total);
    const reception = await this.#opened(asking, incoming);
    const before = reception.size;
    const key = keyOf(asking.device, path);
    try {
      await this.#read(reception, read, incoming, before);
    } catch (error) {
      const mayGoOn = !this.#isClosed && error instanceof BrokenOff &&
        reception.size > 0;
      if (mayGoOn) await this.#keepBroken({ reception, key });
      else await reception.drop();
      throw error;
    }
    const isPart = incoming.isPart ??
      (range !== undefined && reception.size < range.total);
    if (isPart) {
      await this.#keepBroken({ reception, key });
      return this.#partial(path, reception);
    }
    if (reception.size === 0) {
      await reception.drop();
      return this.#keepEmpty(asking, incoming);
    }
    return await this.#finish(asking, incoming, reception);
  }

  /**
   * Takes the parts that came as a whole file of another name; undefined if
   * there are none. Throws NotTaken.
   */
  async finish(
    asking: Asking,
    parts: Path,
    file: Pick<Incoming, "path" | "modifiedAt">,
  ): Promise<FolderNode | undefined> {
    const key = keyOf(asking.device, parts);
    const broken = this.#broken.get(key);
    if (broken === undefined) return undefined;
    await this.#requireRoom(asking, broken.reception.size);
    this.#broken.delete(key);
    return await this.#finish(asking, file, broken.reception);
  }

  async #finish(
    asking: Asking,
    file: Pick<Incoming, "path" | "modifiedAt">,
    reception: Reception,
  ): Promise<FolderNode> {
    try {
      return await this.#keep(asking, file, await reception.end());
    } catch (error) {
      await reception.drop();
      throw isDiskFull(error)
        ? new NotTaken(507, "the disk is full here")
        : error;
    }
  }

  /** A new file, or the one that a range goes on with. */
  async #opened(
    asking: Asking,
    { path, range, from = range?.first ?? 0 }: Incoming,
  ): Promise<Reception> {
    const key = keyOf(asking.device, path);
    const broken = this.#broken.get(key);
    if (from > 0) {
      // No one else writes to it meanwhile.
      if (broken?.reception.size === from) {
        this.#broken.delete(key);
        return broken.reception;
      }
      throw new NotTaken(
        416,
        broken === undefined
          ? "there is nothing to resume: send the whole file"
          : `resume at byte ${broken.reception.size}`,
      );
    }
    await this.forget(asking, path);
    return await Reception.begin(this.spool, this.random, this.now());
  }

  async #read(
    reception: Reception,
    read: Read,
    { length, range }: Incoming,
    before: number,
  ): Promise<void> {
    const wanted = range === undefined ? length : range.last + 1 - range.first;
    const most = wanted ?? this.limits.fileBytes;
    let checked = 0;
    for (;;) {
      const value = await read();
      if (value === undefined) break;
      if (reception.size + value.length > this.limits.fileBytes) {
        throw new NotTaken(413, "the file is too large");
      }
      if (reception.size - before + value.length > most) {
        throw new NotTaken(409, "more arrived than announced");
      }
      reception.write(value, this.now());
      // A body of unknown length meets the bounds on the way.
      if (length === undefined && reception.size - checked > CHECKED_BYTES) {
        checked = reception.size;
        await this.#requireDisk(0);
      }
    }
    if (wanted !== undefined && reception.size - before < wanted) {
      throw new BrokenOff("the connection ended early");
    }
  }

  async #requireRoom(
    { device, folder }: Asking,
    bytes: number,
  ): Promise<void> {
    const isOver = (readTime(device.expires_at) ?? 0) <= this.now();
    if (isOver || this.spool.isEnded(device)) {
      throw new NotTaken(507, "the upload link has ended");
    }
    if (bytes > this.limits.fileBytes) {
      throw new NotTaken(413, "the file is too large");
    }
    if (folder.count >= this.limits.entries) {
      throw new NotTaken(507, "this phone has too many names here");
    }
    if (this.spool.sealedBytes + bytes > this.limits.spoolBytes) {
      throw new NotTaken(507, "too much waits here for the server");
    }
    await this.#requireDisk(bytes);
  }

  async #requireDisk(bytes: number): Promise<void> {
    if (await this.spool.freeBytes() - bytes < this.limits.freeBytes) {
      throw new NotTaken(507, "the disk is nearly full here");
    }
  }

  async #keepBroken(broken: Broken): Promise<void> {
    const before = this.#broken.get(broken.key);
    await before?.reception.drop();
    this.#broken.set(broken.key, broken);
    const [device = ""] = broken.key.split("\0");
    const own = [...this.#broken].filter(([key]) =>
      key.startsWith(`${device}\0`)
    );
    for (const [key, { reception }] of own.slice(0, -MOST_BROKEN)) {
      this.#broken.delete(key);
      await reception.drop();
    }
  }

  #partial(path: Path, { size, id }: Reception): FolderNode {
    return {
      name: path.at(-1) ?? "",
      kind: "file",
      size,
      modified_at: this.now(),
      tag: id,
    };
  }

  #keepEmpty({ folder }: Asking, { path, modifiedAt }: Incoming): FolderNode {
    const node: FolderNode = {
      name: path.at(-1) ?? "",
      kind: "file",
      size: 0,
      modified_at: modifiedAt ?? this.now(),
      tag: toHex(this.random(8)),
    };
    folder.put(path.slice(0, -1), node);
    return node;
  }

  async #keep(
    { device, folder }: Asking,
    { path, modifiedAt }: Pick<Incoming, "path" | "modifiedAt">,
    received: Received,
  ): Promise<FolderNode> {
    const now = this.now();
    const { id, hash, size, sha256, plaintextSize } = received;
    const node: FolderNode = {
      name: path.at(-1) ?? "",
      kind: "file",
      size: plaintextSize,
      modified_at: modifiedAt ?? now,
      tag: id,
      sealed_id: id,
      sha256,
    };
    const file = {
      id,
      hash,
      size,
      sealed: this.#describe(device, received, path, modifiedAt),
      content: blinded(folder.keys, "content", sha256),
    };
    const entry = folder.entry(path.slice(0, -1), node);
    this.#hold(id, {
      device,
      received,
      modifiedAt,
      until: now + settleOf(path),
    });
    if (!this.spool.keep(device, file, entry, now)) {
      // The same bytes came before: there is nothing to send.
      this.#release(id, received);
      await Deno.remove(this.spool.sealedPath(id));
    }
    this.onKept();
    return node;
  }

  #describe(
    device: Device,
    { key, plaintextSize, sha256 }: Received,
    path: Path,
    modifiedAt: number | undefined,
  ): Bytes {
    const name = [...(path.at(-1) ?? "").normalize("NFC")].slice(0, 1_024);
    const folder = path.slice(0, -1).join("/").normalize("NFC");
    return sealGuestFile(
      {
        v: 1,
        name: name.join(""),
        mime: mediaTypeOf(path.at(-1) ?? ""),
        key,
        size: plaintextSize,
        sha256,
        ...(folder === "" || [...folder].length > FOLDER_MAX
          ? {}
          : { path: folder }),
        ...(modifiedAt === undefined
          ? {}
          : { modified_at: toRfc3339(modifiedAt) }),
      },
      device.recipient_key,
      device.binding,
      this.random,
      nativePrimitives,
    );
  }

  #hold(id: string, held: HeldFile): void {
    this.#held.set(id, held);
    const [oldest] = this.#held;
    if (this.#held.size > MOST_HELD && oldest !== undefined) {
      this.#release(oldest[0], oldest[1].received);
    }
  }

  #release(id: string, { key }: Received): void {
    key.fill(0);
    this.#held.delete(id);
  }
}

/** The next piece of a body, until the one after it; undefined at its end. */
type Read = () => Promise<Uint8Array | undefined>;

/** Bytes of a body that are read at a time. */
const READ_BYTES = 64 * 1024;

/**
 * Where the stream allows, every piece comes in one and the same buffer: each
 * would otherwise keep as much until it is collected, however small.
 */
function bodyOf(
  stream: ReadableStream<Uint8Array>,
): { readonly read: Read; readonly cancel: () => Promise<void> } {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = stream.getReader({ mode: "byob" });
  } catch {
    const plain = stream.getReader();
    return {
      read: async () => (await plain.read()).value,
      cancel: () => plain.cancel(),
    };
  }
  let buffer = new ArrayBuffer(READ_BYTES);
  return {
    async read() {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done || value === undefined) return undefined;
      buffer = value.buffer;
      return value;
    },
    cancel: () => reader.cancel(),
  };
}

/** Characters of a folder's names that the format has place for. */
const FOLDER_MAX = 4_096;

/** The disk is asked again after so much (bytes). */
const CHECKED_BYTES = 16 * 1024 * 1024;

function settleOf(path: Path): number {
  return TEMPORARY.test(path.at(-1) ?? "") ? TEMPORARY_MS : SETTLE_MS;
}

/** No name has a zero byte. */
function keyOf({ name }: Device, path: Path): string {
  return `${name}\0${path.join("/")}`;
}
