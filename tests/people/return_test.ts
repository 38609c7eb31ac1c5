/**
 * Ways back: a machine that was signed out, another account, and a server that
 * has a new address.
 *
 * @module
 */
import assert from "node:assert/strict";
import { openDatabase } from "../support/storage.ts";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import {
  type Machine,
  newAccount,
  signInWithWords,
  type Town,
  withTown,
} from "../support/people_commands.ts";
import { runProgram, serveHere } from "../support/program.ts";

const ADA = "ada@example.org";

async function deviceOf(machine: Machine): Promise<unknown> {
  const [who] = await machine.events("whoami");
  return who?.["device"];
}

/** A machine that has kept two files. */
async function kept(town: Town): Promise<[Machine, string]> {
  const laptop = await town.machine("laptop");
  const words = await newAccount(town, laptop, ADA);
  await laptop.write("in/a.txt", "first");
  await laptop.write("in/b.txt", "second");
  await laptop.done("push", laptop.path("in"));
  return [laptop, words];
}

Deno.test("a signed-out machine signs in again with the password alone, and nothing is forgotten", async () => {
  await withTown(async (town) => {
    const [laptop, words] = await kept(town);
    const device = await deviceOf(laptop);
    const phone = await town.machine("phone");
    await signInWithWords(town, phone, ADA, words);
    await phone.done("logout", "--everywhere", "--yes");

    const { status, stderr } = await laptop.run("push", laptop.path("in"));
    assert.equal(status, 1);
    assert.match(stderr, /signed out: run `strongroom login`/);
    const password = laptop.path(".password");
    assert.match(
      await laptop.done("login", "--password-file", password),
      /as ada@example.org; the keys are here/,
    );
    assert.deepEqual(await deviceOf(laptop), device);
    assert.match(
      await laptop.done("push", laptop.path("in")),
      /^0 files kept .*, 2 files known$/m,
    );
    assert.match(await laptop.done("verify", "--receipts"), /nothing wrong/);
  });
});

Deno.test("a password that the operator set is changed at login, and no other command goes before", async () => {
  await withTown(async (town) => {
    const [laptop] = await kept(town);
    const given = "what the operator typed";
    const set = await runProgram(
      ["account", "set-password", ADA, "--password-stdin"],
      {
        STRONGROOM_DATA_DIR: join(town.folder, "data"),
        STRONGROOM_ARGON2_MEMORY_KIB: "8",
        STRONGROOM_ARGON2_PASSES: "1",
      },
      `${given}\n`,
    );
    assert.equal(set.status, 0, set.stderr);
    const password = await laptop.write(".given", `${given}\n`);
    const login = ["login", "--password-file", password];
    // Without a terminal and a file it is signed in, and goes on from there.
    const first = await laptop.run(...login);
    assert.equal(first.status, 1);
    assert.match(first.stderr, /give it with --new-password-file/);
    await laptop.write("in/c.txt", "third");
    for (const command of ["push", "ls", "recover"]) {
      const { status, stderr } = await laptop.run(
        ...command === "push" ? [command, laptop.path("in")] : [command],
      );
      assert.equal(status, 1, command);
      assert.match(stderr, /choose your own: run `strongroom login`/, command);
    }
    const own = await laptop.write(".own", "a wholly new sentence\n");
    assert.match(
      await laptop.done(...login, "--new-password-file", own),
      /as ada@example.org; the keys are here/,
    );
    assert.match(
      await laptop.done("push", laptop.path("in")),
      /^1 file kept/m,
    );
    await laptop.done("login", "--password-file", own);
  });
});

Deno.test("logout --everywhere without words deletes nothing and ends nothing, and says what makes words", async () => {
  await withTown(async (town) => {
    const [laptop] = await kept(town);
    const database = openDatabase(`${town.folder}/data`);
    database.exec("delete from escrow");
    database.close();
    const everywhere = ["logout", "--everywhere", "--yes"];
    const refused = await laptop.run(...everywhere);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /NO RECOVERY WORDS ARE SET/);
    assert.match(refused.stderr, /Run `strongroom phrase` first/);
    // Nor does signing out here, while no other device has the keys.
    const here = await laptop.run("logout", "--yes");
    assert.equal(here.status, 1);
    assert.match(here.stderr, /they would be lost, so nothing was deleted/);
    assert.match(await laptop.done("ls"), /^2 files, /m);

    await laptop.done("phrase", "--words-file", laptop.path("new-words"));
    assert.match(
      await laptop.done(...everywhere),
      /^every session of the account is ended/m,
    );
    assert.equal((await laptop.run("ls")).status, 1);
  });
});

Deno.test("a profile that has an account takes no other one, not even once it is signed out", async () => {
  await withTown(async (town) => {
    const [laptop, words] = await kept(town);
    const other = await town.machine("other");
    await newAccount(town, other, "bob@example.org");
    const login = [
      ...["login", town.url, "--password-file", laptop.path(".password")],
    ];
    const bob = [...login, "--address", "bob@example.org"];
    const refused = await laptop.run(...bob);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /another account.*another --profile/);
    assert.match(
      (await laptop.run(...login, "--new")).stderr,
      /this profile has the account ada@example.org/,
    );
    assert.match(await laptop.done("ls"), /2 files/);

    // Receipts stay when the keys go, and they are Ada's.
    await laptop.done("logout", "--yes");
    assert.match((await laptop.run(...bob)).stderr, /another account/);
    await signInWithWords(town, laptop, ADA, words);
    assert.match(await laptop.done("verify", "--receipts"), /nothing wrong/);
  });
});

Deno.test("logout says what it deletes, and deletes nothing without an answer", async () => {
  await withTown(async (town) => {
    const [laptop] = await kept(town);
    const { status, stderr } = await laptop.run("logout");
    assert.equal(status, 1);
    assert.match(stderr, /deletes from this machine the account's keys/);
    assert.match(stderr, /names of 2 files/);
    assert.match(stderr, /you need your password and your 24 words/);
    assert.match(stderr, /say so with --yes/);
    assert.match(await laptop.done("ls"), /2 files/);
  });
});

Deno.test("an account follows its server to a new address, and to no other server", async () => {
  await withTown(async (town) => {
    const [laptop] = await kept(town);
    await town.server.stop();
    // Another port is another address, and so another id.
    const renamed = await serveHere({
      STRONGROOM_DATA_DIR: join(town.folder, "data"),
      STRONGROOM_REGISTRATION: "open",
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
      STRONGROOM_ARGON2_PASSES: "1",
    });
    const login = ["login", "--password-file", laptop.path(".password")];
    try {
      const told = await laptop.run(...login, renamed.url);
      assert.equal(told.status, 1);
      assert.match(told.stderr, /strongroom login --move http/);

      await withTown(async (foreign) => {
        const stranger = await foreign.machine("stranger");
        await newAccount(foreign, stranger, ADA);
        const { status, stderr } = await laptop.run(
          ...login,
          "--move",
          foreign.url,
        );
        assert.notEqual(status, 0);
        assert.match(stderr, /no longer publishes the key/);
        // The password was not sent there.
        const log = (await foreign.server.stop(), await foreign.server.log());
        assert.equal(log.match(/"operation":"login"/g), null);
      });

      await laptop.done(...login, "--move", renamed.url);
      assert.match(
        await laptop.done("push", laptop.path("in")),
        /^0 files kept .*, 2 files known$/m,
      );
      assert.match(await laptop.done("verify", "--receipts"), /nothing wrong/);
      const [who] = await laptop.events("whoami");
      assert.equal(who?.["server"], renamed.url);
    } finally {
      await renamed.stop();
    }
  });
});

Deno.test("whatever command comes first after a restore says what became of recovery words that the server lost", async () => {
  await withTown(async (town) => {
    const [laptop] = await kept(town);
    const inDatabase = <T>(work: (database: DatabaseSync) => T): T => {
      const database = openDatabase(`${town.folder}/data`);
      try {
        return work(database);
      } finally {
        database.close();
      }
    };
    const older = inDatabase((database) =>
      database.prepare("select * from escrow").get()
    );
    await laptop.done("phrase", "--words-file", laptop.path("new-words"));
    inDatabase((database) => {
      database.prepare("update escrow set body = ?, sha256 = ?")
        .run(older?.["body"] ?? null, older?.["sha256"] ?? null);
      database.exec("update server set feed_epoch = 'of a backup'");
    });
    const first = await laptop.run("links", "ls");
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stderr, /your newest recovery words\. They work again/);
    assert.match(first.stdout, /the server was restored from a backup/);
  });
});
