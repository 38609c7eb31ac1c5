/**
 * Holds every citation of a page to something that is there: a comment that
 * names a Markdown file names one of the repository, and a heading of it where
 * it names one (`protocol/uploads.md#finalize`). Links between the pages are
 * held the same way, and so is a source file that a comment names by its path
 * (`crypto/primitives.ts`), from wherever that begins. Run by
 * `deno task layers`; exits 1 with a line per breach.
 *
 * @module
 */
import { dirname, join } from "node:path/posix";

/** Where a page may lie that a comment names: the pages, then the top level. */
const ROOTS = ["src/docs/", ""];

/** Pages of other projects and of a package that comments name. */
const FOREIGN = new Set(["age.md", "/NEWS.md"]);

const CITATION = /[\w/.-]*\b[\w-]+\.md\b(?:#[a-z0-9_-]+)?/g;
/** A source file, not as an import writes it (`./x.ts`). */
const SOURCE = /(?<![\w./@-])(?:[\w-]+\/)+[\w-]+\.tsx?\b/g;
const LINK = /\]\(([^)\s]+)\)/g;

/** The pages of the repository by path, with the anchors of their headings. */
type Pages = ReadonlyMap<string, ReadonlySet<string>>;

/** The anchors that the headings of a page make. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  let fenced = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    const heading = fenced ? null : /^#{1,6} +(.+?) *$/.exec(line);
    if (heading === null) continue;
    anchors.add(
      (heading[1] ?? "").toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    );
  }
  return anchors;
}

/**
 * What the comments of a source file cite that is not there, a line each;
 * `isSource` tells whether the path of a source file ends so.
 */
export function brokenCitations(
  path: string,
  source: string,
  pages: Pages,
  isSource: (end: string) => boolean,
): string[] {
  const broken: string[] = [];
  for (const line of source.split("\n")) {
    if (!/^\s*(\{?\/\*|\*|\/\/|--|#)|\s\/\/\s|\/\*\*/.test(line)) continue;
    const cited = [
      ...line.matchAll(CITATION).map(([page]) => page).filter((page) =>
        !FOREIGN.has(page) &&
        !ROOTS.some((root) => isThere(root + page, pages))
      ),
      ...line.matchAll(SOURCE).map(([file]) => file).filter((file) =>
        !isSource(file)
      ),
    ];
    broken.push(
      ...cited.map((one) => `${path}: cites ${one}, which is not there`),
    );
  }
  return broken;
}

/** Links of a page that lead nowhere in the repository, a line each. */
export function brokenLinks(
  path: string,
  markdown: string,
  pages: Pages,
  isFile: (path: string) => boolean,
): string[] {
  const broken: string[] = [];
  for (const [, target = ""] of markdown.matchAll(LINK)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [file = "", anchor] = target.split("#");
    const place = file === "" ? path : join(dirname(path), file);
    const found = pages.has(place)
      ? isThere(place + (anchor === undefined ? "" : `#${anchor}`), pages)
      : isFile(place);
    if (!found) broken.push(`${path}: links to ${target}, which is not there`);
  }
  return broken;
}

function isThere(cited: string, pages: Pages): boolean {
  const [file = "", anchor] = cited.split("#");
  const anchors = pages.get(file);
  if (anchors === undefined) return false;
  return anchor === undefined || anchors.has(anchor);
}

/** All files in a folder and in those below it. */
export async function* filesUnder(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(folder)) {
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* filesUnder(path);
    else yield path;
  }
}

if (import.meta.main) {
  const sources: string[] = ["main.ts"];
  const pages = new Map<string, Set<string>>();
  const texts = new Map<string, string>();
  const folders = ["src", "scripts", "tests"];
  for (const folder of folders) {
    for await (const path of filesUnder(folder)) {
      if (/\.tsx?$/.test(path)) sources.push(path);
      if (path.endsWith(".md")) texts.set(path, "");
    }
  }
  for await (const entry of Deno.readDir(".")) {
    if (entry.isFile && entry.name.endsWith(".md")) texts.set(entry.name, "");
  }
  for (const path of texts.keys()) {
    const text = await Deno.readTextFile(path);
    texts.set(path, text);
    pages.set(path, anchorsOf(text));
  }
  const isFile = (path: string) => {
    try {
      Deno.statSync(path);
      return true;
    } catch {
      return false;
    }
  };
  const isSource = (end: string) =>
    sources.some((path) => `/${path}`.endsWith(`/${end}`));
  const broken = [];
  for (const path of sources) {
    const text = await Deno.readTextFile(path);
    broken.push(...brokenCitations(path, text, pages, isSource));
  }
  for (const [path, text] of texts) {
    broken.push(...brokenLinks(path, text, pages, isFile));
  }
  for (const line of broken) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
  }
  if (broken.length > 0) Deno.exit(1);
}
