/**
 * Writing an asset's metadata as JSON into a file beside the asset's own.
 *
 * @module
 */
import { toBase64 } from "../../core/bytes.ts";
import type { Metadata } from "../metadata.ts";
import type { Locality } from "../places/place_names.ts";

/**
 * The content of the sidecar, such as `walk.jpg.json`; bytes are base64 in it.
 * `locality` is what the place is called.
 */
export function sidecarJson(
  { id, metadata }: {
    readonly id: string;
    readonly metadata?: Metadata | undefined;
  },
  locality?: Locality,
): string {
  const known = {
    asset_id: id,
    ...metadata,
    ...(locality === undefined ? {} : { locality }),
  };
  return `${
    JSON.stringify(known, (_, value) =>
      value instanceof Uint8Array ? toBase64(value) : value, 2)
  }\n`;
}
