// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import common from "../de/common.json" with { type: "json" };
import faults from "../de/faults.json" with { type: "json" };
import frame from "../de/frame.json" with { type: "json" };
import grid from "../de/grid.json" with { type: "json" };
import photos from "../de/photos.json" with { type: "json" };

export const texts = {
  common,
  faults,
  frame,
  grid,
  photos,
};
