/**
 * The vault's calls about the words in photos.
 *
 * @module
 */
import type { Row } from "../../../library/mod.ts";
import type { VaultContext } from "../vault/context.ts";
import { type FindingsCalls, findingsCalls } from "./findings_calls.ts";
import { pictureText } from "./findings_loader.ts";
import type { Part } from "../media/viewing_calls.ts";

/** Originals that a browser decodes, such as screenshots. */
const DECODED = /^image\/(?:jpeg|png|webp|gif|avif|bmp)$/;
/**
 * Larger ones have a preview, unless something is odd about them (bytes, and
 * pixels, which take four times as many bytes in memory).
 */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_PIXELS = 50_000_000;

/** The calls of the group `pictureText`; words are one a line. */
export function pictureTextCalls(context: VaultContext): FindingsCalls<string> {
  return findingsCalls(context, pictureText, partOf);
}

/** The picture that is read: letters are not legible in a small one. */
function partOf({ metadata }: Row): Part | undefined {
  if (metadata === undefined || !metadata.mime.startsWith("image/")) {
    return undefined;
  }
  const { mime, size, width = 0, height = 0, derivatives, edit } = metadata;
  const has = (kind: "preview" | "thumbnail") =>
    derivatives.some((one) => one.kind === kind);
  if (has("preview")) return "preview";
  const isSmall = size <= MOST_BYTES && width * height <= MOST_PIXELS;
  if (DECODED.test(mime) && isSmall && edit === undefined) return "original";
  return has("thumbnail") ? "thumbnail" : undefined;
}
