/**
 * The declarations against the specification's table, and what every answer
 * has in common. The faults that every operation refuses are in
 * `faults_test.ts`, their order in `order_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type ProblemKind, PROBLEMS } from "../../src/core/catalogue.ts";
import { declaredProblems } from "../../src/http/implied.ts";
import { ROUTES } from "../../src/routes.ts";
import { withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { nameOf, operation, SPEC } from "../support/spec.ts";
import {
  expectCommonHeaders,
  fillPath,
  openWorld,
  sendOperation,
  UNKNOWN,
  validOptions,
} from "../support/spec_requests.ts";
import { expectNoErrors } from "../support/api.ts";
import { TABLES } from "./specification.ts";

// Operators' own are in `tests/api/operator_test.ts`: others cannot find them.
const declared = ROUTES.filter(({ spec }) => !spec.forOperators).map((
  { spec },
) => ({
  name: `${spec.method} ${spec.path}`,
  spec,
  success: Object.keys(spec.success).map(Number),
  statuses: new Set(
    declaredProblems(spec).map((code) => PROBLEMS[code].status),
  ),
}));

Deno.test("the operations of the specification are served, and no others", () => {
  assert.deepEqual(
    declared.map(({ name }) => name).toSorted(),
    SPEC.map(nameOf).toSorted(),
  );
});

Deno.test("the statuses that the specification lists are the complete set of each operation", () => {
  for (const row of TABLES) {
    const { operation: name, never = {}, unlisted = {} } = row;
    const found = declared.find((one) => one.name === name);
    assert(found !== undefined, `${name} is not served`);
    assert.deepEqual(found.success.toSorted(), row.success.toSorted(), name);
    const own = [...row.others, ...Object.keys(unlisted).map(Number)]
      .filter((status) => !Object.hasOwn(never, status));
    const allowed = [...own, 413, ...row.cannotFail ? [] : [500]];
    assert.deepEqual(
      [...found.statuses].toSorted(),
      allowed.toSorted(),
      `${name} answers with something else than is listed`,
    );
    for (const status of Object.keys(never).map(Number)) {
      assert(row.others.includes(status), `${name} has no ${status} to leave`);
    }
  }
});

Deno.test("an operation that the specification leaves open answers what the protocol's pages say", () => {
  for (const { name, success, statuses } of declared) {
    const op = operation(name);
    const row = TABLES.find((one) => one.operation === name);
    if (row !== undefined) {
      // Both tables say the same.
      const own = [...row.others, ...Object.keys(row.unlisted ?? {})]
        .map(Number);
      assert.deepEqual(op.others.toSorted(), own.toSorted(), name);
      continue;
    }
    for (const status of success) {
      assert(op.success.includes(status), `${name} may not answer ${status}`);
    }
    const allowed = [...op.others, 413, ...op.may500 ? [500] : []];
    for (const status of statuses) {
      assert(allowed.includes(status), `${name} may not answer ${status}`);
    }
  }
});

Deno.test("a full disk, a store that is away and sign-in that is unavailable are 500; 507 is the quota alone", () => {
  const statuses = (code: keyof typeof PROBLEMS) => PROBLEMS[code].status;
  assert.equal(statuses("error.storage.full"), 500);
  assert.equal(statuses("error.storage.unavailable"), 500);
  assert.equal(statuses("error.auth.unavailable"), 500);
  assert.deepEqual(
    Object.entries(PROBLEMS).filter(([_, { status }]) => status === 507)
      .map(([code]) => code),
    ["error.storage.quota_exceeded"],
  );
});

Deno.test("every 429 and 423 has a Retry-After, and so have the codes of 500 after which a call may be repeated", () => {
  for (const [code, kind] of Object.entries<ProblemKind>(PROBLEMS)) {
    if (![423, 429].includes(kind.status)) continue;
    assert.equal(kind.retry, true, code);
  }
  for (
    const code of [
      "error.storage.full",
      "error.storage.unavailable",
      "error.auth.unavailable",
    ] as const
  ) assert(PROBLEMS[code].retryAfterSeconds > 0, code);
});

Deno.test("every operation but discovery and version may answer that the disk is full or the store away", () => {
  for (const { name, spec } of declared) {
    const codes = declaredProblems(spec);
    for (
      const code of ["error.storage.full", "error.storage.unavailable"] as const
    ) {
      assert.equal(codes.includes(code), spec.cannotFail !== true, name);
    }
  }
});

Deno.test("every operation may answer 413, and every write 426", () => {
  for (const { name, statuses } of declared) {
    const op = operation(name);
    // The tus discovery OPTIONS takes neither a body nor a handshake.
    if (op.method !== "OPTIONS") assert(statuses.has(413), name);
    assert.equal(
      statuses.has(426),
      op.handshake && op.method !== "GET",
      name,
    );
  }
});

Deno.test("/openapi.json lists every operation with all its statuses", async () => {
  await withTestApp(async (app) => {
    const document = await expectJson(
      await app.send("GET", "/openapi.json", { protocol: null }),
      200,
    );
    assert.match(document.openapi, /^3\.1\.\d+$/);
    const listed = Object.entries(document.paths).flatMap(([path, item]) =>
      // HEAD goes where GET goes.
      Object.keys(item ?? {}).filter((method) => method !== "head")
        .map((method) => `${method.toUpperCase()} ${path}`)
    ).filter((name) => !name.includes(" /v1/operator/"));
    assert.deepEqual(listed.toSorted(), SPEC.map(nameOf).toSorted());
    for (const { name, spec, success, statuses } of declared) {
      const { responses } =
        document.paths[spec.path][spec.method.toLowerCase()];
      assert.deepEqual(
        Object.keys(responses).map(Number).toSorted((a, b) => a - b),
        [...new Set([...success, ...statuses])].toSorted((a, b) => a - b),
        name,
      );
      // "413 has no body and no content type", one apart: a blob that is too
      // large for its role.
      const [reference = ""] = Object.values(responses["413"] ?? {});
      const refusal = document.components
        .responses[String(reference).split("/").at(-1) ?? ""];
      assert.equal(
        refusal?.content !== undefined,
        name === "POST /v1/upload",
        name,
      );
    }
  });
});

Deno.test("every response carries the common headers, errors included", async () => {
  await withTestApp(async (app) => {
    const { person, values } = await openWorld(app);
    const answers: [string, Response][] = [
      ["no such path", await app.send("GET", "/nowhere", { protocol: null })],
      ["wrong method", await app.send("PUT", "/v1/version")],
      [
        "wrong shape",
        await app.send("POST", "/v1/auth/login", { json: { address: 1 } }),
      ],
    ];
    for (const op of SPEC) {
      const name = nameOf(op);
      answers.push(
        [`faulty ${name}`, await sendOperation(app, op, person, { values })],
        [name, await sendOperation(app, op, person)],
        [
          `anonymous ${name}`,
          await sendOperation(app, op, person, { anonymous: true }),
        ],
        [
          `hurried ${name}`,
          await sendOperation(app, op, person, { protocol: "2031-01-01" }),
        ],
        [
          `oversize ${name}`,
          await sendOperation(app, op, person, {
            headers: { "Content-Length": "99999999999999" },
          }),
        ],
      );
    }
    const seen = new Set<number>();
    for (const [name, response] of answers) {
      await response.body?.cancel();
      expectCommonHeaders(response, `${name}: ${response.status}`);
      seen.add(response.status);
    }
    for (const status of [200, 204, 401, 404, 405, 413, 422, 426]) {
      assert(seen.has(status), `no answer was a ${status}`);
    }
    expectNoErrors(app);
  });
});

Deno.test("a problem is a CodedProblem with its own extension fields and no instance", async () => {
  await withTestApp(async (app) => {
    const { person } = await openWorld(app);
    const extensions: Record<string, string[]> = {
      "error.handshake.protocol_unsupported": ["protocol_min", "protocol_max"],
      "error.request.invalid": ["errors"],
    };
    for (const op of SPEC) {
      for (
        const over of [
          {},
          { anonymous: true as const },
          { protocol: "2031-01-01" },
          { headers: { "Content-Type": "application/json" }, body: "{}" },
          { values: { opaque_id: "x", upload_id: "x", asset_id: "x" } },
        ]
      ) {
        if (op.method === "GET" && "body" in over) continue;
        const response = await sendOperation(app, op, person, over);
        if (response.status < 400) {
          await response.body?.cancel();
          continue;
        }
        const { type, title, status, detail, code, ...extra } = await response
          .json();
        const name = `${nameOf(op)} ${code}`;
        for (const one of [type, title, detail]) {
          assert(typeof one === "string" && one !== "", name);
        }
        assert.equal(status, response.status, name);
        assert.match(code, /^error\.[a-z_]+\.[a-z_]+$/);
        assert.deepEqual(Object.keys(extra), extensions[code] ?? [], name);
      }
    }
  });
});

Deno.test("the minimum client build is a setting", async () => {
  await withTestApp(async (app) => {
    const response = await app.send("GET", "/v1/version", { protocol: null });
    await response.body?.cancel();
    assert.equal(response.headers.get("x-service-min-client-build"), "417");
  }, { settings: { STRONGROOM_MIN_CLIENT_BUILD: "417" } });
});

Deno.test("every JSON answer under /v1 is no-store, problems included", async () => {
  await withTestApp(async (app) => {
    const { person, values } = await openWorld(app);
    for (const op of SPEC.filter(({ path }) => path.startsWith("/v1/"))) {
      for (const over of [{ values }, {}, { anonymous: true as const }]) {
        const response = await sendOperation(app, op, person, over);
        await response.body?.cancel();
        const type = response.headers.get("content-type") ?? "";
        if (!type.includes("json")) continue;
        assert.equal(
          response.headers.get("cache-control"),
          "no-store",
          `${nameOf(op)}: ${response.status}`,
        );
      }
    }
  });
});

Deno.test("HEAD works wherever GET does, with its headers and no body", async () => {
  await withTestApp(async (app) => {
    const { person, values } = await openWorld(app);
    for (const op of SPEC.filter(({ method }) => method === "GET")) {
      for (const groups of [values, UNKNOWN]) {
        const get = await sendOperation(app, op, person, { values: groups });
        await get.body?.cancel();
        const head = await sendOperation(app, op, person, {
          values: groups,
          method: "HEAD",
        });
        const name = `HEAD ${op.path}`;
        await expectEmpty(head, get.status);
        const held = Object.fromEntries(get.headers);
        const length = head.headers.get("content-length");
        if (length === null) delete held["content-length"];
        assert.deepEqual(Object.fromEntries(head.headers), held, name);
      }
    }
    expectNoErrors(app);
  });
});

Deno.test("HEAD is refused as GET would be, without a body", async () => {
  await withTestApp(async (app) => {
    const head = (path: string, protocol: string | null) =>
      app.send("HEAD", path, { protocol });
    await expectEmpty(await head("/v1/auth/profile", null), 400);
    await expectEmpty(await head("/v1/auth/profile", "1999-12-31"), 401);
    await expectEmpty(await head("/nowhere", null), 404);
  });
});

Deno.test("an unknown route is 404, before any other check", async () => {
  await withTestApp(async (app) => {
    for (
      const path of [
        "/",
        "/nowhere",
        "/v1",
        "/v1/",
        "/v1/nowhere",
        "/v2/version",
        "/V1/version",
        "/v1/version/",
        "/v1//version",
        "/v1/auth/profile/more",
        "/v1/users//directory",
        "/s",
        "/s/",
        `/s/${UNKNOWN["opaque_id"]}/blob`,
        "/.well-known/service",
        "/.well-known/service/moved/ada",
      ]
    ) {
      for (const method of ["GET", "POST", "DELETE"]) {
        const response = await app.send(method, path, { protocol: null });
        await expectProblem(response, "error.request.route_unknown");
      }
    }
  });
});

Deno.test("a wrong method is 405 with the methods in Allow", async () => {
  await withTestApp(async (app) => {
    for (const path of new Set(SPEC.map((op) => op.path))) {
      const known = SPEC.filter((op) => op.path === path).map((op) =>
        op.method as string
      );
      if (known.includes("GET")) known.push("HEAD");
      // Methods that no operation of the whole specification has here.
      const wrong = path === "/v1/upload/{upload_id}"
        ? ["POST"]
        : ["PUT", "PATCH"].filter((method) => !known.includes(method));
      for (const method of [...wrong, "BREW"]) {
        const response = await app.send(method, fillPath(path), {
          protocol: null,
        });
        const allow = response.headers.get("allow") ?? "";
        const allowed = allow.split(",").map((one) => one.trim());
        await expectProblem(response, "error.request.method_not_allowed");
        for (const one of known) {
          assert(allowed.includes(one), `${path} ${one}`);
        }
        assert(!allowed.includes(method), `${method} ${path}`);
      }
    }
  });
});

Deno.test("unknown query keys are ignored", async () => {
  await withTestApp(async (app) => {
    const { person } = await openWorld(app);
    const op = operation("GET /v1/auth/profile");
    const { token } = await validOptions(op, person);
    assert(token !== undefined);
    await expectJson(
      await app.send("GET", "/v1/auth/profile?user_id=1&x=%zz&=&&", { token }),
      200,
    );
    const version = await app.send("GET", "/v1/version?a=b", {
      protocol: null,
    });
    await expectJson(version, 200);
  });
});
