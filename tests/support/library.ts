/**
 * People who use the library over the real application, on devices of their
 * own, over a connection that a test can break or lie on.
 *
 * @module
 */
import { nativePrimitives } from "../../src/client/keys/native.ts";
import {
  adoptMasterKey,
  type CredentialStore,
  type Entrance,
  type Library,
  type LibraryPlatform,
  memoryCredentialStore,
  memoryStore,
  openLibrary,
  openVault,
  plainOf,
  registerAccount,
  type Session,
  signIn,
  type Store,
} from "../../src/library/mod.ts";
import type { Fetch } from "../../src/client/api/transport.ts";
import { ORIGIN, seededRandom, type TestApp } from "./app.ts";
import { CHEAP_COST } from "./argon2.ts";
import { PASSWORD } from "./people.ts";

/** What may be done with a request instead of passing it on. */
export type Interceptor = (
  request: Request,
  pass: (request: Request) => Promise<Response>,
) => Promise<Response> | undefined;

/** The way to a server, which a test may intercept. */
export interface Wire {
  readonly fetch: Fetch;
  /** `METHOD /path` of what was sent. */
  readonly sent: string[];
  app: TestApp;
  intercept: Interceptor | undefined;
}

export function wireTo(app: TestApp): Wire {
  const wire: Wire = {
    app,
    intercept: undefined,
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
      return await wire.intercept?.(request, pass) ?? await pass(request);
    },
  };
  return wire;
}

export function platformOn(
  wire: Pick<LibraryPlatform, "fetch" | "now" | "patience">,
  seed: string,
): LibraryPlatform {
  return {
    fetch: wire.fetch,
    now: wire.now,
    random: seededRandom(`library ${seed}`),
    wait: () => Promise.resolve(),
    ...(wire.patience === undefined ? {} : { patience: wire.patience }),
    clientVersion: "test/1",
    primitives: nativePrimitives,
    passphraseCost: CHEAP_COST,
  };
}

/** A person's device: its storage outlives the program on it. */
export interface TestDevice {
  readonly platform: LibraryPlatform;
  readonly credentials: CredentialStore;
  readonly store: Store;
  readonly entrance: Entrance;
}

export function deviceOf(wire: Wire, seed: string): TestDevice {
  return deviceAt(ORIGIN, seed, {
    fetch: wire.fetch,
    now: () => wire.app.clock.now,
  });
}

/** A device of a person who enters the password whenever asked. */
export function deviceAt(
  server: string,
  seed: string,
  given: Pick<LibraryPlatform, "fetch" | "now" | "patience">,
): TestDevice {
  const credentials = memoryCredentialStore();
  return {
    platform: platformOn(given, seed),
    credentials,
    store: memoryStore(),
    entrance: {
      server,
      device: { name: `${seed}'s machine`, platform: "linux" },
      credentials,
      present: () => Promise.resolve(PASSWORD),
    },
  };
}

export const addressOf = (name: string) => `${name}@example.org`;

/** Accepts every invitation; whether there was one. */
export async function acceptAll({ albums }: Library): Promise<boolean> {
  const invitations = albums.invitations();
  for (const { id } of invitations) await albums.accept(id);
  return invitations.length > 0;
}

/** A library of a person who accepts every invitation as soon as it comes. */
export function accepting(library: Library): Library {
  return {
    ...library,
    async sync(options) {
      const report = await library.sync(options);
      if (!await acceptAll(library)) return report;
      const { changed, albums } = await library.sync();
      return {
        ...report,
        changed: [...report.changed, ...changed],
        albums: [...report.albums, ...albums],
      };
    },
  };
}

/**
 * Registers a person on a device, and opens their new library. Invitations are
 * accepted by themselves, unless the test is about them.
 */
export async function beginLibrary(
  device: TestDevice,
  name: string,
  { accepts = true }: { readonly accepts?: boolean } = {},
): Promise<Library> {
  const session = await registerAccount(device.platform, {
    ...device.entrance,
    address: addressOf(name),
    password: PASSWORD,
  });
  const library = await openLibrary(await openVault(session), device.store);
  return accepts ? accepting(library) : library;
}

/** Signs a person in on a device, which has no keys yet. */
export function enter(device: TestDevice, name: string): Promise<Session> {
  return signIn(device.platform, {
    ...device.entrance,
    address: addressOf(name),
    password: PASSWORD,
  });
}

/** A person's library on another device, as it is before the device has synced. */
export async function libraryOn(
  device: TestDevice,
  { vault: { session } }: Library,
  name: string,
): Promise<Library> {
  const masterKey = session.masterKey() ?? new Uint8Array();
  const vault = await adoptMasterKey(await enter(device, name), masterKey);
  return await openLibrary(vault, device.store);
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
