/**
 * `deno task web`: bundles the web app and the pages of links (see
 * `web/app.ts`), where that was not done since their sources changed. With
 * `--sizes` it prints what the first load is made of, and writes nothing.
 *
 * @module
 */
import { freshApp } from "./web/fresh.ts";
import { endWithWrapper } from "./wrapper.ts";

if (import.meta.main) {
  // The first step of `deno task start` as well.
  endWithWrapper();
  if (Deno.args.includes("--sizes")) {
    const { sizesText } = await import("./web/sizes.ts");
    await Deno.stdout.write(new TextEncoder().encode(await sizesText()));
  } else await freshApp();
}
