/**
 * What the log may not tell (watching/log.md): never a token, an address, a
 * code, a share id or a fragment.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { RouteSpec } from "../../src/http/route.ts";
import { groupNames } from "../../src/http/router.ts";
import { describe, discreet } from "../../src/http/request_log.ts";
import { ROUTES } from "../../src/routes.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { registerWriter, uploadRequest } from "../support/people.ts";
import { startProgram, withDataDir } from "../support/program.ts";
import { BYTES } from "../support/uploads.ts";

/** Each is in a place of its own, and nowhere else in the program. */
const ADDRESS = "grace.hopper@privacy.example";
const WORD = "correct-horse-7-battery-staple";
const CODE = "7F3K-9Q2M";
const SHARE = "5eed5eed5eed5eed5eed5eed5eed5e31";
const FRAGMENT = "Fr4gm3ntFr4gm3ntFr4gm3ntFr4gm3nt";
const TOKEN = "eyJhbGciOiJFZERTQSJ9.c2VjcmV0LXRva2Vu.c2lnbmF0dXJlLTEyMzQ1";
const SECRETS = [ADDRESS, WORD, CODE, SHARE, FRAGMENT, TOKEN];

/** Every secret in every place that a body may have, cut off at its end. */
const BODY = JSON.stringify({
  address: ADDRESS,
  password: WORD,
  new_password: WORD,
  current_password: WORD,
  code: CODE,
  refresh_token: TOKEN,
  opaque_id: SHARE,
  [WORD]: FRAGMENT,
});

/** A body that is cut off, and one that a parser would quote whole. */
const MALFORMED = [BODY.slice(0, -9), `x${CODE}`];

/** Requests that a route refuses, each in another of its checks. */
function* requestsFor(spec: RouteSpec): Generator<{
  path: string;
  headers: Record<string, string>;
  body: BodyInit | null;
}> {
  const filled = (value: string) =>
    groupNames(spec.path).reduce(
      (path, name) => path.replace(`{${name}}`, encodeURIComponent(value)),
      spec.path,
    );
  const query = new URLSearchParams(
    [...Object.keys(spec.query ?? {}), "address", "code"].map((
      name,
    ) => [name, `${name}-${ADDRESS}-${CODE}`]),
  );
  const declared = Object.fromEntries(
    Object.keys(spec.headers ?? {}).map((name) => [name, `${SHARE} ${CODE}`]),
  );
  const kinds = ["application/json", "application/cbor", "text/plain"];
  const takesBody = !["GET", "HEAD"].includes(spec.method);
  for (const value of [SHARE, WORD, ADDRESS, `%2e%2e%2f${SHARE}`]) {
    for (const authorization of [`Bearer ${TOKEN}`, TOKEN, undefined]) {
      for (const kind of takesBody ? kinds : [undefined]) {
        for (const body of takesBody ? [BODY, ...MALFORMED] : [null]) {
          yield {
            path: `${filled(value)}?${query}`,
            headers: {
              ...declared,
              ...(authorization === undefined
                ? {}
                : { Authorization: authorization }),
              ...(kind === undefined ? {} : { "Content-Type": kind }),
              Cookie: TOKEN,
              Referer: `https://photos.example/s/${SHARE}#${FRAGMENT}`,
              "User-Agent": FRAGMENT,
            },
            body,
          };
        }
      }
    }
  }
}

function expectNoSecret(log: string): void {
  for (const secret of [...SECRETS, encodeURIComponent(ADDRESS)]) {
    assert(!log.includes(secret), `the log tells ${secret}`);
  }
}

async function driveEverything(
  app: TestApp,
  session: string,
): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (const { spec } of ROUTES) {
    // It would end the session that everything else is asked with.
    if (spec.operation === "logout") continue;
    for (const { path, headers, body } of requestsFor(spec)) {
      const tokens = headers["Authorization"] === undefined
        ? [undefined, session]
        : [undefined];
      for (const token of tokens) {
        const answer = await app.send(spec.method, path, {
          headers,
          ...(body === null ? {} : { body }),
          ...(token === undefined ? {} : { token }),
        });
        statuses.add(answer.status);
        await answer.body?.cancel();
      }
    }
  }
  return statuses;
}

Deno.test("no route's refusals put what the client sent into the log", async () => {
  await withTestApp(async (app) => {
    const { token } = await registerWriter(app, "ada");
    const statuses = await driveEverything(app, token);
    for (const status of [400, 401, 404, 415, 422]) {
      assert(statuses.has(status), `nothing was refused with ${status}`);
    }
    const log = JSON.stringify(app.logged);
    expectNoSecret(log);
    assert(!log.includes(token) && !log.includes("ada@example.org"));
  }, { settings: { STRONGROOM_FEDERATION: "on" } });
});

Deno.test("a file operation that fails names no secret in its error line", async () => {
  let failing = false;
  const failure = () => {
    throw new Error(
      `cannot read /u/${SHARE} of ${ADDRESS} with Bearer ${TOKEN}`,
      { cause: new TypeError(`code ${CODE.replaceAll("-", "")}${CODE}`) },
    );
  };
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    failing = true;
    const failed = await app.send("POST", "/v1/upload", {
      token: ada.token,
      json: uploadRequest(ada, BYTES),
    });
    await failed.body?.cancel();
    assert.equal(failed.status, 500);
    failing = false;
    const [line] = app.logged.filter(({ level }) => level === "error");
    assert.match(
      String(line?.properties["cause"]),
      /cannot read \/u\/<hidden>/,
    );
    expectNoSecret(JSON.stringify(app.logged));
  }, {
    files: {
      ...denoFiles,
      freeBytes: (path) => failing ? failure() : denoFiles.freeBytes(path),
    },
  });
});

Deno.test("a text is made discreet, and stays useful", () => {
  for (
    const [given, kept] of [
      ["expired", "expired"],
      [`no account ${ADDRESS}`, "no account <address>"],
      [`unknown ${SHARE}`, "unknown <hidden>"],
      [`at /s/${SHARE}#${FRAGMENT}`, "at /s/<hidden>#<hidden>"],
      [
        "UNIQUE constraint failed: upload.upload_id",
        "UNIQUE constraint failed: upload.upload_id",
      ],
      [
        "damaged blob " + "0a".repeat(32),
        "damaged blob " + "0a".repeat(32),
      ],
      [
        "stat 'uploads/01890a5d-ac96-774b-bcce-b302099a8057'",
        "stat 'uploads/01890a5d-ac96-774b-bcce-b302099a8057'",
      ],
    ] as const
  ) assert.equal(discreet(given), kept);
  assert(!discreet(`Bearer ${TOKEN}`).includes(TOKEN.split(".")[1] ?? ""));
});

Deno.test("of a long text the log tells the beginning, and takes no time over it", () => {
  // Each of these costs the square of its length, where it is not cut first:
  // hours, in which the run would not end.
  for (const part of ["a", "a@", "a-", "a@a:"]) {
    const text = `refused: ${part.repeat(4_000_000)}`;
    assert.equal(discreet(text), "refused: ...");
    const error = new Error(text, { cause: new Error(text) });
    assert(describe(error, true).length < 8_192);
  }
});

Deno.test("a message that looks like a frame of the stack is told as a message", () => {
  const told = describe(new Error(`no\n    at ${ADDRESS}`), true);
  assert(!told.includes(ADDRESS), told);
  assert.match(told, /\n {4}at .*log_privacy_test/);
});

Deno.test("the program's log has one line per request, with its time and without secrets", async () => {
  await withDataDir(async (dataDir) => {
    const program = await startProgram({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_LOG_FORMAT: "json",
    });
    const headers = {
      "X-Service-Protocol": "2026-11-01",
      "Content-Type": "application/json",
      Authorization: `Bearer ${TOKEN}`,
    };
    const ask = async (path: string, body?: string) => {
      const answer = await fetch(`${program.url}${path}`, {
        headers,
        ...(body === undefined ? {} : { method: "POST", body }),
      });
      await answer.body?.cancel();
    };
    const credentials = { address: ADDRESS, password: WORD };
    await ask("/v1/auth/register", JSON.stringify(credentials));
    await ask("/v1/auth/login", JSON.stringify(credentials).slice(0, -1));
    await ask("/v1/auth/profile");
    await ask(`/s/${SHARE}`);
    await ask(`/nowhere/${SHARE}?address=${ADDRESS}`);
    await program.stop();
    const log = await program.complaint();
    expectNoSecret(log);
    const lines = log.trim().split("\n").map((line) => JSON.parse(line));
    const requests = lines.filter(({ message }) => message === "request");
    assert.deepEqual(
      requests.map((line) => [line.operation, line.status, line.code]),
      [
        ["register", 200, undefined],
        ["login", 400, "error.request.malformed"],
        ["readProfile", 401, "error.auth.token_invalid"],
        ["viewShare", 404, "error.share.not_found"],
        ["none", 404, "error.request.route_unknown"],
      ],
    );
    assert.equal(requests[0].bytes_in, JSON.stringify(credentials).length);
    assert(requests[0].bytes_out > 0);
    for (const line of requests) {
      assert(Date.parse(line["@timestamp"]) > 0);
      assert(line.duration_ms >= 0);
    }
    assert.equal(new Set(requests.map((one) => one.request_id)).size, 5);
  });
});

Deno.test("request ids do not come again after a restart, and a level silences lines", async () => {
  await withTestApp(async (first) => {
    await first.send("GET", "/v1/version");
    first.clock.advance(1);
    const second = await first.reopen();
    await second.send("GET", "/v1/version");
    const idOf = (app: TestApp) => app.logged.at(-1)?.properties["request_id"];
    assert.notEqual(idOf(first), idOf(second));
  });
  await withDataDir(async (dataDir) => {
    const program = await startProgram({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_LOG_LEVEL: "warning",
    });
    await (await fetch(`${program.url}/v1/version`)).body?.cancel();
    await program.stop();
    assert.equal(await program.complaint(), "");
  });
});

Deno.test("the pretty format is for people: one line, its properties behind it", async () => {
  await withDataDir(async (dataDir) => {
    const program = await startProgram({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_LOG_FORMAT: "pretty",
    });
    await (await fetch(`${program.url}/v1/version`)).body?.cancel();
    await program.stop();
    const log = await program.complaint();
    assert.match(log, /request operation=\w+ status=200 duration_ms=[\d.]+ /);
  });
});
