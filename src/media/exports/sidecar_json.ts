/**
 * Writing an asset's metadata as JSON into a file next to the asset's own.
 *
 * @module
 */
import { toBase64 } from "../../core/bytes.ts";
import type { Metadata } from "../../client/documents/metadata.ts";
import type { Locality } from "../places/gazetteer.ts";

/**
 * The content of the sidecar, such as `walk.jpg.json`; bytes are base64 in it.
 * The keys of derivatives are left out: they belong in no readable file.
 * `locality` is what the place is called.
 */
export function sidecarJson(
  { id, metadata }: {
    readonly id: string;
    readonly metadata?: Metadata | undefined;
  },
  locality?: Locality,
): string {
  const { derived: _, revision: __, ...said } = metadata ?? {
    derived: undefined,
    revision: undefined,
  };
  const known = {
    asset_id: id,
    ...said,
    ...(metadata && {
      derivatives: metadata.derivatives.map(({ key: _, ...rest }) => rest),
    }),
    ...(locality === undefined ? {} : { locality }),
  };
  return `${
    JSON.stringify(known, (_, value) =>
      value instanceof Uint8Array ? toBase64(value) : value, 2)
  }\n`;
}
