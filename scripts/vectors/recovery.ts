/**
 * Vectors of recovery: words, and the boxes of a master key.
 *
 * @module
 */
import { toBase64, toHex } from "../../src/core/bytes.ts";
import { plainPassphrase, SUITE_ARGON2_COST } from "../../src/client/argon2.ts";
import { sealWithPassphrase } from "../../src/client/escrow.ts";
import { plainSentence, sealEscrow } from "../../src/client/recovery.ts";
import {
  newRecoveryWords,
  wordsOfBits,
} from "../../src/client/recovery_words.ts";
import { MASTER_KEY, randomOf, secretOf, SMALL_COST } from "./seeds.ts";

/** Texts that people type, and what of them counts. */
const TYPED = [
  "  correct  horse\tbattery\nstaple ",
  "Gro\u0308\u00dfe",
  "\u2000na\u00efve\u00a0\u3000caf\u00e9\u0085",
  "ﬁne \u212b",
  " \n",
];

/** Sentences that people type, and what of them counts. */
const SENTENCES = [
  "My first bicycle was  green.",
  "my first BICYCLE was green",
  "Gro\u0308\u00dfe ist KEIN Zufall. ",
  "Wait... what? No.. .",
];

/**
 * The blob of version 2 that programs made which kept letter case and full
 * stops of a person's own phrase: readers still open it.
 */
const AS_TYPED =
  "omF2AmVib3hlc4KkY2JveFgwc8ruMES/Ye5DQc8iuvu7/pv+HhXQPwzi4VouKjLV8iRmOzdyOLdQh3ld+Px4zp5zY2tkZqRkc2FsdFBEfoWGvyNHwX2UR6lSbm7nZWxhbmVzAWZwYXNzZXMCam1lbW9yeV9raWIYQGVsYWJlbGV3b3Jkc2Vub25jZUyWmdZwv3mCqtpDF8akY2JveFgwLLUXgq9STPkFm0IlN+nKObDMV/n8Dc6abFJhJBYxD84I0WdZjUgIZrFruT8OLEqpY2tkZqRkc2FsdFARy3nQzbHDvcQMjhuVbj9aZWxhbmVzAWZwYXNzZXMCam1lbW9yeV9raWIYQGVsYWJlbGZwaHJhc2Vlbm9uY2VMJWpUG+NhmES6zAL0";

/** Words and escrow blobs of both versions. */
export async function recoveryVectors() {
  const entropies = [
    new Uint8Array(32),
    new Uint8Array(32).fill(255),
    secretOf("recovery words"),
  ];
  const words = newRecoveryWords(() => secretOf("recovery words"));
  const phrase = "Größe ist kein Zufall";
  const options = { cost: SMALL_COST };
  const one = "  Abandon  ability able ";
  const single = (cost: typeof SMALL_COST) =>
    sealWithPassphrase(
      one,
      MASTER_KEY,
      "service-escrow/v1",
      randomOf("escrow"),
      { cost },
    );
  return {
    master_key: toHex(MASTER_KEY),
    words: entropies.map((entropy) => ({
      entropy: toHex(entropy),
      words: newRecoveryWords(() => entropy),
      first_four: wordsOfBits(entropy, 4),
    })),
    passphrases: TYPED.map((typed) => ({
      typed,
      counts: plainPassphrase(typed),
    })),
    sentences: SENTENCES.map((typed) => ({
      typed,
      counts: plainSentence(typed),
    })),
    version_2_as_typed: { words, phrase, blob: AS_TYPED },
    version_2: {
      words,
      phrase,
      blob: toBase64(
        await sealEscrow(
          MASTER_KEY,
          [
            { label: "words", passphrase: words },
            { label: "phrase", passphrase: phrase },
          ],
          randomOf("escrow v2"),
          options,
        ),
      ),
    },
    version_1: {
      phrase: one,
      small_cost: toBase64(await single(SMALL_COST)),
      suite_cost: toBase64(await single(SUITE_ARGON2_COST)),
    },
  };
}
