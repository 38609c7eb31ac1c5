/**
 * Search by what photos show: a text against the vectors of 50,000 photos.
 *
 * @module
 */
import { keptVector, Vectors } from "../../src/client/meaning/vectors.ts";

const PHOTOS = 50_000;
const DIMENSION = 512;
const TIMES = 20;

const say = (text: string) =>
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
const vector = () =>
  Float32Array.from({ length: DIMENSION }, () => Math.random() - 0.5);

const vectors = new Vectors(DIMENSION);
for (let photo = 0; photo < PHOTOS; photo++) {
  vectors.add(String(photo), keptVector(vector()));
}
const taken = Array.from({ length: TIMES }, () => {
  const wanted = vector();
  const from = performance.now();
  vectors.alike(wanted, 0.2);
  return performance.now() - from;
}).sort((a, b) => a - b);
say(
  `${PHOTOS} vectors of ${DIMENSION}: ${
    (taken[0] ?? 0).toFixed(1)
  } ms (the shortest of ${TIMES})`,
);
