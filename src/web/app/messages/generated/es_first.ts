// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import common from "../es/common.json" with { type: "json" };
import faults from "../es/faults.json" with { type: "json" };
import frame from "../es/frame.json" with { type: "json" };
import grid from "../es/grid.json" with { type: "json" };
import photos from "../es/photos.json" with { type: "json" };

export const texts = {
  common,
  faults,
  frame,
  grid,
  photos,
};
