/**
 * Taking in what guests left: looked at here first, so that it gets its small
 * pictures and the date that its camera wrote.
 *
 * @module
 */
import { withMedia } from "../../intake/media_threads.ts";
import { vault } from "../../vault.ts";
import type { WaitingCard } from "../../../work/sharing_cards.ts";

/** Larger files are taken in without being looked at (bytes). */
export const LOOKED_AT_MOST = 64 * 1024 * 1024;

/** Takes a guest's file into the library, or also an album. */
export async function acceptOne(
  waiting: WaitingCard,
  albumId: string | undefined,
): Promise<void> {
  const { opaqueId, uploadId } = waiting;
  const described = await describe(waiting);
  await vault().sharing.accept(opaqueId, uploadId, {
    ...(albumId === undefined ? {} : { albumId }),
    ...described,
  });
}

/** What the bytes say of themselves; nothing where they say nothing. */
async function describe(waiting: WaitingCard) {
  const { opaqueId, uploadId, name, mime = "", size, receivedAt } = waiting;
  if (name === undefined || size > LOOKED_AT_MOST) return {};
  const { bytes } = await vault().sharing.peek(opaqueId, uploadId);
  try {
    const { about, derivatives } = await withMedia(({ pictures }) =>
      pictures.describe({
        file: new Blob([bytes], { type: mime }),
        name,
        folder: "",
        modifiedAt: Date.parse(waiting.takenAt ?? receivedAt),
      })
    );
    const { width, height, duration_ms, place, camera, thumbhash } = about;
    // The guest's word for the time counts where the file itself has none.
    const { taken_at, taken_offset, taken_source } = about;
    const taken = taken_source === "exif"
      ? { taken_at, taken_offset, taken_source }
      : {};
    return {
      about: {
        ...taken,
        width,
        height,
        duration_ms,
        place,
        camera,
        thumbhash,
      },
      derivatives,
    };
  } catch {
    // No picture that this browser reads: it is kept all the same.
    return {};
  }
}
