/**
 * Whether several threads that read would answer more than one: a prototype,
 * not the program. Each thread has a `Deno.serve` on the same port
 * (`reusePort`) and a reading connection of its own, as the program's event
 * loop has. For each request it looks at `data_version`, a row by its key as a
 * session is looked up, and a blob of 4 KiB, and answers with as many headers
 * as a share link does.
 *
 *     deno task bench:threads
 *
 * Requests a second depend on what else the machine does, and the load takes
 * processors, too. So the processor time of a request is said as well.
 *
 * @module
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { WRITING_PRAGMAS } from "../../src/store/sqlite.ts";
import { connect } from "./connection.ts";
import {
  cpuSeconds,
  expectStatus,
  peakMib,
  say,
  withScratch,
} from "./support.ts";
import { ROWS } from "./read_threads_server.ts";

const SERVER = new URL("read_threads_server.ts", import.meta.url).href;
const CONNECTIONS = 32;
const REQUESTS = 12_000;
const WARM_UP = 4_000;
const ROUNDS = 5;

interface Contender {
  readonly threads: number;
  readonly pid: number;
  readonly origin: string;
  /** Requests a second, of each round. */
  readonly rates: number[];
  /** Microseconds of the server's processor a request, of each round. */
  readonly costs: number[];
}

await withScratch(async (scratch) => {
  const path = join(scratch, "rows.sqlite");
  fill(path);
  const children: Deno.ChildProcess[] = [];
  try {
    const contenders: Contender[] = [];
    for (const threads of [1, 2, 4]) {
      const child = new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--quiet",
          "--no-check",
          "--unstable-net",
          "--allow-net=127.0.0.1",
          "--allow-read",
          `--allow-write=${scratch}`,
          SERVER,
          path,
          String(threads),
        ],
        stdout: "piped",
        stdin: "null",
      }).spawn();
      children.push(child);
      const origin = await firstLine(child.stdout);
      contenders.push({
        threads,
        pid: child.pid,
        origin,
        rates: [],
        costs: [],
      });
    }
    for (const one of contenders) await ask(one, WARM_UP);
    const loadBefore = await cpuSeconds("self") ?? NaN;
    for (let round = 0; round < ROUNDS; round++) {
      for (const one of contenders) {
        const before = await cpuSeconds(one.pid) ?? NaN;
        const started = performance.now();
        await ask(one, REQUESTS);
        const seconds = (performance.now() - started) / 1_000;
        const after = await cpuSeconds(one.pid) ?? NaN;
        one.rates.push(REQUESTS / seconds);
        one.costs.push(1e6 * (after - before) / REQUESTS);
      }
    }
    const load = (await cpuSeconds("self") ?? NaN) - loadBefore;
    const asked = REQUESTS * ROUNDS * contenders.length;
    say("threads  requests/s  ÷ one thread  µs of processor a request  peak");
    for (const one of contenders) {
      const ratio = middle(one.rates) / middle(contenders[0]?.rates ?? []);
      const peak = await peakMib(one.pid) ?? NaN;
      say(
        String(one.threads).padStart(7) +
          middle(one.rates).toFixed(0).padStart(12) +
          ratio.toFixed(2).padStart(14) +
          middle(one.costs).toFixed(0).padStart(27) +
          `${peak.toFixed(0)} MiB`.padStart(9),
      );
    }
    say(
      `median of ${ROUNDS} rounds in turn, ${CONNECTIONS} connections; ` +
        `the load took ${(1e6 * load / asked).toFixed(0)} µs a request`,
    );
  } finally {
    for (const child of children) child.kill("SIGKILL");
    for (const child of children) await child.status;
  }
});

/** Makes the database that the threads read. */
function fill(path: string): void {
  const db = new DatabaseSync(path);
  for (const pragma of WRITING_PRAGMAS) db.exec(pragma);
  db.exec("create table session (token text primary key, account text) strict");
  db.exec("create table blob (hash text primary key, bytes blob) strict");
  db.exec("begin");
  const session = db.prepare("insert into session values (?, ?)");
  const blob = db.prepare("insert into blob values (?, ?)");
  for (let at = 0; at < ROWS; at++) {
    session.run(`token-${at}`, `account-${at}`);
    blob.run(`hash-${at}`, crypto.getRandomValues(new Uint8Array(4 * 1024)));
  }
  db.exec("commit");
  db.close();
}

async function ask({ origin }: Contender, requests: number): Promise<void> {
  let left = requests;
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    const connection = await connect(origin);
    while (left-- > 0) {
      expectStatus(
        await connection.exchange({
          method: "GET",
          path: `/blob/${left % ROWS}`,
          headers: { "X-Service-Protocol": "1", Authorization: "Bearer x" },
        }),
        200,
      );
    }
    connection.close();
  }));
}

function middle(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end);
  }
  throw new Error("the server ended before it listened");
}
