/**
 * Reading the words in photos while this device is not in use: the page takes
 * pictures from the vault to a thread that has no keys, and brings back what
 * that read.
 *
 * @module
 */
import type { WordsThread } from "../../../workers/words.ts";
import type { PhotoRead, ToRead } from "../../../workers/words_calls.ts";
import {
  type Remote,
  remote,
} from "../../../../client/threads/thread_messages.ts";
import { sleep } from "../../../browser.ts";
import { idleWork } from "../../idle_work.ts";
import { threadAddress } from "../../trusted.ts";
import { vault } from "../../vault.ts";

/** Photos between two looks at whether the device is in use. */
const AT_ONCE = 3;
/** Photos after which the other devices are told. */
const TOLD_EVERY = 100;
/**
 * A picture that takes longer is one of grass or gravel, in which the reader
 * sees thousands of letters (ms).
 */
const LONGEST_MS = 60_000;

/** Reading photos on this device. */
export const looking = idleWork({
  name: "words",
  awaitedAt: ["settings", "search"],
  work: readAll,
});

/** A thread that reads. */
interface Running {
  readonly read: Remote<WordsThread>["words"]["read"];
  end(): void;
}

function startThread(): Running {
  const worker = new Worker(threadAddress("words.js"), { type: "module" });
  const { read } = remote<WordsThread>(worker, () => {}).words;
  return { read, end: () => worker.terminate() };
}

async function readAll(): Promise<void> {
  let running: Running | undefined;
  let untold = 0;
  /** What is read of a picture; nothing if that takes too long. */
  const wordsIn = async (picture: Blob): Promise<string> => {
    running ??= startThread();
    const ended = new AbortController();
    const words = await Promise.race([
      running.read(picture),
      sleep(LONGEST_MS, ended.signal).then(() => undefined),
    ]);
    ended.abort();
    if (words !== undefined) return words;
    running.end();
    running = undefined;
    return "";
  };
  try {
    while (looking.isHere.peek()) {
      await looking.idle();
      const photos = await vault().words.next(AT_ONCE);
      if (photos.length === 0) break;
      looking.isBusy.value = true;
      await readSome(photos, wordsIn);
      untold += photos.length;
      if (untold < TOLD_EVERY) continue;
      await vault().words.send();
      untold = 0;
    }
  } finally {
    // It holds a hundred megabytes.
    running?.end();
    if (untold > 0) await vault().words.send();
  }
}

async function readSome(
  photos: readonly ToRead[],
  wordsIn: (picture: Blob) => Promise<string>,
): Promise<void> {
  const read: PhotoRead[] = [];
  const passed: string[] = [];
  for (const { id, part } of photos) {
    let picture: Blob;
    try {
      picture = await vault().viewing.blob(id, part);
    } catch {
      passed.push(id);
      continue;
    }
    read.push({ id, words: await wordsIn(picture) });
  }
  if (passed.length > 0) await vault().words.pass(passed);
  await vault().words.note(read);
}
