/**
 * Holds the pages and the app's English texts to plain words: a word of the
 * list almost always marks a sentence that is hard to read. Code in a page is
 * left alone. Run by `deno task layers`; exits 1 with a line per word.
 *
 * @module
 */
import { filesUnder } from "./citations.ts";

/** The words, and what to say instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  nobody: "no one",
  somebody: "someone",
  anew: "again",
  beside: "next to",
};

const WORDS = new RegExp(`\\b(?:${Object.keys(INSTEAD).join("|")})\\b`, "gi");

/** What a page says in hard words, a line each. */
export function hardWords(path: string, markdown: string): string[] {
  const prose = markdown
    .replace(/^ *(`{3,})[^\n]*\n[^]*?^ *\1$/gm, "")
    .replace(/`[^`]*`/g, "");
  return hardWordsOf(path, prose);
}

/** What a file of the app's texts says in hard words; its keys are no text. */
export function hardWordsOfTexts(path: string, json: string): string[] {
  const texts: string[] = [];
  JSON.parse(json, (_, value) => {
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return hardWordsOf(path, texts.join("\n"));
}

function hardWordsOf(path: string, text: string): string[] {
  return (text.match(WORDS) ?? []).map((word) =>
    `${path}: says "${word}"; say "${INSTEAD[word.toLowerCase()]}"`
  );
}

if (import.meta.main) {
  const said: string[] = [];
  const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md"];
  for await (const path of filesUnder("src/docs")) {
    if (path.endsWith(".md")) pages.push(path);
  }
  for (const path of pages) {
    said.push(...hardWords(path, await Deno.readTextFile(path)));
  }
  for await (const path of filesUnder("src/web/app/messages/en")) {
    said.push(...hardWordsOfTexts(path, await Deno.readTextFile(path)));
  }
  for (const line of said) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
  }
  if (said.length > 0) Deno.exit(1);
}
