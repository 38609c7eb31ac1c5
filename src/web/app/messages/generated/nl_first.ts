// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import common from "../nl/common.json" with { type: "json" };
import faults from "../nl/faults.json" with { type: "json" };
import frame from "../nl/frame.json" with { type: "json" };
import grid from "../nl/grid.json" with { type: "json" };
import photos from "../nl/photos.json" with { type: "json" };

export const texts = {
  common,
  faults,
  frame,
  grid,
  photos,
};
