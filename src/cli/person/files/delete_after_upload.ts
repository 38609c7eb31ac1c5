/**
 * `push --move`: a file is deleted here once it is proven to be kept. Every
 * condition is checked again, in this run: no one wrote to it lately, owned by
 * the caller, receipts of its blobs verified on this machine, durable and read
 * again by the server, and the bytes here still those that were kept.
 *
 * @module
 */
import { counted } from "../../../core/sizes.ts";
import { printable } from "../../phrasing.ts";
import { openFile } from "./describing.ts";
import { isVideoOf } from "../../../library/showing/live_pairs.ts";
import { type FileStamp, isSameStamp, stampOf } from "../local_store.ts";
import type { CliContext } from "../cli_context.ts";
import { provenBy } from "../proofs/proven.ts";
import { asideOf, putBack, renameNew } from "./set_aside.ts";
import type { Row } from "../../../library/mod.ts";

/** A file and the asset that it is. */
export interface MovedFile {
  readonly path: string;
  readonly assetId: string;
  /** It is the video of a live photo, and the asset its still. */
  readonly isVideo: boolean;
}

/** What became of files that were to be moved. */
export interface Moved {
  readonly removed: number;
  /** Kept, and written to a moment ago: they stay until they are older. */
  readonly young: number;
  /** Something is wrong with these, and they stay. */
  readonly left: number;
}

/**
 * Deletes what is proven to be kept and was not written to for `ageMs`; the
 * rest is named, and stays.
 */
export async function takeAway(
  cli: CliContext,
  files: readonly MovedFile[],
  ageMs: number,
): Promise<Moved> {
  const { library, tell, warn, signal } = cli;
  const old: (MovedFile & { readonly stamp: FileStamp })[] = [];
  let [removed, young, left] = [0, 0, 0];
  for (const file of files) {
    const info = await Deno.lstat(file.path).catch(() => undefined);
    // A link's target would stay, and someone else's file could go.
    if (info?.isFile !== true) {
      left += 1;
      tellLeft(cli, file.path, "it has changed since");
    } else if (!isOld(stampOf(info), cli.platform.now(), ageMs)) {
      young += 1;
      const { path } = file;
      tell(
        { event: "file", path, outcome: "young" },
        `stays, because it changed a moment ago: ${printable(path)}`,
      );
    } else old.push({ ...file, stamp: stampOf(info) });
  }
  if (old.length === 0) return { removed, young, left };
  const progress = cli.progress();
  const assetIds = [...new Set(old.map(({ assetId }) => assetId))];
  const receipts = await library.receipts({ signal });
  const report = await library.confirm({
    assetIds,
    deep: true,
    signal,
    onProgress: (done, of) => progress.show("asked about", done, of),
  }).finally(progress.end);
  const unproven = provenBy(cli, receipts, report);
  for (const { path, assetId, isVideo, stamp } of old) {
    signal.throwIfAborted();
    const row = library.index.get(assetId);
    const why = row === undefined
      ? "it is not in the library"
      : unproven(assetId) ??
        await removeUnchanged(
          cli,
          path,
          stamp,
          (aside) => isKept(cli, aside, row, isVideo),
        );
    if (why === undefined) {
      removed += 1;
      tell(
        { event: "file", path, outcome: "moved", asset_id: assetId },
        `moved ${printable(path)}`,
      );
    } else {
      left += 1;
      tellLeft(cli, path, why);
    }
  }
  if (left > 0) warn(`${counted(left, "file")} left where they are`);
  return { removed, young, left };
}

function tellLeft({ tell, warn }: CliContext, path: string, why: string): void {
  warn(`left where it is, because ${why}: ${printable(path)}`);
  tell({ event: "file", path, outcome: "left", why }, "");
}

/**
 * Whether no one wrote to a file lately: by its content's time, which programs
 * set as they like, and by the system's, which they cannot. Times to come are
 * a clock that was wrong, and count as just now.
 */
function isOld(
  { modifiedAt, changedAt }: FileStamp,
  now: number,
  ageMs: number,
): boolean {
  return now - modifiedAt >= ageMs && now - (changedAt ?? modifiedAt) >= ageMs;
}

const OTHER = "it has changed since";

/**
 * Sets a file aside, has it examined there, and deletes it if no one touched it
 * meanwhile; otherwise it has its name again, and why is returned.
 */
export async function removeUnchanged(
  { warn }: Pick<CliContext, "warn">,
  path: string,
  before: FileStamp,
  isKept: (aside: string) => Promise<boolean>,
): Promise<string | undefined> {
  const aside = asideOf(path);
  try {
    if (!await renameNew(path, aside)) return "another one is set aside";
  } catch (error) {
    return `it cannot be set aside (${
      error instanceof Error ? error.message : String(error)
    })`;
  }
  let isGone = false;
  try {
    const set = stampOf(await Deno.lstat(aside));
    // Its other name is a change of the file, but of nothing in it.
    const isSame = isSameStamp({ ...set, changedAt: null }, {
      ...before,
      changedAt: null,
    });
    if (!isSame || !await isKept(aside)) return OTHER;
    if (!isSameStamp(set, stampOf(await Deno.lstat(aside)))) return OTHER;
    await Deno.remove(aside);
    isGone = true;
  } finally {
    if (!isGone) {
      const back = await putBack(path);
      if (back !== path) {
        warn(
          `${printable(path)} is another file by now: the one before is ` +
            printable(back),
        );
      }
    }
  }
  return undefined;
}

/** Whether the bytes of a file are those of an asset, or of its video. */
async function isKept(
  cli: CliContext,
  path: string,
  row: Row,
  isVideo: boolean,
): Promise<boolean> {
  using opened = await openFile(path);
  const { size } = opened.source;
  const sha256 = await opened.hash(cli.signal);
  return isVideo
    ? await isVideoOf(cli.library, row, { size, sha256 }, cli.signal)
    : sha256 === row.metadata?.sha256;
}
