/**
 * Decoding HEIC for browsers that do not support it, in a thread of its own,
 * which is started for the first picture.
 *
 * @module
 */
import type { MediaGroups } from "../../work/media.ts";
import { type Remote, remote } from "../../work/wire.ts";
import { threadAddress } from "../trusted.ts";

let held: Remote<MediaGroups> | undefined;

/** The picture as a JPEG; rejects if libheif cannot read it. */
export async function jpegOf(file: Blob): Promise<Blob> {
  held ??= remote<MediaGroups>(
    new Worker(threadAddress("media.js"), { type: "module", name: "heif" }),
    () => {},
  );
  return await held.heif.jpeg(file);
}
