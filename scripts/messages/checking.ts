/**
 * What may be wrong with a language's catalogue: something missing, or what the
 * app could not say.
 *
 * @module
 */
import { TYPE } from "@formatjs/icu-messageformat-parser";
import { catalogueOf, MESSAGES } from "../web/catalogues.ts";
import { argumentsOf, elementsOf, textsOf, type Wanted } from "./reading.ts";

/** What photos can be counted as, apart from `other` (`Noun`). */
const NOUNS = new Set(["photo", "video", "file"]);

/** The problems of a language, each a sentence; none if all is well. */
export function problemsOf(tag: string, root: URL = MESSAGES): string[] {
  const english = textsOf(catalogueOf("en", root));
  const own = textsOf(catalogueOf(tag, root));
  const plurals = pluralsOf(tag);
  const problems: string[] = [];
  for (const path of english.keys()) {
    if (!own.has(path)) problems.push(`${path}: missing`);
  }
  for (const [path, text] of own) {
    const original = english.get(path);
    const found = original === undefined
      ? ["no such text in English"]
      : faultsOf(text, original, plurals);
    problems.push(...found.map((problem) => `${path}: ${problem}`));
  }
  return problems;
}

function faultsOf(
  text: string,
  original: string,
  plurals: Plurals,
): string[] {
  if (text.trim() === "") return ["empty"];
  if (/'[{}#]|''/.test(text)) {
    return ["an apostrophe (') before a brace or another: write ’"];
  }
  try {
    return [
      ...argumentFaults(argumentsOf(text), argumentsOf(original)),
      ...formFaults(text, plurals),
    ];
  } catch (error) {
    return [`not well formed: ${error instanceof Error ? error.message : ""}`];
  }
}

function argumentFaults(own: Wanted, english: Wanted): string[] {
  const faults: string[] = [];
  for (const [name, { kind }] of english) {
    // Not every language says something else of a video.
    if (kind !== "select" && !own.has(name)) {
      faults.push(`{${name}} is missing`);
    }
  }
  for (const [name, { kind, cases }] of own) {
    const wanted = english.get(name);
    if (wanted === undefined) faults.push(`{${name}} is not in English`);
    else if (wanted.kind !== kind) {
      faults.push(`{${name}} is ${wanted.kind} in English, and ${kind} here`);
    }
    const known = name === "noun" ? NOUNS : wanted?.cases;
    for (const one of cases) {
      if (known?.has(one) !== true) {
        faults.push(`{${name}} is never “${one}”`);
      }
    }
  }
  return faults;
}

/** Numbers that say which plurals a language has. */
const COUNTS = Array.from({ length: 1_001 }, (_, n) => n);

/** The plurals of a language: those that it needs, and all that it knows. */
function pluralsOf(tag: string): Plurals {
  const rules = new Intl.PluralRules(tag);
  return {
    needed: new Set(COUNTS.map((n) => rules.select(n))),
    known: new Set(rules.resolvedOptions().pluralCategories),
  };
}

interface Plurals {
  readonly needed: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
}

function formFaults(text: string, { needed, known }: Plurals): string[] {
  return elementsOf(text).flatMap((element) => {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.argument:
      case TYPE.pound:
      case TYPE.select:
        return [];
      case TYPE.number:
        return element.style === undefined || element.style === null
          ? []
          : [`{${element.value}} has a style, which the app does not know`];
      case TYPE.plural: {
        if (element.offset !== 0 || element.pluralType !== "cardinal") {
          return [`{${element.value}} is a plural that the app does not know`];
        }
        const cases = Object.keys(element.options);
        const categories = cases.filter((one) => !one.startsWith("="));
        const foreign = categories.filter((one) =>
          one !== "other" && !known.has(one)
        );
        // Only cases such as =0, next to all the rest.
        const missing = categories.length === 1
          ? []
          : [...needed].filter((one) => !cases.includes(one));
        return [
          ...foreign.map((one) => `{${element.value}} has no form “${one}”`),
          ...missing.map((one) => `{${element.value}} lacks the form “${one}”`),
        ];
      }
      default:
        return ["a kind of argument that the app does not know"];
    }
  });
}
