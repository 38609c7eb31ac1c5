/**
 * Live photos that come by an upload link: a still and its video, by one link,
 * are accepted as one asset, as they are when a folder is pushed.
 *
 * @module
 */
import { DocumentError } from "../../client/documents/fields.ts";
import { readMediaFacts } from "../../media/exif/mod.ts";
import { videoOf } from "../showing/export_layout.ts";
import {
  areAtOnce,
  identifierIn,
  motionOf,
  pairByName,
  pairFiles,
  UNTOLD,
} from "../../media/exports/live_photos.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { plainOf } from "../rows/plaintext_cache.ts";
import { isOfEverything } from "../base/faults.ts";
import type { AcceptOptions, Waiting } from "./inbox.ts";
import type { Kept } from "../adding/upload.ts";
import type { Library } from "../library.ts";
import { isVideoOf } from "../showing/live_pairs.ts";
import type { Row } from "../rows/rows.ts";

/**
 * Both halves are looked at in memory: larger files are no live photo (bytes).
 */
const MAX_BYTES = 40 * 1024 * 1024;
/** Stills of one name that a video is held against. */
const MOST_STILLS = 8;

/**
 * Videos by the stills that they may belong to: of one identifier, or of one
 * name. Throws what is about the connection or the session.
 */
export async function pairsAmong(
  library: Library,
  waiting: readonly Waiting[],
): Promise<ReadonlyMap<Waiting, Waiting>> {
  const named = waiting.flatMap((one) =>
    one.file === undefined || one.size > MAX_BYTES
      ? []
      // Two guests may send files of one name.
      : [{
        path: `${one.opaqueId}/${one.file.path ?? ""}/${one.file.name}`,
        one,
      }]
  );
  const pairs = await pairFiles(named, async ({ path, one }) => {
    try {
      const source = await library.waiting(one.opaqueId, one.uploadId);
      // Without a connection the halves would be two photos for good.
      return await identifierIn(path, source, isOfEverything);
    } catch (error) {
      // What does not open, or waits no more, is told when its turn comes.
      if (error instanceof DocumentError) return undefined;
      throw error;
    }
  });
  return new Map([...pairs].map(([still, video]) => [still.one, video.one]));
}

/**
 * Accepts a still with its video. Undefined if the two are no live photo, or
 * the library has the still with another video: then each is a file of its own.
 * `describe` tells of the still what accepting it alone would.
 */
export async function acceptPair(
  library: Library,
  still: Waiting,
  video: Waiting,
  { signal, describe }: {
    readonly signal?: AbortSignal;
    readonly describe?: (still: Waiting) => Promise<AcceptOptions>;
  } = {},
): Promise<Kept | undefined> {
  const options = signal === undefined ? {} : { signal };
  const [picture, moving] = [
    await library.peek(still.opaqueId, still.uploadId, MAX_BYTES),
    await library.peek(video.opaqueId, video.uploadId, MAX_BYTES),
  ];
  const motion = await motionOf(
    plainOf(picture.bytes),
    plainOf(moving.bytes),
    video.file?.name ?? "",
    UNTOLD,
  );
  if (motion === undefined) return undefined;
  const own = library.vault.libraryAlbumId;
  const sha256 = await library.hash(plainOf(moving.bytes), options);
  // The same video is there by itself.
  if (library.index.byPlaintext(sha256, own) !== undefined) return undefined;
  const known = library.index.byPlaintext(
    await library.hash(plainOf(picture.bytes), options),
    own,
  );
  const held = known === undefined ? undefined : videoOf(known);
  if (known !== undefined && !isOwn(library, known)) return undefined;
  if (known !== undefined && held !== undefined) {
    const { length: size } = moving.bytes;
    const its = await isVideoOf(library, known, { size, sha256 }, signal);
    if (!its) return undefined;
  }
  const about = await describe?.(still);
  const kept = await library.accept(still.opaqueId, still.uploadId, {
    ...about,
    derivatives: [...about?.derivatives ?? [], motion],
  });
  const { outcome, row } = kept;
  if (outcome === "known" && videoOf(row) === undefined) {
    await library.amend(row.id, { derivatives: [motion] });
  }
  // Its bytes are in the library by now, with their receipts.
  await library.refuse(video.opaqueId, video.uploadId);
  return kept;
}

/**
 * Gives a video that waits to the still that it belongs to, which came before:
 * of one name, and of one identifier or taken at the same moment. Undefined if
 * no such still is without a video. Phones reuse the numbers of photos, so a
 * name alone is not enough.
 */
export async function acceptLateVideo(
  library: Library,
  video: Waiting,
): Promise<Row | undefined> {
  const { opaqueId, uploadId, file, size } = video;
  if (file === undefined || size > MAX_BYTES) return undefined;
  const named = [{ path: file.name }];
  const stills = library.list().filter((row) =>
    isOwn(library, row) && row.metadata !== undefined &&
    videoOf(row) === undefined &&
    row.metadata.size <= MAX_BYTES &&
    pairByName([{ path: row.metadata.name }, ...named]).size === 1
  ).slice(0, MOST_STILLS);
  if (stills.length === 0) return undefined;
  const { bytes } = await library.peek(opaqueId, uploadId, MAX_BYTES);
  const source = plainOf(bytes);
  const moving = await readMediaFacts(source);
  for (const row of stills) {
    const ranges = await library.ranges(row.id);
    const still: PlainSource = {
      size: ranges.size,
      read: (first, length) => ranges.read({ first, last: first + length - 1 }),
    };
    const facts = await readMediaFacts(still);
    const isOfOneId = moving.contentIdentifier !== undefined &&
      facts.contentIdentifier === moving.contentIdentifier;
    if (!isOfOneId && !areAtOnce(facts, moving)) continue;
    const motion = await motionOf(still, source, file.name, UNTOLD);
    if (motion === undefined) continue;
    const amended = await library.amend(row.id, { derivatives: [motion] });
    await library.refuse(opaqueId, uploadId);
    return amended;
  }
  return undefined;
}

function isOwn({ vault }: Library, { owner, album }: Row): boolean {
  return owner === vault.session.userId &&
    (album === undefined || album === vault.libraryAlbumId);
}
