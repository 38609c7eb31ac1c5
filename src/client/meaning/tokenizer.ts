/**
 * The tokenizer of CLIP: byte-level BPE over lowercase words, as its authors'
 * `simple_tokenizer.py` does it, with the vocabulary of a `tokenizer.json`.
 *
 * @module
 */

/** The file is no tokenizer that this program can work with. */
export class TokenizerError extends Error {
  override readonly name = "TokenizerError";
}

/** Turns a text into the tokens that a model takes. */
export interface Tokenizer {
  /** The token that ends a text. */
  readonly end: number;
  /** The tokens of a text with its beginning and its end; at most `most`. */
  tokens(text: string, most: number): readonly number[];
}

const START = "<|startoftext|>";
const END = "<|endoftext|>";
/** Ends the last piece of a word. */
const OF_WORD = "</w>";
/** What is a word: the apostrophes of English, letters, a digit, or marks. */
const WORDS = /'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+/gu;
/** Characters that are looked at. */
const LONGEST_TEXT = 1_000;

/** Reads a tokenizer.json. Throws a {@link TokenizerError}. */
export function readTokenizer(json: string): Tokenizer {
  const all = mapIn(parsed(json));
  const model = mapIn(all["model"]);
  const { type = "BPE", end_of_word_suffix: suffix, merges, unk_token: unk } =
    model;
  if (type !== "BPE" || suffix !== OF_WORD || !Array.isArray(merges)) {
    throw new TokenizerError("not the BPE of CLIP");
  }
  const ids = new Map<string, number>();
  for (const [piece, id] of Object.entries(mapIn(model["vocab"]))) {
    if (typeof id === "number") ids.set(piece, id);
  }
  const added: unknown = all["added_tokens"];
  for (const one of Array.isArray(added) ? added : []) {
    const { content, id } = mapIn(one);
    if (typeof content === "string" && typeof id === "number") {
      ids.set(content, id);
    }
  }
  const ranks = new Map<string, number>();
  for (const [rank, merge] of merges.entries()) {
    // Older files have both in one text.
    ranks.set(Array.isArray(merge) ? merge.join(" ") : String(merge), rank);
  }
  const [start, end] = [ids.get(START), ids.get(END)];
  if (start === undefined || end === undefined) {
    throw new TokenizerError("no token begins or ends a text");
  }
  const unknown = typeof unk === "string" ? ids.get(unk) : undefined;
  return {
    end,
    tokens(text, most) {
      const plain = text.slice(0, LONGEST_TEXT).normalize("NFC").toLowerCase();
      const tokens = [start];
      for (const [word] of plain.matchAll(WORDS)) {
        for (const piece of pieces(word, ranks)) {
          const id = ids.get(piece) ?? unknown;
          if (id !== undefined) tokens.push(id);
        }
      }
      return [...tokens.slice(0, most - 1), end];
    },
  };
}

/** A word in pieces: the pair that was merged first is merged first. */
function pieces(
  word: string,
  ranks: ReadonlyMap<string, number>,
): readonly string[] {
  const parts = Array.from(
    new TextEncoder().encode(word),
    (byte) => LETTERS[byte] ?? "",
  );
  parts.push(`${parts.pop() ?? ""}${OF_WORD}`);
  for (;;) {
    let [best, at] = [Infinity, -1];
    for (let i = 0; i + 1 < parts.length; i++) {
      const rank = ranks.get(`${parts[i]} ${parts[i + 1]}`) ?? Infinity;
      if (rank < best) [best, at] = [rank, i];
    }
    if (at < 0) return parts;
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`);
  }
}

/** A letter for each byte: those that can be seen are their own. */
const LETTERS: readonly string[] = letters();

function letters(): readonly string[] {
  const isSeen = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let next = 256;
  return Array.from(
    { length: 256 },
    (_, byte) => String.fromCodePoint(isSeen(byte) ? byte : next++),
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new TokenizerError("not JSON");
  }
}

function mapIn(value: unknown): Readonly<Record<string, unknown>> {
  if (!isMap(value)) throw new TokenizerError("not an object");
  return value;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
