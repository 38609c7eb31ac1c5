/**
 * The words in pictures between the devices of an account, through a server.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  decodePage,
  fileOf,
  isSlotOf,
  slotOfPage,
} from "../../src/library/finding/findings_pages.ts";
import {
  openPictureText,
  PICTURE_TEXT,
} from "../../src/library/finding/picture_text.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import { utf8 } from "../../src/core/bytes.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { DocumentError } from "../../src/client/documents/fields.ts";
import { memoryStore, type Store } from "../../src/library/mod.ts";
import { withTestApp } from "../support/app.ts";
import { beginLibrary, deviceOf, wireTo } from "../support/library.ts";
import { withTwoDevices } from "../support/library_sharing.ts";

const hashOf = (photo: string) => sha256Hex(utf8(photo));
const read = (photo: string, found: string) => ({ hash: hashOf(photo), found });
const nameOf = (photo: string) => fileOf(hashOf(photo));

Deno.test("what one device reads another has, and reads none of it again", async () => {
  await withTwoDevices(async ({ laptop, phone }) => {
    const here = await openPictureText(laptop);
    await here.note([read("before", "nothing")]);
    assert.equal(here.count, 0, "it is off until someone turns it on");
    await here.turn(true);
    await here.note([read("receipt", "umbrella\n12.90"), read("cat", "")]);
    await here.send();

    const { slots } = await phone.sync();
    assert(
      slots.some((slot) => isSlotOf(PICTURE_TEXT, slot)),
      "the feed tells of it",
    );
    const there = await openPictureText(phone);
    await there.read(slots);
    assert.equal(there.isOn, true);
    assert.equal(there.of(nameOf("receipt")), "umbrella\n12.90");
    assert.equal(there.of(nameOf("cat")), undefined);
    assert(there.has(nameOf("cat")), "a picture without words was read, too");
    assert.equal(there.has(nameOf("another")), false);

    // Both read at the same time.
    await there.note([read("sign", "hotel")]);
    await here.note([read("ticket", "zoo")]);
    await Promise.all([here.send(), there.send()]);
    await Promise.all([here.read(), there.read()]);
    for (const words of [here, there]) {
      assert.equal(words.of(nameOf("sign")), "hotel");
      assert.equal(words.of(nameOf("ticket")), "zoo");
      assert.equal(words.count, 4);
    }
  });
});

Deno.test("what a device was closed before it sent it is sent by the next program on it", async () => {
  await withTwoDevices(async ({ laptop, phone }) => {
    const closed = await openPictureText(laptop);
    await closed.turn(true);
    await closed.note([read("receipt", "umbrella")]);
    await closed.send();
    await closed.note([read("sign", "hotel")]);

    const here = await openPictureText(laptop);
    assert.equal(here.of(nameOf("sign")), "hotel");
    await phone.sync();
    const there = await openPictureText(phone);
    await there.read();
    assert.equal(there.of(nameOf("sign")), undefined, "nothing was sent");
    await here.send();
    await there.read();
    assert.equal(there.of(nameOf("sign")), "hotel");

    // Once is enough.
    const version = async () =>
      (await laptop.vault.session.account.slot(slotOfPage(PICTURE_TEXT, 1)))
        .etag;
    const before = await version();
    await here.read();
    await here.send();
    assert.equal(await version(), before);
  });
});

Deno.test("turned off, every word is gone from the server and from a device that was away", async () => {
  await withTwoDevices(async ({ laptop, phone }) => {
    const here = await openPictureText(laptop);
    await here.turn(true);
    await here.note([read("receipt", "umbrella ".repeat(40))]);
    await here.send();
    await phone.sync();
    const there = await openPictureText(phone);
    await there.read();
    await there.note([read("sign", "hotel")]);

    await here.turn(false);
    const bytes = async () =>
      (await laptop.vault.session.account.slot(slotOfPage(PICTURE_TEXT, 1)))
        .bytes
        .length;
    assert(await bytes() < 200);
    // The phone does not know yet, and sends what it had read.
    await there.send();
    assert(await bytes() < 200);
    await phone.sync();
    await there.read();
    assert.equal(there.isOn, false);
    assert.equal(there.count, 0);
    assert.equal(there.of(nameOf("receipt")), undefined);
    assert.equal((await openPictureText(phone)).count, 0);
  });
});

/** The n-th of many pictures, in no order of their names. */
const manyth = (n: number) =>
  [...n.toString(16).padStart(64, "0")].toReversed().join("");

Deno.test("a large page is not written for each few pictures, and nothing noted is lost", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const { vault, state } = await beginLibrary(deviceOf(wire, "ada"), "ada");
    const inner = memoryStore();
    const written = { here: 0, there: 0 };
    const store: Store = {
      ...inner,
      async write(changes) {
        for (const { value } of changes) written.here += value?.length ?? 0;
        await inner.write(changes);
      },
    };
    wire.intercept = async (request, pass) => {
      if (request.method === "PUT" && request.url.includes("/state/")) {
        written.there += Number(request.headers.get("Content-Length"));
      }
      return await pass(request);
    };
    const words = await openPictureText({ vault, store, state });
    await words.turn(true);
    const many = Array.from(
      { length: 5_000 },
      (_, n) => ({ hash: manyth(n), found: "" }),
    );
    await words.note(many);
    await words.send();
    const sent = written.there;
    const before = written.here + sent;
    for (let n = 0; n < 400; n += 4) {
      await words.note([0, 1, 2, 3].map((at) => ({
        hash: manyth(many.length + n + at),
        found: at === 0 ? "hotel" : "",
      })));
      if (n % 100 === 96) await words.sendDue();
    }
    const all = written.here + written.there - before;
    assert(all < 400 * 6_000, `${all / 400} bytes for each picture`);
    assert(written.there > sent, "some of it was sent");

    // Closed now, it goes on with everything.
    const again = await openPictureText({ vault, store, state });
    assert.equal(again.count, 5_400);
    assert.equal(again.of(fileOf(manyth(5_396))), "hotel");
    app.clock.now += 10 * 60 * 1_000;
    const { there } = written;
    await words.note([{ hash: manyth(5_400), found: "" }]);
    await words.sendDue();
    assert(written.there > there, "after a while few are sent, too");
    const others = await openPictureText({
      vault,
      store: memoryStore(),
      state,
    });
    await others.read();
    assert.equal(others.count, 5_401);
    const left = await inner.list("program");
    assert.deepEqual(left.filter(({ key }) => key.startsWith("noted/")), []);
  });
});

Deno.test("a page with malformed words of a picture is refused", () => {
  const page = (bytes: Uint8Array) =>
    encodeCanonical({ v: 1, era: 1, files: { [nameOf("one")]: bytes } });
  assert.deepEqual(
    Object.keys(decodePage(PICTURE_TEXT, page(utf8("hotel"))).files),
    [nameOf("one")],
  );
  for (const bytes of [new Uint8Array([0xff]), new Uint8Array(5_000)]) {
    assert.throws(() => decodePage(PICTURE_TEXT, page(bytes)), DocumentError);
  }
});
