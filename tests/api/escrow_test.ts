import assert from "node:assert/strict";
import { START_MS, type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import {
  ciphertext,
  hashOf,
  type Person,
  registerPerson,
  storeEscrow,
} from "../support/people.ts";
import {
  expectBytes,
  pieces,
  suspend,
  withFaultlessApp,
} from "../support/api.ts";

const KIB = 1024;
const MINUTE = 60_000;

function fetchEscrow(
  app: TestApp,
  person: Person,
  method = "GET",
): Promise<Response> {
  return app.send(method, "/v1/auth/escrow", { token: person.token });
}

async function expectHeld(
  app: TestApp,
  person: Person,
  bytes: Uint8Array,
): Promise<void> {
  const response = await fetchEscrow(app, person);
  assert.equal(response.status, 200);
  expectBytes(await response.arrayBuffer(), bytes);
}

Deno.test("a wrapped master key is returned byte for byte as application/octet-stream", async () => {
  await withFaultlessApp(async (app) => {
    // Writing a key needs no device directory.
    const ada = await registerPerson(app, "ada");
    for (const length of [1, 2, 177, 4_095, 64 * KIB]) {
      const bytes = ciphertext(`of ${length}`, length);
      await expectJson(await storeEscrow(app, ada, bytes), 200);
      const response = await fetchEscrow(app, ada);
      assert.equal(response.status, 200);
      assert.equal(
        response.headers.get("content-type"),
        "application/octet-stream",
      );
      assert.equal(
        response.headers.get("cache-control"),
        "no-store, no-transform",
      );
      expectBytes(await response.arrayBuffer(), bytes);
    }
  });
});

Deno.test("bytes that look like text, JSON or CBOR stay what they are", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    for (
      const bytes of [
        new TextEncoder().encode('{ "b": 1,\r\n "a": 2 }\n'),
        new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x00]),
        // A CBOR map that no canonical encoder would write.
        new Uint8Array([0xbf, 0x18, 0x01, 0x18, 0x02, 0xff]),
        new Uint8Array(300),
      ]
    ) {
      await expectJson(await storeEscrow(app, ada, bytes), 200);
      await expectHeld(app, ada, bytes);
    }
  });
});

Deno.test("storing answers size, SHA-256, time, and whether an older key was replaced", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const first = ciphertext("first", 120);
    assert.deepEqual(
      await expectJson(await storeEscrow(app, ada, first), 200),
      {
        size: 120,
        sha256: hashOf(first),
        stored_at: new Date(START_MS).toISOString(),
        replaced: false,
      },
    );
    app.clock.advance(MINUTE);
    const second = ciphertext("second", 80);
    assert.deepEqual(
      await expectJson(await storeEscrow(app, ada, second), 200),
      {
        size: 80,
        sha256: hashOf(second),
        stored_at: new Date(START_MS + MINUTE).toISOString(),
        replaced: true,
      },
    );
  });
});

Deno.test("storing over an existing key deletes the old one in the same operation", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bytes = ciphertext("second", 80);
    await expectJson(await storeEscrow(app, ada, ciphertext("first", 99)), 200);
    await expectJson(await storeEscrow(app, ada, bytes), 200);
    await expectHeld(app, ada, bytes);
    const rows = await app.app.db.selectFrom("escrow").selectAll().execute();
    assert.deepEqual(rows.map(({ sha256 }) => sha256), [hashOf(bytes)]);
  });
});

Deno.test("of keys stored at once one is held whole, and one alone was the first", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const keys = Array.from(
      { length: 20 },
      (_, n) => ciphertext(`key ${n}`, 1_000 + n),
    );
    const answers = await Promise.all(
      keys.map(async (key) =>
        await expectJson(await storeEscrow(app, ada, key), 200)
      ),
    );
    assert.equal(answers.filter(({ replaced }) => !replaced).length, 1);
    const held = await (await fetchEscrow(app, ada)).arrayBuffer();
    const hash = hashOf(new Uint8Array(held));
    assert(answers.some(({ sha256 }) => sha256 === hash));
  });
});

Deno.test("an empty key is 400, one over 64 KiB is 413 and changes nothing", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const held = ciphertext("held", 100);
    await expectJson(await storeEscrow(app, ada, held), 200);
    const empty = new Uint8Array(0);
    for (const body of [empty, pieces(), pieces(empty, empty)]) {
      await expectProblem(
        await storeEscrow(app, ada, body),
        "error.request.malformed",
      );
    }
    const over = ciphertext("over", 64 * KIB + 1);
    for (const body of [over, pieces(over), pieces(over, over)]) {
      await expectEmpty(await storeEscrow(app, ada, body), 413);
    }
    await expectHeld(app, ada, held);
  });
});

Deno.test("a key that arrives in pieces is stored whole", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bytes = ciphertext("in pieces", 64 * KIB);
    const body = pieces(
      bytes.slice(0, 1),
      bytes.slice(1, 40_000),
      bytes.slice(40_000),
    );
    await expectJson(await storeEscrow(app, ada, body), 200);
    await expectHeld(app, ada, bytes);
  });
});

Deno.test("an account without a wrapped key answers 404, whatever others hold", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const bytes = ciphertext("ada's", 100);
    await expectJson(await storeEscrow(app, ada, bytes), 200);
    await expectProblem(await fetchEscrow(app, bob), "error.escrow.not_found");
    await expectEmpty(await fetchEscrow(app, bob, "HEAD"), 404);
    const other = ciphertext("bob's", 101);
    const answer = await expectJson(await storeEscrow(app, bob, other), 200);
    assert.equal(answer.replaced, false);
    await expectHeld(app, ada, bytes);
    await expectHeld(app, bob, other);
  });
});

Deno.test("HEAD tells the size of the wrapped key", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await expectJson(await storeEscrow(app, ada, ciphertext("key", 321)), 200);
    const head = await fetchEscrow(app, ada, "HEAD");
    assert.equal(head.headers.get("content-length"), "321");
    await expectEmpty(head, 200);
  });
});

Deno.test("a suspended account fetches its wrapped key and stores none", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bytes = ciphertext("held", 100);
    await expectJson(await storeEscrow(app, ada, bytes), 200);
    await suspend(app, ada);
    await expectProblem(
      await storeEscrow(app, ada, ciphertext("new", 100)),
      "error.account.suspended",
    );
    await expectHeld(app, ada, bytes);
  });
});

Deno.test("a wrapped key outlives a restart and the purge", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bytes = ciphertext("durable", 5_000);
    await expectJson(await storeEscrow(app, ada, bytes), 200);
    const again = await app.reopen();
    await again.purge();
    await expectHeld(again, ada, bytes);
  });
});

Deno.test("a condition keeps what another device has stored", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const put = (
      bytes: Uint8Array<ArrayBuffer>,
      over: Record<string, string>,
    ) =>
      app.send("PUT", "/v1/auth/escrow", {
        token: ada.token,
        headers: { "Content-Type": "application/octet-stream", ...over },
        body: bytes,
      });
    const refused = async (answer: Response) => {
      assert.equal(answer.status, 400);
      await expectProblem(answer, "error.escrow.version_conflict");
    };
    const [one, two, three] = ["one", "two", "three"].map((word) =>
      ciphertext(word, 90)
    );
    assert(one && two && three);
    const tag = (bytes: Uint8Array) => `"${hashOf(bytes)}"`;
    await refused(await put(one, { "If-Match": tag(one) }));
    await refused(await put(one, { "If-Match": "*" }));
    const first = await put(one, { "If-None-Match": "*" });
    assert.equal(first.headers.get("etag"), tag(one));
    await expectJson(first, 200);
    await refused(await put(two, { "If-None-Match": "*" }));
    await expectHeld(app, ada, one);
    await expectJson(await put(two, { "If-Match": tag(one) }), 200);
    await refused(await put(three, { "If-Match": tag(one) }));
    await expectHeld(app, ada, two);
    const read = await fetchEscrow(app, ada);
    assert.equal(read.headers.get("etag"), tag(two));
    await read.body?.cancel();
    // As before: without a condition whatever is held is replaced.
    await expectJson(await put(three, {}), 200);
    const bad = await put(one, { "If-Match": "no tag" });
    await expectProblem(bad, "error.request.malformed");
    // A condition is looked at before the presentation is.
    app.clock.advance(6 * MINUTE);
    await refused(await put(two, { "If-None-Match": "*" }));
  });
});
