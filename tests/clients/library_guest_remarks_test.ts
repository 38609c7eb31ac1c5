/**
 * Hearts and comments of guests by a link both ways: how they come into the
 * album and back into the link, and what a guest cannot do by them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toHex } from "../../src/core/bytes.ts";
import { MINUTE_MS } from "../../src/core/time.ts";
import {
  type GuestAbout,
  type Library,
  openGuestBox,
  plainOf,
} from "../../src/library/mod.ts";
import { DocumentError } from "../../src/client/documents/fields.ts";
import {
  type GuestRemark,
  remarkId,
} from "../../src/client/documents/guest.ts";
import {
  buildUploadLink,
  parseUploadLink,
} from "../../src/client/documents/upload_link.ts";
import {
  addRemark,
  remarkRights,
  remarksOn,
  removeRemarks,
  takeHeartBack,
} from "../../src/library/albums/remarks.ts";
import { shareBothWays } from "../../src/library/sharing/both_ways.ts";
import { followLinks } from "../../src/library/sharing/following_links.ts";
import { takeRemarks } from "../../src/library/sharing/guest_remarks.ts";
import {
  sayAsGuest,
  takeBackAsGuest,
} from "../../src/library/sharing/guest_saying.ts";
import type { Bounds } from "../../src/library/sharing/taking_remarks.ts";
import { ORIGIN, withTestApp } from "../support/app.ts";
import { photo, take } from "../support/album_cast.ts";
import {
  beginLibrary,
  deviceOf,
  platformOn,
  type Wire,
  wireTo,
} from "../support/library.ts";
import {
  forgeGuestFile,
  giveNewer,
  secondDevice,
} from "../support/library_sharing.ts";
import { seenByLink } from "../support/link_viewer.ts";

interface Cast {
  readonly wire: Wire;
  /** Two devices of the owner. */
  readonly ada: Library;
  readonly phone: Library;
  readonly albumId: string;
  readonly photoId: string;
  readonly opaqueId: string;
  readonly url: string;
  /** The upload half's address, as viewers have it. */
  readonly half: string;
  readonly guest: ReturnType<typeof platformOn>;
  /** The content address of the photo in the link. */
  readonly on: string;
  /** What the link shows that guests said: `name: text`, `name ♥`. */
  readonly shown: () => Promise<readonly string[]>;
  /** What a device does within a minute. */
  readonly rounds: (device: Library, bounds?: Bounds) => Promise<void>;
  /** Sends what a program of a guest's own may send. */
  readonly send: (
    saying: Pick<GuestAbout, "from" | "takes_back"> & {
      readonly remark?: Partial<GuestRemark>;
    },
  ) => Promise<void>;
}

/** Bounds that few words reach. */
const FEW: Bounds = { atOnce: 2, unsure: 3, lookedAt: 5 };

const idOfTest = (n: number) => n.toString(16).padStart(32, "0");

/** An album of one photo, and a link both ways to it. */
async function withLink(
  work: (cast: Cast) => Promise<void>,
  kind: "album" | "collection" = "album",
): Promise<void> {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id: albumId } = await ada.albums.create({ title: "Lake" });
    const { row: { id: photoId } } = await take(
      ada,
      "a",
      kind === "album" ? albumId : ada.vault.libraryAlbumId,
    );
    const listId = kind === "album"
      ? albumId
      : (await ada.collections.create("Lake", [photoId])).id;
    const { url, opaqueId } = await shareBothWays(ada, {
      assetIds: [photoId],
      title: "Lake",
      follows: `${kind}/${listId}`,
      gives: {},
    });
    const phone = await secondDevice(wire, ada, "ada");
    for (const device of [phone, ada, phone, ada]) await device.sync();
    const { adds, items } = (await seenByLink(wire, url)).index;
    assert(adds?.reacts === true);
    const half = buildUploadLink({
      origin: ORIGIN,
      opaqueId: adds.opaque_id,
      fingerprint: adds.fingerprint,
      gate: adds.gate,
    });
    const on = items[0]?.hash ?? "";
    const now = () => {
      app.clock.advance(1);
      return app.clock.now;
    };
    const guest = platformOn({ fetch: wire.fetch, now }, "guest");
    const rounds: Cast["rounds"] = async (device, bounds) => {
      wire.app.clock.advance(30_000);
      await device.sync();
      await followLinks(device, bounds);
      await device.sync();
    };
    const shown = async () => {
      const { index } = await seenByLink(wire, url);
      return index.items.flatMap(({ remarks = [] }) =>
        remarks.map(({ from, text }) =>
          text === undefined ? `${from} ♥` : `${from}: ${text}`
        )
      );
    };
    const box = await openGuestBox(guest, half);
    const send: Cast["send"] = async ({ remark, ...saying }) => {
      const { id = idOfTest(1), at = "2026-01-01T00:00:00.000Z" } = remark ??
        {};
      const { on: of = on, text } = remark ?? {};
      await box.send({
        source: plainOf(new Uint8Array(guest.random(16))),
        about: {
          name: "remark",
          mime: "application/octet-stream",
          ...saying,
          ...(remark === undefined ? {} : {
            remark: {
              id,
              at,
              on: of,
              ...(text === undefined ? {} : { text }),
            },
          }),
        },
      });
    };
    await work({
      ...{ wire, ada, phone, albumId, photoId, opaqueId, url },
      ...{ half, guest, on },
      ...{ shown, rounds, send },
    });
  });
}

const said = (library: Library, photoId: string) =>
  remarksOn(library, photoId).map(({ guest, kind, text }) =>
    `${guest?.name} ${text ?? kind}`
  );

Deno.test("what a guest says by a link is taken in by any device, is in the album and by the link with the typed name, and waits in no inbox", async () => {
  await withLink(async (cast) => {
    const { ada, phone, photoId, opaqueId, half, guest, on, ...rest } = cast;
    const { shown, rounds } = rest;
    await sayAsGuest(guest, half, { on, from: "Grandma", text: "Schön!" });
    await sayAsGuest(guest, half, { on, from: "Uncle" });
    assert.deepEqual(await ada.inbox(), []);
    await rounds(phone);
    assert.deepEqual(await shown(), ["Grandma: Schön!", "Uncle ♥"]);
    await rounds(ada);
    for (const library of [ada, phone]) {
      assert.deepEqual(said(library, photoId), [
        "Grandma Schön!",
        "Uncle heart",
      ]);
    }
    // What else changes the link keeps them.
    assert.equal(await ada.keepShareAt(opaqueId, [photoId]), false);
    // The link has its room back, and the owner's heart is another one.
    assert.equal((await ada.requests())[0]?.files_used, 0);
    await addRemark(ada, photoId);
    assert.equal(remarksOn(ada, photoId).length, 3);
    await takeHeartBack(ada, photoId);
    assert.deepEqual(said(ada, photoId), ["Grandma Schön!", "Uncle heart"]);
    await rounds(ada);
    assert.deepEqual(await shown(), ["Grandma: Schön!", "Uncle ♥"]);
  });
});

Deno.test("what guests said waits in the inbox where no device takes it in, so that it can be refused", async () => {
  await withLink(async ({ ada, opaqueId, half, guest, on, rounds }) => {
    await sayAsGuest(guest, half, { on, from: "Grandma", text: "late" });
    await ada.revokeShare(opaqueId);
    await rounds(ada);
    const [one] = await ada.inbox();
    assert(one !== undefined && one.file === undefined);
    await assert.rejects(
      ada.accept(one.opaqueId, one.uploadId),
      DocumentError,
    );
    await ada.refuse(one.opaqueId, one.uploadId);
    assert.deepEqual(await ada.inbox(), []);
  });
});

Deno.test("a guest takes back what was said in the same browser, and the owner what any guest said", async () => {
  await withLink(async (cast) => {
    const { ada, phone, photoId, half, guest, on, shown, rounds, send } = cast;
    const mine = { on, from: "Grandma", text: "mine" };
    const { token, id } = await sayAsGuest(guest, half, mine);
    await sayAsGuest(guest, half, { ...mine, text: "rude" });
    await rounds(ada);
    await rounds(phone);
    // Everyone sees its id: that takes nothing back.
    await send({ takes_back: id });
    await send({ takes_back: toHex(guest.random(16)) });
    await rounds(phone);
    assert.deepEqual(await shown(), ["Grandma: mine", "Grandma: rude"]);
    await takeBackAsGuest(guest, half, token);
    await rounds(phone);
    assert.deepEqual(await shown(), ["Grandma: rude"]);
    await ada.sync();
    const [rude] = remarksOn(ada, photoId);
    assert(rude?.removable);
    await removeRemarks(ada, [rude.id]);
    await rounds(ada);
    assert.deepEqual(await shown(), []);
    await rounds(phone);
    assert.deepEqual(remarksOn(phone, photoId), []);
  });
});

Deno.test("a guest's take-back counts for words that wait, in whatever order they come, and for words that another device stored and this one does not know", async () => {
  await withLink(async (cast) => {
    const { wire, ada, phone, half, guest, on, shown, rounds, send } = cast;
    const token = toHex(guest.random(16));
    await takeBackAsGuest(guest, half, token);
    const id = remarkId(token);
    await send({ from: "Grandma", remark: { id, text: "never" } });
    await send({ from: "Grandma", remark: { id: idOfTest(1), text: "stays" } });
    await rounds(ada);
    assert.deepEqual(await shown(), ["Grandma: stays"]);
    // The laptop stores it, and the phone looks before it knows.
    await phone.sync();
    const mine = { on, from: "Grandma", text: "mine" };
    const { token: other } = await sayAsGuest(guest, half, mine);
    await followLinks(ada);
    await takeBackAsGuest(guest, half, other);
    await followLinks(phone);
    await rounds(phone);
    assert.deepEqual(await shown(), ["Grandma: stays"]);
    // It waits until a sync that began later brought nothing of it.
    assert.equal((await ada.requests())[0]?.files_used, 1);
    wire.app.clock.advance(10 * MINUTE_MS);
    await rounds(phone);
    assert.equal((await ada.requests())[0]?.files_used, 0);
    await rounds(ada);
    assert.deepEqual(await shown(), ["Grandma: stays"]);
  });
});

Deno.test("what a guest says of a photo whose item only newer programs can read waits for one, and of no photo is refused", async () => {
  await withLink(async (cast) => {
    const { wire, ada, albumId, opaqueId, url, half, guest, on, ...rest } =
      cast;
    const { shown, rounds, send } = rest;
    await take(ada, "b", albumId);
    await rounds(ada);
    const newer = (items: readonly Record<string, unknown>[]) =>
      items.map((item) => item.hash === on ? { ...item, chunk_size: 1 } : item);
    const { index } = await seenByLink(wire, url);
    const kept = index.items.find(({ hash }) => hash === on);
    await giveNewer(wire, ada, { url, opaqueId }, newer);
    await sayAsGuest(guest, half, { on, from: "Grandma", text: "new" });
    // No item names what this is about.
    const nothing = { id: idOfTest(1), on: "f".repeat(64), text: "in the way" };
    await send({ from: "Eve", remark: nothing });
    await rounds(ada);
    assert.equal((await ada.requests())[0]?.files_used, 1);
    await giveNewer(
      wire,
      ada,
      { url, opaqueId },
      (items) =>
        items.map((item) =>
          item.hash === on ? { ...item, chunk_size: kept?.chunk_size } : item
        ),
    );
    wire.app.clock.advance(10 * MINUTE_MS);
    await rounds(ada);
    assert.deepEqual(await shown(), ["Grandma: new"]);
  });
});

Deno.test("what is deleted leaves items that only newer programs can read, and all of it while guests may say nothing", async () => {
  await withLink(async (cast) => {
    const { wire, ada, albumId, photoId, opaqueId, url, half, on, ...rest } =
      cast;
    const { guest, rounds } = rest;
    await take(ada, "b", albumId);
    for (const text of ["rude", "kind"]) {
      await sayAsGuest(guest, half, { on, from: "Grandma", text });
    }
    await rounds(ada);
    await giveNewer(
      wire,
      ada,
      { url, opaqueId },
      (items) =>
        items.map((item) =>
          item.hash === on ? { ...item, chunk_size: 1 } : item
        ),
    );
    /** What is said in the item that cannot be read. */
    const unread = async () => {
      const { index } = await seenByLink(wire, url);
      return (index.unread ?? []).map(({ item }) =>
        JSON.stringify(item).match(/(?<="text":")[a-z]*/g)
      );
    };
    assert.deepEqual(await unread(), [["rude", "kind"]]);
    const rude = remarksOn(ada, photoId).find(({ text }) => text === "rude");
    await removeRemarks(ada, [rude?.id ?? ""]);
    await rounds(ada);
    assert.deepEqual(await unread(), [["kind"]]);
    await ada.followList(opaqueId, { reacts: false });
    await rounds(ada);
    assert.deepEqual(await unread(), [null]);
  });
});

Deno.test("what is deleted leaves the link at once, although it was changed a moment ago", async () => {
  await withLink(async (cast) => {
    const { ada, photoId, half, guest, on, shown, rounds } = cast;
    await sayAsGuest(guest, half, { on, from: "Grandma", text: "rude" });
    await rounds(ada);
    assert.deepEqual(await shown(), ["Grandma: rude"]);
    await removeRemarks(ada, remarksOn(ada, photoId).map(({ id }) => id));
    await followLinks(ada);
    assert.deepEqual(await shown(), []);
  });
});

Deno.test("what was deleted does not come back, no matter who sends it again", async () => {
  await withLink(async (cast) => {
    const { ada, photoId, shown, rounds, send } = cast;
    const again = () =>
      send({ from: "Eve", remark: { id: idOfTest(1), text: "rude" } });
    await again();
    await rounds(ada);
    const [rude] = remarksOn(ada, photoId);
    await removeRemarks(ada, [rude?.id ?? ""]);
    // As a server could, which keeps what was sent.
    await again();
    await rounds(ada);
    assert.deepEqual(await shown(), []);
    assert.equal((await ada.requests())[0]?.files_used, 0);
  });
});

Deno.test("what two devices take in at once is said once, and is deleted from both", async () => {
  await withLink(async (cast) => {
    const { wire, ada, phone, photoId, half, guest, on, shown, rounds } = cast;
    await sayAsGuest(guest, half, { on, from: "Grandma", text: "once" });
    wire.intercept = (request) => {
      if (!request.url.includes("/ops")) return undefined;
      wire.intercept = undefined;
      return (async () => {
        await rounds(phone);
        return await wire.fetch(request.url, {
          method: request.method,
          headers: request.headers,
          body: await request.text(),
        });
      })();
    };
    await rounds(ada);
    assert.equal(wire.intercept, undefined);
    for (const device of [ada, phone]) await rounds(device);
    assert.equal(ada.index.apart().length, 2);
    assert.deepEqual(said(ada, photoId), ["Grandma once"]);
    assert.deepEqual(await shown(), ["Grandma: once"]);
    const [{ id } = { id: "" }] = remarksOn(ada, photoId);
    // As on a device that deletes before it hears of the other copy.
    await ada.trash(id);
    assert.deepEqual(said(ada, photoId), []);
    await removeRemarks(ada, [id]);
    for (const device of [phone, ada]) await rounds(device);
    assert.deepEqual([ada.index.apart().length, await shown()], [0, []]);
  });
});

Deno.test("of what guests send, what has no name, too much text or no photo of the link is deleted, and stops nothing else", async () => {
  await withLink(async (cast) => {
    const { ada, albumId, photoId, opaqueId, on, ...rest } = cast;
    const { shown, rounds, send } = rest;
    const { row: other } = await ada.take({
      source: plainOf(photo("elsewhere")),
      about: { name: "elsewhere.jpg", mime: "image/jpeg" },
    });
    const elsewhere = other.blobs.find(({ role }) => role === "original");
    const from = "Eve";
    await send({ remark: { id: idOfTest(1) } });
    await send({ from: " ", remark: { id: idOfTest(2) } });
    await send({ from: "E\nve", remark: { id: idOfTest(3) } });
    await send({ from: "E".repeat(101), remark: { id: idOfTest(4) } });
    await send({
      from,
      remark: { id: idOfTest(5), on: elsewhere?.hash ?? "" },
    });
    await send({ from, remark: { id: idOfTest(6), on: "0".repeat(64) } });
    await send({ from: "Grandma", remark: { id: idOfTest(7), text: "fine" } });
    // What has been said is not said again, nor changed.
    await send({ from, remark: { id: idOfTest(7), text: "changed" } });
    for (const name of [" ", "E\nve", "E".repeat(101)]) {
      const said = sayAsGuest(rest.guest, rest.half, { on, from: name });
      await assert.rejects(said, DocumentError);
    }
    for (const text of ["", "x".repeat(1_001), "Scho\u0308n"]) {
      const sent = send({ from, remark: { id: idOfTest(8), text } });
      await assert.rejects(sent, DocumentError);
    }
    await rounds(ada);
    assert.deepEqual(await shown(), ["Grandma: fine"]);
    assert.equal(ada.index.apart().length, 1);
    assert.equal(ada.state.held.links[opaqueId]?.said, 1);
    assert.equal((await ada.requests())[0]?.files_used, 0);
    assert.equal(ada.index.get(photoId)?.metadata?.name, "a.jpg");
    assert.equal(ada.list().length, 2);
    // It was not written before it was sent.
    const [{ at } = { at: 0 }] = remarksOn(ada, photoId);
    assert.equal(at, Date.parse("2026-01-01T00:00:00Z"));
    await send({
      from,
      remark: { id: idOfTest(9), at: "2099-01-01T00:00:00.000Z", on },
    });
    await rounds(ada);
    const latest = remarksOn(ada, photoId).at(-1);
    assert((latest?.at ?? Infinity) < Date.parse("2099-01-01T00:00:00Z"));
    assert.equal(latest?.album, albumId);
  });
});

Deno.test("a link whose owner lets no one react, or an album whose comments are off, takes nothing in and shows nothing; on again, what was said is there", async () => {
  await withLink(async (cast) => {
    const { wire, ada, albumId, photoId, opaqueId, half, guest, on } = cast;
    const { shown, rounds } = cast;
    const say = (text: string) =>
      sayAsGuest(guest, half, { on, from: "Grandma", text });
    await say("first");
    await rounds(ada);
    await ada.albums.describe(albumId, { title: "Lake", remarks: false });
    await rounds(ada);
    assert.deepEqual(await shown(), []);
    await say("while off");
    await rounds(ada);
    const { url } = await shareBothWays(ada, {
      assetIds: [photoId],
      follows: `album/${albumId}`,
      gives: {},
    });
    const { adds } = (await seenByLink(wire, url)).index;
    assert.deepEqual([adds === undefined, adds?.reacts], [false, undefined]);
    await ada.albums.describe(albumId, { title: "Lake", remarks: true });
    await rounds(ada);
    assert.deepEqual(await shown(), ["Grandma: first"]);
    await ada.followList(opaqueId, { reacts: false });
    await say("not allowed");
    await rounds(ada);
    assert.deepEqual(await shown(), []);
    await ada.followList(opaqueId, { reacts: true });
    await rounds(ada);
    assert.deepEqual(await shown(), ["Grandma: first"]);
    assert.equal((await ada.requests())[0]?.files_used, 0);
  });
});

Deno.test("a link takes in no more than 2,000 things in its life, and a bounded number at once", async () => {
  await withLink(async (cast) => {
    const { ada, opaqueId, shown, rounds, send } = cast;
    for (let n = 0; n < 3; n++) {
      await send({ from: "Eve", remark: { id: idOfTest(n) } });
    }
    await rounds(ada, FEW);
    assert.equal((await shown()).length, 2);
    await rounds(ada, FEW);
    assert.equal((await shown()).length, 3);
    assert.equal(ada.state.held.links[opaqueId]?.said, 3);
    await ada.state.change((held) => {
      const link = held.links[opaqueId] ?? { title: "", at: "" };
      const full = { ...link, said: 1_999, at: "2099-01-01T00:00:00.000Z" };
      return { ...held, links: { ...held.links, [opaqueId]: full } };
    });
    for (const n of [100, 101]) {
      await send({ from: "Eve", remark: { id: idOfTest(n) } });
    }
    await rounds(ada);
    assert.equal((await shown()).length, 4);
    assert.equal((await ada.requests())[0]?.files_used, 0);
    for (let n = 0; n < 3; n++) {
      await send({ from: "Eve", remark: { id: idOfTest(0) } });
    }
    await rounds(ada, FEW);
    assert.equal((await ada.requests())[0]?.files_used, 1);
    await rounds(ada, FEW);
    assert.equal((await ada.requests())[0]?.files_used, 0);
  });
});

Deno.test("a link that stays as it is, and one to a private album, show what guests say, too", async () => {
  await withLink(async (cast) => {
    const { ada, photoId, opaqueId, half, guest, on, shown, rounds } = cast;
    await ada.followList(opaqueId, { still: true });
    await sayAsGuest(guest, half, { on, from: "Grandma", text: "still" });
    await rounds(ada);
    assert.deepEqual(await shown(), ["Grandma: still"]);
    assert.deepEqual(said(ada, photoId), ["Grandma still"]);
    assert.equal(remarkRights(ada, photoId), "none");
    await assert.rejects(addRemark(ada, photoId), DocumentError);
  }, "collection");
});

Deno.test("what the server refuses to store of one link waits, and the photos of links go on", async () => {
  await withLink(async (cast) => {
    const { wire, ada, albumId, opaqueId, half, guest, on, ...rest } = cast;
    const { shown, rounds } = rest;
    await sayAsGuest(guest, half, { on, from: "Grandma", text: "later" });
    wire.intercept = (request) =>
      request.method === "POST" && request.url.includes("/ops")
        ? Promise.resolve(
          new Response(
            JSON.stringify({
              type: "about:blank",
              status: 422,
              code: "error.account.limit_reached",
            }),
            {
              status: 422,
              headers: { "content-type": "application/problem+json" },
            },
          ),
        )
        : undefined;
    await rounds(ada);
    wire.intercept = undefined;
    await take(ada, "b", albumId);
    await rounds(ada);
    assert.deepEqual(await shown(), []);
    wire.app.clock.advance(600_000);
    await rounds(ada);
    assert.deepEqual(await shown(), ["Grandma: later"]);
    // It counts once, however often it was tried.
    assert.equal(ada.state.held.links[opaqueId]?.said, 1);
  });
});

Deno.test("a round reads a link's index once, however many words wait", async () => {
  await withLink(async (cast) => {
    const { wire, ada, albumId, opaqueId, url, on, rounds, send } = cast;
    await take(ada, "b", albumId);
    await rounds(ada);
    await giveNewer(
      wire,
      ada,
      { url, opaqueId },
      (items) =>
        items.map((item) =>
          item.hash === on ? { ...item, chunk_size: 1 } : item
        ),
    );
    for (let n = 0; n < 3; n++) {
      await send({ from: "Eve", remark: { id: idOfTest(n) } });
    }
    const before = wire.sent.length;
    await takeRemarks(ada, FEW);
    const read = wire.sent.slice(before).filter((one) =>
      /^GET .*\/shares?\b/.test(one)
    );
    assert(read.length > 0);
    assert.equal(new Set(read).size, read.length, read.join("\n"));
    assert.equal((await ada.requests())[0]?.files_used, 3);
  });
});

Deno.test("a guest's take-back waits as long as something waits that only newer programs can read", async () => {
  await withLink(async ({ wire, ada, half, guest, rounds }) => {
    const { opaqueId = "", gate } = parseUploadLink(half) ?? {};
    assert(gate !== undefined);
    await takeBackAsGuest(guest, half, toHex(guest.random(16)));
    await forgeGuestFile(wire, { opaqueId }, { name: "newer", gate, v: 2 });
    const waiting = async () => (await ada.requests())[0]?.files_used;
    const pass = async () => {
      for (let count = 0; count < 3; count++) {
        wire.app.clock.advance(10 * MINUTE_MS);
        await rounds(ada);
      }
    };
    await pass();
    assert.equal(await waiting(), 2);
    const newer = (await ada.inbox()).find(({ file }) => file === undefined);
    await ada.refuse(opaqueId, newer?.uploadId ?? "");
    await pass();
    assert.equal(await waiting(), 0);
  });
});

Deno.test("a guest's take-back waits until the device has opened all that waits, however much it is", async () => {
  await withLink(async (cast) => {
    const { wire, ada, half, guest, shown, rounds, send } = cast;
    const token = toHex(guest.random(16));
    await takeBackAsGuest(guest, half, token);
    await rounds(ada, FEW);
    for (let count = 0; count < 6; count++) {
      await send({ takes_back: toHex(guest.random(16)) });
    }
    const id = remarkId(token);
    await send({ from: "Grandma", remark: { id, text: "never" } });
    // A round refuses at most two of the eight.
    for (let count = 0; count < 6; count++) {
      wire.app.clock.advance(10 * MINUTE_MS);
      await rounds(ada, FEW);
    }
    assert.deepEqual(await shown(), []);
    assert.equal(ada.index.apart().length, 0);
    assert.equal((await ada.requests())[0]?.files_used, 0);
  });
});

Deno.test("what a guest says of a photo that the link shows waits while the photo does not open on the device, or the server does not have it", async () => {
  await withLink(async (cast) => {
    const { wire, ada, photoId, half, guest, on, shown, rounds } = cast;
    const row = ada.index.get(photoId);
    assert(row !== undefined);
    const waiting = async () => (await ada.requests())[0]?.files_used;
    await sayAsGuest(guest, half, { on, from: "Grandma", text: "kept" });
    for (
      const change of [
        { metadata: undefined },
        { state: "missing" },
        { state: "withheld" },
      ] as const
    ) {
      ada.index.put({ ...row, ...change });
      wire.app.clock.advance(10 * MINUTE_MS);
      await takeRemarks(ada);
      assert.equal(await waiting(), 1);
    }
    ada.index.put(row);
    wire.app.clock.advance(10 * MINUTE_MS);
    await rounds(ada);
    assert.deepEqual(await shown(), ["Grandma: kept"]);
    await sayAsGuest(guest, half, { on, from: "Grandma", text: "late" });
    ada.index.put({ ...row, state: "deleted" });
    await takeRemarks(ada);
    assert.equal(await waiting(), 0);
  });
});

Deno.test("while only newer programs can read a link's index, guests' words wait, and what they take back is deleted", async () => {
  await withLink(async (cast) => {
    const { wire, ada, photoId, opaqueId, url, half, guest, on } = cast;
    const { rounds } = cast;
    const mine = { on, from: "Grandma", text: "mine" };
    const { token } = await sayAsGuest(guest, half, mine);
    await rounds(ada);
    assert.deepEqual(said(ada, photoId), ["Grandma mine"]);
    await giveNewer(wire, ada, { url, opaqueId }, (items) => items, { v: 2 });
    await sayAsGuest(guest, half, { on, from: "Grandma", text: "waits" });
    await takeBackAsGuest(guest, half, token);
    await takeRemarks(ada);
    assert.deepEqual(said(ada, photoId), []);
    assert.equal((await ada.requests())[0]?.files_used, 1);
  });
});

Deno.test("words of a guest that could not be stored are not taken in later if they were taken back meanwhile", async () => {
  await withLink(async (cast) => {
    const { wire, ada, phone, photoId, half, guest, on, ...rest } = cast;
    const { shown, rounds } = rest;
    const mine = { on, from: "Grandma", text: "mine" };
    const { token } = await sayAsGuest(guest, half, mine);
    // As if this device did not know the photo's album.
    const row = ada.index.get(photoId);
    assert(row !== undefined);
    ada.index.put({ ...row, album: crypto.randomUUID() });
    await takeRemarks(ada);
    ada.index.put(row);
    wire.app.clock.advance(MINUTE_MS);
    await takeBackAsGuest(guest, half, token);
    for (let count = 0; count < 3; count++) {
      wire.app.clock.advance(10 * MINUTE_MS);
      await rounds(ada);
    }
    assert.equal((await ada.requests())[0]?.files_used, 2);
    // As a program that has just begun.
    await rounds(phone);
    assert.deepEqual(await shown(), []);
    assert.equal((await ada.requests())[0]?.files_used, 1);
  });
});

Deno.test("guests' words wait, however many they are, on a device that does not know the link's index yet", async () => {
  await withLink(async (cast) => {
    const { ada, phone, albumId, shown, rounds, send } = cast;
    await take(phone, "b", albumId);
    await rounds(phone);
    for (let n = 0; n < 5; n++) {
      await send({ from: "Guest", remark: { id: idOfTest(n) } });
    }
    await takeRemarks(ada, FEW);
    assert.equal((await ada.requests())[0]?.files_used, 5);
    await rounds(phone);
    assert.equal((await shown()).length, 5);
  });
});
