/**
 * Looking for faces while this device is not in use: the page takes small
 * pictures from the vault to a thread that has no keys, and brings back what
 * that found. One tab of the browser does it.
 *
 * @module
 */
import type { FaceGroups } from "../../../workers/faces.ts";
import type { PhotoLooked } from "../../../workers/face_calls.ts";
import type { PictureOfPhoto } from "../../../workers/looking_queue.ts";
import {
  type Remote,
  remote,
} from "../../../../client/threads/thread_messages.ts";
import { MOST_SMALL_PIXELS } from "../../../../client/exif/extent.ts";
import { isDecodable, typed } from "../../addresses.ts";
import { idleWork } from "../../idle_work.ts";
import { threadAddress } from "../../trusted.ts";
import { vault } from "../../vault.ts";

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
  awaitedAt: ["person", "settings"],
  work: lookAtAll,
});

type Thread = Remote<FaceGroups>["faces"];

async function lookAtAll(): Promise<void> {
  let worker: Worker | undefined;
  const thread = (): Thread => {
    worker ??= new Worker(threadAddress("faces.js"), { type: "module" });
    return calls ??= remote<FaceGroups>(worker, () => {}).faces;
  };
  let calls: Thread | undefined;
  let untold = 0;
  try {
    while (looking.isHere.peek()) {
      await looking.idle();
      const photos = await vault().faces.next(AT_ONCE);
      if (photos.length === 0) break;
      looking.isBusy.value = true;
      untold += await lookAt(photos, thread);
      if (untold < TOLD_EVERY) continue;
      await vault().faces.send();
      untold = 0;
    }
  } finally {
    // It holds a hundred megabytes.
    worker?.terminate();
    if (untold > 0) await vault().faces.send();
  }
}

/** Looks at some photos; how many could be looked at. */
async function lookAt(
  photos: readonly PictureOfPhoto[],
  thread: () => Thread,
): Promise<number> {
  const ids = photos.map(({ id }) => id);
  const looked: PhotoLooked[] = [];
  const passed: string[] = [];
  for (const thumb of await vault().photos.thumbnails(ids)) {
    const { id, bytes, mime = "image/jpeg" } = thumb;
    if (bytes === undefined) passed.push(id);
    else {
      const small = new Blob([bytes], { type: mime });
      looked.push({ id, faces: await facesOf(id, small, thread()) });
    }
  }
  if (passed.length > 0) {
    await vault().faces.pass(photos.filter(({ id }) => passed.includes(id)));
  }
  await vault().faces.note(looked);
  return looked.length;
}

async function facesOf(
  id: string,
  small: Blob,
  thread: Thread,
): Promise<PhotoLooked["faces"]> {
  const { width, faces } = await thread.find(small);
  const isSmall = faces.some((face) => face.width * width < FEW_PIXELS);
  if (!isSmall) return faces;
  let larger: Blob;
  try {
    larger = await typed(await vault().viewing.blob(id, "preview"));
  } catch {
    // Small photos have no larger picture.
    return faces;
  }
  if (!await isDecodable(larger, MOST_SMALL_PIXELS)) return faces;
  const again = await thread.find(larger);
  return again.faces.length >= faces.length ? again.faces : faces;
}
