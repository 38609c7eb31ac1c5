/**
 * Every input field of every operation gets the worst value for its reader: no
 * answer may delay the others. The test compares the processor's time with that
 * of a harmless value of the same length, because the machine may have other
 * things to do.
 *
 * @module
 */
import assert from "node:assert/strict";
import process from "node:process";
import { encodeCanonical } from "../../src/core/cbor.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { bodyLimit } from "../../src/http/implied.ts";
import { ROUTES } from "../../src/routes.ts";
import { type SendOptions, type TestApp, withTestApp } from "../support/app.ts";
import type { Json } from "../support/expect.ts";
import { type Person, registerWriter } from "../support/people.ts";
import { SPEC, type SpecOperation } from "../support/spec.ts";
import {
  fillPath,
  sampleJson,
  validOptions,
} from "../support/spec_requests.ts";

/** What one answer may take of the processor beyond a harmless one's (ms). */
const BUDGET_MS = 250;
const DEFAULT_LIMIT = 1024 * 1024;
/** Long enough that the square of it would be seen. */
const LONG = 200_000;

const filled = (part: string, length: number) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

/** Each is the worst for another way of looking at a text. */
const WORST: Readonly<Record<string, string>> = {
  "marks to be put in order": filled("\u0315\u0300\u05ae\u0301", LONG),
  "marks behind one letter": `a${filled("\u0323\u0307", LONG)}`,
  "addresses without an end": filled("a@", LONG),
  "digits and hyphens": filled("1-", LONG),
  "nothing but blanks": `${filled(" ", LONG)}x`,
  "digits of base64": filled("A", LONG),
  "capitals that become longer": filled("\u0130", LONG),
};
const HARMLESS = filled("harmless ", LONG);

/** Sends a request; what of the processor its answer took (ms). */
async function cost(
  app: TestApp,
  op: SpecOperation,
  options: SendOptions,
): Promise<number> {
  const before = spent();
  const response = await app.send(op.method, fillPath(op.path), options);
  await response.body?.cancel();
  const took = spent() - before;
  assert(response.status < 500, `${op.path}: ${response.status}`);
  return took;
}

/**
 * What this thread took of the processor so far (ms): other files of tests are
 * threads of the same process, and theirs is not what is measured.
 */
function spent(): number {
  try {
    const [ns = ""] = Deno.readTextFileSync("/proc/thread-self/schedstat")
      .split(" ");
    return Number(ns) / 1_000_000;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

/** Throws where a request takes much longer than a harmless one. */
async function expectCheap(
  app: TestApp,
  op: SpecOperation,
  what: string,
  worst: SendOptions,
  harmless: SendOptions,
): Promise<void> {
  const takes = await cost(app, op, worst);
  if (takes <= BUDGET_MS) return;
  // Once may be chance: garbage is collected, and other tests run meanwhile. A
  // slow reader is slow each time.
  let said = "";
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const [again, other] = [
      await cost(app, op, worst),
      await cost(app, op, harmless),
    ];
    if (again <= BUDGET_MS + 2 * other) return;
    said = `${Math.round(again)} ms, and ${Math.round(other)} ms for what is ` +
      "harmless";
  }
  assert.fail(`${op.method} ${op.path}, ${what}: ${said}`);
}

/** As often as it may be chance. */
const MOST_ATTEMPTS = 5;

/** Every text of a body, each in turn replaced by another. */
function* replaced(body: Json, text: string): Generator<[string, Json]> {
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === "string") yield [name, { ...body, [name]: text }];
    else if (typeof value === "object" && value !== null) {
      for (const [inner, other] of replaced(value, text)) {
        const made = Array.isArray(value) ? Object.values(other) : other;
        yield [`${name}/${inner}`, { ...body, [name]: made }];
      }
    }
  }
}

/** Texts of JSON of nearly a length that are the worst to take apart. */
function* worstTexts(length: number): Generator<[string, string]> {
  const half = Math.floor(length / 2) - 1;
  yield ["brackets", "[".repeat(half) + "]".repeat(half)];
  const members = Array.from(
    { length: Math.floor(length / 12) },
    (_, at) => `"${at.toString(36)}":0`,
  );
  yield ["members", `{${members.join(",")}}`];
  yield ["elements", `[${filled("0,", length - 4)}0]`];
  yield ["quotes", `"${filled('\\"', length - 4)}"`];
  yield ["blanks", filled(" ", length - 2)];
}

async function withOperations(
  test: (app: TestApp, ada: Person) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await test(app, ada);
  });
}

const JSON_OPERATIONS = SPEC.filter(({ body }) => body === "application/json");

Deno.test("no text of a body holds up the others, whatever stands in it", async () => {
  await withOperations(async (app, ada) => {
    for (const op of JSON_OPERATIONS) {
      const options = await validOptions(op, ada);
      const sample = sampleJson(op, ada);
      const harmless = new Map(replaced(sample, HARMLESS));
      for (const [kind, text] of Object.entries(WORST)) {
        for (const [name, json] of replaced(sample, text)) {
          const other = harmless.get(name);
          await expectCheap(
            app,
            op,
            `${kind} in ${name}`,
            { ...options, body: JSON.stringify(json) },
            { ...options, body: JSON.stringify(other) },
          );
        }
      }
    }
  });
});

Deno.test("no body holds up the others, however many parts it has", async () => {
  await withOperations(async (app, ada) => {
    for (const op of JSON_OPERATIONS) {
      const spec = ROUTES.find(({ spec }) =>
        spec.method === op.method && spec.path === op.path
      )?.spec;
      assert(spec !== undefined);
      const options = await validOptions(op, ada);
      const length = bodyLimit(spec, DEFAULT_LIMIT);
      const harmless = `"${filled("harmless ", length - 4)}"`;
      for (const [kind, body] of worstTexts(length)) {
        await expectCheap(app, op, kind, { ...options, body }, {
          ...options,
          body: harmless,
        });
      }
    }
  });
});

Deno.test("no header holds up the others, whatever stands in it", async () => {
  const names = [
    "Accept",
    "Accept-Encoding",
    "Authorization",
    "Content-Type",
    "If-Modified-Since",
    "If-None-Match",
    "If-Range",
    "Range",
    "Origin",
    "Tus-Resumable",
    "Upload-Checksum",
    "Upload-Offset",
    "X-Service-Identity-Key",
    "X-Service-Protocol",
    "X-Service-Crypto-Suite",
  ];
  const parts = [" ", ",", '",', '"', "\t,", "a@", "A", "=", "W/", "q=0.", ";"];
  await withOperations(async (app, ada) => {
    for (const op of SPEC) {
      const options = await validOptions(op, ada);
      for (const name of names) {
        for (const part of op.path.includes("upload") ? parts : [", ", '"']) {
          const send = (text: string) => ({
            ...options,
            headers: { ...options.headers, [name]: `Bearer ${text}x` },
          });
          await expectCheap(
            app,
            op,
            `${JSON.stringify(part)} in ${name}`,
            send(filled(part, 60_000)),
            send(filled("a", 60_000)),
          );
        }
      }
    }
  });
});

Deno.test("no signed document holds up the others, however many items it has", async () => {
  await withOperations(async (app, ada) => {
    const numbers = (length: number) =>
      encodeCanonical({
        payload: encodeCanonical({
          items: new Array(length).fill(0),
          type: "service-album-roster/v1",
        }),
        signature: new Uint8Array(3_373),
      });
    for (const op of SPEC) {
      const options = await validOptions(op, ada);
      if (op.path === "/v1/auth/devices/directory") {
        await expectCheap(
          app,
          op,
          "numbers",
          { ...options, body: numbers(1_000_000) },
          { ...options, body: new Uint8Array(1_000_000) },
        );
      }
      if (op.path === "/v1/albums/{album_id}/roster" && op.method === "PUT") {
        const json = (bytes: Uint8Array) =>
          JSON.stringify({ roster_cbor: toBase64(bytes) });
        await expectCheap(
          app,
          op,
          "numbers",
          { ...options, body: json(numbers(9_000_000)) },
          { ...options, body: json(new Uint8Array(9_000_000)) },
        );
      }
    }
  });
});
