/**
 * A telephone that sends to `strongroom receive`, which hands over to the real
 * application: all in the test's own process.
 *
 * @module
 */
import { join } from "node:path";
import type { Library, Waiting } from "../../src/library/mod.ts";
import { openUploadLink } from "../../src/library/sharing/guest_delivery.ts";
import { type Bytes, toBase64, utf8 } from "../../src/core/bytes.ts";
import { DAY_MS, toRfc3339 } from "../../src/core/time.ts";
import {
  deliverWaiting,
  type Round,
} from "../../src/cli/receive/delivering.ts";
import { deviceKeys, safeKeyOf } from "../../src/cli/receive/device_keys.ts";
import { Receiver } from "../../src/cli/receive/receiver.ts";
import { Spool } from "../../src/cli/receive/spool.ts";
import type { TakingLimits } from "../../src/cli/receive/taking.ts";
import { withTestApp } from "./app.ts";
import {
  beginLibrary,
  deviceOf,
  platformOn,
  type Wire,
  wireTo,
} from "./library.ts";

const GIB = 1024 ** 3;

/** What a receiver takes where a test does not say otherwise. */
export const LIMITS: TakingLimits = {
  fileBytes: GIB,
  spoolBytes: GIB,
  freeBytes: 0,
  entries: 1_000,
  atOnce: 8,
};

/** How long the upload link lives. */
export const LINK_MS = 80 * DAY_MS;

/** The name and the password of the telephone of these tests. */
export const PHONE = { name: "phone", password: "abcdef-ghjkmn" };

/** A request of the telephone. */
export interface Asked {
  readonly method?: string;
  readonly body?: BodyInit | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly password?: string;
  readonly address?: string;
}

/** A telephone, the receiver, and the owner's library. */
export interface Town {
  readonly library: Library;
  readonly wire: Wire;
  readonly root: string;
  spool: Spool;
  receiver: Receiver;
  /** The receiver's clock (ms). */
  now: number;
  /** Asks the receiver for a path such as `/DCIM/IMG_1.jpg`. */
  ask(path: string, asked?: Asked): Promise<Response>;
  /** The status alone. */
  status(path: string, asked?: Asked): Promise<number>;
  /** Lets the names settle, and hands over what waits. */
  deliver(): Promise<Round>;
  /** Ends the program as a kill does, and starts it again. */
  kill(): Promise<void>;
  /** What waits for the owner, by names. */
  inbox(): Promise<readonly Waiting[]>;
  /** The plaintext of a file that waits for the owner. */
  peek(waiting: Waiting): Promise<Bytes>;
}

/** Runs a test with a telephone that sends to Ada. */
export async function withTelephone(
  test: (town: Town) => Promise<void>,
  limits: Partial<TakingLimits> = {},
  /** Where the spool lies; by default a folder for temporary files. */
  dir?: string,
): Promise<void> {
  await withTestApp(async (app) => {
    const root = await Deno.makeTempDir({
      prefix: "strongroom-receive-",
      ...(dir === undefined ? {} : { dir }),
    });
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url } = await library.request({
      expiresAt: toRfc3339(app.clock.now + LINK_MS),
      maxBytes: 100_000_000,
      maxFiles: 500,
    });
    const platform = platformOn(
      { fetch: wire.fetch, now: () => town.now },
      "receive",
    );
    const random = (length: number) => new Uint8Array(platform.random(length));
    const receiverOn = (spool: Spool) =>
      new Receiver({
        spool,
        limits: { ...LIMITS, ...limits },
        now: () => town.now,
        random,
        onKept: () => {},
        warn: (line) => {
          throw new Error(line);
        },
      });
    const spool = await Spool.open(join(root, "spool"));
    const town: Town = {
      library,
      wire,
      root: join(root, "spool"),
      spool,
      receiver: receiverOn(spool),
      now: app.clock.now,
      ask: (path, asked = {}) =>
        town.receiver.answer(
          requestOf(path, asked),
          asked.address ?? "192.0.2.7",
        ),
      async status(path, asked) {
        const answer = await town.ask(path, asked);
        await answer.body?.cancel();
        return answer.status;
      },
      async deliver() {
        town.now += 11 * 60_000;
        await town.receiver.taking.tidy();
        return await deliverWaiting({
          spool: town.spool,
          platform,
          isHeld: (id) => town.receiver.taking.isHeld(id),
          signal: new AbortController().signal,
        });
      },
      async kill() {
        town.spool[Symbol.dispose]();
        town.spool = await Spool.open(town.root);
        await town.spool.clear();
        town.receiver = receiverOn(town.spool);
      },
      async inbox() {
        const waiting = await library.inbox();
        return waiting.toSorted((a, b) =>
          (a.file?.name ?? "") < (b.file?.name ?? "") ? -1 : 1
        );
      },
      async peek({ opaqueId, uploadId }) {
        return (await library.peek(opaqueId, uploadId, GIB)).bytes;
      },
    };
    try {
      const link = await openUploadLink(platform, url);
      const salt = random(16);
      const keys = deviceKeys(PHONE.password, salt);
      spool.addDevice({
        name: PHONE.name,
        title: "Ada's phone",
        origin: link.origin,
        opaque_id: link.opaqueId,
        recipient_key: link.recipientKey,
        binding: link.binding,
        expires_at: link.expiresAt,
        salt,
        verifier: keys.verifier,
        safe_key: safeKeyOf(keys),
        created_at: town.now,
      });
      await test(town);
    } finally {
      town.spool[Symbol.dispose]();
      await Deno.remove(root, { recursive: true });
    }
  });
}

/** A request as a telephone makes it. */
export function requestOf(
  path: string,
  { method = "PUT", body, headers = {}, password = PHONE.password }: Asked,
): Request {
  return new Request(`http://127.0.0.1:8473${path}`, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: {
      Authorization: `Basic ${toBase64(utf8(`${PHONE.name}:${password}`))}`,
      ...body instanceof Uint8Array
        ? { "Content-Length": String(body.length) }
        : {},
      ...headers,
    },
  });
}

/** Every byte that lies in a folder. */
export async function bytesIn(folder: string): Promise<Bytes[]> {
  const found: Bytes[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) found.push(...await bytesIn(path));
    else found.push(await Deno.readFile(path));
  }
  return found;
}
