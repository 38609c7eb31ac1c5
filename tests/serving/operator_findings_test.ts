/**
 * What the operator's page shows of the doctor's findings in a server that runs
 * (protocol/operators.md): also of its keys, its public logs and the way to it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Secret } from "otpauth";
import { freePort } from "../../src/server/free_port.ts";
import { totpCode } from "../../src/crypto/totp.ts";
import { makeRequest } from "../support/app.ts";
import { expectDone } from "../support/ended.ts";
import { expectEmpty, expectJson, type Json } from "../support/expect.ts";
import { PASSWORD } from "../support/people.ts";
import { runProgram, serveHere, withDataDir } from "../support/program.ts";
import { databaseOf } from "../support/data_directory.ts";

const ADDRESS = "ada@example.org";

/** Gives Ada a second factor, presents it and reads the overview's findings. */
async function findingsOf(url: string): Promise<Map<string, Json>> {
  const send = async (
    method: string,
    path: string,
    json: Json | undefined,
    token?: string,
  ) =>
    await fetch(makeRequest(
      method,
      path,
      {
        ...json === undefined ? {} : { json },
        ...token === undefined ? {} : { token },
      },
      url,
    ));
  const { access_token: token } = await expectJson(
    await send("POST", "/v1/auth/login", {
      address: ADDRESS,
      password: PASSWORD,
    }),
    200,
  );
  const { secret } = await expectJson(
    await send("POST", "/v1/auth/totp/enroll", {}, token),
    200,
  );
  const bytes = new Uint8Array(Secret.fromBase32(secret).buffer);
  const code = (steps: number) => totpCode(bytes, Date.now() + steps * 30_000);
  await expectEmpty(
    await send(
      "POST",
      "/v1/auth/totp/verify-enrollment",
      { code: code(0) },
      token,
    ),
    204,
  );
  await expectJson(
    await send("POST", "/v1/operator/presentation", {
      password: PASSWORD,
      code: code(1),
    }, token),
    200,
  );
  const { findings } = await expectJson(
    await send("GET", "/v1/operator/overview", undefined, token),
    200,
  );
  return new Map(
    findings.map((one: Json) => [String(one["check"]), one]),
  );
}

/** A data directory whose operator is Ada. */
async function withOperator(
  test: (dataDir: string) => Promise<void>,
): Promise<void> {
  await withDataDir(async (place) => {
    const dataDir = `${place}/data`;
    const settings = { STRONGROOM_DATA_DIR: dataDir };
    const create = ["account", "create", ADDRESS, "--password-stdin"];
    expectDone(await runProgram(["init", "--data-dir", dataDir]));
    expectDone(await runProgram(create, settings, `${PASSWORD}\n`));
    expectDone(
      await runProgram(["account", "operator", ADDRESS, "on"], settings),
    );
    await test(dataDir);
  });
}

Deno.test("the page of a healthy server has no finding of its database, keys, logs or base URL", async () => {
  await withOperator(async (dataDir) => {
    const port = freePort();
    const server = await serveHere({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_LISTEN: `127.0.0.1:${port}`,
    });
    const found = await findingsOf(server.url);
    for (const check of ["database", "keys", "witnesses", "base_url"]) {
      assert.equal(found.get(check), undefined, check);
    }
    assert.equal(await server.stop(), 0);
  });
});

Deno.test("the page of a running server says that its base URL leads elsewhere, a key file is gone and its logs began again", async () => {
  await withOperator(async (dataDir) => {
    await using elsewhere = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response("a router's page"),
    );
    const server = await serveHere({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_BASE_URL: `http://localhost:${elsewhere.addr.port}`,
    });
    const keys = `${dataDir}/keys/attestation.json`;
    await Deno.rename(keys, `${keys}.away`);
    beginLogsAgain(dataDir);
    const found = await findingsOf(server.url);
    const expected = [
      ["keys", "fault", /^\{1\} is missing$/, /--keys-only/],
      [
        "base_url",
        "fault",
        /^something else answers at \{1\} \(\{2\}/,
        /forward every/,
      ],
      ["witnesses", "fault", /logs began again/, /newer copy/],
    ] as const;
    for (const [check, status, detail, mend] of expected) {
      const finding = found.get(check);
      assert(finding !== undefined, check);
      assert.equal(finding["status"], status);
      assert.match(finding["detail"]["says"], detail);
      assert.match(finding["mend"]["says"], mend);
    }
    assert.deepEqual(found.get("base_url")?.["detail"]["values"], [
      `http://localhost:${elsewhere.addr.port}`,
      "200",
    ]);
    await Deno.rename(`${keys}.away`, keys);
    assert.equal(await server.stop(), 0);
  });
});

Deno.test("a base URL that the server itself cannot reach is a warning, because a home's router may not lead back", async () => {
  await withOperator(async (dataDir) => {
    const server = await serveHere({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_BASE_URL: `http://localhost:${freePort()}`,
    });
    const finding = (await findingsOf(server.url)).get("base_url");
    assert.equal(finding?.["status"], "warning");
    assert.match(finding?.["mend"]["says"], /from another network/);
    assert.equal(await server.stop(), 0);
  });
});

/** As after a data directory was set back, which a witness noticed. */
function beginLogsAgain(dataDir: string): void {
  const sqlite = new DatabaseSync(databaseOf(dataDir));
  sqlite.prepare(
    "update log_life set reason = 'a witness has seen more', begun_at = ?",
  ).run(Date.now());
  sqlite.close();
}
