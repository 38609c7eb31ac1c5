/**
 * Lifecycle writes in tests: an album with its people, assets that come to
 * life by an op, and everything that the server holds, to compare.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sql } from "kysely";
import { fromBase64 } from "../../src/core/bytes.ts";
import type { ProblemCode } from "../../src/core/problem.ts";
import {
  parsePublishedKeys,
  verifyReceiptChain,
} from "../../src/crypto/receipt_chain.ts";
import { type OpOver, opRequest, sendOp } from "./albums.ts";
import {
  type Sender,
  type TestApp,
  type TestSettings,
  withTestApp,
} from "./app.ts";
import { type Cast, castAlbum } from "./cast.ts";
import { expectJson, expectProblem, type Json } from "./expect.ts";
import {
  ciphertext,
  hashOf,
  type LiveAsset,
  type Person,
  uploadBlob,
  uuidOf,
} from "./people.ts";
import { expectNoErrors } from "./api.ts";

/** The cast, with the application in which their album is. */
export interface AlbumWorld extends Cast {
  readonly app: TestApp;
}

/** Runs a test over an album; the server must not have failed by itself. */
export async function withAlbum(
  test: (world: AlbumWorld) => Promise<void>,
  options: TestSettings & { readonly protocol?: string } = {},
): Promise<void> {
  await withTestApp(async (app) => {
    await test({ app, ...await castAlbum(app, "world", options.protocol) });
    expectNoErrors(app);
  }, options);
}

/** An album at a server. */
interface AlbumPlace {
  readonly app: Sender;
  readonly albumId: string;
}

/** Uploads an original for an asset of an album; returns its bytes. */
export async function uploadOriginal(
  { app, albumId }: AlbumPlace,
  person: Person,
  assetId: string,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const original = ciphertext(`original ${name}`, 1_000);
  await uploadBlob(app, person, original, { fileId: assetId, albumId });
  return original;
}

/** Creates an asset by an op, its metadata inline. */
export async function createByOp(
  world: AlbumPlace,
  person: Person,
  name: string,
): Promise<LiveAsset & { readonly request: Json }> {
  const { app, albumId } = world;
  const assetId = uuidOf(`asset ${name}`);
  const original = await uploadOriginal(world, person, assetId, name);
  const metadata = ciphertext(`metadata ${name}`, 200);
  const manifest = ciphertext(`manifest ${name}`, 600);
  const request = opRequest(person, albumId, assetId, manifest, {
    original,
    metadata,
  });
  const applied = await expectJson(
    await sendOp(app, person, albumId, request),
    200,
  );
  return { assetId, original, metadata, manifest, applied, request };
}

/** The body of a replace of an asset under a manifest of that name. */
export function replaceRequest(
  person: Person,
  albumId: string,
  { assetId, original, manifest }: LiveAsset,
  name: string,
  over: Partial<OpOver> = {},
): Json {
  return opRequest(person, albumId, assetId, ciphertext(name, 400), {
    action: "replace",
    original,
    prior: hashOf(manifest),
    ...over,
  });
}

export const READY_ASSET = uuidOf("asset");
const READY_MANIFEST = ciphertext("manifest", 700);
const READY_METADATA = ciphertext("metadata", 90);

/** A world in which a create and a replace are about to be sent. */
export interface Ready extends AlbumWorld {
  /** A create that would be applied. */
  readonly create: Json;
  /** A replace that would be applied, with its metadata inline. */
  readonly replace: Json;
  readonly live: LiveAsset;
}

/** An album with a live asset of Ada's and a pending one. */
export async function withReady(
  test: (world: Ready) => Promise<void>,
  protocol?: string,
): Promise<void> {
  await withAlbum(async (world) => {
    const { ada, albumId } = world;
    const original = await uploadOriginal(world, ada, READY_ASSET, "one");
    const given = { original, metadata: READY_METADATA };
    const live = await createByOp(world, ada, "live");
    await test({
      ...world,
      live,
      create: opRequest(ada, albumId, READY_ASSET, READY_MANIFEST, given),
      replace: replaceRequest(ada, albumId, live, "second", {
        metadata: READY_METADATA,
      }),
    });
  }, protocol === undefined ? {} : { protocol });
}

/** The request with other values in its envelope; undefined takes one out. */
export function withEnvelope(request: Json, over: Json): Json {
  return {
    ...request,
    manifest_envelope: { ...request.manifest_envelope, ...over },
  };
}

/**
 * What every authenticated request moves on, whatever it asks for, and every
 * start.
 */
const LEDGERS = ["session", "bucket_claim"];

/** All that the server holds: its tables, row by row, and its files. */
export async function everything(
  app: TestApp,
): Promise<Record<string, string[]>> {
  const { db } = app.app;
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table'
  `.execute(db);
  const held: Record<string, string[]> = {};
  for (const { name } of tables) {
    if (LEDGERS.includes(name)) continue;
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    held[name] = rows.map((row) => JSON.stringify(row, bytesAndNoClock))
      .toSorted();
  }
  for (const directory of ["blobs", "uploads"]) {
    held[directory] = await filesUnder(`${app.dataDir}/${directory}`);
  }
  if (app.objectsDir !== undefined) {
    held.objects = (await filesUnder(app.objectsDir))
      .filter((path) => /\/blobs\//.test(path));
  }
  return held;
}

/** Bytes by their hash; leaves out until when the clock was good. */
function bytesAndNoClock(name: string, value: unknown): unknown {
  if (name === "clock_known_at") return undefined;
  return value instanceof Uint8Array ? hashOf(value) : value;
}

async function filesUnder(path: string): Promise<string[]> {
  const files: string[] = [];
  for await (const entry of Deno.readDir(path)) {
    const inside = `${path}/${entry.name}`;
    if (entry.isDirectory) files.push(...await filesUnder(inside));
    else files.push(`${inside} ${(await Deno.stat(inside)).size}`);
  }
  return files.toSorted();
}

/** Expects a refusal that leaves everything as it was; returns it. */
export async function expectRefused(
  app: TestApp,
  send: () => Promise<Response>,
  code: ProblemCode,
): Promise<Json> {
  const before = await everything(app);
  const refusal = await expectProblem(await send(), code);
  assert.deepEqual(await everything(app), before, code);
  return refusal;
}

/** An asset's receipts. */
export async function receiptsOf(
  app: TestApp,
  person: Person,
  assetId: string,
): Promise<Json[]> {
  const { receipts } = await expectJson(
    await app.send("GET", `/v1/assets/${assetId}/receipts`, {
      token: person.token,
    }),
    200,
  );
  return receipts;
}

/** Expects receipts to be the server's whole custody chain, verified offline. */
export async function expectWholeChain(
  app: TestApp,
  receipts: readonly Json[],
): Promise<void> {
  const keys = await expectJson(
    await app.send("GET", "/.well-known/service/attestation-keys"),
    200,
  );
  const bodies = receipts
    .toSorted((a, b) => a.receipt_seq - b.receipt_seq)
    .map(({ receipt_cbor }) => fromBase64(receipt_cbor) ?? new Uint8Array());
  const verdict = await verifyReceiptChain(bodies, parsePublishedKeys(keys));
  assert(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.count, receipts.length);
}
