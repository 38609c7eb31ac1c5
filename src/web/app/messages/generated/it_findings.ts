// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import findings from "../it/findings.json" with { type: "json" };

export const texts = findings;
