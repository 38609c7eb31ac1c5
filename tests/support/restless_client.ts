/**
 * A client that works on at random whatever happens to the server, repeats
 * what had no answer, and keeps everything that it was ever promised.
 *
 * @module
 */
import assert from "node:assert/strict";
import { opRequest, sendOp } from "./albums.ts";
import { seededRandom, type Sender } from "./app.ts";
import { expectEmpty, expectJson, expectProblem, type Json } from "./expect.ts";
import {
  ciphertext,
  hashOf,
  patchBytes,
  type Person,
  putBytes,
  uploadRequest,
  uuidOf,
} from "./people.ts";
import { expectBytes, readAsset, readBlob, refreshed } from "./api.ts";
import { sendDelete, sendPurge, sendRestore } from "./trash.ts";
import { finalize, headUpload } from "./uploads.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** An access token lives for 15 minutes. */
const REFRESH_MS = 5 * 60_000;

/** What everybody uploads, so that blobs come and go while others want them. */
const COMMON = [90_000, 3_000, 700, 40_000].map((length, n) =>
  ciphertext(`common ${n}`, length)
);

/** An asset as the server has acknowledged it. */
interface Promised {
  readonly assetId: string;
  readonly inAlbum: boolean;
  state: "live" | "deleted";
  original: Bytes;
  metadata: Bytes | undefined;
  readonly manifests: Bytes[];
}

/** An upload that the client lets lie, and the bytes that were acknowledged. */
export interface Lying {
  readonly uploadId: string;
  readonly bytes: Bytes;
  acknowledged: number;
  finalized: boolean;
}

type UploadOver = NonNullable<Parameters<typeof uploadRequest>[2]>;

export class RestlessClient {
  readonly assets: Promised[] = [];
  readonly lying: Lying[] = [];
  /** Ids of assets that are gone for good. */
  readonly ended: string[] = [];
  /** Every receipt that was told: its number, and its bytes in base64. */
  readonly receipts = new Map<number, string>();
  readonly done = new Map<string, number>();
  #refreshedAt = Date.now();
  #named = 0;
  readonly #random: ReturnType<typeof seededRandom>;

  constructor(
    private readonly server: Sender,
    public person: Person,
    private readonly albumId: string,
    seed: string,
  ) {
    this.#random = seededRandom(seed);
  }

  /** Works until told to end, and ends after whole pieces of work alone. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      if (Date.now() - this.#refreshedAt > REFRESH_MS) await this.refresh();
      const [name, work] = this.#choose<[string, () => Promise<void>]>([
        ["create", () => this.#create()],
        ["create", () => this.#create()],
        ["replace", () => this.#replace()],
        ["replace", () => this.#replace()],
        ["delete or restore", () => this.#move()],
        ["end", () => this.#end()],
        ["leave", () => this.#leave()],
        ["ask again", () => this.#askAgain()],
        ["read", () => this.#read()],
      ]);
      await work();
      this.done.set(name, (this.done.get(name) ?? 0) + 1);
    }
  }

  async refresh(): Promise<void> {
    this.person = await refreshed(this.server, this.person);
    this.#refreshedAt = Date.now();
  }

  /** Expects all that was promised, as the server tells it. */
  async expectKept(): Promise<void> {
    for (const asset of this.assets) await this.#expectAsset(asset);
    for (const lying of this.lying) await this.#expectOffset(lying);
    for (const assetId of this.ended) {
      const { token } = this.person;
      const path = `/v1/assets/${assetId}`;
      await expectProblem(
        await this.server.send("GET", path, { token }),
        "error.asset.not_found",
      );
    }
  }

  async #create(): Promise<void> {
    const asset: Promised = {
      assetId: uuidOf(this.#name("asset")),
      inAlbum: this.#below(2) === 0,
      state: "live",
      original: this.#content("original"),
      metadata: this.#below(2) === 0 ? this.#content("metadata") : undefined,
      manifests: [],
    };
    await this.#apply(asset, "create");
    this.assets.push(asset);
  }

  async #replace(): Promise<void> {
    const asset = this.#some("live");
    if (asset === undefined) return;
    const next = {
      ...asset,
      original: this.#below(3) === 0 ? asset.original : this.#content("edit"),
      metadata: this.#below(2) === 0 ? this.#content("metadata") : undefined,
    };
    await this.#apply(next, "replace");
    Object.assign(asset, next);
  }

  /** Uploads what a manifest names, then the manifest, in one way or another. */
  async #apply(asset: Promised, action: "create" | "replace"): Promise<void> {
    const { assetId, inAlbum, original, metadata, manifests } = asset;
    const manifest = ciphertext(this.#name("manifest"), 200);
    const over = {
      fileId: assetId,
      ...(inAlbum ? { albumId: this.albumId } : {}),
    };
    const held = this.assets.find((one) =>
      one.assetId !== assetId && one.original === original
    );
    if (held === undefined || this.#below(2) === 0) {
      await this.#upload(original, over);
    } else await this.#copy(original, over, held.assetId);
    const last = manifests.at(-1);
    const prior = last === undefined ? undefined : hashOf(last);
    if (inAlbum && this.#below(2) === 0) {
      const request = opRequest(
        this.person,
        this.albumId,
        assetId,
        manifest,
        {
          action,
          original,
          ...(metadata === undefined ? {} : { metadata }),
          ...(prior === undefined ? {} : { prior }),
        },
      );
      const { server, person, albumId } = this;
      await expectJson(await sendOp(server, person, albumId, request), 200);
    } else {
      if (metadata !== undefined) {
        await this.#upload(metadata, { ...over, role: "metadata" });
      }
      await this.#upload(manifest, {
        ...over,
        role: "provenance",
        envelope: {
          action,
          original_blob_hash: hashOf(original),
          ...(metadata === undefined
            ? {}
            : { metadata_blob_hash: hashOf(metadata) }),
          ...(prior === undefined ? {} : { prior_provenance_hash: prior }),
        },
      });
    }
    manifests.push(manifest);
  }

  /** Takes a blob of another asset, without sending it. */
  async #copy(bytes: Bytes, over: UploadOver, source: string): Promise<void> {
    const copied = await this.server.send("POST", "/v1/upload", {
      token: this.person.token,
      json: uploadRequest(this.person, bytes, {
        ...over,
        request: { copies: source },
      }),
    });
    // Another's for a first answer that was lost.
    const isNew = copied.status === 201;
    const told = await expectJson(copied, isNew ? 201 : 200);
    assert.equal(told.state, "finalized");
    this.#note(told);
    this.done.set("copy", (this.done.get("copy") ?? 0) + 1);
  }

  /** Uploads a blob to its end, at once or in pieces. */
  async #upload(bytes: Bytes, over: UploadOver): Promise<Lying> {
    const upload = await this.#open(bytes, over);
    const { server, person } = this;
    if (this.#below(3) === 0) {
      const put = await putBytes(server, person, upload.uploadId, bytes);
      this.#note(await expectJson(put, 200));
    } else {
      await this.#send(upload, bytes.length);
      const answer = await finalize(server, person, upload.uploadId);
      this.#note(await expectJson(answer, 200));
    }
    upload.finalized = true;
    upload.acknowledged = bytes.length;
    return upload;
  }

  async #open(bytes: Bytes, over: UploadOver): Promise<Lying> {
    const created = await this.server.send("POST", "/v1/upload", {
      token: this.person.token,
      json: uploadRequest(this.person, bytes, over),
    });
    // Another's for a first answer that was lost, or for the same content.
    const isNew = created.status === 201;
    const told = await expectJson(created, isNew ? 201 : 200);
    if (told.receipt !== undefined) this.#note(told);
    return {
      uploadId: told.upload_id,
      bytes,
      acknowledged: told.offset,
      finalized: told.state === "finalized",
    };
  }

  /** Sends bytes in pieces, up to a length; nothing once it is finalized. */
  async #send(upload: Lying, length: number): Promise<void> {
    const { server, person } = this;
    const { uploadId, bytes } = upload;
    while (!upload.finalized && upload.acknowledged < length) {
      const at = upload.acknowledged;
      const end = Math.min(length, at + 1 + this.#below(length));
      const piece = bytes.slice(at, end);
      const answer = await patchBytes(server, person, uploadId, at, piece);
      if (answer.status === 409) {
        // The answer was lost, and some or all of the bytes were not.
        const { code, offset } = await answer.json();
        assert.equal(code, "error.upload.offset_conflict");
        assert(offset > at && offset <= end, `${at} < ${offset} <= ${end}`);
        upload.acknowledged = offset;
      } else {
        await expectEmpty(answer, 204);
        assert.equal(answer.headers.get("upload-offset"), String(end));
        upload.acknowledged = end;
      }
      if (this.#below(4) === 0) await this.#expectOffset(upload);
    }
  }

  /** Begins an upload and lets it lie, cancels it, or never applies it. */
  async #leave(): Promise<void> {
    const bytes = ciphertext(this.#name("left"), 1_000 + this.#below(60_000));
    const over = { fileId: uuidOf(this.#name("pending")) };
    if (this.#below(3) === 0) {
      this.lying.push(await this.#upload(bytes, over));
      return;
    }
    const upload = await this.#open(bytes, over);
    await this.#send(upload, this.#below(bytes.length));
    if (this.#below(2) === 0) {
      this.lying.push(upload);
      return;
    }
    const { token } = this.person;
    const path = `/v1/upload/${upload.uploadId}`;
    const ended = await this.server.send("DELETE", path, { token });
    // It is gone already where only the answer was lost.
    assert([204, 404].includes(ended.status), await ended.text());
  }

  /** Moves an asset to the trash, or back. */
  async #move(): Promise<void> {
    const asset = this.#below(2) === 0
      ? this.#some("live")
      : this.#some("deleted");
    if (asset === undefined) return;
    const { server, person } = this;
    const isLive = asset.state === "live";
    const answer = isLive
      ? await sendDelete(server, person, asset.assetId)
      : await sendRestore(server, person, asset.assetId);
    const state = isLive ? "deleted" : "live";
    assert.equal((await expectJson(answer, 200)).state, state);
    asset.state = state;
  }

  /** Ends an asset of the trash for good, or all that is there. */
  async #end(): Promise<void> {
    const asset = this.#some("deleted");
    if (asset === undefined) return;
    const { server, person } = this;
    if (this.#below(4) === 0) {
      const { token } = person;
      await expectJson(
        await server.send("DELETE", "/v1/trash", { token }),
        200,
      );
      for (const one of [...this.assets]) {
        if (one.state === "deleted") this.#forget(one);
      }
      return;
    }
    const ended = await sendPurge(server, person, asset.assetId);
    // It is gone already where only the answer was lost.
    assert([204, 404].includes(ended.status), await ended.text());
    this.#forget(asset);
  }

  #forget(asset: Promised): void {
    this.assets.splice(this.assets.indexOf(asset), 1);
    this.ended.push(asset.assetId);
  }

  async #askAgain(): Promise<void> {
    const lying = this.#one(this.lying);
    if (lying === undefined) return;
    await this.#expectOffset(lying);
    if (!lying.finalized) return;
    const { server, person } = this;
    const answer = await finalize(server, person, lying.uploadId);
    this.#note(await expectJson(answer, 200));
  }

  async #read(): Promise<void> {
    const asset = this.#one(this.assets);
    if (asset !== undefined) await this.#expectAsset(asset);
  }

  async #expectOffset(upload: Lying): Promise<void> {
    const head = await headUpload(this.server, this.person, upload.uploadId);
    await expectEmpty(head, 200);
    const told = Number(head.headers.get("upload-offset"));
    assert.equal(told, upload.acknowledged, upload.uploadId);
  }

  async #expectAsset(asset: Promised): Promise<void> {
    const { server, person } = this;
    const { assetId, original, metadata, manifests } = asset;
    const read = await readAsset(server, person, assetId);
    const last = manifests.at(-1);
    assert(last !== undefined);
    assert.deepEqual([read.state, read.chain_head], [
      asset.state,
      hashOf(last),
    ]);
    const blobs = [original, ...manifests];
    if (metadata !== undefined) blobs.push(metadata);
    for (const bytes of blobs) {
      const blob = await readBlob(server, person, assetId, hashOf(bytes));
      assert.equal(blob.status, 200);
      expectBytes(await blob.arrayBuffer(), bytes, `a blob of ${assetId}`);
    }
  }

  /** Keeps a receipt; one that was told before is the very same. */
  #note({ receipt }: Json): void {
    const { receipt_seq: seq, receipt_cbor: body } = receipt;
    assert.equal(this.receipts.get(seq) ?? body, body);
    this.receipts.set(seq, body);
  }

  #name(word: string): string {
    return `${word} ${this.#named++} of ${this.person.address}`;
  }

  #content(word: string): Bytes {
    return this.#below(2) === 0
      ? this.#choose(COMMON)
      : ciphertext(this.#name(word), 100 + this.#below(50_000));
  }

  #some(state: Promised["state"]): Promised | undefined {
    return this.#one(this.assets.filter((asset) => asset.state === state));
  }

  #one<T>(list: readonly T[]): T | undefined {
    return list[this.#below(list.length)];
  }

  #choose<T>(list: readonly T[]): T {
    const chosen = this.#one(list);
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  }

  #below(end: number): number {
    const [a = 0, b = 0, c = 0] = this.#random(3);
    return (a << 16 | b << 8 | c) % Math.max(1, end);
  }
}
