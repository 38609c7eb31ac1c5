// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import common from "./en/common.json" with { type: "json" };
import faults from "./en/faults.json" with { type: "json" };
import shell from "./en/shell.json" with { type: "json" };
import grid from "./en/grid.json" with { type: "json" };
import photos from "./en/photos.json" with { type: "json" };

export const texts = {
  common,
  faults,
  shell,
  grid,
  photos,
};
