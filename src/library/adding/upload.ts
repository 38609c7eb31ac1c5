/**
 * Taking a file in: it is sealed here, sent with its derivatives and named by a
 * signed manifest. It counts as kept only once all its receipts are verified.
 *
 * A journal is written before the first byte is sent, so that a killed program
 * continues with the same asset and nothing is stored twice.
 *
 * @module
 */
import { saidOf } from "./derivatives.ts";
import type {
  Kept,
  NewFile,
  UploadContext,
  UploadOptions,
} from "./upload_types.ts";
export type {
  Kept,
  NewDerivative,
  NewFile,
  UploadContext,
  UploadOptions,
  UploadStep,
} from "./upload_types.ts";
import type { Bytes } from "../../core/bytes.ts";
import { derivedFileKey } from "../../client/documents/file_key.ts";
import type { Derivative, Metadata } from "../../client/documents/metadata.ts";
import {
  finished,
  isStaleRevival,
  reopened,
  replaceBroken,
  storedAsset,
} from "./asset_state.ts";
import { brokenOf, heal, healCopies } from "./healing.ts";
import { lostOf } from "../rows/losses.ts";
import { heldSource, plainOf, releaseHeld } from "../rows/plaintext_cache.ts";
import { primitivesOf, sealerOn } from "../base/platform.ts";
import { ownBlobs, type Row } from "../rows/rows.ts";
import {
  hashOn,
  hashSource,
  type Part,
  type SealedPart,
  sealPart,
} from "./sealed_part.ts";
import { proveRow } from "./proving.ts";
import { receiptRounds } from "./late_receipts.ts";
import { type ReadyAsset, sendAsset, type SentAsset } from "./store_asset.ts";
import { freshNote } from "./fresh_notes.ts";
import {
  decodeJournal,
  encodeJournal,
  type Journal,
  journalKey,
  newJournal,
  partKeyOf,
} from "./upload_journal.ts";

/**
 * Takes a file in; see {@link Kept}. After a failure, another call continues
 * from there. Throws ApiProblem, ConnectionError, CustodyError, and
 * SourceChanged if the file is being written.
 */
export async function takeIn(
  context: UploadContext,
  file: NewFile,
  options: UploadOptions = {},
): Promise<Kept> {
  const { vault } = context;
  const albumId = options.albumId ?? vault.libraryAlbumId;
  // Another thread reads the file itself.
  const source = vault.session.platform.sealer === undefined
    ? await heldSource(file.source)
    : file.source;
  try {
    return await takeBack(context, { ...file, source }, albumId, options);
  } finally {
    // What was held before is whoever's who had it held.
    if (source !== file.source) releaseHeld(source);
  }
}

/** Takes a file in, and its lost copies in albums with it. */
async function takeBack(
  context: UploadContext,
  file: NewFile,
  albumId: string,
  options: UploadOptions,
): Promise<Kept> {
  const { index, vault: { session: { platform, userId } } } = context;
  const sha256 = file.sha256 ?? await hashOn(platform, file.source, options);
  const lost = lostOf(index, userId, sha256);
  const kept = await takeHeld(context, file, sha256, albumId, options);
  const copies = await healCopies(context, lost, kept.row, file, options);
  const isBack = copies > 0 || (kept.outcome === "kept" &&
    lost.some(({ album }) => album === kept.row.album));
  if (!isBack) return kept;
  // Links that show any of what has another address now change as a whole.
  const replaced = lost.filter((row) => !isAsBefore(index.get(row.id), row))
    .flatMap(({ blobs }) => blobs.map(({ hash }) => hash));
  return { ...kept, isBack, replaced };
}

/** Whether the server has the very blobs again that others may have of it. */
function isAsBefore(now: Row | undefined, row: Row): boolean {
  const held = new Set(now?.blobs.map(({ hash }) => hash));
  return now?.state === "live" &&
    ownBlobs(row).every(({ role, hash }) =>
      held.has(hash) || role === "metadata" || role === "provenance"
    );
}

async function takeHeld(
  context: UploadContext,
  file: NewFile,
  sha256: string,
  albumId: string,
  options: UploadOptions,
): Promise<Kept> {
  const { index } = context;
  const { source } = file;
  const key = journalKey(albumId, sha256);
  // Of two files with the same bytes, the second waits for the first.
  while (context.underWay.has(key)) {
    await context.underWay.get(key)?.catch(() => {});
  }
  const known = index.byPlaintext(sha256, albumId) ??
    await reopened(context, { size: source.size, sha256 }, albumId);
  if (known !== undefined) {
    return { outcome: "known", row: await receipted(context, known, key) };
  }
  const broken = brokenOf(context, sha256, albumId);
  const begin = () =>
    broken === undefined
      ? takeNew(
        context,
        withSaid(context, file, sha256, albumId),
        { albumId, sha256, key },
        options,
      )
      : heal(context, broken, file, options);
  const taking = begin().catch(async (error) => {
    // What an earlier attempt stored was deleted for ever meanwhile.
    const isOver = isStaleRevival(error) &&
      await context.store.get("uploads", key) === undefined;
    if (!isOver) throw error;
    return await begin();
  });
  context.underWay.set(key, taking);
  try {
    return await taking;
  } finally {
    context.underWay.delete(key);
  }
}

/**
 * Verifies the receipts of an asset that is in the library already, if that is
 * still to do: an attempt was cut off after the manifest, or another device
 * stored it.
 */
async function receipted(
  context: UploadContext,
  row: Row,
  journal: string,
): Promise<Row> {
  const { vault } = context;
  const own = row.owner === vault.session.userId;
  if (!own || row.custody !== "unverified") return row;
  const forgotten = { space: "uploads", key: journal, value: null } as const;
  return await proveRow(context, row, [forgotten]);
}

/**
 * A file of which one said something in an own album before it came into the
 * library: there it is told with the same words, as it is where it goes from
 * the album into the library without its file. Into an album nothing goes that
 * way, because others read it there.
 */
function withSaid(
  { index, vault }: UploadContext,
  file: NewFile,
  sha256: string,
  albumId: string,
): NewFile {
  if (albumId !== vault.libraryAlbumId) return file;
  const { userId } = vault.session;
  const about = index.allByPlaintext(sha256).filter((row) =>
    row.owner === userId && row.state === "live"
  ).reduce<NewFile["about"]>((told, { metadata }) => ({
    ...told,
    caption: told.caption ?? metadata?.caption,
    rating: told.rating ?? metadata?.rating,
    keywords: told.keywords ?? metadata?.keywords,
  }), file.about);
  return { ...file, about };
}

/** Takes in a file that the library does not have. */
async function takeNew(
  context: UploadContext,
  file: NewFile,
  { albumId, sha256, key }: {
    readonly albumId: string;
    readonly sha256: string;
    readonly key: string;
  },
  options: UploadOptions,
): Promise<Kept> {
  const { index, store, keys } = context;
  const album = await keys.newestOf(albumId);
  const before = await heldJournal(context, key);
  const stored = before === undefined
    ? undefined
    : await storedAsset(context, before.asset_id);
  let made: SentAsset;
  if (stored !== undefined) {
    made = await finished(context, stored);
  } else {
    const journal = await journalOf(context, key, before, album.epoch);
    made = await send(
      context,
      file,
      { albumId, sha256, journal, album },
      options,
    ).catch(async (error) => {
      // A killed attempt's last request arrived after the question above.
      const late = isStaleRevival(error)
        ? await storedAsset(context, journal.asset_id)
        : undefined;
      if (late === undefined) {
        // It was stored and then deleted for ever: the upload starts over.
        const forgotten = { space: "uploads", key, value: null } as const;
        if (isStaleRevival(error)) await store.write([forgotten]);
        throw error;
      }
      return await finished(context, late);
    });
  }
  options.onSent?.();
  const { row, receipts, late } = made;
  await index.append(row, [
    ...receipts,
    ...late === undefined
      ? []
      : await receiptRounds(context).verify(late, context.underWay.size),
    { space: "uploads", key, value: null },
    freshNote(row),
  ]);
  await replaceBroken(context, sha256, albumId);
  return { outcome: "kept", row };
}

/**
 * Seals a file that the library does not have for someone else to send, and
 * gives the asset to `use`, whose parts are freed afterwards. Undefined if
 * there is anything to know of the file: then it has to be taken in here.
 */
export async function sealNew<T>(
  context: UploadContext,
  file: NewFile,
  use: (asset: ReadyAsset, sha256: string) => Promise<T>,
  options: UploadOptions = {},
): Promise<T | undefined> {
  const { index, vault, keys } = context;
  const { platform, userId } = vault.session;
  const albumId = vault.libraryAlbumId;
  const sha256 = file.sha256 ?? await hashOn(platform, file.source, options);
  const key = journalKey(albumId, sha256);
  const isKnown = () =>
    context.underWay.has(key) || lostOf(index, userId, sha256).length > 0 ||
    index.byPlaintext(sha256, albumId) !== undefined ||
    brokenOf(context, sha256, albumId) !== undefined;
  if (isKnown()) return undefined;
  const { source: { size } } = file;
  if (await reopened(context, { size, sha256 }, albumId) !== undefined) {
    return undefined;
  }
  const album = await keys.newestOf(albumId);
  const before = await heldJournal(context, key);
  const isStored = before !== undefined &&
    await storedAsset(context, before.asset_id) !== undefined;
  if (isStored || isKnown()) return undefined;
  const work = async () => {
    const journal = await journalOf(context, key, before, album.epoch);
    const sending = { albumId, sha256, journal, album };
    const said = withSaid(context, file, sha256, albumId);
    const sealed: SealedPart[] = [];
    try {
      const asset = await sealFile(context, said, sending, options, sealed);
      return await use(asset, sha256);
    } finally {
      for (const part of sealed) part.release();
    }
  };
  const working = work();
  context.underWay.set(key, working);
  try {
    return await working;
  } finally {
    context.underWay.delete(key);
  }
}

async function heldJournal(
  { store }: UploadContext,
  key: string,
): Promise<Journal | undefined> {
  const held = await store.get("uploads", key);
  return held === undefined ? undefined : decodeJournal(held);
}

/** The journal of an attempt that begins, written before it does. */
async function journalOf(
  { store, vault }: UploadContext,
  key: string,
  before: Journal | undefined,
  epoch: number,
): Promise<Journal> {
  // Not under an older key: a removed member knows that.
  const journal = before?.epoch === epoch
    ? before
    : newJournal(vault.session.platform, epoch);
  const value = encodeJournal(journal);
  await store.write([{ space: "uploads", key, value }]);
  return journal;
}

interface Sending {
  readonly albumId: string;
  readonly sha256: string;
  readonly journal: Journal;
  /** The album's key of the epoch in the journal. */
  readonly album: { readonly epoch: number; readonly amk: Bytes };
}

async function send(
  context: UploadContext,
  file: NewFile,
  sending: Sending,
  options: UploadOptions,
): Promise<SentAsset> {
  const sealed: SealedPart[] = [];
  try {
    const asset = await sealFile(context, file, sending, options, sealed);
    return await sendAsset(context, asset);
  } finally {
    for (const part of sealed) part.release();
  }
}

/** Notes in `sealed` what it seals, for it to be freed. */
async function sealFile(
  context: UploadContext,
  file: NewFile,
  { albumId, sha256, journal, album }: Sending,
  options: UploadOptions,
  sealed: SealedPart[],
): Promise<ReadyAsset> {
  const { platform } = context.vault.session;
  const { signal } = options;
  const primitives = primitivesOf(platform);
  const sealer = sealerOn(platform);
  const fileKey = derivedFileKey(album.amk, journal.asset_id, primitives);
  const original = await sealPart(
    file.source,
    { fileKey, sealer },
    sha256,
    {
      signal,
      onProgress: (bytes) => options.onProgress?.("sealing", bytes),
    },
  );
  sealed.push(original);
  const parts: Part[] = [];
  const named: Derivative[] = [];
  for (const [i, of] of (file.derivatives ?? []).entries()) {
    const plain = plainOf(of.bytes);
    const plaintextHash = await hashSource(plain, primitives);
    const key = partKeyOf(journal, `derivative/${i}`, plaintextHash);
    const part = await sealPart(
      plain,
      { fileKey: key, sealer },
      plaintextHash,
      { signal },
    );
    sealed.push(part);
    parts.push(part);
    const { length: size } = of.bytes;
    named.push({ ...saidOf(of), hash: part.hash, key, size });
  }
  const metadata: Metadata = {
    ...file.about,
    size: file.source.size,
    sha256,
    derivatives: named,
  };
  return {
    assetId: journal.asset_id,
    albumId,
    epoch: album.epoch,
    amk: album.amk,
    fileKey,
    original,
    derivatives: parts,
    onFreed: options.onFreed,
    metadata,
    onSent: (bytes) => options.onProgress?.("sending", bytes),
    ...(signal === undefined ? {} : { signal }),
  };
}
