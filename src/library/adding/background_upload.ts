/**
 * Files that are sent by something without keys, such as a browser whose page is
 * closed: everything is sealed and signed before. What was handed over is noted
 * on this device and taken up again, because an asset counts as kept only once
 * its receipts are verified here.
 *
 * @module
 */
import * as z from "zod/mini";
import { opCall } from "../../client/api/album_calls.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { isFull, isTemporary } from "../../client/api/refusals.ts";
import { hash, uuid } from "../../client/documents/fields.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import {
  type BlobSource,
  doneWith,
  persist,
  PIECE_BYTES,
} from "../../client/api/send.ts";
import { type Call, headersOf } from "../../client/api/transport.ts";
import {
  AHEAD_PREFIX,
  AHEAD_SPACE,
  aheadNotes,
} from "./background_upload_notes.ts";
import { finished, replaceBroken, storedAsset } from "./asset_state.ts";
import { freshNote } from "./fresh_notes.ts";
import { journalKey } from "./upload_journal.ts";
import type { StoreChange } from "../base/store.ts";
import { opAhead } from "./store_asset.ts";
import { sealNew } from "./upload.ts";
import type { NewFile, UploadContext, UploadOptions } from "./upload_types.ts";

/**
 * A larger file is not handed over: what sends it begins again from its first
 * byte after a break, and it is on this device's disk a second time (bytes).
 */
export const AHEAD_MAX_BYTES: number = 256 * 1024 * 1024;

/** A request that stores a blob of an asset; it lacks only the access token. */
export interface AheadRequest {
  readonly method: string;
  /** Below the server's origin. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Blob;
}

/** A file that is ready to be sent. */
export interface Ahead {
  readonly assetId: string;
  /**
   * Its blobs, in any order. The manifest is not among them: it may come only
   * after all, and Chromium sends several requests at a time.
   */
  readonly requests: readonly AheadRequest[];
}

/** What became of a file that was handed over. */
export interface TakenUp {
  readonly assetId: string;
  /**
   * `waiting`: it may still be sent. `failed`: it has to be added again, and
   * goes on where it was.
   */
  readonly outcome: "kept" | "waiting" | "failed";
  /** What the program noted with it. */
  readonly note: string;
}

const recordSchema = z.object({
  album_id: uuid,
  sha256: hash,
  /** The upload sessions of its blobs. */
  uploads: z.array(uuid),
  /** The body of the request that applies the manifest. */
  op: z.string(),
  note: z.string(),
});

/**
 * Seals a file and opens its upload sessions, for something else to send;
 * `note` is given back with what became of it. Undefined if the file is too
 * large or in any way known: then it has to be taken in here.
 */
export async function sealAhead(
  context: UploadContext,
  file: NewFile,
  note: string,
  options: UploadOptions = {},
): Promise<Ahead | undefined> {
  if (file.source.size > AHEAD_MAX_BYTES) return undefined;
  const { vault, store } = context;
  const { account } = vault.session;
  return await sealNew(context, file, async (asset, sha256) => {
    const { albumId, assetId } = asset;
    const made = await opAhead(vault, asset);
    if (made === undefined || albumId === undefined) return undefined;
    const uploads: string[] = [];
    const requests: AheadRequest[] = [];
    for (
      const [role, part] of [
        ["original", asset.original],
        ...asset.derivatives.map((one) => ["derivative", one] as const),
      ] as const
    ) {
      options.signal?.throwIfAborted();
      const { hash, size } = part;
      const upload = await persist(
        account,
        () =>
          account.createUpload({ role, hash, size, envelope: made.envelope }),
        {},
      );
      uploads.push(upload.upload_id);
      if (upload.state === "finalized") continue;
      const call = {
        method: "PUT",
        path: `/v1/upload/${upload.upload_id}`,
        bytes: { mediaType: "application/octet-stream" },
      } as const;
      requests.push(requestOf(call, await readBlob(part, size)));
    }
    const call = opCall(albumId, made.op);
    const op = JSON.stringify(call.json);
    const record = { album_id: albumId, sha256, uploads, op, note };
    const value = encodeJson(recordSchema, record, "upload handed over");
    await store.write([{
      space: AHEAD_SPACE,
      key: `${AHEAD_PREFIX}${assetId}`,
      value,
    }]);
    return { assetId, requests };
  }, options);
}

function requestOf(
  call: Parameters<typeof headersOf>[0],
  body: Blob,
): AheadRequest {
  const { method, path } = call;
  return { method, path, headers: [...headersOf(call)], body };
}

/** The bytes of a blob where a browser can keep them on its disk. */
async function readBlob(source: BlobSource, size: number): Promise<Blob> {
  const pieces: Blob[] = [];
  for (let at = 0; at < size; at += PIECE_BYTES) {
    const bytes = await source.read(at, Math.min(PIECE_BYTES, size - at));
    pieces.push(new Blob([bytes]));
    doneWith(source, bytes);
  }
  return new Blob(pieces);
}

/**
 * Looks what became of the files that were handed over, and finishes those that
 * the server has whole. With `isOver`, nothing is sending any more: what is not
 * whole has failed. Throws CustodyError for a false receipt.
 */
export async function takeUp(
  context: UploadContext,
  isOver: boolean,
): Promise<readonly TakenUp[]> {
  const taken: TakenUp[] = [];
  for (const { key, value } of await aheadNotes(context.store)) {
    const assetId = key.slice(AHEAD_PREFIX.length);
    const record = decodeJson(recordSchema, value, "upload handed over");
    const journal = journalKey(record.album_id, record.sha256);
    const forget = { space: AHEAD_SPACE, key, value: null } as const;
    const work = () => takeUpOne(context, { ...record, assetId }, forget);
    let outcome: TakenUp["outcome"] = "waiting";
    // What is being taken in again is finished there.
    if (!context.underWay.has(journal)) {
      const working = work();
      context.underWay.set(journal, working);
      try {
        outcome = await working;
      } finally {
        context.underWay.delete(journal);
      }
    }
    if (outcome === "waiting" && isOver) outcome = "failed";
    if (outcome === "failed") await context.store.write([forget]);
    taken.push({ assetId, outcome, note: record.note });
  }
  return taken;
}

async function takeUpOne(
  context: UploadContext,
  { assetId, album_id: albumId, sha256, uploads, op }:
    & z.output<typeof recordSchema>
    & { readonly assetId: string },
  forget: StoreChange,
): Promise<TakenUp["outcome"]> {
  const { account } = context.vault.session;
  let asset = await storedAsset(context, assetId);
  if (asset === undefined) {
    try {
      for (const id of uploads) {
        await persist(account, () => account.finalize(id), {});
      }
      const path = `/v1/albums/${albumId}/ops`;
      const call: Call = { method: "POST", path, json: JSON.parse(op) };
      const { body } = await persist(account, () => account.send(call), {});
      await body?.cancel();
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      return mayStillCome(error) ? "waiting" : "failed";
    }
    asset = await storedAsset(context, assetId);
  }
  if (asset === undefined) return "failed";
  const { row, receipts } = await finished(context, asset);
  await context.index.append(row, [
    ...receipts,
    { space: AHEAD_SPACE, key: journalKey(albumId, sha256), value: null },
    forget,
    freshNote(row),
  ]);
  await replaceBroken(context, sha256, albumId);
  return "kept";
}

/** Whether another time may be better; otherwise it has to be added again. */
function mayStillCome(error: ApiProblem): boolean {
  return error.code === "error.upload.incomplete" || isFull(error) ||
    isTemporary(error);
}
