/**
 * Replies (protocol/albums-abroad.md#replies): a member of another server tells
 * the owner of an album that they are in it, have left it, or ask to see it
 * again.
 *
 * @module
 */
import { DAY_MS, toRfc3339 } from "../../core/time.ts";
import {
  type Reply,
  REPLY_MIME,
  signReply,
} from "../../client/documents/abroad_mail.ts";
import { instantOf } from "../base/merging.ts";
import type { Library } from "../library.ts";
import type { Joined } from "../trust/abroad_state.ts";
import { AbroadError, AlbumLeft } from "./abroad_fault.ts";
import { isNotSent, sendMail } from "./mail.ts";

/** What a reply is about. */
interface ReplyAbout
  extends Pick<Joined, "member" | "owner" | "reply" | "reply_seq"> {
  /** `<album_id>@<server_id>`. */
  readonly id: string;
}

/** What a reply says. */
type Said = Pick<Reply, "kind" | "text">;

/** Sends a reply; false if the owner's server cannot be told. */
export async function replyTo(
  library: Library,
  about: ReplyAbout,
  said: Said,
): Promise<boolean> {
  const { now } = library.vault.session.platform;
  const seq = nextSeq(now(), about.reply_seq);
  return await trySending(library, { ...about, reply_seq: seq }, said);
}

async function trySending(
  library: Library,
  about: ReplyAbout,
  said: Said,
): Promise<boolean> {
  try {
    return await sendReply(library, about, said);
  } catch (error) {
    if (!isNotSent(error)) throw error;
    return false;
  }
}

/**
 * Sends a reply of the number that it has; false where the invitation names no
 * way.
 */
async function sendReply(
  { vault: { session: { platform }, identity } }: Library,
  { id, member, owner, reply, reply_seq }: ReplyAbout,
  said: Said,
): Promise<boolean> {
  const now = platform.now();
  if (reply === undefined || instantOf(reply.expires_at) < now) return false;
  const at = id.indexOf("@");
  const serverId = id.slice(at + 1);
  const bytes = await signReply(identity.signer, {
    to: `${owner}@${serverId}`,
    from: member,
    seq: reply_seq ?? 1,
    album_id: id.slice(0, at),
    ...said,
    sent_at: toRfc3339(now),
  });
  const file = { mime: REPLY_MIME, bytes };
  await sendMail(platform, serverId, reply, file);
  return true;
}

/**
 * The number of the next reply. The time begins it, so that it is above those
 * of before the person left an album, which no entry has any more.
 */
function nextSeq(now: number, before: number | undefined): number {
  return Math.max(Math.trunc(now), (before ?? 0) + 1);
}

/** Replies about an album that the person is in; false if it was not sent. */
export async function replyOf(
  library: Library,
  id: string,
  said: Said,
): Promise<boolean> {
  const about = await numbered(library, id);
  return about !== undefined && await trySending(library, about, said);
}

/** The entry of an album with the number of its next reply, which is kept. */
async function numbered(
  library: Library,
  id: string,
): Promise<ReplyAbout | undefined> {
  const { now } = library.vault.session.platform;
  const slot = await library.abroad();
  if (slot.joined.get(id)?.reply === undefined) return undefined;
  await slot.joined.change(
    id,
    (present) =>
      present === undefined ? undefined : {
        ...present,
        reply_seq: nextSeq(now(), present.reply_seq),
      },
  );
  const entry = slot.joined.get(id);
  return entry === undefined ? undefined : { ...entry, id };
}

/** Whether the owner of an album can be asked now. */
export async function mayAsk(library: Library, id: string): Promise<boolean> {
  const { now } = library.vault.session.platform;
  const { joined } = await library.abroad();
  const { reply, asked_at } = joined.get(id) ?? {};
  return reply !== undefined && instantOf(reply.expires_at) > now() &&
    Math.abs(now() - instantOf(asked_at)) >= DAY_MS;
}

/**
 * Asks the owner of an album to let the person go on seeing it, once a day.
 * Throws an AbroadError, and what sending throws.
 */
export async function askOwner(
  library: Library,
  id: string,
  { text }: { readonly text?: string } = {},
): Promise<void> {
  const { now } = library.vault.session.platform;
  const slot = await library.abroad();
  await slot.read();
  if (slot.joined.get(id) === undefined) throw new AlbumLeft(id);
  if (!await mayAsk(library, id)) {
    const { reply, asked_at } = slot.joined.get(id) ?? {};
    const isAsked = reply !== undefined &&
      Math.abs(now() - instantOf(asked_at)) < DAY_MS;
    throw isAsked
      ? new AbroadError("asked", "you have asked today")
      : new AbroadError("no_reply", "the owner's program takes no questions");
  }
  const about = await numbered(library, id);
  if (about === undefined) throw new AlbumLeft(id);
  const said = {
    kind: "ask",
    ...(text === undefined ? {} : { text }),
  } as const;
  await sendReply(library, about, said);
  await slot.joined.change(
    id,
    (present) =>
      present === undefined
        ? undefined
        : { ...present, asked_at: toRfc3339(now()) },
  );
}
