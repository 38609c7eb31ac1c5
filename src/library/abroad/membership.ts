/**
 * An album of another server that the account is in: its entry in what the
 * account's programs share, and what this device notes of it.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromBase64, toBase64 } from "../../core/bytes.ts";
import { keyId } from "../../crypto/hybrid.ts";
import { ApiProblem, UnexpectedAnswer } from "../../client/api/api.ts";
import { ConnectionError } from "../../client/api/transport.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import type { Store } from "../base/store.ts";
import type { Library } from "../library.ts";
import type { AbroadSlot, Joined, Unstamped } from "../trust/abroad_state.ts";
import { AlbumLeft, AlbumMoved, AlbumPaused } from "./abroad_fault.ts";
import { abroadStore } from "./abroad_store.ts";
import {
  abroadOf,
  acceptAbroad,
  linkOfJoined,
  noteRead,
  type ReadPickup,
  readPickup,
} from "./joining.ts";

/** An album that the account is in, on any device. */
export class Membership {
  readonly albumId: string;
  readonly serverId: string;
  /** This device's; it takes nothing once the person left the album. */
  readonly store: Store;
  #entry: Unstamped<Joined>;
  readonly #leftBefore: string | undefined;

  constructor(
    private readonly library: Library,
    private readonly slot: AbroadSlot,
    readonly id: string,
    entry: Unstamped<Joined>,
  ) {
    this.#entry = entry;
    [this.albumId, this.serverId] = splitId(id);
    this.#leftBefore = this.#leftAt();
    const kept = abroadStore(library.store, id);
    this.store = {
      ...kept,
      write: async (changes) => {
        this.#assertIn(slot.joined.get(id));
        await kept.write(changes);
      },
    };
  }

  /** What the account's programs know of it. */
  get entry(): Unstamped<Joined> {
    return this.#entry;
  }

  /** What the account's devices have seen of its owner and its rosters. */
  seen() {
    const { record } = this.library.trust;
    return abroadOf(record, this.serverId, this.albumId);
  }

  /** Changes the entry for all programs. Throws AlbumLeft. */
  async put(changes: Partial<Unstamped<Joined>>): Promise<void> {
    this.#entry = { ...this.#entry, ...changes };
    try {
      // Another program may have changed the rest of it.
      await this.slot.joined.change(this.id, (present) => {
        this.#assertIn(present);
        return { ...this.#entry, ...present, ...changes };
      });
    } catch (error) {
      // Another device left it.
      if (error instanceof AlbumLeft) await this.slot.read({ again: true });
      // An error of the own server does not stop the reading: the next time
      // tells the other devices.
      if (!isOfOwnServer(error)) throw error;
    }
  }

  /** A host that answers late brings back nothing of an album that was left. */
  #assertIn(present: Joined | undefined): void {
    if (present === undefined || this.#leftAt() !== this.#leftBefore) {
      throw new AlbumLeft(this.id);
    }
  }

  #leftAt(): string | undefined {
    return this.seen()?.left_at;
  }
}

/** Opens an album that the account is in. Throws AlbumLeft. */
export async function openMembership(
  library: Library,
  id: string,
): Promise<Membership> {
  const { trust } = library;
  const slot = await library.abroad();
  await orAsHeld(slot.read());
  if (!trust.fresh) await orAsHeld(trust.read());
  const entry = slot.joined.get(id);
  if (entry === undefined) throw new AlbumLeft(id);
  return new Membership(library, slot, id, entry);
}

const NOTE = "album";

const noteSchema = z.object({
  /** The owner's identity key, whole: the trust record has its fingerprint. */
  owner_key: z.base64(),
  protocol: z.string(),
  /** The newest roster that counted. */
  roster: z.optional(z.base64()),
  /** The token that came last, and when by this device's clock (ms). */
  token: z.optional(z.string()),
  came_at: z.optional(z.number()),
  /** What the photos were read with; `read` where it is not said. */
  scope: z.optional(z.string()),
});
/** What this device notes of an album. */
type Note = z.infer<typeof noteSchema>;

/** What this device notes of an album, and keeps. */
export class AlbumNote {
  #held: Note;

  constructor(private readonly store: Store, held: Note) {
    this.#held = held;
  }

  get held(): Note {
    return this.#held;
  }

  get ownerKey(): Bytes {
    return ownerKeyOf(this.#held);
  }

  async change(changes: Partial<Note>): Promise<void> {
    this.#held = { ...this.#held, ...changes };
    await keepNote(this.store, this.#held);
  }
}

/**
 * Reads what this device notes of an album; what another device joined, or
 * whose owner has another identity by now, is read from its pickup.
 */
export async function openNote(
  library: Library,
  membership: Membership,
): Promise<AlbumNote> {
  const { id, entry, store } = membership;
  const held = await noteOf(store);
  if (
    held !== undefined && keyId(ownerKeyOf(held)) === membership.seen()?.anchor
  ) return new AlbumNote(store, held);
  const read = await readJoined(library, id, entry);
  const { protocol, grant } = read;
  const note = { owner_key: toBase64(grant.owner_key), protocol };
  await noteRead(library, read);
  await keepNote(store, note);
  return new AlbumNote(store, note);
}

/**
 * Reads the pickup of an album that the person is in. If its owner signed that
 * the album is another one now, or its server has another address, the person
 * is in that one then, and this throws AlbumMoved.
 */
export async function readJoined(
  library: Library,
  id: string,
  joined: Pick<Joined, "pickup">,
): Promise<ReadPickup> {
  const read = await readPickup(library, linkOfJoined(id, joined));
  if (read.id === id) return read;
  const slot = await library.abroad();
  if (slot.joined.get(id) === undefined) throw new AlbumLeft(id);
  if (read.grant.state !== "live") {
    throw new AlbumPaused("ended", "its owner ended it");
  }
  await acceptAbroad(library, read);
  throw new AlbumMoved(id, read.id);
}

/** Where the own server does not answer as it should, what is here counts. */
export async function orAsHeld(reading: Promise<unknown>): Promise<void> {
  try {
    await reading;
  } catch (error) {
    if (!isOfOwnServer(error)) throw error;
  }
}

/** Whether a call to the own server failed for all but the session's end. */
function isOfOwnServer(error: unknown): boolean {
  if (error instanceof ApiProblem) return error.status !== 401;
  return error instanceof ConnectionError || error instanceof UnexpectedAnswer;
}

function ownerKeyOf({ owner_key }: Note): Bytes {
  return fromBase64(owner_key) ?? new Uint8Array();
}

async function noteOf(store: Store): Promise<Note | undefined> {
  const value = await store.get("albums", NOTE);
  return value === undefined
    ? undefined
    : decodeJson(noteSchema, value, "album abroad");
}

async function keepNote(store: Store, note: Note): Promise<void> {
  const value = encodeJson(noteSchema, note, "album abroad");
  await store.write([{ space: "albums", key: NOTE, value }]);
}

/** The parts of an album's name, which says its server. */
export function splitId(id: string): [albumId: string, serverId: string] {
  const at = id.indexOf("@");
  return [id.slice(0, at), id.slice(at + 1)];
}
