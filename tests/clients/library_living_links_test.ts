/**
 * Links that show what comes later: every device brings them to their albums,
 * and nothing that is not in the album gets into them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { keepLinksAfter } from "../../src/cli/person/following.ts";
import { followLinks } from "../../src/library/sharing/following_links.ts";
import { DAY_MS, toRfc3339 } from "../../src/core/time.ts";
import { shareBothWays } from "../../src/library/sharing/both_ways.ts";
import { type Library, openGuestBox, plainOf } from "../../src/library/mod.ts";
import { ORIGIN, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  platformOn,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { photo, take } from "../support/album_cast.ts";
import {
  buildUploadLink,
  parseUploadLink,
} from "../../src/client/documents/upload_link.ts";
import { forgeGuestFile, secondDevice } from "../support/library_sharing.ts";
import { seenByLink } from "../support/link_viewer.ts";

interface Cast {
  readonly wire: Wire;
  /** Two devices of one person; both know what is hidden. */
  readonly ada: Library;
  readonly phone: Library;
  readonly albumId: string;
  readonly opaqueId: string;
  /** The names of what the link shows. */
  readonly names: () => Promise<readonly string[]>;
  /** What a device does within a minute: it syncs, and refreshes the link. */
  readonly rounds: (device: Library) => Promise<void>;
}

/** An album with a photo, `a`, and a living link to it. */
async function withLink(work: (cast: Cast) => Promise<void>): Promise<void> {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id: albumId } = await ada.albums.create({ title: "Lake" });
    const { row: { id } } = await take(ada, "a", albumId);
    const { url, opaqueId } = await ada.share({
      assetIds: [id],
      title: "Lake",
      follows: `album/${albumId}`,
      gives: {},
    });
    const phone = await secondDevice(wire, ada, "ada");
    for (const device of [phone, ada, phone, ada]) await device.sync();
    const names = async () => (await seenByLink(wire, url)).names.toSorted();
    const rounds = async (device: Library) => {
      wire.app.clock.advance(30_000);
      await device.sync();
      await followLinks(device);
    };
    await work({ wire, ada, phone, albumId, opaqueId, names, rounds });
  });
}

Deno.test("a link to an album shows what any device adds, and nothing that was hidden, removed or deleted", async () => {
  await withLink(async ({ ada, phone, albumId, names, rounds }) => {
    const { row: { id: b } } = await take(phone, "b", albumId);
    const { row: { id: c } } = await take(phone, "c", albumId);
    const { row: { id: d } } = await take(phone, "d", albumId);
    await phone.take(fileOf("elsewhere.jpg", photo("elsewhere")));
    await rounds(ada);
    assert.deepEqual(await names(), ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]);

    await phone.flags.change([b], { hidden: true });
    await phone.trash(c);
    await phone.takeOutOf([d]);
    await rounds(ada);
    assert.deepEqual(await names(), ["a.jpg"]);

    await phone.flags.change([b], { hidden: false });
    await rounds(phone);
    assert.deepEqual(await names(), ["a.jpg", "b.jpg"]);
  });
});

Deno.test("a link that is to stay as it is does, until it is to follow again; one that is over is left alone", async () => {
  await withLink(async (cast) => {
    const { ada, phone, albumId, opaqueId, names, rounds } = cast;
    await ada.followList(opaqueId, { still: true });
    await take(ada, "b", albumId);
    await followLinks(ada);
    await rounds(phone);
    assert.deepEqual(await names(), ["a.jpg"]);
    await phone.followList(opaqueId, { still: false });
    await followLinks(phone);
    assert.deepEqual(await names(), ["a.jpg", "b.jpg"]);
    await ada.revokeShare(opaqueId);
    await rounds(phone);
    assert.equal((await phone.shares()).length, 0);
  });
});

Deno.test("of two devices that refresh at once none loses the other's photo", async () => {
  await withLink(async ({ ada, phone, albumId, opaqueId, names, rounds }) => {
    await followLinks(ada);
    const [a] = ada.list();
    await take(ada, "b", albumId);
    await followLinks(ada);
    assert.deepEqual(await names(), ["a.jpg", "b.jpg"]);
    // The phone does not know of it yet, writes the link, and is off then.
    await phone.sync();
    assert.equal(await phone.keepShareAt(opaqueId, [a?.id ?? ""]), true);
    assert.deepEqual(await names(), ["a.jpg"]);
    // The laptop's list is what it was: it sees that another wrote the link.
    await rounds(ada);
    assert.deepEqual(await names(), ["a.jpg", "b.jpg"]);
  });
});

Deno.test("two devices that refresh at the same moment leave no index behind, nor does a link that ends then", async () => {
  await withLink(async ({ wire, ada, phone, opaqueId, rounds }) => {
    const indexes = async () => {
      await ada.sync();
      return [...ada.index.rows()].filter(({ metadata, state }) =>
        metadata?.link === opaqueId && state === "live"
      ).length;
    };
    const collide = async () => {
      for (const device of [ada, phone]) await device.sync();
      wire.intercept = (request) => {
        if (request.method !== "PATCH") return undefined;
        wire.intercept = undefined;
        return (async () => {
          // The other one is a moment faster.
          assert.equal(await phone.keepShareAt(opaqueId, []), true);
          return await wire.fetch(request.url, {
            method: request.method,
            headers: request.headers,
            body: await request.text(),
          });
        })();
      };
      const [{ id = "" } = {}] = ada.list();
      await ada.amend(id, { about: { caption: `at ${wire.app.clock.now}` } });
      assert.equal(await ada.keepShareAt(opaqueId, [id]), true);
      assert.equal(wire.intercept, undefined);
    };
    await collide();
    assert.equal(await indexes(), 2);
    // Not while the other device may still be about to show it.
    await rounds(ada);
    assert.equal(await indexes(), 2);
    wire.app.clock.advance(600_000);
    await ada.keepShareAt(opaqueId, ada.list().map(({ id }) => id));
    assert.equal(await indexes(), 1);
    await collide();
    assert.equal(await indexes(), 2);
    await ada.revokeShare(opaqueId);
    assert.equal(await indexes(), 0);
  });
});

Deno.test("a photo that only the server says was restored is not shown", async () => {
  await withLink(async ({ ada, phone, albumId, names, rounds }) => {
    const { row } = await take(ada, "b", albumId);
    await rounds(ada);
    assert.deepEqual(await names(), ["a.jpg", "b.jpg"]);
    await ada.trash(row.id);
    await rounds(ada);
    assert.deepEqual(await names(), ["a.jpg"]);
    // As a server could by itself: no device of hers noted it.
    await ada.vault.session.account.restoreAsset(row.id);
    for (const device of [ada, phone]) await rounds(device);
    assert.equal(phone.index.get(row.id)?.state, "live");
    assert.deepEqual(await names(), ["a.jpg"]);
  });
});

Deno.test("a link that gives originals gives those that come later as well, and one that does not gives smaller copies or none", async () => {
  await withLink(async ({ wire, ada, albumId, names, rounds }) => {
    const [a] = ada.list();
    const { url } = await ada.share({
      assetIds: [a?.id ?? ""],
      follows: `album/${albumId}`,
      places: "kept",
      gives: {},
    });
    const place = { latitude: 45.9, longitude: 9.2 };
    const { row: b } = await take(ada, "b", albumId);
    await ada.amend(b.id, { about: { place } });
    await rounds(ada);
    assert.deepEqual(await names(), ["a.jpg"]);
    const { files, index } = await seenByLink(wire, url);
    assert.deepEqual(files.length, 2);
    assert.deepEqual(
      index.items.map(({ name }) => name).toSorted(),
      ["a.jpg", "b.jpg"],
    );
  });
});

Deno.test("a push whose links cannot be brought up to date at its end says so once, and is no failure", async () => {
  await withLink(async ({ wire, ada: library, albumId, names }) => {
    await take(library, "b", albumId);
    const warned: string[] = [];
    const warn = (text: string) => void warned.push(text);
    wire.intercept = () => Promise.reject(new TypeError("no network"));
    await keepLinksAfter({ library, warn });
    assert.deepEqual(warned, [
      "links to lists are brought up to date at the next run",
    ]);
    wire.intercept = undefined;
    wire.app.clock.advance(60_000);
    await keepLinksAfter({ library, warn });
    assert.equal(warned.length, 1);
    assert.deepEqual(await names(), ["a.jpg", "b.jpg"]);
  });
});

Deno.test("the upload half of a link ends before it, when the link is to end earlier, and where it ended by itself", async () => {
  await withLink(async ({ wire, ada, albumId }) => {
    const assetIds = ada.list().map(({ id }) => id);
    const both = () =>
      shareBothWays(ada, { assetIds, follows: `album/${albumId}`, gives: {} });
    const earlier = await both();
    const later = toRfc3339(wire.app.clock.now + 80 * DAY_MS);
    await ada.changeShare(earlier.opaqueId, { expiresAt: null });
    assert.equal((await ada.requests()).length, 1);
    await ada.changeShare(earlier.opaqueId, { expiresAt: later });
    assert.deepEqual(await ada.requests(), []);
    // Its half is gone by now, and it ends all the same.
    await ada.revokeShare(earlier.opaqueId);

    const { opaqueId } = await both();
    const isGone: string[] = [];
    wire.intercept = (request, pass) => {
      if (request.method !== "DELETE") return undefined;
      isGone.push(new URL(request.url).pathname);
      return pass(request);
    };
    await ada.revokeShare(opaqueId);
    assert.match(isGone[0] ?? "", /upload/);
    assert.equal((await ada.shares()).length, 1);
  });
});

Deno.test("a guest's file counts by a link both ways if it shows what only the link says: the server, which knows the key, seals none", async () => {
  await withLink(async ({ wire, ada, phone, albumId }) => {
    const { url } = await shareBothWays(ada, {
      assetIds: ada.list().map(({ id }) => id),
      follows: `album/${albumId}`,
      gives: {},
    });
    const { adds } = (await seenByLink(wire, url)).index;
    assert(adds !== undefined);
    const { opaque_id: opaqueId, fingerprint, gate } = adds;
    await forgeGuestFile(wire, { opaqueId }, { name: "server.jpg" });
    const guess = gate.map((byte) => byte ^ 1);
    await forgeGuestFile(wire, { opaqueId }, {
      name: "guess.jpg",
      gate: guess,
    });
    const link = { origin: ORIGIN, opaqueId, fingerprint, gate };
    const device = platformOn({ fetch: wire.fetch, now: () => 0 }, "guest");
    const box = await openGuestBox(device, buildUploadLink(link));
    await box.send({
      source: plainOf(photo("grandma.jpg")),
      about: { name: "grandma.jpg", mime: "image/jpeg", from: "Grandma" },
    });
    // Another device knows it as well.
    await phone.sync();
    for (const device of [ada, phone]) {
      const waiting = await device.inbox();
      const names = waiting.map(({ file }) => file?.name ?? "");
      assert.deepEqual(names.toSorted(), ["", "", "grandma.jpg"]);
    }
    for (const { file, uploadId } of await ada.inbox()) {
      const accepted = ada.accept(opaqueId, uploadId, { albumId });
      if (file !== undefined) await accepted;
      else await assert.rejects(accepted, { name: "DocumentError" });
    }
    // The address in the list of links does the same.
    const [request] = await ada.requests();
    const listed = parseUploadLink(request?.url ?? "");
    assert.deepEqual(listed?.gate, gate);
  });
});

Deno.test("a round goes through the library once, however many links follow it", async () => {
  await withLink(async ({ ada, albumId }) => {
    const assetIds = ada.list().map(({ id }) => id);
    for (let n = 0; n < 3; n++) {
      await ada.share({ assetIds, follows: `album/${albumId}`, gives: {} });
    }
    let listed = 0;
    const counted = {
      ...ada,
      list() {
        listed += 1;
        return ada.list();
      },
    };
    await followLinks(counted);
    listed = 0;
    await followLinks(counted);
    assert.equal(listed, 1);
  });
});
