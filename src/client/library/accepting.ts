/**
 * Notes of guests' files that are being accepted. Between being adopted and its
 * manifest, a file is in no inbox and in no library, and its key is nowhere at
 * the server. So a note with all that the manifest needs is written first: on
 * this device, and in the account's state slot `accepting`, where every device
 * of the account finds it and finishes what another one left
 * (protocol/client-cryptography.md#state-slots).
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes } from "../../core/bytes.ts";
import { readTime, SECOND_MS, toRfc3339 } from "../../core/time.ts";
import { ApiProblem } from "../api.ts";
import { count, DocumentError, hash, utcInstant, uuid } from "../fields.ts";
import { decodeJson, encodeJson, key } from "../json.ts";
import { metadataSchema } from "../metadata.ts";
import { persist } from "../send.ts";
import {
  decryptBytes,
  encryptBytes,
  SALT_BYTES,
  StreamError,
} from "../stream.ts";
import { primitivesOf } from "./platform.ts";
import type { Store } from "./store.ts";
import type { Vault } from "./vault.ts";

/** The slot of the notes. */
export const ACCEPTING_SLOT = "accepting";
/** For so long another device's note is left to that device (ms). */
const OTHERS_MS = 5 * 60 * SECOND_MS;
/** A note that could not be finished is tried again after so long (ms). */
const AGAIN_MS = 10 * 60 * SECOND_MS;
const MOST_TRIES = 30;
const PAUSE_MS = 50;
/** Begins the keys of this device's notes, in the space `uploads`. */
const OWN = "accepting/";
const PAGE = 64;

const noteSchema = z.object({
  upload_id: uuid,
  /** The asset that it becomes, whoever finishes it. */
  asset_id: uuid,
  album_id: uuid,
  /** Of the ciphertext. */
  hash,
  size: count,
  /** The guest's file key. Secret. */
  key,
  metadata: metadataSchema,
  device_id: z.string(),
  at: utcInstant,
});
const slotSchema = z.looseObject({
  v: z.literal(1),
  files: z.array(noteSchema),
});

/** A guest's file that is being accepted. */
export type AcceptNote = z.output<typeof noteSchema>;

/** The notes of an account. */
export interface Accepting {
  /** Asset ids of files that this program is accepting just now. */
  readonly underWay: Set<string>;
  /** Makes a note; when it resolves, the file may be adopted. */
  add(note: Omit<AcceptNote, "device_id" | "at">): Promise<void>;
  remove(assetId: string): Promise<void>;
  /** This device's note of a contribution. */
  ownOf(uploadId: string): AcceptNote | undefined;
  /**
   * Notes that this device should finish now. They are read from the server
   * once, and again if the slot `changed`.
   */
  due(changed: boolean): Promise<readonly AcceptNote[]>;
  /** Lets a note rest that could not be finished now. */
  postpone(assetId: string): void;
}

interface Held {
  readonly files: readonly AcceptNote[];
  readonly rest: object;
  readonly etag: string | null;
}

/** Opens the notes of a vault's account, with this device's own in a store. */
export async function openAccepting(
  { session, identity }: Vault,
  store: Store,
): Promise<Accepting> {
  const { account, platform, device } = session;
  const primitives = primitivesOf(platform);
  const slotKey = () => ({
    fileKey: identity.stateKey(ACCEPTING_SLOT),
    primitives,
  });
  const own = await ownNotes(store);
  const resting = new Map<string, number>();
  /** The slot as last seen; undefined if it is to be read. */
  let held: Held | undefined;
  let last: Promise<unknown> = Promise.resolve();
  /** One change after another, so that a device is not in its own way. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  const read = async (): Promise<Held> => {
    try {
      const ask = () => account.slot(ACCEPTING_SLOT);
      const { bytes, etag } = await persist(account, ask, {});
      const plain = await decryptBytes(slotKey(), bytes);
      const { files, ...rest } = decodeJson(slotSchema, plain, "notes");
      return { files, rest, etag };
    } catch (error) {
      const none = error instanceof ApiProblem &&
        error.code === "error.state.not_found";
      if (!none) throw error;
      return { files: [], rest: { v: 1 }, etag: null };
    }
  };
  const seal = (files: readonly AcceptNote[], rest: object): Promise<Bytes> => {
    const slot = { ...rest, v: 1 as const, files: [...files] };
    return encryptBytes(
      slotKey(),
      platform.random(SALT_BYTES),
      encodeJson(slotSchema, slot, "notes"),
    );
  };
  /** `next` returns what it was given if there is nothing to change. */
  const change = async (
    next: (files: readonly AcceptNote[]) => readonly AcceptNote[],
  ): Promise<void> => {
    for (let tries = 1;; tries++) {
      const { files, rest, etag } = held ??= await read();
      const changed = next(files);
      if (changed === files) return;
      const bytes = await seal(changed, rest);
      const put = () => account.putSlot(ACCEPTING_SLOT, bytes, etag);
      held = undefined;
      try {
        held = { files: changed, rest, etag: await persist(account, put, {}) };
        return;
      } catch (error) {
        const overtaken = error instanceof ApiProblem &&
          error.code === "error.state.version_conflict";
        if (!overtaken || tries === MOST_TRIES) throw error;
      }
      const [random = 0] = platform.random(1);
      await platform.wait(Math.ceil(random / 256 * tries * PAUSE_MS));
    }
  };
  const keptHere = (assetId: string, value: Bytes | null) =>
    store.write([{ space: "uploads", key: `${OWN}${assetId}`, value }]);

  return {
    underWay: new Set(),
    async add(given) {
      const { device_id } = device;
      const note = { ...given, device_id, at: toRfc3339(platform.now()) };
      const { asset_id: assetId } = note;
      await keptHere(assetId, encodeJson(noteSchema, note, "note"));
      own.set(assetId, note);
      try {
        await inTurn(() => change((files) => [...files, note]));
      } catch (error) {
        // A full quota keeps nobody from accepting what it counts already:
        // then this device's note has to do.
        if (!hasNoPlace(error)) throw error;
      }
    },
    async remove(assetId) {
      const isOther = (one: AcceptNote) => one.asset_id !== assetId;
      await inTurn(() =>
        change((files) => files.every(isOther) ? files : files.filter(isOther))
      ).catch((error) => {
        if (!hasNoPlace(error)) throw error;
      });
      own.delete(assetId);
      await keptHere(assetId, null);
    },
    ownOf: (uploadId) =>
      [...own.values()].find((one) => one.upload_id === uploadId),
    async due(changed) {
      if (changed) held = undefined;
      const { files } = await inTurn(async () => held ??= await read())
        .catch((error): Held => {
          if (!hasNoPlace(error)) throw error;
          return { files: [], rest: {}, etag: null };
        });
      const now = platform.now();
      const mine = device.device_id;
      const all = new Map([...files, ...own.values()].map(
        (one) => [one.asset_id, one],
      ));
      return [...all.values()].filter((one) =>
        (one.device_id === mine ||
          (readTime(one.at) ?? 0) + OTHERS_MS <= now) &&
        (resting.get(one.asset_id) ?? 0) <= now
      );
    },
    postpone(assetId) {
      resting.set(assetId, platform.now() + AGAIN_MS);
    },
  };
}

/** Whether the slot takes no note, or holds what this program cannot read. */
function hasNoPlace(error: unknown): boolean {
  return error instanceof DocumentError || error instanceof StreamError ||
    (error instanceof ApiProblem &&
      (error.status === 507 || error.code === "error.account.limit_reached"));
}

/** This device's notes, by their assets' ids. */
async function ownNotes(store: Store): Promise<Map<string, AcceptNote>> {
  const own = new Map<string, AcceptNote>();
  for (let after = OWN;;) {
    const page = await store.list("uploads", { after, limit: PAGE });
    const notes = page.filter((entry) => entry.key.startsWith(OWN));
    for (const { value } of notes) {
      const note = decodeJson(noteSchema, value, "note");
      own.set(note.asset_id, note);
    }
    if (notes.length < PAGE) return own;
    after = notes.at(-1)?.key ?? after;
  }
}
