/**
 * What a key that was handed out opens: the holder of a link, a member of an
 * album, one who was removed, and a guest, each together with the server. They
 * read what they were given, and plant nothing
 * (protocol/client-cryptography.md#file-key).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Bytes, toBase64, utf8 } from "../../src/core/bytes.ts";
import { portablePrimitives } from "../../src/crypto/primitives.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import {
  derivedFileKey,
  metadataKey,
} from "../../src/client/documents/file_key.ts";
import { encodeMetadata } from "../../src/client/documents/metadata.ts";
import {
  decodeShareIndex,
  parseShareLink,
  type ShareItem,
} from "../../src/client/documents/share.ts";
import { decryptBytes, encryptBytes } from "../../src/client/stream/stream.ts";
import { deriveKey } from "../../src/client/documents/suite.ts";
import {
  type Library,
  openGuestBox,
  openLibrary,
  PHRASE_LABEL,
  plainOf,
  recoverVault,
  type Row,
} from "../../src/library/mod.ts";
import { withTestApp } from "../support/app.ts";
import {
  idOf,
  invite,
  photo,
  seen,
  take,
  withCast,
} from "../support/album_cast.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  platformOn,
  wholeOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";

const SECRET = "not for them";
const PHRASE = "grandmother's apple cake";

/** A blob as the server has it on its disk. */
async function served(owner: Library, id: string, hash: string) {
  const { stream } = await owner.vault.session.account.blob(id, hash);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Every blob of an asset but its original. */
async function small(owner: Library, id: string): Promise<Bytes[]> {
  const asset = await owner.vault.session.account.asset(id);
  const wanted = asset.blobs.filter(({ role }) =>
    role === "metadata" || role === "derivative"
  );
  assert(wanted.length > 0);
  return Promise.all(wanted.map(({ hash }) => served(owner, id, hash)));
}

/** Whether one of the keys, or anything that derives from one, opens a blob. */
async function opens(
  keys: readonly Uint8Array[],
  ids: readonly string[],
  blob: Uint8Array,
): Promise<boolean> {
  const labels = ["service-part-key/v1", "service-album-seal/v1"];
  const salts = ["metadata/0", "derivative/0", "derivative/1", ""];
  const derived = keys.flatMap((key) => [
    key,
    ...ids.flatMap((id) => [metadataKey(key, id), derivedFileKey(key, id)]),
    ...labels.flatMap((label) =>
      salts.map((salt) => deriveKey(portablePrimitives, key, utf8(salt), label))
    ),
  ]);
  for (const fileKey of derived) {
    const plain = await decryptBytes({ fileKey }, blob).catch(() => undefined);
    if (plain !== undefined) return true;
  }
  return false;
}

async function opensNothing(
  owner: Library,
  id: string,
  keys: readonly Uint8Array[],
): Promise<void> {
  assert(keys.length > 0);
  const ids = owner.list().map((row) => row.id);
  for (const blob of await small(owner, id)) {
    assert(!await opens(keys, ids, blob), "a key opens what it was not for");
  }
}

const thumbnail = (name: string) => ({
  kind: "thumbnail",
  mime: "image/jpeg",
  width: 3,
  height: 2,
  bytes: ciphertext(`thumbnail ${name}`, 300),
});

/** A photo in the library, with what its owner keeps private. */
async function keep(library: Library, name: string): Promise<Row> {
  const file = fileOf(name, photo(name));
  const { row } = await library.take({
    ...file,
    about: {
      ...file.about,
      path: "Private/Clinic",
      place: { latitude: 52.5, longitude: 13.4 },
    },
    derivatives: [thumbnail(name)],
  });
  return row;
}

/** What a link gives to its holder. */
async function itemOf(wire: Wire, url: string): Promise<ShareItem> {
  const link = parseShareLink(url);
  assert(link?.secret !== undefined);
  const at = `/s/${link.opaqueId}`;
  const headers = { Accept: "application/json" };
  const view = await (await wire.app.fetch(
    new Request(`${new URL(url).origin}${at}`, { headers }),
    { clientAddress: "192.0.2.1" },
  )).json();
  const answer = await wire.app.fetch(
    new Request(`${new URL(url).origin}${at}/blob/${view.metadata_hash}`),
    { clientAddress: "192.0.2.1" },
  );
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const index = decodeShareIndex(
    await decryptBytes({ fileKey: link.secret }, bytes),
  );
  const [item] = index.items;
  assert(item !== undefined);
  return item;
}

Deno.test("the holder of a link, with the server, reads neither what the library says of the photo nor what is written of it later", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const row = await keep(ada, "a.jpg");
    const { url } = await ada.share({ assetIds: [row.id], places: "kept" });
    const item = await itemOf(wire, url);
    assert(item.thumbnail !== undefined);
    const metadata = row.blobs.find(({ role }) => role === "metadata");
    const keys = [item.key, item.thumbnail.key];
    const before = await served(ada, row.id, metadata?.hash ?? "");
    assert(!await opens(keys, [row.id], before));
    await ada.amend(row.id, {
      about: { caption: SECRET },
      derivatives: [{ ...thumbnail("new"), kind: "preview" }],
    });
    const [after] = ada.list().filter(({ id }) => id === row.id);
    const given = new Set([item.thumbnail.hash]);
    for (const { hash, role } of after?.blobs ?? []) {
      if (role === "original" || given.has(hash)) continue;
      assert(!await opens(keys, [row.id], await served(ada, row.id, hash)));
    }
  });
});

Deno.test("a member of an album, with the server, reads nothing of the owner's own copy of the photo", async () => {
  await withCast(async ({ ada, bob }) => {
    const row = await keep(ada, "a.jpg");
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await ada.copyInto(row.id, id);
    await bob.sync();
    await bob.albums.accept(id).catch(() => {});
    await bob.sync();
    const copy = bob.list().find(({ album }) => album === id);
    assert(copy?.key !== undefined && copy.metadata !== undefined);
    assert.equal(copy.metadata.path, undefined);
    await ada.amend(row.id, {
      about: { caption: SECRET },
      derivatives: [thumbnail("another")],
    });
    const amks = await bob.albums.keysOf(id);
    const keys = [copy.key, ...amks.map(({ amk }) => amk)];
    const shared = new Set(copy.metadata.derivatives.map(({ hash }) => hash));
    const asset = await ada.vault.session.account.asset(row.id);
    const ids = [row.id, copy.id];
    for (const { hash, role } of asset.blobs) {
      if (role !== "metadata" && role !== "derivative") continue;
      if (shared.has(hash)) continue;
      assert(!await opens(keys, ids, await served(ada, row.id, hash)));
    }
  });
});

Deno.test("a removed member, with the server, reads nothing that is written after that, of old photos either", async () => {
  await withCast(async ({ ada, eve }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await take(ada, "before", id);
    await invite(id, ada, "eve", "viewer");
    await seen(eve, id);
    const row = eve.list().find(({ album }) => album === id);
    assert(row !== undefined);
    const kept = (await eve.albums.keysOf(id)).map(({ amk }) => amk);
    const keys = [...kept, ...kept.map((amk) => derivedFileKey(amk, row.id))];
    const old = await small(ada, row.id);
    assert((await Promise.all(old.map((one) => opens(keys, [row.id], one))))
      .every((one) => one));
    await ada.albums.remove(id, idOf(eve));
    await ada.sync();
    await ada.amend(row.id, {
      about: { caption: SECRET },
      derivatives: [thumbnail("later")],
    });
    assert.equal(ada.list().find((one) => one.id === row.id)?.epoch, 1);
    await opensNothing(ada, row.id, keys);
  });
});

Deno.test("a guest, with the server, reads nothing that is written of the file that they sent", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url } = await ada.request({
      expiresAt: "2026-12-01T00:00:00Z",
      maxBytes: 1_000_000,
      maxFiles: 5,
    });
    const drawn: Uint8Array[] = [];
    const base = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
    const box = await openGuestBox({
      ...base,
      random: (length) => {
        const bytes = base.random(length);
        if (length === 32) drawn.push(new Uint8Array(bytes));
        return bytes;
      },
    }, url);
    await box.send({
      source: plainOf(ciphertext("of the guest", 900)),
      about: { name: "gate.jpg", mime: "image/jpeg" },
    });
    await ada.sync();
    const [waiting] = await ada.inbox();
    assert(waiting !== undefined);
    const { row } = await ada.accept(waiting.opaqueId, waiting.uploadId);
    await opensNothing(ada, row.id, drawn);
    await ada.amend(row.id, {
      about: { caption: SECRET },
      derivatives: [thumbnail("gate")],
    });
    await opensNothing(ada, row.id, drawn);
    assert.deepEqual(
      await wholeOf(ada.read(row.id)),
      ciphertext("of the guest", 900),
    );
  });
});

/** Has the server show another original and other metadata of an asset. */
function plant(
  wire: Wire,
  assetId: string,
  planted: { readonly original: Bytes; readonly metadata: Bytes },
): void {
  const blobs = [planted.original, planted.metadata];
  wire.intercept = async (request, pass) => {
    const { pathname } = new URL(request.url);
    for (const bytes of blobs) {
      const hash = sha256Hex(bytes);
      if (!pathname.endsWith(`/blobs/${hash}`)) continue;
      const headers = {
        "Content-Type": "application/octet-stream",
        "Content-Length": String(bytes.length),
        ETag: `"${hash}"`,
      };
      return new Response(bytes, { headers });
    }
    const answer = await pass(request);
    if (!answer.headers.get("content-type")?.includes("json")) return answer;
    const json = await answer.json();
    const assets = [...Array.isArray(json.assets) ? json.assets : [], json];
    for (const one of assets) {
      if (one.asset_id !== assetId || !Array.isArray(one.blobs)) continue;
      const others = one.blobs.filter((blob: { readonly role: string }) =>
        blob.role === "provenance"
      );
      one.blobs = [
        ...(["original", "metadata"] as const).map((role) => {
          const bytes = planted[role];
          return { hash: sha256Hex(bytes), role, size: bytes.length };
        }),
        ...others,
      ];
      if (one.metadata) one.metadata = toBase64(planted.metadata);
    }
    const headers = new Headers(answer.headers);
    headers.delete("content-length");
    return Response.json(json, { status: answer.status, headers });
  };
}

for (const isNew of [true, false]) {
  for (const kind of [undefined, "later-kind"]) {
    const name = `${isNew ? "a new" : "an existing"} device takes no photo ` +
      `from a server and the holder of a link${kind ? ` as a ${kind}` : ""}`;
    Deno.test(name, async () => {
      await withTestApp(async (app) => {
        const wire = wireTo(app);
        const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
        await ada.vault.escrow({ label: PHRASE_LABEL, passphrase: PHRASE });
        const away = wireTo(app);
        const phone = deviceOf(away, "phone");
        const other = async () =>
          await openLibrary(
            await recoverVault(await enter(phone, "ada"), PHRASE),
            phone.store,
          );
        let library: Library | undefined;
        if (!isNew) {
          await keep(ada, "first.jpg");
          library = await other();
          await library.sync();
        }
        const row = await keep(ada, "a.jpg");
        const { url } = await ada.share({ assetIds: [row.id], places: "kept" });
        const item = await itemOf(wire, url);
        assert(item.thumbnail !== undefined);
        const plain = utf8("planted: not what Ada ever took");
        const salt = new Uint8Array(16).fill(5);
        const metadata = encodeMetadata({
          ...(kind === undefined ? {} : { kind }),
          name: "planted.jpg",
          mime: "image/jpeg",
          size: plain.length,
          sha256: sha256Hex(plain),
          derived: true,
          derivatives: [],
        });
        const keys = [
          item.key,
          item.thumbnail.key,
          metadataKey(item.key, row.id),
          deriveKey(
            portablePrimitives,
            item.key,
            utf8("metadata/0"),
            "service-part-key/v1",
          ),
        ];
        for (const fileKey of keys) {
          plant(away, row.id, {
            original: await encryptBytes({ fileKey: item.key }, salt, plain),
            metadata: await encryptBytes({ fileKey }, salt, metadata),
          });
          library ??= await other();
          await library.sync();
          const shown = library.index.get(row.id);
          assert.equal(shown?.metadata, undefined);
          assert(shown?.fault !== undefined);
        }
        // It comes as soon as the server shows what there is.
        away.intercept = undefined;
        app.clock.advance(86_400_000);
        await library?.sync();
        const shown = library?.index.get(row.id);
        assert.equal(shown?.metadata?.name, "a.jpg");
        assert.equal(shown.fault, undefined);
      });
    });
  }
}
