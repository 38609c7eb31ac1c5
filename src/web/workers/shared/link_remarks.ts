/**
 * Hearts and comments by a link's page: what guests said of its photos, and
 * saying more. The link shows it once a device of its owner has taken it in.
 * Until then, this browser shows what was said here.
 *
 * @module
 */
import * as z from "zod/mini";
import { readTime } from "../../../core/time.ts";
import { createGuest } from "../../../client/api/links.ts";
import { ApiProblem } from "../../../client/api/transport.ts";
import { commentText, hexId } from "../../../client/documents/fields.ts";
import { decodeJson, encodeJson } from "../../../client/documents/json.ts";
import type { ShareRemark } from "../../../client/documents/share.ts";
import { clientOptions } from "../../../library/base/platform.ts";
import {
  sayAsGuest,
  takeBackAsGuest,
} from "../../../library/sharing/guest_saying.ts";
import { browserFetch, now, randomBytes } from "../../browser.ts";
import {
  type BrowserJournal,
  browserJournal,
} from "../guests/browser_journal.ts";
import type {
  PhotoRemarks,
  RemarkAuthor,
} from "../library/remarks/remark_cards.ts";
import { swiftPrimitives } from "../sealing/lazy_libsodium.ts";
import { toldWait } from "./told_wait.ts";

/** What this browser remembers of a link at most. */
const MOST_KEPT = 2_000;
const KEPT = "remarks";
const NOTHING = new Uint8Array();

const keptSchema = z.object({
  said: z.array(z.object({
    token: hexId,
    id: hexId,
    on: z.string(),
    from: z.string(),
    at: z.string(),
    text: z.optional(z.string()),
    /** The number of the first index seen here that showed it. */
    shown: z.optional(z.int()),
    /** It was taken back. */
    gone: z.optional(z.literal(true)),
  })),
});
type Kept = z.output<typeof keptSchema>["said"][number];

/** A photo of the opened link. */
export interface SaidOf {
  readonly opaqueId: string;
  /** The number of the link's index. */
  readonly n: number;
  /** Content address of its original. */
  readonly on: string;
  /** What the link shows of it. */
  readonly remarks: readonly ShareRemark[];
  /** The address of the link's upload half, if viewers may say something. */
  readonly half: string | undefined;
}

const platform = {
  fetch: browserFetch,
  now,
  random: randomBytes,
  primitives: swiftPrimitives,
  wait: toldWait,
  clientVersion: "strongroom-web/1",
};

/** What is said of a photo, with what was said here. */
export async function remarksOf(of: SaidOf): Promise<PhotoRemarks> {
  const { remarks, half, n } = of;
  const own = await kept(of);
  const mine = new Map(own.map((one) => [one.id, one]));
  const published = new Set(remarks.map(({ id }) => id));
  const isNew = (one: Kept) => published.has(one.id) && one.shown === undefined;
  if (own.some(isNew)) {
    await keep(
      of,
      (all) => all.map((one) => isNew(one) ? { ...one, shown: n } : one),
    );
  }
  // What an earlier index showed was deleted since.
  const waits = ({ id, shown }: Kept) =>
    !published.has(id) && (shown === undefined || shown > n);
  const all: readonly ShareRemark[] = [...remarks, ...own.filter(waits)];
  const hearts: RemarkAuthor[] = [];
  const comments: PhotoRemarks["comments"][number][] = [];
  for (const { id, from: name, at, text } of all) {
    const isMine = mine.get(id);
    if (isMine?.gone === true) continue;
    const me = isMine !== undefined;
    if (text === undefined) hearts.push({ me, name });
    else {
      const removable = me && half !== undefined;
      const card = { id, at: readTime(at) ?? 0, text, removable };
      comments.push({ me, name, ...card });
    }
  }
  const may = half !== undefined ? "write" : all.length > 0 ? "guests" : "none";
  return { may, isSent: false, hearts, comments };
}

/**
 * Whether the upload half of a link is gone: it ended, or its owner revoked it.
 * Throws as requests do.
 */
export async function isHalfGone(opaqueId: string): Promise<boolean> {
  const options = clientOptions(platform, location.origin);
  try {
    await createGuest(options, opaqueId).viewLink();
    return false;
  } catch (error) {
    if (isOfGoneHalf(error)) return true;
    throw error;
  }
}

/** Whether the server refused something because the upload half is gone. */
export function isOfGoneHalf(error: unknown): boolean {
  return error instanceof ApiProblem &&
    error.code === "error.upload_link.not_found";
}

/** Says something of a photo: a heart without a text. */
export async function say(
  of: SaidOf,
  from: string,
  typed?: string,
): Promise<void> {
  const { on, half } = of;
  const text = typed?.normalize("NFC").trim();
  if (half === undefined) throw new Error("the link takes nothing");
  if (text !== undefined) commentText.parse(text);
  const saying = { on, from, ...(text === undefined ? {} : { text }) };
  const said = await sayAsGuest(platform, half, saying);
  await keep(of, (all) => [...all, { ...said, ...saying }]);
}

/** Takes back what was said here: a comment, or the hearts for a photo. */
export async function takeBack(of: SaidOf, id?: string): Promise<void> {
  const { half } = of;
  if (half === undefined) throw new Error("the link takes nothing");
  const wanted = (await kept(of)).filter((one) =>
    one.gone !== true &&
    (id === undefined ? one.text === undefined : one.id === id)
  );
  for (const { token } of wanted) {
    await takeBackAsGuest(platform, half, token);
    await keep(
      of,
      (all) =>
        all.map((one) => one.token === token ? { ...one, gone: true } : one),
    );
  }
}

/** Journals of links, by their ids. */
const journals = new Map<string, Promise<BrowserJournal>>();

function journalOf({ opaqueId }: SaidOf): Promise<BrowserJournal> {
  const journal = journals.get(opaqueId) ?? browserJournal(opaqueId);
  journals.set(opaqueId, journal);
  return journal;
}

/** What was said here by a link: in other tabs, too. */
async function saidHere(of: SaidOf): Promise<readonly Kept[]> {
  const bytes = await (await journalOf(of)).read(KEPT);
  try {
    return decodeJson(keptSchema, bytes ?? NOTHING, "remarks").said;
  } catch {
    return [];
  }
}

/** What was said here of a photo. */
async function kept(of: SaidOf): Promise<readonly Kept[]> {
  return (await saidHere(of)).filter(({ on }) => on === of.on);
}

/** The browser's locks, where it has them. */
const { locks } = navigator as { readonly locks?: LockManager };

/** Changes what is kept. Tabs take turns: none undoes what another wrote. */
async function keep(
  of: SaidOf,
  change: (said: readonly Kept[]) => readonly Kept[],
): Promise<void> {
  const write = async () => {
    const said = change(await saidHere(of)).slice(-MOST_KEPT);
    const entry = encodeJson(keptSchema, { said }, "remarks");
    await (await journalOf(of)).write(KEPT, entry);
  };
  if (locks === undefined) await write();
  else await locks.request(`strongroom-said/${of.opaqueId}`, write);
}
