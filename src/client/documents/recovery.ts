/**
 * The escrow blob (protocol/client-cryptography.md#escrow-blob): the master key
 * in several boxes, each under a passphrase of its own, so that both the
 * recovery words and a person's own phrase open it. It is apart from
 * `escrow.ts` so that a page which opens a share loads no word list.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes, RandomBytes } from "../../core/bytes.ts";
import { encodeCanonical } from "../../core/cbor.ts";
import { plainPassphrase } from "../keys/argon2.ts";
import {
  openSecret,
  type PassphraseOptions,
  readEscrowCbor,
  SEALED_FIELDS,
  type SealedSecret,
  type SealPassphraseOptions,
  sealSecret,
  wrongPassphrase,
} from "./escrow.ts";
import { textBetween } from "./fields.ts";
import type { ReadWords } from "../keys/recovery_words.ts";

/** The label of the box that 24 recovery words open. */
export const WORDS_LABEL = "words";
/** The label of the box that a phrase of the person's own opens. */
export const PHRASE_LABEL = "phrase";
/** Fewest characters of a person's own phrase. */
export const PHRASE_MIN_CHARACTERS = 12;
const MOST_BOXES = 8;

/** A box to make. */
export interface EscrowEntry {
  /** {@link WORDS_LABEL}, {@link PHRASE_LABEL} or another word. */
  readonly label: string;
  readonly passphrase: string;
}

/** The master key that a passphrase opened, and the label of its box. */
export interface RecoveredKey {
  readonly masterKey: Bytes;
  readonly label: string;
}

const label = textBetween(1, 32);
const blobSchema = z.strictObject({
  v: z.literal(2),
  boxes: z.array(z.strictObject({ label, ...SEALED_FIELDS })).check(
    z.minLength(1),
    z.maxLength(MOST_BOXES),
  ),
});

interface LabelledBox extends SealedSecret {
  readonly label: string;
  readonly associated: string;
}

/**
 * Makes the escrow blob of a master key, with one box for each entry. Throws a
 * RangeError for no entries or more than eight, a label given twice, an empty
 * passphrase, and for words that are no recovery words.
 */
export async function sealEscrow(
  masterKey: Uint8Array,
  entries: readonly EscrowEntry[],
  random: RandomBytes,
  options: SealPassphraseOptions = {},
): Promise<Bytes> {
  const boxes: LabelledBox[] = [];
  for (const entry of entries) {
    boxes.push(await sealEntry(masterKey, entry, random, options));
  }
  return encodeBoxes(boxes);
}

/**
 * Adds a box to a blob, or replaces the one with the same label; the other
 * boxes stay as they are. Throws an {@link EscrowError} for a blob that is
 * unreadable.
 */
export async function withEscrowBox(
  blob: Uint8Array,
  masterKey: Uint8Array,
  entry: EscrowEntry,
  random: RandomBytes,
  options: SealPassphraseOptions = {},
): Promise<Bytes> {
  const others = boxesOf(blob).filter((box) => box.label !== entry.label);
  const box = await sealEntry(masterKey, entry, random, options);
  return encodeBoxes([...others, box]);
}

/**
 * Removes the box of a label from a blob. Throws a RangeError if no box would
 * be left, and as {@link withEscrowBox} does.
 */
export function withoutEscrowBox(blob: Uint8Array, label: string): Bytes {
  return encodeBoxes(boxesOf(blob).filter((box) => box.label !== label));
}

/**
 * The labels of a blob's boxes, so that a person can be asked for the right
 * passphrase. Throws an {@link EscrowError}.
 */
export function escrowLabels(blob: Uint8Array): string[] {
  return boxesOf(blob).map(({ label }) => label);
}

/**
 * Opens the master key of an escrow blob with a passphrase or recovery words as
 * they were typed. If the text is valid recovery words, boxes of words are
 * tried first; otherwise they are not tried. Throws an {@link EscrowError}:
 * `passphrase_wrong` if no box opens.
 */
export async function openEscrow(
  typed: string,
  blob: Uint8Array,
  options: PassphraseOptions = {},
): Promise<RecoveredKey> {
  const boxes = boxesOf(blob);
  const read = await readWords(typed);
  const ofWords = boxes.filter(({ label }) => label === WORDS_LABEL);
  const others = boxes.filter(({ label }) => label !== WORDS_LABEL);
  const tries = others.map((box): [LabelledBox, string] => [
    box,
    box.label === PHRASE_LABEL ? plainSentence(typed) : typed,
  ]);
  if (read.ok) {
    tries.unshift(
      ...ofWords.map((box): [LabelledBox, string] => [box, read.words]),
    );
  }
  for (const [box, passphrase] of tries) {
    const { associated, label } = box;
    const masterKey = await openSecret(passphrase, box, associated, options);
    if (masterKey !== undefined) return { masterKey, label };
  }
  throw wrongPassphrase();
}

/**
 * The form in which a person's own phrase counts
 * (protocol/client-cryptography.md#passphrases-and-phrases): as any passphrase,
 * but in lower case and without full stops at its end, because people remember
 * the sentence and not how they wrote it.
 */
export function plainSentence(phrase: string): string {
  const lower = plainPassphrase(phrase).toLowerCase().normalize("NFC");
  return lower.replace(/[ .]+$/, "");
}

/** Why a person's own phrase is refused. */
export type PhraseFault = "too_short" | "is_password";

/**
 * Checks a person's own phrase: its {@link plainSentence} needs at least twelve
 * characters, and must not be that of the account's password, which the server
 * sees. Undefined if it is allowed.
 */
export function phraseFault(
  phrase: string,
  password?: string,
): PhraseFault | undefined {
  const plain = plainSentence(phrase);
  if (password !== undefined && plain === plainSentence(password)) {
    return "is_password";
  }
  return [...plain].length < PHRASE_MIN_CHARACTERS ? "too_short" : undefined;
}

async function sealEntry(
  masterKey: Uint8Array,
  { label, passphrase }: EscrowEntry,
  random: RandomBytes,
  options: SealPassphraseOptions,
): Promise<LabelledBox> {
  const associated = boundTo(label);
  let plain = passphrase;
  if (label === WORDS_LABEL) {
    const read = await readWords(passphrase);
    if (!read.ok) throw new RangeError("these are no recovery words");
    plain = read.words;
  } else if (label === PHRASE_LABEL) plain = plainSentence(passphrase);
  const sealed = await sealSecret(
    plain,
    masterKey,
    associated,
    random,
    options,
  );
  return { ...sealed, label, associated };
}

/**
 * Imported only here, so that no page loads the list of words (10 KB) before it
 * is needed.
 */
async function readWords(typed: string): Promise<ReadWords> {
  const { readRecoveryWords } = await import("../keys/recovery_words.ts");
  return readRecoveryWords(typed);
}

function boundTo(name: string): string {
  if (!label.safeParse(name).success) {
    throw new RangeError("a label has 1 to 32 characters");
  }
  return `service-escrow/v2/${name}`;
}

function boxesOf(blob: Uint8Array): LabelledBox[] {
  const { boxes } = readEscrowCbor(blobSchema, blob, 2);
  return boxes.map((box) => ({ ...box, associated: boundTo(box.label) }));
}

function encodeBoxes(boxes: readonly LabelledBox[]): Bytes {
  const labels = new Set(boxes.map(({ label }) => label));
  if (boxes.length === 0 || boxes.length > MOST_BOXES) {
    throw new RangeError(`an escrow blob has 1 to ${MOST_BOXES} boxes`);
  }
  if (labels.size < boxes.length) throw new RangeError("a label stands twice");
  return encodeCanonical({
    v: 2,
    boxes: boxes.map(({ label, kdf, nonce, box }) => ({
      label,
      kdf: { ...kdf },
      nonce,
      box,
    })),
  });
}
