// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import findings from "../fr/findings.json" with { type: "json" };

export const texts = findings;
