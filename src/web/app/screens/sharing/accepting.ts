/**
 * Accepting guests' files. A file is opened here first, so that it gets small
 * pictures and the date of its camera.
 *
 * @module
 */
import { readTime } from "../../../../core/time.ts";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { withPictures } from "../../upload/media_threads.ts";
import type { AcceptOptions } from "../../../../library/sharing/inbox.ts";
import { vault } from "../../vault.ts";
import type { WaitingCard } from "../../../workers/library/sharing/sharing_cards.ts";

/** Larger files are accepted without opening them (bytes). */
export const LOOKED_AT_MOST = 64 * 1024 * 1024;

/**
 * Takes a guest's file into the library or an album; `known` if it is there,
 * `gone` if it was accepted or refused elsewhere.
 */
export async function acceptOne(
  waiting: WaitingCard,
  into: { readonly kind: string; readonly id?: string } | undefined,
): Promise<"kept" | "known" | "gone"> {
  const { opaqueId, uploadId } = waiting;
  try {
    const described = await describe(waiting);
    return await vault().sharing.accept(opaqueId, uploadId, {
      ...(into?.kind === "album" && into.id ? { albumId: into.id } : {}),
      ...described,
    }, into?.kind === "collection" ? into.id : undefined);
  } catch (error) {
    if (isAnswered(error)) return "gone";
    throw error;
  }
}

/** Whether a guest's file waits no more, because it was answered elsewhere. */
export function isAnswered(error: unknown): boolean {
  return error instanceof ThreadError && error.fault.kind === "NoLongerWaits";
}

/** The facts and small pictures made from the bytes, if any. */
async function describe(
  waiting: WaitingCard,
): Promise<Pick<AcceptOptions, "about" | "derivatives">> {
  const { opaqueId, uploadId, name, size, receivedAt } = waiting;
  // What is not opened may tell its place.
  if (name === undefined || size > LOOKED_AT_MOST) {
    return { about: { inside: ["place"] } };
  }
  const { bytes } = await vault().sharing.peek(opaqueId, uploadId);
  try {
    const { about, derivatives } = await withPictures(({ pictures }, isPlain) =>
      pictures.describe({
        isPlain,
        file: new Blob([bytes]),
        name,
        folder: "",
        modifiedAt: readTime(waiting.takenAt) ?? readTime(receivedAt) ?? 0,
      })
    );
    const { mime, width, height, duration_ms, place, camera, thumbhash } =
      about;
    const { inside } = about;
    // The guest's claim about the time counts only if the file has none.
    const { taken_at, taken_offset, taken_source } = about;
    const taken = taken_source === "exif"
      ? { taken_at, taken_offset, taken_source }
      : {};
    return {
      about: {
        ...taken,
        mime,
        width,
        height,
        duration_ms,
        place,
        camera,
        thumbhash,
        ...(inside === undefined ? {} : { inside }),
      },
      derivatives,
    };
  } catch {
    // This browser cannot read it as a picture; it is accepted anyway.
    return { about: { inside: ["place"] } };
  }
}
