/**
 * `strongroom keys` as a process, while a server runs (upkeep/keys.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectDone, expectRefused } from "../support/ended.ts";
import type { Sender } from "../support/app.ts";
import {
  expectCustody,
  publishedRecord,
  uploadNamed,
} from "../support/custody.ts";
import { expectJson, type Json } from "../support/expect.ts";
import { type Person, registerWriter } from "../support/people.ts";
import { runProgram, withDataDir } from "../support/program.ts";
import { until } from "../support/until.ts";
import {
  expectHelp,
  expectLine,
  type ServerAndCommands,
  withMortalServer,
  withServer,
} from "../support/upkeep.ts";
import { LOCKED } from "../../scripts/locked.ts";

const DAY_MS = 24 * 3_600_000;

async function listed(
  { run }: ServerAndCommands,
  purpose: "access" | "attestation",
): Promise<Json[]> {
  const { keys } = expectLine(await run("keys", "list", "--json"));
  return keys.filter((key: Json) => key.purpose === purpose);
}

async function freshToken(server: Sender, person: Person): Promise<string> {
  const { access_token } = await expectJson(
    await server.send("POST", "/v1/auth/refresh", {
      json: { session_token: person.sessionToken },
    }),
    200,
  );
  return access_token;
}

function kidOf(token: string): string {
  return JSON.parse(atob(token.split(".")[0] ?? "")).kid;
}

async function signingKey(server: Sender): Promise<string> {
  const { signing_key } = await expectJson(
    await server.send("GET", "/.well-known/service/server-info"),
    200,
  );
  return signing_key;
}

Deno.test("an access key is rotated from the server's next request on, and old tokens live on", async () => {
  await withServer(async (given) => {
    const { server, run } = given;
    const ada = await registerWriter(server, "ada");
    const before = await signingKey(server);
    const words = expectDone(await run("keys", "rotate", "access"));
    assert.match(words, /^access key [0-9a-f]{64} signs from now on\n/);
    assert.match(words, /is retired: its tokens are valid until 2\S+Z\n$/);
    assert.notEqual(await signingKey(server), before);

    const [old, fresh, ...more] = await listed(given, "access");
    assert.equal(more.length, 0);
    const token = await freshToken(server, ada);
    assert.deepEqual([kidOf(ada.token), kidOf(token)], [
      old.key_id,
      fresh.key_id,
    ]);
    for (const one of [ada.token, token]) {
      await expectJson(
        await server.send("GET", "/v1/auth/profile", { token: one }),
        200,
      );
    }
    assert.equal(old.active_to, fresh.active_from);
    assert.equal(
      Date.parse(old.grace_ends_at) - Date.parse(old.active_to),
      DAY_MS,
    );
    assert.deepEqual([fresh.active_to, fresh.grace_ends_at], [null, null]);
  });
});

Deno.test("an attestation key is rotated from the next receipt on, and both are published", async () => {
  await withServer(async (given) => {
    const { server, run } = given;
    const ada = await registerWriter(server, "ada");
    const first = await uploadNamed(server, ada, "first");
    const answer = expectLine(
      await run("keys", "rotate", "attestation", "--json"),
    );
    assert.equal(answer.retired.key_id, first.server_key_id);
    const { keys } = await publishedRecord(server);
    assert.deepEqual(keys.map((key: Json) => key.key_id), [
      answer.retired.key_id,
      answer.active.key_id,
    ]);
    assert.equal(keys[0].active_to, answer.retired.active_to);
    assert.equal(keys[1].active_from, answer.active.active_from);
    const second = await uploadNamed(server, ada, "second");
    assert.equal(second.server_key_id, answer.active.key_id);
    assert.equal(second.receipt_seq, first.receipt_seq + 1);
    assert.equal(await expectCustody(given), 2);
    assert.match(
      expectDone(await run("check", "--deep")),
      /nothing is wrong/,
    );
  });
});

Deno.test("rotations during parallel uploads leave no receipt that does not verify", async () => {
  await withMortalServer(async (given) => {
    const { server, run } = given;
    const people = await Promise.all(
      ["ada", "bob", "cyd", "dan"].map((name) => registerWriter(server, name)),
    );
    let over = false;
    const issued: Json[] = [];
    const uploading = people.map(async (person) => {
      for (let n = 0; !over; n++) {
        issued.push(
          await uploadNamed(server, person, `${person.address} ${n}`),
        );
      }
    });
    try {
      for (const purpose of ["attestation", "access", "attestation"]) {
        const enough = issued.length + 8;
        // Where an upload fails, that is what the test says.
        await Promise.race([
          until(() => Promise.resolve(issued.length), (n) => n >= enough),
          ...uploading,
        ]);
        expectDone(await run("keys", "rotate", purpose));
      }
    } finally {
      over = true;
      await Promise.all(uploading);
    }
    const keyIds = new Set(issued.map(({ server_key_id }) => server_key_id));
    assert(keyIds.size >= 2, "some receipts before a rotation, some after");
    assert.equal(await expectCustody(given), issued.length);
    assert.match(expectDone(await run("check")), /nothing is wrong/);
    for (const { token } of people) {
      await expectJson(
        await server.send("GET", "/v1/auth/profile", { token }),
        200,
      );
    }
  });
});

Deno.test("a rotation that is killed between file and commit has not happened, for the server that runs and the next", async () => {
  for (const moment of ["before", "after"]) {
    await withMortalServer(async (given) => {
      const { server, run } = given;
      const ada = await registerWriter(server, "ada");
      const { server_key_id: key } = await uploadNamed(server, ada, "first");
      const published = await publishedRecord(server);
      const access = await listed(given, "access");
      for (const purpose of ["attestation", "access"]) {
        await dieRotating(given, purpose, moment);
      }
      const expectUnchanged = async (name: string) => {
        assert.equal((await uploadNamed(server, ada, name)).server_key_id, key);
        assert.deepEqual(await publishedRecord(server), published);
        assert.deepEqual(await listed(given, "access"), access);
        const token = await freshToken(server, ada);
        assert.equal(kidOf(token), access[0].key_id);
      };
      await expectUnchanged("second");
      await server.kill();
      await server.start();
      await expectUnchanged("third");
      // The next rotation, of the other key, must not bring it to life.
      expectDone(await run("keys", "rotate", "access"));
      assert.deepEqual(await publishedRecord(server), published);
      assert.equal((await listed(given, "access")).length, 2);
      expectDone(await run("keys", "rotate", "attestation"));
      const last = await uploadNamed(server, ada, "fourth");
      assert.notEqual(last.server_key_id, key);
      assert.equal((await publishedRecord(server)).keys.length, 2);
      assert.equal(await expectCustody(given), 4);
    });
  }
});

/** Rotates in a process that dies on the way. */
async function dieRotating(
  { dataDir }: ServerAndCommands,
  purpose: string,
  moment: string,
): Promise<void> {
  const script = new URL("../support/rotator_process.ts", import.meta.url);
  const { signal } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...LOCKED,
      "--allow-all",
      script.href,
      dataDir,
      purpose,
      moment,
    ],
    stdin: "null",
  }).output();
  assert.equal(signal, "SIGKILL");
}

Deno.test("a key rotated while no server runs is in force at the next start", async () => {
  await withServer(async (given) => {
    const { server, run } = given;
    const ada = await registerWriter(server, "ada");
    await uploadNamed(server, ada, "first");
    await server.stop();
    expectDone(await run("keys", "rotate", "attestation"));
    await server.start();
    const [, active] = await listed(given, "attestation");
    const second = await uploadNamed(server, ada, "second");
    assert.equal(second.server_key_id, active.key_id);
    assert.equal(await expectCustody(given), 2);
  });
});

Deno.test("no private byte is shown by any of the commands", async () => {
  await withServer(async ({ dataDir, run }) => {
    const shown = [
      await run("keys", "rotate", "access"),
      await run("keys", "rotate", "attestation", "--json"),
      await run("keys", "list"),
      await run("keys", "list", "--json"),
    ].map((ended) => expectDone(ended)).join("\n");
    for (const purpose of ["access", "attestation", "sealing"]) {
      const path = `${dataDir}/keys/${purpose}.json`;
      assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
      for (const { seed } of JSON.parse(await Deno.readTextFile(path)).keys) {
        assert(!shown.includes(seed));
        const hex = Uint8Array.fromBase64(seed).toHex();
        assert(!shown.includes(hex.slice(0, 32)));
      }
    }
  });
});

Deno.test("a key file that is lost, damaged or another user's is refused and left alone", async () => {
  await withServer(async ({ dataDir, run }) => {
    const path = `${dataDir}/keys/access.json`;
    const held = await Deno.readTextFile(path);
    await Deno.remove(path);
    for (const args of [["list"], ["rotate", "access"]]) {
      expectRefused(await run("keys", ...args), /access\.json is missing/);
    }
    await Deno.writeTextFile(path, held.slice(0, 40));
    for (const args of [["list"], ["rotate", "access"]]) {
      expectRefused(await run("keys", ...args), /is not a key file: restore/);
    }
    await Deno.writeTextFile(path, held);
    await Deno.chmod(path, 0o600);
    // Only root can give a file away.
    if (Deno.uid() !== 0) return;
    await Deno.chown(path, 12_345, 12_345);
    expectRefused(
      await run("keys", "rotate", "access"),
      /belongs to another user.*run this as the server's user/,
    );
    assert.equal(await Deno.readTextFile(path), held);
    const names = await Array.fromAsync(
      Deno.readDir(`${dataDir}/keys`),
      ({ name }) => name,
    );
    assert.deepEqual(names.toSorted(), [
      "access.json",
      "attestation.json",
      "log.json",
      "sealing.json",
    ]);
  });
});

Deno.test("a data directory without a database is refused; a wrong use is status 2", async () => {
  await withDataDir(async (dataDir) => {
    for (const args of [["list"], ["rotate", "access"]]) {
      expectRefused(
        await runProgram(["keys", ...args, "--data-dir", dataDir]),
        /contains no database/,
      );
    }
    assert.deepEqual(await Array.fromAsync(Deno.readDir(dataDir)), []);
  });
  for (const args of [[], ["rotate"], ["rotate", "sealing"], ["show"]]) {
    const ended = await runProgram(["keys", ...args]);
    assert.equal(ended.status, 2, args.join(" "));
  }
});

Deno.test("each command has an example in its help", () =>
  expectHelp([
    "keys list",
    "keys rotate access",
    "keys rotate attestation",
    "keys rotate log",
  ]));

Deno.test("another server's attestation key is not rotated, and nothing is lost", async () => {
  await withServer(async (given) => {
    const { server, run, dataDir } = given;
    const ada = await registerWriter(server, "ada");
    await uploadNamed(server, ada, "first");
    const path = `${dataDir}/keys/attestation.json`;
    const own = await Deno.readTextFile(path);
    await withDataDir(async (other) => {
      const init = ["init", "--data-dir", `${other}/data`];
      await Deno.mkdir(other, { recursive: true });
      expectDone(await runProgram(init));
      await Deno.copyFile(`${other}/data/keys/attestation.json`, path);
    });
    for (const purpose of ["access", "attestation"]) {
      expectRefused(
        await run("keys", "rotate", purpose),
        /is not the key file of this database.*restore/,
      );
    }
    await Deno.writeTextFile(path, own);
    assert.equal(await expectCustody(given), 1);
  });
});
