/**
 * Vectors of recovery: words, and the boxes of a master key.
 *
 * @module
 */
import { toBase64, toHex } from "../../src/core/bytes.ts";
import { plainPassphrase } from "../../src/client/keys/argon2.ts";
import {
  plainSentence,
  sealEscrow,
} from "../../src/client/documents/recovery.ts";
import {
  newRecoveryWords,
  wordsOfBits,
} from "../../src/client/keys/recovery_words.ts";
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
  // A sigma at the end of a word is another one; a dot stays above the i.
  "ΟΔΥΣΣΕΥΣ ΠΛΕΕΙ ΩΣ Σ.",
  "İSTANBUL'DA IŞIK VAR",
];

/** Words, texts as they are typed, and an escrow blob. */
export async function recoveryVectors() {
  const entropies = [
    new Uint8Array(32),
    new Uint8Array(32).fill(255),
    secretOf("recovery words"),
  ];
  const words = newRecoveryWords(() => secretOf("recovery words"));
  const phrase = "Größe ist kein Zufall";
  const options = { cost: SMALL_COST };
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
  };
}
