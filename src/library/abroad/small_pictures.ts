/**
 * Albums of other servers of which an account is let see the small pictures
 * alone (protocol/albums-abroad.md#grant): the largest of these stands for the
 * file of each photo.
 *
 * @module
 */
import { plaintextSize } from "../../client/stream/stream.ts";
import { DEFAULT_CHUNK_SIZE } from "../../client/documents/suite.ts";
import type { Wanted } from "../rows/pull.ts";
import type { LibraryReading } from "../rows/reading.ts";
import type { Row } from "../rows/rows.ts";

/** The ends of names, by the types that small pictures have. */
const ENDS: Readonly<Record<string, string>> = {
  "image/jpeg": ".jpg",
  "image/webp": ".webp",
  "image/png": ".png",
};

function smallOf({ metadata }: Row) {
  const of = (kind: string) =>
    metadata?.derivatives.find((one) => one.kind === kind);
  return of("preview") ?? of("thumbnail");
}

/**
 * A photo whose name, type and size are those of its largest small picture. Its
 * `sha256` is still that of the original.
 */
export function asSmall(row: Row): Row {
  const { metadata, blobs } = row;
  const small = smallOf(row);
  const blob = blobs.find(({ hash }) => hash === small?.hash);
  const size = plaintextSize(blob?.size ?? 0, DEFAULT_CHUNK_SIZE);
  if (metadata === undefined || small === undefined || size === undefined) {
    return row;
  }
  const { mime } = small;
  const name = mime === metadata.mime
    ? metadata.name
    : metadata.name.replace(/(?<=.)\.[^.]*$/, "") + (ENDS[mime] ?? "");
  return { ...row, metadata: { ...metadata, name, mime, size } };
}

/** Reading of such photos: in place of an original the small picture. */
export function smallReading(
  reading: LibraryReading,
  rowOf: (assetId: string) => Row,
): LibraryReading {
  const instead = (assetId: string, wanted: Wanted = "original"): Wanted => {
    if (wanted !== "original") return wanted;
    return { derivative: smallOf(rowOf(assetId))?.kind ?? "preview" };
  };
  return {
    ...reading,
    read: (assetId, wanted, options) =>
      reading.read(assetId, instead(assetId, wanted), options),
    range: (assetId, range, wanted) =>
      reading.range(assetId, range, instead(assetId, wanted)),
    ranges: (assetId, wanted) =>
      reading.ranges(assetId, instead(assetId, wanted)),
    pull: (assetId, sink, options = {}) =>
      reading.pull(assetId, sink, {
        ...options,
        wanted: instead(assetId, options.wanted),
      }),
  };
}
