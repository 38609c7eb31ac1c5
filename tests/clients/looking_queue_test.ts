/**
 * Which photos the vault has looked at, for what an account's devices share.
 *
 * @module
 */
import assert from "node:assert/strict";
import { openFindings } from "../../src/library/finding/findings.ts";
import {
  fileOf,
  pictureHash,
} from "../../src/library/finding/findings_pages.ts";
import { lookingChoice } from "../../src/library/finding/looking_choice.ts";
import {
  type Library,
  memoryStore,
  plainOf,
  type Row,
} from "../../src/library/mod.ts";
import {
  openPictureText,
  PICTURE_TEXT,
  type PictureText,
} from "../../src/library/finding/picture_text.ts";
import { fileOfRow } from "../../src/web/workers/finding/file_of_row.ts";
import {
  type LookingQueue,
  lookingQueue,
} from "../../src/web/workers/finding/looking_queue.ts";
import { flagsOf } from "../../src/web/workers/library/photo_table.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { photo, secondDevice } from "../support/library_sharing.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A person's photos, the oldest first, which are to be searched for words. */
async function withPhotos(
  names: readonly string[],
  test: (given: {
    readonly library: Library;
    readonly ids: readonly string[];
    readonly words: PictureText;
    readonly queue: LookingQueue<PictureText>;
    /** The queue of an app that is started on the same device. */
    readonly started: () => LookingQueue<PictureText>;
    readonly app: TestApp;
    readonly wire: Wire;
  }) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const ids: string[] = [];
    for (const [day, name] of names.entries()) {
      const { row } = await library.take({
        source: plainOf(photo(name)),
        about: {
          name: `${name}.png`,
          mime: "image/png",
          taken_at: `2024-06-0${day + 1}T10:00:00Z`,
        },
      });
      ids.push(row.id);
    }
    await library.sync();
    const words = await openPictureText(library);
    await words.turn(true);
    const started = () => queueOf(library, words);
    const queue = started();
    await test({ library, ids, words, queue, started, app, wire });
  });
}

function queueOf(
  library: Library,
  words: PictureText,
): LookingQueue<PictureText> {
  const options = {
    userId: library.vault.session.userId,
    thoughtOf: library.flags.of,
  };
  const view = {
    found: () =>
      library.list().map((row) => [row, flagsOf(row, options)] as const),
    isShut: () => false,
  };
  return lookingQueue({
    opened: () => library,
    view: () => view,
    changed: () => {},
  }, {
    name: PICTURE_TEXT.name,
    choice: ({ state }) =>
      lookingChoice(state.held.settings, PICTURE_TEXT.setting),
    of: () => Promise.resolve(words),
    isToLookAt: () => true,
  });
}

const idsOf = (photos: readonly { readonly id: string }[]) =>
  photos.map(({ id }) => id);

const pictureOf = ({ id, metadata }: Row) => ({
  id,
  hash: metadata === undefined ? "" : pictureHash(metadata),
});

Deno.test("a photo that is turned while it is looked at is looked at again", async () => {
  await withPhotos(["one"], async ({ library, ids: [one = ""], queue }) => {
    const [before] = (await queue.next(1)).map(pictureOf);
    assert(before !== undefined && queue.mayLookAt(before) !== undefined);
    await library.amend(one, { about: { edit: { turns: 1 } } });
    assert.equal(
      queue.mayLookAt(before),
      undefined,
      "found in another picture",
    );
    await queue.passUntaken([before]);
    const [after] = (await queue.next(1)).map(pictureOf);
    assert.equal(after?.id, one);
    assert.notEqual(after.hash, before.hash);
    assert(queue.mayLookAt(after) !== undefined);
  });
});

Deno.test("a photo that is hidden while it waits is not looked at", async () => {
  await withPhotos(["one", "two", "three"], async (given) => {
    const { library, ids: [one = "", two = "", three = ""], queue } = given;
    const looked = await queue.next(1);
    assert.deepEqual(idsOf(looked), [three]);
    const pictures = looked.map(pictureOf);
    await library.flags.change([two, three], { hidden: true });
    // What was found in it meanwhile is not kept.
    assert.deepEqual(pictures.map(queue.mayLookAt), [undefined]);
    await queue.passUntaken(pictures);
    assert.deepEqual(idsOf(await queue.next(4)), [one]);

    await library.flags.change([two, three], { hidden: false });
    assert.deepEqual(idsOf(await queue.next(4)), [three, two, one]);
  });
});

Deno.test("photos of which the pages take nothing are looked at once, not for ever", async () => {
  await withPhotos(["one", "two"], async ({ library, ids, words, queue }) => {
    // Another device turned it off and on again, which the server keeps back.
    const { settings } = library.state.held;
    const { era } = lookingChoice(settings, PICTURE_TEXT.setting);
    const later = await openFindings(
      { vault: library.vault, store: memoryStore() },
      PICTURE_TEXT,
      () => ({ isOn: true, era: era + 1 }),
    );
    await later.note({ [fileOf("00".repeat(32))]: new Uint8Array() });
    await later.send();

    const looked: string[] = [];
    for (let left = 4; left > 0; left--) {
      const rows = await queue.next(1);
      looked.push(...idsOf(rows));
      await words.note(rows.map(({ metadata }) => ({
        hash: metadata?.sha256 ?? "",
        found: "hotel",
      })));
      for (const row of rows) assert(!words.has(fileOfRow(row) ?? ""));
      await queue.passUntaken(rows.map(pictureOf));
    }
    assert.deepEqual(looked, ids.toReversed());
  });
});

Deno.test("a picture that one device cannot look at is left to the others", async () => {
  await withPhotos(["one", "two"], async (given) => {
    const { library, ids: [one = "", two = ""], words, queue, wire } = given;
    const rows = await queue.next(1);
    assert.deepEqual(idsOf(rows), [two]);
    await queue.leave(rows.map(pictureOf));
    assert.equal(words.count, 0);
    assert.deepEqual(idsOf(await queue.next(4)), [one]);
    assert.deepEqual(idsOf(await queue.next(4)), [one], "and not for ever");
    const { rows: left, passed } = await queue.unseen();
    assert.deepEqual([idsOf(left), passed], [[one], 1]);

    const phone = await secondDevice(wire, library, "ada");
    const there = queueOf(phone, await openPictureText(phone));
    assert.deepEqual(idsOf(await there.next(4)), [two, one]);
  });
});

Deno.test("a device tries again what it could not look at after some weeks, or once it is turned on again", async () => {
  await withPhotos(["one"], async ({ ids, words, queue, started, app }) => {
    const leaveAll = async (queue: LookingQueue<PictureText>) => {
      const rows = await queue.next(4);
      assert.deepEqual(idsOf(rows), ids);
      await queue.leave(rows.map(pictureOf));
    };
    await leaveAll(queue);
    app.clock.now += 29 * DAY_MS;
    assert.deepEqual(await started().next(4), [], "at no other start");
    app.clock.now += DAY_MS;
    await leaveAll(started());
    assert.deepEqual(await started().next(4), []);
    await words.turn(false);
    await words.turn(true);
    await leaveAll(started());
  });
});

Deno.test("of very many pictures that a device cannot look at, it tries some again", async () => {
  await withPhotos(["one"], async ({ library, ids, queue, started }) => {
    await queue.leave((await queue.next(1)).map(pictureOf));
    const others = Array.from({ length: 1_000 }, (_, at) => ({
      id: "",
      hash: at.toString(16).padStart(64, "0"),
    }));
    await queue.leave(others);
    assert.deepEqual(await queue.next(1), [], "but not before the next start");
    assert.deepEqual(idsOf(await started().next(1)), ids);
    const kept = await library.store.get("program", "passed-over/words");
    assert((kept?.length ?? 0) < 64 * 1024);
  });
});
