/**
 * Malicious bodies, paths and bytes: each is refused as declared, and none of
 * them is ever an error of the server's own. Malicious tokens are in
 * `tokens_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { hashOf, PASSWORD, registerWriter, uuidOf } from "../support/people.ts";
import { operation, SPEC } from "../support/spec.ts";
import { sendOperation } from "../support/spec_requests.ts";
import { opaqueId, shareRequest, withFaultlessApp } from "../support/api.ts";

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

Deno.test("lone surrogates are no characters of an address", async () => {
  await withFaultlessApp(async (app) => {
    for (const half of ["\\ud800", "\\udfff", "\\udc00\\ud800"]) {
      const response = await app.send("POST", "/v1/auth/register", {
        headers: JSON_TYPE,
        body: `{"address":"a${half}@b","password":"${PASSWORD}"}`,
      });
      const refusal = await expectProblem(response, "error.request.invalid");
      assert.deepEqual(pathsOf(refusal), ["/address"]);
      // Presented at a sign-in it is an unknown address.
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
  await withFaultlessApp(async (app) => {
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
  await withFaultlessApp(async (app) => {
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
  await withFaultlessApp(async (app) => {
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

Deno.test("bad percent-encoding and foreign characters in a path are 400", async () => {
  await withFaultlessApp(async (app) => {
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
        // These are names of a slot like any others.
        const isSlot = op.path.includes("{slot}") &&
          ["null", "-1"].includes(segment);
        if (isSlot) continue;
        const names = op.path.matchAll(/\{(\w+)\}/g);
        const values = Object.fromEntries(
          [...names].map(([, name = ""]) => [name, segment]),
        );
        const response = await sendOperation(app, op, ada, { values });
        if (op.path.includes("{handle}") && response.status === 404) {
          // Whatever no record has for a handle answers 404
          // (protocol/discovery.md#public-record).
          await expectProblem(response, "error.user.not_found");
        } else await expectProblem(response, "error.request.malformed");
      }
    }
  });
});

Deno.test("a path that is percent-encoded without need is the same path", async () => {
  await withFaultlessApp(async (app) => {
    const id = opaqueId("nothing");
    const encoded = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
    const response = await app.send("GET", `/s/${encoded}`, { protocol: null });
    await expectProblem(response, "error.share.not_found");
  });
});

Deno.test("control characters in ids and hashes of a body are 422", async () => {
  await withFaultlessApp(async (app) => {
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
  await withFaultlessApp(async (app) => {
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

Deno.test("malicious headers are refused or not looked at, and never an error", async () => {
  await withFaultlessApp(async (app) => {
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
