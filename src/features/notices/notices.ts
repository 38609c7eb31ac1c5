/**
 * Notices to the operator and mail to people (notices.md): what is written,
 * when, and to whom. Sending is for whoever has a network: see
 * {@link Notices.sendDue}.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { toHex, utf8 } from "../../core/bytes.ts";
import type { UserId } from "../../core/ids.ts";
import {
  isMailAddress,
  type NotifyTarget,
} from "../../core/notify_settings.ts";
import type { Platform } from "../../core/platform.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toRfc3339 } from "../../core/time.ts";
import { openAtRest, sealAtRest } from "../../crypto/seal.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import type {
  Condition,
  EventState,
  Facts,
  Notice,
  Occasion,
} from "./events.ts";
import { wordsOf } from "./events.ts";
import { type Letter, letterWords } from "./people.ts";
import {
  claim,
  countWaiting,
  deleteOutgoing,
  findNotice,
  insertOutgoing,
  lastAbout,
  listDue,
  listTargets,
  listUntold,
  markFailed,
  markSent,
  type OutgoingRow,
  purgeOutgoing,
  putNotice,
} from "./store.ts";

/** A message is tried for so long (ms). */
const TRIED_MS = DAY_MS;
/** One message an event and day, whose hour may drift a little. */
const REPEAT_MS = 23 * HOUR_MS;
/** An account with many sign-ins gets at most one mail an hour. */
const LETTER_EVERY_MS = HOUR_MS;
/** A process that took a message and died gave it back after so long. */
const LEASE_MS = 5 * MINUTE_MS;
const ID_BYTES = 16;

/** What a target gets. */
export interface Message {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** To whom a mail goes; undefined: to those whom the target names. */
  readonly to?: string;
  /** What a program reads; undefined for a letter. */
  readonly notice?: Notice & { readonly serverId: string };
}

/** Sends a message, or throws a {@link DeliveryFault}. */
export type Deliver = (target: NotifyTarget, message: Message) => Promise<void>;

/** A message that did not come through; the reason names no secret. */
export class DeliveryFault extends Error {
  override readonly name = "DeliveryFault";
}

/** How a target does; instants in ms. */
export interface TargetState {
  readonly name: string;
  readonly waiting: number;
  readonly sentAt: number | null;
  readonly failingSince: number | null;
  readonly fault: string | null;
}

interface NoticeParts {
  readonly db: Db;
  readonly platform: Pick<Platform, "now" | "random" | "log">;
  readonly targets: readonly NotifyTarget[];
  readonly serverId: string;
  /** What messages are sealed with while they wait. */
  readonly sealing: {
    readonly keys: readonly Uint8Array[];
    readonly active: Uint8Array;
  };
}

/** Writes messages and hands them on. Without targets it does nothing. */
export class Notices {
  #onQueued = () => {};
  #sending: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: NoticeParts) {}

  /** Whether anybody is told at all. */
  get isOn(): boolean {
    return this.parts.targets.length > 0;
  }

  /** Whether people get mail. */
  get hasMail(): boolean {
    return this.#mail() !== undefined;
  }

  /** Whom to tell that a message waits. */
  set onQueued(told: () => void) {
    this.#onQueued = told;
  }

  /** Trouble is there: it is told, and again every day until it ends. */
  async raise(event: Condition, facts: Facts = {}): Promise<void> {
    if (!this.isOn) return;
    const now = this.parts.platform.now();
    await transaction(this.parts.db, async (tx) => {
      const held = await findNotice(tx, event);
      const lasts = held !== undefined && held.ended_at === null;
      const since = lasts ? held.since : now;
      const toldAt = held?.told_at ?? null;
      const isDue = toldAt === null || now - toldAt >= REPEAT_MS ||
        // A clock that was ahead then.
        toldAt > now;
      const wasTold = lasts && held.is_told === 1;
      if (isDue) {
        const state = wasTold ? "goes_on" : "began";
        await this.#write(tx, { event, state, since, at: now, facts });
      }
      await putNotice(tx, {
        event,
        since,
        ended_at: null,
        told_at: isDue ? now : toldAt,
        is_told: isDue || wasTold ? 1 : 0,
        facts: JSON.stringify(facts),
      });
    });
    this.#onQueued();
  }

  /** Trouble is over: that is told where the trouble was. */
  async end(event: Condition): Promise<void> {
    if (!this.isOn) return;
    const { db, platform } = this.parts;
    // Usually no trouble was noted, so there is nothing to write.
    const lasting = await findNotice(db, event);
    if (lasting === undefined || lasting.ended_at !== null) return;
    const now = platform.now();
    await transaction(db, async (tx) => {
      const held = await findNotice(tx, event);
      if (held === undefined || held.ended_at !== null) return;
      if (held.is_told === 1) {
        const { since } = held;
        await this.#write(tx, {
          event,
          state: "ended",
          since,
          at: now,
          facts: {},
        });
      }
      await putNotice(tx, { ...held, ended_at: now });
    });
    this.#onQueued();
  }

  /** Raises or ends, by what was seen just now. */
  async judge(event: Condition, facts: Facts | undefined): Promise<void> {
    await (facts === undefined ? this.end(event) : this.raise(event, facts));
  }

  /** Something happened; a second time on the same day is not told. */
  async announce(event: Occasion, facts: Facts = {}): Promise<void> {
    if (!this.isOn) return;
    const now = this.parts.platform.now();
    await transaction(this.parts.db, async (tx) => {
      const told = (await findNotice(tx, event))?.told_at ?? null;
      const isTold = told !== null && told <= now && now - told < REPEAT_MS;
      if (isTold && event !== "test") return;
      await this.#write(tx, {
        event,
        state: "happened",
        since: now,
        at: now,
        facts,
      });
      await putNotice(tx, {
        event,
        since: now,
        ended_at: now,
        told_at: now,
        is_told: 1,
        facts: JSON.stringify(facts),
      });
    });
    this.#onQueued();
  }

  /** Repeats what lasts and was told of long enough ago. */
  async untold(): Promise<readonly string[]> {
    const { db, platform } = this.parts;
    return await listUntold(db, platform.now() - REPEAT_MS);
  }

  /**
   * Writes to a person; with a user id, one whose account may be deleted before
   * the mail is sent. False if no mail is set up, or mail cannot go to the
   * address.
   */
  async write(
    address: string,
    letter: Letter,
    userId: UserId | null = null,
  ): Promise<boolean> {
    const target = this.#mail();
    if (target === undefined || !isMailAddress(address)) return false;
    const { db, platform, serverId } = this.parts;
    const host = new URL(serverId).host;
    const now = platform.now();
    // Links differ each time; what is merely told of is told once an hour.
    const about = letter.kind === "signed_in" && userId !== null
      ? `signed_in ${userId}`
      : null;
    const key = hashOf(target.text);
    await transaction(db, async (tx) => {
      const last = about === null ? undefined : await lastAbout(tx, key, about);
      const nextTryAt = last === undefined ? now : Math.min(
        Math.max(now, last + LETTER_EVERY_MS),
        now + LETTER_EVERY_MS,
      );
      const message = { ...letterWords(letter, host), to: address };
      await this.#queue(tx, target, { about, userId, nextTryAt }, message);
    });
    this.#onQueued();
    return true;
  }

  /** The same for what nothing waits for: that it fails holds up nothing. */
  async tell(
    address: string | null,
    letter: Letter,
    userId: UserId,
  ): Promise<void> {
    if (address === null || !this.hasMail) return;
    try {
      await this.write(address, letter, userId);
    } catch (cause) {
      this.parts.platform.log.warn("a mail was not written", {
        cause: String(cause),
      });
    }
  }

  /**
   * Sends what is due, each message once: another process that does the same
   * leaves it alone meanwhile. Returns how many came through.
   */
  sendDue(deliver: Deliver): Promise<{ readonly sent: number }> {
    const run = this.#sending.then(() => this.#sendDue(deliver));
    this.#sending = run.catch(() => {});
    return run;
  }

  async #sendDue(deliver: Deliver): Promise<{ readonly sent: number }> {
    const { db, platform } = this.parts;
    const now = platform.now();
    const due = await listDue(db, now);
    // Side by side: one that does not answer holds up no other.
    const targets = Map.groupBy(due, ({ target }) => target);
    const counts = await Promise.all(
      [...targets].map(async ([key, rows]) => {
        const target = this.parts.targets.find((one) =>
          hashOf(one.text) === key
        );
        let sent = 0;
        for (const row of rows) {
          if (await this.#sendOne(target, row, deliver)) sent += 1;
        }
        return sent;
      }),
    );
    if (due.length > 0) await purgeOutgoing(db, platform.now());
    return { sent: counts.reduce((sum, one) => sum + one, 0) };
  }

  async #sendOne(
    target: NotifyTarget | undefined,
    row: OutgoingRow,
    deliver: Deliver,
  ): Promise<boolean> {
    const { db, platform, sealing } = this.parts;
    const now = platform.now();
    // Of a setting that is gone, or tried for its day.
    if (target === undefined || row.expires_at <= now || row.sealed === null) {
      await deleteOutgoing(db, row.message_id);
      platform.log.warn("a notice was given up", {
        target: target?.name ?? "one that is not set any more",
      });
      return false;
    }
    if (!await claim(db, row, now + LEASE_MS)) return false;
    try {
      const opened = openAtRest(
        sealing.keys,
        row.sealed,
        contextOf(row.message_id),
      );
      await deliver(target, JSON.parse(new TextDecoder().decode(opened)));
    } catch (cause) {
      const fault = cause instanceof DeliveryFault
        ? cause.message
        : "it cannot be read";
      const at = platform.now();
      // One minute, two, four, and then every hour.
      const wait = Math.min(HOUR_MS, MINUTE_MS * 2 ** row.attempts);
      await transaction(
        db,
        (tx) => markFailed(tx, row, { now: at, nextTryAt: at + wait, fault }),
      );
      platform.log.warn("a notice did not come through", {
        target: target.name,
        fault,
      });
      return false;
    }
    await transaction(db, (tx) => markSent(tx, row, platform.now()));
    return true;
  }

  /** How the targets that are set do. */
  async states(): Promise<TargetState[]> {
    const { db, targets } = this.parts;
    const [rows, waiting] = await Promise.all([
      listTargets(db),
      countWaiting(db),
    ]);
    return targets.map(({ text, name }) => {
      const key = hashOf(text);
      const row = rows.find(({ target }) => target === key);
      return {
        name,
        waiting: waiting.find(({ target }) => target === key)?.waiting ?? 0,
        sentAt: row?.sent_at ?? null,
        failingSince: row?.failing_since ?? null,
        fault: row?.fault ?? null,
      };
    });
  }

  #mail(): NotifyTarget | undefined {
    return this.parts.targets.find(({ kind }) => kind === "smtp");
  }

  async #write(tx: Tx, notice: Notice): Promise<void> {
    const { targets, serverId } = this.parts;
    const message = messageOf(notice, serverId);
    const about = `${notice.event} ${notice.state} ${toRfc3339(notice.at)}`;
    const queued = { about, userId: null, nextTryAt: notice.at };
    for (const target of targets) {
      await this.#queue(tx, target, queued, message);
    }
  }

  async #queue(
    tx: Tx,
    target: NotifyTarget,
    { about, userId, nextTryAt }: {
      readonly about: string | null;
      readonly userId: UserId | null;
      readonly nextTryAt: number;
    },
    message: Message,
  ): Promise<void> {
    const { platform, sealing } = this.parts;
    const id = toHex(platform.random(ID_BYTES));
    const now = platform.now();
    await insertOutgoing(tx, {
      message_id: id,
      target: hashOf(target.text),
      about,
      user_id: userId,
      sealed: sealAtRest(
        sealing.active,
        utf8(JSON.stringify(message)),
        contextOf(id),
        platform.random,
      ),
      created_at: now,
      expires_at: nextTryAt + TRIED_MS,
      next_try_at: nextTryAt,
    });
  }
}

/** A notice as its targets get it. */
export function messageOf(notice: Notice, serverId: string): Message {
  const { title, body } = wordsOf(notice);
  const host = new URL(serverId).host;
  return {
    subject: `${host}: ${title}`,
    text: [
      `${title}.`,
      ...body === "" ? [] : ["", body],
      "",
      sinceOf(notice.state, notice),
      `Server: ${serverId}`,
      "",
    ].join("\n"),
    notice: { ...notice, serverId },
  };
}

function sinceOf(state: EventState, { since, at }: Notice): string {
  switch (state) {
    case "began":
    case "goes_on":
      return `Since ${
        toRfc3339(since)
      }. This is said once a day until it ends.`;
    case "ended":
      return `It lasted from ${toRfc3339(since)} to ${toRfc3339(at)}.`;
    case "happened":
      return `On ${toRfc3339(at)}.`;
  }
}

function contextOf(messageId: string): string {
  return `strongroom outgoing ${messageId}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
