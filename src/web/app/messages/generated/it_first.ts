// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import common from "../it/common.json" with { type: "json" };
import faults from "../it/faults.json" with { type: "json" };
import frame from "../it/frame.json" with { type: "json" };
import grid from "../it/grid.json" with { type: "json" };
import photos from "../it/photos.json" with { type: "json" };

export const texts = {
  common,
  faults,
  frame,
  grid,
  photos,
};
