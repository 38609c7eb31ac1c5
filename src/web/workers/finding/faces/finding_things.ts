/**
 * Finding things in pictures, by NanoDet in TensorFlow.js' WebAssembly.
 *
 * @module
 */
import { THING_COUNT, thingsSeen } from "../../../../media/pictures/things.ts";
import { fetchBuildFile, readBuildFile } from "../../vault/build_files.ts";
import { withDecoded } from "../../media/decoded.ts";
import { type Model, startEngine, type Tensor, tf } from "./engine.ts";

/** Width and height of the picture that the model takes. */
const SIDE = 416;
/**
 * Mean and standard deviation of blue, green and red in the pictures that the
 * model was trained with: it takes them in this order.
 */
const MEAN = [103.53, 116.28, 123.675] as const;
const DEVIATION = [57.375, 57.12, 58.395] as const;
/** The edges of a picture that is no square. */
const BESIDE = "rgb(128 128 128)";

/** Loads the model. Throws if it cannot be fetched, or does not work here. */
export async function startFindingThings(): Promise<void> {
  await loaded();
}

/**
 * The numbers of the things in a picture, the surest first; undefined where
 * this browser does not decode it. Throws where the model breaks on it: that is
 * not the same as nothing, which no device would look at again.
 */
export async function thingsIn(
  picture: Blob,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const model = await loaded();
  const numbers = await withDecoded(picture, numbersOf);
  if (numbers === undefined) return undefined;
  const input = tf.tensor(numbers, [1, 3, SIDE, SIDE]);
  try {
    return await thingsOf(model, input);
  } finally {
    input.dispose();
  }
}

async function thingsOf(
  model: Model,
  input: Tensor,
): Promise<Uint8Array<ArrayBuffer>> {
  const found = model.execute(input);
  try {
    return thingsSeen(
      await Promise.all(
        found.filter(({ shape }) => shape[2] === THING_COUNT)
          .map((one) => one.data()),
      ),
    );
  } finally {
    for (const one of found) one.dispose();
  }
}

/** The whole picture in the middle of a square, each colour by itself. */
function numbersOf(bitmap: ImageBitmap): Float32Array | undefined {
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  if (drawing === null) return undefined;
  drawing.fillStyle = BESIDE;
  drawing.fillRect(0, 0, SIDE, SIDE);
  drawing.imageSmoothingQuality = "high";
  const scale = SIDE / Math.max(bitmap.width, bitmap.height);
  const [width, height] = [bitmap.width * scale, bitmap.height * scale];
  drawing.drawImage(
    bitmap,
    (SIDE - width) / 2,
    (SIDE - height) / 2,
    width,
    height,
  );
  const { data } = drawing.getImageData(0, 0, SIDE, SIDE);
  const count = SIDE * SIDE;
  const numbers = new Float32Array(3 * count);
  for (let colour = 0; colour < 3; colour++) {
    const [mean, by] = [MEAN[colour] ?? 0, DEVIATION[colour] ?? 1];
    for (let at = 0; at < count; at++) {
      const part = data[at * 4 + 2 - colour] ?? 0;
      numbers[colour * count + at] = (part - mean) / by;
    }
  }
  return numbers;
}

let loading: Promise<Model> | undefined;

function loaded(): Promise<Model> {
  return loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
}

async function load(): Promise<Model> {
  await startEngine();
  const [model, weights] = await Promise.all([
    fetchBuildFile("things-model.json").then((answer) => answer.text()),
    readBuildFile("things-weights.bin"),
  ]);
  return await tf.loadGraphModel({
    load: () => Promise.resolve({ ...JSON.parse(model), weightData: weights }),
  });
}
