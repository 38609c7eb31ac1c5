/**
 * Vectors of pictures as they are kept and compared: each number is one byte,
 * and how alike two are is the cosine of their angle.
 *
 * @module
 */

/** The largest number of a kept vector. */
const MOST = 127;

/**
 * A vector in whole numbers from -127 to 127, the largest of them 127; only
 * zeros for what is none.
 */
export function keptVector(vector: ArrayLike<number>): Int8Array<ArrayBuffer> {
  let most = 0;
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i] ?? 0);
    if (!Number.isFinite(size)) return new Int8Array(vector.length);
    most = Math.max(most, size);
  }
  const scale = most === 0 ? 0 : MOST / most;
  return Int8Array.from(
    { length: vector.length },
    (_, i) => Math.round((vector[i] ?? 0) * scale),
  );
}

/** Something found, and how alike it is: -1 to 1. */
export interface Likeness {
  readonly key: string;
  readonly likeness: number;
}

/** Vectors by keys. */
export class Vectors {
  readonly #keys: string[] = [];
  readonly #places = new Map<string, number>();
  /** One after the other. */
  #numbers: Int8Array<ArrayBuffer>;
  #lengths = new Float64Array(1_024);

  constructor(readonly dimension: number) {
    this.#numbers = new Int8Array(1_024 * dimension);
  }

  get count(): number {
    return this.#keys.length;
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  /** Adds a vector; one of another size is taken as none. */
  add(key: string, vector: ArrayLike<number>): void {
    if (this.#places.has(key)) return;
    const at = this.#keys.push(key) - 1;
    this.#places.set(key, at);
    if (at >= this.#lengths.length) this.#grow(at * 2);
    if (vector.length !== this.dimension) return;
    this.#numbers.set(vector, at * this.dimension);
    let sum = 0;
    for (let i = 0; i < vector.length; i++) sum += (vector[i] ?? 0) ** 2;
    this.#lengths[at] = Math.sqrt(sum);
  }

  #grow(count: number): void {
    const lengths = new Float64Array(count);
    lengths.set(this.#lengths);
    this.#lengths = lengths;
    const numbers = new Int8Array(count * this.dimension);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }

  /** All that are at least so alike, in no order. */
  alike(vector: ArrayLike<number>, least: number): Likeness[] {
    const { dimension } = this;
    const wanted = Int32Array.from(keptVector(vector));
    const length = Math.hypot(...wanted);
    if (wanted.length !== dimension || length === 0) return [];
    const found: Likeness[] = [];
    for (const [at, key] of this.#keys.entries()) {
      const own = this.#lengths[at] ?? 0;
      if (own === 0) continue;
      const sum = product(this.#numbers, at * dimension, wanted);
      const likeness = sum / (own * length);
      if (likeness >= least) found.push({ key, likeness });
    }
    return found;
  }
}

/**
 * The scalar product, four numbers at a time: of 50,000 vectors it is what a
 * search takes. All of them are there, so no number is tested for that.
 */
function product(numbers: Int8Array, from: number, wanted: Int32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const { length } = wanted;
  const whole = length & ~3;
  const by = (at: number, i: number) =>
    Math.imul(numbers[at] as number, wanted[i] as number);
  for (let i = 0; i < whole; i += 4) {
    const at = from + i;
    a = (a + by(at, i)) | 0;
    b = (b + by(at + 1, i + 1)) | 0;
    c = (c + by(at + 2, i + 2)) | 0;
    d = (d + by(at + 3, i + 3)) | 0;
  }
  let sum = a + b + c + d;
  for (let i = whole; i < length; i++) sum += by(from + i, i);
  return sum;
}
