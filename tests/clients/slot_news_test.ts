/**
 * Slots that other devices changed, which are read once that works.
 *
 * @module
 */
import assert from "node:assert/strict";
import { NewerDocumentError } from "../../src/client/documents/fields.ts";
import { ConnectionError } from "../../src/client/api/transport.ts";
import { SlotNews } from "../../src/web/workers/library/slot_news.ts";

Deno.test("slots whose reading failed are read the next time, with the later ones", async () => {
  const news = new SlotNews();
  const read: string[] = [];
  const reading = (slots: readonly string[]) => {
    read.push(slots.join());
    return Promise.resolve();
  };
  await news.read(reading);
  assert.deepEqual(read, [], "nothing changed");

  news.add(["words-1", "library"]);
  const failing = () => Promise.reject(new ConnectionError("away"));
  await assert.rejects(news.read(failing), ConnectionError);
  news.add(["words-2"]);
  await news.read(reading);
  await news.read(reading);
  assert.deepEqual(read, ["words-1,library,words-2"]);
});

Deno.test("what a newer program wrote into a slot is not read again and again", async () => {
  const news = new SlotNews();
  news.add(["words-1"]);
  const failing = () => Promise.reject(new NewerDocumentError("words"));
  await assert.rejects(news.read(failing), NewerDocumentError);
  await news.read(failing);
});

Deno.test("a slot that changes while it is read is read again", async () => {
  const news = new SlotNews();
  const read: string[] = [];
  news.add(["words-1"]);
  await news.read((slots) => {
    read.push(slots.join());
    news.add(["words-1"]);
    return Promise.resolve();
  });
  await news.read((slots) => {
    read.push(slots.join());
    return Promise.resolve();
  });
  assert.deepEqual(read, ["words-1", "words-1"]);
});
