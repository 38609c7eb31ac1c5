/**
 * Looking for faces while this device is not in use: the page takes small
 * pictures from the vault to a thread that has no keys, and brings back what
 * that found. One tab of the browser does it.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { FaceGroups } from "../../../workers/faces.ts";
import type { PhotoLooked } from "../../../workers/face_calls.ts";
import {
  type Remote,
  remote,
} from "../../../../client/threads/thread_messages.ts";
import { now, sleep } from "../../../browser.ts";
import { route } from "../../routes.ts";
import { threadAddress } from "../../trusted.ts";
import { locks } from "../../upload/adding_lock.ts";
import { onVault, vault } from "../../vault.ts";

/** Photos between two looks at whether the device is in use. */
const AT_ONCE = 6;
/** Photos after which the other devices are told. */
const TOLD_EVERY = 300;
/** A device is not in use so long after the last touch (ms). */
const IDLE_MS = 8_000;
/** How often that is looked at (ms). */
const AGAIN_MS = 2_000;
/** Pictures that could not be fetched are tried again after it (ms). */
const LATER_MS = 30_000;
/**
 * A face that has fewer pixels in the small picture is compared by the larger
 * one.
 */
const FEW_PIXELS = 64;

const HERE = "faces-here";

/** Whether this device looks, where it is not known: not a phone. */
const isPhone = () => matchMedia("(pointer: coarse)").matches;

/** Whether this device is to look for faces. */
export const isHere = signal(read());

function read(): boolean {
  try {
    const said = localStorage.getItem(HERE);
    return said === null ? !isPhone() : said === "yes";
  } catch {
    return !isPhone();
  }
}

/** Has this device look for faces, or no more. */
export function lookHere(isToLook: boolean): void {
  isHere.value = isToLook;
  try {
    localStorage.setItem(HERE, isToLook ? "yes" : "no");
  } catch {
    // It is known as long as the page is open.
  }
  wake();
}

/** Whether it is being done now. */
export const isLooking = signal(false);

let woken = Promise.withResolvers<void>();
function wake(): void {
  woken.resolve();
  woken = Promise.withResolvers<void>();
}

let started = false;
let touched = 0;

/** Looks for faces from now on, whenever there is something to look at. */
export function lookForFaces(): void {
  if (started) return;
  started = true;
  const touch = () => touched = now();
  for (const kind of ["pointerdown", "keydown", "wheel", "touchmove"]) {
    addEventListener(kind, touch, { passive: true, capture: true });
  }
  onVault("library", wake);
  const work = async () => {
    for (;;) {
      const change = woken.promise;
      try {
        if (isHere.value) await lookAtAll();
      } catch {
        // Without a network, or where the models cannot be fetched.
        await sleep(LATER_MS);
        continue;
      } finally {
        isLooking.value = false;
      }
      await change;
      // Changes come many at a time, and each look goes over all photos.
      await sleep(AGAIN_MS);
    }
  };
  // Without a lock on an insecure page, where tabs do not know of each other.
  if (locks === undefined) work();
  else locks.request("faces", work).catch(() => {});
}

/** Where one waits for what is found, it is not waited for. */
function isInUse(): boolean {
  const at = route.peek().path[0];
  return at !== "person" && at !== "settings" && now() - touched < IDLE_MS;
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
      while (isInUse()) await sleep(AGAIN_MS);
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
    larger = await vault().viewing.blob(id, "preview");
  } catch {
    // Small photos have no larger picture.
    return faces;
  }
  const again = await thread.find(larger);
  return again.faces.length >= faces.length ? again.faces : faces;
}
