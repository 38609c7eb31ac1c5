/**
 * What a search knows of rows by their metadata, read once for each: a search
 * asks for it of all photos with every key.
 *
 * @module
 */
import { plainText } from "../../media/plain_text.ts";
import { lettersIn, type Vocabulary } from "../base/mistyped.ts";
import { localDay, type Row } from "../rows/rows.ts";
import { dayAt, type LocalDay } from "./search_dates.ts";

/** What is searched in metadata. */
export interface Facts {
  /** All texts, as `plainText` has them. */
  readonly told: string;
  /** See {@link dayTaken}. */
  day?: LocalDay | null;
  /** See {@link lettersOf}. */
  letters?: string;
}

/** By metadata: a change makes a new metadata object. */
const held = new WeakMap<object, Facts>();
const NO_FACTS: Facts = { told: "" };

/** The texts of a row, read once. */
export function factsOf(row: Row): Facts {
  const { metadata } = row;
  if (metadata === undefined) return NO_FACTS;
  const known = held.get(metadata);
  if (known !== undefined) return known;
  const { name, path, caption, camera, keywords = [] } = metadata;
  const said = [name, path, caption, camera?.make, camera?.model, camera?.lens]
    .concat(keywords).filter((text) => text !== undefined)
    .join("\n");
  const told = plainText(said);
  const facts = { told };
  held.set(metadata, facts);
  return facts;
}

/** The words of letters in a row's texts, made when first asked for. */
export function lettersOf(facts: Facts): string {
  return facts.letters ??= lettersIn(facts.told);
}

/** The same of other texts, of which there are few for many rows. */
export function lettersOfText(text: string): string {
  let letters = heldTexts.get(text);
  if (letters === undefined) {
    letters = lettersIn(text);
    if (heldTexts.size >= MOST_TEXTS) heldTexts.clear();
    heldTexts.set(text, letters);
  }
  return letters;
}
const heldTexts = new Map<string, string>();
const MOST_TEXTS = 10_000;

/**
 * When it was taken, made when first asked for; undefined where the metadata
 * says nothing of it.
 */
export function dayTaken(
  { row, facts }: { readonly row: Row; readonly facts: Facts },
): LocalDay | undefined {
  if (facts.day === undefined) {
    facts.day = row.metadata?.taken_at === undefined
      ? null
      : dayAt(localDay(row).getTime());
  }
  return facts.day ?? undefined;
}

/** Rows that are read before others have their turn. */
const AT_A_STRETCH = 1_000;

/**
 * Reads what the first searches would: the texts of rows, their dates and their
 * words; `look` is called for each. `pause` lets others have their turn.
 */
export async function readAhead(
  rows: readonly Row[],
  vocabulary: Vocabulary,
  pause: () => Promise<void>,
  look: (row: Row) => void = () => {},
): Promise<void> {
  for (const [at, row] of rows.entries()) {
    look(row);
    const facts = factsOf(row);
    dayTaken({ row, facts });
    vocabulary.add(lettersOf(facts));
    if ((at + 1) % AT_A_STRETCH === 0) await pause();
  }
}
