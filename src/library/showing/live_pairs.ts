/**
 * The video of a live photo, which is one asset with its still: whether an
 * asset has it, or lacks it.
 *
 * @module
 */
import { videoOf } from "./export_layout.ts";
import type { Library } from "../library.ts";
import { DamagedBlob } from "../rows/pull.ts";
import type { Row } from "../rows/rows.ts";

/**
 * What becomes of the video of a still that is in the library: it is there with
 * it, the still lacks it, or it is a file of its own.
 */
export async function placeOfVideo(
  library: Pick<Library, "read" | "hash" | "index" | "vault">,
  row: Row,
  /** Computes the hash only where it is needed. */
  video: { readonly size: number; sha256(): Promise<string> },
  signal?: AbortSignal,
): Promise<"known" | "lacking" | "separate"> {
  const has = videoOf(row);
  if (has !== undefined) {
    if (has.size !== video.size) return "separate";
    const told = { size: video.size, sha256: await video.sha256() };
    return await isVideoOf(library, row, told, signal) ? "known" : "separate";
  }
  const isOwn = row.owner === library.vault.session.userId &&
    row.metadata !== undefined;
  if (!isOwn) return "separate";
  const sha256 = await video.sha256();
  return library.index.byPlaintext(sha256, row.album) === undefined
    ? "lacking"
    : "separate";
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
