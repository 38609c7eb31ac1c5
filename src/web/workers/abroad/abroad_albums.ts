/**
 * The albums of other servers that this account is in, as the vault has them
 * open. Their photos get ids of this app: those of a host mean nothing here, and
 * it could choose some that are the account's own.
 *
 * @module
 */
import { ApiProblem, UnexpectedAnswer } from "../../../client/api/api.ts";
import { Closed } from "../../../client/stream/threads/thread_messages.ts";
import { utf8 } from "../../../core/bytes.ts";
import { sha256Hex } from "../../../crypto/sha256.ts";
import {
  type AbroadAlbum,
  joinedAbroad,
  keepGiven,
  mayAsk,
  type OpenAbroad,
  openAbroad,
  readMailbox,
} from "../../../library/abroad/abroad.ts";
import { AlbumLeft } from "../../../library/abroad/abroad_fault.ts";
import { inParallel } from "../../../library/base/parallel.ts";
import { StoreError } from "../../../library/base/store.ts";
import {
  ConnectionError,
  DocumentError,
  type Library,
  type LibraryReading,
  type Row,
} from "../../../library/mod.ts";
import type { AbroadCard, Standstill } from "./abroad_cards.ts";
import { hostOf } from "./abroad_cards.ts";
import { nounOfRows } from "../library/photo_table.ts";
import type { AbroadLine } from "./abroad_fetch.ts";

/** Hosts that are asked at once. */
const AT_ONCE = 8;
/** Albums are followed this often (ms). */
const EVERY_MS = 5 * 60_000;
/** A host that does not answer is left alone for this long (ms). */
const BACK_OFF_MS = [1, 5, 30, 360].map((minutes) => minutes * 60_000);
const KEPT_EVERY_MS = 24 * 60 * 60_000;
/** What failed is kept alive again after this (ms). */
const KEPT_AGAIN_MS = 60 * 60_000;

/** A photo of an album of another server. */
export interface PhotoAbroad {
  /** The row, under the id of this app. */
  readonly row: Row;
  /** Its id on its server. */
  readonly assetId: string;
  readonly reading: LibraryReading;
  /** Its server, as people read it. */
  readonly host: string;
  /** Its album, `<album_id>@<server_id>`. */
  readonly album: string;
}

/** Why nothing comes from a server, and when it is asked again. */
interface Pace {
  stopped: Standstill | undefined;
  /** When it is asked next (ms). */
  due: number;
  failures: number;
}

interface Held extends Pace {
  readonly open: OpenAbroad;
  shown: Omit<AbroadAlbum, "paused">;
  rows: readonly Row[];
  following: Promise<void> | undefined;
}

/** The albums of an open library. */
export class AbroadAlbums {
  readonly #held = new Map<string, Held>();
  readonly #opening = new Map<string, Promise<Held | undefined>>();
  /** Those that could not be opened. */
  readonly #shut = new Map<string, Pace>();
  readonly #photos = new Map<string, PhotoAbroad>();
  #keepDue = -Infinity;
  #changing: Promise<unknown> = Promise.resolve();
  #heard = false;
  #reading: Promise<void> | undefined;

  constructor(
    readonly library: Library,
    readonly line: Pick<AbroadLine, "isBlocked">,
    readonly changed: () => void,
  ) {}

  /** Opens those that were joined, on any device. */
  async open(): Promise<readonly string[]> {
    const ids = await joinedAbroad(this.library);
    for (const id of [...this.#held.keys()]) {
      if (!ids.includes(id)) this.drop(id);
    }
    const { now } = this.library.vault.session.platform;
    const due = ids.filter((id) => (this.#shut.get(id)?.due ?? 0) <= now());
    await inParallel(due, AT_ONCE, (id) => this.#opened(id));
    return ids;
  }

  /** Only once: two over one store would each miss what the other read. */
  async #opened(id: string): Promise<Held | undefined> {
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const opening = this.#opening.get(id) ??
      this.#openNow(id).finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return await opening;
  }

  async #openNow(id: string): Promise<Held | undefined> {
    let open: OpenAbroad;
    try {
      open = await openAbroad(this.library, id);
    } catch (error) {
      if (error instanceof AlbumLeft) return undefined;
      // A server that says nothing, or nonsense, shuts its own album alone.
      if (error instanceof Closed || error instanceof StoreError) throw error;
      const shut = this.#shut.get(id) ??
        { stopped: undefined, due: 0, failures: 0 };
      this.#shut.set(id, shut);
      this.#failed(id, shut, error);
      return undefined;
    }
    this.#shut.delete(id);
    const shown = open.shown();
    const made: Held = {
      open,
      shown,
      rows: [],
      stopped: undefined,
      due: 0,
      failures: 0,
      following: undefined,
    };
    this.#held.set(id, made);
    this.#take(id, made);
    return made;
  }

  #take(id: string, held: Held): void {
    held.shown = held.open.shown();
    const { rows, reading } = held.shown;
    for (const { id } of held.rows) this.#photos.delete(id);
    held.rows = rows.map((row) => ({ ...row, id: idHere(id, row.id) }));
    for (const [at, row] of held.rows.entries()) {
      const assetId = rows[at]?.id ?? "";
      const host = hostOf(id);
      this.#photos.set(row.id, { row, assetId, reading, host, album: id });
    }
  }

  /** Notes a failure: the more in a row, the later it is asked again. */
  #failed(id: string, pace: Pace, error: unknown): void {
    const { now } = this.library.vault.session.platform;
    const isError = error instanceof ApiProblem ||
      error instanceof UnexpectedAnswer;
    const serverId = id.slice(id.indexOf("@") + 1);
    const away = this.line.isBlocked(serverId) ? "not_pinned" : "away";
    pace.stopped = isError ? "error" : away;
    const at = Math.min(pace.failures++, BACK_OFF_MS.length - 1);
    pace.due = now() + (BACK_OFF_MS[at] ?? 0);
  }

  /** Follows an album now. */
  async follow(id: string): Promise<void> {
    const { now } = this.library.vault.session.platform;
    const held = await this.#opened(id);
    if (held === undefined) return;
    held.following ??= (async () => {
      const before = held.shown;
      const stoppedBefore = held.stopped;
      try {
        held.stopped = (await held.open.follow())?.reason;
        held.failures = 0;
        held.due = now() + EVERY_MS;
      } catch (error) {
        if (error instanceof AlbumLeft) {
          if (this.#held.get(id) === held) this.drop(id);
          return this.changed();
        }
        this.#failed(id, held, error);
        if (!(error instanceof ConnectionError)) throw error;
      } finally {
        held.following = undefined;
      }
      // It was left meanwhile.
      if (this.#held.get(id) !== held) return;
      this.#take(id, held);
      const isSame = before.title === held.shown.title &&
        before.rows.length === held.shown.rows.length &&
        before.rows.every((row, at) => row === held.shown.rows[at]) &&
        stoppedBefore === held.stopped;
      if (!isSame) this.changed();
    })();
    await held.following;
  }

  /** Follows those whose time it is. */
  async followDue(): Promise<void> {
    const { now } = this.library.vault.session.platform;
    const ids = await this.open();
    const due = ids.filter((id) => {
      const pace = this.#held.get(id) ?? this.#shut.get(id);
      return (pace?.due ?? 0) <= now();
    });
    // What is wrong with one, its card says.
    await inParallel(due, AT_ONCE, (id) => this.follow(id).catch(() => {}));
  }

  /**
   * Makes a change of what this account gave after those before it: two at a
   * time would each find the other's grant in their way.
   */
  async alone<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#changing.catch(() => {}).then(change);
    this.#changing = changed;
    return await changed;
  }

  /** Keeps what this account gave alive: at each start, and once a day. */
  async keepGiven(): Promise<void> {
    const { now } = this.library.vault.session.platform;
    if (now() < this.#keepDue) return;
    this.#keepDue = now() + KEPT_AGAIN_MS;
    await this.alone(() => this.#keepGiven());
    this.#keepDue = now() + KEPT_EVERY_MS;
  }

  async #keepGiven(): Promise<void> {
    const { given } = await this.library.abroad();
    const isGiving = given.list().some(([, { ended }]) => !ended) ||
      this.library.albums.list().some(({ role, members }) =>
        role === "owner" && members.some(({ userId }) => userId.includes("@"))
      );
    if (isGiving) await keepGiven(this.library);
  }

  /** Reads what people of other servers sent, and does what it asks for. */
  async readMailbox(heard: boolean): Promise<void> {
    this.#heard ||= heard;
    this.#reading ??= this.#readMailbox().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /** Once more if the feed told of a file meanwhile. */
  async #readMailbox(): Promise<void> {
    const alone = (work: () => Promise<void>) => this.alone(work);
    do {
      const heard = this.#heard;
      this.#heard = false;
      const read = await readMailbox(this.library, { heard, alone });
      const isNews = Object.values(read).some(({ length }) => length > 0);
      if (isNews) this.changed();
    } while (this.#heard);
  }

  /** Shows it no more. */
  drop(id: string): void {
    for (const row of this.#held.get(id)?.rows ?? []) {
      this.#photos.delete(row.id);
    }
    this.#held.delete(id);
    this.#shut.delete(id);
  }

  /** A photo by its id in this app. */
  photo(id: string): PhotoAbroad | undefined {
    return this.#photos.get(id);
  }

  /** The photos of an album, newest first, under their ids in this app. */
  rows(id: string): readonly Row[] {
    return this.#held.get(id)?.rows ?? [];
  }

  /** An album as pages get it. */
  async card(id: string): Promise<AbroadCard> {
    const held = this.#held.get(id);
    const joined = (await this.library.abroad()).joined.get(id);
    const serverId = id.slice(id.indexOf("@") + 1);
    const owner = held?.shown.owner ?? `${joined?.owner ?? ""}@${serverId}`;
    const comparedAt = await this.#comparedAt(owner);
    const rows = held?.rows ?? [];
    const [cover] = rows;
    const stopped = held === undefined
      ? this.#shut.get(id)?.stopped ?? "away"
      : held.stopped;
    return {
      id,
      host: hostOf(id),
      title: held?.shown.title ?? "",
      count: rows.length,
      noun: nounOfRows(rows),
      ...(cover === undefined ? {} : { cover: cover.id }),
      ...(stopped === undefined ? {} : { stopped }),
      mayAsk: await mayAsk(this.library, id),
      isDoubted: held?.shown.doubt !== undefined,
      isSmall: held?.shown.isSmall === true,
      owner,
      ...(comparedAt === undefined ? {} : { comparedAt }),
    };
  }

  async #comparedAt(owner: string): Promise<string | undefined> {
    try {
      return (await this.library.people.known(owner)).comparedAt;
    } catch (error) {
      // Their server shows another identity by now.
      if (error instanceof DocumentError) return undefined;
      throw error;
    }
  }
}

const VERSION = 0x80;
const VARIANT = 0x80;

/** The id of a photo in this app, which its server cannot choose. */
function idHere(album: string, assetId: string): string {
  const hex = sha256Hex(utf8(`${album}/${assetId}`));
  const byte = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  const part = (value: number) => value.toString(16).padStart(2, "0");
  // Of a version that no server makes (RFC 9562 section 5.8).
  const version = part(VERSION | (byte(12) & 0x0f));
  const variant = part(VARIANT | (byte(16) & 0x3f));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${
    hex.slice(14, 16)
  }-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
