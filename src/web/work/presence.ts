/**
 * When the vault's thread ends: the person locks it, nobody looked for a while,
 * somebody signs out, or a newer build of the app was started beside it.
 *
 * @module
 */
import { sleep } from "../browser.ts";

/** Why a thread ends. */
export type Farewell =
  /** The person, or the time that nobody looked. */
  | "locked"
  | "signed-out"
  /** A thread of another build was started. */
  | "other-build";

/** How long nobody may look, unless the person says otherwise (minutes). */
export const DEFAULT_LOCK_MINUTES = 30;
const MINUTE_MS = 60_000;
const LOOK_MS = 10_000;

/** Whether anybody looks. */
export class Presence {
  /** After so many minutes it locks; 0 is never. */
  minutes = DEFAULT_LOCK_MINUTES;
  #seen: number;

  constructor(
    private readonly now: () => number,
    readonly leave: (why: Farewell) => void,
  ) {
    this.#seen = now();
  }

  /**
   * Somebody looks. Who comes back after too long, from a machine that slept,
   * finds it locked.
   */
  looked(): void {
    if (this.isDue()) this.leave("locked");
    else this.#seen = this.now();
  }

  /** Something that the person began goes on: nothing is to cut it off. */
  worked(): void {
    if (!this.isDue()) this.#seen = this.now();
  }

  /** Whether nobody looked for too long. */
  isDue(): boolean {
    const unseen = this.now() - this.#seen;
    return this.minutes > 0 && unseen >= this.minutes * MINUTE_MS;
  }

  /** Locks when it is due; ends with the signal. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(LOOK_MS, signal);
      if (!signal.aborted && this.isDue()) return this.leave("locked");
    }
  }
}

type Said =
  | { readonly kind: "started"; readonly build: string }
  | { readonly kind: "leaves"; readonly why: Farewell };

/**
 * Threads of several tabs and several builds know of each other. Locking and
 * signing out end all of them; of two builds the one that was started first
 * ends, so that never two of them renew one session and write one profile.
 */
export function meetOtherVaults(
  address: string,
  end: (why: Farewell) => void,
): { readonly leave: (why: Farewell) => void } {
  const channel = new BroadcastChannel("strongroom");
  const build = new URL(".", address).pathname;
  const say = (said: Said) => channel.postMessage(said);
  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.kind === "leaves") end(data.why);
    else if (data.build !== build) end("other-build");
  };
  say({ kind: "started", build });
  return {
    leave(why) {
      say({ kind: "leaves", why });
      end(why);
    },
  };
}
