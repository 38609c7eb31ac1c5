/**
 * What the tests of the API share in addition to their people: links,
 * manifests, broken bodies, and the comparison of answers.
 *
 * @module
 */
import assert from "node:assert/strict";
import { suspendAccount } from "../../src/features/moderation/operator.ts";
import {
  type Sender,
  type TestApp,
  type TestSettings,
  withTestApp,
} from "./app.ts";
import { expectJson, type Json } from "./expect.ts";
import {
  createUpload,
  hashOf,
  type Person,
  putBytes,
  registerWriter,
} from "./people.ts";

/** An opaque id that is the same in every run, from a word. */
export function opaqueId(word: string): string {
  return hashOf(`link ${word}`).slice(0, 32);
}

/** An issue-share body; its metadata is the first blob that it serves. */
export function shareRequest(
  word: string,
  serves: readonly string[],
  over: Json = {},
): Json {
  return {
    opaque_id: opaqueId(word),
    metadata_hash: serves[0],
    serves,
    ...over,
  };
}

/** Issues a share link; returns its opaque id. */
export async function issueShare(
  app: Sender,
  person: Person,
  word: string,
  serves: readonly string[],
  over: Json = {},
): Promise<string> {
  const issued = await expectJson(
    await app.send("POST", "/v1/shares", {
      token: person.token,
      json: shareRequest(word, serves, over),
    }),
    201,
  );
  return issued.opaque_id;
}

/** Everything of an answer that a caller can see, Date apart. */
export async function visible(response: Response): Promise<{
  status: number;
  headers: Record<string, string>;
  body: string;
}> {
  return {
    status: response.status,
    headers: Object.fromEntries(
      [...response.headers].filter(([name]) => name !== "date"),
    ),
    body: new TextDecoder("latin1").decode(await response.arrayBuffer()),
  };
}

/** Expects answers that differ in nothing; returns the one answer's body. */
export async function expectSameAnswers(
  answers: Readonly<Record<string, Response>>,
): Promise<string> {
  const [first, ...others] = Object.entries(answers);
  if (first === undefined) throw new Error("nothing to compare");
  const expected = await visible(first[1]);
  for (const [name, response] of others) {
    assert.deepEqual(
      await visible(response),
      expected,
      `${name} answers differently from ${first[0]}`,
    );
  }
  return expected.body;
}

/** Expects that nothing so far was an error of the server's own. */
export function expectNoErrors(app: TestApp): void {
  assert.deepEqual(app.logged.filter(({ level }) => level === "error"), []);
}

/** Suspends an account, as the operator would. */
export async function suspend(app: TestApp, person: Person): Promise<void> {
  await suspendAccount(app.app.db, person.userId, { now: app.clock.now });
}

/** A body that arrives in pieces, without a Content-Length. */
export function pieces(
  ...chunks: readonly Uint8Array<ArrayBuffer>[]
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(chunks);
}

/** A body whose connection breaks after the given bytes. */
export function broken(
  ...chunks: readonly Uint8Array<ArrayBuffer>[]
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const left = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.error(new Error("connection lost"));
      else controller.enqueue(next);
    },
  });
}

/** Expects exactly these bytes, without printing thousands of differences. */
export function expectBytes(
  actual: Uint8Array | ArrayBuffer,
  expected: Uint8Array,
  what = "bytes",
): void {
  const bytes = new Uint8Array(actual);
  assert.equal(bytes.length, expected.length, `${what}: length`);
  assert.equal(hashOf(bytes), hashOf(expected), `${what}: SHA-256`);
}

/** What a manifest says of the asset that it is applied to. */
export interface ManifestOver {
  readonly action?: "create" | "replace";
  readonly original?: Uint8Array;
  readonly metadata?: Uint8Array;
  /** SHA-256 of the manifest that this one continues. */
  readonly prior?: string | null;
  readonly albumId?: string;
  readonly envelope?: Json;
}

/** Uploads a manifest, which applies it; returns the answer of the PUT. */
export async function sendManifest(
  app: Sender,
  person: Person,
  assetId: string,
  manifest: Uint8Array<ArrayBuffer>,
  over: ManifestOver = {},
): Promise<Response> {
  const named = (name: string, bytes: Uint8Array | undefined) =>
    bytes === undefined ? {} : { [name]: hashOf(bytes) };
  const { upload_id } = await createUpload(app, person, manifest, {
    role: "provenance",
    fileId: assetId,
    ...(over.albumId === undefined ? {} : { albumId: over.albumId }),
    envelope: {
      action: over.action ?? "create",
      ...named("original_blob_hash", over.original),
      ...named("metadata_blob_hash", over.metadata),
      ...(over.prior === undefined
        ? {}
        : { prior_provenance_hash: over.prior }),
      ...over.envelope,
    },
  });
  return await putBytes(app, person, upload_id, manifest);
}

/** The asset as its owner reads it. */
export async function readAsset(
  app: Sender,
  person: Person,
  assetId: string,
): Promise<Json> {
  return await expectJson(
    await app.send("GET", `/v1/assets/${assetId}`, { token: person.token }),
    200,
  );
}

/** A blob of an asset. */
export function readBlob(
  app: Sender,
  person: Person,
  assetId: string,
  hash: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Response> {
  return app.send(method, `/v1/assets/${assetId}/blobs/${hash}`, {
    token: person.token,
    headers,
  });
}

/** An access token of now, for a story in which time has passed. */
export async function refreshed(app: Sender, person: Person): Promise<Person> {
  const { access_token } = await expectJson(
    await app.send("POST", "/v1/auth/refresh", {
      json: { session_token: person.sessionToken },
    }),
    200,
  );
  return { ...person, token: access_token };
}

/** Runs a test after which the log holds no error of the server's own. */
export async function withFaultlessApp(
  test: (app: TestApp) => Promise<void>,
  options: TestSettings = {},
): Promise<void> {
  await withTestApp(async (app) => {
    await test(app);
    expectNoErrors(app);
  }, options);
}

/** Runs a test of Ada, who may write, like {@link withFaultlessApp}. */
export async function withAda(
  test: (app: TestApp, ada: Person) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withFaultlessApp(async (app) => {
    await test(app, await registerWriter(app, "ada"));
  }, { settings });
}

/** Reads a viewer path, `/s/` apart, as anybody may. */
export function viewShare(
  app: Sender,
  path: string,
  from?: string,
): Promise<Response> {
  return app.send("GET", `/s/${path}`, {
    protocol: null,
    ...(from === undefined ? {} : { from }),
  });
}

/** Expects that a person reads blobs of an asset, byte for byte. */
export async function expectReadable(
  app: TestApp,
  person: Person,
  assetId: string,
  ...blobs: readonly Uint8Array[]
): Promise<void> {
  for (const bytes of blobs) {
    const read = await readBlob(app, person, assetId, hashOf(bytes));
    assert.equal(read.status, 200);
    expectBytes(await read.arrayBuffer(), bytes);
  }
}
