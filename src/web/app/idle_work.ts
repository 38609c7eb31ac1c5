/**
 * Work on pictures while this device is not in use. One tab of the browser does
 * it, and the person can say that this device is not to.
 *
 * @module
 */
import { type Signal, signal } from "@preact/signals";
import { browserFetch, now, sleep } from "../browser.ts";
import { messages } from "./messages.ts";
import { route } from "./routes.ts";
import { NotReady } from "./screens/findings/how_far.ts";
import { locks } from "./upload/adding_lock.ts";
import { fileAddress, type Thread } from "./trusted.ts";
import { onVault } from "./vault.ts";

/** A device is not in use so long after the last touch (ms). */
const IDLE_MS = 8_000;
/** How often that is looked at (ms). */
const AGAIN_MS = 2_000;
/** What failed is tried again after it, and later each time (ms). */
const LATER_MS = 30_000;
const LATEST_MS = 3_600_000;

/** Work that waits until the device is not in use. */
export interface IdleWork {
  /** Whether this device is to do it; where that is not known, a phone not. */
  readonly isHere: Signal<boolean>;
  /** Whether it is being done now. */
  readonly isBusy: Signal<boolean>;
  /** Why it failed the last time. */
  readonly fault: Signal<unknown>;
  /** Has this device do it, or no more. */
  choose(isToDo: boolean): void;
  /** Does it from now on, whenever there is something to do. */
  start(): void;
  /** Resolves once the device is not in use. */
  idle(): Promise<void>;
}

/** Whether the server says that it has no script of that name. */
async function isMissing(thread: Thread): Promise<boolean> {
  try {
    const address = fileAddress(thread);
    return (await browserFetch(address, { method: "HEAD" })).status === 404;
  } catch {
    return false;
  }
}

const isPhone = () => matchMedia("(pointer: coarse)").matches;

/** What was chosen for this device. */
function chosen(key: string): boolean {
  try {
    const said = localStorage.getItem(key);
    return said === null ? !isPhone() : said === "yes";
  } catch {
    return !isPhone();
  }
}

let touched = 0;
let isWatching = false;

function watchTouches(): void {
  if (isWatching) return;
  isWatching = true;
  const touch = () => touched = now();
  for (const kind of ["pointerdown", "keydown", "wheel", "touchmove"]) {
    addEventListener(kind, touch, { passive: true, capture: true });
  }
}

/** Work of a name; `work` does all that there is to do now. */
export function idleWork(
  { name, thread, awaitedAt, work }: {
    readonly name: "faces" | "things" | "words";
    /** In which it is done. */
    readonly thread: Thread;
    /** Pages on which one waits for what is found: it does not wait there. */
    readonly awaitedAt: readonly string[];
    readonly work: () => Promise<void>;
  },
): IdleWork {
  const key = `${name}-here`;
  const isHere = signal(chosen(key));
  const isBusy = signal(false);
  const fault = signal<unknown>();
  let woken = Promise.withResolvers<void>();
  const wake = () => {
    woken.resolve();
    woken = Promise.withResolvers<void>();
  };
  const run = async () => {
    for (let failed = 0;;) {
      const change = woken.promise;
      try {
        if (isHere.value) await work();
        failed = 0;
        fault.value = undefined;
      } catch (error) {
        // Without a network, or where the models cannot be fetched.
        const isBuilt = !await isMissing(thread);
        fault.value = isBuilt
          ? error
          : new NotReady(messages.value.faults.notReady);
        const times = isBuilt ? 2 ** failed++ : 1;
        await sleep(Math.min(LATER_MS * times, LATEST_MS));
        continue;
      } finally {
        isBusy.value = false;
      }
      await change;
      // Changes come many at a time, and each look goes over all photos.
      await sleep(AGAIN_MS);
    }
  };
  let started = false;
  const isInUse = () =>
    !awaitedAt.includes(route.peek().path[0] ?? "") &&
    now() - touched < IDLE_MS;
  return {
    isHere,
    isBusy,
    fault,
    choose(isToDo) {
      isHere.value = isToDo;
      try {
        localStorage.setItem(key, isToDo ? "yes" : "no");
      } catch {
        // It is known as long as the page is open.
      }
      wake();
    },
    start() {
      if (started) return;
      started = true;
      watchTouches();
      onVault("library", wake);
      // Without a lock on an insecure page, where tabs do not know of each
      // other.
      if (locks === undefined) run();
      else locks.request(name, run).catch(() => {});
    },
    async idle() {
      while (isInUse()) await sleep(AGAIN_MS);
    },
  };
}
