/**
 * `/openapi.json` as a client's developer reads it: complete, by names, and
 * true of the answers.
 *
 * @module
 */
import assert from "node:assert/strict";
import { openApiDocument } from "../../src/http/openapi/openapi.ts";
import { ROUTES } from "../../src/routes.ts";
import { withTestApp } from "../support/app.ts";
import type { Json } from "../support/expect.ts";
import { nameOf, SPEC } from "../support/spec.ts";
import { openWorld, sendOperation } from "../support/spec_requests.ts";

const specs = ROUTES.map(({ spec }) => spec);
const DOCUMENT: Json = openApiDocument(specs, "1.2.3");
const { schemas, headers, securitySchemes } = DOCUMENT.components;

function operationOf(path: string, method: string): Json {
  return DOCUMENT.paths[path][method.toLowerCase()];
}

/** What stands at a reference, or the thing itself. */
function held(thing: Json): Json {
  const path = thing.$ref?.replace("#/", "").split("/");
  return path === undefined
    ? thing
    : path.reduce((at: Json, name: string) => at[name], DOCUMENT);
}

function responseOf(path: string, method: string, status: number): Json {
  return held(operationOf(path, method).responses[status]);
}

/** Every object in it, with what leads to it. */
function* objects(thing: Json, path = ""): Generator<[string, Json]> {
  if (typeof thing !== "object" || thing === null) return;
  if (!Array.isArray(thing)) yield [path, thing];
  for (const [name, inner] of Object.entries(thing)) {
    yield* objects(inner, `${path}/${name}`);
  }
}

Deno.test("every operation has a summary, a description, one known tag and an id of its own", () => {
  const tags = DOCUMENT.tags.map(({ name }: Json) => name);
  const ids = new Set<string>();
  const used = new Set<string>();
  for (const [path, item] of Object.entries<Json>(DOCUMENT.paths)) {
    for (const [method, one] of Object.entries<Json>(item)) {
      const name = `${method} ${path}`;
      assert(one.summary.length > 3 && one.description.length > 10, name);
      assert.equal(one.tags.length, 1, name);
      assert(tags.includes(one.tags[0]), name);
      assert(!ids.has(one.operationId), name);
      ids.add(one.operationId);
      used.add(one.tags[0]);
    }
  }
  assert.deepEqual([...used].toSorted(), tags.toSorted());
  assert.deepEqual(DOCUMENT.servers.map(({ url }: Json) => url), ["/"]);
});

Deno.test("what can be got can be asked for by HEAD, whose answers have no content", () => {
  for (const { path, method } of specs) {
    const item = DOCUMENT.paths[path];
    if (method !== "GET") continue;
    assert.deepEqual(
      Object.keys(item.head.responses),
      Object.keys(item.get.responses).filter((status) => status !== "206"),
      path,
    );
    for (const status of Object.keys(item.head.responses)) {
      const response = responseOf(path, "HEAD", Number(status));
      assert.equal(response.content, undefined, path);
      const declared = responseOf(path, "GET", Number(status)).headers;
      assert.deepEqual(response.headers, declared, path);
    }
  }
});

Deno.test("schemas have names: no operation holds one of its own, and every name leads somewhere", () => {
  for (const [path, one] of objects(DOCUMENT)) {
    if (one.$ref !== undefined) assert(held(one) !== undefined, one.$ref);
    if (path.startsWith("/paths") || path.startsWith("/components/responses")) {
      assert(one.properties === undefined, path);
    }
    assert.equal(one.$defs, undefined, path);
  }
});

Deno.test("requests are closed and answers are open", () => {
  const requests = new Set<string>();
  const answers = new Set<string>();
  const collect = (into: Set<string>, from: Json) => {
    for (const [, { $ref }] of objects(from)) {
      if ($ref === undefined || into.has($ref)) continue;
      into.add($ref);
      collect(into, held({ $ref }));
    }
  };
  for (const item of Object.values<Json>(DOCUMENT.paths)) {
    for (const one of Object.values<Json>(item)) {
      collect(requests, one.requestBody ?? {});
      collect(answers, one.responses);
    }
  }
  const closed = ($ref: string) =>
    [...objects(held({ $ref }))].filter(([, { properties }]) => properties)
      .map(([, one]) => one.additionalProperties === false);
  for (const $ref of requests) assert(closed($ref).every((is) => is), $ref);
  for (const $ref of answers) assert(!closed($ref).some((is) => is), $ref);
  assert(requests.size > 20 && answers.size > 100);
});

Deno.test("a password and an address have the limits that the server holds them to", () => {
  const { properties } = schemas.RegisterRequest;
  assert.deepEqual(
    [properties.password.minLength, properties.password.maxLength],
    [12, 1_024],
  );
  assert.deepEqual(
    [properties.address.minLength, properties.address.maxLength],
    [3, 254],
  );
});

Deno.test("bytes have a schema, in requests and in answers", () => {
  let found = 0;
  for (const [path, { content }] of objects(DOCUMENT)) {
    for (const [type, media] of Object.entries<Json>(content ?? {})) {
      assert(media.schema !== undefined, `${path} ${type}`);
      if (/json|html/.test(type)) continue;
      assert.deepEqual(media.schema, { type: "string", format: "binary" });
      found += 1;
    }
  }
  assert(found > 10);
});

Deno.test("most JSON has an example, and each example is one", () => {
  let [withOne, without] = [0, 0];
  for (const spec of specs) {
    const { requestBody, responses } = operationOf(spec.path, spec.method);
    const bodies: [Json, Json][] = [];
    if (spec.body?.kind === "json") {
      bodies.push([requestBody.content["application/json"], spec.body.schema]);
    }
    for (const [status, success] of Object.entries(spec.success)) {
      if (success.kind !== "json") continue;
      bodies.push([
        responses[status].content["application/json"],
        success.schema,
      ]);
    }
    for (const [media, schema] of bodies) {
      if (media.example === undefined) without += 1;
      else {
        withOne += 1;
        schema.parse(media.example);
      }
    }
  }
  assert(without <= 5 && withOne > 60, `${withOne} with, ${without} without`);
});

Deno.test("credentials are of two kinds, and an operation names those that it takes", () => {
  assert.deepEqual(Object.keys(securitySchemes), ["bearer", "capability"]);
  const taken = (path: string, method: string) =>
    operationOf(path, method).security.map((one: Json) => Object.keys(one)[0]);
  assert.deepEqual(taken("/v1/auth/profile", "GET"), ["bearer"]);
  assert.deepEqual(taken("/v1/auth/login", "POST"), []);
  assert.deepEqual(taken("/v1/federation/capabilities/refresh", "POST"), [
    "capability",
  ]);
  assert.deepEqual(taken("/v1/assets/{asset_id}/blobs/{hash}", "GET"), [
    "bearer",
    "capability",
  ]);
});

Deno.test("ranges and conditions are parameters where they mean something", () => {
  const names = (path: string, method: string) =>
    operationOf(path, method).parameters.map(({ name }: Json) => name);
  const conditions = ["If-None-Match", "If-Modified-Since"];
  const ranges = ["Range", "If-Range"];
  for (
    const path of [
      "/v1/assets/{asset_id}/blobs/{hash}",
      "/s/{opaque_id}/blob/{hash}",
    ]
  ) {
    const get = names(path, "GET");
    for (const name of [...conditions, ...ranges]) assert(get.includes(name));
    const head = names(path, "HEAD");
    for (const name of conditions) assert(head.includes(name));
    for (const name of ranges) assert(!head.includes(name));
  }
  assert(!names("/v1/auth/profile", "GET").includes("If-None-Match"));
});

/** Headers of the protocol's own: what a client of this server looks at. */
const TOLD = [
  ...["Accept-Ranges", "Cache-Control", "Content-Range", "Deprecation"],
  ...["ETag", "Last-Modified", "Link", "Location", "Repr-Digest"],
  ...[
    "Retry-After",
    "Strict-Transport-Security",
    "Sunset",
    "Tus-Checksum-Algorithm",
    "Tus-Extension",
  ],
  ...["Tus-Max-Size", "Tus-Resumable", "Tus-Version", "Upload-Expires"],
  ...["Upload-Length", "Upload-Offset", "WWW-Authenticate"],
  ...[
    "X-Content-Type-Options",
    "X-Service-Identity-Key",
    "X-Service-Min-Client-Build",
  ],
  ...["X-Service-Protocol-Max", "X-Service-Protocol-Min"],
];

Deno.test("no answer has a header of the protocol's that its operation does not declare", async () => {
  await withTestApp(async (app) => {
    const { person, values } = await openWorld(app);
    const seen = new Set<string>();
    for (const op of SPEC) {
      for (
        const over of [
          {},
          { values },
          { anonymous: true as const },
          { protocol: "2031-01-01" },
          { headers: { Range: "bytes=0-1" } },
        ]
      ) {
        const response = await sendOperation(app, op, person, over);
        await response.body?.cancel();
        const declared = Object.keys(
          responseOf(op.path, op.method, response.status).headers,
        );
        for (const name of TOLD) {
          if (!response.headers.has(name)) continue;
          seen.add(name);
          assert(
            declared.includes(name),
            `${nameOf(op)} ${response.status}: ${name}`,
          );
        }
      }
    }
    for (const name of ["WWW-Authenticate", "Location", "ETag"]) {
      assert(seen.has(name), name);
    }
  });
  for (const name of TOLD) assert(headers[name] !== undefined, name);
  const locked = responseOf("/v1/auth/login", "POST", 423).headers;
  assert(locked["Retry-After"] !== undefined);
  assert(locked["Deprecation"] !== undefined);
});
