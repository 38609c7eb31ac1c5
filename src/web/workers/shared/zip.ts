/**
 * Making a zip of a link's items while it is read.
 *
 * @module
 */
import { makeZip } from "client-zip";
import { DamagedBlob } from "../../../library/rows/pull.ts";
import { safeName } from "../../../media/exports/file_names.ts";
import { takenAt } from "../../../library/rows/rows.ts";
import { piecesOf } from "../../../client/stream/chunks.ts";
import { StreamError } from "../../../client/stream/stream.ts";
import { NotShared } from "../../share_reader.ts";
import { freePath } from "../media/zips.ts";
import type { OpenShare } from "./open_share.ts";

/**
 * A file up to this size is read completely before it is put into the zip
 * (bytes).
 */
const HELD_BYTES = 64 * 1024 * 1024;
/** The earliest time that zips can express. */
const ZIP_EPOCH_MS = Date.UTC(1980, 0, 2);

/**
 * The bytes of a zip; `onUnread` gets the name of each file that could not be
 * read.
 */
export function shareZip(
  share: OpenShare,
  ids: readonly string[],
  signal: AbortSignal,
  onUnread: (name: string) => void,
): AsyncIterable<Uint8Array> {
  const taken = new Set<string>();
  const entries = (async function* () {
    for (const id of ids) {
      signal.throwIfAborted();
      const { row, item } = share.of(id);
      const read = share.reader.read(share.partOf(id, "original"), { signal });
      const entry = {
        name: freePath(safeName(item.name), taken),
        lastModified: new Date(Math.max(takenAt(row), ZIP_EPOCH_MS)),
      };
      try {
        const input = item.size <= HELD_BYTES
          ? new Blob(await Array.fromAsync(read))
          : read;
        yield { ...entry, input };
      } catch (error) {
        // Nothing of the file is in the zip yet, so the others can follow.
        const isLost = error instanceof StreamError ||
          error instanceof DamagedBlob || error instanceof NotShared;
        if (!isLost) throw error;
        onUnread(item.name);
      }
    }
  })();
  return piecesOf(makeZip(entries, { buffersAreUTF8: true }));
}
