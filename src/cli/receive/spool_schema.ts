/**
 * The tables of the spool's register, and the shapes of their rows.
 *
 * @module
 */
import * as z from "zod";

/** The tables of the register. */
export const SCHEMA = `
  create table if not exists device (
    name text primary key,
    title text not null,
    origin text not null,
    opaque_id text not null,
    recipient_key blob not null,
    binding blob not null,
    expires_at text not null,
    salt blob not null,
    verifier blob not null,
    safe_key blob not null,
    created_at integer not null,
    seen_at integer,
    received_at integer,
    received integer not null default 0,
    delivered_at integer,
    delivered integer not null default 0
  ) strict, without rowid;
  create table if not exists entry (
    device text not null references device on delete cascade,
    place blob not null,
    parent blob not null,
    about blob not null,
    primary key (device, place)
  ) strict, without rowid;
  create index if not exists entry_by_parent on entry (device, parent);
  create table if not exists known (
    device text not null references device on delete cascade,
    content blob not null,
    at integer not null,
    sealed_id text not null,
    primary key (device, content)
  ) strict, without rowid;
  create index if not exists known_by_sealed on known (sealed_id);
  create table if not exists outgoing (
    id text primary key,
    device text not null,
    origin text not null,
    opaque_id text not null,
    expires_at text not null,
    hash text not null,
    size integer not null,
    sealed blob not null,
    upload text,
    received_at integer not null,
    fault text
  ) strict, without rowid;
  create index if not exists outgoing_by_time on outgoing (received_at, id);
  create table if not exists safe_list (
    device text primary key references device on delete cascade,
    sealed blob not null,
    at integer not null,
    shown blob,
    shown_bytes integer
  ) strict, without rowid;
  create table if not exists fact (
    name text primary key,
    value text not null
  ) strict, without rowid;
`;

/** The version of {@link SCHEMA}; a new register has version 0. */
export const VERSION = 1;

const bytes = z.instanceof(Uint8Array).transform((one) => new Uint8Array(one));
export const deviceRow = z.object({
  name: z.string(),
  title: z.string(),
  origin: z.string(),
  opaque_id: z.string(),
  recipient_key: bytes,
  /** What a file is bound to when it is sealed. */
  binding: bytes,
  expires_at: z.string(),
  salt: bytes,
  verifier: bytes,
  safe_key: bytes,
  created_at: z.int(),
  seen_at: z.int().nullable(),
  received_at: z.int().nullable(),
  received: z.int(),
  delivered_at: z.int().nullable(),
  delivered: z.int(),
});
export const atRow = z.object({ at: z.int() });
export const entryRow = z.object({ place: bytes, about: bytes });
export const outgoingRow = z.object({
  id: z.string(),
  device: z.string(),
  origin: z.string(),
  opaque_id: z.string(),
  expires_at: z.string(),
  hash: z.string(),
  size: z.int(),
  sealed: bytes,
  upload: z.string().nullable(),
  received_at: z.int(),
  fault: z.string().nullable(),
});
export const waitingRow = z.object({
  device: z.string(),
  files: z.int(),
  bytes: z.int(),
  oldest: z.int(),
  stuck: z.int(),
  fault: z.string().nullable(),
});
export const safeRow = z.object({
  sealed: bytes,
  at: z.int(),
  shown_bytes: z.int().nullable(),
});
export const shownRow = z.object({ shown: bytes });
export const lastRow = z.object({
  name: z.string(),
  received_at: z.int().nullable(),
});
export const versionRow = z.object({ user_version: z.int() });
export const factRow = z.object({ value: z.string() });
export const totalRow = z.object({ bytes: z.int() });

/** A telephone. */
export type Device = z.output<typeof deviceRow>;
/** What is kept about a name in a telephone's folder. */
export type EntryRow = z.output<typeof entryRow>;
/** A sealed file that the server does not have yet. */
export type Outgoing = z.output<typeof outgoingRow>;
/** When a telephone sent something last (ms). */
export type LastReceived = z.output<typeof lastRow>;
/** What waits of a telephone. */
export type WaitingFiles = z.output<typeof waitingRow>;

/** A list of what is proven to be kept, sealed for a telephone. */
export type SafeRow = z.output<typeof safeRow>;
