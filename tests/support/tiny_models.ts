/**
 * A pair of models small enough to be written by hand, as an operator would put
 * them into a folder: what a picture shows is its mean colour, and what a text
 * says is the mean of the colours that it names.
 *
 * @module
 */
import { concatBytes, utf8 } from "../../src/core/bytes.ts";

/** Numbers of a vector; a colour has three, the rest are 0. */
const DIMENSION = 8;
const TOKENS = 8;
/** Width and height of the pictures that the model takes. */
const SIDE = 16;

const [FLOAT, INT64] = [1, 7];

/** The colours by their words, from -1 to 1. */
const COLOURS = {
  red: [1, -1, -1],
  green: [-1, 1, -1],
  blue: [-1, -1, 1],
} as const;

/** Of a description: what a test says otherwise. */
export interface TinyOptions {
  readonly name?: string;
  /** How strongly red counts, which makes it another model. */
  readonly red?: number;
}

/** Writes `meaning.json` and the files that it names. */
export async function putTinyModels(
  folder: string,
  { name = "Colours", red = 1 }: TinyOptions = {},
): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const put = (file: string, content: Uint8Array | string) =>
    Deno.writeFile(
      `${folder}/${file}`,
      typeof content === "string" ? utf8(content) : content,
    );
  await put("image.onnx", imageModel(red));
  await put("text.onnx", textModel());
  await put("tokenizer.json", JSON.stringify(tokenizer()));
  await put(
    "meaning.json",
    JSON.stringify({
      name,
      dimension: DIMENSION,
      image: {
        file: "image.onnx",
        size: SIDE,
        mean: [0.5, 0.5, 0.5],
        std: [0.5, 0.5, 0.5],
      },
      text: { file: "text.onnx", tokens: TOKENS },
      tokenizer: "tokenizer.json",
      least: 0.5,
      below: 0.3,
    }),
  );
}

/** Each letter is a piece, and each colour one that its letters make. */
function tokenizer() {
  const merges: string[] = [];
  const words = Object.keys(COLOURS);
  const letters = new Set(words.flatMap((word) => [...word]));
  const pieces = [...letters, ...[...letters].map((one) => `${one}</w>`)];
  for (const word of words) {
    let end = `${word.at(-1)}</w>`;
    for (let at = word.length - 2; at >= 0; at--) {
      merges.push(`${word[at]} ${end}`);
      end = `${word[at]}${end}`;
      if (at > 0) pieces.push(end);
    }
  }
  const all = ["<|startoftext|>", "<|endoftext|>", ...words, ...pieces];
  const vocab = Object.fromEntries(
    all.map((
      piece,
      id,
    ) => [words.includes(piece) ? `${piece}</w>` : piece, id]),
  );
  return { model: { type: "BPE", end_of_word_suffix: "</w>", vocab, merges } };
}

/** [1, 3, side, side] → the mean of each colour → [1, dimension]. */
function imageModel(red: number): Uint8Array {
  const weights = new Float32Array(3 * DIMENSION);
  for (let colour = 0; colour < 3; colour++) {
    weights[colour * DIMENSION + colour] = colour === 0 ? red : 1;
  }
  return model(
    [
      node("ReduceMean", ["pixel_values"], "means", [
        integers("axes", [2, 3]),
        integer("keepdims", 0),
      ]),
      node("MatMul", ["means", "weights"], "image_embeds"),
    ],
    tensor("weights", [3, DIMENSION], weights),
    value("pixel_values", FLOAT, [1, 3, SIDE, SIDE]),
    value("image_embeds", FLOAT, [1, DIMENSION]),
  );
}

/** [1, tokens] → the colour of each token → their mean: [1, dimension]. */
function textModel(): Uint8Array {
  const words = Object.values(COLOURS);
  const rows = 256;
  const table = new Float32Array(rows * DIMENSION);
  for (const [at, colour] of words.entries()) {
    // After the tokens that begin and end a text, which say nothing.
    table.set(colour, (at + 2) * DIMENSION);
  }
  return model(
    [
      node("Gather", ["table", "input_ids"], "colours", [integer("axis", 0)]),
      node("ReduceMean", ["colours"], "text_embeds", [
        integers("axes", [1]),
        integer("keepdims", 0),
      ]),
    ],
    tensor("table", [rows, DIMENSION], table),
    value("input_ids", INT64, [1, TOKENS]),
    value("text_embeds", FLOAT, [1, DIMENSION]),
  );
}

// Protocol Buffers, with the numbers of onnx.proto (ONNX, IR version 8).

/** A number of seven bits a byte. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  do {
    bytes.push((left & 127) | (left > 127 ? 128 : 0));
    left >>>= 7;
  } while (left > 0);
  return Uint8Array.from(bytes);
}

function whole(field: number, value: number): Uint8Array {
  return concatBytes(varint(field << 3), varint(value));
}

/** A text, bytes or a message, each with its length. */
function part(field: number, content: Uint8Array | string): Uint8Array {
  const bytes = typeof content === "string" ? utf8(content) : content;
  return concatBytes(varint((field << 3) | 2), varint(bytes.length), bytes);
}

function model(
  nodes: readonly Uint8Array[],
  initializer: Uint8Array,
  input: Uint8Array,
  output: Uint8Array,
): Uint8Array {
  const graph = concatBytes(
    ...nodes.map((one) => part(1, one)),
    part(2, "tiny"),
    part(5, initializer),
    part(11, input),
    part(12, output),
  );
  return concatBytes(whole(1, 8), part(7, graph), part(8, whole(2, 13)));
}

function node(
  type: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Uint8Array[] = [],
): Uint8Array {
  return concatBytes(
    ...inputs.map((one) => part(1, one)),
    part(2, output),
    part(4, type),
    ...attributes.map((one) => part(5, one)),
  );
}

function integer(name: string, value: number): Uint8Array {
  return concatBytes(part(1, name), whole(3, value), whole(20, 2));
}

function integers(name: string, values: readonly number[]): Uint8Array {
  return concatBytes(
    part(1, name),
    ...values.map((one) => whole(8, one)),
    whole(20, 7),
  );
}

function tensor(
  name: string,
  dims: readonly number[],
  numbers: Float32Array<ArrayBuffer>,
): Uint8Array {
  return concatBytes(
    ...dims.map((one) => whole(1, one)),
    whole(2, FLOAT),
    part(8, name),
    part(9, new Uint8Array(numbers.buffer)),
  );
}

function value(
  name: string,
  type: number,
  dims: readonly number[],
): Uint8Array {
  const shape = concatBytes(...dims.map((one) => part(1, whole(1, one))));
  const tensorType = concatBytes(whole(1, type), part(2, shape));
  return concatBytes(part(1, name), part(2, part(1, tensorType)));
}
