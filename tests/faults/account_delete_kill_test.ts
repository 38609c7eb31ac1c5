/**
 * Killing the command that deletes a large account, while a server runs:
 * the account stays closed, the store is whole, and the command run again
 * finishes what was begun (accounts-and-moderation/delete-an-account.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectDone } from "../support/ended.ts";
import { parsePublishedKeys } from "../../src/crypto/receipt_chain.ts";
import { checkStore } from "../../src/features/verification/check.ts";
import { directoriesOf } from "../../src/store/blobs/blobs.ts";
import { storedIn } from "../../src/store/blobs/small_blobs.ts";
import type { Db } from "../../src/store/sqlite/database.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { COUNT_LIBRARIES } from "../support/counting.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { openBesideServer } from "../../src/store/store.ts";
import { type Beside, withServer } from "../support/operator_commands.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  createAsset,
  type LiveAsset,
  PASSWORD,
  type Person,
  registerPerson,
  registerWriter,
} from "../support/people.ts";
import { programCommand, withDataDir } from "../support/program.ts";
import { departureRequest } from "../support/proofs.ts";
import { MortalServer } from "../support/mortal_server.ts";
import { ORIGIN } from "../support/app.ts";

const ASSETS = 8_000;

/** The first asset so many times over, with the same blobs and receipts. */
function multiply(
  dataDir: string,
  { assetId }: LiveAsset,
): void {
  const sqlite = openSqlite(`${dataDir}/db/strongroom.sqlite`);
  const copy = (table: string, columns: string) => {
    sqlite.exec(`with recursive number(i) as (
        select 2 union all select i + 1 from number where i < ${ASSETS})
      insert into ${table} (asset_id, ${columns})
      select printf('%08x-0000-4000-8000-000000000000', i), ${columns}
      from number join ${table} where asset_id = '${assetId}'`);
  };
  sqlite.exec("begin immediate");
  copy(
    "asset",
    "owner_id, state, chain_head, sync_seq, created_at, updated_at",
  );
  copy(
    "holding",
    "owner_id, role, hash, size, upload_id, finalized_at, receipt_seq, applied",
  );
  copy(
    "manifest",
    "owner_id, manifest_hash, action, envelope, sync_seq, receipt_seq, " +
      "applied_at",
  );
  copy("feed", "user_id, action, chain_head, at");
  sqlite.exec(COUNT_LIBRARIES);
  sqlite.exec("commit");
  sqlite.close();
}

async function countAssets(db: Db, { userId }: Person): Promise<number> {
  const { count } = await db.selectFrom("asset")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("owner_id", "=", userId as never)
    .executeTakeFirstOrThrow();
  return count;
}

async function expectSound(
  beside: Pick<Beside, "send" | "dataDir">,
  db: Db,
): Promise<void> {
  const keys = await expectJson(
    await beside.send("GET", "/.well-known/service/attestation-keys"),
    200,
  );
  const { findings } = await checkStore({
    db,
    ...storedIn(db, directoriesOf(denoFiles, beside.dataDir)),
    keys: parsePublishedKeys(keys).keys,
  });
  assert.deepEqual(findings, []);
}

Deno.test("a deletion that is killed leaves a closed account, and the second one finishes it", async () => {
  await withServer(async (beside) => {
    const ada = await registerWriter(beside, "ada");
    const bob = await registerWriter(beside, "bob");
    const asset = await createAsset(beside, ada, "photo");
    const bobs = await createAsset(beside, bob, "bob's");
    multiply(beside.dataDir, asset);
    const db = await openBesideServer(beside.dataDir);
    try {
      await expectSound(beside, db);
      const remove = [
        ...["account", "delete", ada.address, "--yes"],
        ...["--data-dir", beside.dataDir],
      ];
      const { program, args } = programCommand(remove);
      const child = new Deno.Command(program, {
        args,
        cwd: new URL("../../", import.meta.url),
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).spawn();
      while (await countAssets(db, ada) === ASSETS) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      child.kill("SIGKILL");
      assert.equal((await child.status).signal, "SIGKILL");
      const left = await countAssets(db, ada);
      assert(left > 0 && left < ASSETS, `${left} assets are left`);
      await expectSound(beside, db);
      await expectClosed(beside, ada);
      const finished = expectDone(
        await beside.run("account", "delete", ada.address, "--yes"),
      );
      assert.match(
        finished,
        /is deleted, which was begun at 2\S+; gone now: [\d,]+ assets/,
      );
      await expectSound(beside, db);
    } finally {
      await db.destroy();
    }
    await registerPerson(beside, "ada");
    await expectJson(
      await beside.send("GET", `/v1/assets/${bobs.assetId}`, {
        token: bob.token,
      }),
      200,
    );
  }, { STRONGROOM_BLOBS: "directory" });
});

Deno.test("a deletion by the account's owner goes on by itself when the server that did it was killed", async () => {
  await withDataDir(async (dataDir) => {
    const server = new MortalServer({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_BLOBS: "directory",
      STRONGROOM_BASE_URL: ORIGIN,
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
      STRONGROOM_ARGON2_PASSES: "1",
      STRONGROOM_RESERVED_DISK_BYTES: "0",
    });
    await server.start();
    const ada = await registerWriter(server, "ada");
    const bob = await registerWriter(server, "bob");
    const asset = await createAsset(server, ada, "photo");
    const bobs = await createAsset(server, bob, "bob's");
    multiply(dataDir, asset);
    const db = await openBesideServer(dataDir);
    try {
      const request = await departureRequest(server, ada);
      // The kill takes its answer away; asked again, no session is open.
      const asked = server.send("POST", "/v1/auth/account/delete", request);
      while (await countAssets(db, ada) === ASSETS) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await server.kill();
      const left = await countAssets(db, ada);
      assert(left > 0 && left < ASSETS, `${left} assets are left`);
      await server.start();
      await expectProblem(await asked, "error.auth.token_invalid");
      // Whoever wants the address need not wait for the rest.
      await registerPerson(server, "ada");
      while (await countAccounts(db, ada) > 0) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await expectSound({ send: server.send, dataDir }, db);
      await expectJson(
        await server.send("GET", `/v1/assets/${bobs.assetId}`, {
          token: bob.token,
        }),
        200,
      );
    } finally {
      await db.destroy();
      assert.equal(await server.stop(), 0);
    }
  });
});

async function countAccounts(db: Db, { userId }: Person): Promise<number> {
  const { count } = await db.selectFrom("account")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId as never)
    .executeTakeFirstOrThrow();
  return count;
}

/** No one gets in, no one else has the address, and the operator is told. */
async function expectClosed(beside: Beside, ada: Person): Promise<void> {
  const { address } = ada;
  await expectProblem(
    await beside.send("GET", "/v1/auth/profile", { token: ada.token }),
    "error.auth.token_invalid",
  );
  await expectProblem(
    await beside.send("POST", "/v1/auth/login", {
      json: { address, password: PASSWORD },
    }),
    "error.auth.credentials_invalid",
  );
  await expectProblem(
    await beside.send("POST", "/v1/auth/register", {
      json: { address, password: PASSWORD },
    }),
    "error.auth.user_already_exists",
  );
  const shown = await beside.json("account", "show", address);
  assert.equal(shown.standing, "deleting");
  for (const command of ["reinstate", "sign-out", "unlock"]) {
    await beside.refused(
      /is being deleted: finish that with strongroom account delete/,
      ...["account", command, address],
    );
  }
}
