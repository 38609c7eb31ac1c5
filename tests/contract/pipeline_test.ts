/**
 * What the pipeline does of itself, over routes of a test's own.
 *
 * @module
 */
import assert from "node:assert/strict";
import { z } from "zod";
import { sleep } from "../../src/server/sleep.ts";
import { problem } from "../../src/core/problem.ts";
import {
  type Deprecation,
  parseProtocolDate,
  PROTOCOL_MIN,
} from "../../src/core/protocol.ts";
import { PACE } from "../../src/http/arrivals.ts";
import { createPipeline } from "../../src/http/pipeline.ts";
import { routesOver } from "../../src/http/route.ts";
import { ORIGIN, PROTOCOL, START_MS } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";

const DAY = 86_400_000;

const declared = {
  operation: "example",
  method: "POST",
  path: "/v1/example",
  summary: "An example",
  credential: "none",
  success: { 200: { kind: "json", schema: z.strictObject({}) } },
  problems: ["error.share.not_found"],
} as const;

/** A pipeline whose one handler does `work`, and what it logs. */
function pipelineOf(
  work: () => void,
  over: {
    now?: number;
    announcements?: readonly Deprecation[];
    overTls?: boolean;
  } = {},
) {
  const logged: Record<string, unknown>[] = [];
  const log = (_: string, line: Record<string, unknown> = {}) => {
    logged.push(line);
  };
  const handle = createPipeline({
    storageFault: () => undefined,
    federates: false,
    app: {},
    routes: [
      routesOver<object>()(declared).by(() => {
        work();
        return { status: 200, json: {} };
      }),
    ],
    platform: {
      now: () => over.now ?? START_MS,
      monotonic: () => 0,
      sleep,
      log: { debug: log, info: log, warn: log, error: log },
    },
    authentication: {
      session: () => Promise.reject(new Error("nobody")),
      token: () => Promise.reject(new Error("nobody")),
      capability: () => Promise.reject(new Error("nobody")),
      reader: () => Promise.reject(new Error("nobody")),
    },
    operates: () => Promise.resolve(false),
    accountStands: () => Promise.resolve(true),
    announcements: () => over.announcements ?? [],
    minClientBuild: 0,
    isOwnHost: () => true,
    maxBodyBytes: 1_000,
    bodyPace: PACE,
    overTls: over.overTls ?? false,
    corsOrigins: new Set(),
    checkReplies: true,
  });
  const send = (protocol: string = PROTOCOL) =>
    handle(
      new Request(`${ORIGIN}/v1/example`, {
        method: "POST",
        headers: { "X-Service-Protocol": protocol },
      }),
      { clientAddress: "192.0.2.1" },
    );
  return { send, logged };
}

Deno.test("whatever is thrown that no route declares is error.internal, and its cause stays in the log", async () => {
  const faults = [
    () => {
      throw new Error("the secret of the house");
    },
    () => {
      throw problem("error.album.not_found", {
        cause: "the secret of the house",
      });
    },
  ];
  for (const fault of faults) {
    const { send, logged } = pipelineOf(fault);
    const response = await send();
    assert.ok(!JSON.stringify([...response.headers]).includes("secret"));
    const body = await expectProblem(response, "error.internal");
    assert.ok(!JSON.stringify(body).includes("secret"));
    assert.match(String(logged[0]?.["cause"]), /the secret of the house/);
  }
});

Deno.test("a refusal's private cause is logged with its public code", async () => {
  const { send, logged } = pipelineOf(() => {
    throw problem("error.share.not_found", { cause: "expired" });
  });
  const body = await expectProblem(await send(), "error.share.not_found");
  assert.ok(!JSON.stringify(body).includes("expired"));
  assert.equal(logged[0]?.["code"], "error.share.not_found");
  assert.equal(logged[0]?.["cause"], "expired");
});

const ANNOUNCED: Deprecation = {
  minProtocolVersion: parseProtocolDate("2026-09-01") ?? PROTOCOL_MIN,
  announcedAt: START_MS - DAY,
  cutoff: START_MS + DAY,
  detailUrl: null,
};
const LINK = '</.well-known/service/deprecation>; rel="deprecation"';

Deno.test("before an announced cutoff a date below it gets its answer and a warning", async () => {
  const { send } = pipelineOf(() => {}, { announcements: [ANNOUNCED] });
  const warned = await send("2026-08-31");
  assert.equal(
    warned.headers.get("deprecation"),
    `@${(START_MS - DAY) / 1_000}`,
  );
  assert.equal(
    warned.headers.get("sunset"),
    new Date(ANNOUNCED.cutoff).toUTCString(),
  );
  assert.equal(warned.headers.get("link"), LINK);
  await expectJson(warned, 200);
  const current = await send("2026-09-01");
  for (const name of ["deprecation", "sunset", "link"]) {
    assert.equal(current.headers.get(name), null);
  }
  await expectJson(current, 200);
});

Deno.test("after the cutoff the date is refused with the raised window and the link", async () => {
  const { send } = pipelineOf(() => {}, {
    announcements: [ANNOUNCED],
    now: ANNOUNCED.cutoff,
  });
  const refused = await send("2026-08-31");
  assert.equal(refused.headers.get("link"), LINK);
  assert.equal(refused.headers.get("x-service-protocol-min"), "2026-09-01");
  const body = await expectProblem(
    refused,
    "error.handshake.protocol_unsupported",
  );
  assert.equal(body.protocol_min, "2026-09-01");
  const without = pipelineOf(() => {});
  const outside = await without.send("2026-05-31");
  assert.equal(outside.headers.get("link"), null);
  await outside.body?.cancel();
});

Deno.test("no answer may be taken for another type, and TLS of our own asks for TLS from then on", async () => {
  for (const overTls of [true, false]) {
    for (const protocol of [PROTOCOL, "none"]) {
      const { send } = pipelineOf(() => {}, { overTls });
      const { headers, body } = await send(protocol);
      await body?.cancel();
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(
        headers.get("strict-transport-security"),
        overTls ? "max-age=31536000" : null,
      );
    }
  }
});
