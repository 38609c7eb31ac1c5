/**
 * The commands that take exports of other programs in.
 *
 * @module
 */
import type { ExportKind } from "../../../media/exports/export_kind.ts";
import type { ImportOptions } from "./importing/importing.ts";
import type { ReimportOptions } from "./importing/strongroom.ts";
import type { CliContext, CliOptions } from "../cli_context.ts";
import type { Row } from "../row.ts";

/** `import …`. */
export const IMPORT_ROWS: readonly Row[] = [
  {
    usage: "strongroom <folder>",
    description:
      "import what `export-all` or the app exported, with captions, " +
      "favourites, hidden and archived photos, videos of live photos, " +
      "shared and private albums",
    options: [
      ["--dry-run", "list what would be imported"],
      ["--again", "also import files that you deleted from the library"],
    ],
    example: "import strongroom /media/disk/everything",
    async run(
      cli: CliContext,
      options: CliOptions & ReimportOptions,
      folder: string,
    ) {
      const { importStrongroom } = await import("./importing/strongroom.ts");
      await importStrongroom(cli, folder, options);
    },
  },
  row({
    usage: "takeout <path...>",
    description:
      "import an export of Google Photos, all its zips, tgz files or folders at " +
      "once, with albums, dates, places and favourites",
    example: "import takeout ~/Downloads/takeout-*.zip",
    kind: async () =>
      (await import("../../../media/exports/takeout_export.ts")).TAKEOUT,
  }),
  row({
    usage: "immich <path...>",
    description:
      "import the upload folder of immich, or a part of it, with dates, " +
      "places and descriptions from its XMP sidecars",
    example: "import immich /srv/immich/upload",
    kind: async () =>
      (await import("../../../media/exports/sidecar_export.ts")).IMMICH,
  }),
  row({
    usage: "ente <path...>",
    description:
      "import an export of ente's programs, with albums, dates, places " +
      "and descriptions",
    example: "import ente ~/Downloads/'Ente Photos'",
    kind: async () =>
      (await import("../../../media/exports/ente_export.ts")).ENTE,
  }),
  row({
    usage: "apple <path...>",
    description:
      "import an export of Apple Photos or osxphotos, with dates, places, " +
      "descriptions and favourites from its XMP sidecars; or the copy of " +
      "iCloud Photos that Apple sends on request, with dates, albums, " +
      "favourites and hidden photos from its tables",
    example: "import apple ~/Pictures/export",
    kind: async () =>
      (await import("../../../media/exports/apple_export.ts")).APPLE,
  }),
];

function row(
  { kind, ...declared }: Pick<Row, "usage" | "description" | "example"> & {
    readonly kind: () => Promise<ExportKind>;
  },
): Row {
  return {
    ...declared,
    options: [["--dry-run", "list what would be imported"]],
    async run(
      cli: CliContext,
      options: CliOptions & ImportOptions,
      paths: string[],
    ) {
      const { importExport } = await import("./importing/importing.ts");
      await importExport(cli, paths, await kind(), options);
    },
  };
}
