// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import common from "../pl/common.json" with { type: "json" };
import faults from "../pl/faults.json" with { type: "json" };
import frame from "../pl/frame.json" with { type: "json" };
import grid from "../pl/grid.json" with { type: "json" };
import photos from "../pl/photos.json" with { type: "json" };

export const texts = {
  common,
  faults,
  frame,
  grid,
  photos,
};
