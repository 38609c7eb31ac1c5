/**
 * Writing an asset's metadata as JSON into a file beside the asset's own.
 *
 * @module
 */
import type { Metadata } from "../metadata.ts";

/**
 * The content of the sidecar, such as `walk.jpg.json`; bytes are base64 in it.
 */
export function sidecarJson(
  { id, metadata }: {
    readonly id: string;
    readonly metadata?: Metadata | undefined;
  },
): string {
  const known = { asset_id: id, ...metadata };
  return `${
    JSON.stringify(known, (_, value) =>
      value instanceof Uint8Array ? value.toBase64() : value, 2)
  }\n`;
}
