/**
 * The commands that take exports of other programs in.
 *
 * @module
 */
import type { ImportOptions } from "./importing/takeout.ts";
import type { Person, PersonOptions } from "./person.ts";
import type { Row } from "./row.ts";

/** `import …`. */
export const IMPORT_ROWS: readonly Row[] = [
  {
    usage: "takeout <path...>",
    description:
      "keep an export of Google Photos: all its zips, or folders, at once, with " +
      "albums, dates, places and favourites",
    options: [["--dry-run", "say what would be kept"]],
    example: "import takeout ~/Downloads/takeout-*.zip",
    async run(
      person: Person,
      options: PersonOptions & ImportOptions,
      paths: string[],
    ) {
      const { importTakeout } = await import("./importing/takeout.ts");
      await importTakeout(person, paths, options);
    },
  },
];
