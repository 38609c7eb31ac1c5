/**
 * What is on the disk once a directory could not be synced: nobody knows, and
 * nothing more is promised.
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
    /** Is told once nobody knows any more what is on the disk. */
    private readonly onDoubt: (why: Error) => void = () => {},
  ) {}

  /** What a directory holds after a sync that failed nobody knows. */
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

  /** Nothing is promised of a disk that has broken such a promise. */
  refuse(): void {
    if (this.#doubted !== undefined) throw this.#doubted;
  }
}
