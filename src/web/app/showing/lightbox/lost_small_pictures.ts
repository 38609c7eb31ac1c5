/**
 * Replacing small pictures that the server lost, from the original: one after
 * the other, behind what a person does, and not more than a few in a visit.
 *
 * @module
 */
import { stillOf } from "../../upload/stills.ts";
import { withMedia } from "../../upload/media_threads.ts";
import { vault } from "../../vault.ts";

/** In one visit; the next one, or another device, makes more. */
const MOST_RENEWED = 20;
/** Largest original that is fetched and sent again for it (bytes). */
const MOST_BYTES = 16 * 1024 * 1024;

const tried = new Set<string>();
let last: Promise<void> = Promise.resolve();

/** Makes those of an own photo, and calls `then` once they are stored. */
export function renew(id: string, then: (id: string) => void): void {
  if (tried.has(id) || tried.size >= MOST_RENEWED) return;
  tried.add(id);
  last = last.then(() => renewed(id, then)).catch(() => {
    // Whoever looks next tries again.
  });
}

async function renewed(
  id: string,
  then: (id: string) => void,
): Promise<void> {
  const { mine, state, mime, size, edit } = await vault().photos.info(id);
  if (!mine || state !== "live" || size > MOST_BYTES) return;
  const isVideo = mime.startsWith("video/");
  if (!isVideo && !mime.startsWith("image/")) return;
  const original = await vault().viewing.blob(id, "original");
  const frame = isVideo
    ? await stillOf(new File([original], "video", { type: mime }))
    : undefined;
  // HEIC is decoded here, too, where the browser does not.
  const made = await withMedia(({ pictures }) =>
    edit === undefined
      ? pictures.small(original, mime, frame)
      : pictures.edited(original, mime, edit)
  ).finally(() => frame?.close());
  if (made === undefined || made.smaller.length === 0) return;
  await vault().viewing.renew(id, original, made);
  then(id);
}
