/**
 * The pictures of rows in the pages of what devices found.
 *
 * @module
 */
import {
  fileOf,
  pictureHash,
} from "../../../library/finding/findings_pages.ts";
import type { Row } from "../../../library/mod.ts";

const files = new WeakMap<object, string>();

/** The name of a row's picture in the pages of what was found. */
export function fileOfRow({ metadata }: Row): string | undefined {
  if (metadata === undefined) return undefined;
  let file = files.get(metadata);
  if (file === undefined) {
    file = fileOf(pictureHash(metadata));
    files.set(metadata, file);
  }
  return file;
}
