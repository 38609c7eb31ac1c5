/**
 * Taking an export of another program in: what its files are to each other is
 * the kind's to say, everything else is the same for all.
 *
 * @module
 */
import {
  type ExportKind,
  identifierOf,
  type PassedWhy,
  planExport,
  sidecarText,
  TEXT_MAX_BYTES,
} from "../../../../media/exports/export_kind.ts";
import { keepAlbums } from "../../../../library/albums/exported_albums.ts";
import { counted } from "../../../../core/sizes.ts";
import { printable } from "../../../phrasing.ts";
import { tellUndated } from "../describing.ts";
import { STATUS } from "../../faults.ts";
import type { CliContext } from "../../cli_context.ts";
import { followFeed } from "../../following.ts";
import { type ExportFile, openParts } from "./parts.ts";
import { ExportTaking } from "./taking.ts";

/** The options of `import`. */
export interface ImportOptions {
  readonly dryRun?: true;
}

/** Why files are passed over, for people. */
const WHYS: Readonly<Record<PassedWhy, string>> = {
  unrelated: "no photograph's",
  unreadable: "no sidecar that can be read",
  describes: "it describes other files",
  trashed: "it was in the trash",
  derived: "immich made it from another file",
  archive: "it is an archive: unpack it and import its folder",
  elsewhere: "it is of another product than the photos",
  litter: "a system or camera left it behind",
};

/** Takes an export in. */
export async function importExport(
  cli: CliContext,
  paths: readonly string[],
  kind: ExportKind,
  options: ImportOptions,
): Promise<void> {
  const { tell, warn, endWith, signal, places } = cli;
  await followFeed(cli, { asksForMissing: true });
  using parts = await openParts(
    paths,
    places.stateDirectory,
    signal,
    kind.hidden,
  );
  let passed = 0;
  const passOver = (path: string, why: string) => {
    passed += 1;
    tell(
      { event: "file", path, outcome: "passed_over", why },
      `passed over ${printable(path)}: ${printable(why)}`,
    );
  };
  let unread = 0;
  for (const { path, why, isUnread } of parts.passedOver) {
    if (!isUnread) passOver(path, why);
    else {
      unread += 1;
      warn(`cannot be read: ${printable(path)}: ${printable(why)}`);
      tell({ event: "file", path, outcome: "failed", why }, "");
    }
  }
  const { items, edited, passed: others, unused, albums } = await planExport(
    kind,
    parts.files,
    {
      textOf,
      async identifierOf(file) {
        signal.throwIfAborted();
        return await identifierOf(file);
      },
    },
  );
  for (const { file, why } of others) passOver(file.shown, WHYS[why]);
  const taking = new ExportTaking(cli, { ...kind, ...options });
  await taking.takeAll(items);
  await taking.takeAll(edited);
  const { tally, assets } = taking;
  const unmatched = kind.tellsOfAll ? taking.unmatched : [];
  for (const path of unmatched) {
    tell(
      { event: "unmatched", path },
      `no sidecar for ${printable(path)}: its date comes from the file`,
    );
  }
  for (const sidecar of unused) {
    tell(
      { event: "unmatched", path: sidecar.path },
      `no file for ${printable(sidecar.path)}`,
    );
  }
  const { corrected } = taking;
  for (const path of corrected) {
    tell(
      { event: "corrected", path },
      `its date was corrected by hand, and that one counts: ${printable(path)}`,
    );
  }
  if (corrected.length > 0) {
    tell(
      { event: "corrected", count: corrected.length },
      `${counted(corrected.length, "date")} corrected by hand`,
    );
  }
  tellUndated(tell, taking.undated);
  const collections = options.dryRun
    ? 0
    : await keepAlbums(cli, albums, assets);
  tally.failed += unread;
  const { kept, known, amended, trashed, failed } = tally;
  const status = failed > 0 ? STATUS.someFailed : 0;
  tell(
    {
      event: "end",
      status,
      ...tally,
      passed_over: passed,
      unmatched: unmatched.length,
      albums: collections,
    },
    [
      `${counted(kept, "file")} ${options.dryRun ? "to keep" : "kept"}`,
      `${counted(known, "file")} known` +
      (amended > 0 ? ` (${amended} of them better than before)` : ""),
      `${counted(collections, "album")}`,
      ...passed > 0 ? [`${counted(passed, "file")} passed over`] : [],
      ...unmatched.length > 0 ? [`${unmatched.length} without a sidecar`] : [],
      ...trashed > 0 ? [`${counted(trashed, "file")} in the trash`] : [],
      ...failed > 0 ? [`${counted(failed, "file")} FAILED`] : [],
    ].join(", "),
  );
  if (status !== 0) endWith(status);
}

/** A small file's text; damaged text is no sidecar, and named as such. */
async function textOf(file: ExportFile): Promise<string> {
  if (file.size > TEXT_MAX_BYTES) return "";
  try {
    using opened = await file.open();
    return sidecarText(await opened.source.read(0, file.size));
  } catch {
    return "";
  }
}
