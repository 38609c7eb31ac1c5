/**
 * `deno task web`: bundles the web app and the pages of links (see
 * `web/app.ts`), where that was not done since their sources changed. With
 * `--core` it makes the core alone, with which a server can start. With
 * `--sizes` it prints what the first load is made of, and writes nothing.
 *
 * @module
 */
import { freshApp, freshCore } from "./web/fresh.ts";
import { endWithWrapper } from "./wrapper.ts";

if (import.meta.main) {
  // The first step of `deno task start` as well.
  endWithWrapper();
  if (Deno.args.includes("--sizes")) {
    const { sizesText } = await import("./web/sizes.ts");
    await Deno.stdout.write(new TextEncoder().encode(await sizesText()));
  } else if (Deno.args.includes("--core")) await freshCore();
  else {
    // `deno task start` makes the rest behind the server, and is stopped with
    // it: that is no failure of either.
    Deno.addSignalListener("SIGTERM", () => Deno.exit(0));
    await freshApp();
  }
}
