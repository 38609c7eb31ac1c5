/**
 * Answers that are late: what was done meanwhile is not undone by them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { secondDevice, take } from "../support/library_sharing.ts";

/** Holds the answers to some requests; call what it returns to pass them on. */
function holdAnswers(
  wire: Wire,
  isHeld: (method: string, path: string) => boolean,
) {
  const reached = Promise.withResolvers<void>();
  const passed = Promise.withResolvers<void>();
  wire.intercept = async (request, pass) => {
    const { method, url } = request;
    const answer = await pass(request);
    if (isHeld(method, new URL(url).pathname)) {
      reached.resolve();
      await passed.promise;
    }
    return answer;
  };
  return { reached: reached.promise, pass: passed.resolve };
}

Deno.test("a photo that is restored while the feed tells of its deletion stays restored", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const row = await take(library, "1");
    await library.sync();
    await library.trash(row.id);
    const held = holdAnswers(
      wire,
      (_, path) => path.startsWith("/v1/assets") && !path.endsWith("/restore"),
    );
    const following = library.sync();
    await held.reached;
    await library.restore(row.id);
    held.pass();
    await following;
    assert.equal(library.index.get(row.id)?.state, "live");
  });
});

Deno.test("a late answer to a deletion takes away no photo that another device restored since", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const row = await take(laptop, "1");
    const phone = await secondDevice(wire, laptop, "ada");
    const held = holdAnswers(wire, (method) => method === "DELETE");
    const deleting = laptop.trash(row.id);
    await held.reached;
    await phone.sync();
    await phone.restore(row.id);
    await laptop.sync();
    held.pass();
    await deleting;
    assert.equal(laptop.index.get(row.id)?.state, "live");
  });
});
