/**
 * What is generated of the catalogues: which files each language has, so that a
 * language is fetched in two files, and the types of all texts, made of the
 * English ones. So a call that names a text or an argument wrongly does not
 * compile.
 *
 * @module
 */
import type { Texts } from "../../src/web/app/messages/format.ts";
import {
  argumentsOf,
  type Catalogue,
  catalogueOf,
  FINDINGS,
  FIRST_PARTS,
  LANGUAGES,
  MESSAGES,
  type Want,
} from "./reading.ts";

/** What is said of what photos are counted as is chosen by such an argument. */
const TYPES: Readonly<Record<string, string>> = { noun: "Noun" };

const HEAD = "// deno-fmt-ignore-file\n" +
  "// Made by `deno task messages`. Change the JSON files instead.\n";

/** The generated files of the catalogues, by their names. */
export function generated(root: URL = MESSAGES): Map<string, string> {
  const tags = Object.keys(LANGUAGES);
  const english = catalogueOf("en", root);
  const parts = Object.keys(english).filter((part) => part !== FINDINGS);
  const later = parts.filter((part) => !FIRST_PARTS.includes(part));
  const files = new Map([
    ["types.ts", typesOf(english, later)],
    ["catalogues.ts", HEAD + catalogues(tags)],
  ]);
  for (const tag of tags) {
    files.set(`${tag}_first.ts`, HEAD + together(tag, FIRST_PARTS));
    files.set(`${tag}_later.ts`, HEAD + together(tag, later));
    files.set(`${tag}_findings.ts`, HEAD + alone(tag));
  }
  return files;
}

function catalogues(tags: readonly string[]): string {
  const lines = tags.map((tag) =>
    `  ${tag}: {
    first: () => ${
      // It is there in any case.
      tag === "en"
        ? "Promise.resolve(english)"
        : `import("./${tag}_first.ts")`},
    later: () => import("./${tag}_later.ts"),
    findings: () => import("./${tag}_findings.ts"),
  },
`
  );
  return `import * as english from "./en_first.ts";

/** Where the texts of each language are. */
export const CATALOGUES = {
${lines.join("")}} as const;
`;
}

function together(tag: string, parts: readonly string[]): string {
  const imports = parts.map((part) =>
    `import ${part} from "../${tag}/${part}.json" with { type: "json" };\n`
  );
  return `${imports.join("")}
export const texts = {
${parts.map((part) => `  ${part},\n`).join("")}};
`;
}

function alone(tag: string): string {
  return `import findings from "../${tag}/${FINDINGS}.json" with { type: "json" };

export const texts = findings;
`;
}

function typesOf(english: Catalogue, later: readonly string[]): string {
  const part = (name: string) =>
    `  readonly ${name}: ${typeOf(english[name] ?? {}, "  ")};\n`;
  return `${HEAD}import type { Noun } from "../../../workers/photo_lists.ts";

/** The texts of the first load. */
export type FirstMessages = {
${FIRST_PARTS.map(part).join("")}};

/** All others. */
export type LaterMessages = {
${later.map(part).join("")}};

/** All texts of a language. */
export type Messages = FirstMessages & LaterMessages;
`;
}

/** The type of texts, in lines that begin with \`indent\`. */
function typeOf(texts: Texts, indent: string): string {
  if (typeof texts === "string") return textType(texts);
  if (Array.isArray(texts)) {
    const types = new Set(texts.map((one) => typeOf(one, indent)));
    return `readonly (${[...types].join(" | ")})[]`;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(texts).map(([key, one]) => {
    const name = /^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key);
    return `${inner}readonly ${name}: ${typeOf(one, inner)};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

function textType(text: string): string {
  const wanted = argumentsOf(text);
  if (wanted.size === 0) return "string";
  const given = [...wanted].map(([name, want]) =>
    `readonly ${name}: ${argumentType(name, want)}`
  );
  return `(given: { ${given.join("; ")} }) => string`;
}

function argumentType(name: string, { kind, cases }: Want): string {
  if (kind === "number") return "number";
  if (kind === "text") return "string";
  return TYPES[name] ??
    [...cases, "other"].map((one) => JSON.stringify(one)).join(" | ");
}
