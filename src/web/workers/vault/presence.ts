/**
 * Deciding when the vault's thread ends: the person locks it, no one has looked
 * for a while, someone signs out, or a newer build of the app was started.
 *
 * @module
 */
import { sleep } from "../../browser.ts";

/** Why a thread ends. */
export type Farewell =
  /** By the person, or because no page was looked at for a while. */
  | "locked"
  | "signed-out"
  /** A thread of another build was started. */
  | "other-build";

/** Default time without a look before it locks (minutes). */
export const DEFAULT_LOCK_MINUTES = 30;
const MINUTE_MS = 60_000;
const LOOK_MS = 10_000;

/** Watches whether anybody looks at the app. */
export class Presence {
  /** Minutes without a look before it locks; 0 means never. */
  minutes = DEFAULT_LOCK_MINUTES;
  #seen: number;

  constructor(
    private readonly now: () => number,
    readonly leave: (why: Farewell) => void,
  ) {
    this.#seen = now();
  }

  /**
   * Notes that someone looks. If the time is already over, as after the
   * machine slept, it locks instead.
   */
  looked(): void {
    if (this.isDue()) this.leave("locked");
    else this.#seen = this.now();
  }

  /**
   * Notes that work which the person began is going on, so that locking does
   * not interrupt it.
   */
  worked(): void {
    if (!this.isDue()) this.#seen = this.now();
  }

  /** Whether no page was looked at for too long. */
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
  | { readonly kind: "leaves"; readonly why: Farewell }
  /** Hidden photos were locked. */
  | { readonly kind: "hidden-closed" };

/**
 * Connects the threads of several tabs and builds. Locking and signing out end
 * all of them, and hidden photos that are locked in one are locked in all. Of two builds, the one that was started first ends, so that two
 * never renew the same session and write the same profile.
 */
export function meetOtherVaults(
  address: string,
  end: (why: Farewell) => void,
  closeHidden: () => void,
): {
  readonly leave: (why: Farewell) => void;
  readonly hiddenClosed: () => void;
} {
  const channel = new BroadcastChannel("strongroom");
  const build = new URL(".", address).pathname;
  const say = (said: Said) => channel.postMessage(said);
  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.kind === "leaves") end(data.why);
    else if (data.kind === "hidden-closed") closeHidden();
    else if (data.build !== build) end("other-build");
  };
  say({ kind: "started", build });
  return {
    leave(why) {
      say({ kind: "leaves", why });
      end(why);
    },
    hiddenClosed: () => say({ kind: "hidden-closed" }),
  };
}
