/**
 * After a directory could not be synced, the data on the disk is unknown, and
 * no more promises may be made about it.
 *
 * @module
 */
import { reasonOf } from "../../core/reason.ts";
import { mayPass } from "./descriptors.ts";
import type { Files } from "./files.ts";

export class FsyncGuard {
  #failure: Error | undefined;

  constructor(
    private readonly files: Files,
    /** Is called once it is unknown what is on the disk. */
    private readonly onFailure: (why: Error) => void = () => {},
  ) {}

  /**
   * Syncs a directory; a failure begins the doubt, unless it may pass by
   * itself.
   */
  async syncDirectory(path: string): Promise<void> {
    try {
      await this.files.syncDirectory(path);
    } catch (cause) {
      if (!mayPass(cause)) this.fail(path, cause);
      throw cause;
    }
  }

  fail(path: string, cause: unknown): void {
    this.#failure ??= new Error(
      `${path} cannot be brought to the disk: ${reasonOf(cause)}`,
      { cause },
    );
    this.onFailure(this.#failure);
  }

  /** Throws if a sync has failed. */
  refuse(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
