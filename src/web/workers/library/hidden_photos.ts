/**
 * The hidden photos of a library, which a PIN locks.
 *
 * @module
 */
import {
  hiddenFiles,
  isHidden,
} from "../../../library/showing/hidden_files.ts";
import { hasHiddenPin } from "../../../library/showing/hidden_pin.ts";
import { HiddenLock } from "../../../library/showing/hidden_lock.ts";
import type { Library, LibraryState, Row } from "../../../library/mod.ts";
import { now, sleep } from "../../browser.ts";

/** The lock, and which photos are behind it. */
export class HiddenPhotos {
  readonly lock: HiddenLock;
  /** The plaintexts of the hidden photos of a library. */
  #known:
    | {
      readonly library: Library;
      readonly state: LibraryState;
      readonly hashes: ReadonlySet<string>;
    }
    | undefined;
  #watched: Library | undefined;

  /** `changed` is told when the lock opens or closes. */
  constructor(library: Library, changed: () => void) {
    const { state } = library;
    const hasPin = () => hasHiddenPin(state.held.settings);
    this.lock = new HiddenLock({ now, sleep }, hasPin, changed);
  }

  /**
   * Whether a photo is not to be shown now: it or its copy is hidden, and hidden
   * photos are locked.
   */
  isShut(library: Library, row: Row): boolean {
    if (this.lock.isOpen) return false;
    return isHidden(library, row, this.#hashesIn(library));
  }

  #hashesIn(library: Library): ReadonlySet<string> {
    const { index } = library;
    const state = library.state.held;
    if (this.#watched !== library) {
      this.#watched = library;
      index.watch(() => this.#known = undefined);
    }
    if (this.#known?.library !== library || this.#known.state !== state) {
      const hashes = hiddenFiles(library);
      this.#known = { library, state, hashes };
    }
    return this.#known.hashes;
  }
}
