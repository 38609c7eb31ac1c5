import assert from "node:assert/strict";
import {
  concatBytes,
  fromHex,
  toBase64,
  toHex,
  utf8,
} from "../../src/core/bytes.ts";
import { type CborValue, encodeCanonical } from "../../src/core/cbor.ts";
import { START_MS, type TestApp, withTestApp } from "../support/app.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  directoryBytes,
  hashOf,
  type Person,
  publishDirectory,
  registerPerson,
  uuidOf,
} from "../support/people.ts";
import { operation } from "../support/spec.ts";
import { sendOperation } from "../support/spec_requests.ts";
import { expectBytes, expectNoErrors } from "../support/api.ts";

const MIB = 1024 * 1024;
const TYPE = "service-device-directory/v1";

function publish(
  app: TestApp,
  person: Person,
  body: Uint8Array<ArrayBuffer>,
  identityKey: string | null = "null",
): Promise<Response> {
  return app.send("PUT", "/v1/auth/devices/directory", {
    token: person.token,
    headers: {
      "Content-Type": "application/cbor",
      ...(identityKey === null
        ? {}
        : { "X-Service-Identity-Key": identityKey }),
    },
    body,
  });
}

function fetchDirectory(
  app: TestApp,
  reader: Person,
  userId: string,
): Promise<Response> {
  return app.send("GET", `/v1/users/${userId}/directory`, {
    token: reader.token,
  });
}

/** An envelope around a payload, with an invalid signature. */
function unsigned(payload: CborValue): Uint8Array<ArrayBuffer> {
  return encodeCanonical({
    payload: encodeCanonical(payload),
    signature: new Uint8Array([1, 2, 3]),
  });
}

function versioned(version: CborValue, more: Json = {}) {
  return unsigned({ type: TYPE, directory_version: version, ...more });
}

Deno.test("a directory is published and returned exactly as signed", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const bytes = await directoryBytes(ada, 3);
    const key = toBase64(ada.signer.publicKey);
    const answer = await expectJson(await publish(app, ada, bytes, key), 200);
    assert.deepEqual(answer, {
      user_id: ada.userId,
      directory_version: 3,
      published_at: answer.published_at,
    });
    assert.equal(Date.parse(answer.published_at), START_MS);
    // Its owner may fetch it, and any account of this server.
    for (const reader of [ada, bob]) {
      const response = await fetchDirectory(app, reader, ada.userId);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), "application/cbor");
      assert.equal(response.headers.get("etag"), `"${hashOf(bytes)}"`);
      assert.equal(response.headers.get("x-service-identity-key"), key);
      expectBytes(await response.arrayBuffer(), bytes);
    }
  });
});

Deno.test("an account without a directory, and no account, are both 404", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    for (const userId of [ada.userId, uuidOf("nobody")]) {
      await expectProblem(
        await fetchDirectory(app, ada, userId),
        "error.directory.not_found",
      );
    }
    for (const userId of ["me", ada.userId.toUpperCase(), "1", "null"]) {
      await expectProblem(
        await fetchDirectory(app, ada, userId),
        "error.request.malformed",
      );
    }
  });
});

Deno.test("a version not above the held one is 409 with current_version", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const first = await directoryBytes(ada, 5);
    await expectJson(await publish(app, ada, first), 200);
    for (
      const body of [
        versioned(5, { other: true }),
        versioned(4),
        versioned(1),
      ]
    ) {
      const refusal = await expectProblem(
        await publish(app, ada, body),
        "error.directory.version_conflict",
      );
      assert.equal(refusal.current_version, 5);
    }
    const held = await fetchDirectory(app, ada, ada.userId);
    expectBytes(await held.arrayBuffer(), first);
    // Versions may leap.
    await expectJson(await publish(app, ada, versioned(1_000_000)), 200);
  });
});

Deno.test("the very bytes already held are a success that writes nothing", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bytes = await directoryBytes(ada, 2);
    const first = await expectJson(await publish(app, ada, bytes), 200);
    app.clock.advance(60_000);
    const again = await expectJson(await publish(app, ada, bytes), 200);
    assert.deepEqual(again, first);
    // Held once, but held no more.
    await expectJson(await publish(app, ada, versioned(3)), 200);
    await expectProblem(
      await publish(app, ada, bytes),
      "error.directory.version_conflict",
    );
  });
});

Deno.test("of two publications of one version at once one is stored", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bodies = ["a", "b", "c", "d"].map((name) => versioned(1, { name }));
    const answers = await Promise.all(
      bodies.map((body) => publish(app, ada, body)),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, 409, 409, 409]);
    const won = bodies[answers.findIndex(({ status }) => status === 200)];
    for (const answer of answers) await answer.body?.cancel();
    const held = await fetchDirectory(app, ada, ada.userId);
    expectBytes(await held.arrayBuffer(), won ?? new Uint8Array());
  });
});

Deno.test("the first identity key presented becomes the anchor and stays", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const shown = async () => {
      const response = await fetchDirectory(app, bob, ada.userId);
      await response.body?.cancel();
      return response.headers.get("x-service-identity-key");
    };
    const key = toBase64(ada.signer.publicKey);
    // null leaves the anchor as it is: there is none.
    await expectJson(await publish(app, ada, versioned(1), "null"), 200);
    assert.equal(await shown(), "null");
    await expectJson(await publish(app, ada, versioned(2), key), 200);
    assert.equal(await shown(), key);
    await expectJson(await publish(app, ada, versioned(3), "null"), 200);
    assert.equal(await shown(), key);
    await expectJson(await publish(app, ada, versioned(4), key), 200);
    await expectProblem(
      await publish(app, ada, versioned(5), toBase64(bob.signer.publicKey)),
      "error.directory.identity_mismatch",
    );
    const held = await fetchDirectory(app, bob, ada.userId);
    expectBytes(await held.arrayBuffer(), versioned(4));
  });
});

Deno.test("a refused publication anchors nothing", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const other = toBase64(new Uint8Array(1_984).fill(9));
    await expectJson(await publish(app, ada, versioned(2)), 200);
    await expectProblem(
      await publish(app, ada, versioned(1), other),
      "error.directory.version_conflict",
    );
    await expectProblem(
      await publish(app, ada, new Uint8Array([0xff]), other),
      "error.directory.malformed",
    );
    await expectJson(await publishDirectory(app, ada, 3), 200);
  });
});

Deno.test("X-Service-Identity-Key is 1,984 bytes in base64 or the word null", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bytes = (length: number) =>
      toBase64(new Uint8Array(length).fill(250));
    for (
      const key of [
        null,
        "",
        "NULL",
        "none",
        "*",
        bytes(0),
        bytes(32),
        bytes(1_983),
        bytes(1_985),
        bytes(1_984).slice(0, -2),
        bytes(1_984).replaceAll("+", "-"),
        `${bytes(1_984)}, ${bytes(1_984)}`,
        "f".repeat(3_968),
      ]
    ) {
      await expectProblem(
        await publish(app, ada, versioned(1), key),
        "error.request.malformed",
      );
    }
    await expectProblem(
      await fetchDirectory(app, ada, ada.userId),
      "error.directory.not_found",
    );
  });
});

Deno.test("the server reads the type and the version and checks no signature", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bodies = [
      versioned(1),
      versioned(2, { devices: [{ name: "phone" }], nested: { a: [null] } }),
      encodeCanonical({
        payload: encodeCanonical({ type: TYPE, directory_version: 3 }),
        signature: new Uint8Array(),
      }),
      versioned(Number.MAX_SAFE_INTEGER),
    ];
    for (const body of bodies) {
      await expectJson(await publish(app, ada, body), 200);
      const held = await fetchDirectory(app, ada, ada.userId);
      expectBytes(await held.arrayBuffer(), body);
    }
  });
});

Deno.test("a directory of any canonical CBOR is stored and returned, whatever this program's own clients write", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const rest = [
      // An integer key, and an integer beyond 2^53.
      "001bffffffffffffffff",
      "3903e7 f97e00",
      // A tag with a float, a bignum, a map with keys of every type.
      "6161 c1fb41d452d9e0200000",
      "6162 c249010000000000000000",
      "6163 a3 20f6 4100f7 8101f0",
      // Deeper than a roster may be.
      `6164 ${"81".repeat(60)}00`,
    ].join("").replaceAll(" ", "");
    const fields = "6474797065" + toHex(encodeCanonical(TYPE)) +
      "71" + toHex(utf8("directory_version")) + "01";
    const payload = fromHex(`a8${rest}${fields}`) ?? new Uint8Array();
    const body = encodeCanonical({ payload, signature: new Uint8Array(5) });
    await expectJson(await publish(app, ada, body), 200);
    const held = await fetchDirectory(app, ada, ada.userId);
    expectBytes(await held.arrayBuffer(), body);
  });
});

Deno.test("a directory may have 200,000 items and be nested 64 deep, and no more", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const wide = (items: number) =>
      // The map, three keys and two values, and the array.
      versioned(1, { a: Array<number>(items - 7).fill(0) });
    const tooDeep = encodeCanonical({
      payload: fromHex(
        `a1${"81".repeat(64)}00f6`,
      ) ?? new Uint8Array(),
      signature: new Uint8Array(),
    });
    for (const body of [wide(200_001), tooDeep]) {
      await expectProblem(
        await publish(app, ada, body),
        "error.directory.malformed",
      );
    }
    await expectJson(await publish(app, ada, wide(200_000)), 200);
  });
});

Deno.test("a directory that cannot be read is 400", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const whole = versioned(1);
    for (
      const body of [
        new Uint8Array(),
        unsigned({ directory_version: 1 }),
        unsigned({ type: TYPE }),
        unsigned({ type: "service-album-roster/v1", directory_version: 1 }),
        unsigned({ type: "service-device-directory/v2", directory_version: 1 }),
        unsigned({ type: 1, directory_version: 1 }),
        unsigned([TYPE, 1]),
        versioned(0),
        versioned(-1),
        versioned("1"),
        versioned(null),
        versioned(true),
        versioned([1]),
        encodeCanonical({ payload: new Uint8Array() }),
        encodeCanonical({ payload: "text", signature: new Uint8Array() }),
        encodeCanonical({
          payload: encodeCanonical({ type: TYPE, directory_version: 1 }),
          signature: new Uint8Array(),
          extra: 1,
        }),
        encodeCanonical({ type: TYPE, directory_version: 1 }),
        concatBytes(whole, new Uint8Array([0])),
        whole.slice(0, -1),
        new TextEncoder().encode(JSON.stringify({ directory_version: 1 })),
      ]
    ) {
      await expectProblem(
        await publish(app, ada, body),
        "error.directory.malformed",
      );
    }
    expectNoErrors(app);
  });
});

Deno.test("a directory may have 1 MiB and no byte more", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const padded = (length: number) => {
      const empty = versioned(1, { pad: new Uint8Array(100_000) });
      const pad = new Uint8Array(100_000 + length - empty.length);
      return versioned(1, { pad });
    };
    assert.equal(padded(MIB).length, MIB);
    await expectEmpty(await publish(app, ada, padded(MIB + 1)), 413);
    await expectJson(await publish(app, ada, padded(MIB)), 200);
  });
});

Deno.test("until a directory is published an account cannot write", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const writes = [
      operation("POST /v1/albums"),
      operation("POST /v1/upload"),
      operation("POST /v1/shares"),
    ];
    const others = () => [
      app.send("PUT", "/v1/state/index", {
        token: ada.token,
        headers: {
          "Content-Type": "application/octet-stream",
          "If-None-Match": "*",
        },
        body: new Uint8Array(1),
      }),
      app.send("PUT", "/v1/auth/profile/public-record", {
        token: ada.token,
        json: { handle: "ada" },
      }),
    ];
    for (const op of writes) {
      await expectProblem(
        await sendOperation(app, op, ada),
        "error.directory.required",
      );
    }
    for (const refused of await Promise.all(others())) {
      await expectProblem(refused, "error.directory.required");
    }
    await expectJson(await publishDirectory(app, ada, 1), 200);
    for (const taken of await Promise.all(others())) {
      assert(taken.ok);
      await taken.body?.cancel();
    }
    for (const op of writes) {
      await expectJson(await sendOperation(app, op, ada), 201);
    }
  });
});

Deno.test("the directory and its anchor outlive a restart", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bytes = await directoryBytes(ada, 1);
    const key = toBase64(ada.signer.publicKey);
    await expectJson(await publish(app, ada, bytes, key), 200);
    const again = await app.reopen();
    const held = await fetchDirectory(again, ada, ada.userId);
    assert.equal(held.headers.get("x-service-identity-key"), key);
    expectBytes(await held.arrayBuffer(), bytes);
  });
});
