/**
 * Faces between the devices of an account, through a server.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Faces,
  type FoundFace,
  openFaces,
} from "../../src/library/finding/faces.ts";
import { withFaces } from "../../src/library/finding/faces_choices.ts";
import { FACES } from "../../src/library/finding/faces_pages.ts";
import {
  fileOf,
  slotOfPage,
} from "../../src/library/finding/findings_pages.ts";
import type { Library } from "../../src/library/mod.ts";
import { ApiProblem } from "../../src/client/api/api.ts";
import { StreamError } from "../../src/client/stream/stream.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { utf8 } from "../../src/core/bytes.ts";
import { withTestApp } from "../support/app.ts";
import { beginLibrary, deviceOf, wireTo } from "../support/library.ts";
import { withTwoDevices } from "../support/library_sharing.ts";

/** A person's face, the same in every photo. */
function faceOf(name: string): FoundFace {
  const hash = sha256Hex(utf8(name));
  const vector = Array.from(
    { length: 128 },
    (_, at) => (Number.parseInt(hash.charAt(at % 64), 16) - 7.5) / 80,
  );
  return { x: 0.1, y: 0.2, width: 0.3, height: 0.4, sure: 0.9, vector };
}

const looked = (photo: string, ...people: readonly string[]) => ({
  hash: sha256Hex(utf8(photo)),
  faces: people.map(faceOf),
});

const sizes = (faces: Faces) =>
  faces.people().map(({ faces }) => faces.length).toSorted((a, b) => b - a);

Deno.test("what one device finds another has, with the names, and looks at none of it again", async () => {
  await withTwoDevices(async ({ laptop, phone }) => {
    const here = await openFaces(laptop);
    await here.note([looked("before", "Ada")]);
    assert.equal(here.count, 0, "it is off until someone turns it on");
    await here.turn(true);
    await here.note([looked("one", "Ada", "Bob"), looked("two", "Ada")]);
    await here.note([looked("none")]);
    await here.send();
    const [ada] = here.people();
    assert(ada !== undefined);
    await here.change(ada.id, { name: "Ada" });

    const { slots } = await phone.sync();
    assert(slots.includes(slotOfPage(FACES, 1)), "the feed tells of it");
    const there = await openFaces(phone);
    await there.read(slots);
    assert.deepEqual(sizes(there), [2, 1]);
    assert.equal(there.choiceOf(there.people()[0]?.id ?? "").name, "Ada");
    for (const photo of ["one", "two", "none"]) {
      assert(there.has(fileOf(sha256Hex(utf8(photo)))), photo);
    }
    // A new photo joins the person that the other device began.
    await there.note([looked("three", "Ada")]);
    assert.deepEqual(sizes(there), [3, 1]);
    await there.send();
    await here.read();
    assert.deepEqual(
      here.people().map(({ id }) => id),
      there.people().map(({ id }) => id),
    );
  });
});

Deno.test("what two devices find at the same time is kept of both", async () => {
  await withTwoDevices(async ({ laptop, phone }) => {
    const here = await openFaces(laptop);
    await here.turn(true);
    await phone.sync();
    const there = await openFaces(phone);
    await here.note([looked("one", "Ada"), looked("same", "Bob")]);
    await there.note([looked("two", "Ada"), looked("same", "Bob")]);
    await Promise.all([here.send(), there.send()]);
    await Promise.all([here.read(), there.read()]);
    for (const faces of [here, there]) {
      assert.equal(faces.count, 3);
      // Of two groups that began at the same time one person is shown.
      assert.deepEqual(sizes(faces), [2, 1]);
    }
    assert.deepEqual(
      here.people().map(({ id }) => id),
      there.people().map(({ id }) => id),
    );
  });
});

Deno.test("turned off, everything is gone from the server and from a device that was away and had more", async () => {
  await withTwoDevices(async ({ laptop, phone }) => {
    const here = await openFaces(laptop);
    await here.turn(true);
    await here.note([looked("one", "Ada")]);
    await here.send();
    const [ada] = here.people();
    await here.change(ada?.id ?? "", { name: "Ada" });
    await phone.sync();
    const there = await openFaces(phone);
    await there.read();
    await there.note([looked("two", "Ada")]);

    await here.turn(false);
    assert.equal(here.count, 0);
    const slot = async () =>
      (await laptop.vault.session.account.slot(slotOfPage(FACES, 1))).bytes
        .length;
    assert(await slot() < 200);
    // The phone does not know yet, and sends what it had found.
    await there.send();
    assert(await slot() < 200);
    await phone.sync();
    await there.read();
    assert.equal(there.choices.isOn, false);
    assert.equal(there.count, 0);
    assert.deepEqual(there.people(), []);
    // Opened again, this device has none of it either.
    assert.equal((await openFaces(phone)).count, 0);

    // Turned on again, it begins with nothing.
    await there.turn(true);
    assert.equal(there.count, 0);
    await there.note([looked("one", "Ada")]);
    assert.deepEqual(sizes(there), [1]);
    assert.equal(there.choiceOf(there.people()[0]?.id ?? "").name, undefined);
  });
});

Deno.test("where turning off was cut short, whichever device looks next ends it", async () => {
  await withTwoDevices(async ({ laptop, phone }) => {
    const here = await openFaces(laptop);
    await here.turn(true);
    await here.note([looked("one", "Ada")]);
    await here.send();
    // The choice came as far as the server, the pages did not.
    await laptop.state.change((held) => ({
      ...held,
      settings: withFaces(held.settings, false, here.choices.era + 1),
    }));
    const slot = async () =>
      (await laptop.vault.session.account.slot(slotOfPage(FACES, 1))).bytes
        .length;
    assert(await slot() > 200);
    await phone.sync();
    await (await openFaces(phone)).read();
    assert(await slot() < 200);
  });
});

Deno.test("a server that swaps, withholds or replays pages of faces takes none from a device", async () => {
  await withTestApp(async (app) => {
    /** What the server answers for a slot, instead of what lies there. */
    const lies = new Map<string, () => Promise<Response> | Response>();
    const honest = wireTo(app);
    const wire: typeof honest = {
      ...honest,
      fetch: async (url, init) => {
        const { pathname } = new URL(url);
        const lie = (init.method ?? "GET") === "GET"
          ? lies.get(pathname.split("/").at(-1) ?? "")
          : undefined;
        return await (lie?.() ?? honest.fetch(url, init));
      },
    };
    const [page, settings] = [slotOfPage(FACES, 1), "library"];
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const stranger = await beginLibrary(deviceOf(honest, "theirs"), "bob");
    const slotOf = async ({ vault }: Library, slot: string) => {
      const { bytes, etag } = await vault.session.account.slot(slot);
      return () => new Response(bytes, { headers: { etag } });
    };
    const here = await openFaces(laptop);
    await here.turn(true);
    await here.note([looked("one", "Ada")]);
    await here.send();
    const older = await slotOf(laptop, page);
    await here.note([looked("two", "Ada", "Bob")]);
    await here.send();
    await here.change(here.people()[0]?.id ?? "", { name: "Ada" });
    const shows = (faces: Faces) => {
      assert.deepEqual(sizes(faces), [2, 1]);
      assert.equal(faces.choiceOf(faces.people()[0]?.id ?? "").name, "Ada");
    };

    // Another slot of the same account, and another account's page.
    const theirs = await openFaces(stranger);
    await theirs.turn(true);
    await theirs.note([looked("theirs", "Eve")]);
    await theirs.send();
    for (
      const lie of [
        await slotOf(laptop, settings),
        await slotOf(stranger, page),
      ]
    ) {
      lies.set(page, lie);
      await assert.rejects(here.read(), StreamError);
      // Nor is it written over, which would lose what devices put there.
      await here.note([looked("one", "Ada")]);
      shows(here);
      shows(await openFaces(laptop));
    }
    // What lay there before, and nothing at all.
    for (
      const lie of [
        older,
        () =>
          Response.json(
            { type: "about:blank", status: 404, code: "error.state.not_found" },
            {
              status: 404,
              headers: { "content-type": "application/problem+json" },
            },
          ),
      ]
    ) {
      lies.set(page, lie);
      await here.read();
      shows(here);
      shows(await openFaces(laptop));
    }

    // Off is off, also where the server gives the faces back.
    lies.clear();
    const before = await slotOf(laptop, page);
    const said = await slotOf(laptop, settings);
    await here.turn(false);
    lies.set(page, before).set(settings, said);
    await laptop.state.read();
    await here.read().catch((error) => {
      // It pretends that another device has just written.
      assert(error instanceof ApiProblem);
    });
    assert.equal(here.choices.isOn, false);
    assert.deepEqual(here.people(), []);
    assert.equal((await openFaces(laptop)).count, 0);
  });
});
