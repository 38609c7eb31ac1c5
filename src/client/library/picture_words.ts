/**
 * The words in a library's pictures: read only if the person wants that, kept
 * among the account's findings (protocol/client-cryptography.md#words), and
 * deleted whole.
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../core/bytes.ts";
import { areWords } from "../pictures/read_words.ts";
import { openFindings } from "./findings.ts";
import { fileOf, type KindOfFindings } from "./findings_pages.ts";
import { lookingChoice, withLooking } from "./looking_choice.ts";
import type { SharedState } from "./shared_state.ts";
import type { Store } from "./store.ts";
import type { Vault } from "./vault.ts";

/** Words, in two pages. */
export const WORDS: KindOfFindings = {
  name: "words",
  pages: 2,
  isOfFile: areWords,
};

/** The words that were read in a picture. */
export interface Read {
  /** As `pictureHash` makes it, in hex. */
  readonly hash: string;
  /** As `wordsRead` makes them: one a line, none for a picture without any. */
  readonly words: string;
}

/** The words in the pictures of a library. */
export interface PictureWords {
  /** Whether the person wants them read. */
  readonly isOn: boolean;
  /** Whether a picture was read, by its name in the pages (`fileOf`). */
  has(file: string): boolean;
  /** The words of a picture, one a line; empty for one without any. */
  of(file: string): string;
  /** Pictures that were read. */
  readonly count: number;
  /** Whether the account's pages take no more pictures. */
  readonly isFull: boolean;
  /** Fetches what other devices read: all, or what changed in some slots. */
  read(slots?: readonly string[]): Promise<void>;
  /** Keeps what was read on this device, until it is sent. */
  note(read: readonly Read[]): Promise<void>;
  /** Sends what was noted to the account's other devices. */
  send(): Promise<void>;
  /**
   * Has pictures read from now on, or no more. Off deletes every word, on all
   * devices.
   */
  turn(isOn: boolean): Promise<void>;
}

/** Opens the words of a vault's account, with this device's copy of them. */
export async function openPictureWords(
  { vault, store, state }: {
    readonly vault: Vault;
    readonly store: Store;
    readonly state: SharedState;
  },
): Promise<PictureWords> {
  const choice = () => lookingChoice(state.held.settings, "picture-words");
  const findings = await openFindings({ vault, store }, WORDS, choice);
  let texts = new Map<string, string>();
  let textsOf: unknown;
  return {
    get isOn() {
      return choice().isOn;
    },
    has: (file) => findings.files.has(file),
    of(file) {
      const { files } = findings;
      if (textsOf !== files) {
        textsOf = files;
        texts = new Map();
        for (const [name, bytes] of files) {
          if (bytes.length > 0) texts.set(name, fromUtf8(bytes) ?? "");
        }
      }
      return texts.get(file) ?? "";
    },
    get count() {
      return findings.files.size;
    },
    get isFull() {
      return findings.isFull;
    },
    read: (slots) => findings.read(slots),
    note: (read) =>
      findings.note(
        Object.fromEntries(
          read.map(({ hash, words }) => [fileOf(hash), utf8(words)]),
        ),
      ),
    send: () => findings.send(),
    async turn(isOn) {
      await state.change((held) => ({
        ...held,
        settings: withLooking(
          held.settings,
          "picture-words",
          isOn,
          vault.session.platform.now(),
        ),
      }));
      if (!isOn) await findings.clear();
    },
  };
}
