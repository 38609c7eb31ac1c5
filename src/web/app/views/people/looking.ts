/**
 * Looking for faces while this device is not in use: the page takes small
 * pictures from the vault to a thread that has no keys, and brings back what
 * that found. One tab of the browser does it.
 *
 * @module
 */
import type { FaceGroups } from "../../../workers/faces.ts";
import type { PhotoLooked } from "../../../workers/face_calls.ts";
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

const looking = idleWork({
  name: "faces",
  awaitedAt: ["person", "settings"],
  work: lookAtAll,
});

/** Whether this device is to look for faces, and whether it does now. */
export const { isHere, isBusy: isLooking } = looking;

/** Has this device look for faces, or no more. */
export function lookHere(isToLook: boolean): void {
  looking.choose(isToLook);
}

/** Looks for faces from now on, whenever there is something to look at. */
export function lookForFaces(): void {
  looking.start();
}

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
    while (isHere.peek()) {
      await looking.idle();
      const ids = await vault().faces.next(AT_ONCE);
      if (ids.length === 0) break;
      isLooking.value = true;
      untold += await lookAt(ids, thread);
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
  ids: readonly string[],
  thread: () => Thread,
): Promise<number> {
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
  if (passed.length > 0) await vault().faces.pass(passed);
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
