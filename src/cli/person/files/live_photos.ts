/**
 * The video of a live photo, which is one asset with its still: found next to
 * it, taken in with it, or added to a still that came alone.
 *
 * @module
 */
import { videoOf } from "../../../library/showing/export_layout.ts";
import {
  identifierIn,
  isVideoHalf,
  motionOf,
  pairFiles,
  type Pairing,
} from "../../../media/exports/live_photos.ts";
import { placeOfVideo } from "../../../library/showing/live_pairs.ts";
import type { Row } from "../../../library/mod.ts";
import { type OpenFile, openFile } from "./describing.ts";
import { type FileStamp, isSameStamp, stampOf } from "../local_store.ts";
import type { CliContext } from "../cli_context.ts";
import type { PairNames } from "./files.ts";
import { notedAs } from "./keeping.ts";
import { join } from "node:path";

/** A file that may be half of a live photo. */
export interface Half extends FileStamp {
  /** As this machine knows it. */
  readonly path: string;
  readonly name: string;
  open(): Promise<OpenFile>;
}

/**
 * Pairs the files of a folder. A video that was kept before is paired by what
 * was noted of it, so that it is not read again.
 */
export function pairsBy(cli: CliContext, albumId: string): PairNames {
  return async (folder, names) => {
    const files = names.map((path) => ({ path, at: join(folder, path) }));
    const here = new Map(files.map((file) => [file.at, file]));
    const pairs = new Map<string, string>();
    const seen = new Set<typeof files[number]>();
    const kept = new Set<typeof files[number]>();
    for (const video of files.filter(({ path }) => isVideoHalf(path))) {
      const row = await keptAs(cli, video.at, albumId);
      if (row === undefined) continue;
      kept.add(video);
      if (row === "alone") {
        seen.add(video);
        continue;
      }
      const still = cli.local.filesOf(row.id).map(({ path }) => here.get(path))
        .find((one) => one !== undefined && !isVideoHalf(one.path));
      if (still === undefined || pairs.has(still.path)) continue;
      pairs.set(still.path, video.path);
      seen.add(video).add(still);
    }
    const idOf = async (file: typeof files[number]) =>
      kept.has(file) ? undefined : await identifierOf(file.at);
    const rest = files.filter((file) => !seen.has(file));
    for (const [still, video] of await pairFiles(rest, idOf)) {
      pairs.set(still.path, video.path);
    }
    return pairs;
  };
}

/** The still that a video was kept with, or that it was kept by itself. */
async function keptAs(
  cli: CliContext,
  path: string,
  albumId: string,
): Promise<Row | "alone" | undefined> {
  const held = cli.local.knownFile(path);
  const info = held && await Deno.stat(path).catch(() => undefined);
  if (!held || !info || !isSameStamp(held, stampOf(info))) return undefined;
  const { row } = notedAs(cli, held, albumId) ?? {};
  return row?.metadata?.sha256 === held.sha256 ? "alone" : row;
}

/** What cannot be read is named when its turn comes. */
async function identifierOf(path: string): Promise<string | undefined> {
  try {
    using opened = await openFile(path);
    return await identifierIn(path, opened.source);
  } catch {
    return undefined;
  }
}

/** What became of the video of a still that is in the library. */
type VideoOutcome = "kept" | "known" | "separate";

/**
 * Sees to the video of a still that is in the library: it is there with it, or
 * is added to it; `separate` where it is a file of its own.
 */
export async function keepVideo(
  cli: CliContext,
  still: Pick<Half, "open">,
  video: Half,
  row: Row,
  { dryRun, ...pairing }: Pairing & { readonly dryRun?: true },
): Promise<VideoOutcome> {
  const { library, local, signal } = cli;
  const { path, size, modifiedAt, changedAt, inode, device } = video;
  const held = local.knownFile(path);
  const has = videoOf(row);
  if (
    held !== undefined && isSameStamp(held, video) && held.assetId === row.id &&
    has?.size === size
  ) {
    return "known";
  }
  // Unpacking it may cost as much as reading all of it.
  if (has !== undefined && has.size !== size) return "separate";
  using opened = await video.open();
  let sha256 = "";
  const note = () =>
    local.noteFile({
      path,
      size,
      modifiedAt,
      changedAt,
      device,
      inode,
      sha256,
      assetId: row.id,
    });
  const place = await placeOfVideo(library, row, {
    size,
    sha256: async () => sha256 = await opened.hash(signal),
  }, signal);
  if (place === "separate") return place;
  if (place === "known") {
    note();
    return place;
  }
  using picture = await still.open();
  const motion = await motionOf(
    picture.source,
    opened.source,
    video.name,
    pairing,
  );
  if (motion === undefined) return "separate";
  if (dryRun) return "kept";
  await library.amend(row.id, { derivatives: [motion] });
  note();
  return "kept";
}
