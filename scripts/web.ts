/**
 * Makes the web app and the pages of links (see `web/app.ts`), which the program
 * carries as `src/web/pages/app.json`. Run by `deno task web`; a test tells
 * whether it is up to date.
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
import { APP_PATH, carry, makeApp } from "./web/app.ts";

if (import.meta.main) {
  await Deno.writeTextFile(APP_PATH, carry(await makeApp()));
}
