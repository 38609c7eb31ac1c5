/**
 * Looking for faces while this device is not in use: the page takes small
 * pictures from the vault to a thread that has no keys, and brings back what
 * that found. One tab of the browser does it.
 *
 * @module
 */
import type {
  FacesFound,
  FacesThread,
} from "../../../workers/finding/faces.ts";
import type { PhotoLooked } from "../../../workers/finding/face_calls.ts";
import {
  mayPass,
  remote,
} from "../../../../client/stream/threads/thread_messages.ts";
import { MOST_SMALL_PIXELS } from "../../../../media/exif/extent.ts";
import { idleWork } from "../../idle_work.ts";
import { vault } from "../../vault.ts";
import { goOver, smallPictures } from "../findings/going_over.ts";
import type { Outcome, PictureLooker } from "../findings/looking_thread.ts";
import { pictureLooker } from "../findings/picture_threads.ts";

/** Photos between two looks at whether the device is in use. */
const AT_ONCE = 6;
/** Photos after which the other devices are told. */
const TOLD_EVERY = 300;
/**
 * A face that has fewer pixels in the small picture is compared by the larger
 * one.
 */
const FEW_PIXELS = 64;

/** Looking for faces on this device. */
export const looking = idleWork({
  name: "faces",
  thread: "faces.js",
  awaitedAt: ["person", "settings", "search"],
  work: lookAtAll,
});

async function lookAtAll(): Promise<void> {
  const looker = pictureLooker("faces.js", (worker) => {
    const thread = remote<FacesThread>(worker, () => {}).faces;
    return { ready: thread.ready, look: thread.find };
  }, { width: 0, faces: [] });
  try {
    await goOver({
      work: looking,
      atOnce: AT_ONCE,
      toldEvery: TOLD_EVERY,
      next: (most) => vault().faces.next(most),
      picturesOf: async (photos) =>
        smallPictures(
          await vault().photos.thumbnails(photos.map(({ id }) => id)),
        ),
      look: (small, { id }) => facesOf(id, small, looker),
      async keep({ looked, passed, unable }) {
        if (passed.length > 0) await vault().faces.pass(passed);
        if (unable.length > 0) await vault().faces.leave(unable);
        if (looked.length === 0) return;
        await vault().faces.note(
          looked.map(({ photo: { id, hash }, found: faces }) => ({
            id,
            hash,
            faces,
          })),
        );
      },
      tell: () => vault().faces.tell(),
    });
  } finally {
    looker.end();
  }
}

async function facesOf(
  id: string,
  small: Blob,
  looker: PictureLooker<FacesFound>,
): Promise<Outcome<PhotoLooked["faces"]>> {
  const first = await looker.look(small, MOST_SMALL_PIXELS);
  if (typeof first === "string") return first;
  const { width, faces } = first.found;
  const isSmall = faces.some((face) => face.width * width < FEW_PIXELS);
  if (!isSmall) return { found: faces };
  let larger: Blob;
  try {
    larger = await vault().viewing.blob(id, "preview");
  } catch (error) {
    if (mayPass(error)) throw error;
    // Small photos have no larger picture.
    return { found: faces };
  }
  const again = await looker.look(larger, MOST_SMALL_PIXELS);
  return typeof again !== "string" && again.found.faces.length >= faces.length
    ? { found: again.found.faces }
    : { found: faces };
}
