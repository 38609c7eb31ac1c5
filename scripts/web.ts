/**
 * Makes the web app and the pages of links (see `web/app.ts`), which the program
 * carries as `src/web/pages/app.json`. Run by `deno task web`; a test tells
 * whether it is up to date. With `--sizes` it prints what the first load is made
 * of, and writes nothing.
 *
 * @module
 */
export {
  APP_ENTRIES,
  APP_PATH,
  carriedApp,
  carry,
  makeApp,
} from "./web/app.ts";
export { firstLoad, firstPieces } from "./web/sizes.ts";
import { APP_PATH, carry, makeApp } from "./web/app.ts";
import { sizesText } from "./web/sizes.ts";

if (import.meta.main) {
  if (Deno.args.includes("--sizes")) {
    await Deno.stdout.write(new TextEncoder().encode(await sizesText()));
  } else await Deno.writeTextFile(APP_PATH, carry(await makeApp()));
}
