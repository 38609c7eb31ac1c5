/**
 * The app's catalogues of texts, read as ICU MessageFormat.
 *
 * @module
 */
import {
  type MessageFormatElement,
  parse,
  TYPE,
} from "@formatjs/icu-messageformat-parser";
import { speaking, type Texts } from "../../src/web/app/messages/format.ts";
import type { Messages } from "../../src/web/app/messages/types.ts";
import { catalogueOf, MESSAGES } from "../web/catalogues.ts";

/** The tags of the folders that are there. */
export function foldersOf(): string[] {
  return [...Deno.readDirSync(MESSAGES)]
    .filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => name).sort();
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
