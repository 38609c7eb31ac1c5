/**
 * An opened share link. Its items become rows like those of a library, so that
 * the same views show both.
 *
 * @module
 */
import { toHex } from "../../../core/bytes.ts";
import type { ShareCalls } from "../../../client/api/links.ts";
import type { Bytes } from "../../../core/bytes.ts";
import { type Ranges, rangesOver } from "../../../library/rows/pull.ts";
import { newestFirst, type Row } from "../../../library/rows/rows.ts";
import { quickPrimitives } from "../../../client/keys/portable_primitives.ts";
import type { ShareIndex, ShareItem } from "../../../client/documents/share.ts";
import { piecesOf } from "../../../client/stream/chunks.ts";
import { ciphertextSize, decryptBytes } from "../../../client/stream/stream.ts";
import {
  originalOf,
  previewOf,
  type SharedPart,
  ShareReader,
  thumbnailOf,
} from "../../share_reader.ts";
import { swiftPrimitives } from "../sealing/lazy_libsodium.ts";
import type { Part } from "../media/viewing_calls.ts";

/** An item of a link with its row. */
interface SharedRow {
  readonly row: Row;
  readonly item: ShareItem;
}

/** The bytes of a small picture, or why they are missing. */
type SmallPicture = Bytes | "none" | "later" | "damaged";

/** A link with its opened index. */
export class OpenShare {
  readonly rows: readonly Row[];
  readonly reader: ShareReader;
  readonly #byId = new Map<string, SharedRow>();

  constructor(
    private readonly calls: ShareCalls,
    readonly opaqueId: string,
    readonly index: ShareIndex,
  ) {
    this.reader = new ShareReader(calls, opaqueId);
    const rows = index.items.map((item, at) => ({
      item,
      row: rowOf(item, at),
    }));
    for (const one of rows) this.#byId.set(one.row.id, one);
    this.rows = newestFirst(rows.map(({ row }) => row));
  }

  /** An item by its id; throws if there is none. */
  of(id: string): SharedRow {
    const found = this.#byId.get(id);
    if (found === undefined) throw new Error(`the link has no item ${id}`);
    return found;
  }

  /** A blob of an item and the key that opens it. */
  partOf(id: string, part: Part): SharedPart {
    const { item } = this.of(id);
    const found = part === "original"
      ? originalOf(item)
      : part === "preview"
      ? previewOf(item)
      : part === "thumbnail"
      ? thumbnailOf(item)
      : undefined;
    if (found === undefined) throw new Error(`${id} has no ${part}`);
    return found;
  }

  /**
   * Reads small pictures of many items in one request; the results are in the
   * same order.
   */
  async pictures(
    wanted: readonly { readonly id: string; readonly part: Part }[],
  ): Promise<SmallPicture[]> {
    const parts = wanted.map(({ id, part }) => this.partOf(id, part));
    if (parts.length === 0) return [];
    const blobs = await this.calls.sharedBlobs(
      this.opaqueId,
      parts.map(({ hash }) => hash),
    );
    return await Promise.all(parts.map(async (part, at) => {
      const blob = blobs[at];
      if (blob === undefined || blob === "unreadable") return "none";
      if (blob === "later") return "later";
      try {
        return await opened(part, new Uint8Array(blob));
      } catch {
        return "damaged";
      }
    }));
  }

  /** Opens an original for reading in parts, each of which is authentic. */
  ranges(id: string): Ranges {
    const { hash, key: fileKey, chunkSize, size = 0 } = this.partOf(
      id,
      "original",
    );
    const calls = this.calls;
    const opaqueId = this.opaqueId;
    return rangesOver(
      {
        key: { fileKey, chunkSize, primitives: swiftPrimitives },
        size: ciphertextSize(size, chunkSize),
      },
      async function* (range) {
        const body = await calls.sharedBlob(opaqueId, hash, range);
        // The answer to another range yields nothing, so the check of its
        // length fails.
        if (body.first === range.first) yield* piecesOf(body.stream);
      },
    );
  }
}

async function opened(part: SharedPart, blob: Bytes): Promise<Bytes> {
  const hash = quickPrimitives.sha256();
  hash.update(blob);
  if (toHex(hash.digest()) !== part.hash) throw new Error("another blob");
  const key = {
    fileKey: part.key,
    chunkSize: part.chunkSize,
    primitives: swiftPrimitives,
  };
  return new Uint8Array(await decryptBytes(key, blob));
}

/** Makes an id from a position, because a link's items have no ids. */
function idAt(place: number): string {
  return `00000000-0000-4000-8000-${place.toString(16).padStart(12, "0")}`;
}

/** The time of items without one, which are sorted last. */
const UNDATED = "1970-01-01T00:00:00.000Z";

function rowOf(item: ShareItem, place: number): Row {
  const { thumbnail, preview } = item;
  const shown = preview ?? thumbnail;
  const derivatives =
    ([["thumbnail", thumbnail], ["preview", preview]] as const)
      .flatMap(([kind, picture]) =>
        picture === undefined ? [] : [{
          kind,
          key: picture.key,
          hash: picture.hash,
          mime: picture.mime,
          width: picture.width,
          height: picture.height,
        }]
      );
  return {
    id: idAt(place),
    owner: "",
    head: item.hash,
    seq: place,
    state: "live",
    at: UNDATED,
    blobs: [],
    epoch: 0,
    chunk_size: item.chunk_size,
    custody: "unverified",
    metadata: {
      name: item.name,
      mime: item.mime,
      size: item.size,
      sha256: "",
      taken_at: item.taken_at,
      duration_ms: item.duration_ms,
      caption: item.caption,
      width: shown?.width,
      height: shown?.height,
      derivatives,
    },
  };
}
