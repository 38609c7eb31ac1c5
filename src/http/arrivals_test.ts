import assert from "node:assert/strict";
import { sleep } from "../server/sleep.ts";
import { Arrivals, BodyEnded, type BodyReader, PACE } from "./arrivals.ts";

const LEAST = 64 * 1024;

/** A body that never comes. */
function open(arrivals: Arrivals, from: string): BodyReader {
  return arrivals.open(new ReadableStream(), { bytes: 0 }, from);
}

/** Whether each body is still waited for. */
function alive(bodies: readonly BodyReader[]): Promise<boolean[]> {
  return Promise.all(bodies.map((body) =>
    Promise.race([
      body.read().then(() => true, (thrown) => !(thrown instanceof BodyEnded)),
      new Promise<boolean>((resolve) => setTimeout(resolve, 20, true)),
    ])
  ));
}

Deno.test("where bodies hold too much, the address that holds most loses its first", async () => {
  const arrivals = new Arrivals(sleep, PACE, 4 * LEAST);
  const honest = open(arrivals, "192.0.2.1");
  const flood = [1, 2, 3, 4, 5].map(() => open(arrivals, "198.51.100.1"));
  const bodies = [honest, ...flood];
  assert.deepEqual(
    await alive(bodies),
    [true, false, false, true, true, true],
  );
  for (const body of bodies) body.cancel();
});

Deno.test("a body counts with what is held of it", async () => {
  const arrivals = new Arrivals(sleep, PACE, 4 * LEAST);
  const honest = open(arrivals, "192.0.2.1");
  const large = open(arrivals, "198.51.100.1");
  large.hold(4 * LEAST);
  assert.deepEqual(await alive([honest, large]), [true, false]);
  honest.cancel();
  large.cancel();
});

Deno.test("a body that has ended makes room", async () => {
  const arrivals = new Arrivals(sleep, PACE, 2 * LEAST);
  const bodies: BodyReader[] = [];
  for (let count = 0; count < 10; count++) {
    bodies.at(-2)?.cancel();
    bodies.push(open(arrivals, "192.0.2.1"));
  }
  assert.deepEqual(await alive(bodies.slice(-2)), [true, true]);
  for (const body of bodies) body.cancel();
});

/** A body that fills whatever it is given, or brings so much at a time. */
function filling(bytes: () => number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: "bytes",
    pull(controller: ReadableByteStreamController) {
      const request = controller.byobRequest;
      request?.respond(Math.min(bytes(), request.view?.byteLength ?? 0));
    },
  });
}

Deno.test("a fast body comes in larger pieces where as much is held of it, and a slow one in small ones again", async () => {
  const arrivals = new Arrivals(sleep);
  let fast = true;
  const stream = filling(() => fast ? Infinity : 1_024);
  const body = arrivals.open(stream, { bytes: 0 }, "192.0.2.1");
  const lengths = async (count: number) => {
    const seen: (number | undefined)[] = [];
    for (let n = 0; n < count; n++) seen.push((await body.read())?.length);
    return seen.map((length) => (length ?? 0) / 1_024);
  };
  assert.deepEqual(await lengths(3), [32, 32, 32]);
  body.hold(1024 * 1024);
  assert.deepEqual(await lengths(5), [32, 64, 128, 256, 256]);
  fast = false;
  assert.deepEqual(await lengths(2), [1, 1]);
  fast = true;
  assert.deepEqual(await lengths(2), [32, 64]);
  body.cancel();
});
