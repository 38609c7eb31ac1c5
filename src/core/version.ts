/**
 * What this program is called, and which version of it runs.
 *
 * @module
 */
import manifest from "../../deno.json" with { type: "json" };

export const NAME = "strongroom";
export const VERSION: string = manifest.version;
