/**
 * What comes by a person's own upload link, such as from their telephone, is
 * accepted without asking, as if a folder were pushed.
 *
 * @module
 */
import assert from "node:assert/strict";
import { acceptMine } from "../../src/library/sharing/accept_mine.ts";
import {
  type Library,
  openGuestBox,
  plainOf,
  type Row,
} from "../../src/library/mod.ts";
import { videoOf } from "../../src/library/showing/export_layout.ts";
import { fileOf, platformOn } from "../support/library.ts";
import { forgeGuestFile, secondDevice } from "../support/library_sharing.ts";
import { liveStill, liveVideo } from "../support/live_pairs.ts";
import { ciphertext } from "../support/people.ts";
import { type Town, withTelephone } from "../support/telephone.ts";

async function media(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(
    new URL(`../support/media/${name}`, import.meta.url),
  );
}

async function linkOf(library: Library): Promise<string> {
  const [link] = await library.requests();
  assert.ok(link !== undefined);
  return link.opaque_id;
}

/** Sends by the telephone and hands over. */
async function sent(
  town: Town,
  files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>,
  mtime = "1717236000",
): Promise<void> {
  for (const [path, body] of Object.entries(files)) {
    const status = await town.status(path, {
      body,
      headers: { "X-OC-MTime": mtime },
    });
    assert.ok(status === 201 || status === 204, `${path}: ${status}`);
  }
  assert.equal((await town.deliver()).sent, Object.keys(files).length);
}

function named(library: Library): Map<string, Row> {
  return new Map(
    library.list().map((row) => [row.metadata?.name ?? row.id, row]),
  );
}

Deno.test("what a marked link brings is accepted with its pairs, dates and folder, and a stranger's waits", async () => {
  await withTelephone(async (town) => {
    const { library } = town;
    const known = ciphertext("known", 700);
    await library.take(fileOf("known.jpg", known));
    await town.status("/DCIM", { method: "MKCOL" });
    await sent(town, {
      "/DCIM/IMG_1.HEIC": await media("camera.heic"),
      "/DCIM/IMG_1.MOV": await media("iphone.mov"),
      "/DCIM/turned.jpg": await media("turned.jpg"),
      "/scan.bin": ciphertext("scan", 800),
      "/again.jpg": known,
    });
    // The link was not marked as the person's own.
    await library.sync();
    assert.deepEqual(await acceptMine(library), {
      kept: 0,
      known: 0,
      trashed: 0,
      failed: 0,
    });
    assert.equal((await library.inbox()).length, 5);

    await library.markMine(await linkOf(library), true);
    // Another device of hers hears of the mark, and accepts.
    const phone = await secondDevice(town.wire, library, "ada");
    await phone.sync();
    const pictured: string[] = [];
    const tally = await acceptMine(phone, {
      picture: (_source, mime) => {
        pictured.push(mime);
        return Promise.resolve({ derivatives: [] });
      },
    });
    assert.deepEqual(tally, { kept: 4, known: 1, trashed: 0, failed: 0 });
    assert.deepEqual(pictured.toSorted(), [
      "image/heic",
      "image/jpeg",
      "image/jpeg",
    ]);
    assert.deepEqual(await phone.inbox(), []);
    await library.sync();
    const rows = named(library);
    assert.deepEqual(
      [...rows.keys()].toSorted(),
      ["IMG_1.HEIC", "known.jpg", "scan.bin", "turned.jpg"],
    );
    const live = rows.get("IMG_1.HEIC");
    assert.ok(live !== undefined && videoOf(live) !== undefined);
    assert.equal(live.metadata?.path, "DCIM");
    assert.equal(live.metadata?.taken_source, "exif");
    assert.ok(live.metadata?.width !== undefined);
    const scan = rows.get("scan.bin")?.metadata;
    assert.equal(scan?.modified_at, "2024-06-01T10:00:00.000Z");
    assert.equal(scan?.taken_source, "mtime");
  });
});

Deno.test("the server, which knows the key of a marked link, brings nothing by it without what its address says", async () => {
  await withTelephone(async ({ library, wire }) => {
    const [request] = await library.requests();
    assert.ok(request !== undefined);
    await library.markMine(request.opaque_id, true);
    const opaqueId = request.opaque_id;
    await forgeGuestFile(wire, { opaqueId }, { name: "forged.bin" });
    const guest = platformOn({ fetch: wire.fetch, now: () => 0 }, "guest");
    const box = await openGuestBox(guest, request.url);
    await box.send({
      source: plainOf(ciphertext("own", 700)),
      about: { name: "own.bin", mime: "image/jpeg" },
    });
    const { kept } = await acceptMine(library);
    assert.equal(kept, 1);
    assert.deepEqual([...named(library).keys()], ["own.bin"]);
  });
});

Deno.test("what was deleted stays deleted, and a link that is no more the person's waits again", async () => {
  await withTelephone(async (town) => {
    const { library } = town;
    const bad = ciphertext("bad", 900);
    const { row } = await library.take(fileOf("bad.jpg", bad));
    await library.trash(row.id);
    const link = await linkOf(library);
    await library.markMine(link, true);
    await sent(town, { "/bad.jpg": bad, "/good.jpg": ciphertext("good", 901) });
    await library.sync();
    const first = await acceptMine(library);
    assert.deepEqual(first, { kept: 1, known: 0, trashed: 1, failed: 0 });
    await library.markMine(link, false);
    assert.equal((await library.requests())[0]?.isMine, false);
    await sent(town, { "/later.jpg": ciphertext("later", 902) });
    assert.equal((await acceptMine(library)).kept, 0);
    assert.equal((await library.inbox()).length, 1);
  });
});

Deno.test("halves of one identifier become one photo, whatever their names, and whenever each says that it was taken", async () => {
  await withTelephone(async (town) => {
    const { library } = town;
    await library.markMine(await linkOf(library), true);
    const still = liveStill("late", "LATE");
    const at = new TextDecoder("latin1").decode(still).indexOf("2024:08:15");
    still.set(new TextEncoder().encode("2020:01:02"), at);
    await sent(town, { "/IMG_1.JPG": still });
    await acceptMine(library);
    await sent(town, {
      "/IMG_1.MOV": liveVideo("late", "LATE"),
      "/IMG_2.JPG": liveStill("edited", "SAME"),
      "/2024-08-15.MOV": liveVideo("edited", "SAME"),
      // Another still's video.
      "/IMG_3.JPG": liveStill("other", "OTHER"),
      "/IMG_3.MOV": liveVideo("other", "ANOTHER"),
    });
    assert.equal((await acceptMine(library)).kept, 5);
    const live = [...named(library)].map(([name, row]) => [
      name,
      videoOf(row) !== undefined,
    ]);
    assert.deepEqual(Object.fromEntries(live), {
      "IMG_1.JPG": true,
      "IMG_2.JPG": true,
      "IMG_3.JPG": false,
      "IMG_3.MOV": false,
    });
  });
});

Deno.test("a connection that is lost while the halves of a live photo are looked for makes no two photos of them", async () => {
  await withTelephone(async (town) => {
    const { library, wire } = town;
    await library.markMine(await linkOf(library), true);
    await sent(town, {
      "/IMG_2.JPG": liveStill("edited", "SAME"),
      "/2024-08-15.MOV": liveVideo("edited", "SAME"),
    });
    const [video, still] = (await library.inbox())
      .toSorted((a, b) => (a.file?.name ?? "") < (b.file?.name ?? "") ? -1 : 1);
    assert.ok(still?.file?.name === "IMG_2.JPG" && video !== undefined);
    let isBack = false;
    wire.intercept = ({ url }) => {
      isBack ||= url.includes(`${still.uploadId}/blob`);
      return isBack || !url.includes(`${video.uploadId}/blob`)
        ? undefined
        : Promise.reject(new TypeError("the line is cut"));
    };
    await assert.rejects(acceptMine(library), { name: "ConnectionError" });
    wire.intercept = undefined;
    assert.equal((await library.inbox()).length, 2);
    assert.equal((await acceptMine(library)).kept, 2);
    const rows = [...named(library)];
    assert.deepEqual(rows.map(([name]) => name), ["IMG_2.JPG"]);
    assert.ok(rows.every(([, row]) => videoOf(row) !== undefined));
  });
});

Deno.test("a video that comes after its still becomes one photo with it, and a damaged file costs no other", async () => {
  await withTelephone(async (town) => {
    const { library } = town;
    await library.markMine(await linkOf(library), true);
    await sent(town, { "/IMG_1.HEIC": await media("camera.heic") });
    assert.equal((await acceptMine(library)).kept, 1);
    const video = await media("iphone.mov");
    const other = video.slice();
    const at = new TextDecoder("latin1").decode(video).indexOf("2024-06-30T");
    other.set(new TextEncoder().encode("2023-03-04T06:06:07+0100"), at);
    // Two seconds after the still.
    video.set(new TextEncoder().encode("2024-06-30T14:05:08+0200"), at);
    // A video of that name, of another year.
    await town.status("/2023", { method: "MKCOL" });
    await sent(town, {
      "/2023/IMG_1.MOV": other,
      "/IMG_1.MOV": video,
      "/a.jpg": ciphertext("a", 900),
      "/b.jpg": ciphertext("b", 901),
    });
    const waiting = await library.inbox();
    const damaged = waiting.find(({ file }) => file?.name === "a.jpg");
    town.wire.intercept = (request, pass) =>
      request.url.includes(`${damaged?.uploadId}/blob`)
        ? pass(request).then(async (answer) => {
          const bytes = await answer.bytes();
          bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
          return new Response(bytes, answer);
        })
        : undefined;
    const failed: string[] = [];
    const tally = await acceptMine(library, {
      onFile: ({ file }, { what }) => {
        if (what === "failed") failed.push(file?.name ?? "");
      },
    });
    assert.equal(tally.failed, 1);
    assert.deepEqual(failed, ["a.jpg"]);
    town.wire.intercept = undefined;
    assert.equal((await acceptMine(library)).kept, 1);
    const rows = named(library);
    assert.deepEqual(
      [...rows.keys()].toSorted(),
      ["IMG_1.HEIC", "IMG_1.MOV", "a.jpg", "b.jpg"],
    );
    assert.equal(rows.get("IMG_1.MOV")?.metadata?.path, "2023");
    const live = rows.get("IMG_1.HEIC");
    assert.ok(live !== undefined && videoOf(live) !== undefined);
  });
});
