/**
 * Reading what people of other servers sent, and doing what it asks for
 * (protocol/albums-abroad.md#knock, #replies).
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../core/bytes.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toRfc3339 } from "../../core/time.ts";
import { keyId } from "../../crypto/hybrid.ts";
import {
  type Reply,
  REPLY_MIME,
  verifyReply,
} from "../../client/documents/abroad_mail.ts";
import { verifyCard } from "../../client/documents/contact_card.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { entryOf, instantOf } from "../base/merging.ts";
import type { Library } from "../library.ts";
import type { AbroadSlot, Given } from "../trust/abroad_state.ts";
import { givenId, ofGiven } from "../trust/members_abroad.ts";
import { anchorInForce } from "../trust/trust_rules.ts";
import { inHaste, ownServerIds } from "./other_servers.ts";
import { forEachOf, giveAgain, removeAbroad } from "./giving.ts";
import { readKnocks } from "./knocking.ts";
import { type Mail, readMail } from "./mail.ts";

/** How far clocks may be apart when a link is taken for one that has ended. */
const CLOCK_MS = 10 * MINUTE_MS;
/** How long a server keeps what came by a link (protocol/links.md). */
const KEPT_MS = 30 * DAY_MS;
/** When the links are to be read next (ms, decimal). */
const DUE = { space: "program", key: "abroad-mail" } as const;

/** Which box's knocks come first (decimal), while some wait. */
const TURN = { space: "program", key: "knocks" } as const;

/** What came of reading. */
export interface MailRead {
  /** New invitations, `<album_id>@<server_id>`. */
  readonly invited: readonly string[];
  /** Members who left or declined, and were taken off the list. */
  readonly left: readonly AboutMember[];
  /** People who are no longer in an album and ask to see it again. */
  readonly asked: readonly AboutMember[];
}

/** A person of another server, and the album that it is about. */
interface AboutMember {
  readonly albumId: string;
  readonly member: string;
  /** What they say. */
  readonly text?: string;
}

/**
 * Reads the upload links for knocks and replies when the feed told of a guest's
 * file, when a server could not be asked before, and once a day. What replies
 * ask for is done within `alone`; knocks are followed outside of it, because
 * strangers choose the servers that this asks.
 */
export async function readMailbox(
  library: Library,
  { heard, alone = (work) => work() }: {
    readonly heard: boolean;
    readonly alone?: (work: () => Promise<void>) => Promise<void>;
  },
): Promise<MailRead> {
  const { store, vault: { session: { account, platform } } } = library;
  const now = platform.now();
  const invited: string[] = [];
  const left: AboutMember[] = [];
  const asked: AboutMember[] = [];
  const read = { invited, left, asked };
  const noteDue = (due: number) =>
    store.write([{ ...DUE, value: utf8(String(due)) }]);
  // The feed tells once: whoever is cut off here reads at the next start.
  if (heard) await noteDue(0);
  const due = Number(fromUtf8(await store.get(DUE.space, DUE.key) ?? utf8("")));
  if (due > now && due <= now + DAY_MS) return read;
  const slot = await library.abroad();
  await slot.read({ again: heard });
  const isLive = ({ expires_at }: { readonly expires_at: string }) =>
    instantOf(expires_at) + CLOCK_MS >= now;
  const cards = slot.cards.list().filter(([, one]) => isLive(one));
  const given = slot.given.list().filter(([, { reply }]) =>
    reply !== undefined && instantOf(reply.expires_at) + KEPT_MS >= now
  );
  if (cards.every(([, { box }]) => box === undefined) && given.length === 0) {
    await noteDue(now + DAY_MS);
    return read;
  }
  const used = new Map(
    (await account.uploadLinks()).filter(({ files_used }) => files_used > 0)
      .map(({ opaque_id, files_used }) => [opaque_id, files_used]),
  );
  let isUnfinished = false;
  const boxes = cards.flatMap(([cardId, { box }]) =>
    box !== undefined && used.has(box) ? [{ cardId, box }] : []
  );
  const files = boxes.reduce((sum, { box }) => sum + (used.get(box) ?? 0), 0);
  const haste = inHaste(platform, files);
  // A box whose knocks took all the time does not keep the others waiting.
  const held = await store.get(TURN.space, TURN.key);
  const first = Number(fromUtf8(held ?? utf8("")) ?? "") % (boxes.length || 1);
  try {
    for (const of of [...boxes.slice(first), ...boxes.slice(0, first)]) {
      const knocks = await readKnocks(library, { ...of, haste });
      invited.push(...knocks.invited);
      isUnfinished ||= knocks.isUnfinished;
    }
  } finally {
    haste.end();
  }
  const value = isUnfinished ? utf8(String(first + 1)) : null;
  if (held !== undefined || value !== null) {
    await store.write([{ ...TURN, value }]);
  }
  const answered = given.filter(([, { reply }]) =>
    used.has(reply?.opaque_id ?? "")
  );
  await noteDue(now + HOUR_MS);
  const answerOne = async ([id, held]: typeof answered[number]) => {
    const of = ofGiven(id);
    const mail = await readMail(
      library,
      held.reply?.opaque_id ?? "",
      REPLY_MIME,
    );
    const reply = await newestReply(library, slot, of, held, mail);
    const done = reply && await answer(library, slot, of, reply);
    // It stays for tomorrow.
    if (done === "early") return;
    // Whoever is cut off before this does it once more.
    for (const one of mail) await one.drop();
    if (done === "left") left.push(of);
    if (done !== "asked") return;
    const text = reply?.text;
    asked.push({ ...of, ...(text === undefined ? {} : { text }) });
  };
  if (answered.length > 0) {
    await alone(() => forEachOf(answered, ([id]) => id, answerOne));
  }
  if (!isUnfinished) await noteDue(now + DAY_MS);
  return read;
}

/** Puts away that a former member asks to be let in, until they ask again. */
export async function putAskAway(
  library: Library,
  { albumId, member }: AboutMember,
): Promise<void> {
  const { given } = await library.abroad();
  await given.change(givenId(albumId, member), (present) => {
    if (present?.reply === undefined) return present;
    const { text: _, ...reply } = present.reply;
    return { ...present, reply };
  });
}

/** The newest reply of a member that was not seen before. */
async function newestReply(
  library: Library,
  slot: AbroadSlot,
  { albumId, member }: AboutMember,
  { reply: box, key_id }: Given,
  mail: readonly Mail[],
): Promise<Reply | undefined> {
  const { vault: { session: { platform, userId } }, trust } = library;
  const contact = slot.contacts.get(member);
  const person = entryOf(trust.record.people, member);
  if (contact === undefined || person === undefined) return undefined;
  const { identity_key: identity } = await verifyCard(contact.card);
  const anchor = anchorInForce(person);
  // Whoever has another identity than the person decided for says nothing.
  if (keyId(identity) !== anchor || key_id !== anchor) return undefined;
  const own = (await ownServerIds(library)).map((one) => `${userId}@${one}`);
  let newest: Reply | undefined;
  for (const { bytes } of mail) {
    if (bytes === undefined) continue;
    try {
      const reply = await verifyReply(bytes, identity, platform.hybrid);
      const counts = reply.from === member && own.includes(reply.to) &&
        reply.album_id === albumId &&
        reply.seq > Math.max(box?.seq ?? 0, newest?.seq ?? 0);
      if (counts) newest = reply;
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
    }
  }
  return newest;
}

/** Does what a reply asks for; what came of it. */
async function answer(
  library: Library,
  slot: AbroadSlot,
  of: AboutMember,
  { seq, kind, text }: Reply,
): Promise<"left" | "asked" | "early" | "done"> {
  const { albumId, member } = of;
  const { albums, vault: { session: { platform } } } = library;
  const now = platform.now();
  const album = albums.get(albumId);
  if (album?.fault !== undefined) throw new DocumentError(album.fault);
  const isOpen = album !== undefined && !album.tombstoned;
  const isIn = isOpen && album.members.some(({ userId }) => userId === member);
  const id = givenId(albumId, member);
  const askedAt = instantOf(slot.given.get(id)?.reply?.asked_at);
  const isAsk = kind === "ask" && isOpen;
  // By this device's clock, which may have been ahead.
  if (isAsk && Math.abs(now - askedAt) < DAY_MS) return "early";
  const isGone = (kind === "left" || kind === "declined") && isIn;
  if (isGone) await removeAbroad(library, albumId, member);
  else if (isAsk && isIn) await giveAgain(library, of);
  const box = slot.given.get(id)?.reply?.opaque_id;
  if (box === undefined) return isGone ? "left" : "done";
  await slot.given.change(id, (present) => {
    if (present?.reply === undefined) return present;
    // A link in its place counts from its own beginning.
    if (present.reply.opaque_id !== box) return present;
    const { text: before, ...reply } = present.reply;
    // What waits for the owner's decision, until the member says another thing.
    const waits = isAsk ? text ?? "" : before;
    return {
      ...present,
      reply: {
        ...reply,
        seq,
        ...(isAsk ? { asked_at: toRfc3339(now) } : {}),
        ...(kind === "ask" && !isIn && waits !== undefined
          ? { text: waits }
          : {}),
      },
    };
  });
  if (isGone) return "left";
  return isAsk && !isIn ? "asked" : "done";
}
