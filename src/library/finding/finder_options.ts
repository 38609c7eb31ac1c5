/**
 * What is looked for in a library's pictures and only if the person wants that,
 * such as words: kept among the account's findings, shared by its devices, and
 * deleted whole.
 *
 * @module
 */
import { type Findings, openFindings } from "./findings.ts";
import { fileOf, type KindOfFindings } from "./findings_pages.ts";
import {
  lookingChoice,
  type SharedLooking,
  withLooking,
} from "./looking_choice.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { Store } from "../base/store.ts";
import type { Vault } from "../vault/vault.ts";

/** What was found in a picture. */
interface LookedFor<T> {
  /** As `pictureHash` makes it, in hex. */
  readonly hash: string;
  readonly found: T;
}

/** What devices found in the pictures of a library. */
export interface Looking<T> {
  /** Whether the person wants it. */
  readonly isOn: boolean;
  /** Whether a picture was looked at, by its name in the pages (`fileOf`). */
  has(file: string): boolean;
  /** What is in a picture; undefined for one with nothing in it. */
  of(file: string): T | undefined;
  /** Pictures that were looked at. */
  readonly count: number;
  /** Whether the account's pages take no more pictures. */
  readonly isFull: boolean;
  /** Fetches what other devices found: all, or what changed in some slots. */
  read(slots?: readonly string[]): Promise<void>;
  /** Keeps what was found on this device, until it is sent. */
  note(looked: readonly LookedFor<T>[]): Promise<void>;
  /** Sends what was noted to the account's other devices. */
  send(): Promise<void>;
  /** Sends it if there is enough of it, or it was not sent for a while. */
  sendDue(): Promise<void>;
  /**
   * Has pictures looked at from now on, or no more. Off deletes everything that
   * was found, on all devices.
   */
  turn(isOn: boolean): Promise<void>;
}

/** A kind of findings, and how it is kept. */
export interface KindOfLooking<T> extends KindOfFindings {
  readonly setting: SharedLooking;
  readonly encode: (found: T) => Uint8Array;
  /** Of bytes that are of a file and not empty. */
  readonly decode: (bytes: Uint8Array) => T;
}

/** What an account needs for it. */
export interface LookingIn {
  readonly vault: Vault;
  readonly store: Store;
  readonly state: SharedState;
}

/** Opens what was found, with this device's copy of it. */
export async function openLooking<T>(
  { vault, store, state }: LookingIn,
  kind: KindOfLooking<T>,
): Promise<Looking<T>> {
  const { setting, encode, decode } = kind;
  const choice = () => lookingChoice(state.held.settings, setting);
  const findings = await openFindings({ vault, store }, kind, choice);
  let known = new Map<string, T>();
  let knownOf: Findings["files"] | undefined;
  return {
    get isOn() {
      return choice().isOn;
    },
    has: (file) => findings.files.has(file),
    of(file) {
      const { files } = findings;
      if (knownOf !== files) {
        knownOf = files;
        known = new Map();
        for (const [name, bytes] of files) {
          if (bytes.length > 0) known.set(name, decode(bytes));
        }
      }
      return known.get(file);
    },
    get count() {
      return findings.files.size;
    },
    get isFull() {
      return findings.isFull;
    },
    read: (slots) => findings.read(slots),
    note: (looked) =>
      findings.note(
        Object.fromEntries(
          looked.map(({ hash, found }) => [fileOf(hash), encode(found)]),
        ),
      ),
    send: () => findings.send(),
    sendDue: () => findings.sendDue(),
    async turn(isOn) {
      const { now } = vault.session.platform;
      await state.change((held) => ({
        ...held,
        settings: withLooking(held.settings, setting, isOn, now()),
      }));
      if (!isOn) await findings.clear();
    },
  };
}
