/**
 * A server that lies about links: whether they have a passphrase, which version
 * of an index they have, and whose box opens them
 * (protocol/client-cryptography.md#share,
 * protocol/client-cryptography.md#upload-link).
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { createViewer } from "../../src/client/api/links.ts";
import { openGuestBox, plainOf } from "../../src/library/mod.ts";
import { sealingKeyPairFromSeed } from "../../src/client/keys/sealing.ts";
import {
  parseShareLink,
  unlockShare,
} from "../../src/client/documents/share.ts";
import { decryptBytes } from "../../src/client/stream/stream.ts";
import {
  parseUploadLink,
  recipientFingerprint,
  wrapGate,
} from "../../src/client/documents/upload_link.ts";
import { ShareReader } from "../../src/web/share_reader.ts";
import { seededRandom, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  platformOn,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { forgeGuestFile } from "../support/library_sharing.ts";
import { ciphertext } from "../support/people.ts";

const PASSPHRASE = "tell only Bob";
const REQUEST = {
  expiresAt: "2026-12-01T00:00:00Z",
  maxBytes: 1_000_000,
  maxFiles: 5,
};

/** Has the server say of every link that it has a passphrase, or that none has. */
function claim(wire: Wire, isProtected: boolean): void {
  wire.intercept = async (request, pass) => {
    const answer = await pass(request);
    if (!answer.headers.get("content-type")?.includes("json")) return answer;
    const text = (await answer.text()).replaceAll(
      /"passphrase_protected":(?:true|false)/g,
      `"passphrase_protected":${isProtected}`,
    );
    const headers = new Headers(answer.headers);
    headers.delete("content-length");
    return new Response(text, { status: answer.status, headers });
  };
}

function viewerOf(wire: Wire, url: string) {
  const link = parseShareLink(url);
  assert(link?.secret !== undefined);
  const { opaqueId, secret: fragment } = link;
  const calls = createViewer({
    baseUrl: new URL(url).origin,
    fetch: wire.fetch,
    wait: () => Promise.resolve(),
  });
  const reader = new ShareReader(calls, opaqueId);
  /** Opens the link's index, as the page of the link does. */
  const open = async (passphrase?: string, seen = 0) => {
    const { metadata_hash: hash } = await calls.viewShare(opaqueId);
    const of = { opaqueId, fragment };
    const secret = passphrase === undefined
      ? fragment
      : await unlockShare(passphrase, await calls.sharedSecret(opaqueId), of);
    return await reader.readIndex(hash, secret, seen);
  };
  return { calls, open, opaqueId };
}

Deno.test("a link is handed out in the form in which it was made, whatever the server says of its passphrase", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { row } = await ada.take(fileOf("a.jpg", ciphertext("a", 300)));
    const assetIds = [row.id];
    const open = await ada.share({ assetIds });
    const guarded = await ada.share({ assetIds, passphrase: PASSPHRASE });
    const asked = await ada.request({ ...REQUEST, passphrase: PASSPHRASE });
    const before = [open.url, guarded.url].sort();
    for (const isProtected of [true, false]) {
      claim(wire, isProtected);
      const shares = await ada.shares();
      assert.deepEqual(shares.map(({ url }) => url).sort(), before);
      const said = shares.map((one) => [one.url, one.passphrase_protected]);
      assert.deepEqual(Object.fromEntries(said), {
        [open.url]: false,
        [guarded.url]: true,
      });
      const [request] = await ada.requests();
      assert.equal(request?.url, asked.url);
      assert.equal(request.hasPassphrase, true);
      await ada.changeShare(guarded.opaqueId, { title: String(isProtected) });
    }
    wire.intercept = undefined;
    // What was changed meanwhile still wants both, and opens with both.
    const { open: opened } = viewerOf(wire, guarded.url);
    await assert.rejects(opened(), { name: "WrongKey" });
    assert.equal((await opened(PASSPHRASE)).n, 2);
  });
});

Deno.test("a server opens nothing of a link without its fragment, even if it guesses the passphrase", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { row } = await ada.take(fileOf("a.jpg", ciphertext("a", 300)));
    const { url } = await ada.share({
      assetIds: [row.id],
      passphrase: PASSPHRASE,
    });
    const { calls, opaqueId } = viewerOf(wire, url);
    const { metadata_hash: hash } = await calls.viewShare(opaqueId);
    const wrapped = await calls.sharedSecret(opaqueId);
    const body = await calls.sharedBlob(opaqueId, hash, { first: 0 });
    const index = new Uint8Array(
      await new Response(body.stream).arrayBuffer(),
    );
    const random = seededRandom("a server that guesses");
    for (const fragment of [new Uint8Array(32), random(32)]) {
      const of = { opaqueId, fragment };
      const fileKey = await unlockShare(PASSPHRASE, wrapped, of);
      await assert.rejects(decryptBytes({ fileKey }, index), {
        name: "StreamError",
      });
    }
  });
});

Deno.test("a viewer refuses an older index of a link than it saw", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { row } = await ada.take(fileOf("a.jpg", ciphertext("a", 300)));
    const { url, opaqueId } = await ada.share({ assetIds: [row.id] });
    const { open } = viewerOf(wire, url);
    assert.equal((await open()).n, 0);
    await assert.rejects(open(undefined, 1), { name: "OlderIndex" });
    for (const n of [1, 2]) {
      await ada.changeShare(opaqueId, { title: `Version ${n}` });
      assert.equal((await open(undefined, n)).n, n);
    }
  });
});

Deno.test("the owner opens no file that came by a link with a passphrase and was sealed without it", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url, opaqueId } = await ada.request({
      ...REQUEST,
      passphrase: PASSPHRASE,
    });
    const platform = platformOn({ fetch: wire.fetch, now: () => 0 }, "guest");
    const box = await openGuestBox(platform, url, PASSPHRASE);
    await box.send({
      source: plainOf(ciphertext("with.jpg", 900)),
      about: { name: "with.jpg", mime: "image/jpeg" },
    });
    await assert.rejects(openGuestBox(platform, url), /wants its passphrase/);
    claim(wire, false);
    await assert.rejects(
      openGuestBox(platform, url, PASSPHRASE),
      /says that the link has no passphrase/,
    );
    await assert.rejects(openGuestBox(platform, url), /link is not whole/);
    await forgeGuestFile(wire, { opaqueId }, { name: "without.jpg" });
    for (const isProtected of [true, false]) {
      claim(wire, isProtected);
      const waiting = await ada.inbox();
      assert.deepEqual(
        waiting.map(({ file }) => file?.name).sort(),
        ["with.jpg", undefined],
      );
      const [closed] = waiting.filter(({ file }) => file === undefined);
      assert(closed !== undefined);
      await assert.rejects(ada.accept(closed.opaqueId, closed.uploadId), {
        name: "DocumentError",
      });
    }
  });
});

Deno.test("a guest sends nothing to a key of the server's, whatever passphrase its box takes", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url } = await ada.request({ ...REQUEST, passphrase: PASSPHRASE });
    const opaqueId = parseUploadLink(url)?.opaqueId ?? "";
    const evil = sealingKeyPairFromSeed(new Uint8Array(32).fill(66));
    const gate = recipientFingerprint(evil.publicKey);
    const random = seededRandom("evil");
    const box = await wrapGate(PASSPHRASE, { opaqueId, gate }, random);
    wire.intercept = async (request, pass) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/wrapped-secret")) return new Response(box);
      const answer = await pass(request);
      if (pathname !== `/u/${opaqueId}`) return answer;
      const json = await answer.json();
      json.recipient_key = toBase64(evil.publicKey);
      return Response.json(json, { headers: answer.headers });
    };
    const platform = platformOn({ fetch: wire.fetch, now: () => 0 }, "guest");
    await assert.rejects(
      openGuestBox(platform, url, PASSPHRASE),
      /not that of the link's owner/,
    );
  });
});

Deno.test("what a device does not know of an upload link, it does not open", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url, opaqueId } = await ada.request(REQUEST);
    const platform = platformOn({ fetch: wire.fetch, now: () => 0 }, "guest");
    const box = await openGuestBox(platform, url);
    await box.send({
      source: plainOf(ciphertext("a", 900)),
      about: { name: "a.jpg", mime: "image/jpeg" },
    });
    const named = async () => (await ada.inbox()).map(({ file }) => file?.name);
    assert.deepEqual(await named(), ["a.jpg"]);
    await ada.state.change((held) => ({
      ...held,
      links: {
        ...held.links,
        [opaqueId]: { title: "", at: "2027-01-01T00:00:00.000Z" },
      },
    }));
    assert.deepEqual(await named(), [undefined]);
  });
});
