/**
 * Which photos the vault has looked at, for what an account's devices share.
 *
 * @module
 */
import assert from "node:assert/strict";
import { openFindings } from "../../src/client/library/findings.ts";
import { fileOf } from "../../src/client/library/findings_pages.ts";
import { lookingChoice } from "../../src/client/library/looking_choice.ts";
import {
  type Library,
  memoryStore,
  plainOf,
} from "../../src/client/library/mod.ts";
import {
  openPictureWords,
  type PictureWords,
  WORDS,
} from "../../src/client/library/picture_words.ts";
import { fileOfRow } from "../../src/web/workers/file_of_row.ts";
import {
  type LookingQueue,
  lookingQueue,
} from "../../src/web/workers/looking_queue.ts";
import { flagsOf } from "../../src/web/workers/photo_table.ts";
import { withTestApp } from "../support/app.ts";
import { beginLibrary, deviceOf, wireTo } from "../support/library.ts";
import { photo } from "../support/library_sharing.ts";

/** Somebody's photos, the oldest first, which are to be looked at for words. */
async function withPhotos(
  names: readonly string[],
  test: (given: {
    readonly library: Library;
    readonly ids: readonly string[];
    readonly words: PictureWords;
    readonly queue: LookingQueue<PictureWords>;
  }) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const library = await beginLibrary(deviceOf(wireTo(app), "laptop"), "ada");
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
    const words = await openPictureWords(library);
    await words.turn(true);
    const options = {
      userId: library.vault.session.userId,
      thoughtOf: library.flags.of,
    };
    const view = {
      found: () =>
        library.list().map((row) => [row, flagsOf(row, options)] as const),
      isShut: () => false,
    };
    const queue = lookingQueue({
      opened: () => library,
      view: () => view,
      changed: () => {},
    }, {
      isOn: () => words.isOn,
      of: () => Promise.resolve(words),
      isToLookAt: () => true,
    });
    await test({ library, ids, words, queue });
  });
}

const idsOf = (photos: readonly { readonly id: string }[]) =>
  photos.map(({ id }) => id);

Deno.test("a photo that is hidden while it waits is not looked at", async () => {
  await withPhotos(["one", "two", "three"], async (given) => {
    const { library, ids: [one = "", two = "", three = ""], queue } = given;
    assert.deepEqual(idsOf(await queue.next(1)), [three]);
    await library.flags.change([two, three], { hidden: true });
    // What was found in it meanwhile is not kept.
    assert.equal(queue.mayLookAt(three), undefined);
    await queue.passUntaken([three]);
    assert.deepEqual(idsOf(await queue.next(4)), [one]);

    await library.flags.change([two, three], { hidden: false });
    assert.deepEqual(idsOf(await queue.next(4)), [three, two, one]);
  });
});

Deno.test("photos of which the pages take nothing are looked at once, not for ever", async () => {
  await withPhotos(["one", "two"], async ({ library, ids, words, queue }) => {
    // Another device turned it off and on again, which the server keeps back.
    const { settings } = library.state.held;
    const { era } = lookingChoice(settings, WORDS.setting);
    const later = await openFindings(
      { vault: library.vault, store: memoryStore() },
      WORDS,
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
      await queue.passUntaken(idsOf(rows));
    }
    assert.deepEqual(looked, ids.toReversed());
  });
});
