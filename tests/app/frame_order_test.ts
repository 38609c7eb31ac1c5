/**
 * Which photo a picture frame shows next.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Dealt, Deck } from "../../src/web/app/showing/frame/order.ts";

const item = (hash: string, takenAt: string): Dealt => ({ hash, takenAt });
const three = [item("c", "3"), item("a", "1"), item("b", "2")];
const hashes = (deck: Deck<Dealt>, count: number) =>
  Array.from({ length: count }, () => deck.next()?.hash);

Deno.test("a frame shows its photos by their dates, and begins again", () => {
  const deck = new Deck<Dealt>(() => 0);
  deck.set(three, "dated");
  assert.deepEqual(hashes(deck, 4), ["a", "b", "c", "a"]);
});

Deno.test("a frame shows each photo once before it shows one again", () => {
  const deck = new Deck<Dealt>((below) => below - 1);
  deck.set(three, "random");
  assert.deepEqual(hashes(deck, 3).toSorted(), ["a", "b", "c"]);
  assert.deepEqual(hashes(deck, 3).toSorted(), ["a", "b", "c"]);
});

Deno.test("a frame shows a new photo next, and one that was taken out no more", () => {
  const deck = new Deck<Dealt>(() => 0);
  deck.set(three, "dated");
  assert.deepEqual(hashes(deck, 1), ["a"]);
  deck.set([...three.slice(0, 2), item("new", "0")], "dated");
  assert.deepEqual(hashes(deck, 5), ["new", "c", "new", "a", "c"]);
});

Deno.test("a frame of an empty album shows nothing", () => {
  const deck = new Deck<Dealt>(() => 0);
  deck.set([], "random");
  assert.equal(deck.next(), undefined);
});
