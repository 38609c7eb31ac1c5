import { z } from "zod";
import { AssetBlob } from "../../wire/answers/assets.ts";
import type { AssetWithBlobs } from "./many_store.ts";

const Held = z.array(AssetBlob);

/** The blobs of a row that has them as text. */
export function heldBlobs({ blobs }: AssetWithBlobs): z.output<typeof Held> {
  return Held.parse(JSON.parse(blobs));
}
