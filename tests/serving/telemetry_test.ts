/**
 * The runtime's OpenTelemetry export, as an operator turns it on: to a
 * receiver of OTLP over HTTP.
 *
 * @module
 */
import assert from "node:assert/strict";
import { startProgram, withDataDir } from "../support/program.ts";

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

interface Span {
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

const SHARE = "5eed5eed5eed5eed5eed5eed5eed5e31";

/** What a server exports of a few requests, and what it logs. */
async function exported(
  settings: Record<string, string>,
): Promise<{ spans: Span[]; metrics: string; all: string; log: string }> {
  const received: { path: string; text: string }[] = [];
  await using collector = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const path = new URL(request.url).pathname;
      received.push({ path, text: await request.text() });
      return Response.json({});
    },
  );
  let log = "";
  await withDataDir(async (dataDir) => {
    const program = await startProgram({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_LOG_FORMAT: "json",
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.addr.port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_SERVICE_NAME: "strongroom",
      ...settings,
    });
    for (const path of [`/s/${SHARE}`, "/v1/version", `/nowhere/${SHARE}`]) {
      await (await fetch(`${program.url}${path}`)).body?.cancel();
    }
    // What is not exported yet is, when the program ends.
    assert.equal(await program.stop(), 0);
    log = await program.complaint();
  });
  const of = (path: string) =>
    received.filter((one) => one.path === path).map(({ text }) => text);
  // The task that starts the program exports as well.
  const spans = of("/v1/traces").flatMap((text) =>
    JSON.parse(text).resourceSpans.flatMap((
      resource: { scopeSpans: { spans: Span[] }[] },
    ) => resource.scopeSpans.flatMap((scope) => scope.spans))
  );
  return {
    spans,
    metrics: of("/v1/metrics").join("\n"),
    all: received.map(({ text }) => text).join("\n"),
    log,
  };
}

function attribute({ attributes }: Span, key: string): string | undefined {
  return attributes.find((one) => one.key === key)?.value.stringValue;
}

Deno.test("a request is a span with the name of its route, and URLs in spans are warned of", async () => {
  const { spans, metrics, log } = await exported({});
  const names = spans.map(({ name }) => name);
  assert.deepEqual(names.toSorted(), [
    "GET",
    "GET /s/{opaque_id}",
    "GET /v1/version",
  ]);
  const share = spans.find(({ name }) => name === "GET /s/{opaque_id}");
  assert(share !== undefined);
  assert.equal(attribute(share, "http.route"), "/s/{opaque_id}");
  assert.equal(attribute(share, "strongroom.operation"), "viewShare");
  assert.equal(attribute(share, "strongroom.code"), "error.share.not_found");
  assert.match(metrics, /http\.server\.request\.duration/);
  assert.match(metrics, /"http\.route"/);
  assert.match(log, /set OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT=1/);
});

Deno.test("with one attribute a span keeps its name, and no share id leaves the server", async () => {
  const { spans, all, log } = await exported({
    OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "1",
  });
  assert(spans.some(({ name }) => name === "GET /s/{opaque_id}"));
  assert(!all.includes(SHARE), "a share id was exported");
  assert.doesNotMatch(log, /OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT/);
});

Deno.test("without spans the metrics are exported, and hold no path", async () => {
  const { spans, metrics, all, log } = await exported({
    OTEL_DENO_TRACING: "false",
  });
  assert.deepEqual(spans, []);
  assert.match(metrics, /http\.server\.request\.duration/);
  assert(!all.includes(SHARE), "a share id was exported");
  assert.doesNotMatch(log, /OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT/);
});
