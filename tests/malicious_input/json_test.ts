/**
 * Malicious JSON: malformed, of wrong shapes, with odd keys and odd numbers. Each
 * is refused as declared and never an error of the server's own.
 *
 * @module
 */
import assert from "node:assert/strict";
import { concatBytes, utf8 } from "../../src/core/bytes.ts";
import { type TestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  PASSWORD,
  registerPerson,
  registerWriter,
  uploadRequest,
} from "../support/people.ts";
import { SPEC } from "../support/spec.ts";
import { sendOperation } from "../support/spec_requests.ts";
import { withFaultlessApp } from "../support/api.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

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
  await withFaultlessApp(async (app) => {
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
  await withFaultlessApp(async (app) => {
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
  await withFaultlessApp(async (app) => {
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
  await withFaultlessApp(async (app) => {
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
  await withFaultlessApp(async (app) => {
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
  await withFaultlessApp(async (app) => {
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
  await withFaultlessApp(async (app) => {
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

Deno.test("numbers beyond what an integer can hold are 422", async () => {
  await withFaultlessApp(async (app) => {
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
