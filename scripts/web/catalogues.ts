/**
 * The app's catalogues of texts as they are in `src/web/app/messages/`: a folder
 * of JSON files for each language. Browsers fetch a language in few files.
 *
 * @module
 */
import type { Texts } from "../../src/web/app/messages/format.ts";
import languages from "../../src/web/app/messages/languages.json" with {
  type: "json",
};

/** Where the catalogues are. */
export const MESSAGES = new URL(
  "../../src/web/app/messages/",
  import.meta.url,
);

/** The parts that are shown at first; others come with the first lazy part. */
export const FIRST_PARTS = ["common", "faults", "shell", "grid", "photos"];
/** What the doctor says, which is fetched with the operator's page alone. */
const FINDINGS = "findings";

/** The languages' own names, by their tags. */
export const LANGUAGES: Readonly<Record<string, string>> = languages;

/** A catalogue: its parts by the names of their files. */
type Catalogue = Readonly<Record<string, Texts>>;

/** The catalogue of a language. */
export function catalogueOf(tag: string, root: URL = MESSAGES): Catalogue {
  const folder = new URL(`${tag}/`, root);
  const parts = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".json")).sort();
  return Object.fromEntries(parts.map((name) => [
    name.replace(/\.json$/, ""),
    JSON.parse(Deno.readTextFileSync(new URL(name, folder))),
  ]));
}

/** The names of the parts that are not of the first load. */
export function laterParts(catalogue: Catalogue): string[] {
  return Object.keys(catalogue).filter((part) =>
    part !== FINDINGS && !FIRST_PARTS.includes(part)
  );
}

/** The files of all languages, as `first_messages.ts` fetches them. */
export function textFiles(): Map<string, string> {
  return new Map(
    Object.keys(LANGUAGES).flatMap((tag) => {
      const catalogue = catalogueOf(tag);
      const together = (parts: readonly string[]) =>
        Object.fromEntries(parts.map((part) => [part, catalogue[part]]));
      const files = {
        first: together(FIRST_PARTS),
        later: together(laterParts(catalogue)),
        findings: catalogue[FINDINGS],
      };
      return Object.entries(files).map(([part, texts]): [string, string] => [
        `texts-${tag}-${part}.json`,
        JSON.stringify(texts),
      ]);
    }),
  );
}
