/**
 * Two servers, as two processes: what a member of one may do with an album of
 * the other, and what one reports to the other (protocol/federation.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { until as comesTo } from "../support/until.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import { derivedFileKey } from "../../src/client/documents/file_key.ts";
import {
  type Identity,
  openIdentity,
} from "../../src/client/documents/identity.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import { openAmk, sealAmk } from "../../src/client/documents/roster.ts";
import {
  decryptBytes,
  encryptBytes,
  SALT_BYTES,
} from "../../src/client/stream/stream.ts";
import { classicalKey } from "../../src/crypto/server_keys.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { openKeyRing } from "../../src/store/keys.ts";
import {
  mint,
  provisionAlbum,
  publishRoster,
  readFeed,
  refreshCapability,
} from "../support/albums.ts";
import { makeRequest, seededRandom, type Sender } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import {
  hashOf,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import {
  type RunningServer,
  runProgram,
  serveHere,
  withDataDir,
} from "../support/program.ts";

interface Server extends Sender {
  readonly url: string;
  readonly dataDir: string;
}

async function withTwoServers(
  test: (a: Server, b: Server) => Promise<void>,
): Promise<void> {
  await withDataDir(async (dataDir) => {
    const programs: RunningServer[] = [];
    const start = async (name: string): Promise<Server> => {
      const program = await serveHere({
        STRONGROOM_DATA_DIR: `${dataDir}/${name}`,
        STRONGROOM_FEDERATION: "on",
      });
      programs.push(program);
      return {
        url: program.url,
        dataDir: `${dataDir}/${name}`,
        send: (method, path, sent = {}) =>
          fetch(makeRequest(method, path, sent, program.url)),
      };
    };
    try {
      await test(await start("a"), await start("b"));
    } finally {
      for (const program of programs) await program.stop();
    }
  });
}

const random = seededRandom("two servers");
const AMK = random(32);
const THUMBNAIL_KEY = random(32);
const PHOTO = new TextEncoder().encode("every bit of a photograph ".repeat(99));
const THUMBNAIL = new TextEncoder().encode("a small picture");
const FILE_ID = uuidOf("a photograph");

/** Encrypts as suite 1 says. */
function seal(fileKey: Uint8Array, plaintext: Uint8Array) {
  return encryptBytes({ fileKey }, random(SALT_BYTES), plaintext);
}

async function open(fileKey: Uint8Array, response: Response) {
  assert.equal(response.status, 200);
  return await decryptBytes({ fileKey }, await response.bytes());
}

interface Shared {
  readonly owner: Person;
  readonly albumId: string;
  readonly original: string;
  readonly thumbnail: string;
}

/** An album on a server, with one encrypted photograph and its thumbnail. */
async function shareAlbum(server: Server): Promise<Shared> {
  const owner = await registerWriter(server, "ada");
  const albumId = await provisionAlbum(server, owner, "holidays");
  const fileKey = derivedFileKey(AMK, FILE_ID, nativePrimitives);
  const original = await seal(fileKey, PHOTO);
  const thumbnail = await seal(THUMBNAIL_KEY, THUMBNAIL);
  const manifest = random(500);
  const over = { fileId: FILE_ID, albumId };
  await uploadBlob(server, owner, original, over);
  await uploadBlob(server, owner, thumbnail, { ...over, role: "derivative" });
  await uploadBlob(server, owner, manifest, {
    ...over,
    role: "provenance",
    envelope: { original_blob_hash: hashOf(original) },
  });
  return {
    owner,
    albumId,
    original: hashOf(original),
    thumbnail: hashOf(thumbnail),
  };
}

/** Names a member of the peer on the album's roster, with the album's key. */
async function admit(
  server: Server,
  { owner, albumId }: Shared,
  version: number,
  member: string,
  identity: Identity,
): Promise<Uint8Array> {
  const context = { albumId, amkEpoch: 0, member };
  const wrapped_amk = await sealAmk(
    AMK,
    await identity.sealing.publicKey(),
    context,
    random,
    nativePrimitives,
  );
  await publishRoster(server, owner, albumId, version, [
    { member, role: "viewer", wrapped_amk },
  ]);
  return wrapped_amk;
}

Deno.test("a member of one server reads an album of another until that ends", async () => {
  await withTwoServers(async (a, b) => {
    const shared = await shareAlbum(a);
    const { owner, albumId, original, thumbnail } = shared;
    const bo = await registerWriter(b, "bo");
    const identity = await openIdentity(random(32), nativePrimitives);
    const info = await expectJson(
      await b.send("GET", "/.well-known/service/server-info"),
      200,
    );
    assert.equal(info.server_id, b.url);
    assert.equal(info.federation_url, `${b.url}/v1/federation`);
    const member = `${bo.userId}@${info.server_id}`;
    const wrapped = await admit(a, shared, 1, member, identity);

    const grant = { peer: b.url, member };
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const minted = await expectJson(
      await mint(a, owner, albumId, { ...grant, renewable_until: until }),
      201,
    );
    assert.equal(minted.renewable, true);

    // The client of B reads the feed, the roster, the asset and its blobs.
    const feed = await readFeed(a, minted.token);
    const created = feed.entries.filter((one: { action: string }) =>
      one.action === "create"
    );
    assert.deepEqual(created.map((one: { asset_id: string }) => one.asset_id), [
      FILE_ID,
    ]);
    const path = `/v1/assets/${FILE_ID}`;
    const read = (token: string, rest: string) =>
      a.send("GET", `${path}${rest}`, { token });
    const asset = await expectJson(await read(minted.token, ""), 200);
    assert.equal(asset.blobs.length, 3);
    const amk = await openAmk(
      wrapped,
      identity.sealing.secretKey,
      { albumId, amkEpoch: 0, member },
      nativePrimitives,
    );
    assert(amk !== undefined);
    const fileKey = derivedFileKey(amk, FILE_ID, nativePrimitives);
    assert.deepEqual(
      await open(fileKey, await read(minted.token, `/blobs/${original}`)),
      PHOTO,
    );
    assert.deepEqual(
      await open(
        THUMBNAIL_KEY,
        await read(minted.token, `/blobs/${thumbnail}`),
      ),
      THUMBNAIL,
    );

    // Refreshed, the successor reads as well.
    const refreshed = await expectJson(
      await refreshCapability(a, minted.token),
      200,
    );
    assert.equal(refreshed.not_after, minted.not_after);
    await expectJson(await read(refreshed.token, ""), 200);

    // Off the roster it is refused at once; back on it, it is good again.
    await publishRoster(a, owner, albumId, 2, []);
    await expectProblem(
      await read(refreshed.token, ""),
      "error.federation.capability_invalid",
    );
    await expectProblem(
      await refreshCapability(a, refreshed.token),
      "error.album.member_not_on_roster",
    );
    await admit(a, shared, 3, member, identity);
    await expectJson(await read(refreshed.token, ""), 200);

    // Revoked, the whole grant ends and is listed.
    await expectEmpty(
      await a.send(
        "DELETE",
        `/v1/albums/${albumId}/capabilities/${minted.jti}`,
        { token: owner.token },
      ),
      204,
    );
    await expectProblem(
      await read(refreshed.token, ""),
      "error.federation.capability_invalid",
    );
    const list = await expectJson(
      await a.send("GET", "/.well-known/service/revoked-jti"),
      200,
    );
    assert.deepEqual(
      list.revoked.map((one: { jti: string }) => one.jti).toSorted(),
      [minted.jti, refreshed.jti].toSorted(),
    );

    // Another one is for derivatives alone, and one like it ends by itself.
    const derivatives = { ...grant, scope: "read-derivative-only" };
    const narrow = await expectJson(
      await mint(a, owner, albumId, derivatives),
      201,
    );
    const blob = await read(narrow.token, `/blobs/${thumbnail}`);
    assert.equal(blob.status, 200);
    await blob.body?.cancel();
    await expectProblem(
      await read(narrow.token, `/blobs/${original}`),
      "error.asset.not_found",
    );
    const brief = await expectJson(
      await mint(a, owner, albumId, {
        ...derivatives,
        renewable_until: new Date(Date.now() + 2_500).toISOString(),
      }),
      201,
    );
    const asked = () => read(brief.token, `/blobs/${thumbnail}`);
    await comesTo(async () => {
      const answer = await asked();
      await answer.body?.cancel();
      return answer.status;
    }, (status) => status !== 200);
    await expectProblem(await asked(), "error.federation.capability_invalid");
  });
});

/** A report by one server about an account of another, signed by its key. */
async function signedReport(by: Server, userId: string) {
  const [stored] = await openKeyRing(
    denoFiles,
    `${by.dataDir}/keys`,
    "access",
    { now: 0, random },
  );
  assert(stored !== undefined);
  const { signingKey } = await classicalKey(stored.seed);
  const report = {
    reporting_server: by.url,
    reported_user: userId,
    asset_hash: hashOf("an unlawful picture"),
    album_id: uuidOf("album holidays"),
    reason: "unlawful",
    reported_at: "2026-11-21T12:00:00Z",
  };
  const signature = await crypto.subtle.sign(
    "Ed25519",
    signingKey,
    encodeCanonical(report),
  );
  return { ...report, signature: toBase64(new Uint8Array(signature)) };
}

Deno.test("an operator reports an account of another server, once that has pinned this one", async () => {
  await withTwoServers(async (a, b) => {
    const reported = await registerWriter(a, "ada");
    const send = () =>
      runProgram([
        ...["report", "send", "--to", a.url, "--user", reported.userId],
        ...["--album", uuidOf("album holidays"), "--reason", "unlawful"],
        ...["--asset-hash", hashOf("an unlawful picture")],
      ], { STRONGROOM_DATA_DIR: b.dataDir });
    const refused = await send();
    assert.equal(refused.status, 1);
    const pin = /peer pin (\S+) (\S+)/.exec(refused.stderr);
    assert.equal(pin?.[1], b.url);
    const inA = { STRONGROOM_DATA_DIR: a.dataDir };
    const pinned = await runProgram(
      ["peer", "pin", b.url, pin?.[2] ?? ""],
      inA,
    );
    assert.equal(pinned.status, 0, pinned.stderr);
    const sent = await send();
    assert.equal(sent.status, 0, sent.stderr);
    const id = /report (\S+)/.exec(sent.stdout)?.[1] ?? "";
    const shown = await runProgram(["report", "show", id], inA);
    assert.match(shown.stdout, /reason: "unlawful"/);
    assert.match(shown.stdout, new RegExp(`from "${b.url}"`));
  });
});

Deno.test("what another server says of a report reaches the terminal without control characters, and a redirect is not followed", async () => {
  await withTwoServers(async (a, b) => {
    const asked: string[] = [];
    const problem = {
      type: "about:blank",
      status: 400,
      code: "error.request.invalid",
      title: "no",
      detail: "\u001b[2Jfine",
    };
    let answer = () =>
      Response.json(problem, {
        status: 400,
        headers: { "Content-Type": "application/problem+json" },
      });
    const hostile = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => {
        asked.push(new URL(request.url).pathname);
        return answer();
      },
    );
    try {
      const { port } = hostile.addr;
      const send = () =>
        runProgram([
          ...["report", "send", "--to", `http://127.0.0.1:${port}`],
          ...["--user", uuidOf("ada"), "--album", uuidOf("album holidays")],
          ...["--asset-hash", hashOf("an unlawful picture")],
        ], { STRONGROOM_DATA_DIR: b.dataDir });
      const refused = await send();
      assert.equal(refused.status, 1);
      assert.match(refused.stderr, /refused it/);
      assert.equal(refused.stderr.includes("\u001b"), false);
      answer = () =>
        new Response(null, {
          status: 307,
          headers: { Location: `${a.url}/v1/federation/reports` },
        });
      const redirected = await send();
      assert.equal(redirected.status, 1);
      assert.match(redirected.stderr, /does not answer/);
      assert.equal(asked.length, 2);
    } finally {
      await hostile.shutdown();
    }
  });
});

Deno.test("a server takes the reports of a peer once its operator has pinned it", async () => {
  await withTwoServers(async (a, b) => {
    const reported = await registerWriter(a, "ada");
    const report = await signedReport(b, reported.userId);
    const file = () =>
      a.send("POST", "/v1/federation/reports", { json: report });
    await expectProblem(await file(), "error.federation.peer_unknown");
    const { signing_key } = await expectJson(
      await b.send("GET", "/.well-known/service/server-info"),
      200,
    );
    const pinned = await runProgram(
      ["peer", "pin", b.url, signing_key],
      { STRONGROOM_DATA_DIR: a.dataDir },
    );
    assert.equal(pinned.status, 0, pinned.stderr);
    const filed = await expectJson(await file(), 202);
    assert.match(filed.report_id, /^[0-9a-f-]{36}$/);
    // It changes no standing.
    await expectJson(
      await a.send("POST", "/v1/albums", {
        token: reported.token,
        json: { album_id: uuidOf("another album") },
      }),
      201,
    );
  });
});
