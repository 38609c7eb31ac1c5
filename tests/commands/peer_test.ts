/**
 * `strongroom peer` as a process, while a server runs
 * (operate.md#share-between-servers).
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectSince } from "../support/expect.ts";
import { expectDone, expectRefused } from "../support/ended.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { sleep } from "../../src/server/sleep.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { openStore } from "../../src/store/store.ts";
import { makePeer, signedReport } from "../support/peers.ts";
import { PASSWORD } from "../support/people.ts";
import { runProgram, serveHere, withDataDir } from "../support/program.ts";

/** Whatever a test does comes after. */
const BEGUN_MS = Date.now();

const HEADERS = {
  "X-Service-Protocol": "2026-11-01",
  "Content-Type": "application/json",
};

function post(url: string, path: string, json: unknown): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify(json),
  });
}

Deno.test("a peer is pinned and unpinned while a server runs, from its next request on", async () => {
  await withDataDir(async (dataDir) => {
    const server = await serveHere({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_FEDERATION: "on",
    });
    const account = await post(server.url, "/v1/auth/register", {
      address: "ada@example.org",
      password: PASSWORD,
    });
    const { user_id } = await account.json();
    const peer = await makePeer("peer");
    const key = toBase64(peer.publicKey);
    const report = async () => {
      const json = await signedReport(peer, user_id);
      const response = await post(server.url, "/v1/federation/reports", json);
      await response.body?.cancel();
      return response.status;
    };
    const command = (...args: string[]) =>
      runProgram(["peer", ...args, "--data-dir", dataDir], {
        STRONGROOM_FEDERATION: "on",
      });

    assert.equal(await report(), 403);
    assert.equal(expectDone(await command("list")), "no server is pinned\n");
    assert.equal(
      expectDone(await command("pin", peer.serverId, key)),
      "https://peer.example is pinned\n",
    );
    assert.equal(await report(), 202);
    assert.match(
      expectDone(await command("list")),
      /^https:\/\/peer\.example {2}\S{44} {2}since 2\S+Z\n$/,
    );
    const other = toBase64((await makePeer("other")).publicKey);
    assert.match(
      expectDone(await command("pin", peer.serverId, other)),
      /instead of another/,
    );
    assert.equal(await report(), 401);
    assert.match(
      expectDone(await command("pin", peer.serverId, other)),
      /already/,
    );
    assert.equal(
      expectDone(await command("unpin", peer.serverId)),
      "https://peer.example is no longer pinned\n",
    );
    assert.equal(await report(), 403);
    expectRefused(await command("unpin", peer.serverId), /peer list/);
    assert.equal(await server.stop(), 0);
  });
});

Deno.test("with --json a command answers one line of JSON", async () => {
  await withDataDir(async (dataDir) => {
    await makeDatabase(dataDir);
    const { serverId, publicKey } = await makePeer("peer");
    const key = toBase64(publicKey);
    const command = async (...args: string[]) => {
      const answer = expectDone(
        await runProgram(["peer", ...args, "--json"], {
          STRONGROOM_DATA_DIR: dataDir,
        }),
      );
      assert.match(answer, /^[^\n]+\n$/);
      return JSON.parse(answer);
    };
    assert.deepEqual(await command("list"), { peers: [] });
    assert.deepEqual(await command("pin", `${serverId}/`, key), {
      server_id: serverId,
      outcome: "pinned",
    });
    const { peers } = await command("list");
    const [{ pinned_at, ...pinned }] = peers;
    assert.deepEqual(pinned, { server_id: serverId, public_key: key });
    expectSince(BEGUN_MS, pinned_at);
    assert.deepEqual(await command("unpin", serverId), {
      server_id: serverId,
      outcome: "unpinned",
    });
  });
});

Deno.test("the settings of --env-file are read, and federation that is off is said", async () => {
  await withDataDir(async (dataDir) => {
    await makeDatabase(dataDir);
    const { serverId, publicKey } = await makePeer("peer");
    const envFile = `${dataDir}/elsewhere.env`;
    await Deno.writeTextFile(envFile, `STRONGROOM_DATA_DIR=${dataDir}\n`);
    const pinned = expectDone(
      await runProgram([
        ...["peer", "pin", serverId, toBase64(publicKey)],
        ...["--env-file", envFile],
      ]),
    );
    assert.match(pinned, /refused while STRONGROOM_FEDERATION is off/);
  });
});

Deno.test("a data directory without a database is refused, and stays without one", async () => {
  await withDataDir(async (dataDir) => {
    const { serverId, publicKey } = await makePeer("peer");
    const missing = `${dataDir}/nowhere`;
    for (const place of [dataDir, missing]) {
      for (
        const args of [
          ["list"],
          ["pin", serverId, toBase64(publicKey)],
          ["unpin", serverId],
        ]
      ) {
        expectRefused(
          await runProgram(["peer", ...args, "--data-dir", place]),
          /contains no database: give the server's data directory/,
        );
      }
    }
    assert.deepEqual(await Array.fromAsync(Deno.readDir(dataDir)), []);
  });
});

Deno.test("a database of a newer schema is refused", async () => {
  await withDataDir(async (dataDir) => {
    const sqlite = openSqlite(await makeDatabase(dataDir));
    sqlite.exec(`pragma user_version = ${MIGRATIONS.length + 1}`);
    sqlite.close();
    expectRefused(
      await runProgram(["peer", "list", "--data-dir", dataDir]),
      /run the newer program/,
    );
  });
});

Deno.test("a file that is no database is refused and left alone", async () => {
  await withDataDir(async (dataDir) => {
    const path = await makeDatabase(dataDir);
    const text = "this is no database\n".repeat(100);
    await Deno.writeTextFile(path, text);
    const list = await runProgram(["peer", "list", "--data-dir", dataDir]);
    expectRefused(list, /cannot be opened .*it is damaged.*restore a backup/);
    assert.equal(await Deno.readTextFile(path), text);
  });
});

Deno.test("an impossible name or key is refused in one line", async () => {
  await withDataDir(async (dataDir) => {
    await makeDatabase(dataDir);
    const { serverId, publicKey } = await makePeer("peer");
    const key = toBase64(publicKey);
    const pin = (...args: string[]) =>
      runProgram(["peer", "pin", ...args, "--data-dir", dataDir]);
    for (const name of ["peer.example", "https://Peer.example", "a\nb", ""]) {
      expectRefused(await pin(name, key), /is not a canonical origin/);
    }
    for (const text of ["garbage!", key.slice(0, -1), `${key}\n`]) {
      expectRefused(await pin(serverId, text), /the key is not base64/);
    }
    const zero = toBase64(new Uint8Array(32));
    for (const text of ["", "AAAA", zero, toBase64(new Uint8Array(33))]) {
      expectRefused(await pin(serverId, text), /not an Ed25519 public key/);
    }
  });
});

Deno.test("a wrong use of a command is status 2, its help is status 0 with an example", async () => {
  for (
    const args of [
      [],
      ["pin"],
      ["pin", "https://peer.example"],
      ["unpin"],
      ["list", "more"],
      ["list", "--colour"],
      ["rename", "a", "b"],
    ]
  ) {
    const ended = await runProgram(["peer", ...args]);
    assert.equal(ended.status, 2, args.join(" "));
    assert.notEqual(ended.stderr, "");
  }
  for (const command of ["pin", "unpin", "list"]) {
    const help = expectDone(await runProgram(["peer", command, "--help"]));
    assert.match(help, new RegExp(`Example:\n {2}strongroom peer ${command}`));
    for (const option of ["--data-dir", "--env-file", "--json"]) {
      assert(help.includes(option), `${command} ${option}`);
    }
  }
});

Deno.test("a command that there is not is named, with status 2", async () => {
  const ended = await runProgram(["bogus", "--json"]);
  assert.equal(ended.status, 2);
  assert.match(ended.stderr, /^strongroom: there is no command "bogus"/);
});

/** A data directory as a server leaves it; returns the database's path. */
async function makeDatabase(dataDir: string): Promise<string> {
  const silent = () => {};
  const store = await openStore(dataDir, {
    now: Date.now,
    monotonic: () => performance.now(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    sleep,
    fetch,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  }, denoFiles);
  await store.close();
  return `${dataDir}/db/strongroom.sqlite`;
}
