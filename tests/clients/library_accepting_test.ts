/**
 * A guest's file is never nowhere: whoever accepts it may be killed at any
 * moment, and two devices may accept the same bytes at once.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sql } from "kysely";
import type { AcceptOptions, Library } from "../../src/client/library/mod.ts";
import { withTestApp } from "../support/app.ts";
import { SMALL, startedAgain, twoDevices } from "../support/guest_inbox.ts";
import { wholeOf, type Wire, wireTo } from "../support/library.ts";
import { photo, secondDevice } from "../support/library_sharing.ts";
import { collect, DAY } from "../support/trash.ts";

const MINUTE = 60_000;

/** From its request `n` on, nothing of whoever is killed gets out. */
function killAt(wire: Wire, n: number): void {
  let left = n;
  wire.intercept = () => {
    if (left-- > 0) return undefined;
    throw new Error("killed");
  };
}

/**
 * A library accepts the first file that waits, and is killed when its manifest
 * is about to be sent; the id of the file's upload.
 */
async function acceptKilled(
  wire: Wire,
  { laptop, waiting, opaqueId }: Awaited<ReturnType<typeof twoDevices>>,
  options: AcceptOptions = SMALL,
): Promise<string> {
  const uploadId = waiting[0]?.uploadId ?? "";
  wire.intercept = (request) => {
    if (!new URL(request.url).pathname.endsWith("/ops")) return undefined;
    return Promise.reject(new Error("killed"));
  };
  await assert.rejects(laptop.accept(opaqueId, uploadId, options));
  wire.intercept = undefined;
  return uploadId;
}

/** How often a photo is in a library, each whole and with its small picture. */
async function timesThere(library: Library, name: string): Promise<number> {
  const rows = library.list().filter(({ metadata }) =>
    metadata?.name === `${name}.jpg`
  );
  for (const { id, metadata } of rows) {
    assert.deepEqual(await wholeOf(library.read(id)), photo(name));
    for (const { hash } of metadata?.derivatives ?? []) {
      const { stream } = await library.vault.session.account.blob(id, hash);
      await new Response(stream).arrayBuffer();
    }
  }
  return rows.length;
}

Deno.test("a file that was adopted by a killed program is there when the program is started again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const devices = await twoDevices(wire, ["gate"]);
    await acceptKilled(wire, devices);
    const again = await startedAgain(devices.device);
    assert.deepEqual(await again.inbox(), []);
    const { changed } = await again.sync();
    assert.equal(await timesThere(again, "gate"), 1);
    const [row] = again.list();
    assert.equal(row?.custody, "receipted");
    assert.equal(row?.metadata?.derivatives.length, 1);
    assert.deepEqual(changed, [row?.id]);
    // Accepted again in the same program, it is the same photo.
    assert.deepEqual(
      (await again.sync()).changed.filter((id) => id !== row?.id),
      [],
    );
    assert.equal(again.list().length, 1);
  });
});

Deno.test("a server that wants a guest's file sent again keeps nobody from syncing", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const devices = await twoDevices(wire, ["gate"]);
    await acceptKilled(wire, devices);
    // It says of what was adopted that no byte of it is there.
    let lies = 0;
    wire.intercept = async (request, pass) => {
      const response = await pass(request);
      const { pathname } = new URL(request.url);
      const creates = request.method === "POST" && pathname === "/v1/upload";
      if (!creates || !response.ok) return response;
      lies += 1;
      const { receipt: _, ...session } = await response.json();
      return Response.json({ ...session, state: "open", offset: 0 }, response);
    };
    const again = await startedAgain(devices.device);
    await again.sync();
    assert.ok(lies > 0);
    wire.intercept = undefined;
    const later = await startedAgain(devices.device);
    await later.sync();
    assert.equal(await timesThere(later, "gate"), 1);
  });
});

Deno.test("a file that was adopted by a killed program is taken by accepting it again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const devices = await twoDevices(wire, ["gate"]);
    const uploadId = await acceptKilled(wire, devices);
    const { laptop, opaqueId } = devices;
    const { outcome } = await laptop.accept(opaqueId, uploadId, SMALL);
    assert.equal(outcome, "kept");
    assert.equal(await timesThere(laptop, "gate"), 1);
  });
});

Deno.test("what a device that never comes back was accepting, another device of the account finishes weeks later", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const devices = await twoDevices(wire, ["gate"]);
    await acceptKilled(wire, devices);
    const { phone } = devices;
    // Just now it is left to the device that began.
    await phone.sync();
    assert.equal(await timesThere(phone, "gate"), 0);
    app.clock.now += 25 * DAY;
    await collect(app);
    await phone.sync();
    assert.equal(await timesThere(phone, "gate"), 1);
    assert.deepEqual(await phone.inbox(), []);
  });
});

Deno.test("killed at any request of accepting, a file is in the inbox or becomes a photo, once", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const { device, laptop, phone, opaqueId, send } = await twoDevices(
      wire,
      [],
    );
    let [program, hasEnded] = [laptop, false];
    const ends = { inbox: 0, photo: 0 };
    for (let n = 0; !hasEnded; n++) {
      assert.ok(n < 60);
      const name = `photo ${n}`;
      await send(name);
      const [one] = await program.inbox();
      killAt(wire, n);
      hasEnded = await program.accept(opaqueId, one?.uploadId ?? "", SMALL)
        .then(() => true, () => false);
      wire.intercept = undefined;
      app.clock.now += 6 * MINUTE;
      // Every other time the device that was killed never knows of it again.
      if (n % 2 === 0) program = await startedAgain(device);
      const finisher = n % 2 === 0 ? program : phone;
      await finisher.sync();
      const waits = (await finisher.inbox()).length;
      const there = await timesThere(finisher, name);
      assert.equal(waits + there, 1, `at request ${n}`);
      ends[waits === 1 ? "inbox" : "photo"] += 1;
      if (waits === 1) {
        await finisher.accept(opaqueId, one?.uploadId ?? "", SMALL);
      }
      for (const library of [program, phone]) {
        await library.sync();
        assert.equal(await timesThere(library, name), 1, `at request ${n}`);
      }
    }
    assert.ok(ends.inbox > 3 && ends.photo > 3, JSON.stringify(ends));
  });
});

Deno.test("a file whose album ended before its manifest came is in the library", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const devices = await twoDevices(wire, ["gate"]);
    const { laptop } = devices;
    const { id: albumId } = await laptop.albums.create({ title: "Walks" });
    await acceptKilled(wire, devices, { albumId });
    await app.app.db.updateTable("album")
      .set({ tombstoned_at: app.clock.now })
      .where(sql<boolean>`album_id = ${albumId}`)
      .execute();
    await laptop.sync();
    assert.equal(await timesThere(laptop, "gate"), 1);
    assert.equal(laptop.list()[0]?.album, laptop.vault.libraryAlbumId);
  });
});

Deno.test("a full quota keeps nobody from accepting what it counts already, nor from finishing it", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const devices = await twoDevices(wire, ["gate"]);
    await app.app.db.updateTable("usage").set({ quota_bytes: 1 }).execute();
    await acceptKilled(wire, devices, {});
    const again = await startedAgain(devices.device);
    await again.sync();
    assert.equal(await timesThere(again, "gate"), 1);
  });
});

/** Lets a kind of request through once as many wait as there are to come. */
function meetAt(wire: Wire, isMeeting: (request: Request) => boolean, n = 2) {
  const meeting = Promise.withResolvers<void>();
  let waiting = 0;
  wire.intercept = (request, pass) => {
    if (!isMeeting(request)) return undefined;
    if (++waiting >= n) meeting.resolve();
    return meeting.promise.then(() => pass(request));
  };
}

const isPath = (end: string) => ({ url }: Request) =>
  new URL(url).pathname.endsWith(end);

/** Meeting points of two devices: before the first and each later step. */
const MEETINGS = {
  "reading it": isPath("/blob"),
  "noting it": isPath("/v1/state/accepting"),
  "adopting it": isPath("/v1/upload"),
  "its manifest": isPath("/ops"),
};

for (const [moment, isMeeting] of Object.entries(MEETINGS)) {
  Deno.test(`two devices that accept the same bytes at the same moment have them once, and lose none: both at ${moment}`, async () => {
    await withTestApp(async (app) => {
      const wire = wireTo(app);
      const { laptop, phone, waiting, opaqueId } = await twoDevices(wire, [
        "gate",
        "gate",
      ]);
      const [one, other] = waiting.map(({ uploadId }) => uploadId);
      meetAt(wire, isMeeting);
      const kept = await Promise.all([
        laptop.accept(opaqueId, one ?? "", SMALL),
        phone.accept(opaqueId, other ?? "", SMALL),
      ]);
      wire.intercept = undefined;
      assert.deepEqual(
        kept.map(({ outcome }) => outcome).toSorted(),
        ["kept", "known"],
      );
      assert.equal(kept[0].row.id, kept[1].row.id);
      for (const library of [laptop, phone]) {
        await library.sync();
        assert.equal(await timesThere(library, "gate"), 1);
        assert.deepEqual(await library.inbox(), []);
        // The later one can be had back, if anybody wants it.
        for (const { id } of library.trashed()) {
          assert.deepEqual(await wholeOf(library.read(id)), photo("gate"));
        }
      }
    });
  });
}

Deno.test("one device that accepts the same bytes twice at once has them once", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const { laptop, waiting } = await twoDevices(wire, ["gate", "gate"]);
    const kept = await Promise.all(
      waiting.map(({ opaqueId, uploadId }) =>
        laptop.accept(opaqueId, uploadId)
      ),
    );
    assert.deepEqual(
      kept.map(({ outcome }) => outcome).toSorted(),
      ["kept", "known"],
    );
    assert.equal(laptop.list().length, 1);
    assert.deepEqual(laptop.trashed(), []);
    assert.deepEqual(await laptop.inbox(), []);
  });
});

Deno.test("a second copy that somebody marked or described at once stays", async () => {
  for (const touch of ["favourite", "caption"] as const) {
    await withTestApp(async (app) => {
      const wire = wireTo(app);
      const { laptop, phone, waiting, opaqueId } = await twoDevices(wire, [
        "gate",
        "gate",
      ]);
      const [one, other] = waiting.map(({ uploadId }) => uploadId);
      meetAt(wire, isPath("/ops"));
      let touching: Promise<unknown> | undefined;
      const meeting = wire.intercept;
      let manifests = 0;
      wire.intercept = async (request, pass) => {
        const answer = await (meeting?.(request, pass) ?? pass(request));
        if (!isPath("/ops")(request)) return answer;
        // Whoever's manifest is the second is about to look for the first.
        if (++manifests === 2) {
          const { asset_id: id } = await answer.clone().json();
          wire.intercept = undefined;
          touching = (async () => {
            const tablet = await secondDevice(wire, phone, "ada", "tablet");
            if (touch === "caption") {
              await tablet.amend(id, { about: { caption: "!" } });
            } else await tablet.flags.change([id], { favourite: true });
          })();
          await touching;
        }
        return answer;
      };
      await Promise.all([
        laptop.accept(opaqueId, one ?? ""),
        phone.accept(opaqueId, other ?? ""),
      ]);
      await touching;
      await laptop.sync();
      assert.equal(laptop.list().length, 2, touch);
    });
  }
});
