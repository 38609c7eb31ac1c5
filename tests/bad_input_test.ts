/**
 * Hostile bodies, paths and bytes: each is refused as declared, and none of
 * them is ever an error of the server's own. Hostile tokens are in
 * `bad_tokens_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { concatBytes, utf8 } from "../src/core/bytes.ts";
import { encodeCanonical } from "../src/core/cbor.ts";
import { type TestApp, withTestApp } from "./support/app.ts";
import { expectJson, expectProblem, type Json } from "./support/expect.ts";
import {
  ciphertext,
  directoryBytes,
  hashOf,
  PASSWORD,
  type Person,
  registerPerson,
  registerWriter,
  uploadRequest,
  uuidOf,
} from "./support/people.ts";
import { operation, sendOperation, SPEC } from "./support/spec.ts";
import { expectNoErrors, opaqueId, shareRequest } from "./support/stories.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

/** Runs a test after which the log holds no error of the server's own. */
async function withApp(test: (app: TestApp) => Promise<void>): Promise<void> {
  await withTestApp(async (app) => {
    await test(app);
    expectNoErrors(app);
  });
}

function login(app: TestApp, body: string | Uint8Array<ArrayBuffer>) {
  return app.send("POST", "/v1/auth/login", { headers: JSON_TYPE, body });
}

function register(app: TestApp, json: Json): Promise<Response> {
  return app.send("POST", "/v1/auth/register", { json });
}

function pathsOf(refusal: Json): string[] {
  return refusal.errors.map((one: Json) => one.path);
}

Deno.test("text that is not JSON is 400", async () => {
  await withApp(async (app) => {
    const bodies = [
      "",
      " ",
      "\n",
      "{",
      "}",
      "[",
      '"',
      '{"address"',
      '{"address":}',
      '{"address":"a@b",}',
      "{'address':'a@b'}",
      "{address:1}",
      "[1,]",
      "nul",
      "undefined",
      "NaN",
      "Infinity",
      "01",
      "+1",
      ".5",
      "1.",
      "0x1",
      "1e",
      "{}{}",
      "{} x",
      "// comment\n{}",
      '{"a":"\n"}',
      '{"a":"\u0000"}',
      '{"a":"\\x41"}',
      '{"a":"\\u12"}',
      "\u0000{}",
      "{}\u0000",
      "address=a%40b&password=x",
      "<login/>",
      `${"[".repeat(200_000)}`,
    ];
    for (const body of bodies) {
      await expectProblem(await login(app, body), "error.request.malformed");
    }
  });
});

Deno.test("bytes that are not UTF-8 are 400", async () => {
  await withApp(async (app) => {
    const around = (...bytes: number[]) =>
      concatBytes(
        utf8('{"address":"a@'),
        new Uint8Array(bytes),
        utf8('","password":"x"}'),
      );
    const bodies = [
      around(0xff),
      around(0xc3),
      around(0xc3, 0x28),
      // Overlong, a surrogate, beyond U+10FFFF.
      around(0xc0, 0xaf),
      around(0xed, 0xa0, 0x80),
      around(0xf4, 0x90, 0x80, 0x80),
      around(0x80),
      new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
      new Uint8Array([0x7b, 0x00, 0x7d, 0x00]),
      new Uint8Array(100),
    ];
    for (const body of bodies) {
      await expectProblem(await login(app, body), "error.request.malformed");
    }
  });
});

Deno.test("JSON of another shape is 422 at the root", async () => {
  await withApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of SPEC.filter(({ body }) => body === "application/json")) {
      const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
      for (
        const body of ["null", "true", "1", '"text"', "[]", "[{}]", nested]
      ) {
        const refusal = await expectProblem(
          await sendOperation(app, op, ada, { body }),
          "error.request.invalid",
        );
        assert.deepEqual(pathsOf(refusal), [""], `${op.path} ${body}`);
      }
    }
  });
});

Deno.test("a value of another type is 422 at its key", async () => {
  await withApp(async (app) => {
    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
    for (const value of [1, 1e308, -0, true, null, [], {}, ["a@b"], deep]) {
      const address = await expectProblem(
        await register(app, { address: value, password: PASSWORD }),
        "error.request.invalid",
      );
      assert.deepEqual(pathsOf(address), ["/address"]);
      const password = await expectProblem(
        await app.send("POST", "/v1/auth/login", {
          json: { address: "a@b", password: value },
        }),
        "error.request.invalid",
      );
      assert.deepEqual(pathsOf(password), ["/password"]);
      const token = await expectProblem(
        await app.send("POST", "/v1/auth/refresh", {
          json: { session_token: value },
        }),
        "error.request.invalid",
      );
      assert.deepEqual(pathsOf(token), ["/session_token"]);
    }
  });
});

Deno.test("an advisory key takes any JSON value, however deep", async () => {
  await withApp(async (app) => {
    const { address } = await registerPerson(app, "ada");
    const deep = `${'{"a":['.repeat(20_000)}${"]}".repeat(20_000)}`;
    for (const value of [deep, "1e999", '"\\ud800"', '{"__proto__":1}']) {
      const body = `{"address":"${address}","password":"${PASSWORD}",` +
        `"cohort_hash":${value},"device_id":${value}}`;
      await expectJson(await login(app, body), 200);
    }
  });
});

Deno.test("of duplicate keys the last counts", async () => {
  await withApp(async (app) => {
    const { address } = await registerPerson(app, "ada");
    const with2 = (first: string, second: string) =>
      login(
        app,
        `{"password":${first},"address":"${address}","password":${second}}`,
      );
    const right = JSON.stringify(PASSWORD);
    await expectJson(await with2('"wrong"', right), 200);
    await expectJson(await with2("null", right), 200);
    await expectProblem(
      await with2(right, '"wrong"'),
      "error.auth.credentials_invalid",
    );
    await expectProblem(await with2(right, "null"), "error.request.invalid");
    // Written in another way it is the same key.
    await expectProblem(
      await login(
        app,
        `{"address":"${address}","password":${right},"passw\\u006frd":"wrong"}`,
      ),
      "error.auth.credentials_invalid",
    );
  });
});

Deno.test("__proto__ and its kin are unknown keys like any other", async () => {
  await withApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (
      const key of [
        "__proto__",
        "constructor",
        "prototype",
        "toString",
        "hasOwnProperty",
        "__defineGetter__",
      ]
    ) {
      for (const value of ['{"isAdmin":true}', "null", "1"]) {
        const refusal = await expectProblem(
          await login(
            app,
            `{"address":"a@b","password":"x","${key}":${value}}`,
          ),
          "error.request.invalid",
        );
        assert.deepEqual(pathsOf(refusal), [`/${key}`]);
      }
      const envelope = JSON.stringify(
        uploadRequest(ada, ciphertext("x", 10)),
      ).replace('"file_id"', `"${key}":{},"file_id"`);
      const refusal = await expectProblem(
        await app.send("POST", "/v1/upload", {
          token: ada.token,
          headers: JSON_TYPE,
          body: envelope,
        }),
        "error.request.invalid",
      );
      assert.deepEqual(pathsOf(refusal), [`/manifest_envelope/${key}`]);
    }
    // They stand in for no required key.
    const inherited = await expectProblem(
      await login(app, '{"__proto__":{"address":"a@b","password":"x"}}'),
      "error.request.invalid",
    );
    assert(pathsOf(inherited).includes("/address"));
  });
});

Deno.test("lone surrogates are no characters of an address", async () => {
  await withApp(async (app) => {
    for (const half of ["\\ud800", "\\udfff", "\\udc00\\ud800"]) {
      const response = await app.send("POST", "/v1/auth/register", {
        headers: JSON_TYPE,
        body: `{"address":"a${half}@b","password":"${PASSWORD}"}`,
      });
      const refusal = await expectProblem(response, "error.request.invalid");
      assert.deepEqual(pathsOf(refusal), ["/address"]);
      // Presented at a sign-in it is an address that nobody has.
      const signIn = await login(
        app,
        `{"address":"a${half}@b","password":"${PASSWORD}"}`,
      );
      await signIn.body?.cancel();
      assert([401, 422].includes(signIn.status), String(signIn.status));
    }
  });
});

Deno.test("a password may hold anything, and all of it counts", async () => {
  await withApp(async (app) => {
    const pairs: [string, string][] = [
      ["before the nul\u0000after", "before the nul\u0000other"],
      [
        "\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000",
        "\u0000",
      ],
      ["twelve chars ", "twelve chars"],
      ["\u202eright to left", "right to left"],
      ["x".repeat(1_023) + "a", "x".repeat(1_023) + "b"],
      ["\u{1f511}".repeat(1_024), "\u{1f511}".repeat(1_023)],
    ];
    for (const [index, [password, other]] of pairs.entries()) {
      const address = `p${index}@example.org`;
      await expectJson(await register(app, { address, password }), 200);
      const signIn = (presented: string) =>
        login(app, JSON.stringify({ address, password: presented }));
      await expectJson(await signIn(password), 200);
      await expectProblem(
        await signIn(other),
        "error.auth.credentials_invalid",
      );
    }
  });
});

Deno.test("addresses that look alike after normalisation are one account", async () => {
  await withApp(async (app) => {
    const same: [string, string][] = [
      // NFC and NFD.
      ["am\u00e9lie@example.org", "ame\u0301lie@example.org"],
      // KELVIN SIGN and ANGSTROM SIGN have canonical forms.
      ["\u212a\u212b@example.org", "k\u00e5@example.org"],
      ["\u1e9b\u0323@example.org", "\u017f\u0323\u0307@example.org"],
      ["\u03a3A@example.org", "\u03c3a@example.org"],
    ];
    for (const [first, second] of same) {
      const password = PASSWORD;
      await expectJson(await register(app, { address: first, password }), 200);
      await expectProblem(
        await register(app, { address: second, password }),
        "error.auth.user_already_exists",
      );
      const signIn = JSON.stringify({ address: second, password });
      await expectJson(await login(app, signIn), 200);
    }
  });
});

Deno.test("values that are too long are 422, or wrong like any other", async () => {
  await withApp(async (app) => {
    const long = "x".repeat(500_000);
    await expectProblem(
      await register(app, { address: `${long}@b`, password: PASSWORD }),
      "error.request.invalid",
    );
    await expectProblem(
      await register(app, { address: "a@b", password: long }),
      "error.request.invalid",
    );
    await expectProblem(
      await login(app, JSON.stringify({ address: "a@b", password: long })),
      "error.request.invalid",
    );
    await expectProblem(
      await app.send("POST", "/v1/auth/refresh", {
        json: { session_token: long },
      }),
      "error.auth.session_token_invalid",
    );
    const keys = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`key ${index}`, index]),
    );
    await expectProblem(await register(app, keys), "error.request.invalid");
  });
});

Deno.test("numbers beyond what an integer can hold are 422", async () => {
  await withApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const text = JSON.stringify(uploadRequest(ada, ciphertext("x", 10)));
    const numbers = [
      "1e400",
      "-1e400",
      "9007199254740993",
      "1e300",
      "-1",
      "0.1",
      "1e-5",
      "123456789012345678901234567890",
      '"10"',
      "null",
      "true",
      "[]",
    ];
    for (const number of numbers) {
      for (
        const [field, pointer] of [
          ['"size":10', "/size"],
          ['"plaintext_size":1000', "/manifest_envelope/plaintext_size"],
          ['"chunk_size":65536', "/manifest_envelope/chunk_size"],
          ['"amk_version":0', "/manifest_envelope/amk_version"],
        ] as const
      ) {
        assert(text.includes(field));
        const [name = ""] = field.split(":");
        const refusal = await expectProblem(
          await app.send("POST", "/v1/upload", {
            token: ada.token,
            headers: JSON_TYPE,
            body: text.replace(field, `${name}:${number}`),
          }),
          "error.request.invalid",
        );
        assert.deepEqual(pathsOf(refusal), [pointer], number);
      }
    }
    // A number that is an integer in another spelling is one.
    await expectJson(
      await app.send("POST", "/v1/upload", {
        token: ada.token,
        headers: JSON_TYPE,
        body: text.replace('"size":10', '"size":1.0e1'),
      }),
      201,
    );
  });
});

Deno.test("bad percent-encoding and foreign characters in a path are 400", async () => {
  await withApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const segments = [
      "%",
      "%z",
      "%zz",
      "%ff",
      "%c3%28",
      "%ed%a0%80",
      "%00",
      "%0a",
      "%2f",
      "%252f",
      "..%2f..%2fetc%2fpasswd",
      "*",
      "null",
      "-1",
      "'%20or%201=1--",
      "%3Cscript%3E",
      "a".repeat(5_000),
      `${uuidOf("x")}%00`,
      `%20${uuidOf("x")}`,
      `${hashOf("x")}%0a`,
      `${opaqueId("x")}%20`,
    ];
    for (const op of SPEC.filter(({ path }) => path.includes("{"))) {
      for (const segment of segments) {
        const names = op.path.matchAll(/\{(\w+)\}/g);
        const values = Object.fromEntries(
          [...names].map(([, name = ""]) => [name, segment]),
        );
        await expectProblem(
          await sendOperation(app, op, ada, { values }),
          "error.request.malformed",
        );
      }
    }
  });
});

Deno.test("a path that is percent-encoded without need is the same path", async () => {
  await withApp(async (app) => {
    const id = opaqueId("nothing");
    const encoded = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
    const response = await app.send("GET", `/s/${encoded}`, { protocol: null });
    await expectProblem(response, "error.share.not_found");
  });
});

Deno.test("control characters in ids and hashes of a body are 422", async () => {
  await withApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const hash = hashOf("blob");
    for (const bad of ["\u0000", "\n", "\ufeff", "\ud800", "\u0660"]) {
      const bodies: Json[] = [
        shareRequest("x", [hash], { opaque_id: opaqueId("x") + bad }),
        shareRequest("x", [hash + bad]),
        shareRequest("x", [hash.slice(1) + bad]),
        shareRequest("x", [hash], { wrapped_secret: `AAAA${bad}` }),
        shareRequest("x", [hash], { expires_at: `2027-01-01T00:00:00Z${bad}` }),
      ];
      for (const json of bodies) {
        await expectProblem(
          await app.send("POST", "/v1/shares", { token: ada.token, json }),
          "error.request.invalid",
        );
      }
    }
  });
});

Deno.test("timestamps of many wrong forms are 422", async () => {
  await withApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (
      const expires_at of [
        "",
        "2027",
        "2027-01-01",
        "2027-01-01T00:00:00",
        "2027-01-01 00:00:00 UTC",
        "2027-01-01T24:00:00Z",
        "2027-01-01T00:60:00Z",
        "2027-13-01T00:00:00Z",
        "2027-02-30T00:00:00Z",
        "+012027-01-01T00:00:00Z",
        "Fri, 01 Jan 2027 00:00:00 GMT",
        "1798761600",
        "2027-01-01T00:00:00.Z",
        "2027-W01-1T00:00:00Z",
        "２０２７-01-01T00:00:00Z",
      ]
    ) {
      const refusal = await expectProblem(
        await app.send("POST", "/v1/shares", {
          token: ada.token,
          json: shareRequest("x", [hashOf("x")], { expires_at }),
        }),
        "error.request.invalid",
      );
      assert.deepEqual(pathsOf(refusal), ["/expires_at"], expires_at);
    }
  });
});

/** CBOR that is broken, hostile, or merely not canonical. */
function hostileCbor(): Uint8Array<ArrayBuffer>[] {
  const hex = (text: string) => Uint8Array.fromHex(text);
  const repeated = (byte: number, count: number) =>
    new Uint8Array(count).fill(byte);
  return [
    hex("ff"),
    hex("f6"),
    hex("00"),
    hex("a0"),
    hex("80"),
    hex("40"),
    hex("60"),
    // Arrays, maps, tags inside each other.
    repeated(0x81, 10_000),
    repeated(0xa1, 10_000),
    repeated(0xc1, 10_000),
    repeated(0x9f, 10_000),
    repeated(0xbf, 10_000),
    // Lengths that nothing could hold.
    hex("5bffffffffffffffff"),
    hex("7b7fffffffffffffff"),
    hex("9b00ffffffffffffff"),
    hex("bb00ffffffffffffff"),
    hex("ba7fffffff"),
    hex("9a7fffffff00"),
    hex("5a7fffffff00"),
    // Reserved additional information, a break outside, an odd simple value.
    hex("1c"),
    hex("5c"),
    hex("fc"),
    hex("f818"),
    // Floats, undefined, tags, bignums.
    hex("f97e00"),
    hex("fb7ff0000000000000"),
    hex("f7"),
    hex("c249010000000000000000"),
    hex("d9d9f7a0"),
    // Text that is not UTF-8; a map whose keys are no text.
    hex("62c328"),
    hex("a10000"),
    hex("a1f600"),
  ];
}

function publish(
  app: TestApp,
  person: Person,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  return app.send("PUT", "/v1/auth/devices/directory", {
    token: person.token,
    headers: {
      "Content-Type": "application/cbor",
      "X-Service-Identity-Key": "null",
    },
    body,
  });
}

Deno.test("garbage for a directory is 400, as the envelope and inside it", async () => {
  await withApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    for (const garbage of hostileCbor()) {
      const bodies = [
        garbage,
        encodeCanonical({ payload: garbage, signature: new Uint8Array() }),
        // A map that begins like an envelope.
        concatBytes(
          utf8("\u0000").fill(0xa2),
          encodeCanonical("payload"),
          garbage,
        ),
      ];
      for (const body of bodies) {
        await expectProblem(
          await publish(app, ada, body),
          "error.directory.malformed",
        );
      }
    }
    await expectProblem(
      await publish(app, ada, ciphertext("noise", 100_000)),
      "error.directory.malformed",
    );
  });
});

Deno.test("a directory cut off anywhere, or with a byte more, is 400", async () => {
  await withApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const whole = await directoryBytes(ada, 1);
    const cuts = [1, 2, 9, 10, 50, 100, 101, 500, whole.length - 1];
    for (const cut of cuts) {
      await expectProblem(
        await publish(app, ada, whole.slice(0, cut)),
        "error.directory.malformed",
      );
    }
    await expectProblem(
      await publish(app, ada, concatBytes(whole, new Uint8Array(1))),
      "error.directory.malformed",
    );
    await expectProblem(
      await publish(app, ada, concatBytes(whole, whole)),
      "error.directory.malformed",
    );
  });
});

Deno.test("a directory that is CBOR but not canonical is 400", async () => {
  await withApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const type = encodeCanonical("service-device-directory/v1");
    const typeKey = encodeCanonical("type");
    const versionKey = encodeCanonical("directory_version");
    const bytes = (...parts: (Uint8Array | number)[]) =>
      concatBytes(
        ...parts.map((part) =>
          typeof part === "number" ? new Uint8Array([part]) : part
        ),
      );
    const payloads = [
      // 1 in two bytes, in nine, as a float; keys out of order, twice, more.
      bytes(0xa2, typeKey, type, versionKey, 0x18, 0x01),
      bytes(0xa2, typeKey, type, versionKey, 0x1b, 0, 0, 0, 0, 0, 0, 0, 1),
      bytes(0xa2, typeKey, type, versionKey, 0xf9, 0x3c, 0x00),
      bytes(0xa2, versionKey, 1, typeKey, type),
      bytes(0xa3, typeKey, type, typeKey, type, versionKey, 1),
      bytes(0xa3, typeKey, type, versionKey, 1, versionKey, 2),
      bytes(0xbf, typeKey, type, versionKey, 1, 0xff),
      bytes(0xb8, 2, typeKey, type, versionKey, 1),
      bytes(0xa2, typeKey, type, versionKey, 0xc2, 0x41, 1),
      bytes(
        0xa2,
        typeKey,
        type,
        versionKey,
        0x1b,
        0,
        0x20,
        0,
        0,
        0,
        0,
        0,
        0,
      ),
    ];
    for (const payload of payloads) {
      await expectProblem(
        await publish(
          app,
          ada,
          encodeCanonical({ payload, signature: new Uint8Array(1) }),
        ),
        "error.directory.malformed",
      );
    }
    // The same map in its canonical form is a directory.
    const canonical = bytes(0xa2, typeKey, type, versionKey, 1);
    await expectJson(
      await publish(
        app,
        ada,
        encodeCanonical({ payload: canonical, signature: new Uint8Array(1) }),
      ),
      200,
    );
  });
});

Deno.test("hostile headers are refused or not looked at, and never an error", async () => {
  await withApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const values = [
      "",
      "\t",
      "x".repeat(10_000),
      "\u00ff\u00fe",
      "%00",
      '"',
      ",,,,",
      ";;;;",
      "-".repeat(1_000),
      "bytes=" + "0-1,".repeat(2_000),
      "9".repeat(1_000),
    ];
    const names = [
      "Accept",
      "Authorization",
      "Content-Type",
      "If-Modified-Since",
      "If-None-Match",
      "If-Range",
      "Origin",
      "Range",
      "Tus-Resumable",
      "Upload-Checksum",
      "Upload-Offset",
      "X-Forwarded-For",
      "X-Service-Crypto-Suite",
      "X-Service-Identity-Key",
      "X-Service-Protocol",
      "X-Service-Sidecar-Schema",
    ];
    const operations = [
      "GET /v1/auth/profile",
      "GET /s/{opaque_id}/blob/{hash}",
      "GET /v1/assets/{asset_id}/blobs/{hash}",
      "PATCH /v1/upload/{upload_id}",
      "PUT /v1/auth/devices/directory",
      "GET /.well-known/service/server-info",
    ].map(operation);
    for (const op of operations) {
      for (const name of names) {
        for (const value of values) {
          const response = await sendOperation(app, op, ada, {
            headers: { [name]: value },
          });
          await response.body?.cancel();
          assert(response.status < 500, `${op.path} ${name}: ${value}`);
        }
      }
    }
  });
});
