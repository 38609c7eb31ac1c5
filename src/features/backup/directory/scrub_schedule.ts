/**
 * Which blobs a backup scrubs, that is, reads again. A blob that lies in a
 * backup already is believed for a while: reading all of them would take a
 * night. So each backup reads some, goes on at the next one where this one
 * ended, and has read every one of them after so many backups.
 *
 * @module
 */
import type { Amount } from "../../../core/sizes.ts";
import type { HeldBlob } from "../store.ts";

/** All of them have been read after so many backups. */
const BACKUPS = 30;
/** Even of a small library so much is read each time (bytes). */
const LEAST_BYTES = 1024 ** 3;
/** Finding a file on a disk takes as long as reading so many bytes. */
const OPENING_BYTES = 256 * 1024;

/** What every backup knows of the schedule. */
interface ScrubOptions {
  /** The hash after which this scrub begins; empty for the first. */
  readonly after: string;
  /** All that is held. */
  readonly held: Amount;
  /** Reads everything. */
  readonly all: boolean;
  /** Were not whole the last time: these are read every time. */
  readonly suspects: ReadonlySet<string>;
}

/**
 * The scrub of one backup, over blobs that are asked for in the order of
 * hashes.
 */
export class ScrubSchedule {
  #left: number;
  #last: string | undefined;
  /** Whether some come after the last one that is read. */
  #goesOn = false;

  constructor(private readonly options: ScrubOptions) {
    this.#left = options.all ? Infinity : budgetOf(options.held);
  }

  /** Whether a blob is to be read. */
  isDue({ hash, size }: HeldBlob): boolean {
    const { after, all, suspects } = this.options;
    if (this.#last !== undefined) this.#goesOn = true;
    if (all || suspects.has(hash)) return true;
    if (this.#left <= 0 || hash <= after) return false;
    this.#left -= size + OPENING_BYTES;
    if (this.#left <= 0) this.#last = hash;
    return true;
  }

  /** Where the next scrub begins: where this one ended, or at the start. */
  get next(): string {
    return this.#goesOn ? this.#last ?? "" : "";
  }
}

/** What reading may come to in one backup (bytes). */
function budgetOf({ count, bytes }: Amount): number {
  return Math.max(LEAST_BYTES, (bytes + count * OPENING_BYTES) / BACKUPS);
}
