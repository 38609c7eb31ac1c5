/**
 * Texts that the app never says.
 *
 * @module
 */
import type { Texts } from "../../src/web/app/messages/format.ts";
import { withoutComments } from "../layers/imports.ts";

const ROOT = new URL("../../", import.meta.url);

/** The doctor's sentences are looked up by what they say in English. */
const LOOKED_UP_BY_TEXT = ["findings"];

const TEXT = /"[^"\n]*"/g;

/** Where a group's name stands and the group is not handed on. */
const NOT_HANDED_ON =
  /\b(?:const|let)\s*\{[^}]*\}\s*=|^import [^"]*|"[^"\n]*"|[\w$]+(?=\s*\??\.)|\w+\??:/gm;

/** The code that says texts, by its path: `src/` but for tests and lists. */
export function codeThatSays(folder = "src"): Map<string, string> {
  return new Map(
    [...Deno.readDirSync(new URL(folder, ROOT))].flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory) {
        return path === "src/web/app/messages" ? [] : [...codeThatSays(path)];
      }
      return /(?<!_test)\.tsx?$/.test(path)
        ? [[path, Deno.readTextFileSync(new URL(path, ROOT))] as const]
        : [];
    }),
  );
}

/**
 * The texts of a catalogue that no code says, by their paths. A text is said
 * where its name stands in a file of the app that also names its part. Where a
 * group is handed on or looked into as a whole (`faults[fault]`), its texts are
 * said if their names stand anywhere in `code`.
 */
export function unsaidTexts(
  catalogue: Readonly<Record<string, Texts>>,
  code: ReadonlyMap<string, string>,
): string[] {
  const files = [...code].map(([path, source]) => {
    const own = withoutPaths(withoutComments(source));
    return {
      isOfApp: path.startsWith("src/web/app/"),
      words: wordsOf(own),
      handedOn: wordsOf(own.replace(NOT_HANDED_ON, "")),
    };
  });
  const anywhere = new Set(files.flatMap(({ words }) => [...words]));
  const inApp = new Set(
    files.flatMap(({ isOfApp, words }) => isOfApp ? [...words] : []),
  );
  return Object.entries(catalogue).flatMap(([part, texts]) => {
    if (LOOKED_UP_BY_TEXT.includes(part)) return [];
    const apps = files.filter(({ isOfApp, words }) =>
      isOfApp && words.has(part)
    );
    const isSaid = (groups: readonly string[], name: string) =>
      apps.some(({ words }) => words.has(name)) ||
      // Other code names texts of groups alone, such as kinds of faults.
      (groups.length > 1 ? anywhere : inApp).has(name) &&
        apps.some(({ handedOn }) => groups.some((one) => handedOn.has(one)));
    const unsaid = (texts: Texts, groups: readonly string[]): string[] =>
      Array.isArray(texts) || typeof texts === "string"
        ? []
        : Object.entries(texts).flatMap(([name, one]) => [
          ...typeof one === "object" && !Array.isArray(one) ||
              isSaid(groups, name)
            ? []
            : [[...groups, name].join(".")],
          ...unsaid(one, [...groups, name]),
        ]);
    return unsaid(texts, [part]);
  });
}

/** The names and short texts of code, such as `title` and `error.asset.retained`. */
function wordsOf(code: string): Set<string> {
  return new Set([
    ...code.match(/[A-Za-z_$][\w$]*/g) ?? [],
    ...[...code.matchAll(/"([\w.-]+)"/g)].map(([, text = ""]) => text),
  ]);
}

/** Code without the names of files and folders that it imports. */
function withoutPaths(code: string): string {
  return code.replace(TEXT, (text) => text.includes("/") ? '""' : text);
}
