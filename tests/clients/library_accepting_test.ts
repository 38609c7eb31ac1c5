/**
 * A guest's file is never nowhere: whoever accepts it may be killed at any
 * moment, and two devices may accept the same bytes at once.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sql } from "kysely";
import {
  ApiProblem,
  type Library,
  NoLongerWaits,
} from "../../src/library/mod.ts";
import { withTestApp } from "../support/app.ts";
import { SMALL, startedAgain, twoDevices } from "../support/guest_inbox.ts";
import { wholeOf, type Wire, wireTo } from "../support/library.ts";
import { photo, secondDevice } from "../support/library_sharing.ts";

const MINUTE = 60_000;

/**
 * From its request `n` on, nothing of whoever is killed gets out, or only that
 * one, whose answer is never heard.
 */
function killAt(wire: Wire, n: number, isHeard: boolean): void {
  let left = n;
  wire.intercept = async (request, pass) => {
    if (left > 0 || (left === 0 && isHeard)) {
      const answer = await pass(request);
      if (left-- > 0) return answer;
    }
    throw new Error("killed");
  };
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

Deno.test("a file whose manifest did not go out waits on, and its bytes and manifest go in one request", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const devices = await twoDevices(wire, ["gate"]);
    const { laptop, phone, waiting, opaqueId } = devices;
    const uploadId = waiting[0]?.uploadId ?? "";
    let adoptedBefore = false;
    wire.intercept = async (request, pass) => {
      if (isPath("/ops")(request)) throw new Error("killed");
      adoptedBefore ||= (await request.clone().text()).includes(uploadId);
      return await pass(request);
    };
    await assert.rejects(laptop.accept(opaqueId, uploadId, SMALL));
    assert(!adoptedBefore);
    wire.intercept = undefined;
    await phone.sync();
    assert.equal((await phone.inbox()).length, 1);
    await phone.accept(opaqueId, uploadId, SMALL);
    assert.equal(await timesThere(phone, "gate"), 1);
    assert.equal(phone.list()[0]?.custody, "receipted");
    assert.deepEqual(await phone.inbox(), []);
    await assert.rejects(
      laptop.accept(opaqueId, uploadId, SMALL),
      NoLongerWaits,
    );
    await laptop.sync();
    assert.equal(await timesThere(laptop, "gate"), 1);
  });
});

Deno.test("a file that two devices accept at the same moment is one photo, and the slower one is told", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const { laptop, phone, waiting, opaqueId } = await twoDevices(wire, [
      "gate",
    ]);
    const uploadId = waiting[0]?.uploadId ?? "";
    meetAt(wire, isPath("/ops"));
    const ends = await Promise.allSettled([
      laptop.accept(opaqueId, uploadId, SMALL),
      phone.accept(opaqueId, uploadId, SMALL),
    ]);
    wire.intercept = undefined;
    const refused = ends.flatMap((end) =>
      end.status === "rejected" ? [end.reason] : []
    );
    assert.equal(refused.length, 1);
    assert(refused[0] instanceof NoLongerWaits, `${refused[0]}`);
    for (const library of [laptop, phone]) {
      await library.sync();
      assert.equal(await timesThere(library, "gate"), 1);
      assert.deepEqual(await library.inbox(), []);
    }
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
    for (let half = 0; !hasEnded; half++) {
      const n = Math.floor(half / 2);
      assert.ok(n < 60);
      const name = `photo ${half}`;
      await send(name);
      const [one] = await program.inbox();
      killAt(wire, n, half % 2 === 1);
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
    assert.ok(ends.inbox > 6 && ends.photo > 1, JSON.stringify(ends));
  });
});

Deno.test("a file whose album ended before its manifest came waits on", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const { laptop, waiting, opaqueId } = await twoDevices(wire, ["gate"]);
    const uploadId = waiting[0]?.uploadId ?? "";
    const { id: albumId } = await laptop.albums.create({ title: "Walks" });
    await app.app.db.updateTable("album")
      .set({ tombstoned_at: app.clock.now })
      .where(sql<boolean>`album_id = ${albumId}`)
      .execute();
    await assert.rejects(
      laptop.accept(opaqueId, uploadId, { ...SMALL, albumId }),
      ApiProblem,
    );
    await laptop.sync();
    assert.equal((await laptop.inbox()).length, 1);
    await laptop.accept(opaqueId, uploadId, SMALL);
    assert.equal(await timesThere(laptop, "gate"), 1);
    assert.equal(laptop.list()[0]?.album, laptop.vault.libraryAlbumId);
  });
});

Deno.test("a full quota does not keep an account from accepting files that it counts already", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const { laptop, waiting, opaqueId } = await twoDevices(wire, ["gate"]);
    await app.app.db.updateTable("usage").set({ quota_bytes: 1 }).execute();
    await laptop.accept(opaqueId, waiting[0]?.uploadId ?? "", {});
    assert.equal(await timesThere(laptop, "gate"), 1);
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

Deno.test("a second copy that was marked or described at once stays", async () => {
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
