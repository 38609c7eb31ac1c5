/**
 * Accepting what came by the person's own upload links, such as from their
 * telephone. The vault does it, with small pictures that this page makes.
 *
 * @module
 */
import {
  Moved,
  serveLine,
} from "../../../client/stream/threads/thread_messages.ts";
import type { OwnPictures } from "../../workers/library/sharing/accepting_own.ts";
import { sleep } from "../../browser.ts";
import { latest } from "../latest_call.ts";
import { toast } from "../parts/toasts.tsx";
import { vault } from "../vault.ts";
import { messages } from "../messages.ts";
import { stillOf } from "./stills.ts";
import { withMedia } from "./media_threads.ts";

/** Pauses after an attempt that failed, such as without a network (ms). */
const AGAIN_MS = [60_000, 300_000, 900_000, 3_600_000];

const groups: OwnPictures = {
  pictures: {
    here() {},
    async small(file, mime) {
      const frame = mime.startsWith("video/")
        ? await stillOf(new File([file], "video", { type: mime }))
        : undefined;
      const made = await withMedia(({ pictures }) =>
        pictures.small(file, mime, frame)
      ).finally(() => frame?.close());
      return new Moved(
        made,
        made?.smaller.map(({ bytes }) => bytes.buffer) ?? [],
      );
    },
  },
};

let failures = 0;

/** Accepts it, and says what came; tries again later if that fails. */
export const acceptOwn: () => void = latest(async () => {
  const { port1: here, port2: there } = new MessageChannel();
  serveLine(here, groups);
  here.start();
  try {
    const { count, noun } = await vault().sharing.acceptOwn(there);
    failures = 0;
    if (count > 0) toast(messages.value.sharing.ownCame({ n: count, noun }));
  } catch {
    const pause = AGAIN_MS[Math.min(failures++, AGAIN_MS.length - 1)];
    sleep(pause ?? 0).then(acceptOwn);
  } finally {
    here.close();
  }
});
