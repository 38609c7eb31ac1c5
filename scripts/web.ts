/**
 * Makes the web app (see `web/app.ts`) and the pages of links: for each entry of `src/web/` its bundle, its markup and the
 * style become one document in `src/web/pages/`, which the program carries. Run
 * by `deno task web`; a test tells whether they are up to date.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../src/web/", import.meta.url));

/** The pages, by the names of their entries. */
export const PAGES = ["upload"] as const;
export type PageName = typeof PAGES[number];

export {
  APP_ENTRIES,
  APP_PATH,
  carriedApp,
  carry,
  makeApp,
} from "./web/app.ts";
import { APP_PATH, carry, makeApp } from "./web/app.ts";

/** Where a page is kept. */
export function pagePath(name: PageName): string {
  return `${WEB}pages/${name}.html`;
}

/** The document of a page, made anew. */
export async function makePage(name: PageName): Promise<string> {
  const [markup, style, script] = await Promise.all([
    Deno.readTextFile(`${WEB}${name}.html`),
    Deno.readTextFile(`${WEB}page.css`),
    bundle(`${WEB}${name}.ts`),
  ]);
  return put(
    put(markup, "style", "<style></style>", style),
    "script",
    '<script type="module"></script>',
    inlineable(script),
  );
}

/** An inline script ends at these, or never, inside a string as well. */
function inlineable(script: string): string {
  if (/<\/script|<!--/i.test(script)) throw new Error("no inline script");
  return script;
}

/** Puts a text into an empty element that the markup has once. */
function put(
  markup: string,
  element: string,
  empty: string,
  text: string,
): string {
  const [before, after, more] = markup.split(empty);
  if (before === undefined || after === undefined || more !== undefined) {
    throw new Error(`the markup has one empty <${element}>`);
  }
  const [opening, closing] = empty.split("><");
  return `${before}${opening}>\n${text.trim()}\n<${closing}${after}`;
}

async function bundle(entry: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--platform=browser", "--minify", entry],
    cwd: WEB,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`deno bundle ${entry}: ${text(stderr)}`);
  return text(stdout);
}

if (import.meta.main) {
  await Deno.writeTextFile(APP_PATH, carry(await makeApp()));
  for (const name of PAGES) {
    await Deno.writeTextFile(pagePath(name), await makePage(name));
  }
}
