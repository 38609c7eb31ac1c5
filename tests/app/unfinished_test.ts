/**
 * What was to be added and is not, as a browser remembers it; and asking for
 * what changes meanwhile. Without a screen.
 *
 * @module
 */
import assert from "node:assert/strict";
import { memoryStore } from "../../src/library/mod.ts";
import { latest } from "../../src/web/app/latest_call.ts";
import { openUnfinished } from "../../src/web/workers/library/unfinished.ts";

const filesOf = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    name: `IMG_${first + at}.jpg`,
    folder: "Camera/2024",
    size: 1_000 + at,
  }));

Deno.test("every file that was to be added is remembered until it is, over as many visits as it takes", async () => {
  const store = memoryStore();
  const all = filesOf(0, 129);
  const first = openUnfinished(store);
  // A file may be done before it is written that it was to be.
  const remembered = first.remember(all, true);
  await first.forget(all.slice(0, 11));
  await remembered;

  const second = openUnfinished(store);
  const { left, total, files } = await second.read();
  assert.deepEqual([left, total], [118, 129]);
  assert.ok(files.length > 2);
  for (const { folder } of files) assert.equal(folder, "Camera/2024");

  // The whole folder is chosen again, and later something else with it.
  await second.remember(all, true);
  await second.forget(all.slice(0, 100));
  await second.remember(filesOf(1_000, 10), false);
  const third = await openUnfinished(store).read();
  assert.deepEqual([third.left, third.total], [39, 139]);

  await second.forget([...all, ...filesOf(1_000, 10)]);
  assert.deepEqual(await openUnfinished(store).read(), {
    left: 0,
    total: 0,
    files: [],
  });
  assert.deepEqual(await store.list("program"), []);
});

Deno.test("what a person does not want any more is forgotten, and a huge folder is remembered in part", async () => {
  const store = memoryStore();
  const book = openUnfinished(store);
  await book.remember(filesOf(0, 20_050), true);
  assert.equal((await book.read()).left, 20_000);
  await book.forgetAll();
  assert.deepEqual(await store.list("program"), []);
  await book.remember(filesOf(0, 2), true);
  const { left, total } = await book.read();
  assert.deepEqual([left, total], [2, 2]);
});

Deno.test("what is asked for while an answer is on its way is asked once more", async () => {
  const answers: ((value: number) => void)[] = [];
  let shown = 0;
  const ask = latest(async () => {
    shown = await new Promise<number>((resolve) => answers.push(resolve));
  });
  const turn = () => new Promise((done) => setTimeout(done, 0));
  ask();
  // The inbox is emptied while the first answer, of one file, comes.
  ask();
  ask();
  assert.equal(answers.length, 1);
  answers[0]?.(1);
  await turn();
  assert.equal(answers.length, 2);
  answers[1]?.(0);
  await turn();
  assert.equal(shown, 0);
  assert.equal(answers.length, 2);
});
