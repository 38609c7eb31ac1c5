/**
 * No own photo leaves the library without a record that the account itself
 * made: whatever else takes it away, it stays as a row and is told of.
 *
 * @module
 */
import assert from "node:assert/strict";
import { DAY_MS } from "../../src/core/time.ts";
import { type Library } from "../../src/library/mod.ts";
import type { Asset } from "../../src/wire/answers/assets.ts";
import { withTestApp } from "../support/app.ts";
import {
  idOf,
  invite,
  seen,
  take as takeInto,
  withCast,
} from "../support/album_cast.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { photo, secondDevice, take } from "../support/library_sharing.ts";
import { collect } from "../support/trash.ts";

/** A server that says of one asset that it was deleted for ever. */
function denies(wire: Wire, assetId: string): void {
  const later = new Map<string, number>();
  wire.intercept = (request, pass) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/sync") {
      return pass(request).then(async (answer) => {
        const page = await answer.json();
        const token = request.headers.get("Authorization") ?? "";
        // Each device is told once, at the end of what it reads.
        if (!page.more && !later.has(token)) {
          later.set(token, 1);
          page.next_after += 1;
          page.entries.push({
            sync_seq: page.next_after,
            action: "purge",
            asset_id: assetId,
            at: "2026-11-21T12:00:00Z",
          });
        }
        return Response.json(page);
      });
    }
    if (pathname.endsWith("/assets/query")) {
      return pass(request).then(async (answer) => {
        const { assets } = await answer.json();
        return Response.json({
          // deno-lint-ignore no-explicit-any -- the server's answer
          assets: assets.filter((one: any) => one.asset_id !== assetId),
        });
      });
    }
    if (!pathname.includes(assetId)) return undefined;
    const url = request.url.replace(assetId, crypto.randomUUID());
    return pass(new Request(url, request));
  };
}

/** A server that shows an asset as it was. */
function shows(wire: Wire, old: Asset): void {
  const isOf = (url: string) => new URL(url).pathname.includes(old.asset_id);
  wire.intercept = (request, pass) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/assets/query")) {
      return Promise.resolve(Response.json({ assets: [old] }));
    }
    if (pathname === "/v1/sync") {
      return pass(request).then(async (answer) => {
        const page = await answer.json();
        page.entries.push({
          sync_seq: page.next_after + 1,
          action: "replace",
          asset_id: old.asset_id,
          chain_head: old.chain_head,
          at: "2026-11-21T12:00:00Z",
        });
        return Response.json(page);
      });
    }
    return isOf(request.url) && request.method === "GET"
      ? Promise.resolve(Response.json(old))
      : undefined;
  };
}

/** The answer of a server that has no room. */
function refusal(): Response {
  return Response.json({
    type: "about:blank",
    status: 422,
    code: "error.storage.quota_exceeded",
  }, {
    status: 422,
    headers: { "Content-Type": "application/problem+json" },
  });
}

/** Does something between the next answer of the feed and what follows it. */
function afterFeed(wire: Wire, act: () => Promise<void>): void {
  wire.intercept = async (request, pass) => {
    const answer = await pass(request);
    if (new URL(request.url).pathname === "/v1/sync") {
      wire.intercept = undefined;
      await act();
    }
    return answer;
  };
}

const missingOf = (library: Library) =>
  library.missing().map(({ metadata }) => metadata?.name);

Deno.test("a photo that goes by the server's word alone stays as missing, with its receipts, until the server has it again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    const row = await take(laptop, "1");
    await take(laptop, "2");
    await phone.sync();
    denies(wire, row.id);
    for (const library of [laptop, phone]) {
      assert.deepEqual((await library.sync()).missing, [row.id]);
      // It counts every time, and not as a photo that is shown.
      assert.deepEqual((await library.sync()).missing, []);
      assert.deepEqual(missingOf(library), ["1.jpg"]);
      assert.equal(library.list().length, 1);
    }
    const { receipts, rows } = await laptop.lossReport();
    assert.deepEqual(rows.map(({ name }) => name), ["1.jpg"]);
    assert.equal(receipts.length, 3);
    assert.ok(receipts.every(({ asset_id }) => asset_id === row.id));
    // The lying stops.
    wire.intercept = undefined;
    app.clock.advance(3_600_000);
    for (const library of [laptop, phone]) {
      await library.sync();
      assert.deepEqual(missingOf(library), []);
      assert.equal(library.list().length, 2);
    }
  });
});

Deno.test("a photo that the server denied once is not stored twice when its file is added again, here or in an album", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const album = await laptop.albums.create({ title: "Summer" });
    const row = await take(laptop, "1");
    const { row: copy } = await laptop.copyInto(row.id, album.id);
    for (const { id } of [row, copy]) {
      denies(wire, id);
      await laptop.sync();
      assert.deepEqual(laptop.missing().map((one) => one.id), [id]);
      wire.intercept = undefined;
      const again = id === row.id
        ? await take(laptop, "1")
        : (await laptop.copyInto(row.id, album.id)).row;
      assert.equal(again.id, id);
      assert.deepEqual(missingOf(laptop), []);
      await laptop.sync();
      assert.equal(laptop.list().length, 2);
    }
  });
});

Deno.test("a device that asks for missing blobs learns at once that the server has them again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const row = await take(laptop, "1");
    denies(wire, row.id);
    await laptop.sync();
    wire.intercept = undefined;
    await laptop.sync();
    assert.deepEqual(missingOf(laptop), ["1.jpg"]);
    await laptop.sync({ asksForMissing: true });
    assert.deepEqual(missingOf(laptop), []);
  });
});

Deno.test("what this account deleted goes without a word on every device, and comes back when it is restored", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    const rows = [];
    for (const name of ["a", "b", "c", "d"]) {
      rows.push(await take(laptop, name));
    }
    const [a, b, c] = rows.map(({ id }) => id);
    await phone.sync();
    await laptop.noteDeletions([a ?? "", b ?? ""]);
    const sent = wire.sent.length;
    await laptop.trash(a ?? "");
    await laptop.trash(b ?? "");
    assert.ok(wire.sent.slice(sent).every((one) => !one.includes("/state/")));
    await laptop.purge(a ?? "");
    // By itself, when its time in the trash is over.
    app.clock.advance(40 * 86_400_000);
    await collect(app);
    await phone.trash(c ?? "");
    await phone.restore(c ?? "");
    for (const library of [phone, laptop, phone]) {
      const { missing } = await library.sync();
      assert.deepEqual([missing, missingOf(library)], [[], []]);
    }
    assert.equal(laptop.list().length, 2);
    assert.ok(laptop.deletions.has(b ?? ""));
    assert.ok(laptop.deletions.hasFile(rows[0]?.metadata?.sha256 ?? ""));
    // What was restored is not deleted any more.
    assert.ok(!laptop.deletions.has(c ?? ""));
    denies(wire, c ?? "");
    assert.deepEqual((await laptop.sync()).missing, [c]);
  });
});

Deno.test("a photo that is deleted while the feed still tells of its restore is missed by no device", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    const row = await take(laptop, "1");
    for (const library of [laptop, phone]) await library.sync();
    await laptop.trash(row.id);
    await laptop.restore(row.id);
    afterFeed(wire, () => laptop.trash(row.id));
    await laptop.sync();
    assert.ok(laptop.deletions.has(row.id));
    for (const library of [phone, laptop, phone]) {
      const { missing } = await library.sync();
      assert.deepEqual([missing, missingOf(library)], [[], []]);
    }
  });
});

/**
 * Two devices and a photo that was deleted, restored, and is being deleted
 * again. The phone knows of that, and has not read of the restore yet.
 */
async function withLateRestore(
  test: (cast: {
    readonly wire: Wire;
    readonly laptop: Library;
    readonly phone: Library;
    readonly row: { readonly id: string };
  }) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    const row = await take(laptop, "1");
    for (const library of [laptop, phone]) await library.sync();
    await laptop.trash(row.id);
    await laptop.restore(row.id);
    await laptop.noteDeletions([row.id]);
    await phone.deletions.read();
    await test({ wire, laptop, phone, row });
  });
}

Deno.test("a photo that is deleted again is missed by no device that read of its restore meanwhile", async () => {
  await withLateRestore(async ({ wire, laptop, phone, row }) => {
    await phone.sync();
    assert.equal(phone.index.get(row.id)?.state, "live");
    await laptop.trash(row.id);
    // What the phone believes until then goes to the others.
    await phone.trash((await take(phone, "2")).id);
    assert.deepEqual((await laptop.sync()).missing, []);
    const tablet = await secondDevice(wire, laptop, "ada", "tablet");
    for (const library of [phone, laptop, tablet, phone]) {
      const { missing } = await library.sync();
      assert.deepEqual([missing, missingOf(library)], [[], []]);
      assert.ok(library.deletions.has(row.id));
      assert.equal(library.trashed().length, 2);
    }
    await laptop.purge(row.id);
    for (const library of [phone, laptop, tablet]) {
      const { missing } = await library.sync();
      assert.deepEqual([missing, missingOf(library)], [[], []]);
      assert.equal(library.index.get(row.id), undefined);
    }
  });
});

Deno.test("a photo that a device finds in the trash when the feed tells of its restore is not missed there", async () => {
  await withLateRestore(async ({ wire, laptop, phone, row }) => {
    afterFeed(wire, () => laptop.trash(row.id));
    for (let times = 0; times < 2; times++) {
      const { missing } = await phone.sync();
      assert.deepEqual([missing, missingOf(phone)], [[], []]);
      assert.equal(phone.index.get(row.id)?.state, "deleted");
      assert.ok(phone.deletions.has(row.id));
    }
  });
});

Deno.test("a photo that is deleted for ever before another device reads of its second deletion is not missed there", async () => {
  await withLateRestore(async ({ laptop, phone, row }) => {
    await phone.sync();
    await laptop.trash(row.id);
    await laptop.purge(row.id);
    const { missing } = await phone.sync();
    assert.deepEqual([missing, missingOf(phone)], [[], []]);
    assert.equal(phone.index.size, 0);
  });
  await withLateRestore(async ({ wire, laptop, phone, row }) => {
    await phone.sync();
    await laptop.trash(row.id);
    afterFeed(wire, () => laptop.purge(row.id));
    const { missing } = await phone.sync();
    assert.deepEqual([missing, missingOf(phone)], [[], []]);
    assert.equal(phone.index.size, 0);
  });
});

Deno.test("a photo of which the server alone says that it was restored is missed when it goes, however often the server said so before", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    const row = await take(laptop, "1");
    await phone.sync();
    await laptop.trash(row.id);
    await phone.sync();
    const { account } = laptop.vault.session;
    // No program of the account notes any of this: a server can do it alone.
    const moveTo = async (...states: readonly ("live" | "trash")[]) => {
      for (const state of states) {
        if (state === "live") await account.restoreAsset(row.id);
        else await account.deleteAsset(row.id);
      }
      await phone.sync();
      const { deletions } = phone;
      const isLive = states.at(-1) === "live";
      assert.equal(deletions.isSaidRestored(row.id), isLive);
      assert.equal(deletions.has(row.id), !isLive);
      assert.deepEqual(missingOf(phone), []);
    };
    await moveTo("live");
    await moveTo("trash");
    await moveTo("live", "trash", "live");
    await moveTo("trash", "live");
    // What a device knows that heard less of it hides nothing.
    await take(laptop, "2");
    await laptop.trash((await take(laptop, "3")).id);
    denies(wire, row.id);
    assert.deepEqual((await phone.sync()).missing, [row.id]);
    assert.deepEqual(missingOf(phone), ["1.jpg"]);
  });
});

Deno.test("a photo that the server alone restored, and put into the trash when the person had long seen it, is missing there and when it goes", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    const row = await take(laptop, "1");
    await laptop.trash(row.id);
    await phone.sync();
    const { account } = laptop.vault.session;
    await account.restoreAsset(row.id);
    await phone.sync();
    app.clock.advance(DAY_MS);
    await account.deleteAsset(row.id);
    await phone.sync();
    assert.ok(phone.deletions.isSaidRestored(row.id));
    assert.deepEqual(missingOf(phone), ["1.jpg"]);
    denies(wire, row.id);
    await phone.sync();
    assert.deepEqual(missingOf(phone), ["1.jpg"]);
  });
});

Deno.test("a restore that a device noted holds, however often the server has the photo restored and in the trash", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    const row = await take(laptop, "1");
    await phone.sync();
    await laptop.trash(row.id);
    await phone.sync();
    wire.intercept = (request) =>
      request.method === "PUT" && request.url.endsWith("/state/deletions")
        ? Promise.resolve(refusal())
        : undefined;
    // Noted at the next millisecond, and on this device only.
    await laptop.deletions.undo([row.id]);
    wire.intercept = undefined;
    const { account } = phone.vault.session;
    for (let times = 0; times < 3; times++) {
      await account.restoreAsset(row.id);
      await phone.sync();
      await account.deleteAsset(row.id);
      await phone.sync();
    }
    await phone.trash((await take(phone, "2")).id);
    for (const library of [laptop, phone]) {
      await library.sync();
      assert.ok(!library.deletions.has(row.id));
    }
    denies(wire, row.id);
    for (const library of [laptop, phone]) {
      assert.deepEqual((await library.sync()).missing, [row.id]);
    }
  });
});

Deno.test("a deletion that the server takes no record of is done, and told to the other devices later", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    const row = await take(laptop, "1");
    await laptop.sync();
    await phone.sync();
    wire.intercept = (request) =>
      request.method === "PUT" && request.url.endsWith("/state/deletions")
        ? Promise.resolve(refusal())
        : undefined;
    await laptop.trash(row.id);
    assert.equal(laptop.index.get(row.id)?.state, "deleted");
    wire.intercept = undefined;
    await laptop.sync();
    await laptop.purge(row.id);
    await phone.sync();
    assert.deepEqual(missingOf(phone), []);
    assert.equal(phone.index.size, 0);
  });
});

Deno.test("what another program deletes without noting it is told of, on all devices, until it is given up", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const live = await take(laptop, "live");
    await laptop.sync();
    const { account } = laptop.vault.session;
    await account.deleteAsset(live.id);
    assert.deepEqual((await laptop.sync()).missing, [live.id]);
    assert.deepEqual(laptop.trashed(), []);
    // It comes back by itself where it was a mistake.
    await account.restoreAsset(live.id);
    await laptop.sync();
    assert.deepEqual(missingOf(laptop), []);
    await account.deleteAsset(live.id);
    await account.purgeAsset(live.id);
    assert.deepEqual((await laptop.sync()).missing, [live.id]);
    await laptop.giveUp([live.id]);
    assert.deepEqual(missingOf(laptop), []);
    assert.equal(laptop.index.size, 0);
  });
});

Deno.test("what the owner of an album deletes in it is not called missing, but removed by them", async () => {
  await withCast(async ({ wire, ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await bob.sync();
    const { row } = await takeInto(bob, "of bob", id);
    const { row: own } = await bob.take(fileOf("own.jpg", photo("own")));
    await seen(ada, id);
    await ada.trash(row.id);
    const report = await bob.sync();
    assert.deepEqual([report.missing, report.removed], [[], [row.id]]);
    await bob.vault.session.account.purgeAsset(row.id).catch(() => {});
    await bob.sync();
    assert.deepEqual(bob.removed().map((one) => one.id), [row.id]);
    assert.deepEqual(missingOf(bob), []);
    // Nothing of the library goes so, whatever the server says.
    denies(wire, own.id);
    assert.deepEqual((await bob.sync()).missing, [own.id]);
    assert.equal(idOf(bob), bob.index.get(own.id)?.owner);
  });
});

Deno.test("an older version of a photo does not replace the newest one, which is stored again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const row = await take(laptop, "1");
    const shown = await laptop.vault.session.account.asset(row.id);
    const old = { ...shown, sync_seq: shown.sync_seq + 20 };
    await laptop.amend(row.id, { about: { caption: "the newest" } });
    await laptop.sync();
    shows(wire, old);
    await laptop.sync();
    assert.deepEqual(missingOf(laptop), ["1.jpg"]);
    assert.equal(laptop.list()[0]?.metadata?.caption, "the newest");
    // The lying stops.
    wire.intercept = undefined;
    app.clock.advance(3_600_000);
    await laptop.sync();
    assert.deepEqual(missingOf(laptop), []);
    await laptop.amend(row.id, { about: { caption: "newer still" } });
  });
});

Deno.test("an older version of a photo in an album that its owner was removed from holds nothing up", async () => {
  await withCast(async ({ wire, ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await bob.sync();
    const { row } = await takeInto(bob, "of bob", id);
    const { account } = bob.vault.session;
    const shown = await account.asset(row.id);
    await bob.amend(row.id, { about: { caption: "the newest" } });
    await bob.sync();
    await ada.albums.remove(id, idOf(bob));
    await bob.sync();
    shows(wire, { ...shown, sync_seq: shown.sync_seq + 20 });
    await bob.sync();
    assert.deepEqual(missingOf(bob), ["of bob.jpg"]);
    wire.intercept = undefined;
    await take(bob, "another");
    await bob.sync();
    assert.ok(
      bob.list().some(({ metadata }) => metadata?.name === "another.jpg"),
    );
  });
});

Deno.test("a missing photo that is stored again keeps its marks, lists and words, and is missed by no device", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    const row = await take(laptop, "1");
    await laptop.amend(row.id, { about: { caption: "At the gate" } });
    await laptop.flags.change([row.id], { favourite: true });
    const list = await laptop.collections.create("Best", [row.id]);
    await phone.sync();
    denies(wire, row.id);
    await laptop.sync();
    await phone.sync();
    assert.deepEqual(missingOf(phone), ["1.jpg"]);
    const again = await phone.take(fileOf("1.jpg", photo("1")));
    assert.deepEqual([again.outcome, again.isBack], ["kept", true]);
    for (const library of [phone, laptop, phone]) await library.sync();
    for (const library of [phone, laptop]) {
      assert.deepEqual(missingOf(library), []);
      const [now] = library.list();
      assert.equal(now?.id, again.row.id);
      assert.equal(now?.metadata?.caption, "At the gate");
      assert.ok(now !== undefined && library.flags.of(now).favourite);
      assert.deepEqual(library.collections.get(list.id)?.assets, [now.id]);
    }
  });
});

Deno.test("a photo leaves an album for the trash where the library's copy is not confirmed at that moment", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    const { id } = await laptop.albums.create({ title: "Summer" });
    const row = await take(laptop, "1");
    const { row: copy } = await laptop.copyInto(row.id, id);
    await phone.sync();
    // The phone throws the library's copy away, and the laptop does not know.
    await phone.trash(row.id);
    await phone.purge(row.id);
    await laptop.takeOutOf([copy.id]);
    assert.deepEqual(laptop.trashed().map((one) => one.id), [copy.id]);
    const { state } = await laptop.vault.session.account.asset(copy.id);
    assert.equal(state, "deleted");

    // With a copy that the server confirms it is gone, and not missed.
    const other = await take(laptop, "2");
    const { row: second } = await laptop.copyInto(other.id, id);
    await phone.sync();
    await laptop.takeOutOf([second.id]);
    assert.equal(laptop.index.get(second.id), undefined);
    await phone.sync();
    assert.deepEqual(missingOf(phone), []);
    // A server that does not answer for the copy gets no purge either.
    const third = await take(laptop, "3");
    const { row: kept } = await laptop.copyInto(third.id, id);
    wire.intercept = (request, pass) =>
      request.url.endsWith("/storage/verify")
        ? pass(request).then(async (answer) => {
          const json = await answer.json();
          for (const one of json.verdicts) one.durable = false;
          return Response.json(json);
        })
        : undefined;
    await laptop.takeOutOf([kept.id]);
    assert.equal(laptop.index.get(kept.id)?.state, "deleted");
  });
});
