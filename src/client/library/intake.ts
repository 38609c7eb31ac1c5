/**
 * Taking a file in: it is sealed here, sent with its derivatives and named by a
 * signed manifest. It counts as kept only once all its receipts are verified.
 *
 * A journal is written before the first byte is sent, so that a killed program
 * continues with the same asset and nothing is stored twice.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { AssetResponse } from "../answers.ts";
import { derivedFileKey, partKey } from "../file_key.ts";
import { encodeMetadata, type Metadata } from "../metadata.ts";
import type { PlainSource } from "../sealed_source.ts";
import type { AssetIndex } from "./asset_index.ts";
import { isStaleRevival, replaceBroken, storedAsset } from "./asset_state.ts";
import type { AlbumKeys } from "./album_keys.ts";
import type { Custody } from "./custody.ts";
import { heldSource, plainOf, releaseHeld } from "./held.ts";
import { newId, primitivesOf, sealerOn } from "./platform.ts";
import type { Row } from "./rows.ts";
import { type Opener, openRow } from "./opening.ts";
import {
  hashOn,
  hashSource,
  type Part,
  type SealedPart,
  sealPart,
} from "./sealed_part.ts";
import { proveRow } from "./proving.ts";
import { receiptRounds } from "./late_receipts.ts";
import { verifyReceipts } from "./asset_receipts.ts";
import { sendAsset, type SentAsset } from "./store_asset.ts";
import type { Store } from "./store.ts";
import type { Vault } from "./vault.ts";
import {
  decodeJournal,
  encodeJournal,
  type Journal,
  journalKey,
  saltOf,
} from "./journal.ts";

/** A small picture of a file, or the film of a live photo. */
export interface NewDerivative {
  readonly kind: Metadata["derivatives"][number]["kind"];
  readonly mime: string;
  /** Width and height in pixels, if they are known. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly bytes: Bytes;
}

/** A file to take in. */
export interface NewFile {
  /**
   * Its bytes; they are read once up to 6 MiB, twice up to 32 MiB, otherwise
   * three times.
   */
  readonly source: PlainSource;
  /** Its metadata; size and hash are computed here. */
  readonly about: Omit<Metadata, "size" | "sha256" | "derivatives">;
  readonly derivatives?: readonly NewDerivative[];
  /** SHA-256 of the bytes in hex, if the caller has just computed it. */
  readonly sha256?: string;
}

/** Options of taking a file in. */
export interface IntakeOptions {
  /** Default: the library. */
  readonly albumId?: string;
  /** Gets the number of bytes that are hashed, sealed and sent. */
  readonly onProgress?: (step: IntakeStep, bytes: number) => void;
  /** Called once its bytes are sent and freed: what is left is small. */
  readonly onFreed?: () => void;
  /**
   * Called once everything was sent. Only receipts are left to verify, which
   * are fetched for several files at a time: others may begin meanwhile.
   */
  readonly onSent?: () => void;
  readonly signal?: AbortSignal;
}

/** The steps of taking a file in. */
export type IntakeStep = "hashing" | "sealing" | "sending";

/** The outcome for a file. */
export interface Kept {
  /** `known`: the library had it already, and nothing was sent. */
  readonly outcome: "kept" | "known";
  readonly row: Row;
}

/** What taking in works with. */
export interface IntakeContext {
  readonly vault: Vault;
  readonly keys: AlbumKeys;
  readonly index: AssetIndex;
  readonly store: Store;
  readonly custody: Custody;
  readonly opener: Opener;
  /** Files that are being taken in, by the key of their journal. */
  readonly underWay: Map<string, Promise<unknown>>;
}

/**
 * Takes a file in; see {@link Kept}. After a failure, another call continues
 * from there. Throws ApiProblem, ConnectionError, CustodyError, and
 * SourceChanged if the file is being written.
 */
export async function takeIn(
  context: IntakeContext,
  file: NewFile,
  options: IntakeOptions = {},
): Promise<Kept> {
  const { vault } = context;
  const albumId = options.albumId ?? vault.libraryAlbumId;
  // Another thread reads the file itself.
  const source = vault.session.platform.sealer === undefined
    ? await heldSource(file.source)
    : file.source;
  try {
    return await takeHeld(context, { ...file, source }, albumId, options);
  } finally {
    // What was held before is whoever's who had it held.
    if (source !== file.source) releaseHeld(source);
  }
}

async function takeHeld(
  context: IntakeContext,
  file: NewFile,
  albumId: string,
  options: IntakeOptions,
): Promise<Kept> {
  const { index, vault: { session: { platform } } } = context;
  const { source } = file;
  const sha256 = file.sha256 ?? await hashOn(platform, source, options);
  const key = journalKey(albumId, sha256);
  // Of two files with the same bytes, the second waits for the first.
  while (context.underWay.has(key)) {
    await context.underWay.get(key)?.catch(() => {});
  }
  const known = index.byPlaintext(sha256, albumId);
  if (known !== undefined) {
    return { outcome: "known", row: await receipted(context, known, key) };
  }
  const taking = takeNew(context, file, { albumId, sha256, key }, options);
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
  context: IntakeContext,
  row: Row,
  journal: string,
): Promise<Row> {
  const { vault } = context;
  const own = row.owner === vault.session.userId;
  if (!own || row.custody !== "unverified") return row;
  const forgotten = { space: "uploads", key: journal, value: null } as const;
  return await proveRow(context, row, [forgotten]);
}

/** Takes in a file that the library does not have. */
async function takeNew(
  context: IntakeContext,
  file: NewFile,
  { albumId, sha256, key }: {
    readonly albumId: string;
    readonly sha256: string;
    readonly key: string;
  },
  options: IntakeOptions,
): Promise<Kept> {
  const { index, store, keys } = context;
  const album = await keys.newestOf(albumId);
  const held = await store.get("uploads", key);
  const before = held === undefined ? undefined : decodeJournal(held);
  const stored = before === undefined
    ? undefined
    : await storedAsset(context, before.asset_id);
  let made: SentAsset;
  if (stored !== undefined) {
    made = await finished(context, stored);
  } else {
    // An attempt under an older key is not continued: a removed member knows
    // that key.
    const journal = before?.epoch === album.epoch
      ? before
      : newJournal(context, album.epoch);
    const value = encodeJournal(journal);
    await store.write([{ space: "uploads", key, value }]);
    made = await send(
      context,
      file,
      { albumId, sha256, journal, album },
      options,
    ).catch(async (error) => {
      // The server carried out the last request of a killed attempt only after
      // it was asked whether the asset exists.
      const late = isStaleRevival(error)
        ? await storedAsset(context, journal.asset_id)
        : undefined;
      if (late === undefined) throw error;
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
  ]);
  await replaceBroken(context, sha256, albumId);
  // The file is there again, so rows of lost copies are removed.
  const missed = index.allByPlaintext(sha256)
    .filter((one) => one.state === "missing" && one.album === albumId);
  for (const { id } of missed) index.remove(id);
  if (missed.length > 0) await index.commit();
  return { outcome: "kept", row };
}

interface Sending {
  readonly albumId: string;
  readonly sha256: string;
  readonly journal: Journal;
  /** The album's key of the epoch in the journal. */
  readonly album: { readonly epoch: number; readonly amk: Bytes };
}

async function send(
  context: IntakeContext,
  file: NewFile,
  sending: Sending,
  options: IntakeOptions,
): Promise<SentAsset> {
  const sealed: SealedPart[] = [];
  try {
    return await sealAndStore(context, file, sending, options, sealed);
  } finally {
    for (const part of sealed) part.release();
  }
}

/** Notes in `sealed` what it seals, for it to be freed. */
async function sealAndStore(
  context: IntakeContext,
  file: NewFile,
  { albumId, sha256, journal, album }: Sending,
  options: IntakeOptions,
  sealed: SealedPart[],
): Promise<SentAsset> {
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
  return await sendAsset(context, {
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
  });
}

function newJournal({ vault }: IntakeContext, epoch: number): Journal {
  const { platform } = vault.session;
  const seed = new Uint8Array(platform.random(32));
  return { asset_id: newId(platform), epoch, seed };
}

/**
 * Finishes an asset that is stored already: only its receipts are left to
 * verify.
 */
export async function finished(
  context: IntakeContext,
  asset: AssetResponse,
): Promise<SentAsset> {
  const { asset_id: assetId, blobs } = asset;
  const receipts = await verifyReceipts(context, assetId, blobs);
  const row = await openRow(context.opener, asset, undefined);
  return { row: { ...row, custody: "receipted" }, receipts };
}
