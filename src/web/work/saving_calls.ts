/**
 * Files for the person's own disk: one as it is, many as a zip that is made
 * while it is saved, and everything, with what is known of each beside it.
 *
 * @module
 */
import type { Row } from "../../client/library/mod.ts";
import type { VaultContext } from "./context.ts";
import { sendOver } from "./ports.ts";
import { gathered } from "./viewing_calls.ts";
import type { ZipOptions } from "./zips.ts";

/** Files that go into one zip, by their ids. */
export interface ZipPart {
  readonly ids: readonly string[];
  readonly bytes: number;
}

/** What a download comes to. */
export interface ZipPlan {
  readonly parts: readonly ZipPart[];
  readonly files: number;
  readonly bytes: number;
  /** Names of files that fit into no part. */
  readonly left: readonly string[];
}

/** What is known of a zip before its first byte. */
export interface ZipHead {
  readonly files: number;
  readonly bytes: number;
}

/** The calls of the group `saving`. */
export function savingCalls(context: VaultContext) {
  const rowsOf = (ids: readonly string[] | "everything"): readonly Row[] => {
    const library = context.opened();
    if (ids === "everything") return library.list();
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
    /** In how many zips of at most so many bytes they fit. */
    plan(
      ids: readonly string[] | "everything",
      mostBytes = Infinity,
    ): ZipPlan {
      return planOf(rowsOf(ids), mostBytes);
    },

    /** Sends a file as it is, over a port: see `ports.ts`. */
    file(id: string, port: MessagePort): void {
      sendOver(port, (signal) => {
        const read = context.opened().read(id, "original", { signal });
        return Promise.resolve({ head: {}, pieces: gathered(read) });
      });
    },

    /** Sends a zip over a port. Its names that could not be read are told. */
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

/** Fills parts in the order of the files. */
export function planOf(
  rows: readonly Pick<Row, "id" | "metadata">[],
  mostBytes: number,
): ZipPlan {
  const parts: { ids: string[]; bytes: number }[] = [];
  const left: string[] = [];
  let files = 0;
  for (const { id, metadata } of rows) {
    if (metadata === undefined) continue;
    const { size, name } = metadata;
    if (size > mostBytes) {
      left.push(name);
      continue;
    }
    let part = parts.at(-1);
    if (part === undefined || part.bytes + size > mostBytes) {
      part = { ids: [], bytes: 0 };
      parts.push(part);
    }
    part.ids.push(id);
    part.bytes += size;
    files += 1;
  }
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  return { parts, files, bytes, left };
}
