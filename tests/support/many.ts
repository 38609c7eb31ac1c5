/**
 * Many assets, and many blobs, in one request.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Sender } from "./app.ts";
import { expectJson, type Json } from "./expect.ts";
import { hashOf } from "./people.ts";

/** POSTs a query for assets. */
export function sendQuery(
  app: Sender,
  token: string,
  assetIds: readonly string[],
  over: Json = {},
): Promise<Response> {
  return app.send("POST", "/v1/assets/query", {
    token,
    json: { asset_ids: assetIds, ...over },
  });
}

/** The assets of its answer. */
export async function queryAssets(
  app: Sender,
  token: string,
  assetIds: readonly string[],
  over: Json = {},
): Promise<Json[]> {
  const response = await sendQuery(app, token, assetIds, over);
  return (await expectJson(response, 200)).assets;
}

/** A blob, named by the asset that holds it. */
export function named(assetId: string, bytes: Uint8Array): Json {
  return { asset_id: assetId, hash: hashOf(bytes) };
}

/** POSTs for blobs of assets. */
export function sendBlobs(
  app: Sender,
  token: string,
  blobs: readonly Json[],
): Promise<Response> {
  return app.send("POST", "/v1/assets/blobs", { token, json: { blobs } });
}

/** POSTs for blobs of a share link. */
export function sendSharedBlobs(
  app: Sender,
  link: string,
  blobs: readonly Uint8Array[],
  from?: string,
): Promise<Response> {
  return app.send("POST", `/s/${link}/blobs`, {
    protocol: null,
    json: { hashes: blobs.map(hashOf) },
    ...(from === undefined ? {} : { from }),
  });
}

/** One of the parts of an answer: its blob's bytes, or why there are none. */
type Part = Uint8Array | "unreadable" | "left";

/** Reads an answer of many blobs to its last byte. */
export async function readParts(response: Response): Promise<Part[]> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.equal(response.status, 200, new TextDecoder().decode(bytes));
  assert.equal(
    response.headers.get("content-type"),
    "application/octet-stream",
  );
  assert.equal(response.headers.get("content-length"), String(bytes.length));
  assert.equal(response.headers.get("cache-control"), "no-store, no-transform");
  const view = new DataView(bytes.buffer);
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = view.getUint32(at);
    at += 4;
    if (length === 0xffff_ffff) {
      parts.push("unreadable");
    } else if (length === 0xffff_fffe) {
      parts.push("left");
    } else {
      assert(at + length <= bytes.length, "a part is cut off");
      parts.push(bytes.subarray(at, at += length));
    }
  }
  return parts;
}

/** Expects these parts, in their order. */
export async function expectParts(
  response: Response,
  expected: readonly Part[],
): Promise<void> {
  const told = (part: Part) =>
    part instanceof Uint8Array ? `${part.length} ${hashOf(part)}` : part;
  const parts = await readParts(response);
  assert.deepEqual(parts.map(told), expected.map(told));
}
