/**
 * The platform that a program gives to the library. The library never uses
 * network, clock or randomness directly, so it works the same on a command
 * line, in a Worker of a page, and in a test.
 *
 * @module
 */
import type { Bytes, RandomBytes } from "../../core/bytes.ts";
import { uuidV4 } from "../../core/ids.ts";
import type { HybridBackend } from "../../crypto/hybrid.ts";
import type { Primitives } from "../../crypto/primitives.ts";
import type { Argon2Cost, Argon2Engine } from "../../client/keys/argon2.ts";
import { quickPrimitives } from "../../client/keys/portable_primitives.ts";
import { type Sealer, sealerOf } from "../../client/stream/sealer.ts";
import type { ClientOptions, Fetch } from "../../client/api/transport.ts";

/** The build of the library; a server can require a later one. */
const CLIENT_BUILD = 1;

/** A program's clock, network, randomness and implementations. */
export interface LibraryPlatform {
  readonly fetch: Fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly random: RandomBytes;
  readonly wait: (ms: number) => Promise<void>;
  /**
   * Waits that many milliseconds for another server, or until the signal.
   * Default: no server is given up.
   */
  readonly patience?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** The program's name in manifests, such as `strongroom-cli/0.2`. */
  readonly clientVersion: string;
  /**
   * Default: WebAssembly and portable code. Programs with `node:crypto` pass
   * the native ones.
   */
  readonly primitives?: Primitives;
  /** Seals files in other threads. Default: in the caller's. */
  readonly sealer?: Sealer;
  readonly hybrid?: HybridBackend;
  readonly argon2?: Argon2Engine;
  /** Of programs that a server hands out; see `log_app.ts`. */
  readonly servedApp?: () => Promise<ServedApp>;
  /**
   * The cost of a guess at a passphrase; the suite's by default, less in tests.
   */
  readonly passphraseCost?: Argon2Cost;
}

/** How a program in a browser reads its own files. */
export interface ServedApp {
  /**
   * A file as the server sends it now; undefined where it has none. Throws
   * ConnectionError.
   */
  fetched(path: string): Promise<Bytes | undefined>;
  /** A file as the browser holds it, if it does; asks no server. */
  held(path: string): Promise<Bytes | undefined>;
}

/** The primitives of a platform. */
export function primitivesOf(platform: LibraryPlatform): Primitives {
  return platform.primitives ?? quickPrimitives;
}

/** What seals files on a platform. */
export function sealerOn(platform: LibraryPlatform): Sealer {
  return platform.sealer ?? sealerOf(primitivesOf(platform));
}

/** The options of passphrase functions. */
export function passphraseOptions(platform: LibraryPlatform) {
  const { argon2, passphraseCost } = platform;
  return {
    primitives: primitivesOf(platform),
    ...(argon2 === undefined ? {} : { engine: argon2 }),
    ...(passphraseCost === undefined ? {} : { cost: passphraseCost }),
  };
}

/** Makes a new id. */
export function newId(platform: LibraryPlatform): string {
  return uuidV4((length) => new Uint8Array(platform.random(length)));
}

/** The options of a platform's client of a server. */
export function clientOptions(
  { fetch, wait }: LibraryPlatform,
  server: string,
): ClientOptions {
  return { baseUrl: server, fetch, wait, build: CLIENT_BUILD };
}
