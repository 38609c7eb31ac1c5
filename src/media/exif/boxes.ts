/**
 * Boxes of ISO base media files (ISO 14496-12): HEIC and AVIF pictures, MP4 and
 * QuickTime videos.
 *
 * @module
 */
import {
  codeAt,
  MAX_SEGMENT_BYTES,
  type MediaReader,
  viewOf,
} from "./reading.ts";

/** Most boxes read at one depth; a file has a few dozen. */
export const MAX_BOXES = 4_096;
/** A box of a file. */
export interface Box {
  readonly type: string;
  /** Offset of its content. */
  readonly at: number;
  readonly end: number;
}

/** Yields the boxes of one level in a part of a file. */
export async function* boxesIn(
  reader: MediaReader,
  from: number,
  to: number,
): AsyncGenerator<Box> {
  let at = from;
  for (let n = 0; n < MAX_BOXES && at + 8 <= to; n++) {
    const head = await reader.view(at, 8);
    let size = head.getUint32(0);
    let start = at + 8;
    if (size === 1) {
      size = Number((await reader.view(at + 8, 8)).getBigUint64(0));
      start += 8;
    } else if (size === 0) {
      size = to - at;
    }
    const end = at + size;
    if (!Number.isSafeInteger(end) || end < start || end > to) return;
    yield { type: codeAt(head, 4), at: start, end };
    at = end;
  }
}

/** The first box at the end of a path of nested types. */
export async function boxOf(
  reader: MediaReader,
  { at, end }: Pick<Box, "at" | "end">,
  ...path: readonly string[]
): Promise<Box | undefined> {
  let inside: Box | undefined = { type: "", at, end };
  for (const type of path) {
    let next: Box | undefined;
    if (inside === undefined) return undefined;
    for await (const box of boxesIn(reader, inside.at, inside.end)) {
      if (box.type !== type) continue;
      next = box;
      break;
    }
    inside = next;
  }
  return inside;
}

/** The content of a box, up to the size that is ever needed. */
export async function contentOf(
  reader: MediaReader,
  box: Box,
): Promise<DataView> {
  const bytes = await reader.bytes(
    box.at,
    Math.min(box.end - box.at, MAX_SEGMENT_BYTES),
  );
  // Copied, because the reader's next read replaces its piece.
  return viewOf(bytes.slice());
}
