/**
 * After a directory could not be synced, nobody knows what is on the disk, and
 * no more promises may be made about it.
 *
 * @module
 */
import { reasonOf } from "../core/reason.ts";
import { mayPass } from "./descriptors.ts";
import type { Files } from "./files.ts";

export class Doubt {
  #doubted: Error | undefined;

  constructor(
    private readonly files: Files,
    /** Is called once it is unknown what is on the disk. */
    private readonly onDoubt: (why: Error) => void = () => {},
  ) {}

  /**
   * Syncs a directory; a failure begins the doubt, unless it may pass by
   * itself.
   */
  async syncDirectory(path: string): Promise<void> {
    try {
      await this.files.syncDirectory(path);
    } catch (cause) {
      if (!mayPass(cause)) this.begin(path, cause);
      throw cause;
    }
  }

  begin(path: string, cause: unknown): void {
    this.#doubted ??= new Error(
      `${path} cannot be brought to the disk: ${reasonOf(cause)}`,
      { cause },
    );
    this.onDoubt(this.#doubted);
  }

  /** Throws if the disk is in doubt. */
  refuse(): void {
    if (this.#doubted !== undefined) throw this.#doubted;
  }
}
