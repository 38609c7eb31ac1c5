/**
 * Many small blobs at once, of assets and of share links
 * (protocol/manifests.md#many-blobs, protocol/links.md#viewing).
 *
 * @module
 */
import assert from "node:assert/strict";
import { provisionAlbum, publishRoster } from "../support/albums.ts";
import type { TestApp } from "../support/app.ts";
import { withSharedAlbum } from "../support/capabilities.ts";
import { expectProblem } from "../support/expect.ts";
import {
  expectParts,
  named,
  readParts,
  sendBlobs,
  sendSharedBlobs,
} from "../support/many.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type Person,
  registerPerson,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import {
  expectSameAnswers,
  issueShare,
  opaqueId,
  suspend,
  viewShare,
  withFaultlessApp,
} from "../support/api.ts";
import { damageBlob } from "../support/storage.ts";
import { DAY, later, mark, trash } from "../support/trash.ts";

const MIB = 1024 * 1024;

/** A derivative of an asset, which attaches as it comes. */
async function derivative(
  app: TestApp,
  person: Person,
  fileId: string,
  name: string,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = ciphertext(name, length);
  await uploadBlob(app, person, bytes, { fileId, role: "derivative" });
  return bytes;
}

Deno.test("each blob comes in the order asked with its length before it, a repeated one again", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const one = await createAsset(app, ada, "one");
    const two = await createAsset(app, ada, "two");
    // Larger than what is read at once.
    const large = await derivative(app, ada, one.assetId, "large", 600_000);
    await expectParts(
      await sendBlobs(app, ada.token, [
        named(two.assetId, two.metadata),
        named(one.assetId, large),
        named(one.assetId, one.manifest),
        named(two.assetId, two.metadata),
      ]),
      [two.metadata, large, one.manifest, two.metadata],
    );
  });
});

Deno.test("what cannot be read is 0xFFFFFFFF in its place", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const mine = await createAsset(app, ada, "mine");
    const foreign = await createAsset(app, bob, "foreign");
    const withheld = await createAsset(app, ada, "withheld");
    const aged = await createAsset(app, ada, "aged");
    await mark(app, withheld.assetId, { withheld_at: app.clock.now });
    await trash(app, ada, aged.assetId);
    ada = await later(app, ada, 30 * DAY);
    const pending = ciphertext("pending", 50);
    await uploadBlob(app, ada, pending, { fileId: mine.assetId });
    await expectParts(
      await sendBlobs(app, ada.token, [
        named(foreign.assetId, foreign.metadata),
        named(withheld.assetId, withheld.metadata),
        named(aged.assetId, aged.metadata),
        named(mine.assetId, pending),
        named(mine.assetId, foreign.metadata),
        named(uuidOf("unknown"), mine.metadata),
        named(mine.assetId, mine.metadata),
      ]),
      [...Array(6).fill("unreadable"), mine.metadata],
    );
  });
});

Deno.test("an answer stops before 8 MiB, the rest is 0xFFFFFFFE and comes when it is asked for again", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, metadata } = await createAsset(app, ada, "photo");
    const half = await derivative(app, ada, assetId, "half", 4 * MIB);
    const other = await derivative(app, ada, assetId, "other", 4 * MIB);
    const whole = await derivative(app, ada, assetId, "whole", 8 * MIB);
    const over = await derivative(app, ada, assetId, "over", 8 * MIB + 1);
    const ask = (...blobs: Uint8Array[]) =>
      sendBlobs(app, ada.token, blobs.map((bytes) => named(assetId, bytes)));
    await expectParts(await ask(half, other), [half, other]);
    const missing = ciphertext("missing", 9);
    await expectParts(
      await ask(half, other, metadata, missing, half),
      [half, other, "left", "left", "left"],
    );
    await expectParts(
      await ask(metadata, missing, half),
      [metadata, "unreadable", half],
    );
    // What fits alone always comes first; what does not is never there.
    await expectParts(
      await ask(...Array(99).fill(over), whole),
      [...Array(99).fill("unreadable"), whole],
    );
    await expectParts(await ask(whole, metadata), [whole, "left"]);
    await expectParts(await ask(metadata, whole), [metadata, "left"]);
  });
});

Deno.test("members read the blobs of an album, those in the trash are their owner's alone", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerPerson(app, "bob");
    const albumId = await provisionAlbum(app, ada, "shared");
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const { assetId, original } = await createAsset(app, ada, "it", {
      albumId,
    });
    const ask = (person: Person) =>
      sendBlobs(app, person.token, [named(assetId, original)]);
    await expectParts(await ask(bob), [original]);
    await trash(app, ada, assetId);
    await expectParts(await ask(bob), ["unreadable"]);
    await expectParts(await ask(ada), [original]);
    await suspend(app, ada);
    await expectParts(await ask(ada), [original]);
  });
});

Deno.test("a capability reads within its album and its scope", async () => {
  await withSharedAlbum(async (shared) => {
    const { app, albumId } = shared;
    const ada = await shared.owner();
    const inside = await createAsset(app, ada, "inside", { albumId });
    const outside = await createAsset(app, ada, "outside");
    const asked = [
      named(inside.assetId, inside.original),
      named(inside.assetId, inside.metadata),
      named(outside.assetId, outside.metadata),
    ];
    const read = await shared.minted({ scope: "read" });
    await expectParts(
      await sendBlobs(app, read.token, asked),
      [inside.original, inside.metadata, "unreadable"],
    );
    const less = await shared.minted({ scope: "read-derivative-only" });
    await expectParts(
      await sendBlobs(app, less.token, asked),
      ["unreadable", inside.metadata, "unreadable"],
    );
  });
});

Deno.test("a blob whose file is lost is not there, and the operator is told", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, metadata, manifest } = await createAsset(app, ada, "it");
    await damageBlob(app, hashOf(metadata), "a truncated file");
    const asked = [named(assetId, metadata), named(assetId, manifest)];
    await expectParts(
      await sendBlobs(app, ada.token, asked),
      ["unreadable", manifest],
    );
    const errors = app.logged.filter(({ level }) => level === "error");
    assert.match(errors.map(({ message }) => message).join(), /is lost/);
    app.logged.length = 0;
  });
});

Deno.test("a client that goes away in the middle does no harm", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "photo");
    const large = await derivative(app, ada, assetId, "large", 2 * MIB);
    const asked = Array(4).fill(named(assetId, large));
    const response = await sendBlobs(app, ada.token, asked);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await expectParts(
      await sendBlobs(app, ada.token, asked),
      Array(4).fill(large),
    );
  });
});

Deno.test("1 to 100 blobs at once", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, metadata } = await createAsset(app, ada, "photo");
    const blob = named(assetId, metadata);
    await expectParts(
      await sendBlobs(app, ada.token, Array(100).fill(blob)),
      Array(100).fill(metadata),
    );
    for (
      const blobs of [[], Array(101).fill(blob), [{ asset_id: assetId }], [{
        ...blob,
        size: 1,
      }]]
    ) {
      const response = await sendBlobs(app, ada.token, blobs);
      await expectProblem(response, "error.request.invalid");
    }
  });
});

Deno.test("an account asks for many blobs 600 times a minute, however many", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const nothing = Array(3).fill(named(uuidOf("x"), ciphertext("x", 1)));
    for (let times = 0; times < 600; times++) {
      const response = await sendBlobs(app, ada.token, nothing);
      assert.equal((await response.arrayBuffer()).byteLength, 12);
    }
    const refused = await sendBlobs(app, ada.token, nothing);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    await expectProblem(refused, "error.account.rate_limited");
  });
});

Deno.test("a link gives what it serves, and 0xFFFFFFFF for all else", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const one = await createAsset(app, ada, "one");
    const two = await createAsset(app, ada, "two");
    const never = ciphertext("never uploaded", 9);
    const link = await issueShare(app, ada, "link", [
      hashOf(one.metadata),
      hashOf(one.original),
      hashOf(two.original),
      hashOf(never),
    ]);
    const asked = [one.original, two.original, two.metadata, never];
    const ask = () => sendSharedBlobs(app, link, asked);
    const none = ["unreadable", "unreadable"] as const;
    await expectParts(await ask(), [one.original, two.original, ...none]);
    await trash(app, ada, two.assetId);
    await expectParts(await ask(), [one.original, "unreadable", ...none]);
    await mark(app, one.assetId, { withheld_at: app.clock.now });
    await expectParts(await ask(), ["unreadable", "unreadable", ...none]);
  });
});

Deno.test("a viewing of many blobs is noted, as that of one is", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { metadata } = await createAsset(app, ada, "one");
    const link = await issueShare(app, ada, "link", [hashOf(metadata)]);
    await readParts(await sendSharedBlobs(app, link, [metadata]));
    const listed = await app.send("GET", "/v1/shares", { token: ada.token });
    const { shares } = await listed.json();
    assert.equal(Date.parse(shares[0].last_viewed_at), app.clock.now);
  });
});

Deno.test("every dead link is one 404, as it is for one blob", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { metadata } = await createAsset(app, ada, "one");
    const serves = [hashOf(metadata)];
    const revoked = await issueShare(app, ada, "revoked", serves);
    await app.send("DELETE", `/v1/shares/${revoked}`, { token: ada.token });
    const expired = await issueShare(app, ada, "expired", serves, {
      expires_at: new Date(app.clock.now + 1_000).toISOString(),
    });
    app.clock.advance(2_000);
    const bob = await registerWriter(app, "bob");
    const suspended = await issueShare(app, bob, "suspended", serves);
    await suspend(app, bob);
    const dead = [revoked, expired, suspended, opaqueId("unknown")];
    const answers: Record<string, Response> = {
      "one blob": await viewShare(app, `${revoked}/blob/${hashOf(metadata)}`),
    };
    for (const link of dead) {
      answers[link] = await sendSharedBlobs(app, link, [metadata]);
    }
    await expectSameAnswers(answers);
    const malformed = await sendSharedBlobs(app, "nothing", [metadata]);
    await expectProblem(malformed, "error.request.malformed");
  });
});

Deno.test("a link is charged by blob, and nothing for what its budget cannot pay", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { metadata } = await createAsset(app, ada, "one");
    const link = await issueShare(app, ada, "link", [hashOf(metadata)]);
    const ask = (count: number, from?: string) =>
      sendSharedBlobs(app, link, Array(count).fill(metadata), from);
    const one = () => viewShare(app, `${link}/blob/${hashOf(metadata)}`);
    // More than a window has is never paid, and costs nothing.
    await expectProblem(await ask(11), "error.share.rate_limited");
    await expectParts(await ask(6), Array(6).fill(metadata));
    const refused = await ask(5);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    await expectProblem(refused, "error.share.rate_limited");
    await expectParts(await ask(3), Array(3).fill(metadata));
    const last = await one();
    assert.equal((await last.arrayBuffer()).byteLength, metadata.length);
    await expectProblem(await one(), "error.share.rate_limited");
    await expectProblem(await ask(1), "error.share.rate_limited");
    await expectParts(await ask(10, "192.0.2.7"), Array(10).fill(metadata));
    // What answers 404 is charged alike, on the one bucket of the address.
    const unknown = (count: number) =>
      sendSharedBlobs(app, opaqueId("x"), Array(count).fill(metadata));
    await expectProblem(await unknown(11), "error.share.rate_limited");
    await expectProblem(await unknown(10), "error.share.not_found");
    await expectProblem(await unknown(1), "error.share.rate_limited");
    app.clock.advance(60_000);
    await expectParts(await ask(10), Array(10).fill(metadata));
  }, { settings: { STRONGROOM_LIMIT_SHARE_BLOB: "10" } });
});

Deno.test("1 to 100 hashes of a link at once", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { metadata } = await createAsset(app, ada, "one");
    const link = await issueShare(app, ada, "link", [hashOf(metadata)]);
    for (const count of [0, 101]) {
      const hashes = Array(count).fill(metadata);
      const response = await sendSharedBlobs(app, link, hashes);
      await expectProblem(response, "error.request.invalid");
    }
  });
});
