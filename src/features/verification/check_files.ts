/**
 * Blobs against their files, both ways
 * (upkeep/check.md#is-everything-still-there).
 *
 * @module
 */
import { chunks } from "../../core/chunks.ts";
import { type BlobHash, isUuid, type UploadId } from "../../core/ids.ts";
import { reasonOf } from "../../core/reason.ts";
import { isDamaged } from "../../store/failure.ts";
import { blobFileOf, type Leaf } from "../../store/blobs/inventory.ts";
import { historyOf } from "../references.ts";
import { type Check, walk } from "./check_step.ts";
import {
  countRows,
  isHeld,
  knownHashes,
  knownUploads,
  pageOfBlobs,
} from "./check_store.ts";

/** Files that are looked at together. */
const FILES_AT_ONCE = 32;
type Row = Awaited<ReturnType<typeof pageOfBlobs>>[number];

/**
 * Every blob has a file of its size; with `deep`, and where the server found
 * other bytes in it once, of its hash as well.
 */
export async function checkBlobs(check: Check, deep: boolean): Promise<void> {
  const { db, advance } = check;
  const total = await countRows(db, "blob");
  // Hashing takes a core for itself; looking waits for the disk.
  const atOnce = deep ? 1 : FILES_AT_ONCE;
  const visit = async (rows: readonly Row[]) => {
    for (const some of chunks(rows, atOnce)) {
      await Promise.all(some.map((row) => checkBlob(check, row, deep)));
      advance(some.length, total);
    }
  };
  await walk((after: Row | undefined) => pageOfBlobs(db, after), visit);
}

async function checkBlob(
  check: Check,
  { hash, size, is_damaged }: Row,
  deep: boolean,
): Promise<void> {
  const { db, blobs, findings } = check;
  try {
    const found = await blobs.sizeOf(hash);
    if (found === undefined) {
      if (!await isHeld(db, hash)) return;
      const quarantined = await blobs.quarantine.find(hash);
      if (quarantined === undefined) {
        await addLost(check, "blob_missing", hash, "it has no file");
      } else {
        const what = `its file was set quarantined in lost/${quarantined.day}`;
        findings.add("blob_set_aside", hash, what);
      }
    } else if (found !== size) {
      const what = `its file has ${found} bytes, not ${size}`;
      await addLost(check, "blob_of_other_size", hash, what);
    } else if (deep || is_damaged === 1) {
      const actual = await blobs.digest(hash);
      if (actual === undefined || actual.sha256 === hash) return;
      const what = `its bytes have the hash ${actual.sha256}`;
      await addLost(check, "blob_corrupt", hash, what);
    }
  } catch (error) {
    // Of the database, and not of this blob.
    if (isDamaged(error)) throw error;
    const isNeeded = await isHeld(db, hash);
    findings.add(
      isNeeded ? "blob_unreadable" : "blob_unneeded",
      hash,
      reasonOf(error),
    );
  }
}

/**
 * The finding says that no client can upload an earlier manifest again, and
 * that no client has to upload an unreferenced blob.
 */
async function addLost(
  { db, findings, onLost }: Check,
  kind: "blob_missing" | "blob_of_other_size" | "blob_corrupt",
  hash: BlobHash,
  what: string,
): Promise<void> {
  if (!await isHeld(db, hash)) {
    findings.add("blob_unneeded", hash, what);
    return;
  }
  const isEarlier = (await historyOf(db, hash)).length > 0;
  findings.add(isEarlier ? "history_lost" : kind, hash, what);
  onLost(hash, kind === "blob_corrupt" ? "damaged" : "missing");
}

/** Every file belongs to a blob or to something under way. */
export async function checkFiles(check: Check): Promise<void> {
  await checkBucket(check);
  for await (const { names } of check.staging.list()) {
    await checkUploadFiles(check, names);
    check.advance(names.length);
  }
  for await (const leaf of check.blobs.list()) {
    await checkBlobFiles(check, leaf);
    check.advance(leaf.names.length);
  }
}

/** The bucket is this data directory's. */
async function checkBucket({ objectStore, findings }: Check): Promise<void> {
  if (objectStore === undefined) return;
  const { claim, name } = objectStore;
  const refusal = claim.refusalOf(await claim.holder());
  if (refusal !== undefined) findings.add("bucket_not_held", name, refusal);
}

async function checkUploadFiles(
  check: Check,
  names: readonly string[],
): Promise<void> {
  const known = await knownUploads(check.db, names);
  for (const name of names.filter((one) => !known.has(one))) {
    // A session that ends loses its row first, then its file.
    if (!await check.staging.holds(name)) continue;
    const kind = isUuid<UploadId>(name) ? "upload_file_unknown" : undefined;
    addFile(check, `uploads/${name}`, kind);
  }
}

async function checkBlobFiles(
  check: Check,
  leaf: Leaf,
): Promise<void> {
  const { db } = check;
  const read = leaf.names.map((name) => ({
    name,
    file: blobFileOf(leaf, name),
  }));
  const files = read.flatMap(({ file }) => file ?? []);
  const hashes = await knownHashes(db, files.map(({ hash }) => hash));
  const uploads = await knownUploads(
    db,
    files.flatMap(({ uploadId }) => uploadId ?? []),
  );
  for (const { name, file } of read) {
    const isKnown = file !== undefined &&
      (file.uploadId === undefined
        ? hashes.has(file.hash)
        : uploads.has(file.uploadId));
    if (isKnown) continue;
    const place = `${leaf.directory}/${name}`;
    if (!await check.blobs.liesAt(place)) continue;
    const kind = file === undefined ? undefined : "blob_file_unknown";
    addFile(check, place, kind);
  }
}

/** Without a kind, the name is not one that this program gives. */
function addFile(
  { findings }: Check,
  place: string,
  kind: "upload_file_unknown" | "blob_file_unknown" | undefined,
): void {
  findings.add(kind ?? "file_foreign", place, "nothing knows of it");
}
