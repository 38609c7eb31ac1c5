/**
 * The description of models that find photos by what they show, as an operator
 * writes it (`meaning.json`) and as the web app gets it (meaning.md).
 *
 * @module
 */

/** A file of a model, as the server found it. */
export interface ModelFile {
  /** SHA-256 in lowercase hex; its address is `/app/models/` and this. */
  readonly sha256: string;
  readonly size: number;
}

/** What is said of a model: a network whose output is one vector. */
interface Network {
  /** The name of its file. */
  readonly file: string;
  /** The name of what goes in; absent, the first. */
  readonly input?: string;
  /** The name of the vector; absent, the first. */
  readonly output?: string;
}

/** A pair of models and how to use them. */
export interface MeaningModels {
  readonly name: string;
  /** Numbers of a vector. */
  readonly dimension: number;
  readonly image: Network & {
    /** Width and height of a picture, in pixels. */
    readonly size: number;
    /** Of red, green and blue, 0 to 1. */
    readonly mean: readonly number[];
    readonly std: readonly number[];
  };
  readonly text: Network & {
    /** Tokens of a text, with its beginning and its end. */
    readonly tokens: number;
    /** The token after the end; absent, that of the end. */
    readonly pad?: number;
  };
  /** The name of the tokenizer's file. */
  readonly tokenizer: string;
  /** A photo is found from this likeness on (cosine). */
  readonly least: number;
  /** And if it is at most so much less alike than the best. */
  readonly below: number;
}

/** The same with its files, as the web app gets it. */
export interface ServedModels extends MeaningModels {
  /** By their names. */
  readonly files: Readonly<Record<string, ModelFile>>;
}

/** The description says something that cannot be. */
export class MeaningFault extends Error {
  override readonly name = "MeaningFault";
}

/** Letters of a file's name, which is in no folder. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** What CLIP was trained with. */
const CLIP_MEAN = [0.48145466, 0.4578275, 0.40821073];
const CLIP_STD = [0.26862954, 0.26130258, 0.27577711];

/** The files that a description names. */
export function filesOf(
  { image, text, tokenizer }: MeaningModels,
): readonly string[] {
  return [...new Set([image.file, text.file, tokenizer])];
}

/** Reads a description. Throws a {@link MeaningFault} that says what is wrong. */
export function readMeaning(value: unknown): MeaningModels {
  const all = mapIn(value, "it");
  const image = mapIn(all["image"], "image");
  const text = mapIn(all["text"], "text");
  const std = triple(image["std"], "image.std", CLIP_STD);
  if (std.some((one) => one <= 0)) throw fault("image.std", "numbers above 0");
  const pad = text["pad"];
  return {
    name: string(all["name"], "name", /^.{1,100}$/u),
    dimension: number(all["dimension"], "dimension", 8, 2_048),
    image: {
      ...network(image, "image"),
      size: number(image["size"], "image.size", 8, 1_024),
      mean: triple(image["mean"], "image.mean", CLIP_MEAN),
      std,
    },
    text: {
      ...network(text, "text"),
      tokens: number(text["tokens"], "text.tokens", 3, 512),
      ...(pad === undefined
        ? {}
        : { pad: number(pad, "text.pad", 0, 10_000_000) }),
    },
    tokenizer: string(all["tokenizer"], "tokenizer", FILE_NAME),
    least: between(all["least"] ?? 0.2, "least", -1, 1),
    below: between(all["below"] ?? 0.05, "below", 0, 2),
  };
}

/** Reads what the server says of the models; undefined if it has none. */
export function readServed(value: unknown): ServedModels | undefined {
  const { meaning } = mapIn(value, "it");
  if (meaning === undefined) return undefined;
  const models = readMeaning(meaning);
  const given = mapIn(mapIn(meaning, "it")["files"], "files");
  const files = filesOf(models).map((name): [string, ModelFile] => {
    const file = mapIn(given[name], `files.${name}`);
    const { sha256, size } = file;
    return [name, {
      sha256: string(sha256, `files.${name}.sha256`, /^[0-9a-f]{64}$/),
      size: number(size, `files.${name}.size`, 1, Number.MAX_SAFE_INTEGER),
    }];
  });
  return { ...models, files: Object.fromEntries(files) };
}

function network(
  of: Readonly<Record<string, unknown>>,
  name: string,
): Network {
  const { input, output } = of;
  const port = /^.{1,200}$/u;
  return {
    file: string(of["file"], `${name}.file`, FILE_NAME),
    ...(input === undefined
      ? {}
      : { input: string(input, `${name}.input`, port) }),
    ...(output === undefined
      ? {}
      : { output: string(output, `${name}.output`, port) }),
  };
}

function mapIn(
  value: unknown,
  name: string,
): Readonly<Record<string, unknown>> {
  if (!isMap(value)) throw fault(name, "an object");
  return value;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function string(value: unknown, name: string, form: RegExp): string {
  if (typeof value === "string" && form.test(value)) return value;
  throw fault(name, form === FILE_NAME ? "a file's name" : "a text");
}

function number(
  value: unknown,
  name: string,
  least: number,
  most: number,
): number {
  if (Number.isInteger(value)) return between(value, name, least, most);
  throw fault(name, "a whole number");
}

function between(
  value: unknown,
  name: string,
  least: number,
  most: number,
): number {
  if (typeof value === "number" && value >= least && value <= most) {
    return value;
  }
  throw fault(name, `a number from ${least} to ${most}`);
}

function triple(
  value: unknown,
  name: string,
  usual: readonly number[],
): readonly number[] {
  if (value === undefined) return usual;
  const isTriple = Array.isArray(value) && value.length === 3 &&
    value.every((one) => typeof one === "number" && Number.isFinite(one));
  if (!isTriple) throw fault(name, "three numbers");
  return value;
}

function fault(name: string, wanted: string): MeaningFault {
  return new MeaningFault(`${name} has to be ${wanted}`);
}
