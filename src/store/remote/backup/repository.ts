/**
 * The sealed objects of one place off the premises.
 *
 *     strongroom-off-site.json       the header
 *     generations/<number>-<random>  what each backup consists of
 *     objects/ab/<name>              blobs, pieces of databases and of indexes
 *     locks/<random>                 who is at work
 *
 * The name of an object is a keyed hash of the SHA-256 of its content. The same
 * content always has the same name here, and no one can compute it without the
 * key.
 *
 * @module
 */
import { createHash, createHmac, hkdfSync } from "node:crypto";
import { equalBytes, letGo } from "../../../core/bytes.ts";
import { OperatorFault } from "../../../core/operator.ts";
import type { Platform } from "../../../core/platform.ts";
import {
  HEADER,
  HEADER_MAX_BYTES,
  type Held,
  newHeld,
  openHeader,
  sealHeader,
  type Secret,
} from "./header.ts";
import { outgoing, type Remote, RemoteUnavailable, wholeOf } from "./remote.ts";
import { seal, sealedSize, unseal, Unsealable } from "./sealing.ts";

export const OBJECTS = "objects/";
const OBJECT = /^objects\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;
const SALT_BYTES = 32;

/** Content whose pieces may be asked for several times. */
export interface Content {
  readonly size: number;
  readonly pieces: () => AsyncIterable<Uint8Array>;
  /** Each piece has memory of its own, which is freed once it was used. */
  readonly isFresh?: true;
}

/** What a look for an object found. */
type Found =
  | { readonly content: AsyncIterable<Uint8Array<ArrayBuffer>> }
  | "missing"
  | "damaged";

export class Repository {
  readonly #nameKey: Uint8Array;

  private constructor(
    readonly remote: Remote,
    private readonly header: Uint8Array,
    private readonly held: Held,
    private readonly random: Platform["random"],
  ) {
    const info = "strongroom backup names 1";
    this.#nameKey = new Uint8Array(
      hkdfSync("sha256", held.masterKey, new Uint8Array(), info, 32),
    );
  }

  /** Opens the backup in a place; undefined if the place has none. */
  static async open(
    remote: Remote,
    secret: () => Promise<Secret>,
    { random }: Pick<Platform, "random">,
  ): Promise<Repository | undefined> {
    const bytes = await readHeader(remote);
    if (bytes === undefined) return undefined;
    const held = await openHeader(bytes, await secret(), remote.name);
    return new Repository(remote, bytes, held, random);
  }

  /** Begins a backup of a server in an empty place. */
  static async begin(
    remote: Remote,
    secret: Secret,
    attestationKey: string,
    platform: Pick<Platform, "random">,
  ): Promise<Repository> {
    for await (const page of remote.list("")) {
      const foreign = page.find(({ key }) => !key.startsWith("probe/"));
      if (foreign === undefined) continue;
      throw new OperatorFault(
        `${remote.name} contains no backup (it has ${foreign.key}, but no ` +
          `${HEADER}): give the place of a backup, or an empty one for a new ` +
          "backup",
      );
    }
    const held = newHeld(attestationKey, platform);
    const { bytes, key } = await sealHeader(secret, held, platform);
    await remote.putIfAbsent(HEADER, bytes);
    // What lies there counts: another machine may have begun one just now.
    const there = await readHeader(remote);
    if (there === undefined) {
      throw new OperatorFault(
        `${remote.name} does not return what was stored: check it, and run ` +
          "this again",
      );
    }
    const known = equalBytes(there, bytes) ? key : undefined;
    const opened = await openHeader(there, secret, remote.name, known);
    return new Repository(remote, there, opened, platform.random);
  }

  /** The key that identifies the server whose backup this is. */
  get attestationKey(): string {
    return this.held.attestationKey;
  }

  get name(): string {
    return this.remote.name;
  }

  /** Whether the header is still the one that was read at the beginning. */
  async isStillThis(): Promise<boolean> {
    const bytes = await readHeader(this.remote);
    return bytes !== undefined && equalBytes(bytes, this.header);
  }

  /**
   * Has another secret open it from now on, and the one before no longer. The
   * key of all else stays what it is, and nothing else is written.
   */
  async reseal(secret: Secret): Promise<void> {
    const random = this.random;
    const { bytes } = await sealHeader(secret, this.held, { random });
    await this.remote.put(HEADER, outgoing(bytes));
    const there = await readHeader(this.remote);
    if (there !== undefined && equalBytes(there, bytes)) return;
    throw new RemoteUnavailable(
      this.name,
      `${HEADER} is not what was stored there`,
    );
  }

  /** The name (hex) of the content with this SHA-256 (hex). */
  nameOf(sha256: string): string {
    return createHmac("sha256", this.#nameKey)
      .update(Uint8Array.fromHex(sha256)).digest("hex");
  }

  /** Puts content under its name. Nothing is put if it has another hash. */
  async putObject(
    sha256: string,
    { size, pieces, isFresh }: Content,
  ): Promise<"put" | "damaged"> {
    const key = keyOf(this.nameOf(sha256));
    const master = this.held.masterKey;
    try {
      await this.remote.put(key, {
        size: sealedSize(size),
        pieces: () => {
          const salt = this.random(SALT_BYTES);
          const content = whole(pieces(), size, sha256, isFresh);
          return seal({ master, name: key, salt }, size, content);
        },
      });
      return "put";
    } catch (error) {
      if (error instanceof NotWhole) return "damaged";
      throw error;
    }
  }

  /** The content of an object. Reading it may throw an {@link Unsealable}. */
  async object(name: string, size: number): Promise<Found> {
    const key = keyOf(name);
    const sealed = sealedSize(size);
    const incoming = await this.remote.get(key, sealed);
    if (incoming === undefined) return "missing";
    if (incoming.size !== sealed) return "damaged";
    return { content: unseal(this.held.masterKey, key, incoming.pieces) };
  }

  /** Puts a small object that is not named by its content. */
  async putRecord(key: string, content: Uint8Array): Promise<void> {
    const master = this.held.masterKey;
    const salt = this.random(SALT_BYTES);
    const sealed = new Uint8Array(sealedSize(content.length));
    let at = 0;
    const pieces = seal({ master, name: key, salt }, content.length, one());
    for await (const piece of pieces) {
      sealed.set(piece, at);
      at += piece.length;
    }
    await this.remote.put(key, outgoing(sealed));

    async function* one() {
      yield content;
    }
  }

  /** Reads such an object, of so many bytes at most. */
  async record(
    key: string,
    maxBytes: number,
  ): Promise<Uint8Array<ArrayBuffer> | "missing" | "damaged"> {
    const incoming = await this.remote.get(key);
    if (incoming === undefined) return "missing";
    const sealed = await wholeOf(incoming, sealedSize(maxBytes));
    if (sealed === undefined) return "damaged";
    try {
      const pieces = await Array.fromAsync(
        unseal(this.held.masterKey, key, stream(sealed)),
      );
      return new Uint8Array(await new Blob(pieces).arrayBuffer());
    } catch (error) {
      if (error instanceof Unsealable) return "damaged";
      throw error;
    }
  }
}

async function readHeader(
  remote: Remote,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const incoming = await remote.get(HEADER);
  if (incoming === undefined) return undefined;
  // This program writes none that is too large.
  return await wholeOf(incoming, HEADER_MAX_BYTES) ?? new Uint8Array();
}

async function* stream(
  bytes: Uint8Array,
): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}

/** The content does not have its hash. */
class NotWhole extends Error {}

async function* whole(
  pieces: AsyncIterable<Uint8Array>,
  size: number,
  sha256: string,
  isFresh?: true,
): AsyncGenerator<Uint8Array, void, void> {
  const hash = createHash("sha256");
  let left = size;
  let held: Uint8Array | undefined;
  for await (const piece of pieces) {
    hash.update(piece);
    left -= piece.length;
    if (left < 0) throw new NotWhole();
    // The last piece is held back until the hash is known.
    if (held !== undefined) {
      yield held;
      if (isFresh) letGo(held);
    }
    held = piece;
  }
  if (left !== 0 || hash.digest("hex") !== sha256) throw new NotWhole();
  if (held !== undefined) yield held;
}

/** The key of an object. */
export function keyOf(name: string): string {
  return `${OBJECTS}${name.slice(0, 2)}/${name}`;
}

/** The name in the key of an object; undefined for any other key. */
export function nameIn(key: string): string | undefined {
  return OBJECT.exec(key)?.[2];
}
