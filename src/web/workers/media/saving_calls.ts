/**
 * The vault's calls for saving files: one file as it is, many as a zip that is
 * made while it is saved, or everything with metadata next to each file.
 *
 * @module
 */
import { DocumentError, type Row } from "../../../library/mod.ts";
import { faultOf } from "../../../client/stream/threads/thread_messages.ts";
import type { VaultContext, ZipProgress } from "../vault/context.ts";
import { sendOver } from "./ports.ts";
import { gathered } from "./gathered.ts";
import { eachOnce, type ExportPlan, planOf, type ZipPlan } from "./zip_plan.ts";
import type { ZipOptions } from "./zips.ts";

/** The facts about a zip before its first byte. */
export interface ZipHead {
  readonly files: number;
  readonly bytes: number;
}

/** The calls of the group `saving`. */
export function savingCalls(context: VaultContext) {
  /** The export that was begun: its job, and the photos that it may read. */
  let begun:
    | { readonly job: string; readonly ids: ReadonlySet<string> }
    | undefined;
  const isOpen = (row: Row) => !context.view().isShut(row);
  const everything = (): readonly Row[] => {
    const library = context.opened();
    return eachOnce(library.list().filter(isOpen), library.vault);
  };
  const rowsOf = (ids: readonly string[], job?: string): readonly Row[] => {
    const { index } = context.opened();
    // Hidden photos may be locked again before all parts are saved: what an
    // export was begun with stays in it.
    const given = begun !== undefined && begun.job === job
      ? begun.ids
      : undefined;
    return ids.flatMap((id) => index.get(id) ?? [])
      .filter((row) => given?.has(row.id) || isOpen(row));
  };
  /** Those that pages follow, by their jobs. */
  const ending = new Map<string, AbortController>();

  return {
    /** Plans the zips for files, each of at most `mostBytes`. */
    plan: (ids: readonly string[], mostBytes = Infinity): ZipPlan =>
      planOf(rowsOf(ids), mostBytes),

    /**
     * Plans the export of everything. While hidden photos are locked it has
     * none of them, and says so. With a job, the export begins.
     */
    planExport(mostBytes = Infinity, job?: string): ExportPlan {
      const library = context.opened();
      const rows = everything();
      if (job !== undefined) {
        begun = { job, ids: new Set(rows.map(({ id }) => id)) };
      }
      return {
        ...planOf(rows, mostBytes),
        withoutHidden: context.hidden?.lock.isOpen !== true,
        trash: eachOnce(
          library.trashed().filter(isOpen),
          library.vault,
        ).length,
        unopened: library.unopened().length,
      };
    },

    /** Sends a file over a port; see `ports.ts`. */
    file(id: string, port: MessagePort): void {
      sendOver(port, async (signal) => {
        const abroad = await context.photoAbroad(id);
        if (abroad === undefined && rowsOf([id]).length === 0) {
          throw new DocumentError(`no photo ${id}`);
        }
        const { assetId, reading } = abroad ??
          { assetId: id, reading: context.opened() };
        const read = reading.read(assetId, "original", { signal });
        return { head: {}, pieces: gathered(read) };
      });
    },

    /**
     * Sends a zip over a port; an event names each file that could not be read,
     * and others tell the progress of one that has a job.
     */
    zip(ids: readonly string[], options: ZipOptions, port: MessagePort): void {
      const { job } = options;
      const own = new AbortController();
      if (job !== undefined) ending.set(job, own);
      const teller = tellerOf(context, job, own.signal, () => {
        if (job !== undefined && ending.get(job) === own) ending.delete(job);
      });
      sendOver<ZipHead>(port, async (ended) => {
        const rows = rowsOf(ids, job);
        const { files, bytes } = planOf(rows, Infinity);
        const { zipStream } = await import("./zips.ts");
        const pieces = await zipStream(
          context,
          rows,
          options,
          AbortSignal.any([ended, own.signal]),
          teller,
        );
        return { head: { files, bytes }, pieces: teller.followed(pieces) };
      }, teller.end);
    },

    /** Ends a zip that has this job. */
    cancel(job: string): void {
      ending.get(job)?.abort();
      ending.delete(job);
    },
  };
}

/** Least time between two events of a progress (ms). */
const TOLD_MS = 100;

/** Tells the pages the progress of a zip, if they follow it. */
function tellerOf(
  context: VaultContext,
  job: string | undefined,
  signal: AbortSignal,
  over: () => void,
) {
  let [files, bytes, toldAt, isOver] = [0, 0, 0, false];
  const tell = (end?: ZipProgress["end"]) => {
    if (job === undefined || isOver) return;
    const at = context.platform.now();
    if (end === undefined && at - toldAt < TOLD_MS) return;
    toldAt = at;
    isOver = end !== undefined;
    if (isOver) over();
    context.tell("zipping", {
      job,
      files,
      bytes,
      ...(end === undefined ? {} : { end }),
    });
  };
  return {
    unread: (name: string) => context.tell("unsaved", { name }),
    read(more: number) {
      bytes += more;
      tell();
    },
    written() {
      files += 1;
      tell();
    },
    end: tell,
    async *followed(
      pieces: AsyncIterable<Uint8Array>,
    ): AsyncGenerator<Uint8Array, void> {
      let end: ZipProgress["end"] = "cancelled";
      try {
        yield* pieces;
        end = "whole";
      } catch (error) {
        end = faultOf(error);
        throw error;
      } finally {
        tell(signal.aborted ? "cancelled" : end);
      }
    },
  };
}
