/**
 * Which photos the vault has looked at, for what an account's devices share.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Library, plainOf } from "../../src/client/library/mod.ts";
import {
  openPictureWords,
  type PictureWords,
} from "../../src/client/library/picture_words.ts";
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
    assert.deepEqual(idsOf(await queue.next(4)), [one]);

    await library.flags.change([two, three], { hidden: false });
    assert.deepEqual(idsOf(await queue.next(4)), [three, two, one]);
  });
});
