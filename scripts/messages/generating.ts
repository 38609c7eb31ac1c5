/**
 * What is generated of the English catalogue: lists of its files, so that texts
 * have the types of these, and what each text is given. So a call that names a
 * text or an argument wrongly does not compile.
 *
 * @module
 */
import type { Texts } from "../../src/web/app/messages/format.ts";
import { catalogueOf, FIRST_PARTS, laterParts } from "../web/catalogues.ts";
import { argumentsOf, type Want } from "./reading.ts";

/** What is said of what photos are counted as is chosen by such an argument. */
const TYPES: Readonly<Record<string, string>> = { noun: "Noun" };

const HEAD = "// deno-fmt-ignore-file\n" +
  "// Made by `deno task messages`. Change the JSON files instead.\n";

/** The generated files, by their names. */
export function generated(): Map<string, string> {
  const english = catalogueOf("en");
  const given = givenTo(english, "") ?? "{}";
  return new Map([
    ["en_first.ts", HEAD + together(FIRST_PARTS)],
    ["en_later.ts", HEAD + together(laterParts(english))],
    [
      "arguments.ts",
      `${HEAD}import type { Noun } from "../../workers/library/photo_lists.ts";

/** What each text is given that is given anything. */
export type Given = ${given};
`,
    ],
  ]);
}

function together(parts: readonly string[]): string {
  const imports = parts.map((part) =>
    `import ${part} from "./en/${part}.json" with { type: "json" };\n`
  );
  return `${imports.join("")}
export const texts = {
${parts.map((part) => `  ${part},\n`).join("")}};
`;
}

/** The type of what texts are given, in lines that begin with `indent`. */
function givenTo(texts: Texts, indent: string): string | undefined {
  if (typeof texts === "string") return givenToText(texts);
  const inner = `${indent}  `;
  const lines = Object.entries(texts).flatMap(([key, one]) => {
    const given = givenTo(one, inner);
    if (given === undefined) return [];
    if (Array.isArray(texts)) {
      throw new Error("a text of a list cannot be given anything");
    }
    const name = /^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key);
    return [`${inner}readonly ${name}: ${given};\n`];
  });
  return lines.length === 0 ? undefined : `{\n${lines.join("")}${indent}}`;
}

function givenToText(text: string): string | undefined {
  const wanted = argumentsOf(text);
  if (wanted.size === 0) return undefined;
  const given = [...wanted].map(([name, want]) =>
    `readonly ${name}: ${argumentType(name, want)}`
  );
  return `{ ${given.join("; ")} }`;
}

function argumentType(name: string, { kind, cases }: Want): string {
  if (kind === "number") return "number";
  if (kind === "text") return "string";
  return TYPES[name] ??
    [...cases, "other"].map((one) => JSON.stringify(one)).join(" | ");
}
