/**
 * Pairing two devices: handing the account to another one, or getting it from
 * one.
 *
 * @module
 */
import {
  adoptJoined,
  enrollDevice,
  joinAccount,
  type Vault,
} from "../../../library/mod.ts";
import type { Pairing, VaultContext } from "./context.ts";

/** Both sides of a pairing; only one pairing runs at a time. */
export class PairingFlow {
  #stop: AbortController | undefined;
  #answer: ((same: boolean) => void) | undefined;

  constructor(private readonly context: VaultContext) {}

  /**
   * Shows a code and hands the account to the device that uses it; returns that
   * device's name.
   */
  async give(vault: Vault): Promise<string> {
    const signal = this.#begin();
    try {
      const device = await enrollDevice(vault, {
        signal,
        origin: this.context.opened().origins.links,
        trust: this.context.opened().trust,
        show: (shown) => this.#tell({ step: "show", ...shown }),
        compare: (words, { name }) => this.#compare(words, { name }),
      });
      return device.name;
    } finally {
      this.#end();
    }
  }

  /** Gets the account's keys from a device that shows this link or code. */
  async take(given: string): Promise<Vault> {
    const { context } = this;
    const session = context.signedIn();
    const signal = this.#begin();
    this.#tell({ step: "working" });
    try {
      const joined = await joinAccount(context.platform, {
        link: given.includes(JOIN)
          ? given
          : { server: context.server, code: given },
        device: session.device,
        opened: context.server,
        compare: (words, foreign) =>
          this.#compare(words, foreign === undefined ? {} : { foreign }),
        signal,
      });
      return await adoptJoined(session, joined);
    } finally {
      this.#end();
    }
  }

  /** Takes the person's answer about the words. */
  answer(same: boolean): void {
    this.#answer?.(same);
    this.#answer = undefined;
  }

  /** Cancels the pairing. */
  stop(): void {
    this.#stop?.abort();
    this.answer(false);
  }

  #begin(): AbortSignal {
    this.stop();
    this.#stop = new AbortController();
    return this.#stop.signal;
  }

  #end(): void {
    this.#stop = undefined;
    this.#tell({ step: "none" });
  }

  async #compare(
    words: readonly string[],
    { name, foreign }: { readonly name?: string; readonly foreign?: string },
  ): Promise<boolean> {
    this.#tell({
      step: "compare",
      words,
      ...(name === undefined ? {} : { name }),
      ...(foreign === undefined ? {} : { foreign }),
    });
    const same = await new Promise<boolean>((resolve) => {
      this.#answer = resolve;
    });
    if (same) this.#tell({ step: "working", isAgreed: true });
    return same;
  }

  #tell(pairing: Pairing): void {
    this.context.tell("pairing", pairing);
  }
}

const JOIN = "/#/join/";
