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

Deno.test("no piece is larger than 32 KiB, however fast the sender and however much is held", async () => {
  const arrivals = new Arrivals(sleep);
  const stream: ReadableStream<Uint8Array> = new ReadableStream({
    type: "bytes",
    pull(controller: ReadableByteStreamController) {
      const request = controller.byobRequest;
      request?.respond(request.view?.byteLength ?? 0);
    },
  });
  const body = arrivals.open(stream, { bytes: 0 }, "192.0.2.1");
  body.hold(1024 * 1024);
  for (let n = 0; n < 8; n++) {
    assert.equal((await body.read())?.length, 32 * 1024);
  }
  body.cancel();
});
