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
} from "../../client/library/mod.ts";
import type { Pairing, VaultContext } from "./context.ts";
import { publicLinks } from "./public_address.ts";

/** Both sides of a pairing; only one pairing runs at a time. */
export class PairingDesk {
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
      const shown = await publicLinks(this.context);
      const device = await enrollDevice(vault, {
        signal,
        show: ({ link, ...rest }) =>
          this.#tell({ step: "show", link: shown(link), ...rest }),
        compare: (words, { name }) => this.#compare(words, name),
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
        link: joinLink(context.server, given),
        device: session.device,
        compare: (words) => this.#compare(words),
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

  async #compare(words: readonly string[], name?: string): Promise<boolean> {
    this.#tell({
      step: "compare",
      words,
      ...(name === undefined ? {} : { name }),
    });
    const same = await new Promise<boolean>((resolve) => {
      this.#answer = resolve;
    });
    if (same) this.#tell({ step: "working" });
    return same;
  }

  #tell(pairing: Pairing): void {
    this.context.tell("pairing", pairing);
  }
}

const JOIN = "/#/join/";

/**
 * A scanned link, asked of the server of this page: the other device may show
 * another of its addresses. A typed code has no address.
 */
function joinLink(server: string, given: string) {
  const at = given.indexOf(JOIN);
  return at < 0 ? { server, code: given } : server + given.slice(at);
}
