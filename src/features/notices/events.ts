/**
 * What the operator is told of, and in which words (notices.md#events). No text
 * names a photo, an album, a link or a secret.
 *
 * @module
 */

import { countedAre } from "../../core/sizes.ts";

/** Trouble, which lasts until it ends. */
const CONDITIONS = [
  "backup_failed",
  "backup_old",
  "disk_low",
  "disk_full",
  "blob_missing",
  "blob_damaged",
  "certificate_ending",
  "lockouts",
  "witness_alarm",
  "phone_silent",
] as const;
export type Condition = typeof CONDITIONS[number];

/** What happens once. */
const OCCASIONS = ["migrated", "check_done", "test"] as const;
export type Occasion = typeof OCCASIONS[number];

export type Event = Condition | Occasion;

/** How a message's event stands. */
export type EventState = "began" | "goes_on" | "ended" | "happened";

/** Counts and the like; nothing that names anything of anybody's. */
export type Facts = Readonly<Record<string, number | string>>;

/** A message as targets get it; instants in ms. */
export interface Notice {
  readonly event: Event;
  readonly state: EventState;
  readonly since: number;
  readonly at: number;
  readonly facts: Facts;
}

interface Words {
  readonly title: (facts: Facts) => string;
  /** What it means, and what to do. */
  readonly body: (facts: Facts) => string;
  /** The title once it has ended; what happens once does not. */
  readonly ended?: string;
}

const WORDS: Readonly<Record<Event, Words>> = {
  backup_failed: {
    title: ({ damaged }) =>
      damaged === undefined ? "A backup failed" : "A backup is not whole: " +
        `${countedAre(Number(damaged), "file")} damaged or missing here`,
    body: ({ damaged }) =>
      damaged === undefined
        ? "What came since the last whole backup exists once. Run strongroom " +
          "backup by hand: it says why it fails and what to do."
        : "Run strongroom check --deep: it lists them, with a fix for each.",
    ended: "A backup succeeded again",
  },
  backup_old: {
    title: ({ days }) =>
      days === undefined
        ? "No backup was ever made"
        : `The last backup is ${days} days old`,
    body: () =>
      "What came since exists once. Run strongroom backup, and see why its " +
      "timer does not.",
    ended: "A new backup was made",
  },
  disk_low: {
    title: ({ free, files }) =>
      files === undefined
        ? `The disk is filling up: ${free} free`
        : `The disk is running out of inodes: ${files} more files can be made`,
    body: () => "Make room before uploads are refused.",
    ended: "The disk has room again",
  },
  disk_full: {
    title: ({ free, why }) =>
      why === "inodes"
        ? `The disk is out of inodes, although ${free} are free: uploads fail`
        : why === "quota"
        ? "The server's user is over its disk quota, although the disk has " +
          `${free} free: uploads fail`
        : `The disk is full: ${free} free, uploads are refused`,
    body: ({ why }) =>
      why === "inodes"
        ? "Remove files from that disk; many small ones take its inodes (df -i)."
        : why === "quota"
        ? "Raise the quota (quota -s, or the limit of the volume)."
        : "Make room, or lower STRONGROOM_RESERVED_DISK_BYTES. What people delete " +
          "gives its room back when STRONGROOM_TRASH_DAYS are over.",
    ended: "The disk is not full any more",
  },
  blob_missing: {
    title: ({ count }) => `Stored files are missing: ${count}`,
    body: () =>
      "Look at the disk. strongroom check lists them, with a fix for each: a " +
      "backup, or a device of their owner.",
    ended: "No stored file is missing any more",
  },
  blob_damaged: {
    title: ({ count }) => `Stored files are damaged: ${count}`,
    body: () =>
      "Look at the disk. strongroom check --deep lists them, with a fix for " +
      "each: a backup, or a device of their owner.",
    ended: "No stored file is damaged any more",
  },
  certificate_ending: {
    title: ({ days }) =>
      Number(days) < 0
        ? "The certificate has ended"
        : `The certificate ends in ${days} days`,
    body: () =>
      "Renew it: no one can connect once it has ended. strongroom doctor " +
      "says which one it is.",
    ended: "The certificate was renewed",
  },
  lockouts: {
    title: ({ accounts }) => `Unusually many lockouts: ${accounts} accounts`,
    body: () =>
      "Someone is guessing passwords. Nothing is open to them as long as " +
      "passwords are good ones; see where they come from in the log of your " +
      "proxy or firewall.",
    ended: "The lockouts are over",
  },
  witness_alarm: {
    title: () => "A witness contradicts this server's logs",
    body: () =>
      "It has seen more than this server knows, or something else: the data " +
      "directory may be an old copy. Run strongroom doctor before anything " +
      "else.",
    ended: "No witness contradicts this server's logs any more",
  },
  phone_silent: {
    title: ({ phones, days }) =>
      phones === 1
        ? `A phone has sent nothing for ${days} days`
        : `${phones} phones have sent nothing for up to ${days} days`,
    body: () =>
      "Run strongroom receive status: it names the phone. Open the app that " +
      "uploads on it: it may have been stopped, or need its password again.",
    ended: "No phone is silent any more",
  },
  migrated: {
    title: ({ from, to }) =>
      `The database was brought from schema ${from} to ${to}`,
    body: () =>
      "A copy of it from before is in the data directory; strongroom rollback " +
      "goes back to it.",
  },
  check_done: {
    title: ({ found }) =>
      found === 0
        ? "A check found nothing wrong"
        : `A check found something wrong: ${found} findings`,
    body: ({ found }) =>
      found === 0
        ? "Everything that it looked at is there and whole."
        : "Run strongroom check: it lists each with its fix.",
  },
  test: {
    title: () => "This is a test",
    body: () => "Notices of this server arrive here.",
  },
};

/** A message in words: one line, and what to do. */
export function wordsOf(
  { event, state, facts }: Notice,
): { readonly title: string; readonly body: string } {
  const words = WORDS[event];
  if (state === "ended") {
    return { title: words.ended ?? words.title(facts), body: "" };
  }
  return { title: words.title(facts), body: words.body(facts) };
}
