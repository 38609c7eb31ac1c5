/**
 * Prints the tests of a release, for `deno task test:release` to hand to
 * `deno test`.
 *
 * @module
 */
import { ofRelease } from "./parts.ts";

Deno.stdout.writeSync(new TextEncoder().encode(ofRelease().join(" ")));
