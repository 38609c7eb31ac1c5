/**
 * The video of a live photo, which is one asset with its still: found beside
 * it, taken in with it, or added to a still that came alone.
 *
 * @module
 */
import { videoOf } from "../../../library/showing/export_layout.ts";
import { motionOf, type Pairing } from "../../../media/exports/live_photos.ts";
import { placeOfVideo } from "../../../library/showing/live_pairs.ts";
import type { Row } from "../../../library/mod.ts";
import type { OpenFile } from "./describing.ts";
import { type FileStamp, isSameStamp } from "../local_store.ts";
import type { CliContext } from "../cli_context.ts";

/** A file that may be half of a live photo. */
export interface Half extends FileStamp {
  /** As this machine knows it. */
  readonly path: string;
  readonly name: string;
  open(): Promise<OpenFile>;
}

/** What became of the video of a still that is in the library. */
export type VideoOutcome = "kept" | "known" | "separate";

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
