/**
 * `strongroom pull`: everything, or what is looked for, as files of this
 * machine. Nothing that is there is ever written over.
 *
 * @module
 */
import { join, resolve } from "node:path";
import { DamagedBlob, type Row, takenAt } from "../../client/library/mod.ts";
import { queryOf } from "../../client/library/search.ts";
import { bytesInWords, counted } from "../../core/sizes.ts";
import { printable } from "../words.ts";
import { complaintOf, STATUS } from "./faults.ts";
import { filmName, filmOf } from "./live_photos.ts";
import { layoutOf } from "./names.ts";
import type { Person } from "./person.ts";
import { followFeed } from "./push.ts";
import { type SidecarKind, sidecarKindsOf, writeSidecars } from "./sidecars.ts";
import { type Piece, write } from "./writing.ts";

/** The options of `pull`. */
export interface PullOptions {
  readonly layout: string;
  readonly query?: string;
  /** `json`, `xmp`, or both with a comma between. */
  readonly sidecars?: string;
}

/** Where rows go. */
export interface Pulling {
  readonly root: string;
  /** The path of a row below the root. */
  readonly pathOf: (row: Row) => string;
  readonly sidecars: readonly SidecarKind[];
  /** Told of each file that is there now. */
  readonly onFile?: (row: Row, path: string) => void;
  /** The same for the films of live photos. */
  readonly onFilm?: (row: Row, path: string) => void;
}

/** What became of them. */
export interface Pulled {
  readonly written: number;
  readonly there: number;
  readonly failed: number;
  readonly bytes: number;
  /** Of those that failed: the bytes are not what they should be. */
  readonly damaged: number;
}

/** Writes what is looked for into a folder. */
export async function pull(
  person: Person,
  folder: string,
  options: PullOptions,
): Promise<void> {
  const pulling = {
    root: resolve(folder),
    pathOf: layoutOf(options.layout),
    sidecars: sidecarKindsOf(options.sidecars),
  };
  const wanted = queryOf(options.query ?? "");
  await followFeed(person);
  const rows = person.library.list().filter(wanted);
  const { damaged, ...tally } = await pullRows(person, rows, pulling);
  const status = statusOf({ damaged, ...tally });
  person.tell({ event: "end", status, ...tally }, pulledInWords(tally));
  if (status !== 0) person.endWith(status);
}

/** The exit status of what became of rows. */
export function statusOf({ damaged, failed }: Pulled): number {
  return damaged > 0 ? STATUS.wrong : failed > 0 ? STATUS.someFailed : 0;
}

/** The last line. */
export function pulledInWords(
  { written, there, failed, bytes }: Omit<Pulled, "damaged">,
): string {
  return [
    `${counted(written, "file")} written (${bytesInWords(bytes)})`,
    `${counted(there, "file")} there already`,
    ...failed > 0 ? [`${counted(failed, "file")} FAILED`] : [],
  ].join(", ");
}

/** Writes rows as files; what ends all of them is thrown. */
export async function pullRows(
  person: Person,
  rows: Iterable<Row>,
  { root, pathOf, sidecars, onFile, onFilm }: Pulling,
): Promise<Pulled> {
  const { tell, warn, signal } = person;
  const progress = person.progress();
  const taken = new Set<string>();
  const tally = { written: 0, there: 0, failed: 0, bytes: 0, damaged: 0 };
  const wrote = (row: Row, path: string) =>
    tell(
      { event: "file", path, outcome: "written", asset_id: row.id },
      `wrote ${printable(path)}`,
    );
  try {
    for (const row of rows) {
      signal.throwIfAborted();
      const name = row.metadata?.name ?? row.id;
      try {
        const still = stillOf(row, takenAt(row));
        const done = await write(person, still, join(root, pathOf(row)), taken);
        tally[done.what] += 1;
        onFile?.(row, done.path);
        const film = filmBeside(row, done.path);
        if (film !== undefined) {
          const { what, path } = await write(person, ...film, taken);
          tally[what] += 1;
          onFilm?.(row, path);
          if (what === "written") wrote(row, path);
        }
        await writeSidecars(row, done.path, sidecars);
        if (done.what === "there") continue;
        tally.bytes += row.metadata?.size ?? 0;
        progress.show("written", tally.bytes);
        wrote(row, done.path);
      } catch (error) {
        const complaint = complaintOf(error);
        if (
          complaint?.status === STATUS.tryLater ||
          complaint?.status === STATUS.interrupted
        ) throw error;
        if (error instanceof DamagedBlob) tally.damaged += 1;
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
  return tally;
}

/** The film of a live photo goes beside its still, under the same name. */
function filmBeside(row: Row, still: string): [Piece, string] | undefined {
  const motion = filmOf(row);
  if (motion === undefined) return undefined;
  const path = filmName(still, motion.mime);
  const end = path.slice(-".mov".length);
  return [{
    assetId: row.id,
    wanted: { derivative: "motion" },
    at: takenAt(row),
    isHeld: (held) =>
      held.sha256 !== row.metadata?.sha256 && held.path.endsWith(end),
  }, path];
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
