/**
 * Comments and hearts of members who may only look: how they come into the
 * album by its owner's devices, and that no one speaks in a viewer's name.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import {
  type AlbumRemark,
  signAlbumRemark,
} from "../../src/client/documents/album_remark.ts";
import { signEnvelope } from "../../src/crypto/envelope.ts";
import { type HybridBackend, hybridBackend } from "../../src/crypto/hybrid.ts";
import type { Primitives } from "../../src/crypto/primitives.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import { DocumentError } from "../../src/client/documents/fields.ts";
import { buildUploadLink } from "../../src/client/documents/upload_link.ts";
import type { Library } from "../../src/library/mod.ts";
import {
  addRemark,
  remarkRights,
  removeRemarks,
} from "../../src/library/albums/remarks.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import { signDirectory } from "../../src/client/documents/directory.ts";
import { plainOf } from "../../src/library/rows/plaintext_cache.ts";
import { followLinks } from "../../src/library/sharing/following_links.ts";
import { openGuestBox } from "../../src/library/sharing/guest_box.ts";
import { deliver, sayAsGuest } from "../../src/library/sharing/guest_saying.ts";
import { forgetLink, noteLink } from "../../src/library/sharing/link_notes.ts";
import {
  BOUNDS,
  type Bounds,
} from "../../src/library/sharing/taking_remarks.ts";
import {
  leaveAlbum,
  saidOn,
  say,
  takeHeart,
  unsay,
} from "../../src/library/sharing/viewer_saying.ts";
import { ORIGIN, seededRandom } from "../support/app.ts";
import {
  type AlbumCast,
  idOf,
  invite,
  photo,
  take,
  withCast,
} from "../support/album_cast.ts";
import { deviceOf, libraryOn } from "../support/library.ts";
import { forgeGuestFile, secondDevice } from "../support/library_sharing.ts";

/** Bounds that few words reach. */
const FEW: Bounds = { atOnce: 2, unsure: 3, lookedAt: 5 };

interface Cast extends AlbumCast {
  readonly id: string;
  readonly photo: string;
  /** What a device does within a minute. */
  readonly rounds: (...devices: readonly Library[]) => Promise<void>;
  /** The same with bounds that few words reach. */
  readonly fewRounds: Cast["rounds"];
}

/** Ada's album with a photo, Bob, who may add, and Eve, who only looks. */
function withAlbum(test: (cast: Cast) => Promise<void>): Promise<void> {
  return withCast(async (cast) => {
    const { app, ada, bob, eve } = cast;
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await invite(id, ada, "eve", "viewer");
    const photo = (await take(ada, "of ada", id)).row.id;
    const within = (bounds?: Bounds): Cast["rounds"] => async (...devices) => {
      app.clock.advance(30_000);
      for (const device of devices) {
        await device.sync();
        await followLinks(device, bounds);
        await device.sync();
      }
    };
    const [rounds, fewRounds] = [within(), within(FEW)];
    await rounds(ada);
    for (const member of [bob, eve]) {
      await member.sync();
      await member.albums.accept(id);
      await member.sync();
    }
    await test({ ...cast, id, photo, rounds, fewRounds });
  });
}

/** What is said, by whom. */
async function said(library: Library, photo?: string): Promise<string[]> {
  return (await saidOn(library, photo)).map(({ author, kind, text }) =>
    `${author} ${text ?? kind}`
  );
}

/** The address of the album's link for viewers, as a member knows it. */
function linkOf({ albums }: Library, id: string): string {
  const { viewers } = albums.get(id)?.info ?? {};
  assert(viewers !== undefined);
  const { opaque_id: opaqueId, fingerprint, gate } = viewers;
  return buildUploadLink({ origin: ORIGIN, opaqueId, fingerprint, gate });
}

/** Signs something, as a program of one's own can, and returns it in base64. */
async function signedBy(
  { vault: { identity } }: Library,
  remark: AlbumRemark,
): Promise<string> {
  return toBase64(await signAlbumRemark(identity.signer, remark));
}

/** Something that a member could say of Ada's photo. */
function remarkOf(
  author: Library,
  { id, photo }: Pick<Cast, "id" | "photo">,
  more: Partial<AlbumRemark> = {},
): AlbumRemark {
  return {
    album_id: id,
    author: idOf(author),
    id: "0".repeat(32),
    at: "2026-06-01T10:00:00Z",
    on: photo,
    of: author.index.get(photo)?.metadata?.sha256 ?? "",
    ...more,
  };
}

Deno.test("what a viewer says is theirs for every member, once a device of the owner took it in, and for the viewer at once", async () => {
  await withAlbum(async ({ ada, bob, eve, id, photo, rounds }) => {
    assert.equal(remarkRights(eve, photo), "send");
    await assert.rejects(addRemark(eve, photo, "I"), DocumentError);
    await say(eve, photo, " Scho\u0308n! ");
    await say(eve, photo);
    const all = [`${idOf(eve)} Schön!`, `${idOf(eve)} heart`];
    assert.deepEqual((await said(eve, photo)).sort(), all);
    await bob.sync();
    assert.deepEqual(await said(bob), []);
    // It is no waiting file, and its link is not shown.
    assert.deepEqual(await ada.inbox(), []);
    assert.deepEqual(await ada.requests(), []);
    await rounds(ada);
    for (const library of [ada, bob, eve]) {
      await library.sync();
      assert.deepEqual((await said(library, photo)).sort(), all);
      assert.equal([...library.index.rows()].length, 1);
      assert.deepEqual([library.unopened(), library.trashed()], [[], []]);
    }
    const removable = async (library: Library) =>
      (await saidOn(library, photo)).map((one) => one.removable);
    assert.deepEqual(
      [await removable(ada), await removable(bob), await removable(eve)],
      [[true, true], [false, false], [true, true]],
    );
    // The link has its room back.
    const [link] = await ada.vault.session.account.uploadLinks();
    assert.equal(link?.files_used, 0);
    assert.equal(link?.opaque_id, eve.albums.get(id)?.info?.viewers?.opaque_id);
  });
});

Deno.test("what was said is verified once, and is there when a program starts again", async () => {
  await withAlbum(async ({ ada, bob, eve, photo, rounds, reopen }) => {
    await say(eve, photo, "kept");
    await rounds(ada);
    for (const library of [ada, bob]) {
      await library.sync();
      assert.deepEqual(await said(library), [`${idOf(eve)} kept`]);
      const again = await reopen(library);
      const [row] = again.index.apart();
      assert.equal(row?.said?.by, idOf(eve));
      assert.equal(row?.metadata?.signed, undefined);
      assert.deepEqual(await said(again), [`${idOf(eve)} kept`]);
    }
  });
});

Deno.test("a viewer takes back what they said, also from another device, and before it was taken in; the owner deletes it", async () => {
  await withAlbum(async ({ wire, ada, bob, eve, photo, rounds }) => {
    await say(eve, photo, "mine");
    await say(eve, photo, "rude");
    await say(eve, photo);
    await rounds(ada);
    await eve.sync();
    assert.equal((await said(eve)).length, 3);
    const tablet = await secondDevice(wire, eve, "eve");
    const mine = (await saidOn(tablet)).find(({ text }) => text === "mine");
    await unsay(tablet, [mine?.id ?? ""]);
    assert.equal((await said(tablet)).length, 2);
    await takeHeart(eve, photo);
    await say(eve, photo, "at once");
    const waiting = (await saidOn(eve)).find(({ text }) => text === "at once");
    await unsay(eve, [waiting?.id ?? ""]);
    assert(!(await said(eve)).some((one) => /heart|at once/.test(one)));
    await rounds(ada);
    const [rude, ...others] = await saidOn(ada, photo);
    assert.deepEqual([rude?.text, others], ["rude", []]);
    await bob.sync();
    const [shown] = await saidOn(bob);
    await assert.rejects(unsay(bob, [shown?.id ?? ""]));
    await removeRemarks(ada, [rude?.id ?? ""]);
    for (const library of [ada, bob, eve, tablet]) {
      await library.sync();
      assert.deepEqual(await said(library), []);
      assert.deepEqual([library.trashed(), library.missing()], [[], []]);
    }
  });
});

Deno.test("no one who has the link speaks in a viewer's name, takes back their words, or says them again", async () => {
  await withAlbum(async (cast) => {
    const { ada, bob, eve, id, photo, rounds } = cast;
    await say(eve, photo, "of eve");
    await rounds(ada);
    await bob.sync();
    const [own] = await saidOn(bob);
    const link = linkOf(bob, id);
    const { platform } = bob.vault.session;
    const send = (signed: string) => deliver(platform, link, { signed });
    const by = (author: Library, more: Partial<AlbumRemark>) =>
      signedBy(author, remarkOf(author, cast, more));
    const asEve = remarkOf(bob, cast, { author: idOf(eve), text: "false" });
    await send(await signedBy(bob, asEve));
    const { on: _on, of: _of, text: _text, ...back } = asEve;
    await send(await signedBy(bob, { ...back, id: own?.said ?? "" }));
    await send("");
    await send(toBase64(new Uint8Array(8_193)));
    // Of another album, and of a photo of other bytes.
    await send(await by(eve, { album_id: crypto.randomUUID() }));
    await send(await by(eve, { of: "0".repeat(64) }));
    // A guest's words are no member's.
    const on = ada.index.get(photo)?.blobs[0]?.hash ?? "";
    await sayAsGuest(platform, link, { on, from: "Eve", text: "false" });
    await rounds(ada);
    await eve.sync();
    for (const library of [ada, bob, eve]) {
      await library.sync();
      assert.deepEqual(await said(library), [`${idOf(eve)} of eve`]);
    }
    const words = await by(eve, { text: "once" });
    await send(words);
    await send(words);
    await rounds(ada);
    assert.equal((await said(ada)).length, 2);
    assert.equal(ada.index.apart().length, 2);
    const once = (await saidOn(ada)).find(({ text }) => text === "once");
    await removeRemarks(ada, [once?.id ?? ""]);
    await send(words);
    await rounds(ada);
    // A server that says that it was restored changes nothing.
    await ada.deletions.saidRestored([once?.id ?? ""]);
    await send(words);
    await rounds(ada);
    assert.deepEqual(await said(ada), [`${idOf(eve)} of eve`]);
    assert.equal(ada.index.apart().length, 1);
    const [upload] = await ada.vault.session.account.uploadLinks();
    assert.equal(upload?.files_used, 0);
  });
});

Deno.test("members believe neither the owner nor another member who stores words that the viewer did not sign for the album", async () => {
  await withAlbum(async (cast) => {
    const { ada, bob, eve, id, photo } = cast;
    const { id: other } = await ada.albums.create({ title: "Autumn" });
    const store = (library: Library, signed: string, albumId = id) =>
      library.take({
        source: plainOf(new TextEncoder().encode(signed)),
        about: {
          kind: "comment",
          name: "comment",
          mime: "application/octet-stream",
          signed,
        },
      }, { albumId });
    const by = (author: Library, more: Partial<AlbumRemark>) =>
      signedBy(author, remarkOf(author, cast, more));
    await store(ada, await by(ada, { author: idOf(eve), text: "false" }));
    await store(ada, await by(eve, { album_id: other, text: "there" }));
    // Bob has Eve's words, and is not the owner.
    const words = await by(eve, { text: "hers" });
    await store(bob, words);
    await ada.sync();
    for (const library of [ada, bob, eve]) {
      await library.sync();
      assert.equal(library.index.apart().length, 3);
      assert.deepEqual(await said(library, photo), []);
    }
    await store(ada, words);
    for (const library of [ada, bob, eve]) {
      await library.sync();
      assert.deepEqual(await said(library, photo), [`${idOf(eve)} hers`]);
    }
  });
});

Deno.test("what a removed viewer sent is refused, their link ends, and what was said before stays", async () => {
  await withAlbum(async (cast) => {
    const { app, ada, bob, eve, id, photo, rounds } = cast;
    await invite(id, ada, "bob", "viewer");
    await bob.sync();
    await say(eve, photo, "before");
    await rounds(ada);
    const link = linkOf(eve, id);
    await eve.sync();
    await say(eve, photo, "waits");
    await ada.albums.remove(id, idOf(eve));
    await rounds(ada);
    assert.deepEqual(await said(ada), [`${idOf(eve)} before`]);
    assert.notEqual(linkOf(ada, id), link);
    const { viewers } = ada.albums.get(id)?.info ?? {};
    assert.equal(viewers?.epoch, ada.albums.get(id)?.epoch);
    app.clock.advance(HOUR_MS);
    await rounds(ada);
    const links = await ada.vault.session.account.uploadLinks();
    assert.deepEqual(links.map(({ opaque_id }) => opaque_id), [
      viewers?.opaque_id,
    ]);
    await assert.rejects(
      deliver(eve.vault.session.platform, link, { signed: "AA" }),
      { code: "error.upload_link.not_found" },
    );
    // Bob's program does not know of the new link yet.
    assert.equal(linkOf(bob, id), link);
    await say(bob, photo, "still here");
    await rounds(ada);
    assert.deepEqual(await said(ada), [
      `${idOf(eve)} before`,
      `${idOf(bob)} still here`,
    ]);
  });
});

Deno.test("an album that takes no comments takes none of viewers until it does again, and one without viewers has no link", async () => {
  await withAlbum(async ({ app, ada, eve, id, photo, rounds }) => {
    await say(eve, photo, "first");
    await rounds(ada);
    const turn = async (remarks: boolean) => {
      const { info } = ada.albums.get(id) ?? {};
      await ada.albums.describe(id, { title: "", ...info, remarks });
      await eve.sync();
    };
    await say(eve, photo, "waits");
    await turn(false);
    assert.equal(remarkRights(eve, photo), "none");
    for (let count = 0; count < 3; count++) {
      app.clock.advance(HOUR_MS);
      await rounds(ada);
    }
    assert.deepEqual([await said(ada), await said(eve)], [[], []]);
    assert.equal(await waitingOf(ada), 1);
    await turn(true);
    assert.deepEqual(await said(ada), [`${idOf(eve)} first`]);
    await rounds(ada);
    await say(eve, photo, "again");
    await rounds(ada);
    assert.deepEqual(
      await said(ada),
      ["first", "waits", "again"].map((text) => `${idOf(eve)} ${text}`),
    );
    assert.equal(await waitingOf(ada), 0);
    await ada.discardAlbum(id);
    app.clock.advance(HOUR_MS);
    await rounds(ada);
    assert.deepEqual(await ada.vault.session.account.uploadLinks(), []);
    const { id: other } = await ada.albums.create({ title: "Alone" });
    await invite(other, ada, "bob");
    await rounds(ada);
    assert.equal(ada.albums.get(other)?.info?.viewers, undefined);
  });
});

Deno.test("the link for viewers is renewed a month before it ends, and where the server lost it, by one device alone", async () => {
  await withAlbum(async ({ app, wire, ada, eve, id, photo, rounds }) => {
    const phone = await secondDevice(wire, ada, "ada");
    const first = linkOf(ada, id);
    await rounds(ada, phone, ada);
    assert.equal(linkOf(phone, id), first);
    app.clock.advance(60 * DAY_MS);
    await rounds(phone, ada, phone);
    const second = linkOf(ada, id);
    assert.notEqual(second, first);
    assert.equal(linkOf(phone, id), second);
    // Eve's program has the address of before.
    await say(eve, photo, "by the new one");
    await rounds(ada);
    assert.deepEqual(await said(ada), [`${idOf(eve)} by the new one`]);
    const { viewers } = ada.albums.get(id)?.info ?? {};
    await ada.revokeRequest(viewers?.opaque_id ?? "");
    await rounds(ada);
    assert.notEqual(linkOf(ada, id), second);
  });
});

Deno.test("who only looks and leaves an album takes along what they said", async () => {
  await withAlbum(async ({ ada, bob, eve, id, photo, rounds }) => {
    await say(eve, photo, "one");
    await say(eve, photo);
    await rounds(ada);
    await addRemark(ada, photo, "mine");
    await eve.sync();
    await say(eve, photo, "waits");
    await leaveAlbum(eve, id);
    await rounds(ada);
    for (const library of [ada, bob]) {
      await library.sync();
      assert.deepEqual(await said(library), [`${idOf(ada)} mine`]);
    }
  });
});

/** Files that wait under the links of an account. */
async function waitingOf({ vault }: Library): Promise<number> {
  const links = await vault.session.account.uploadLinks();
  return links.reduce((sum, { files_used }) => sum + files_used, 0);
}

Deno.test("files, and what does not open, take no room of an album's link for viewers", async () => {
  await withAlbum(async (cast) => {
    const { app, wire, ada, bob, id, rounds } = cast;
    const link = linkOf(bob, id);
    const author = crypto.randomUUID();
    const signed = await signedBy(bob, remarkOf(bob, cast, { author }));
    const box = await openGuestBox(bob.vault.session.platform, link);
    await box.send({
      source: plainOf(photo("no words")),
      about: { name: "a.jpg", mime: "image/jpeg" },
    });
    await box.send({
      source: plainOf(photo("words with a photo")),
      about: { name: "a.jpg", mime: "image/jpeg", signed },
    });
    const { viewers } = bob.albums.get(id)?.info ?? {};
    const opaqueId = viewers?.opaque_id ?? "";
    await forgeGuestFile(wire, { opaqueId }, { name: "b.jpg" });
    assert.equal(await waitingOf(ada), 3);
    await rounds(ada);
    assert.equal(await waitingOf(ada), 0);
    // Words of someone unknown wait for a sync that begins later.
    await deliver(bob.vault.session.platform, link, { signed });
    await rounds(ada, ada);
    assert.equal(await waitingOf(ada), 1);
    app.clock.advance(10 * MINUTE_MS);
    await followLinks(ada);
    assert.equal(await waitingOf(ada), 1);
    app.clock.advance(10 * MINUTE_MS);
    await rounds(ada);
    assert.equal(await waitingOf(ada), 0);
  });
});

Deno.test("of a viewer one heart for a photo is stored, and a link that took in much is replaced", async () => {
  await withAlbum(async (cast) => {
    const { ada, eve, id, rounds } = cast;
    const link = linkOf(eve, id);
    for (const digit of ["1", "2"]) {
      const heart = remarkOf(eve, cast, { id: digit.repeat(32) });
      const signed = await signedBy(eve, heart);
      await deliver(eve.vault.session.platform, link, { signed });
    }
    await rounds(ada, ada);
    assert.equal(ada.index.apart().length, 1);
    assert.equal(await waitingOf(ada), 0);
    const { viewers } = ada.albums.get(id)?.info ?? {};
    const now = ada.vault.session.platform.now();
    const opaqueId = viewers?.opaque_id ?? "";
    await noteLink(ada.state, opaqueId, { said: 1_000 }, now);
    const again = await reopened(cast, ada);
    await rounds(again);
    assert.notEqual(linkOf(again, id), link);
    // What is counted late does not bring a link back that was ended.
    await forgetLink(ada.state, opaqueId, now);
    await noteLink(ada.state, opaqueId, { said: 1_001 }, now);
    assert.equal(ada.state.held.links[opaqueId]?.removed, true);
  });
});

Deno.test("an album keeps 500 hearts and comments of one viewer, and those of others", async () => {
  await withAlbum(async ({ ada, bob, eve, id, photo, rounds }) => {
    await invite(id, ada, "bob", "viewer");
    await say(eve, photo, "one");
    await rounds(ada, bob, eve);
    await saidOn(ada);
    const [row] = ada.index.apart();
    assert(row !== undefined);
    for (let count = 1; count < 500; count++) {
      ada.index.put({ ...row, id: crypto.randomUUID() });
    }
    await say(eve, photo, "one more");
    await say(bob, photo, "another's");
    await rounds(ada, ada);
    const texts = (await saidOn(ada)).map(({ text }) => text);
    assert(!texts.includes("one more"));
    assert(texts.includes("another's"));
    assert.equal(await waitingOf(ada), 0);
  });
});

/** The same program, started again: it pauses for nothing. */
async function reopened({ reopen }: Cast, library: Library): Promise<Library> {
  const again = await reopen(library);
  await again.sync();
  return again;
}

Deno.test("of two copies that two devices of the owner stored, the second is deleted as soon as it is seen", async () => {
  await withAlbum(async (cast) => {
    const { wire, ada, bob, eve, id, rounds } = cast;
    const phone = await secondDevice(wire, ada, "ada");
    await phone.sync();
    const words = await signedBy(eve, remarkOf(eve, cast, { text: "twice" }));
    for (const device of [ada, phone]) {
      await deliver(eve.vault.session.platform, linkOf(eve, id), {
        signed: words,
      });
      await followLinks(device);
      assert.deepEqual(await said(device), [`${idOf(eve)} twice`]);
    }
    const [shown] = await saidOn(ada);
    await removeRemarks(ada, [shown?.id ?? ""]);
    await bob.sync();
    assert.equal((await said(bob)).length, 1);
    await rounds(ada, ada);
    await bob.sync();
    assert.deepEqual(await said(bob), []);
  });
});

Deno.test("a device that does not know the album, the photo or the viewer yet deletes no words, and two rounds at once store them once", async () => {
  await withAlbum(async (cast) => {
    const { app, wire, ada, eve, id, rounds } = cast;
    const phone = await secondDevice(wire, ada, "ada");
    await phone.sync();
    const later = (await take(ada, "later", id)).row.id;
    await eve.sync();
    await say(eve, later, "new");
    await followLinks(phone);
    assert.equal(await waitingOf(ada), 1);
    await phone.sync();
    await Promise.all([followLinks(phone), followLinks(phone)]);
    assert.deepEqual(await said(phone), [`${idOf(eve)} new`]);
    assert.equal(phone.index.apart().length, 1);
    app.clock.advance(2 * HOUR_MS);
    const tablet = await libraryOn(deviceOf(wire, "tablet"), ada, "ada");
    await tablet.state.read();
    assert.equal(tablet.albums.get(id), undefined);
    await followLinks(tablet);
    await say(eve, later, "still");
    await rounds(ada);
    assert.equal((await said(ada)).length, 2);
  });
});

Deno.test("what is changed of an album while it gets a link is not undone", async () => {
  await withAlbum(async ({ wire, ada, rounds }) => {
    const { id } = await ada.albums.create({ title: "Old" });
    await invite(id, ada, "eve", "viewer");
    wire.intercept = async (request, pass) => {
      const { method, url } = request;
      const isMade = method !== "GET" && url.includes("/upload-links");
      const answer = await pass(request);
      if (isMade) await ada.albums.describe(id, { title: "New" });
      return answer;
    };
    await rounds(ada);
    const { info } = ada.albums.get(id) ?? {};
    assert.equal(info?.title, "New");
    assert.notEqual(info?.viewers, undefined);
  });
});

Deno.test("words that do not verify are kept for when they do, and no one's identity is asked for but that of authors whose words the owner stored", async () => {
  await withAlbum(async (cast) => {
    const { wire, ada, bob, eve, id } = cast;
    const [known, stranger] = [crypto.randomUUID(), crypto.randomUUID()];
    const store = async (library: Library, author: string) => {
      const remark = remarkOf(bob, cast, { author, text: "false" });
      const signed = await signedBy(bob, remark);
      await library.take({
        source: plainOf(new TextEncoder().encode(author)),
        about: {
          kind: "comment",
          name: "comment",
          mime: "application/octet-stream",
          signed,
        },
      }, { albumId: id });
    };
    await store(ada, idOf(bob));
    await store(ada, idOf(ada));
    await store(ada, known);
    await store(bob, stranger);
    await eve.sync();
    const before = wire.sent.length;
    assert.deepEqual(await said(eve), [`${idOf(bob)} false`]);
    const asked = wire.sent.slice(before).join(" ");
    assert(asked.includes(known));
    assert(!asked.includes(stranger), asked);
    const kept = eve.index.apart()
      .filter(({ metadata }) => metadata?.signed !== undefined);
    assert.equal(kept.length, 3);
  });
});

Deno.test("an album gets one link where the server hides its links", async () => {
  await withAlbum(async ({ app, wire, ada, id, rounds }) => {
    app.clock.advance(DAY_MS);
    const first = linkOf(ada, id);
    wire.intercept = (request, pass) =>
      request.method === "GET" && request.url.includes("/upload-links")
        ? Promise.resolve(Response.json({ upload_links: [] }))
        : pass(request);
    await rounds(ada);
    const second = linkOf(ada, id);
    assert.notEqual(second, first);
    await rounds(ada, ada);
    assert.equal(linkOf(ada, id), second);
  });
});

Deno.test("an album gets its next link although the device's clock was put back", async () => {
  await withAlbum(async ({ app, ada, id, rounds }) => {
    const first = linkOf(ada, id);
    const { viewers } = ada.albums.get(id)?.info ?? {};
    await ada.revokeRequest(viewers?.opaque_id ?? "");
    await rounds(ada);
    assert.equal(linkOf(ada, id), first);
    app.clock.advance(-HOUR_MS);
    await rounds(ada);
    assert.notEqual(linkOf(ada, id), first);
  });
});

Deno.test("words of someone whose identity seems new wait, and are shown to who believes it", async () => {
  await withAlbum(async (cast) => {
    const { app, wire, ada, bob, eve, id, photo, rounds } = cast;
    await say(eve, photo, "before");
    await rounds(ada, bob);
    assert.equal((await said(bob)).length, 1);
    const random = seededRandom("new");
    const next = await openIdentity(new Uint8Array(random(32)));
    const directory = await signDirectory(next.signer, {
      user_id: idOf(eve),
      server_id: ORIGIN,
      directory_version: 9,
      sealing_key: await next.sealing.publicKey(),
      devices: [],
      signed_at: "2026-11-21T12:00:00Z",
    });
    const key = toBase64(next.signer.publicKey);
    wire.intercept = (request) =>
      request.url.endsWith(`/users/${idOf(eve)}/directory`)
        ? Promise.resolve(
          new Response(directory, {
            headers: { "X-Service-Identity-Key": key },
          }),
        )
        : undefined;
    const remark = remarkOf(eve, cast, { text: "after" });
    const signed = toBase64(await signAlbumRemark(next.signer, remark));
    const { platform } = eve.vault.session;
    await deliver(platform, linkOf(eve, id), { signed });
    await rounds(ada, ada);
    assert.deepEqual(await said(ada), [`${idOf(eve)} before`]);
    await ada.people.believe(idOf(eve), next.signer.keyId);
    await rounds(ada);
    assert.deepEqual((await said(ada)).length, 2);
    await bob.sync();
    assert.deepEqual(await said(bob), [`${idOf(eve)} before`]);
    await bob.people.believe(idOf(eve), next.signer.keyId);
    app.clock.advance(HOUR_MS);
    assert.equal((await said(bob)).length, 2);
  });
});

Deno.test("a viewer whom the owner blocked says nothing more, and takes back what they said", async () => {
  await withAlbum(async ({ ada, bob, eve, photo, rounds }) => {
    await say(eve, photo, "before");
    await rounds(ada, eve);
    await ada.people.block(idOf(eve), true);
    await say(eve, photo, "after");
    const own = (await saidOn(eve)).find(({ text }) => text === "before");
    await unsay(eve, [own?.id ?? ""]);
    await rounds(ada, ada);
    await bob.sync();
    assert.deepEqual(await said(bob), []);
    assert.equal(ada.index.apart().length, 0);
  });
});

Deno.test("a viewer who may add now still takes back what they said before, and all of their hearts at once", async () => {
  await withAlbum(async (cast) => {
    const { app, ada, eve, id, photo, rounds } = cast;
    await say(eve, photo, "before");
    await say(eve, photo);
    await say(eve, photo);
    await takeHeart(eve, photo);
    assert.deepEqual(await said(eve), [`${idOf(eve)} before`]);
    await rounds(ada, ada);
    assert.deepEqual(await said(ada), [`${idOf(eve)} before`]);
    await invite(id, ada, "eve");
    app.clock.advance(80 * DAY_MS);
    await rounds(ada, eve);
    const [own] = await saidOn(eve);
    await unsay(eve, [own?.id ?? ""]);
    await rounds(ada);
    assert.deepEqual(await said(ada), []);
  });
});

/** What a viewer takes back, as their program signs it. */
function backOf({ on: _on, of: _of, text: _text, ...back }: AlbumRemark) {
  return back;
}

Deno.test("a take-back counts for words that wait, and for words that another device of the owner stored and this one does not know", async () => {
  await withAlbum(async (cast) => {
    const { app, wire, ada, eve, id, rounds } = cast;
    const phone = await secondDevice(wire, ada, "ada");
    await phone.sync();
    const link = linkOf(eve, id);
    const send = async (remark: AlbumRemark) =>
      await deliver(eve.vault.session.platform, link, {
        signed: await signedBy(eve, remark),
      });
    const later = (await take(ada, "later", id)).row.id;
    await eve.sync();
    const of = { ...cast, photo: later };
    // Together, and one after the other.
    const first = remarkOf(eve, of, { id: "1".repeat(32), text: "first" });
    const second = remarkOf(eve, of, { id: "2".repeat(32), text: "second" });
    await send(first);
    await send(second);
    await send(backOf(first));
    await followLinks(phone);
    await send(backOf(second));
    await followLinks(phone);
    await phone.sync();
    await followLinks(phone);
    assert.deepEqual(await said(phone), []);
    // Ada's other device stores it, and the phone looks before it knows.
    const third = remarkOf(eve, cast, { id: "3".repeat(32), text: "third" });
    await send(third);
    await followLinks(ada);
    assert.deepEqual(await said(ada), [`${idOf(eve)} third`]);
    await send(backOf(third));
    await followLinks(phone);
    await rounds(phone, ada);
    assert.deepEqual([await said(phone), await said(ada)], [[], []]);
    app.clock.advance(10 * MINUTE_MS);
    await rounds(phone);
    assert.equal(await waitingOf(ada), 0);
  });
});

Deno.test("a viewer's second hearts use up nothing of an album's link, and words wait where it took in all that it may", async () => {
  await withAlbum(async (cast) => {
    const { app, ada, eve, id, photo, rounds } = cast;
    const link = linkOf(eve, id);
    for (let count = 1; count <= 5; count++) {
      const heart = remarkOf(eve, cast, { id: String(count).repeat(32) });
      const signed = await signedBy(eve, heart);
      await deliver(eve.vault.session.platform, link, { signed });
    }
    await rounds(ada);
    const opaqueId = ada.albums.get(id)?.info?.viewers?.opaque_id ?? "";
    assert.equal(ada.state.held.links[opaqueId]?.said, 1);
    assert.equal(await waitingOf(ada), 0);
    const now = ada.vault.session.platform.now();
    await noteLink(ada.state, opaqueId, { said: 2_000 }, now);
    await say(eve, photo, "waits");
    await rounds(ada);
    assert.equal(await waitingOf(ada), 1);
    app.clock.advance(6 * HOUR_MS);
    await rounds(ada, ada);
    assert.notEqual(linkOf(ada, id), link);
    assert((await said(ada)).includes(`${idOf(eve)} waits`));
    assert.equal(await waitingOf(ada), 0);
  });
});

Deno.test("of the words that wait while comments are off, those of one viewer that are above the bound are deleted, what was deleted is refused, and what is taken back goes", async () => {
  await withAlbum(async (cast) => {
    const { app, ada, eve, id, rounds, fewRounds } = cast;
    const link = linkOf(eve, id);
    const sendSigned = (signed: string) =>
      deliver(eve.vault.session.platform, link, { signed });
    const send = async (remark: AlbumRemark) =>
      await sendSigned(await signedBy(eve, remark));
    const old = await signedBy(eve, remarkOf(eve, cast, { text: "deleted" }));
    await sendSigned(old);
    await rounds(ada);
    await removeRemarks(ada, (await saidOn(ada)).map((one) => one.id));
    const { info } = ada.albums.get(id) ?? {};
    await ada.albums.describe(id, { title: "", ...info, remarks: false });
    await sendSigned(old);
    await rounds(ada);
    assert.equal(await waitingOf(ada), 0);
    const wordsOf = (count: number) =>
      remarkOf(eve, cast, {
        id: count.toString(16).padStart(32, "0"),
        text: `${count}`,
      });
    for (let count = 1; count <= 5; count++) await send(wordsOf(count));
    await fewRounds(ada, ada, ada);
    assert.equal(await waitingOf(ada), 3);
    await send(backOf(wordsOf(1)));
    await fewRounds(ada);
    assert.equal(await waitingOf(ada), 3);
    await ada.sync();
    app.clock.advance(20 * MINUTE_MS);
    await fewRounds(ada, ada, ada);
    assert.equal(await waitingOf(ada), 2);
  });
});

Deno.test("a program that ends after each command takes in words that come after many that it cannot judge", async () => {
  await withAlbum(async (cast) => {
    const { ada, eve, id, photo, fewRounds } = cast;
    const link = linkOf(eve, id);
    const { signer } = eve.vault.identity;
    for (let count = 0; count < 3; count++) {
      const newer = await signEnvelope(signer, {
        ...remarkOf(eve, cast),
        id: count.toString(16).padStart(32, "0"),
        type: "service-album-remark/v2",
      });
      await deliver(eve.vault.session.platform, link, {
        signed: toBase64(newer),
      });
    }
    await say(eve, photo, "seen");
    const again = await reopened(cast, ada);
    await fewRounds(again);
    assert.deepEqual(await said(again), [`${idOf(eve)} seen`]);
    assert.equal(await waitingOf(ada), 3);
  });
});

Deno.test("programs that end after each command refuse words of unknown authors, too, a day after the server got them", async () => {
  await withAlbum(async (cast) => {
    const { app, ada, bob, id, rounds } = cast;
    const author = crypto.randomUUID();
    const signed = await signedBy(bob, remarkOf(bob, cast, { author }));
    await deliver(bob.vault.session.platform, linkOf(bob, id), { signed });
    let again = await reopened(cast, ada);
    await rounds(again);
    for (let count = 0; count < 24; count++) {
      app.clock.advance(HOUR_MS);
      again = await reopened(cast, again);
      await rounds(again);
      if (count === 20) assert.equal(await waitingOf(ada), 1);
    }
    app.clock.advance(10 * MINUTE_MS);
    again = await reopened(cast, again);
    await rounds(again);
    assert.equal(await waitingOf(ada), 0);
  });
});

Deno.test("words of a newer program are left for one that can read them", async () => {
  await withAlbum(async (cast) => {
    const { app, ada, eve, id, rounds } = cast;
    const newer = await signEnvelope(eve.vault.identity.signer, {
      ...remarkOf(eve, cast),
      type: "service-album-remark/v2",
    });
    await deliver(eve.vault.session.platform, linkOf(eve, id), {
      signed: toBase64(newer),
    });
    for (let count = 0; count < 3; count++) {
      app.clock.advance(HOUR_MS);
      await rounds(ada);
    }
    assert.equal(await waitingOf(ada), 1);
  });
});

Deno.test("what waits is looked at again after ten minutes, or when the account has changed", async () => {
  await withAlbum(async (cast) => {
    const { app, wire, ada, bob, eve, id, rounds } = cast;
    const remark = remarkOf(eve, cast, { on: crypto.randomUUID() });
    await deliver(eve.vault.session.platform, linkOf(eve, id), {
      signed: await signedBy(eve, remark),
    });
    await rounds(ada);
    const asked = async () => {
      const before = wire.sent.length;
      await rounds(ada);
      return wire.sent.slice(before)
        .some((one) => /\/contributions/.test(String(one)));
    };
    assert.equal(await asked(), false);
    await take(bob, "changed", id);
    assert.equal(await asked(), true);
    assert.equal(await asked(), false);
    app.clock.advance(10 * MINUTE_MS);
    assert.equal(await asked(), true);
  });
});

Deno.test("what waits is looked at again although the device's clock was put back", async () => {
  await withAlbum(async (cast) => {
    const { app, wire, ada, bob, eve, id, rounds } = cast;
    const asked = async () => {
      const before = wire.sent.length;
      await rounds(ada);
      return wire.sent.slice(before)
        .some((one) => /\/contributions/.test(String(one)));
    };
    const remark = remarkOf(eve, cast, { on: crypto.randomUUID() });
    await deliver(eve.vault.session.platform, linkOf(eve, id), {
      signed: await signedBy(eve, remark),
    });
    assert.equal(await asked(), true);
    await take(bob, "once", id);
    assert.equal(await asked(), true);
    app.clock.advance(-HOUR_MS);
    assert.equal(await asked(), true);
    await take(bob, "again", id);
    assert.equal(await asked(), true);
    assert.equal(await asked(), false);
  });
});

Deno.test("a link whose round failed is looked at again although the device's clock was put back", async () => {
  await withAlbum(async ({ app, wire, ada, eve, photo, rounds }) => {
    await say(eve, photo, "waits");
    wire.intercept = (request) =>
      /\/contributions/.test(request.url)
        ? Promise.resolve(
          new Response(
            JSON.stringify({ status: 422, code: "error.refused" }),
            {
              status: 422,
              headers: { "content-type": "application/problem+json" },
            },
          ),
        )
        : undefined;
    await rounds(ada);
    wire.intercept = undefined;
    await rounds(ada);
    assert.deepEqual(await said(ada), []);
    app.clock.advance(-HOUR_MS);
    await rounds(ada);
    assert.deepEqual(await said(ada), [`${idOf(eve)} waits`]);
  });
});

/** A device that counts the guests' files that it opens. */
function countingDevice(wire: AlbumCast["wire"], seed: string) {
  const device = deviceOf(wire, seed);
  const label = "service-guest-upload/v1";
  let count = 0;
  const primitives: Primitives = {
    ...nativePrimitives,
    hkdfSha256(ikm, salt, info, length) {
      if (new TextDecoder().decode(info).includes(label)) count++;
      return nativePrimitives.hkdfSha256(ikm, salt, info, length);
    },
  };
  return {
    device: { ...device, platform: { ...device.platform, primitives } },
    /** How many it opened since this was asked last. */
    opened: () => {
      const since = count;
      count = 0;
      return since;
    },
  };
}

/** A device that draws where a round begins: at the front (0), at the end (255). */
function drawing(wire: AlbumCast["wire"], drawn: number) {
  const device = deviceOf(wire, "phone");
  const random = (length: number) =>
    length === 2
      ? new Uint8Array(2).fill(drawn)
      : device.platform.random(length);
  return { ...device, platform: { ...device.platform, random } };
}

Deno.test("of much that waits, a round opens a bounded number, and no more than once in half a minute because the account changed; what a program that ends after each command comes to differs", async () => {
  await withAlbum(async (cast) => {
    const { app, wire, ada, bob, eve, id, photo } = cast;
    const link = linkOf(eve, id);
    const send = async (count: number) => {
      const remark = remarkOf(eve, cast, {
        id: count.toString(16).padStart(32, "0"),
        on: crypto.randomUUID(),
      });
      await deliver(eve.vault.session.platform, link, {
        signed: await signedBy(eve, remark),
      });
    };
    for (let count = 0; count < 7; count++) await send(count);
    const { device, opened } = countingDevice(wire, "tablet");
    const tablet = await libraryOn(device, ada, "ada");
    await tablet.sync();
    const round = async () => {
      await followLinks(tablet, FEW);
      return opened();
    };
    opened();
    assert.deepEqual([await round(), await round(), await round()], [5, 2, 0]);
    app.clock.advance(1);
    await send(7);
    assert.deepEqual([await round(), await round()], [1, 0]);
    const change = async (name: string) => {
      await take(bob, name, id);
      await tablet.sync();
      opened();
    };
    await change("once");
    assert.deepEqual([await round(), await round()], [5, 3]);
    await change("soon");
    assert.equal(await round(), 0);
    app.clock.advance(30_000);
    assert.deepEqual([await round(), await round()], [5, 3]);
    app.clock.advance(10 * MINUTE_MS);
    assert.deepEqual([await round(), await round(), await round()], [5, 3, 0]);
    await say(eve, photo, "last");
    const heard = async (drawn: number) => {
      const again = await libraryOn(drawing(wire, drawn), ada, "ada");
      await again.sync();
      await followLinks(again, FEW);
      return await said(again);
    };
    assert.deepEqual(await heard(0), []);
    assert.deepEqual(await heard(255), [`${idOf(eve)} last`]);
  });
});

Deno.test("a heart that is taken back and given again is there", async () => {
  await withAlbum(async ({ ada, eve, photo, rounds }) => {
    await say(eve, photo);
    await rounds(ada, eve);
    await takeHeart(eve, photo);
    await say(eve, photo);
    await rounds(ada, eve);
    assert.deepEqual(await said(ada), [`${idOf(eve)} heart`]);
    assert.deepEqual(await said(eve), [`${idOf(eve)} heart`]);
    assert.equal(await waitingOf(ada), 0);
  });
});

Deno.test("to show a photo no words of other photos are verified", async () => {
  await withAlbum(async ({ ada, bob, eve, id, photo, rounds }) => {
    const other = (await take(ada, "other", id)).row.id;
    await say(eve, photo, "here");
    await rounds(ada, bob);
    const isVerified = () => bob.index.apart()[0]?.said !== undefined;
    assert.deepEqual(await said(bob, other), []);
    assert.equal(isVerified(), false);
    assert.deepEqual(await said(bob, photo), [`${idOf(eve)} here`]);
    assert.equal(isVerified(), true);
  });
});

Deno.test("of a server whose clock is wrong, words that cannot be judged yet and take-backs are not refused at the first look", async () => {
  await withAlbum(async (cast) => {
    const { app, wire, ada, eve, id, rounds } = cast;
    let received = "1970-01-01T00:00:05.000Z";
    wire.intercept = async (request, pass) => {
      const answer = await pass(request);
      const isListing = request.method === "GET" &&
        /\/contributions$/.test(new URL(request.url).pathname);
      if (!isListing) return answer;
      const page = await answer.json();
      for (const one of page.contributions) one.received_at = received;
      return Response.json(page);
    };
    const link = linkOf(eve, id);
    const send = async (remark: AlbumRemark) =>
      await deliver(eve.vault.session.platform, link, {
        signed: await signedBy(eve, remark),
      });
    const words = remarkOf(eve, cast, { on: crypto.randomUUID() });
    const back = backOf({ ...words, id: "1".repeat(32) });
    await send(words);
    await send(back);
    await rounds(ada);
    assert.equal(await waitingOf(ada), 2);
    app.clock.advance(10 * MINUTE_MS);
    await rounds(ada);
    assert.equal(await waitingOf(ada), 0);
    // As if the server had it for two days.
    received = new Date(app.clock.now - 2 * DAY_MS).toISOString();
    await send(words);
    await send(back);
    await rounds(ada);
    assert.equal(await waitingOf(ada), 1);
    app.clock.advance(10 * MINUTE_MS);
    await rounds(ada);
    assert.equal(await waitingOf(ada), 0);
  });
});

Deno.test("a take-back waits as long as words wait that only newer programs can read", async () => {
  await withAlbum(async (cast) => {
    const { app, ada, eve, id, rounds } = cast;
    const link = linkOf(eve, id);
    const { identity, session } = eve.vault;
    const newer = await signEnvelope(identity.signer, {
      ...remarkOf(eve, cast),
      type: "service-album-remark/v2",
    });
    for (
      const signed of [
        await signedBy(eve, backOf(remarkOf(eve, cast))),
        toBase64(newer),
      ]
    ) await deliver(session.platform, link, { signed });
    for (let count = 0; count < 3; count++) {
      app.clock.advance(10 * MINUTE_MS);
      await rounds(ada);
    }
    assert.equal(await waitingOf(ada), 2);
  });
});

/** Words of Eve's that only newer programs can read. */
async function newerWords(cast: Cast): Promise<string> {
  const { eve } = cast;
  const newer = await signEnvelope(eve.vault.identity.signer, {
    ...remarkOf(eve, cast),
    type: "service-album-remark/v2",
  });
  return toBase64(newer);
}

/** What waits under the album's link, by the ids of its uploads. */
async function idsIn({ vault }: Library): Promise<readonly string[]> {
  const { account } = vault.session;
  const [link] = await account.uploadLinks();
  const page = await account.contributions(link?.opaque_id ?? "");
  return page.contributions.map((one) => one.upload_id);
}

Deno.test("of the take-backs whose time is over, a link keeps the oldest of each author while words may wait, and those of unproven authors as one's", async () => {
  await withAlbum(async (cast) => {
    const { app, ada, bob, eve, id, fewRounds } = cast;
    const send = async (signed: string) => {
      const before = new Set(await idsIn(ada));
      app.clock.advance(1);
      await deliver(eve.vault.session.platform, linkOf(eve, id), { signed });
      return (await idsIn(ada)).find((one) => !before.has(one)) ?? "";
    };
    let count = 0;
    const sendBack = async (by: Library, author = idOf(by)) => {
      const id = (count++).toString(16).padStart(32, "0");
      return await send(
        await signedBy(by, backOf(remarkOf(by, cast, { id, author }))),
      );
    };
    const words = await send(await newerWords(cast));
    const ofEve = await sendBack(eve);
    for (let more = 0; more < 2; more++) await sendBack(eve);
    const unproven = await sendBack(eve, crypto.randomUUID());
    await sendBack(eve, crypto.randomUUID());
    for (let more = 0; more < 3; more++) await sendBack(eve);
    await fewRounds(ada, ada);
    const ofBob = await sendBack(bob);
    await fewRounds(ada);
    assert.equal(await waitingOf(ada), 10);
    app.clock.advance(10 * MINUTE_MS);
    await fewRounds(ada, ada, ada, ada, ada);
    assert.deepEqual(
      new Set(await idsIn(ada)),
      new Set([words, ofEve, unproven, ofBob]),
    );
  });
});

Deno.test("programs that end after each command refuse a take-back three days after the server got it, unless words may wait", async () => {
  await withAlbum(async (cast) => {
    const { app, ada, eve, id, rounds } = cast;
    const send = (signed: string) =>
      deliver(eve.vault.session.platform, linkOf(eve, id), { signed });
    await send(await signedBy(eve, backOf(remarkOf(eve, cast))));
    let again = ada;
    const run = async () => {
      again = await reopened(cast, again);
      await rounds(again);
    };
    app.clock.advance(2 * DAY_MS);
    await run();
    assert.equal(await waitingOf(ada), 1);
    const [takeBack] = await idsIn(ada);
    await send(await newerWords(cast));
    app.clock.advance(DAY_MS + 10 * MINUTE_MS);
    await run();
    assert.equal(await waitingOf(ada), 2);
    const newer = (await idsIn(ada)).find((one) => one !== takeBack) ?? "";
    const { account } = ada.vault.session;
    const [link] = await account.uploadLinks();
    await account.deleteContribution(link?.opaque_id ?? "", newer);
    await run();
    assert.equal(await waitingOf(ada), 0);
  });
});

/** Lets the server say that it got what waits, but some, four days ago. */
function receivedLongAgo(
  { app, wire }: Cast,
  but: readonly string[] = [],
): void {
  wire.intercept = async (request, pass) => {
    const answer = await pass(request);
    const isListing = request.method === "GET" &&
      /\/contributions$/.test(new URL(request.url).pathname);
    if (!isListing) return answer;
    const page = await answer.json();
    for (const one of page.contributions) {
      if (but.includes(one.upload_id)) continue;
      one.received_at = new Date(app.clock.now - 4 * DAY_MS).toISOString();
    }
    return Response.json(page);
  };
}

Deno.test("a program that ends after each command refuses no take-back whose words another device stored since its sync", async () => {
  await withAlbum(async (cast) => {
    const { wire, ada, eve, id, rounds } = cast;
    const phone = await secondDevice(wire, ada, "ada");
    await phone.sync();
    receivedLongAgo(cast);
    const send = async (remark: AlbumRemark) =>
      await deliver(eve.vault.session.platform, linkOf(eve, id), {
        signed: await signedBy(eve, remark),
      });
    const words = remarkOf(eve, cast, { text: "taken back" });
    const again = await reopened(cast, ada);
    await send(words);
    await followLinks(phone);
    assert.deepEqual(await said(phone), [`${idOf(eve)} taken back`]);
    await send(backOf(words));
    await followLinks(again);
    assert.equal(await waitingOf(ada), 1);
    const last = await reopened(cast, again);
    await rounds(last);
    assert.deepEqual(await said(last), []);
    assert.equal(await waitingOf(ada), 0);
  });
});

Deno.test("a take-back that came by one link of an album counts for words that came by the link before it, whichever is read first", async () => {
  await withAlbum(async (cast) => {
    const { app, ada, bob, eve, id, rounds } = cast;
    const send = async (link: string, remark: AlbumRemark) =>
      await deliver(eve.vault.session.platform, link, {
        signed: await signedBy(eve, remark),
      });
    const old = linkOf(eve, id);
    app.clock.advance(60 * DAY_MS);
    // The old link stays as long as something waits there.
    await send(old, remarkOf(eve, cast, { on: crypto.randomUUID() }));
    receivedLongAgo(cast, await idsIn(ada));
    await rounds(ada);
    await bob.sync();
    const next = linkOf(bob, id);
    assert.notEqual(next, old);
    let again = ada;
    for (const [ofWords, ofBack] of [[old, next], [next, old]] as const) {
      const id = (ofWords === old ? "1" : "2").repeat(32);
      const words = remarkOf(eve, cast, { id, text: "taken back" });
      await send(ofWords, words);
      await send(ofBack, backOf(words));
      for (let count = 0; count < 2; count++) {
        again = await reopened(cast, again);
        await rounds(again);
      }
      assert.deepEqual(await said(again), []);
    }
    assert.equal(await waitingOf(ada), 1);
  });
});

/** Gives the album a second link while the first stays, and returns both. */
async function twoLinks(cast: Cast): Promise<readonly [string, string]> {
  const { app, ada, bob, eve, id, rounds } = cast;
  const old = linkOf(eve, id);
  app.clock.advance(60 * DAY_MS);
  // The old link stays as long as something waits there.
  await deliver(eve.vault.session.platform, old, {
    signed: await signedBy(eve, remarkOf(eve, cast, { on: idOf(eve) })),
  });
  await rounds(ada);
  await bob.sync();
  const next = linkOf(bob, id);
  assert.notEqual(next, old);
  return [old, next];
}

/** Lets the server answer nothing that can be read of what waits under a link. */
function hideWaiting(wire: AlbumCast["wire"], link: string): void {
  const opaqueId = new URL(link).pathname.split("/").at(-1) ?? "";
  wire.intercept = (request, pass) =>
    new URL(request.url).pathname.endsWith(`/${opaqueId}/contributions`)
      ? Promise.resolve(Response.json({}))
      : pass(request);
}

Deno.test("a take-back that came by one link of an album waits as long as its words wait under another, and where that is not read", async () => {
  await withAlbum(async (cast) => {
    const { app, wire, ada, eve, id, rounds } = cast;
    const [old, next] = await twoLinks(cast);
    const send = async (link: string, remark: AlbumRemark) =>
      await deliver(eve.vault.session.platform, link, {
        signed: await signedBy(eve, remark),
      });
    const later = async () => {
      app.clock.advance(10 * MINUTE_MS);
      await rounds(ada, ada);
    };
    const takeComments = async (remarks: boolean) => {
      const { info } = ada.albums.get(id) ?? {};
      await ada.albums.describe(id, { title: "", ...info, remarks });
    };
    await takeComments(false);
    const words = remarkOf(eve, cast, { id: "1".repeat(32), text: "back" });
    await send(old, words);
    await send(next, backOf(words));
    await send(next, backOf({ ...words, id: "2".repeat(32) }));
    for (let count = 0; count < 3; count++) await later();
    assert.equal(await waitingOf(ada), 2);
    hideWaiting(wire, old);
    await send(old, remarkOf(eve, cast, { id: "3".repeat(32), text: "back" }));
    await send(next, backOf({ ...words, id: "3".repeat(32) }));
    for (let count = 0; count < 3; count++) await later();
    assert.equal(await waitingOf(ada), 4);
    wire.intercept = undefined;
    await later();
    assert.equal(await waitingOf(ada), 4);
    await takeComments(true);
    for (let count = 0; count < 3; count++) await later();
    assert.deepEqual(await said(ada), []);
    assert.equal(await waitingOf(ada), 0);
  });
});

Deno.test("a take-back whose time is over counts for words that are taken in by another link in the same round, whichever is read first", async () => {
  for (const isOldFirst of [true, false]) {
    await withAlbum(async (cast) => {
      const { app, wire, ada, eve, rounds } = cast;
      const [old, next] = await twoLinks(cast);
      const [ofWords, ofBack] = isOldFirst ? [old, next] : [next, old];
      const send = async (link: string, remark: AlbumRemark) =>
        await deliver(eve.vault.session.platform, link, {
          signed: await signedBy(eve, remark),
        });
      const words = remarkOf(eve, cast, { id: "1".repeat(32), text: "back" });
      await send(ofWords, words);
      await send(ofBack, backOf(words));
      hideWaiting(wire, ofWords);
      await rounds(ada);
      wire.intercept = undefined;
      app.clock.advance(10 * MINUTE_MS);
      await rounds(ada);
      assert.deepEqual(await said(ada), []);
      assert.equal(await waitingOf(ada), 0);
    });
  }
});

Deno.test("a take-back counts for words that a sync brings while a round goes on", async () => {
  await withAlbum(async (cast) => {
    const { app, wire, ada, eve, id } = cast;
    const phone = await secondDevice(wire, ada, "ada");
    await phone.sync();
    const send = async (signed: string) =>
      await deliver(eve.vault.session.platform, linkOf(eve, id), { signed });
    const words = remarkOf(eve, cast, { text: "taken back" });
    await send(await signedBy(eve, words));
    await followLinks(phone);
    await send(await signedBy(eve, backOf(words)));
    await send(toBase64(new Uint8Array(1)));
    receivedLongAgo(cast);
    const longAgo = wire.intercept;
    let syncs = 0;
    wire.intercept = async (request, pass) => {
      // What is no words is deleted after the take-back was judged.
      if (request.method === "DELETE" && syncs++ === 0) {
        app.clock.advance(1);
        await ada.sync();
      }
      return await (longAgo?.(request, pass) ?? pass(request));
    };
    await followLinks(ada);
    assert(syncs > 0);
    await ada.sync();
    assert.deepEqual(await said(ada), []);
    assert.equal(await waitingOf(ada), 0);
  });
});

Deno.test("words of a photo that a sync brings while a round goes on are stored", async () => {
  await withAlbum(async (cast) => {
    const { app, wire, ada, eve, id } = cast;
    const backend = await hybridBackend();
    let midway = () => Promise.resolve();
    const device = deviceOf(wire, "tablet");
    const hybrid: HybridBackend = {
      ...backend,
      async verifyEd25519(...args) {
        await midway();
        return await backend.verifyEd25519(...args);
      },
    };
    const platform = { ...device.platform, hybrid };
    const tablet = await libraryOn({ ...device, platform }, ada, "ada");
    await tablet.sync();
    const later = (await take(ada, "later", id)).row.id;
    await eve.sync();
    await say(eve, later, "one");
    await say(eve, later, "two");
    await followLinks(tablet);
    app.clock.advance(10 * MINUTE_MS);
    let verified = 0;
    midway = async () => {
      // The first words were judged.
      if (++verified === 2) await tablet.sync();
    };
    await followLinks(tablet);
    assert(verified >= 2);
    assert.equal((await said(tablet)).length, 1);
    app.clock.advance(10 * MINUTE_MS);
    await followLinks(tablet);
    assert.equal((await said(tablet)).length, 2);
  });
});

Deno.test("where only known photos changed, a program that ends after each command refuses take-backs, and where new ones came, those above the bound", async () => {
  await withAlbum(async (cast) => {
    const { wire, ada, bob, eve, id } = cast;
    const other = (await take(ada, "other", id)).row.id;
    const phone = await secondDevice(wire, ada, "ada");
    await phone.sync();
    receivedLongAgo(cast);
    let count = 0;
    const sendBack = async () => {
      const id = (count++).toString(16).padStart(32, "0");
      await deliver(eve.vault.session.platform, linkOf(eve, cast.id), {
        signed: await signedBy(eve, backOf(remarkOf(eve, cast, { id }))),
      });
    };
    let again = await reopened(cast, ada);
    await sendBack();
    await phone.trash(other);
    await followLinks(again, FEW);
    assert.equal(await waitingOf(ada), 0);
    for (let more = 0; more < 5; more++) await sendBack();
    again = await reopened(cast, again);
    await take(bob, "new", id);
    for (let more = 0; more < 2; more++) await followLinks(again, FEW);
    assert.equal(await waitingOf(ada), 3);
  });
});

Deno.test("the bounds of what a round does with what waits are those of the protocol", () => {
  assert.deepEqual(BOUNDS, { atOnce: 50, unsure: 100, lookedAt: 200 });
});
