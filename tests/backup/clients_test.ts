/**
 * What clients see after an older backup was restored: they read the feed from
 * its start, notice what is lost, and upload it again.
 *
 * @module
 */
import assert from "node:assert/strict";
import { readReceipt, receiptHash } from "../../src/crypto/receipt.ts";
import {
  verifyReceipt,
  verifyReceiptChain,
} from "../../src/crypto/receipt_chain.ts";
import { runProgram } from "../support/program.ts";
import {
  mint,
  provisionAlbum,
  publishRoster,
  readFeed,
} from "../support/albums.ts";
import {
  backUp,
  faultsOf,
  placesIn,
  publishedBy,
  receiptsOf,
  restore,
  type Running,
  signIn,
  withRoom,
  withServer,
} from "../support/backups.ts";
import { MEMBER, PEER } from "../support/capabilities.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import {
  createGuestUpload,
  issueLink,
  patchGuest,
  viewLink,
} from "../support/guests.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  patchBytes,
  type Person,
  registerPerson,
  registerWriter,
  uploadBlob,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { hashesOf, verifyOne } from "../support/storage.ts";
import { issueShare, viewShare } from "../support/api.ts";
import { headUpload } from "../support/uploads.ts";

const DAY_MS = 24 * 3_600_000;
const GAP = 1_000_000;
/** A restore moves receipts on by less than this beyond the gap. */
const FURTHER = 2 ** 40;

/** A restore's floor lies a gap and a random way above the number before. */
function expectMovedOn(floor: number, from: number): void {
  const further = floor - from - GAP;
  assert(further >= 0 && further < FURTHER, `${floor} after ${from}`);
}

function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

async function expectSignedOut(server: Running, person: Person) {
  await expectProblem(
    await server.send("GET", "/v1/auth/profile", { token: person.token }),
    "error.auth.token_invalid",
  );
  const refresh = await server.send("POST", "/v1/auth/refresh", {
    json: { session_token: person.sessionToken },
  });
  assert.equal(refresh.status, 401);
}

Deno.test("after an older backup nothing is wrongly believed stored, and what a client still has is uploaded again", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    const world = await withServer(data, async (server) => {
      const ada = await registerWriter(server, "ada");
      const kept = await createAsset(server, ada, "kept");
      const open = await createUpload(server, ada, ciphertext("open", 90), {
        fileId: uuidOf("open"),
      });
      const feed = await readFeed(server, ada.token);
      await backUp(data, backup);
      // What follows is lost, and with it an account and its session.
      const lost = await createAsset(server, ada, "lost");
      const late = await registerPerson(server, "late");
      const receipts = await receiptsOf(data);
      return { ada, kept, lost, late, open, feed, receipts };
    });
    const { ada, kept, lost, late, feed } = world;
    const answer = await restore(backup, restored);
    assert.equal(answer.sessions_closed, 1);
    assert.equal(answer.uploads_dropped, 1);

    await withServer(restored, async (server) => {
      for (const person of [ada, late]) await expectSignedOut(server, person);
      const again = await signIn(server, ada);
      const anew = await readFeed(server, again.token);
      assert.notEqual(anew.feed_epoch, feed.feed_epoch);
      assert.deepEqual(anew.entries, feed.entries);

      const whole = await verifyOne(server, again, kept.assetId, [
        ...hashesOf(kept),
      ], { deep: true });
      assert.equal(whole.durable, true);
      const verdict = await verifyOne(
        server,
        again,
        lost.assetId,
        hashesOf(lost),
      );
      assert.equal(verdict.durable, false);
      for (const { stored, indexed, retrievable } of verdict.blobs) {
        assert.deepEqual([stored, indexed, retrievable], [false, false, false]);
      }
      await expectProblem(
        await server.send("GET", `/v1/assets/${lost.assetId}`, {
          token: again.token,
        }),
        "error.asset.not_found",
      );
      // An open session is gone with its bytes, rather than half believed.
      assert.equal(
        (await headUpload(server, again, world.open.upload_id)).status,
        404,
      );
      const repeated = await createAsset(server, again, "lost");
      const after = await verifyOne(
        server,
        again,
        lost.assetId,
        hashesOf(lost),
        { deep: true },
      );
      assert.equal(after.durable, true);
      const { receipt_seq } = repeated.applied.receipt;
      assert.equal(receipt_seq, answer.receipts_above + 3);
      expectMovedOn(answer.receipts_above, answer.receipts);
    });
    assert.deepEqual(await faultsOf(restored), []);
    await expectNoContradiction(restored, world.receipts);
  });
});

/** The restored server's receipts next to those of the one that was lost. */
async function expectNoContradiction(
  restored: string,
  lost: readonly Uint8Array<ArrayBuffer>[],
): Promise<void> {
  await withServer(restored, async (server) => {
    const published = await publishedBy(server);
    assert.equal(published.keys.length, 2);
    const chain = await receiptsOf(restored);
    const verdict = await verifyReceiptChain(chain, published);
    assert(verdict.ok && verdict.count === chain.length);
    const known = new Map(
      chain.map((body) => [readReceipt(body).receipt_seq, body]),
    );
    let onlyLost = 0;
    for (const body of lost) {
      // A promise of the old server is its successor's still to be held to.
      assert((await verifyReceipt(body, published)).ok);
      const same = known.get(readReceipt(body).receipt_seq);
      if (same === undefined) onlyLost += 1;
      else assert.deepEqual(receiptHash(same), receiptHash(body));
    }
    assert.equal(onlyLost, 3);
    const keys = new Set(
      chain.map((body) => readReceipt(body).server_key_id),
    );
    assert.deepEqual([...keys], published.keys.map(({ keyId }) => keyId));
  });
}

Deno.test("a backup of a restored server, restored again, moves receipts on from where it was", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    await withServer(data, async (server) => {
      const ada = await registerWriter(server, "ada");
      await uploadBlob(server, ada, ciphertext("one", 10));
      await backUp(data, backup);
    });
    const first = await restore(backup, restored);
    expectMovedOn(first.receipts_above, 1);
    // No server ran: no receipt of the gap, which may be given out elsewhere.
    const again = await backUp(restored, backup);
    assert.equal(again.kept, 1);
    const second = await restore(backup, `${room}/again`);
    expectMovedOn(second.receipts_above, first.receipts_above);
    assert.equal(second.receipts, 1);
    assert.deepEqual(await faultsOf(`${room}/again`), []);
  });
});

Deno.test("two restores of one backup give out no receipt of the same number", async () => {
  await withRoom(async (room) => {
    const { data, backup } = placesIn(room);
    const ada = await withServer(data, async (server) => {
      const ada = await registerWriter(server, "ada");
      await uploadBlob(server, ada, ciphertext("one", 10));
      await backUp(data, backup);
      return ada;
    });
    const chains: number[][] = [];
    for (const place of [`${room}/first`, `${room}/second`]) {
      const { receipts_above: floor } = await restore(backup, place);
      await withServer(place, async (server) => {
        const again = await signIn(server, ada);
        for (const word of ["two", "three"]) {
          await uploadBlob(server, again, ciphertext(word, 10), {
            fileId: uuidOf(word),
          });
        }
        const published = await publishedBy(server);
        const chain = await receiptsOf(place);
        assert((await verifyReceiptChain(chain, published)).ok);
        const numbers = chain.map((body) => readReceipt(body).receipt_seq);
        assert.deepEqual(numbers, [1, floor + 1, floor + 2]);
        chains.push(numbers.slice(1));
      });
      assert.deepEqual(await faultsOf(place), []);
    }
    assert.equal(new Set(chains.flat()).size, 4);
  });
});

/** An account with everything that a restore may bring back to life. */
async function makeAccess(server: Running) {
  const ada = await registerWriter(server, "ada");
  const asset = await createAsset(server, ada, "shared");
  const hashes = hashesOf(asset);
  const share = await issueShare(server, ada, "share", hashes);
  const revoked = await issueShare(server, ada, "revoked", hashes);
  const link = await issueLink(server, ada, "link", {
    expires_at: inDays(30),
    max_files: 2,
    max_bytes: 1_000,
  });
  const bytes = ciphertext("a guest's", 600);
  const { upload_id } = await createGuestUpload(server, link, bytes);
  await expectEmpty(
    await patchGuest(server, link, upload_id, 0, bytes.slice(0, 99)),
    204,
  );
  const album = await provisionAlbum(server, ada, "album");
  await publishRoster(server, ada, album, 1, [{ member: MEMBER }]);
  const grant = await expectJson(
    await mint(server, ada, album, { peer: PEER, member: MEMBER }),
    201,
  );
  const half = ciphertext("half", 70);
  const { upload_id: open } = await createUpload(server, ada, half, {
    fileId: uuidOf("half"),
  });
  await patchBytes(server, ada, open, 0, half.slice(0, 5));
  return { ada, asset, share, revoked, link, grant };
}

const FEDERATED = { STRONGROOM_FEDERATION: "on" };

function revokeShare(server: Running, person: Person, id: string) {
  return server.send("DELETE", `/v1/shares/${id}`, { token: person.token });
}

Deno.test("links that live again are named, sessions and grants are closed, and a link's room is free again", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    const made = await withServer(data, async (server) => {
      const access = await makeAccess(server);
      await backUp(data, backup);
      // Revoked after the backup: it does not know.
      await revokeShare(server, access.ada, access.revoked);
      return access;
    }, FEDERATED);
    const answer = await restore(backup, restored);
    assert.deepEqual(
      answer.share_links.map((one: { opaque_id: string }) => one.opaque_id),
      [made.share, made.revoked],
    );
    assert.equal(answer.share_links[0].user_id, made.ada.userId);
    assert.deepEqual(
      answer.upload_links.map((one: { opaque_id: string }) => one.opaque_id),
      [made.link],
    );
    assert.equal(answer.grants_revoked, 1);
    assert.equal(answer.uploads_dropped, 2);
    assert.deepEqual(await faultsOf(restored), []);
    await withServer(restored, async (server) => {
      for (const id of [made.share, made.revoked]) {
        assert.equal((await viewShare(server, id)).status, 200);
      }
      const { max_bytes_left, files_left } = await viewLink(server, made.link);
      assert.deepEqual([max_bytes_left, files_left], [1_000, 2]);
      await expectProblem(
        await server.send("GET", "/v1/sync", { token: made.grant.token }),
        "error.federation.capability_invalid",
      );
      // Peers hear of it.
      const record = await expectJson(
        await server.send("GET", "/.well-known/service/revoked-jti", {
          protocol: null,
        }),
        200,
      );
      assert.deepEqual(
        record.revoked.map(({ jti }: { jti: string }) => jti),
        [made.grant.jti],
      );
    }, FEDERATED);
  });
});

Deno.test("--keep-sessions keeps sessions and grants, --revoke-shares revokes every link", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    const made = await withServer(data, async (server) => {
      const access = await makeAccess(server);
      await backUp(data, backup);
      return access;
    }, FEDERATED);
    const ended = await runProgram([
      ...["restore", backup, "--data-dir", restored],
      ...["--keep-sessions", "--revoke-shares"],
    ]);
    assert.equal(ended.status, 0, ended.stderr);
    assert.match(ended.stdout, /are open as they were then/);
    assert.match(ended.stdout, /^2 share links revoked$/m);
    assert.match(ended.stdout, /^1 upload link revoked$/m);
    assert(!ended.stdout.includes(made.share));
    await withServer(restored, async (server) => {
      await expectJson(
        await server.send("GET", "/v1/auth/profile", { token: made.ada.token }),
        200,
      );
      await expectJson(
        await server.send("GET", "/v1/sync", { token: made.grant.token }),
        200,
      );
      for (const id of [made.share, made.revoked]) {
        assert.equal((await viewShare(server, id)).status, 404);
      }
      const view = await server.send("GET", `/u/${made.link}`, {
        protocol: null,
      });
      assert.equal(view.status, 404);
      await expectJson(
        await server.send("POST", "/v1/upload", {
          token: made.ada.token,
          json: uploadRequest(made.ada, ciphertext("more", 10), {
            fileId: uuidOf("more"),
          }),
        }),
        201,
      );
    }, FEDERATED);
    assert.deepEqual(await faultsOf(restored), []);
  });
});
