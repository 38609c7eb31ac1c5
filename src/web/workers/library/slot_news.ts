/**
 * State slots that other devices changed, until all of them were read: a sync
 * tells of a change once, also where reading it fails then.
 *
 * @module
 */
import { isOfEverything } from "../../../library/base/faults.ts";

/** The slots that are still to be read. */
export class SlotNews {
  #slots = new Set<string>();

  /** Notes slots that changed. */
  add(slots: readonly string[]): void {
    for (const slot of slots) this.#slots.add(slot);
  }

  /**
   * Has them read. Where that fails for want of a connection or the like, they
   * are read the next time; not where what stands in one cannot be read.
   */
  async read(
    reading: (slots: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const slots = this.#slots;
    if (slots.size === 0) return;
    this.#slots = new Set();
    try {
      await reading([...slots]);
    } catch (error) {
      if (isOfEverything(error)) this.add([...slots]);
      throw error;
    }
  }
}
