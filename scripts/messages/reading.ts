/**
 * The app's catalogues of texts as they are in `src/web/app/messages/`: a folder
 * of JSON files for each language, read as ICU MessageFormat.
 *
 * @module
 */
import {
  type MessageFormatElement,
  parse,
  TYPE,
} from "@formatjs/icu-messageformat-parser";
import { speaking, type Texts } from "../../src/web/app/messages/format.ts";
import type { Messages } from "../../src/web/app/messages/generated/types.ts";
import languages from "../../src/web/app/messages/languages.json" with {
  type: "json",
};

/** Where the catalogues are. */
export const MESSAGES = new URL(
  "../../src/web/app/messages/",
  import.meta.url,
);

/** The parts that are shown at first; others come with the first lazy part. */
export const FIRST_PARTS = ["common", "faults", "frame", "grid", "photos"];
/** What the doctor says, which is fetched with the operator's page alone. */
export const FINDINGS = "findings";

/** The languages' own names, by their tags. */
export const LANGUAGES: Readonly<Record<string, string>> = languages;

/** A catalogue: its parts by the names of their files. */
export type Catalogue = Readonly<Record<string, Texts>>;

/** The tags of the folders that are there. */
export function foldersOf(root: URL = MESSAGES): string[] {
  return [...Deno.readDirSync(root)]
    .filter(({ name, isDirectory }) => isDirectory && name !== "generated")
    .map(({ name }) => name).sort();
}

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

/** The texts of a language as the app says them, with plain numbers. */
export function messagesOf(tag: string): Messages {
  const written = (value: number) => value.toLocaleString(tag);
  return speaking(catalogueOf(tag), { tag, written }) as Messages;
}

/** Every text of a catalogue by its path: `kept.logs.title`, `keys.rows.0.1`. */
export function textsOf(
  texts: Texts,
  path = "",
): Map<string, string> {
  if (typeof texts === "string") return new Map([[path, texts]]);
  return new Map(
    Object.entries(texts).flatMap(([key, one]) => [
      ...textsOf(one, path === "" ? key : `${path}.${key}`),
    ]),
  );
}

/** What a text wants to be given, by name: its kinds, and the cases of a select. */
export type Wanted = ReadonlyMap<string, Want>;

/** One argument of a text. */
export interface Want {
  readonly kind: "text" | "number" | "select";
  /** The cases of a select but for `other`. */
  readonly cases: ReadonlySet<string>;
}

/** The arguments of a text; throws what is wrong with it. */
export function argumentsOf(text: string): Wanted {
  const wanted = new Map<string, Want>();
  const want = (name: string, kind: Want["kind"], cases: string[] = []) => {
    const known = wanted.get(name);
    if (known !== undefined && known.kind !== kind) {
      // What is counted can be shown as well, and only as a number.
      throw new Error(`{${name}} is ${known.kind} here and ${kind} there`);
    }
    wanted.set(name, {
      kind,
      cases: new Set([...known?.cases ?? [], ...cases]),
    });
  };
  for (const element of elementsOf(text)) {
    switch (element.type) {
      case TYPE.argument:
        want(element.value, "text");
        break;
      case TYPE.number:
      case TYPE.plural:
        want(element.value, "number");
        break;
      case TYPE.select:
        want(
          element.value,
          "select",
          Object.keys(element.options).filter((key) => key !== "other"),
        );
    }
  }
  return wanted;
}

/** The parts of a text, and those within them. */
export function elementsOf(text: string): MessageFormatElement[] {
  const within = (elements: MessageFormatElement[]): MessageFormatElement[] =>
    elements.flatMap((element) =>
      element.type === TYPE.plural || element.type === TYPE.select
        ? [
          element,
          ...Object.values(element.options).flatMap(({ value }) =>
            within(value)
          ),
        ]
        : [element]
    );
  return within(parse(text, { ignoreTag: true, requiresOtherClause: true }));
}
