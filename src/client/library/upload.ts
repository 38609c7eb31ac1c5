/**
 * Taking a file in: it is sealed here, sent with its derivatives and named by a
 * signed manifest. It counts as kept only once all its receipts are verified.
 *
 * A journal is written before the first byte is sent, so that a killed program
 * continues with the same asset and nothing is stored twice.
 *
 * @module
 */
import type {
  Kept,
  NewDerivative,
  NewFile,
  UploadContext,
  UploadOptions,
} from "./upload_types.ts";
export type {
  Kept,
  LargeDerivative,
  NewDerivative,
  NewFile,
  UploadContext,
  UploadOptions,
  UploadStep,
} from "./upload_types.ts";
import type { Bytes } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { derivedFileKey, partKey } from "../file_key.ts";
import { encodeMetadata, type Metadata } from "../metadata.ts";
import {
  finished,
  isStaleRevival,
  reopened,
  replaceBroken,
  storedAsset,
} from "./asset_state.ts";
import { brokenOf, heal, healCopies } from "./healing.ts";
import { lostOf } from "./losses.ts";
import { heldSource, plainOf, releaseHeld } from "./held.ts";
import { primitivesOf, sealerOn } from "./platform.ts";
import type { Row } from "./rows.ts";
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
  saltOf,
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
  return isBack ? { ...kept, isBack } : kept;
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
 * library: there it is told with the same words, as it is where it goes from the
 * album into the library without its file. Into an album nothing goes that way,
 * because others read it there.
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
        // It was stored and then deleted for ever: the file begins anew.
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
 * Seals a file that the library does not have for somebody else to send, and
 * gives the asset to `use`, whose parts are freed afterwards. Undefined if there
 * is anything to know of the file: then it has to be taken in here.
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
    saltOf(journal, "original", sha256),
    sha256,
    {
      signal,
      onProgress: (bytes) => options.onProgress?.("sealing", bytes),
    },
  );
  sealed.push(original);
  const derivatives: { readonly part: Part; readonly of: NewDerivative }[] = [];
  for (const [i, of] of (file.derivatives ?? []).entries()) {
    const plain = plainOf(of.bytes);
    const plaintextHash = await hashSource(plain, primitives);
    const part = await sealPart(
      plain,
      { fileKey: partKey(fileKey, "derivative", i, primitives), sealer },
      saltOf(journal, `derivative/${i}`, plaintextHash),
      plaintextHash,
      { signal },
    );
    sealed.push(part);
    derivatives.push({ of, part });
  }
  const metadata: Metadata = {
    ...file.about,
    size: file.source.size,
    sha256,
    derivatives: derivatives.map(({ part, of }, i) => ({
      hash: part.hash,
      kind: of.kind,
      mime: of.mime,
      width: of.width,
      height: of.height,
      part: i,
      size: of.bytes.length,
    })),
  };
  return {
    assetId: journal.asset_id,
    albumId,
    epoch: album.epoch,
    fileKey,
    original,
    derivatives: derivatives.map(({ part }) => part),
    onFreed: options.onFreed,
    metadata,
    metadataSalt: saltOf(
      journal,
      "metadata",
      sha256Hex(encodeMetadata(metadata)),
    ),
    onSent: (bytes) => options.onProgress?.("sending", bytes),
    ...(signal === undefined ? {} : { signal }),
  };
}
