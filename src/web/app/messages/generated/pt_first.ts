// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import common from "../pt/common.json" with { type: "json" };
import faults from "../pt/faults.json" with { type: "json" };
import frame from "../pt/frame.json" with { type: "json" };
import grid from "../pt/grid.json" with { type: "json" };
import photos from "../pt/photos.json" with { type: "json" };

export const texts = {
  common,
  faults,
  frame,
  grid,
  photos,
};
