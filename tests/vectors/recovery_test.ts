import assert from "node:assert/strict";
import {
  decodeCanonical,
  encodeCanonical,
  isCborMap,
} from "../../src/core/cbor.ts";
import {
  plainPassphrase,
  portableArgon2,
  wasmArgon2,
} from "../../src/client/keys/argon2.ts";
import {
  escrowLabels,
  openEscrow,
  phraseFault,
  plainSentence,
  sealEscrow,
  withEscrowBox,
  withoutEscrowBox,
} from "../../src/client/documents/recovery.ts";
import {
  newRecoveryWords,
  readRecoveryWords,
  wordsBeginningWith,
  wordsOfBits,
} from "../../src/client/keys/recovery_words.ts";
import { randomOf, SMALL_COST } from "../../scripts/vectors/seeds.ts";
import { base64, hex, PRIMITIVES } from "../support/vectors.ts";
import vectors from "./recovery.json" with { type: "json" };

const MASTER_KEY = hex(vectors.master_key);
const BLOB = base64(vectors.version_2.blob);
const WORDS = vectors.version_2.words;
const PHRASE = vectors.version_2.phrase;
const cheap = { cost: SMALL_COST };
const wrong = { name: "EscrowError", fault: "passphrase_wrong" };
const unreadable = { name: "EscrowError", fault: "unreadable" };

Deno.test("recovery words are those of their entropy, and are read however they are typed", () => {
  for (const { entropy, words } of vectors.words) {
    assert.equal(newRecoveryWords(() => hex(entropy)), words);
    const typed = `\n ${words.toUpperCase().replaceAll(" ", " \t ")}\n`;
    assert.deepEqual(readRecoveryWords(typed), { ok: true, words });
  }
});

Deno.test("a missing word, an unknown word and two swapped words give different errors", () => {
  const list = WORDS.split(" ");
  assert.deepEqual(readRecoveryWords(list.slice(1).join(" ")), {
    ok: false,
    fault: "count",
    count: 23,
  });
  assert.deepEqual(readRecoveryWords(""), {
    ok: false,
    fault: "count",
    count: 0,
  });
  const misspelt = list.with(2, "abandonn").with(23, "é").join(" ");
  assert.deepEqual(readRecoveryWords(misspelt), {
    ok: false,
    fault: "unknown",
    places: [3, 24],
  });
  const [first = "", second = ""] = list;
  assert.notEqual(first, second);
  const swapped = list.with(0, second).with(1, first).join(" ");
  assert.deepEqual(readRecoveryWords(swapped), {
    ok: false,
    fault: "checksum",
  });
});

Deno.test("words to compare are eleven bits each, and never more than there are", () => {
  for (const { entropy, first_four } of vectors.words) {
    assert.deepEqual(wordsOfBits(hex(entropy), 4), first_four);
  }
  // 24 words are 256 bits and a checksum, so the first 23 say the same.
  const { entropy, words } = vectors.words[2] ?? vectors.words[0] ?? {};
  assert(entropy !== undefined && words !== undefined);
  assert.deepEqual(
    wordsOfBits(hex(entropy), 23),
    words.split(" ").slice(0, 23),
  );
  assert.throws(() => wordsOfBits(hex(entropy), 24), RangeError);
  assert.deepEqual(wordsBeginningWith("zo"), ["zone", "zoo"]);
  assert.deepEqual(wordsBeginningWith(""), []);
  assert.equal(wordsBeginningWith("a").length, 8);
});

Deno.test("a passphrase counts in NFC, with single blanks and its letter case", () => {
  for (const { typed, counts } of vectors.passphrases) {
    assert.equal(plainPassphrase(typed), counts);
    assert.equal(plainPassphrase(typed.normalize("NFD")), counts);
  }
});

Deno.test("each box of an escrow blob opens the master key, in native and portable code", async () => {
  assert.deepEqual(escrowLabels(BLOB), ["words", "phrase"]);
  for (const primitives of PRIMITIVES) {
    for (const engine of [wasmArgon2, portableArgon2]) {
      const open = (typed: string, blob = BLOB) =>
        openEscrow(typed, blob, { primitives, engine });
      const byWords = await open(` ${WORDS.toUpperCase()}\n`);
      assert.deepEqual(byWords, { masterKey: MASTER_KEY, label: "words" });
      const byPhrase = await open(`  ${PHRASE.normalize("NFD")} `);
      assert.deepEqual(byPhrase, { masterKey: MASTER_KEY, label: "phrase" });
      const loudly = await open(`${PHRASE.toUpperCase().replace("SS", "ß")}.`);
      assert.deepEqual(loudly, { masterKey: MASTER_KEY, label: "phrase" });
      await assert.rejects(open(""), wrong);
      const again = await sealEscrow(
        MASTER_KEY,
        [
          { label: "words", passphrase: WORDS },
          { label: "phrase", passphrase: PHRASE },
        ],
        randomOf("escrow v2"),
        { primitives, engine, ...cheap },
      );
      assert.deepEqual(again, BLOB);
    }
  }
});

Deno.test("a sentence counts without its letter case and its full stop", async () => {
  for (const { typed, counts } of vectors.sentences) {
    assert.equal(plainSentence(typed), counts);
    assert.equal(plainSentence(typed.normalize("NFD")), counts);
    assert.equal(plainSentence(counts), counts);
  }
  const changed = await withEscrowBox(
    BLOB,
    MASTER_KEY,
    { label: "phrase", passphrase: `${PHRASE}.` },
    randomOf("a sentence"),
    cheap,
  );
  const again = await openEscrow(PHRASE.toLowerCase(), changed);
  assert.deepEqual(again, { masterKey: MASTER_KEY, label: "phrase" });
});

Deno.test("a phrase is too short without its full stops, and no password in other letters", () => {
  assert.equal(phraseFault("eleven char........"), "too_short");
  assert.equal(
    phraseFault("My Long Password.", "my long password"),
    "is_password",
  );
});

Deno.test("a box under the label of another does not open", async () => {
  const blob = decodeCanonical(BLOB);
  assert(isCborMap(blob) && Array.isArray(blob["boxes"]));
  const [words, phrase] = blob["boxes"];
  assert(isCborMap(words) && isCborMap(phrase));
  const relabelled = encodeCanonical({
    v: 2,
    boxes: [{ ...phrase, label: "words" }, { ...words, label: "other" }],
  });
  await assert.rejects(openEscrow(PHRASE, relabelled), wrong);
  await assert.rejects(openEscrow(WORDS, relabelled), wrong);
  const moved = encodeCanonical({
    v: 1,
    kdf: phrase["kdf"] ?? null,
    nonce: phrase["nonce"] ?? null,
    box: phrase["box"] ?? null,
  });
  await assert.rejects(openEscrow(PHRASE, moved), unreadable);
});

Deno.test("a new phrase replaces the old one, and the words go on opening", async () => {
  const entry = { label: "phrase", passphrase: "another phrase of mine" };
  const changed = await withEscrowBox(
    BLOB,
    MASTER_KEY,
    entry,
    randomOf("a new phrase"),
    cheap,
  );
  await assert.rejects(openEscrow(PHRASE, changed), wrong);
  assert.deepEqual(
    (await openEscrow(entry.passphrase, changed)).masterKey,
    MASTER_KEY,
  );
  assert.equal((await openEscrow(WORDS, changed)).label, "words");
  const left = withoutEscrowBox(changed, "phrase");
  assert.deepEqual(escrowLabels(left), ["words"]);
  assert.throws(() => withoutEscrowBox(left, "words"), RangeError);
  const more = await withEscrowBox(
    BLOB,
    MASTER_KEY,
    { label: "paper in the safe", passphrase: "x" },
    randomOf("one more"),
    cheap,
  );
  assert.deepEqual(escrowLabels(more), [
    "words",
    "phrase",
    "paper in the safe",
  ]);
});

Deno.test("an escrow blob that is too expensive or malformed is refused unopened", async () => {
  const blob = decodeCanonical(BLOB);
  assert(isCborMap(blob) && Array.isArray(blob["boxes"]));
  const [box] = blob["boxes"];
  assert(isCborMap(box) && isCborMap(box["kdf"] ?? null));
  const kdf = box["kdf"];
  assert(isCborMap(kdf));
  const withKdf = (over: object) =>
    encodeCanonical({ v: 2, boxes: [{ ...box, kdf: { ...kdf, ...over } }] });
  const refused = [
    withKdf({ memory_kib: 262_145 }),
    withKdf({ passes: 17 }),
    withKdf({ lanes: 5 }),
    withKdf({ lanes: 0 }),
    withKdf({ salt: new Uint8Array(7) }),
    encodeCanonical({ v: 2, boxes: [] }),
    encodeCanonical({ v: 2, boxes: Array(9).fill(box) }),
    encodeCanonical({ v: 2, boxes: [{ ...box, label: "" }] }),
    encodeCanonical({ v: 2 }),
    BLOB.subarray(1),
    hex(""),
  ];
  const engine = () => assert.fail("it was tried");
  for (const bytes of refused) {
    assert.throws(() => escrowLabels(bytes), unreadable);
    await assert.rejects(openEscrow(PHRASE, bytes, { engine }), unreadable);
  }
  const newer = { name: "EscrowError", fault: "newer" };
  assert.throws(() => escrowLabels(encodeCanonical({ v: 3 })), newer);
});

Deno.test("no box is made of nothing, of false words, or twice under one label", async () => {
  const seal = (...entries: [label: string, passphrase: string][]) =>
    sealEscrow(
      MASTER_KEY,
      entries.map(([label, passphrase]) => ({ label, passphrase })),
      randomOf("refused"),
      cheap,
    );
  await assert.rejects(seal(), RangeError);
  await assert.rejects(seal(["phrase", " \n"]), RangeError);
  await assert.rejects(seal(["words", "abandon ability able"]), RangeError);
  await assert.rejects(seal(["a", "x"], ["a", "y"]), RangeError);
  await assert.rejects(seal(["", "x"]), RangeError);
  const nine = Array.from({ length: 9 }, (_, i): [string, string] => [
    `box ${i}`,
    "x",
  ]);
  await assert.rejects(seal(...nine), RangeError);
});

Deno.test("a phrase of twelve characters may be one, and the account's password never", () => {
  assert.equal(phraseFault("a phrase   ab"), "too_short");
  assert.equal(phraseFault("twelve chars"), undefined);
  assert.equal(phraseFault("📷".repeat(12)), undefined);
  assert.equal(phraseFault("📷".repeat(11)), "too_short");
  assert.equal(phraseFault("twelve chars", " twelve  chars"), "is_password");
  assert.equal(phraseFault("twelve chars", "Twelve chars."), "is_password");
  assert.equal(phraseFault("twelve chars", "twelve char"), undefined);
});
