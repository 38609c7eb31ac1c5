/**
 * The two halves of a live photo, which are one asset: whether a still and a
 * video are one, and whether an asset has a video.
 *
 * @module
 */
import { readMediaFacts } from "../exif/mod.ts";
import { videoOf } from "../exports/export_layout.ts";
import { isLivePhoto } from "../exports/live_photos.ts";
import { mediaTypeOf } from "../media_types.ts";
import type { PlainSource } from "../sealed_source.ts";
import type { NewDerivative } from "./upload.ts";
import type { Library } from "./library.ts";
import { DamagedBlob } from "./pull.ts";
import type { Row } from "./rows.ts";

/** A larger video is an asset of its own (bytes). */
const MAX_MOTION_BYTES = 32 * 1024 * 1024;

/** Whether two files of a name have to prove that they are one photo. */
export interface Pairing {
  /** The export tells of the video by itself. */
  readonly isKnownAlone: boolean;
  /** A video that does not say how long it is may be any. */
  readonly needsLength: boolean;
}

/** Files that nothing tells of but themselves. */
export const UNTOLD: Pairing = { isKnownAlone: false, needsLength: true };

/** The video as part of its still; undefined where the two are no pair. */
export async function motionOf(
  still: PlainSource,
  video: PlainSource,
  name: string,
  { isKnownAlone, needsLength }: Pairing,
): Promise<NewDerivative | undefined> {
  if (video.size > MAX_MOTION_BYTES) return undefined;
  const [picture, moving] = [
    await readMediaFacts(still),
    await readMediaFacts(video),
  ];
  const isTold = moving.durationMs !== undefined ||
    moving.contentIdentifier !== undefined;
  if (needsLength && !isTold) return undefined;
  if (!isLivePhoto(picture, moving, isKnownAlone)) return undefined;
  const mime = mediaTypeOf(name);
  return {
    kind: "motion",
    mime: mime.startsWith("video/") ? mime : "video/mp4",
    width: moving.width,
    height: moving.height,
    bytes: await video.read(0, video.size),
  };
}

/** Whether an asset's video has these very bytes, which are read to know it. */
export async function isVideoOf(
  library: Pick<Library, "read" | "hash">,
  row: Row,
  video: { readonly size: number; readonly sha256: string },
  signal?: AbortSignal,
): Promise<boolean> {
  if (videoOf(row)?.size !== video.size) return false;
  const wanted = { derivative: "motion" } as const;
  const options = signal === undefined ? {} : { signal };
  const held = new Uint8Array(video.size);
  let at = 0;
  try {
    for await (const piece of library.read(row.id, wanted, options)) {
      if (at + piece.length > held.length) return false;
      held.set(piece, at);
      at += piece.length;
    }
  } catch (error) {
    if (error instanceof DamagedBlob) return false;
    throw error;
  }
  const source = {
    size: at,
    read: (offset: number, length: number) =>
      Promise.resolve(held.subarray(offset, offset + length)),
  };
  return await library.hash(source, options) === video.sha256;
}
