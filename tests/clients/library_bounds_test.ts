/**
 * Answers without end, and what is left behind by programs that were killed.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Library,
  openLibrary,
  openVault,
  resumeSession,
} from "../../src/library/mod.ts";
import { keepAlbums } from "../../src/library/albums/exported_albums.ts";
import { encodeMetadata } from "../../src/client/documents/metadata.ts";
import { fromBase64, toBase64 } from "../../src/core/bytes.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { withTestApp } from "../support/app.ts";
import type { Json } from "../support/expect.ts";
import { beginLibrary, deviceOf, fileOf, wireTo } from "../support/library.ts";
import { photo, secondDevice, take } from "../support/library_sharing.ts";

/** More than any client reads of an answer. */
const MOST_TAKEN = 80 * 1024 * 1024;

/** A body that never ends, and how much of it was taken. */
function endless() {
  const taken = { bytes: 0, cancelled: false };
  const piece = new Uint8Array(64 * 1024).fill(0x20);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken.bytes += piece.length;
      if (taken.bytes > MOST_TAKEN) controller.error(new Error("too much"));
      else controller.enqueue(piece);
    },
    cancel() {
      taken.cancelled = true;
    },
  });
  return { body, taken };
}

Deno.test("an answer without end is cut off, whatever it is an answer to", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await take(laptop, "1");
    const { account } = laptop.vault.session;
    const id = crypto.randomUUID();
    for (
      const [most, ask] of [
        [16, () => account.albums()],
        [16, () => account.receiptsAfter(0)],
        [64, () => account.queryAssets([id])],
        [12, () => account.roster(id)],
        [1, () => account.directory(id)],
        [4, () => account.slot("library")],
        [9, () => account.blobs([{ assetId: id, hash: "0".repeat(64) }])],
      ] as const
    ) {
      const { body, taken } = endless();
      wire.intercept = () =>
        Promise.resolve(
          new Response(body, { headers: { "Content-Type": "text/plain" } }),
        );
      await assert.rejects(ask, /has more than \d+ bytes/, `${ask}`);
      assert.ok(taken.cancelled);
      assert.ok(taken.bytes <= (most + 1) * 1024 * 1024, `${taken.bytes}`);
      // A declared length is believed where it is too much.
      wire.intercept = () =>
        Promise.resolve(
          new Response(endless().body, {
            headers: { "Content-Length": "5000000000" },
          }),
        );
      await assert.rejects(ask, /has more than \d+ bytes/);
    }
  });
});

Deno.test("a metadata blob that is longer than it is declared to be costs its own row alone", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const row = await take(laptop, "long");
    await take(laptop, "short");
    const { body, taken } = endless();
    const size = row.blobs.find(({ role }) => role === "metadata")?.size ?? 0;
    wire.intercept = (request, pass) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/assets/query")) {
        return pass(request).then(async (answer) => {
          const json = await answer.json();
          for (const asset of json.assets) {
            if (asset.asset_id === row.id) delete asset.metadata;
          }
          return Response.json(json);
        });
      }
      return pathname.startsWith(`/v1/assets/${row.id}/blobs`)
        ? Promise.resolve(
          new Response(body, { headers: { "Content-Length": `${size}` } }),
        )
        : undefined;
    };
    const phone = await secondDevice(wire, laptop, "ada");
    assert.deepEqual(
      phone.list().map(({ metadata }) => metadata?.name),
      ["short.jpg"],
    );
    assert.match(phone.unopened()[0]?.fault ?? "", /another size/);
    assert.ok(taken.cancelled && taken.bytes < 1_000_000);
  });
});

Deno.test("a photo that goes on beyond its end is cut off there, and none of it counts", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { id } = await take(laptop, "long");
    const { body, taken } = endless();
    wire.intercept = (request, pass) => {
      if (!new URL(request.url).pathname.includes("/blobs/")) return undefined;
      return pass(request).then(async (answer) => {
        const { headers } = answer;
        await answer.body?.cancel();
        return new Response(body, { headers });
      });
    };
    const { damaged } = await laptop.readBack();
    assert.deepEqual(damaged, [id]);
    assert.ok(taken.cancelled && taken.bytes < 1_000_000, `${taken.bytes}`);
  });
});

Deno.test("a file of another size than its metadata says is not fetched, nor a huge small picture", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const bytes = photo("thumbnail");
    const { id } = await take(laptop, "false", {
      derivatives: [{ kind: "thumbnail", mime: "image/jpeg", bytes }],
    });
    // As a program of a hostile member's would say it.
    const about: object = { size: 10 };
    await laptop.amend(id, { about });
    const huge = (asset: Json) => ({
      ...asset,
      blobs: asset.blobs.map((blob: Json) =>
        blob.role === "derivative" ? { ...blob, size: 5e9 } : blob
      ),
    });
    let fetched = 0;
    wire.intercept = (request, pass) => {
      const { pathname } = new URL(request.url);
      if (pathname.includes("/blobs")) fetched += 1;
      if (!pathname.endsWith("/assets/query")) return undefined;
      return pass(request).then(async (answer) => {
        const { assets } = await answer.json();
        return Response.json({ assets: assets.map(huge) });
      });
    };
    const phone = await secondDevice(wire, laptop, "ada");
    fetched = 0;
    await assert.rejects(
      Array.fromAsync(phone.read(id)),
      /another size than it says/,
    );
    await assert.rejects(
      Array.fromAsync(phone.read(id, { derivative: "thumbnail" })),
      /too large/,
    );
    assert.equal(fetched, 0);
  });
});

Deno.test("a receipt without a row, and a row without a receipt, are found", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const device = deviceOf(wire, "laptop");
    const laptop = await beginLibrary(device, "ada");
    await laptop.sync();
    const rows = [];
    for (const name of ["a", "b", "c", "d"]) {
      rows.push(await take(laptop, name));
    }
    const [a, b, c, d] = rows.map(({ id }) => id);
    await laptop.sync();
    assert.deepEqual((await laptop.receipts({ all: true })).vanished, []);
    // Deleted on purpose; forgotten by this device; denied by the server.
    await laptop.trash(a ?? "");
    await laptop.purge(a ?? "");
    laptop.index.remove(b ?? "");
    laptop.index.remove(c ?? "");
    wire.intercept = (request, pass) =>
      new URL(request.url).pathname === `/v1/assets/${c}`
        ? pass(new Request(request.url.replace(`${c}`, `${a}`), request))
        : undefined;
    const held = await laptop.custody.held();
    for (const { seq, assetId } of held) {
      if (assetId !== d) continue;
      const key = String(seq).padStart(16, "0");
      await laptop.store.write([{ space: "receipts", key, value: null }]);
    }
    // The server does not list them any more either.
    wire.intercept = ((before) => (request, pass) =>
      new URL(request.url).pathname === "/v1/receipts"
        ? Promise.resolve(
          Response.json({ receipts: [], next_after: 0, more: false }),
        )
        : before(request, pass))(wire.intercept);
    const { vanished, without } = await laptop.receipts({ all: true });
    assert.deepEqual(vanished, [c]);
    assert.deepEqual(without, [d]);
    assert.deepEqual(
      laptop.missing().map(({ id }) =>
        id
      ),
      [c],
    );
    assert.equal(laptop.index.get(b ?? "")?.metadata?.name, "b.jpg");
    assert.equal(laptop.index.get(d ?? "")?.custody, "unverified");
  });
});

async function anew(
  { platform, entrance, store }: ReturnType<typeof deviceOf>,
): Promise<Library> {
  const session = await resumeSession(platform, entrance);
  return await openLibrary(await openVault(session), store);
}

Deno.test("a file whose killed upload was deleted permanently elsewhere is added again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const device = deviceOf(wire, "laptop");
    const laptop = await beginLibrary(device, "ada");
    const phone = await secondDevice(wire, laptop, "ada");
    wire.intercept = (request, pass) =>
      request.url.includes("/ops")
        ? pass(request).then(() => {
          throw new Error("killed");
        })
        : undefined;
    const file = () => fileOf("1.jpg", photo("1"));
    await assert.rejects(laptop.take(file()));
    wire.intercept = undefined;
    await phone.sync();
    const [row] = phone.list();
    await phone.trash(row?.id ?? "");
    await phone.purge(row?.id ?? "");
    const again = await (await anew(device)).take(file());
    assert.equal(again.outcome, "kept");
    assert.notEqual(again.row.id, row?.id);
  });
});

Deno.test("an album of an export whose title has no end costs none of the other albums", async () => {
  await withTestApp(async (app) => {
    const library = await beginLibrary(
      deviceOf(wireTo(app), "laptop"),
      "ada",
    );
    const { id: one } = await take(library, "1");
    const { platform } = library.vault.session;
    // As a Takeout says it, each of these letters is one.
    const endless = "\u0958".repeat(16_384).normalize("NFC");
    const titles = new Map([["a", endless], ["b", "Lake"]]);
    const assets = new Map([["a", [one]], ["b", [one]]]);
    for (const again of [false, true]) {
      await keepAlbums({ library, platform }, titles, assets);
      const kept = library.collections.list().map(({ title }) => title);
      assert.equal(kept.length, 2, String(again));
      assert(kept.includes("Lake"));
      assert(kept.every((title) => [...title].length <= 1_000));
    }
  });
});

Deno.test("what a newer program keeps in metadata outlives a change, and stays out of albums", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const about = { name: "1.jpg", mime: "image/jpeg", mood: "cheerful" };
    const { row } = await laptop.take({
      ...fileOf("1.jpg", photo("1")),
      about,
    });
    const phone = await secondDevice(wire, laptop, "ada");
    await phone.amend(row.id, { about: { caption: "new" } });
    await laptop.sync();
    const text = (library: Library, id: string) => {
      const { metadata } = library.index.get(id) ?? {};
      return metadata === undefined
        ? ""
        : new TextDecoder().decode(encodeMetadata(metadata));
    };
    assert.match(text(laptop, row.id), /"mood":"cheerful"/);
    assert.match(text(laptop, row.id), /"caption":"new"/);
    const { id } = await laptop.albums.create({ title: "Summer" });
    const { row: copy } = await laptop.copyInto(row.id, id);
    await phone.sync();
    assert.doesNotMatch(text(phone, copy.id), /mood/);
  });
});

Deno.test("a device whose access token was not kept goes on", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const device = deviceOf(wire, "laptop");
    const laptop = await beginLibrary(device, "ada");
    const row = await take(laptop, "1");
    await laptop.vault.session.settled();
    const kept = new TextDecoder().decode(await device.credentials.read());
    const profile = JSON.parse(kept);
    profile.tokens.access_token = "";
    await device.credentials.write(
      new TextEncoder().encode(JSON.stringify(profile)),
    );
    const again = await anew(device);
    await again.sync();
    assert.equal(again.list()[0]?.id, row.id);
  });
});

Deno.test("an album whose making was cut off is made by the next attempt, and is never without a name", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    wire.intercept = (request) => {
      if (request.method !== "PUT" || !request.url.endsWith("/roster")) {
        return undefined;
      }
      throw new Error("killed");
    };
    await assert.rejects(laptop.albums.create({ title: "Summer" }));
    wire.intercept = undefined;
    await laptop.sync();
    const phone = await secondDevice(wire, laptop, "ada");
    for (const library of [laptop, phone]) {
      assert.deepEqual(library.albums.list(), []);
    }
    await phone.albums.create({ title: "Winter" });
    await laptop.sync();
    assert.deepEqual(
      laptop.albums.list().map(({ title }) => title),
      ["Winter"],
    );
  });
});

Deno.test("invalid keys are reported as a contradiction of the server's, and none is pinned", async () => {
  // The neutral point, one off the curve, and one that is not canonical.
  const halves = [["01", "00"], ["02", "00"], ["ee", "ff"]].map((
    [first = "", others = ""],
  ) =>
    Uint8Array.fromHex(
      `${first}${others.repeat(30)}${others === "ff" ? "7f" : others}`,
    )
  );
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    for (const half of [undefined, ...halves]) {
      wire.intercept = async (request, pass) => {
        const answer = await pass(request);
        if (!request.url.endsWith("/attestation-keys")) return answer;
        if (half === undefined) return Response.json({ keys: "none" });
        const said = await answer.json();
        const [key] = said.keys;
        const bytes = new Uint8Array(fromBase64(key.public) ?? []);
        bytes.set(half);
        const shown = {
          ...key,
          key_id: sha256Hex(bytes),
          public: toBase64(bytes),
        };
        return Response.json({ ...said, keys: [shown] });
      };
      await assert.rejects(take(laptop, "1"), {
        name: "CustodyError",
        fault: "keys_replaced",
        message: /publishes no valid keys/,
      });
      assert.deepEqual(laptop.trust.server.keys, {});
    }
  });
});
