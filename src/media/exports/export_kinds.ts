/**
 * The programs whose exports are known, and which one made an export.
 *
 * @module
 */
import { APPLE } from "./apple_export.ts";
import { IMMICH, PLAIN } from "./sidecar_export.ts";
import { ENTE } from "./ente_export.ts";
import type { ExportKind } from "./export_kind.ts";
import { TAKEOUT } from "./takeout_export.ts";

/** The programs by name; `other` are photos with XMP sidecars, or none. */
export const EXPORT_KINDS = {
  takeout: TAKEOUT,
  apple: APPLE,
  immich: IMMICH,
  ente: ENTE,
  other: PLAIN,
} as const satisfies Readonly<Record<string, ExportKind>>;

/** The name of a program. */
export type KindName = keyof typeof EXPORT_KINDS;

const MEDIA_JSON = /\.(?:heic|jpe?g|png|gif|webp|mp4|mov)[^/]*\.json$/i;

/** What the files of an export look like, judged by their paths alone. */
export function kindOf(paths: readonly string[]): KindName {
  const has = (pattern: RegExp) => paths.some((path) => pattern.test(path));
  if (has(/(?:^|\/)Photo Details(?:-\d+)?\.csv$/i)) return "apple";
  if (has(/^takeout\//i)) return "takeout";
  if (has(/(?:^|\/)\.?(?:metadata|meta)\/[^/]+\.json$/)) return "ente";
  if (has(MEDIA_JSON)) return "takeout";
  if (has(/^(?:thumbs|encoded-video)\//)) return "immich";
  if (!has(/\.xmp$/i)) return "other";
  if (has(/^(?:library|upload)\//)) return "immich";
  return has(/\.aae$|_edited\.[^./]+$/i) ? "apple" : "other";
}
