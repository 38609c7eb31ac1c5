/**
 * The video of a live photo, which is one asset with its still: whether an
 * asset has it.
 *
 * @module
 */
import { videoOf } from "../exports/export_layout.ts";
import type { Library } from "./library.ts";
import { DamagedBlob } from "./pull.ts";
import type { Row } from "./rows.ts";

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
