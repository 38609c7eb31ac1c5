/**
 * The client's HTTP half against the real application, over a connection that
 * the test can break.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Account, createClient } from "../../src/client/api/api.ts";
import {
  ApiProblem,
  ConnectionError,
  type Fetch,
  UnexpectedAnswer,
} from "../../src/client/api/transport.ts";
import { sourceOf, uploadBlob } from "../../src/client/api/upload.ts";
import { fromBase64 } from "../../src/core/bytes.ts";
import { MINUTE_MS } from "../../src/core/time.ts";
import { signEnvelope } from "../../src/crypto/envelope.ts";
import { hybridSignerFromSeeds } from "../../src/crypto/hybrid.ts";
import { verifyReceiptChain } from "../../src/crypto/receipt_chain.ts";
import {
  ORIGIN,
  PROTOCOL,
  seededRandom,
  type TestApp,
  withTestApp,
} from "../support/app.ts";
import { ciphertext, hashOf, PASSWORD, uuidOf } from "../support/people.ts";

/**
 * A `fetch` that ends in the application; `intercept` may break what passes.
 */
function fetchInto(
  app: TestApp,
  intercept: (request: Request) => Promise<Response> | undefined = () =>
    undefined,
): { readonly fetch: Fetch; readonly sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const body = init.body instanceof Uint8Array ? init.body.length : null;
      if (body !== null) request.headers.set("Content-Length", String(body));
      sent.push(`${request.method} ${new URL(request.url).pathname}`);
      return await intercept(request) ??
        await app.fetch(request, { clientAddress: "192.0.2.1" });
    },
  };
}

async function registerWriter(
  fetch: Fetch,
  wait?: (ms: number) => Promise<void>,
): Promise<Account> {
  const client = createClient({
    baseUrl: ORIGIN,
    fetch,
    ...(wait === undefined ? {} : { wait }),
  });
  const account = await client.register("ada@example.org", PASSWORD);
  const random = seededRandom("identity");
  const signer = await hybridSignerFromSeeds({
    ed25519: random(32),
    mlDsa65: random(32),
  });
  const directory = await signEnvelope(signer, {
    type: "service-device-directory/v1",
    directory_version: 1,
  });
  const published = await account.publishDirectory(directory, signer.publicKey);
  assert.equal(published.directory_version, 1);
  return account;
}

function requestFor(
  account: Account,
  bytes: Uint8Array,
  role: "original" | "metadata" | "provenance",
  original = bytes,
  metadata = bytes,
) {
  return {
    role,
    hash: hashOf(bytes),
    size: bytes.length,
    envelope: {
      crypto_suite_id: 1,
      protocol_version: PROTOCOL,
      file_id: uuidOf("a file"),
      amk_version: 0,
      ciphertext_hash: hashOf(original),
      original_blob_hash: hashOf(original),
      ...(role === "original" ? {} : { metadata_blob_hash: hashOf(metadata) }),
      plaintext_size: 1,
      chunk_size: 65_536,
      key_mode: "derived" as const,
      created_by_user: account.userId,
      created_by_device: uuidOf("a device"),
      client_version: "test/1",
      timestamp: "2026-11-21T12:00:00Z",
      action: "create" as const,
    },
  };
}

Deno.test("what the client stores and shares comes back, ranges included", async () => {
  await withTestApp(async (app) => {
    const { fetch } = fetchInto(app);
    const account = await registerWriter(fetch);
    const original = ciphertext("original", 5_000);
    const metadata = ciphertext("metadata", 300);
    const manifest = ciphertext("manifest", 900);
    const receipts = [];
    for (
      const [role, bytes] of [
        ["original", original],
        ["metadata", metadata],
        ["provenance", manifest],
      ] as const
    ) {
      const request = requestFor(account, bytes, role, original, metadata);
      const done = await uploadBlob(account, request, sourceOf(bytes));
      assert.equal(done.ciphertext_hash, hashOf(bytes));
      receipts.push(done.receipt);
    }
    const assetId = uuidOf("a file");
    const asset = await account.asset(assetId);
    assert.equal(asset.state, "live");
    assert.equal(asset.chain_head, hashOf(manifest));
    assert.deepEqual(await account.receipts(assetId), receipts);

    const client = createClient({ baseUrl: ORIGIN, fetch });
    const keys = await client.attestationKeys();
    const verdict = await verifyReceiptChain(
      receipts.map((one) => fromBase64(one.receipt_cbor) ?? new Uint8Array()),
      keys,
    );
    assert.deepEqual(verdict.ok && verdict.count, 3);

    const opaqueId = "0123456789abcdef0123456789abcdef";
    await account.issueShare({
      opaqueId,
      metadataHash: hashOf(original),
      serves: [hashOf(original)],
      wrappedSecret: Uint8Array.of(1, 2, 3),
    });
    assert.deepEqual(await client.viewShare(opaqueId), {
      metadata_hash: hashOf(original),
      passphrase_protected: true,
    });
    assert.deepEqual(
      await client.sharedSecret(opaqueId),
      Uint8Array.of(1, 2, 3),
    );
    const whole = await client.sharedBlob(opaqueId, hashOf(original));
    assert.deepEqual(await bytesOf(whole.stream), original);
    const part = await account.blob(assetId, hashOf(original), {
      first: 4_000,
    });
    const { size, first, length } = part;
    assert.deepEqual({ size, first, length }, {
      size: 5_000,
      first: 4_000,
      length: 1_000,
    });
    assert.deepEqual(await bytesOf(part.stream), original.subarray(4_000));

    await account.revokeShare(opaqueId);
    await assert.rejects(
      client.viewShare(opaqueId),
      (error) =>
        error instanceof ApiProblem && error.status === 404 &&
        error.code === "error.share.not_found" &&
        error.body?.status === 404,
    );
  });
});

Deno.test("an upload whose connection breaks goes on from where the server stands", async () => {
  await withTestApp(async (app) => {
    let patches = 0;
    const { fetch, sent } = fetchInto(app, (request) => {
      if (request.method !== "PATCH" || ++patches !== 2) return undefined;
      return halfWay(app, request);
    });
    const account = await registerWriter(fetch);
    const bytes = ciphertext("large", 10_000);
    const held: number[] = [];
    const done = await uploadBlob(
      account,
      requestFor(account, bytes, "original"),
      sourceOf(bytes),
      { pieceBytes: 4_000, onProgress: (offset) => held.push(offset) },
    );
    assert.equal(done.size, 10_000);
    // The second piece broke after 1,000 of its bytes.
    assert.deepEqual(held, [0, 4_000, 5_000, 9_000, 10_000]);
    assert.equal(sent.filter((one) => one.startsWith("HEAD ")).length, 1);
  });
});

Deno.test("an upload that cannot get through ends with the connection's error", async () => {
  await withTestApp(async (app) => {
    const { fetch } = fetchInto(
      app,
      ({ url }) =>
        url.includes("/v1/upload/")
          ? Promise.reject(new TypeError("connection refused"))
          : undefined,
    );
    const pauses: number[] = [];
    const account = await registerWriter(fetch, (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    });
    const bytes = ciphertext("small", 100);
    const request = requestFor(account, bytes, "original");
    await assert.rejects(
      uploadBlob(account, request, sourceOf(bytes)),
      ConnectionError,
    );
    assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000]);
  });
});

Deno.test("an access token that ran out is renewed once for all who wait", async () => {
  await withTestApp(async (app) => {
    const { fetch, sent } = fetchInto(app);
    const account = await registerWriter(fetch);
    const before = account.tokens();
    app.clock.advance(16 * MINUTE_MS);
    const albums = ["one", "two", "three"].map((name) =>
      account.provisionAlbum(uuidOf(name))
    );
    assert((await Promise.all(albums)).every((album) => album.created));
    assert.equal(sent.filter((one) => one.endsWith("/refresh")).length, 1);
    assert.notEqual(account.tokens().access_token, before.access_token);
    assert.equal(account.tokens().session_token, before.session_token);

    const resumed = createClient({ baseUrl: ORIGIN, fetch }).resume(before);
    assert.equal((await resumed.provisionAlbum(uuidOf("one"))).created, false);
    await resumed.logout();
    await assert.rejects(
      account.provisionAlbum(uuidOf("four")),
      (error) =>
        error instanceof ApiProblem &&
        error.code === "error.auth.session_token_invalid",
    );
  });
});

Deno.test("a spent budget is waited out where the client may wait", async () => {
  await withTestApp(async (app) => {
    const { fetch } = fetchInto(app);
    const opaqueId = "00000000000000000000000000000000";
    const hasty = createClient({ baseUrl: ORIGIN, fetch });
    await assert.rejects(
      hasty.viewShare(opaqueId),
      { code: "error.share.not_found" },
    );
    await assert.rejects(
      hasty.viewShare(opaqueId),
      { code: "error.share.rate_limited" },
    );
    const waits: number[] = [];
    const patient = createClient({
      baseUrl: ORIGIN,
      fetch,
      wait: (ms) => {
        waits.push(ms);
        app.clock.advance(ms);
        return Promise.resolve();
      },
    });
    await assert.rejects(
      patient.viewShare(opaqueId),
      { code: "error.share.not_found" },
    );
    assert.deepEqual(waits, [60_000]);
  }, { settings: { STRONGROOM_LIMIT_SHARE_METADATA: "1" } });
});

Deno.test("an answer that the contract does not know is refused", async () => {
  const answering = (body: string, init: ResponseInit) =>
    createClient({
      baseUrl: ORIGIN,
      fetch: () => Promise.resolve(new Response(body, init)),
    });
  const opaqueId = "00000000000000000000000000000000";
  const page = answering("<p>Bad gateway</p>", { status: 502 });
  await assert.rejects(page.viewShare(opaqueId), UnexpectedAnswer);
  const more = answering(
    JSON.stringify({
      metadata_hash: "0".repeat(64),
      passphrase_protected: false,
      owner: "ada",
    }),
    { status: 200 },
  );
  // A newer server says more: that is passed over.
  assert.equal("owner" in await more.viewShare(opaqueId), false);
  // Without the server's headers it is a proxy that refuses the size.
  const proxy = answering("", { status: 413 });
  await assert.rejects(
    proxy.login("ada@example.org", PASSWORD),
    UnexpectedAnswer,
  );
  const large = answering("", {
    status: 413,
    headers: { "X-Service-Protocol-Min": "2026-11-01" },
  });
  await assert.rejects(
    large.login("ada@example.org", PASSWORD),
    { name: "ApiProblem", code: "error.request.too_large", body: undefined },
  );
});

Deno.test("an answer that breaks off is a connection that broke, not an answer", async () => {
  const breaking = createClient({
    baseUrl: ORIGIN,
    fetch: () =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            start: (body) => body.enqueue(new TextEncoder().encode('{"')),
            pull: (body) => body.error(new TypeError("connection reset")),
          }),
          { headers: { "Content-Type": "application/json" } },
        ),
      ),
  });
  const userId = uuidOf("ada");
  const account = breaking.resume({
    user_id: userId,
    session_id: uuidOf("session"),
    session_token: "a",
    session_expires_at: "2026-12-01T00:00:00Z",
    access_token: "b",
    access_token_expires_at: "2026-12-01T00:00:00Z",
    token_type: "Bearer",
  });
  const calls: Record<string, () => Promise<unknown>> = {
    login: () => breaking.login("ada@example.org", PASSWORD),
    appConfig: () => breaking.appConfig(),
    escrow: () => account.escrow(),
    directory: () => account.directory(userId),
    slot: () => account.slot("library"),
    blobs: () => account.blobs([]),
  };
  for (const [name, call] of Object.entries(calls)) {
    await assert.rejects(call(), ConnectionError, name);
  }
});

/** Hands the application a quarter of a body, then loses the connection. */
async function halfWay(app: TestApp, request: Request): Promise<Response> {
  const whole = new Uint8Array(await request.arrayBuffer());
  const headers = new Headers(request.headers);
  headers.delete("Content-Length");
  const broken = new Request(request.url, {
    method: request.method,
    headers,
    body: whole.subarray(0, whole.length / 4),
  });
  await app.fetch(broken, { clientAddress: "192.0.2.1" });
  throw new TypeError("connection reset");
}

async function bytesOf(stream: ReadableStream<Uint8Array>) {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

Deno.test("a newer directory wants the password again, which the library presents", async () => {
  await withTestApp(async (app) => {
    const account = await registerWriter(fetchInto(app).fetch);
    const random = seededRandom("identity");
    const signer = await hybridSignerFromSeeds({
      ed25519: random(32),
      mlDsa65: random(32),
    });
    const newer = await signEnvelope(signer, {
      type: "service-device-directory/v1",
      directory_version: 2,
    });
    const publish = () => account.publishDirectory(newer, signer.publicKey);
    app.clock.advance(5 * 60_000);
    await assert.rejects(
      publish(),
      { code: "error.auth.reauthentication_required" },
    );
    await account.reauthenticate(PASSWORD);
    assert.equal((await publish()).directory_version, 2);
  });
});
