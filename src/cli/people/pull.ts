/**
 * `strongroom pull`: everything, or what is looked for, as files of this
 * machine. Nothing that is there is ever written over.
 *
 * @module
 */
import { basename, join, resolve } from "node:path";
import { DamagedBlob, type Row, takenAt } from "../../client/library/mod.ts";
import { queryOf } from "../../client/library/search.ts";
import { bytesInWords, counted } from "../../core/sizes.ts";
import { printable } from "../words.ts";
import { complaintOf, STATUS } from "./faults.ts";
import { layoutOf } from "./names.ts";
import type { Person } from "./person.ts";
import { followFeed } from "./push.ts";
import { type Piece, write } from "./writing.ts";

/** The options of `pull`. */
export interface PullOptions {
  readonly layout: string;
  readonly query?: string;
  readonly sidecars?: true;
}

/** Writes what is looked for into a folder. */
export async function pull(
  person: Person,
  folder: string,
  options: PullOptions,
): Promise<void> {
  const { library, tell, warn, endWith, signal } = person;
  const root = resolve(folder);
  const pathOf = layoutOf(options.layout);
  const wanted = queryOf(options.query ?? "");
  await followFeed(person);
  const progress = person.progress();
  const taken = new Set<string>();
  const tally = { written: 0, there: 0, failed: 0, bytes: 0 };
  let damaged = 0;
  try {
    for (const row of library.list()) {
      signal.throwIfAborted();
      if (!wanted(row)) continue;
      const name = row.metadata?.name ?? row.id;
      try {
        const still = stillOf(row, takenAt(row));
        const done = await write(person, still, join(root, pathOf(row)), taken);
        tally[done.what] += 1;
        const film = filmOf(row, done.path);
        if (film !== undefined) {
          const { what, path } = await write(person, ...film, taken);
          if (what === "written") {
            tell(
              { event: "file", path, outcome: "written", asset_id: row.id },
              `wrote ${printable(path)}`,
            );
          }
        }
        if (done.what === "there") continue;
        tally.bytes += row.metadata?.size ?? 0;
        progress.show("written", tally.bytes);
        if (options.sidecars) await writeSidecar(row, done.path);
        tell(
          {
            event: "file",
            path: done.path,
            outcome: "written",
            asset_id: row.id,
          },
          `wrote ${printable(done.path)}`,
        );
      } catch (error) {
        const complaint = complaintOf(error);
        if (
          complaint?.status === STATUS.tryLater ||
          complaint?.status === STATUS.interrupted
        ) throw error;
        if (error instanceof DamagedBlob) damaged += 1;
        tally.failed += 1;
        const why = complaint?.text ??
          (error instanceof Error ? error.message : String(error));
        progress.end();
        warn(`${printable(name)} (${row.id}): ${printable(why)}`);
        tell({ event: "file", asset_id: row.id, outcome: "failed", why }, "");
      }
    }
  } finally {
    progress.end();
  }
  const status = damaged > 0
    ? STATUS.wrong
    : tally.failed > 0
    ? STATUS.someFailed
    : 0;
  tell(
    { event: "end", status, ...tally },
    [
      `${counted(tally.written, "file")} written (${
        bytesInWords(tally.bytes)
      })`,
      `${counted(tally.there, "file")} there already`,
      ...tally.failed > 0 ? [`${counted(tally.failed, "file")} FAILED`] : [],
    ].join(", "),
  );
  if (status !== 0) endWith(status);
}

/** The film of a live photo goes beside its still, under the same name. */
function filmOf(row: Row, still: string): [Piece, string] | undefined {
  const motion = row.metadata?.derivatives.find(({ kind }) =>
    kind === "motion"
  );
  if (motion === undefined) return undefined;
  const end = motion.mime === "video/mp4" ? ".mp4" : ".mov";
  const dot = basename(still).lastIndexOf(".");
  const stem = dot > 0
    ? still.slice(0, still.length - basename(still).length + dot)
    : still;
  return [{
    assetId: row.id,
    wanted: { derivative: "motion" },
    at: takenAt(row),
    isHeld: (held) =>
      held.sha256 !== row.metadata?.sha256 && held.path.endsWith(end),
  }, `${stem}${end}`];
}

function stillOf({ id, metadata }: Row, at: number): Piece {
  return {
    assetId: id,
    wanted: "original",
    at,
    ...(metadata === undefined
      ? {}
      : { known: { sha256: metadata.sha256, size: metadata.size } }),
    isHeld: (held) => held.sha256 === metadata?.sha256,
  };
}

/** What is known of an asset, beside its file. */
async function writeSidecar({ id, metadata }: Row, path: string) {
  const known = { asset_id: id, ...metadata };
  await Deno.writeTextFile(
    `${path}.json`,
    `${
      JSON.stringify(known, (_, value) =>
        value instanceof Uint8Array ? value.toBase64() : value, 2)
    }\n`,
    { createNew: true },
  ).catch((error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  });
}
