/**
 * What this account says in albums: members who may add store it, and viewers
 * send it to the album's owner
 * (protocol/client-cryptography.md#what-viewers-say).
 *
 * @module
 */
import * as z from "zod/mini";
import { toBase64, toHex } from "../../core/bytes.ts";
import { DAY_MS, readTime, toRfc3339 } from "../../core/time.ts";
import { ApiProblem } from "../../client/api/transport.ts";
import {
  type AlbumRemark,
  signAlbumRemark,
} from "../../client/documents/album_remark.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import { buildUploadLink } from "../../client/documents/upload_link.ts";
import {
  addRemark,
  newRemark,
  remarkRights,
  remarksOn,
  removeRemarks,
  type ShownRemark,
  takeHeartBack,
} from "../albums/remarks.ts";
import { verifyViewerRemarks } from "../albums/viewer_remarks.ts";
import { isOfEverything } from "../base/faults.ts";
import type { Library } from "../library.ts";
import type { Row } from "../rows/rows.ts";
import { deliver } from "./guest_saying.ts";

/**
 * How long this device remembers what it sent (ms), and how much of it. What was
 * deleted before this device saw it in the album is shown here for that long.
 */
const KEPT_MS = 30 * DAY_MS;
const MOST_KEPT = 500;
/** Where it does. */
const PLACE = { space: "program", key: "said" } as const;
/** Begins the ids of what was sent from here and is not in the album yet. */
const WAITS = "waits/";
const ID_BYTES = 16;

const sentSchema = z.array(z.object({
  album: z.string(),
  id: z.string(),
  on: z.string(),
  of: z.string(),
  at: z.string(),
  text: z.optional(z.string()),
  /** It was taken back. */
  gone: z.optional(z.literal(true)),
}));
type Sent = z.output<typeof sentSchema>[number];

/**
 * What is said of a photo, or of all, as `remarksOn` returns it, with what was
 * sent from this device and is not in the album yet.
 */
export async function saidOn(
  library: Library,
  photoId?: string,
): Promise<readonly ShownRemark[]> {
  await verifyViewerRemarks(library, { photoId });
  return remarksOn(library, photoId, await rowsSaid(library));
}

/** The rows of what is said, with what was sent from here and waits. */
async function rowsSaid(library: Library): Promise<readonly Row[]> {
  const own = await sentFrom(library);
  if (own.size === 0) return library.index.apart();
  const { albums, index, vault: { session } } = library;
  const isMine = ({ said }: Row) => said?.by === session.userId;
  const rows = index.apart().filter((row) =>
    !isMine(row) || own.get(row.said?.id ?? "")?.gone !== true
  );
  const taken = new Set(
    rows.filter(isMine).flatMap(({ said }) => said?.id ?? []),
  );
  const over: string[] = [];
  const waiting: Row[] = [];
  for (const { album, gone, ...said } of own.values()) {
    const owner = albums.get(album)?.owner;
    const isOld = (readTime(said.at) ?? 0) + KEPT_MS < session.platform.now();
    if (isOld || taken.has(said.id)) over.push(said.id);
    else if (gone !== true && owner !== undefined) {
      waiting.push(rowOf({ ...said, by: session.userId }, album, owner));
    }
  }
  if (over.length > 0) await keep(library, { over });
  return [...rows, ...waiting];
}

/** What was sent from here, as it will be in the album. */
function rowOf(
  said: NonNullable<Row["said"]>,
  album: string,
  owner: string,
): Row {
  return {
    id: `${WAITS}${said.id}`,
    album,
    owner,
    at: said.at,
    said,
    state: "live",
    custody: "unverified",
    head: "",
    seq: 0,
    blobs: [],
    epoch: 0,
    chunk_size: 0,
    revision: 0,
  };
}

/**
 * Comments on a photo of an album, or gives it a heart where no text is given.
 * What a viewer says is in the album once a device of its owner took it in.
 * Throws as `addRemark` and `openGuestBox` do, and DocumentError where the album
 * names no link for viewers.
 */
export async function say(
  library: Library,
  photoId: string,
  typed?: string,
): Promise<void> {
  if (remarkRights(library, photoId) !== "send") {
    return await addRemark(library, photoId, typed);
  }
  const { random } = library.vault.session.platform;
  const { album, remark } = newRemark(library, photoId, typed);
  const id = toHex(random(ID_BYTES));
  await send(library, album, { id, ...remark });
  await keep(library, { sent: { album, id, ...remark } });
}

/**
 * Deletes comments and hearts, as `removeRemarks` does; what this account said
 * as a viewer it takes back.
 */
export async function unsay(
  library: Library,
  ids: readonly string[],
): Promise<void> {
  const { userId } = library.vault.session;
  const said = await saidOn(library);
  const isSent = (one: ShownRemark) =>
    one.said !== undefined && one.author === userId;
  const sent = said.filter((one) => isSent(one) && ids.includes(one.id));
  for (const one of sent) await takeBack(library, one);
  const others = new Set(sent.map(({ id }) => id));
  await removeRemarks(library, ids.filter((id) => !others.has(id)));
}

/** Takes this account's heart from a photo. Throws as {@link unsay} does. */
export async function takeHeart(
  library: Library,
  photoId: string,
): Promise<void> {
  const { userId } = library.vault.session;
  await verifyViewerRemarks(library, { photoId });
  // They may have sent more than one, of which one is shown.
  for (const { said, album, state } of await rowsSaid(library)) {
    const isHeart = state === "live" && said?.by === userId &&
      said.on === photoId && said.text === undefined;
    if (!isHeart || album === undefined) continue;
    await takeBack(library, { said: said.id, album, on: said.on });
  }
  await takeHeartBack(library, photoId);
}

async function takeBack(
  library: Library,
  { said: id = "", album, on }: Pick<ShownRemark, "said" | "album" | "on">,
): Promise<void> {
  const at = toRfc3339(library.vault.session.platform.now());
  await send(library, album, { id, at });
  const sent = { album, id, on, of: "", at, gone: true } as const;
  await keep(library, { sent });
}

/**
 * Leaves someone else's album, or declines the invitation to it. What this
 * account said there is deleted before: no one could delete it afterwards, and
 * it would go on to take its room. Throws as `Albums.leave` does.
 */
export async function leaveAlbum(
  library: Library,
  albumId: string,
): Promise<void> {
  const { albums, vault: { session } } = library;
  await verifyViewerRemarks(library, { leavesAlbum: albumId });
  for (const row of await rowsSaid(library)) {
    const { id, album, owner, said, metadata } = row;
    if (album !== albumId) continue;
    try {
      if (said?.by === session.userId) {
        await takeBack(library, { said: said.id, album, on: said.on });
      } else if (owner === session.userId && metadata?.remark !== undefined) {
        await removeRemarks(library, [id]);
      }
    } catch (error) {
      // Whoever may delete nothing may leave.
      const isOfOne = error instanceof ApiProblem ||
        error instanceof DocumentError;
      if (!isOfOne || isOfEverything(error)) throw error;
    }
  }
  await albums.leave(albumId);
}

/** Signs something and sends it to the album's owner. */
async function send(
  library: Library,
  albumId: string,
  said: Omit<AlbumRemark, "album_id" | "author">,
): Promise<void> {
  const { vault: { identity, session } } = library;
  const author = session.userId;
  const signed = toBase64(
    await signAlbumRemark(identity.signer, {
      album_id: albumId,
      author,
      ...said,
    }),
  );
  const first = linkOf(library, albumId);
  try {
    await deliver(session.platform, first, { signed });
  } catch (error) {
    const isGone = error instanceof ApiProblem &&
      error.code === "error.upload_link.not_found";
    if (!isGone) throw error;
    // The owner's device has made another one.
    await library.sync();
    const next = linkOf(library, albumId);
    if (next === first) throw error;
    await deliver(session.platform, next, { signed });
  }
}

/** The address of the link by which viewers of an album say something. */
function linkOf({ albums, vault }: Library, albumId: string): string {
  const { viewers } = albums.get(albumId)?.info ?? {};
  if (viewers === undefined) {
    throw new DocumentError(`album ${albumId} takes no comments of viewers`);
  }
  const { opaque_id: opaqueId, fingerprint, gate } = viewers;
  const origin = new URL(vault.session.server).origin;
  return buildUploadLink({ origin, opaqueId, fingerprint, gate });
}

/** For each library, what was sent from this device, by its ids. */
const sending = new WeakMap<Library["index"], Promise<Map<string, Sent>>>();

function sentFrom({ index, store }: Library): Promise<Map<string, Sent>> {
  const held = sending.get(index) ?? (async () => {
    const bytes = await store.get(PLACE.space, PLACE.key);
    const sent = bytes === undefined
      ? []
      : decodeJson(sentSchema, bytes, "what was said");
    return new Map(sent.map((one) => [one.id, one]));
  })();
  sending.set(index, held);
  held.catch(() => sending.delete(index));
  return held;
}

/** Remembers something that was sent, or forgets what is over. */
async function keep(
  library: Library,
  { sent, over = [] }: {
    readonly sent?: Sent;
    readonly over?: readonly string[];
  },
): Promise<void> {
  const held = await sentFrom(library);
  for (const id of over) held.delete(id);
  if (sent !== undefined) held.set(sent.id, sent);
  for (const id of [...held.keys()].slice(0, -MOST_KEPT)) held.delete(id);
  const value = encodeJson(sentSchema, [...held.values()], "what was said");
  await library.store.write([{ ...PLACE, value }]);
}
