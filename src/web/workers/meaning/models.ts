/**
 * Running a pair of models that an operator put onto the server (meaning.md), by
 * ONNX Runtime in WebAssembly: one turns a picture into a vector, the other one
 * a text.
 *
 * @module
 */
import { env, InferenceSession, Tensor } from "onnxruntime-web/wasm";
import type { MeaningModels, ServedModels } from "../../../core/meaning.ts";
import {
  readTokenizer,
  type Tokenizer,
} from "../../../client/meaning/tokenizer.ts";
import { readBuildFile } from "../build_files.ts";
import { modelFile } from "./model_files.ts";
import { pixelsOf } from "./pixels.ts";

export { forgetModels } from "./model_files.ts";

const ENGINE = "meaning-engine.wasm";
/** Names of what goes in and comes out of CLIP's models. */
const PICTURE = "pixel_values";
const TOKENS = "input_ids";
const MASK = "attention_mask";

/** What is loaded of a pair; each part when it is first needed. */
interface Loaded {
  readonly of: string;
  image?: Promise<InferenceSession>;
  text?: Promise<InferenceSession>;
  tokenizer?: Promise<Tokenizer>;
}

let loaded: Loaded | undefined;
let engine: Promise<void> | undefined;

function loadedOf(models: ServedModels): Loaded {
  const of = JSON.stringify(models);
  if (loaded?.of !== of) loaded = { of };
  return loaded;
}

/**
 * Loads the model of pictures. Throws if it cannot be fetched, or does not work
 * here.
 */
export async function startLooking(models: ServedModels): Promise<void> {
  await imageSession(models);
}

async function imageSession(models: ServedModels): Promise<InferenceSession> {
  const parts = loadedOf(models);
  return await (parts.image ??= sessionOf(models, models.image.file).catch(
    (error) => {
      delete parts.image;
      throw error;
    },
  ));
}

/** The vector of a picture; undefined where this browser does not decode it. */
export async function vectorOfPicture(
  models: ServedModels,
  picture: Blob,
): Promise<Float32Array | undefined> {
  const session = await imageSession(models);
  const { image } = models;
  const pixels = await pixelsOf(picture, image);
  if (pixels === null) return undefined;
  const { size } = image;
  const input = image.input ?? named(session.inputNames, PICTURE);
  const tensor = new Tensor("float32", pixels, [1, 3, size, size]);
  return await vectorOf(models, session, image.output, "image_embeds", {
    [input]: tensor,
  });
}

/** The vector of a text. */
export async function meaningOf(
  models: ServedModels,
  text: string,
): Promise<Float32Array> {
  const parts = loadedOf(models);
  const { file, input, output, tokens, pad } = models.text;
  const [tokenizer, session] = await Promise.all([
    parts.tokenizer ??= tokenizerOf(models),
    parts.text ??= sessionOf(models, file),
  ]).catch((error) => {
    delete parts.tokenizer;
    delete parts.text;
    throw error;
  });
  const ids = tokenizer.tokens(text, tokens);
  const filled = new BigInt64Array(tokens).fill(BigInt(pad ?? tokenizer.end));
  const mask = new BigInt64Array(tokens);
  for (const [at, id] of ids.entries()) {
    filled[at] = BigInt(id);
    mask[at] = 1n;
  }
  const feeds: Record<string, Tensor> = {
    [input ?? named(session.inputNames, TOKENS)]: new Tensor(
      "int64",
      filled,
      [1, tokens],
    ),
  };
  if (session.inputNames.includes(MASK)) {
    feeds[MASK] = new Tensor("int64", mask, [1, tokens]);
  }
  return await vectorOf(models, session, output, "text_embeds", feeds);
}

/** A name if it is among them, or the first of them. */
function named(names: readonly string[], wanted: string): string {
  return names.includes(wanted) ? wanted : names[0] ?? wanted;
}

async function vectorOf(
  { dimension }: MeaningModels,
  session: InferenceSession,
  output: string | undefined,
  usual: string,
  feeds: Record<string, Tensor>,
): Promise<Float32Array> {
  const name = output ?? named(session.outputNames, usual);
  const { [name]: found } = await session.run(feeds, [name]);
  const data = found?.data;
  if (!(data instanceof Float32Array) || data.length !== dimension) {
    throw new Error(`the model does not give ${dimension} numbers`);
  }
  const vector = new Float32Array(data);
  found?.dispose();
  return vector;
}

async function sessionOf(
  models: ServedModels,
  name: string,
): Promise<InferenceSession> {
  await (engine ??= startEngine().catch((error) => {
    engine = undefined;
    throw error;
  }));
  const bytes = await modelFile(models, name);
  return await InferenceSession.create(bytes, {
    executionProviders: ["wasm"],
    logSeverityLevel: 3,
  });
}

/** With the binary at hand it fetches nothing by itself. */
async function startEngine(): Promise<void> {
  env.wasm.wasmBinary = await readBuildFile(ENGINE);
  // More threads need a page that is isolated from all others.
  env.wasm.numThreads = 1;
  env.wasm.proxy = false;
}

async function tokenizerOf(models: ServedModels): Promise<Tokenizer> {
  const bytes = await modelFile(models, models.tokenizer);
  return readTokenizer(new TextDecoder().decode(bytes));
}
