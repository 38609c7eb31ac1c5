/**
 * Finding faces in pictures and making comparable numbers of them, by the
 * models of `@vladmandic/face-api` in WebAssembly.
 *
 * @module
 */
// @ts-types="./face_api.d.ts"
import {
  detectAllFaces,
  nets,
  SsdMobilenetv1Options,
} from "@vladmandic/face-api/dist/face-api.esm.js";
import { CHIP_SIDE, chipOf } from "../../../../media/pictures/face_chip.ts";
import { fetchBuildFile, readBuildFile } from "../../vault/build_files.ts";
import { withDecoded } from "../../media/decoded.ts";
import { startEngine, tf } from "./engine.ts";

/** A face in a picture. */
interface FaceSeen {
  /** Where it is, as parts of the picture's width and height. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How sure the model is that it is one, 0 to 1. */
  readonly sure: number;
  /** 128 numbers that are alike for the same person. */
  readonly vector: Float32Array;
}

/** The models have to be at least so sure of a face. */
const SURE = 0.6;
/** Faces of one picture; the rest of a crowd are no one's. */
const MOST = 24;

/** The faces in a picture. */
export interface FacesFound {
  /** The width of the picture that was looked at (pixels). */
  readonly width: number;
  readonly faces: readonly FaceSeen[];
}

/** Loads the models. Throws if they cannot be fetched, or do not work here. */
export async function startFindingFaces(): Promise<void> {
  await loaded();
}

/**
 * The faces in a picture; undefined where this browser does not decode it.
 * Throws where the models break on it.
 */
export async function facesIn(picture: Blob): Promise<FacesFound | undefined> {
  await loaded();
  const pixels = await withDecoded(picture, pixelsOf);
  return pixels && { width: pixels.width, faces: await facesOf(pixels) };
}

function pixelsOf(bitmap: ImageBitmap): ImageData | undefined {
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height);
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  if (drawing === null) return undefined;
  drawing.drawImage(bitmap, 0, 0);
  const pixels = drawing.getImageData(0, 0, width, height);
  canvas.width = canvas.height = 0;
  return pixels;
}

async function facesOf(pixels: ImageData): Promise<readonly FaceSeen[]> {
  const { width, height } = pixels;
  const tensor = tf.tensor3d(opaque(pixels), [height, width, 3], "int32");
  try {
    const found = await detectAllFaces(
      tensor,
      new SsdMobilenetv1Options({ minConfidence: SURE, maxResults: MOST }),
    ).withFaceLandmarks();
    const seen: FaceSeen[] = [];
    for (const { detection: { score, box }, landmarks } of found) {
      const chip = chipOf(pixels, landmarks.positions);
      if (chip === undefined) continue;
      seen.push({
        x: box.x / width,
        y: box.y / height,
        width: box.width / width,
        height: box.height / height,
        sure: score,
        vector: await vectorOf(chip),
      });
    }
    return seen;
  } finally {
    tensor.dispose();
  }
}

async function vectorOf(chip: Float32Array): Promise<Float32Array> {
  const tensor = tf.tensor3d(chip, [CHIP_SIDE, CHIP_SIDE, 3]);
  try {
    return await nets.faceRecognitionNet.computeFaceDescriptor(tensor);
  } finally {
    tensor.dispose();
  }
}

/** The pixels without their opacity. */
function opaque({ data }: ImageData): Uint8Array {
  const colours = new Uint8Array(data.length / 4 * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    colours[to] = data[from] ?? 0;
    colours[to + 1] = data[from + 1] ?? 0;
    colours[to + 2] = data[from + 2] ?? 0;
  }
  return colours;
}

let loading: Promise<void> | undefined;

function loaded(): Promise<void> {
  return loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
}

async function load(): Promise<void> {
  await startEngine();
  const specs: Readonly<Record<string, readonly unknown[]>> = JSON.parse(
    await (await fetchBuildFile("faces-models.json")).text(),
  );
  for (
    const [name, net] of [
      ["find", nets.ssdMobilenetv1],
      ["points", nets.faceLandmark68Net],
      ["compare", nets.faceRecognitionNet],
    ] as const
  ) {
    const bytes = await readBuildFile(`faces-${name}.bin`);
    net.loadFromWeightMap(tf.io.decodeWeights(bytes, specs[name] ?? []));
  }
}
