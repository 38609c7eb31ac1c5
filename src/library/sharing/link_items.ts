/**
 * Making the items of a share link: the entry for each photo, and the file that
 * viewers get (protocol/client-cryptography.md#share).
 *
 * @module
 */
import { toRfc3339 } from "../../core/time.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import type { ShareItem, SharePicture } from "../../client/documents/share.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import { type PullContext, readableOf } from "../rows/pull.ts";
import { localDay } from "../rows/rows.ts";
import { DEFAULT_CHUNK_SIZE } from "../../client/documents/suite.ts";
import {
  copyForLink,
  FILM_MIME,
  type FilmCopy,
  type Films,
} from "../showing/films.ts";
import { goesWhole, type Places, standInOf } from "./placeless.ts";
import type { Row } from "../rows/rows.ts";

/** The items of a link, and the assets that were left out. */
interface Items {
  readonly items: readonly ShareItem[];
  readonly leftOut: readonly string[];
}

/**
 * Makes the items of assets. Throws DocumentError for one that cannot be read.
 */
export async function itemsOf(
  context: PullContext & { readonly index: AssetIndex },
  assetIds: readonly string[],
  places: Places,
  films: Films = "original",
): Promise<Items> {
  const items: ShareItem[] = [];
  const leftOut: string[] = [];
  for (const id of assetIds) {
    const row = context.index.get(id);
    if (row === undefined || row.metadata === undefined) {
      throw new DocumentError(`asset ${id} cannot be read here`);
    }
    const isWhole = goesWhole(row, places);
    const film = copyForLink(row.metadata, films, isWhole);
    const item = film !== undefined
      ? await filmItemOf(context, row, film)
      : isWhole
      ? await itemOf(context, row)
      : await smallerItemOf(context, row);
    if (item === undefined) leftOut.push(id);
    else items.push(item);
  }
  return { items, leftOut };
}

async function itemOf(context: PullContext, row: Row): Promise<ShareItem> {
  const { metadata } = row;
  if (metadata === undefined) throw new DocumentError("it has no metadata");
  const original = await readableOf(context, row, "original");
  const { name, mime, size, duration_ms, caption } = metadata;
  return {
    name,
    mime,
    size,
    hash: original.hash,
    key: original.key.fileKey,
    chunk_size: row.chunk_size,
    // The clock where it was taken, as of a camera that tells no zone: that is
    // what is shown, and a zone would say something of the place.
    ...(metadata.taken_at === undefined
      ? {}
      : { taken_at: toRfc3339(localDay(row).getTime()) }),
    duration_ms,
    caption,
    thumbnail: await pictureOf(context, row, "thumbnail"),
    preview: await pictureOf(context, row, "preview"),
  };
}

/** An item with a small picture in place of the original; it has no EXIF. */
async function smallerItemOf(
  context: PullContext,
  row: Row,
): Promise<ShareItem | undefined> {
  const found = standInOf(row);
  if (found === undefined) return undefined;
  const picture = await pictureOf(context, row, found.kind);
  if (picture === undefined) return undefined;
  const { hash, key, mime } = picture;
  const whole = await itemOf(context, row);
  const name = `${withoutEnding(whole.name)}.jpg`;
  // A small picture always has the suite's chunk size.
  const { chunk_size: _, duration_ms: __, ...rest } = whole;
  return {
    ...rest,
    name,
    mime,
    size: found.size,
    hash,
    key,
    chunk_size: DEFAULT_CHUNK_SIZE,
  };
}

/** An item with a copy of a film in place of the original; it has no place. */
async function filmItemOf(
  context: PullContext,
  row: Row,
  { kind, size }: FilmCopy,
): Promise<ShareItem> {
  const whole = await itemOf(context, row);
  const { hash, key } = await readableOf(context, row, { derivative: kind });
  return {
    ...whole,
    name: `${withoutEnding(whole.name)}.mp4`,
    mime: FILM_MIME,
    size,
    hash,
    key: key.fileKey,
    chunk_size: DEFAULT_CHUNK_SIZE,
    is_copy: true,
  };
}

function withoutEnding(name: string): string {
  return name.replace(/\.[^.]{1,8}$/, "");
}

async function pictureOf(
  context: PullContext,
  row: Row,
  kind: "thumbnail" | "preview",
): Promise<SharePicture | undefined> {
  const found = row.metadata?.derivatives.find((one) => one.kind === kind);
  if (found?.width === undefined || found.height === undefined) {
    return undefined;
  }
  const { hash, key } = await readableOf(context, row, { derivative: kind });
  const { mime, width, height } = found;
  return { hash, key: key.fileKey, mime, width, height };
}
