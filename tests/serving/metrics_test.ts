/**
 * Metrics and health on a listener of their own (watching/metrics.md#metrics).
 *
 * @module
 */
import assert from "node:assert/strict";
import { createMetrics } from "../../src/server/metrics/metrics.ts";
import {
  makeRequest,
  type TestApp,
  withTestApp,
  yieldToEventLoop,
} from "../support/app.ts";
import { createUpload, registerWriter, uploadBlob } from "../support/people.ts";
import {
  type RunningServer,
  serveHere,
  startKillable,
  withDataDir,
} from "../support/program.ts";
import { begin, exchange } from "../support/socket.ts";
import { BYTES } from "../support/uploads.ts";
import { check, expectCounted } from "../support/check.ts";
import { ciphertext } from "../support/people.ts";
import { numbered, writeRows } from "../support/rows.ts";
import { growthByMonth } from "../../src/features/operators/store.ts";
import { freePort } from "../../src/server/free_port.ts";

/** Reads the text format: a value by its name and labels. */
function parse(text: string): Map<string, number> {
  const samples = text.split("\n").filter((line) => /^[a-z]/.test(line));
  return new Map(samples.map((line) => {
    const at = line.lastIndexOf(" ");
    return [line.slice(0, at), Number(line.slice(at + 1))];
  }));
}

/** Runs a test over an application whose requests are all measured. */
async function withMetrics(
  test: (
    app: TestApp,
    scrape: () => Promise<Map<string, number>>,
    metrics: ReturnType<typeof createMetrics>,
  ) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withTestApp(async (opened) => {
    const metrics = createMetrics(opened.gauges);
    const app: TestApp = {
      ...opened,
      send: (method, path, sent = {}) =>
        opened.fetch(makeRequest(method, path, sent), {
          clientAddress: "192.0.2.1",
          onEnd: metrics.onEnd,
        }),
    };
    try {
      await test(app, async () => parse(await metrics.scrape()), metrics);
    } finally {
      metrics.stop();
    }
  }, { settings });
}

Deno.test("requests are counted by operation and status, with their time and their bytes", async () => {
  await withMetrics(async (app, scrape) => {
    for (let count = 0; count < 3; count++) {
      await app.send("GET", "/v1/version");
    }
    await app.send("GET", "/v1/auth/profile");
    await app.send("GET", "/nowhere");
    const sent = { address: "ada", password: "short" };
    await app.send("POST", "/v1/auth/register", { json: sent });
    const seen = await scrape();
    const requests = (labels: string) =>
      seen.get(`strongroom_http_requests_total{${labels}}`);
    assert.equal(requests('operation="version",status="200"'), 3);
    assert.equal(requests('operation="readProfile",status="401"'), 1);
    assert.equal(requests('operation="none",status="404"'), 1);
    const duration = "strongroom_http_request_duration_seconds";
    assert.equal(seen.get(`${duration}_count{operation="version"}`), 3);
    assert.equal(
      seen.get(`${duration}_bucket{le="+Inf",operation="version"}`),
      3,
    );
    assert.equal(
      seen.get('strongroom_http_received_bytes_total{operation="register"}'),
      JSON.stringify(sent).length,
    );
    const version = await app.send("GET", "/v1/version");
    assert.equal(
      seen.get('strongroom_http_sent_bytes_total{operation="version"}'),
      3 * (await version.arrayBuffer()).byteLength,
    );
  });
});

Deno.test("what is stored, open, issued and refused is told", async () => {
  await withMetrics(async (app, scrape) => {
    const ada = await registerWriter(app, "ada");
    await uploadBlob(app, ada, BYTES);
    await createUpload(app, ada, ciphertext("open", 50));
    for (let count = 0; count < 4; count++) {
      await app.send("GET", `/s/${"0".repeat(31)}1`);
    }
    const seen = await scrape();
    assert.equal(seen.get("strongroom_blobs"), 1);
    assert.equal(seen.get("strongroom_blob_bytes"), BYTES.length);
    assert.equal(seen.get("strongroom_uploads_open"), 1);
    assert.equal(seen.get("strongroom_receipts_issued_total"), 1);
    assert.equal(seen.get("strongroom_password_hashes_pending"), 0);
    assert.equal(
      seen.get('strongroom_limiter_refusals_total{budget="share_metadata"}'),
      2,
    );
    assert.equal(
      seen.get('strongroom_http_received_bytes_total{operation="putUpload"}'),
      BYTES.length,
    );
    for (
      const name of [
        "strongroom_database_size_bytes",
        "strongroom_disk_free_bytes",
        "strongroom_process_resident_memory_bytes",
        "strongroom_process_cpu_seconds_total",
        "strongroom_process_start_time_seconds",
      ]
    ) assert((seen.get(name) ?? 0) > 0, name);
    assert((seen.get("strongroom_event_loop_lag_seconds") ?? -1) >= 0);
    const info = [...seen].find(([name]) =>
      name.startsWith("strongroom_build_info{version=")
    );
    assert.equal(info?.[1], 1);
  }, { STRONGROOM_LIMIT_SHARE_METADATA: "2" });
});

Deno.test("runs of the periodic task are told, with the last success", async () => {
  await withMetrics(async (_app, scrape, metrics) => {
    const run = { durationMs: 250, endedAt: 1_790_000_000_000 };
    metrics.onPurge({ ...run, succeeded: true });
    metrics.onPurge({ ...run, succeeded: false, durationMs: 500 });
    metrics.onCertificate(1_800_000_000_000);
    metrics.onCertificate(1_900_000_000_000);
    const seen = await scrape();
    const runs = (outcome: string) =>
      seen.get(`strongroom_purge_runs_total{outcome="${outcome}"}`);
    assert.deepEqual([runs("success"), runs("failure")], [1, 1]);
    const at = seen.get("strongroom_purge_last_success_timestamp_seconds");
    assert.equal(at, 1_790_000_000);
    assert.equal(seen.get("strongroom_purge_duration_seconds"), 0.5);
    assert.equal(
      seen.get("strongroom_tls_certificate_not_after_timestamp_seconds"),
      1_900_000_000,
    );
  });
});

Deno.test("every name has the prefix, a base unit where it has one, and its help", async () => {
  await withMetrics(async (app, _scrape, metrics) => {
    await app.send("GET", "/v1/version");
    metrics.onCertificate(1);
    const text = await metrics.scrape();
    const typed = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    assert(typed.length > 20);
    for (const [, name = "", kind] of typed) {
      assert.match(name, /^strongroom_[a-z_]+$/);
      assert.doesNotMatch(name, /_(ms|kib|mib|milliseconds|count)$/);
      assert.equal(name.endsWith("_total"), kind === "counter", name);
      assert.match(text, new RegExp(`^# HELP ${name} [A-Z].*\\.$`, "m"));
    }
  });
});

Deno.test("blobs are counted as they come and go, whatever brings them or takes them away", async () => {
  await withMetrics(async (app, scrape) => {
    const write = async (text: string) => {
      writeRows(app, text);
      // What is read in this turn of the event loop is of its beginning.
      await yieldToEventLoop();
    };
    const add = (from: number, to: number, at: number) =>
      write(
        `${numbered(to)} insert into blob (hash, size, stored_at)
          select printf('%064x', n), 10, ${at} from numbers where n >= ${from}
          on conflict do nothing`,
      );
    const seen = async () => {
      const samples = await scrape();
      return ["blobs", "blob_bytes"].map((name) =>
        samples.get(`strongroom_${name}`)
      );
    };
    assert.deepEqual(await seen(), [0, 0]);
    await add(0, 1_000, Date.UTC(2026, 9, 31, 23, 59, 59));
    await add(500, 1_500, Date.UTC(2026, 10, 1));
    assert.deepEqual(await seen(), [1_500, 15_000]);
    await write("delete from blob where hash < printf('%064x', 100)");
    assert.deepEqual(await seen(), [1_400, 14_000]);
    const months = await growthByMonth(app.app.db, 0);
    assert.deepEqual(months.map((one) => ({ ...one })), [
      { month: "2026-11", bytes: 5_000 },
      { month: "2026-10", bytes: 9_000 },
    ]);
    await expectCounted(app);
    await write("update blob_month set bytes = 1 where month = '2026-10'");
    // A month without a row, and one that there never was.
    await write("delete from blob_month where month = '2026-11'");
    await write("insert into blob_month values ('2025-01', 0, 7)");
    const { findings } = await check(app, { steps: ["usage"] });
    assert.deepEqual(
      findings.map(({ subject, detail }) => `${subject}: ${detail}`),
      [
        ["2025-01", "0 blobs of 7 bytes", "0 of 0"],
        ["2026-10", "900 blobs of 1 bytes", "900 of 9000"],
        ["2026-11", "0 blobs of 0 bytes", "500 of 5000"],
      ].map(([month, said, summed]) =>
        `${month}: blob_month says ${said}, the table blob adds up to ${summed}`
      ),
    );
  });
});

async function read(url: string): Promise<[number, string]> {
  const answer = await fetch(url);
  return [answer.status, await answer.text()];
}

async function withWatched(
  test: (program: RunningServer, watched: string) => Promise<void>,
): Promise<void> {
  await withDataDir(async (dataDir) => {
    const place = `127.0.0.1:${freePort()}`;
    const program = await serveHere({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_METRICS_LISTEN: place,
      STRONGROOM_LOG_FORMAT: "json",
    });
    await test(program, `http://${place}`);
    assert.equal(await program.stop(), 0);
  });
}

Deno.test("metrics and health have a listener of their own, and the main port has its health alone", async () => {
  await withWatched(async (program, watched) => {
    const version = await fetch(`${program.url}/v1/version`);
    await version.body?.cancel();
    const metrics = await fetch(`${watched}/metrics`);
    assert.equal(
      metrics.headers.get("content-type"),
      "text/plain; version=0.0.4; charset=utf-8",
    );
    const seen = parse(await metrics.text());
    assert.equal(
      seen.get(
        'strongroom_http_requests_total{operation="version",status="200"}',
      ),
      1,
    );
    assert.deepEqual(await read(`${watched}/healthz`), [200, "ok\n"]);
    assert.deepEqual(await read(`${watched}/readyz`), [200, "ok\n"]);
    assert.equal((await read(`${watched}/v1/version`))[0], 404);
    assert.equal((await read(`${watched}/constructor`))[0], 404);
    const posted = await fetch(`${watched}/metrics`, { method: "POST" });
    await posted.body?.cancel();
    assert.equal(posted.status, 405);
    assert.equal((await read(`${program.url}/metrics`))[0], 404);
    assert.equal((await read(`${program.url}/readyz`))[0], 404);
    assert.deepEqual(
      await read(`${program.url}/healthz`),
      [200, '{"status":"ok"}'],
    );
  });
});

Deno.test("metrics and health are answered under this server's own names alone", async () => {
  await withWatched(async (_, watched) => {
    const { hostname, port, host } = new URL(watched);
    const ask = async (path: string, named: string) => {
      const connection = await Deno.connect({ hostname, port: Number(port) });
      return await exchange(connection, "GET", path, [], named);
    };
    for (const path of ["/metrics", "/healthz", "/readyz"]) {
      assert.equal((await ask(path, host)).status, 200);
      assert.equal((await ask(path, "localhost")).status, 200);
      const other = await ask(path, "evil.example");
      assert.equal(other.status, 400);
      assert.equal(other.header("content-type"), "application/problem+json");
      const { code } = JSON.parse(new TextDecoder().decode(other.body));
      assert.equal(code, "error.request.host");
    }
  });
});

Deno.test("a server that drains is alive and not ready", async () => {
  await withDataDir(async (dataDir) => {
    const place = `127.0.0.1:${freePort()}`;
    const program = await startKillable({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_METRICS_LISTEN: place,
    });
    const running = await begin(program.url, "POST", "/v1/auth/register", [
      "X-Service-Protocol: 2026-11-01",
      "Content-Type: application/json",
    ]);
    await running.write(new TextEncoder().encode("{"));
    Deno.kill(program.pid, "SIGTERM");
    await program.said('"draining"');
    const probe = (path: string) => read(`http://${place}${path}`);
    assert.deepEqual(await probe("/readyz"), [503, "draining\n"]);
    assert.deepEqual(await probe("/healthz"), [200, "ok\n"]);
    assert.equal((await probe("/metrics"))[0], 200);
    await running.write(new TextEncoder().encode("}"));
    await running.end();
    assert.equal((await running.answered)?.status, 422);
    assert.equal(await program.exited, 0);
  });
});

Deno.test("who connects to the metrics and does not go on keeps no server from ending", async () => {
  await withDataDir(async (dataDir) => {
    const port = Number(freePort());
    const program = await startKillable({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_METRICS_LISTEN: `127.0.0.1:${port}`,
    });
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const head = "POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n";
    await connection.write(new TextEncoder().encode(`${head}\r\n{`));
    await connection.read(new Uint8Array(1));
    Deno.kill(program.pid, "SIGTERM");
    const late = setTimeout(() => program.kill(), 15_000);
    assert.equal(await program.exited, 0);
    clearTimeout(late);
  });
});

Deno.test("a place for metrics that is taken refuses the start by its name", async () => {
  await withDataDir(async (dataDir) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const program = await serveHere({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_METRICS_LISTEN: `127.0.0.1:${taken.addr.port}`,
    });
    assert.equal(await program.exited, 1);
    assert.match(
      await program.complaint(),
      /^strongroom: STRONGROOM_METRICS_LISTEN: cannot listen on [^\n]+\n$/,
    );
  });
});
