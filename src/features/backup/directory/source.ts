/**
 * Restoring from a plain directory.
 *
 * @module
 */
import { bringBlob, copyDurably } from "../../../store/files/copies.ts";
import { BlobDirectories } from "../blobs.ts";
import type { RestoreSource } from "../source.ts";
import { type Place, requireSnapshot, snapshotPath } from "./place.ts";

/** The backup in a directory, whose lock the caller shares. */
export async function sourceIn(place: Place): Promise<RestoreSource> {
  const { files, dir } = place;
  const { manifest, snapshot } = await requireSnapshot(place);
  const blobs = new BlobDirectories(files, dir);
  const own = snapshotPath(place, snapshot);
  return {
    name: dir,
    others: "another copy of the backup may be good",
    snapshot,
    attestationKey: manifest.server.attestation_key,
    fileName: (path) => `snapshots/${snapshot.name}/${path}`,
    keysName: `${own}/keys`,
    blobName: (hash) => blobs.pathOf(hash).slice(dir.length + 1),
    bringFile: ({ path }, to) => copyDurably(files, `${own}/${path}`, to),
    bringBlob: ({ hash, size }, to) =>
      bringBlob(files, {
        ...{ from: blobs.pathOf(hash), to, hash, size },
        link: false,
      }),
  };
}
