/** What of `@vladmandic/face-api` is used, and of TensorFlow.js in it. */

/** Numbers in the memory of the backend. */
export interface Tensor {
  dispose(): void;
}

/** A model. */
interface Net {
  loadFromWeightMap(weights: Readonly<Record<string, Tensor>>): void;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A face that was found, in pixels of the picture. */
export interface FoundFace {
  readonly detection: { readonly score: number; readonly box: Box };
  readonly landmarks: {
    readonly positions: readonly { readonly x: number; readonly y: number }[];
  };
}

/** A model as a graph, of which all outputs are computed. */
export interface Model {
  execute(input: Tensor): readonly (Tensor & {
    readonly shape: readonly number[];
    data(): Promise<ArrayLike<number>>;
  })[];
}

interface FaceApi {
  readonly env: { setEnv(env: object): void };
  readonly nets: {
    readonly ssdMobilenetv1: Net;
    readonly faceLandmark68Net: Net;
    readonly faceRecognitionNet: Net & {
      computeFaceDescriptor(chip: Tensor): Promise<Float32Array>;
    };
  };
  readonly tf: {
    readonly io: {
      decodeWeights(
        bytes: ArrayBuffer,
        specs: readonly unknown[],
      ): Readonly<Record<string, Tensor>>;
    };
    setBackend(name: string): Promise<boolean>;
    ready(): Promise<void>;
    setWasmPaths(files: Readonly<Record<string, string>>): void;
    loadGraphModel(
      from: { readonly load: () => Promise<object> },
    ): Promise<Model>;
    tensor(values: Float32Array, shape: readonly number[]): Tensor;
    tensor3d(
      values: Uint8Array | Float32Array,
      shape: readonly [number, number, number],
      dtype?: "int32",
    ): Tensor;
  };
  readonly SsdMobilenetv1Options: new (
    options: { readonly minConfidence: number; readonly maxResults: number },
  ) => object;
  detectAllFaces(
    picture: Tensor,
    options: object,
  ): {
    withFaceLandmarks(): PromiseLike<readonly FoundFace[]>;
  };
}

export const env: FaceApi["env"];
export const nets: FaceApi["nets"];
export const tf: FaceApi["tf"];
export const SsdMobilenetv1Options: FaceApi["SsdMobilenetv1Options"];
export const detectAllFaces: FaceApi["detectAllFaces"];
