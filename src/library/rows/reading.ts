/**
 * The reading half of a library: the plaintext of an asset's blobs, in pieces
 * or by ranges, or many small blobs at once.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import {
  type Ranges,
  rangesOf,
  readableOf,
  type ReaderContext,
  type Reading,
  readWhole,
  type Wanted,
} from "./pull.ts";
import { readMany, type ReadManyOptions, type ReadPart } from "./read_many.ts";
import type { Row } from "./rows.ts";

/** A destination of plaintext. */
export interface Sink {
  write(bytes: Bytes): Promise<void>;
  /** Called if everything was written and verified. */
  close(): Promise<void>;
  /** Called otherwise: what was written must not be used. */
  abort(reason: unknown): Promise<void>;
}

/** A small blob of an asset. */
export interface SmallPart {
  readonly assetId: string;
  readonly wanted: "original" | "thumbnail";
}

/** The reading functions of a library. */
export interface LibraryReading {
  /** Yields the plaintext of an asset's blob, piece by piece; see `pull.ts`. */
  read(
    assetId: string,
    wanted?: Wanted,
    reading?: Reading,
  ): AsyncGenerator<Bytes, void>;
  /**
   * Reads many small blobs at once; the results are in the same order. See
   * `read_many.ts`.
   */
  readMany(
    wanted: readonly SmallPart[],
    options?: ReadManyOptions,
  ): Promise<readonly ReadPart[]>;
  /** Reads plaintext bytes `first` to `last`, both included. */
  range(
    assetId: string,
    range: { readonly first: number; readonly last: number },
    wanted?: Wanted,
  ): Promise<Bytes>;
  /** For reading many ranges: the salt is fetched only once. */
  ranges(assetId: string, wanted?: Wanted): Promise<Ranges>;
  /** Reads an asset's blob into a sink, and closes or aborts the sink. */
  pull(
    assetId: string,
    sink: Sink,
    options?: Reading & { readonly wanted?: Wanted },
  ): Promise<void>;
}

/** Makes the reading functions for the assets whose rows `rowOf` finds. */
export function readingOf(
  context: ReaderContext,
  rowOf: (assetId: string) => Row,
): LibraryReading {
  async function* read(
    assetId: string,
    wanted: Wanted = "original",
    reading: Reading = {},
  ) {
    const blob = await readableOf(context, rowOf(assetId), wanted);
    yield* readWhole(context, assetId, blob, reading);
  }
  const ranges = async (assetId: string, wanted: Wanted = "original") =>
    rangesOf(
      context,
      assetId,
      await readableOf(context, rowOf(assetId), wanted),
    );
  return {
    read,
    readMany: (wanted, options) =>
      readMany(
        context,
        wanted.map(({ assetId, wanted }) => ({ row: rowOf(assetId), wanted })),
        options,
      ),
    range: async (assetId, range, wanted) =>
      await (await ranges(assetId, wanted)).read(range),
    ranges,
    async pull(assetId, sink, { wanted, ...reading } = {}) {
      try {
        for await (const piece of read(assetId, wanted, reading)) {
          await sink.write(piece);
        }
      } catch (error) {
        await sink.abort(error);
        throw error;
      }
      await sink.close();
    },
  };
}
