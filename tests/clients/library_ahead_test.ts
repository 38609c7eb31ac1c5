/**
 * Files that something without keys sends: what it got through is taken up
 * once, with verified receipts, and the rest has to be added again.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  CustodyError,
  type Library,
  openLibrary,
  openVault,
  resumeSession,
} from "../../src/library/mod.ts";
import { AHEAD_MAX_BYTES } from "../../src/library/adding/background_upload.ts";
import type { AheadRequest } from "../../src/library/adding/background_upload.ts";
import { ORIGIN, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  type TestDevice,
  wholeOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";

const PHOTO = ciphertext("a photo", 100_000);
const photo = () => ({
  ...fileOf("a.jpg", PHOTO),
  derivatives: [{
    kind: "thumbnail" as const,
    mime: "image/jpeg",
    bytes: ciphertext("its thumbnail", 500),
  }],
});

/** A program that is started again on a device. */
async function again(device: TestDevice): Promise<Library> {
  const session = await resumeSession(device.platform, device.entrance);
  return await openLibrary(await openVault(session), device.store);
}

/** Sends requests as a browser does, in any order and without any key. */
async function send(
  wire: Wire,
  requests: readonly AheadRequest[],
  token: string,
): Promise<number[]> {
  const statuses: number[] = [];
  for (const { method, path, headers, body } of requests) {
    const sent = new Headers(headers.map(([name, value]) => [name, value]));
    sent.set("Authorization", `Bearer ${token}`);
    const bytes = new Uint8Array(await body.arrayBuffer());
    const init = { method, headers: sent, body: bytes };
    const answer = await wire.fetch(`${ORIGIN}${path}`, init);
    await answer.body?.cancel();
    statuses.push(answer.status);
  }
  return statuses;
}

async function withHanded(
  test: (given: {
    readonly wire: Wire;
    readonly laptop: TestDevice;
    readonly library: Library;
    readonly requests: readonly AheadRequest[];
    readonly token: string;
  }) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    await library.sync();
    const sealed = await library.sealAhead(photo(), "its note");
    assert(sealed !== undefined);
    const { requests } = sealed;
    const token = library.vault.session.account.tokens().access_token;
    await test({ wire, laptop, library, requests, token });
  });
}

/** The only photo that there is, with verified receipts and its bytes. */
async function expectOnce(library: Library): Promise<void> {
  await library.sync();
  const [row, ...others] = library.list();
  assert(row !== undefined);
  assert.deepEqual(others, []);
  assert.equal(row.custody, "receipted");
  assert.deepEqual(await wholeOf(library.read(row.id)), PHOTO);
  assert.deepEqual(await library.takeUp(true), []);
}

Deno.test("a file that something else sent, in any order, comes into the library once it is taken up", async () => {
  await withHanded(async ({ wire, laptop, library, requests, token }) => {
    // Neither the bytes nor the names of the file are in what is handed over.
    for (const { body } of requests) {
      const text = new TextDecoder("latin1").decode(await body.arrayBuffer());
      assert(!text.includes("a.jpg"));
      assert(
        !text.includes(
          new TextDecoder("latin1").decode(PHOTO.subarray(0, 64)),
        ),
      );
    }
    const all = await send(wire, requests.toReversed(), token);
    assert(all.every((status) => status < 300), all.join());
    await library.sync();
    assert.deepEqual(library.list(), []);
    const program = await again(laptop);
    const [taken] = await program.takeUp(false);
    assert.deepEqual([taken?.outcome, taken?.note], ["kept", "its note"]);
    await expectOnce(program);
  });
});

Deno.test("a program that is killed while it takes a file up finishes it the next time", async () => {
  await withHanded(async ({ wire, laptop, requests, token }) => {
    await send(wire, requests, token);
    const program = await again(laptop);
    // The manifest is applied, and the answer is lost.
    wire.intercept = async (request, pass) => {
      const answer = await pass(request);
      if (!new URL(request.url).pathname.endsWith("/ops")) return answer;
      throw new Error("killed");
    };
    await assert.rejects(program.takeUp(true));
    wire.intercept = undefined;
    const next = await again(laptop);
    assert.equal((await next.takeUp(true))[0]?.outcome, "kept");
    await expectOnce(next);
  });
});

Deno.test("what was not sent waits as long as it may come, and then is added again where it was", async () => {
  await withHanded(async ({ wire, laptop, requests, token }) => {
    // The access token ended before all began.
    const [first, ...rest] = requests;
    assert(first !== undefined);
    await send(wire, [first], token);
    assert.deepEqual(await send(wire, rest, "ended"), rest.map(() => 401));
    const program = await again(laptop);
    const outcomes = async (isOver: boolean) =>
      (await program.takeUp(isOver)).map(({ outcome }) => outcome);
    assert.deepEqual(await outcomes(false), ["waiting"]);
    assert.deepEqual(await outcomes(true), ["failed"]);
    assert.deepEqual(await outcomes(true), []);
    wire.sent.length = 0;
    assert.equal((await program.take(photo())).outcome, "kept");
    const puts = wire.sent.filter((one) => one.startsWith("PUT "));
    assert.equal(puts.length, 1, "only the small picture was missing");
    await expectOnce(program);
  });
});

Deno.test("a file that is added by hand while something else still sends it is there once", async () => {
  await withHanded(async ({ wire, laptop, requests, token }) => {
    const program = await again(laptop);
    const [first, ...rest] = requests;
    assert(first !== undefined);
    await send(wire, [first], token);
    assert.equal((await program.take(photo())).outcome, "kept");
    await send(wire, rest, token);
    assert.deepEqual(
      (await program.takeUp(true)).map(({ outcome }) => outcome),
      ["kept"],
    );
    await expectOnce(program);
  });
});

Deno.test("a false receipt of what something else sent is found", async () => {
  await withHanded(async ({ wire, laptop, requests, token }) => {
    await send(wire, requests, token);
    wire.intercept = async (request, pass) => {
      const answer = await pass(request);
      if (!new URL(request.url).pathname.endsWith("/receipts")) return answer;
      return Response.json({ ...await answer.json(), receipts: [] });
    };
    const program = await again(laptop);
    await assert.rejects(program.takeUp(true), CustodyError);
    wire.intercept = undefined;
    assert.equal((await program.takeUp(true))[0]?.outcome, "kept");
    await expectOnce(program);
  });
});

Deno.test("what is known, or too large to begin again, is not handed over", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await library.sync();
    await library.take(photo());
    wire.sent.length = 0;
    assert.equal(await library.sealAhead(photo(), ""), undefined);
    const huge = {
      ...photo(),
      source: {
        size: AHEAD_MAX_BYTES + 1,
        read: () => Promise.reject(new Error("it is read")),
      },
    };
    assert.equal(await library.sealAhead(huge, ""), undefined);
    assert.deepEqual(wire.sent, []);
  });
});
