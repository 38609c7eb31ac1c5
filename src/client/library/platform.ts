/**
 * What the library is given by the program that it runs in. Nothing here
 * reaches for the network, the clock or randomness by itself, so that it works
 * the same in a command line, a Worker of a page, and a test.
 *
 * @module
 */
import type { RandomBytes } from "../../core/bytes.ts";
import { uuidV4 } from "../../core/ids.ts";
import type { HybridBackend } from "../../crypto/hybrid.ts";
import type { Primitives } from "../../crypto/primitives.ts";
import type { Argon2Cost, Argon2Engine } from "../argon2.ts";
import { quickPrimitives } from "../quick.ts";
import type { ClientOptions, Fetch } from "../transport.ts";

/** The build of the library, which a server may ask to be later. */
export const CLIENT_BUILD = 1;

/** A program's clock, network, randomness and implementations. */
export interface LibraryPlatform {
  readonly fetch: Fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly random: RandomBytes;
  readonly wait: (ms: number) => Promise<void>;
  /** What manifests name as their maker: `strongroom-cli/0.2`. */
  readonly clientVersion: string;
  /** Default: WebAssembly and portable code. Programs with `node:crypto` give the native. */
  readonly primitives?: Primitives;
  readonly hybrid?: HybridBackend;
  readonly argon2?: Argon2Engine;
  /** What a guess at a passphrase costs; the suite's unless a test says less. */
  readonly passphraseCost?: Argon2Cost;
}

/** The primitives of a platform. */
export function primitivesOf(platform: LibraryPlatform): Primitives {
  return platform.primitives ?? quickPrimitives;
}

/** The options of whatever asks for a passphrase. */
export function passphraseOptions(platform: LibraryPlatform) {
  const { argon2, passphraseCost } = platform;
  return {
    primitives: primitivesOf(platform),
    ...(argon2 === undefined ? {} : { engine: argon2 }),
    ...(passphraseCost === undefined ? {} : { cost: passphraseCost }),
  };
}

/** A new id. */
export function newId(platform: LibraryPlatform): string {
  return uuidV4((length) => new Uint8Array(platform.random(length)));
}

/** How a platform's client of a server is made. */
export function clientOptions(
  { fetch, wait }: LibraryPlatform,
  server: string,
): ClientOptions {
  return { baseUrl: server, fetch, wait, build: CLIENT_BUILD };
}
