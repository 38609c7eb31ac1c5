// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import common from "../fr/common.json" with { type: "json" };
import faults from "../fr/faults.json" with { type: "json" };
import frame from "../fr/frame.json" with { type: "json" };
import grid from "../fr/grid.json" with { type: "json" };
import photos from "../fr/photos.json" with { type: "json" };

export const texts = {
  common,
  faults,
  frame,
  grid,
  photos,
};
