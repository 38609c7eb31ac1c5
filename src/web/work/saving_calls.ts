/**
 * The vault's calls for saving files: one file as it is, many as a zip that is
 * made while it is saved, or everything with metadata beside each file.
 *
 * @module
 */
import type { Row } from "../../client/library/mod.ts";
import type { VaultContext } from "./context.ts";
import { sendOver } from "./ports.ts";
import { gathered } from "./viewing_calls.ts";
import { eachOnce, planOf, type ZipPlan } from "./zip_plan.ts";
import type { ZipOptions } from "./zips.ts";

/** The facts about a zip before its first byte. */
export interface ZipHead {
  readonly files: number;
  readonly bytes: number;
}

/** The calls of the group `saving`. */
export function savingCalls(context: VaultContext) {
  const rowsOf = (ids: readonly string[] | "everything"): readonly Row[] => {
    const library = context.opened();
    if (ids === "everything") {
      return eachOnce(library.list(), library.vault.libraryAlbumId);
    }
    return ids.flatMap((id) => library.index.get(id) ?? []);
  };
  const zipOf = async (
    ids: readonly string[],
    options: ZipOptions,
    signal: AbortSignal,
    onUnread: (name: string) => void,
  ) => {
    const { zipStream } = await import("./zips.ts");
    return await zipStream(context, rowsOf(ids), options, signal, onUnread);
  };

  return {
    /** Plans the zips for files, each of at most `mostBytes`. */
    plan(
      ids: readonly string[] | "everything",
      mostBytes = Infinity,
    ): ZipPlan {
      return planOf(rowsOf(ids), mostBytes);
    },

    /** Sends a file over a port; see `ports.ts`. */
    file(id: string, port: MessagePort): void {
      sendOver(port, (signal) => {
        const read = context.opened().read(id, "original", { signal });
        return Promise.resolve({ head: {}, pieces: gathered(read) });
      });
    },

    /**
     * Sends a zip over a port; an event names each file that could not be read.
     */
    zip(ids: readonly string[], options: ZipOptions, port: MessagePort): void {
      sendOver<ZipHead>(port, async (signal) => {
        const { files, bytes } = planOf(rowsOf(ids), Infinity);
        const pieces = await zipOf(
          ids,
          options,
          signal,
          (name) => context.tell("unsaved", { name }),
        );
        return { head: { files, bytes }, pieces };
      });
    },
  };
}
