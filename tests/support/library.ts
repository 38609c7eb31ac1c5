/**
 * People who use the library over the real application, on devices of their
 * own, over a connection that a test can break or lie on.
 *
 * @module
 */
import { nativePrimitives } from "../../src/client/native.ts";
import {
  type Entrance,
  type Keep,
  type Library,
  type LibraryPlatform,
  memoryKeep,
  memoryStore,
  openLibrary,
  openVault,
  plainOf,
  registerAccount,
  type Session,
  signIn,
  type Store,
} from "../../src/client/library/mod.ts";
import type { Fetch } from "../../src/client/transport.ts";
import { ORIGIN, seededRandom, type TestApp } from "./app.ts";
import { PASSWORD } from "./people.ts";

/** What may be done with a request instead of passing it on. */
export type Meddle = (
  request: Request,
  pass: (request: Request) => Promise<Response>,
) => Promise<Response> | undefined;

/** The way to a server, which a test may meddle with. */
export interface Wire {
  readonly fetch: Fetch;
  /** `METHOD /path` of what was sent. */
  readonly sent: string[];
  app: TestApp;
  meddle: Meddle | undefined;
}

export function wireTo(app: TestApp): Wire {
  const wire: Wire = {
    app,
    meddle: undefined,
    sent: [],
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const body = init.body;
      const length = typeof body === "string"
        ? new TextEncoder().encode(body).length
        : body instanceof Uint8Array
        ? body.length
        : undefined;
      if (length !== undefined) {
        request.headers.set("Content-Length", String(length));
      }
      wire.sent.push(`${request.method} ${new URL(request.url).pathname}`);
      const pass = (passed: Request) =>
        wire.app.fetch(passed, { clientAddress: "192.0.2.1" });
      return await wire.meddle?.(request, pass) ?? await pass(request);
    },
  };
  return wire;
}

/** A cheap passphrase: guessing is not the subject. */
const COST = { memoryKib: 8, passes: 1, lanes: 1 };

export function platformOn(
  wire: Pick<LibraryPlatform, "fetch" | "now">,
  seed: string,
): LibraryPlatform {
  return {
    fetch: wire.fetch,
    now: wire.now,
    random: seededRandom(`library ${seed}`),
    wait: () => Promise.resolve(),
    clientVersion: "test/1",
    primitives: nativePrimitives,
    passphraseCost: COST,
  };
}

/** Somebody's device: what it keeps outlives the program on it. */
export interface TestDevice {
  readonly platform: LibraryPlatform;
  readonly keep: Keep;
  readonly store: Store;
  readonly entrance: Entrance;
}

export function deviceOf(wire: Wire, seed: string): TestDevice {
  return deviceAt(ORIGIN, seed, {
    fetch: wire.fetch,
    now: () => wire.app.clock.now,
  });
}

/** A device of somebody's who presents the password whenever asked. */
export function deviceAt(
  server: string,
  seed: string,
  given: Pick<LibraryPlatform, "fetch" | "now">,
): TestDevice {
  const keep = memoryKeep();
  return {
    platform: platformOn(given, seed),
    keep,
    store: memoryStore(),
    entrance: {
      server,
      device: { name: `${seed}'s machine`, platform: "linux" },
      keep,
      present: () => Promise.resolve(PASSWORD),
    },
  };
}

export const addressOf = (name: string) => `${name}@example.org`;

/** Registers a person on a device, and opens their new library. */
export async function beginLibrary(
  device: TestDevice,
  name: string,
): Promise<Library> {
  const session = await registerAccount(device.platform, {
    ...device.entrance,
    address: addressOf(name),
    password: PASSWORD,
  });
  return await openLibrary(await openVault(session), device.store);
}

/** Signs a person in on a device, which has no keys yet. */
export function enter(device: TestDevice, name: string): Promise<Session> {
  return signIn(device.platform, {
    ...device.entrance,
    address: addressOf(name),
    password: PASSWORD,
  });
}

/** A file to take in. */
export function fileOf(name: string, bytes: Uint8Array<ArrayBuffer>) {
  return { source: plainOf(bytes), about: { name, mime: "image/jpeg" } };
}

/** The whole of what is read. */
export async function wholeOf(
  pieces: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks = await Array.fromAsync(pieces);
  return new Uint8Array(
    await new Blob(
      chunks.map((chunk) => new Uint8Array(chunk)),
    ).arrayBuffer(),
  );
}
