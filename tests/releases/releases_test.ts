/**
 * What earlier releases wrote is read, served, upgraded, rolled back and
 * restored by this one (protocol/README.md). `keep.ts` says how it was
 * made.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  openMachine,
  PASSWORD,
  signInWithWords,
} from "../support/people_commands.ts";
import { runProcess, runProgram, serveHere } from "../support/program.ts";
import { withNextRelease } from "../support/next_release.ts";

const HERE = new URL("./", import.meta.url).pathname;
const SAMPLES = new URL("../samples/", import.meta.url).pathname;

/** What a release kept, unpacked. */
interface Household {
  readonly folder: string;
  readonly url: string;
  readonly link: string;
  readonly words: string;
}

/** A test of every release there is. */
function ofEach(
  name: string,
  test: (household: Household) => Promise<void>,
): void {
  const versions = [...Deno.readDirSync(HERE)]
    .filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  assert(versions.length > 0);
  for (const version of versions) {
    Deno.test(`${name}, of ${version}`, async () => {
      const folder = await Deno.makeTempDir({ prefix: "strongroom-release-" });
      try {
        const packed = `${HERE}${version}/household.tar.gz`;
        const { success } = await new Deno.Command("tar", {
          args: ["--extract", `--file=${packed}`, `--directory=${folder}`],
        }).output();
        assert(success);
        const { url, link, words } = JSON.parse(
          await Deno.readTextFile(`${folder}/household.json`),
        );
        await test({ folder, url, link, words });
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    });
  }
}

function settingsFor({ url }: Household, data: string): Record<string, string> {
  return { STRONGROOM_DATA_DIR: data, STRONGROOM_BASE_URL: url };
}

async function succeeds(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { status, stdout, stderr } = await runProgram(args, { ...settings });
  assert.equal(status, 0, `${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

/** Serves a data directory, and has a new machine of Ada's bring everything. */
async function expectWhole(household: Household, data: string): Promise<void> {
  const settings = settingsFor(household, data);
  await succeeds(["check", "--deep"], settings);
  const server = await serveHere(settings);
  try {
    const home = await Deno.makeTempDir({ dir: household.folder });
    const laptop = await openMachine(home);
    const words = await laptop.write("words", `${household.words}\n`);
    const town = {
      ...household,
      server,
      url: server.url,
      machine: openMachine,
    };
    await signInWithWords(town, laptop, "ada@example.org", words);
    await laptop.done("pull", laptop.path("all"), "--layout", "{name}");
    for (const name of ["cat.jpg", "rocket.jpg"]) {
      assert.deepEqual(
        await Deno.readFile(laptop.path(`all/${name}`)),
        await Deno.readFile(`${SAMPLES}${name}`),
      );
    }
    assert.match(await laptop.done("album", "ls"), /Summer/);
    assert.match(await laptop.done("trash", "ls"), /note\.txt/);
    await laptop.done("verify", "--download", "--receipts");
    await laptop.write("more/later.txt", "Written by a later release.\n");
    await laptop.done("push", laptop.path("more"));
  } finally {
    await server.stop();
  }
}

ofEach("a data directory is sound, and served as it was", async (household) => {
  await expectWhole(household, join(household.folder, "data"));
});

ofEach("a backup is verified, and restored", async (household) => {
  const { folder } = household;
  const data = join(folder, "restored");
  await succeeds(["backup", "verify", `${folder}/backup`]);
  await succeeds(["restore", `${folder}/backup`, "--data-dir", data]);
  await expectWhole(household, data);
});

ofEach("an encrypted backup is verified, and restored", async (household) => {
  const { folder } = household;
  const key = { STRONGROOM_BACKUP_KEY_FILE: `${folder}/backup-key` };
  const place = `file://${folder}/off-site`;
  const data = join(folder, "restored");
  await succeeds(["backup", "verify", place], key);
  await succeeds(["restore", place, "--data-dir", data], key);
  await expectWhole(household, data);
});

ofEach("an export is imported", async ({ folder }) => {
  const server = await serveHere({
    STRONGROOM_DATA_DIR: `${folder}/new`,
    STRONGROOM_REGISTRATION: "open",
  });
  try {
    const laptop = await openMachine(`${folder}/laptop`);
    const password = await laptop.write(".password", `${PASSWORD}\n`);
    await laptop.done(
      ...["login", server.url, "--new", "--address", "ada@example.org"],
      ...["--password-file", password],
      ...["--words-file", laptop.path("words")],
    );
    const said = await laptop.done("import", "strongroom", `${folder}/export`);
    assert.match(said, /^2 files kept, 1 file known, 1 collection$/m);
    await laptop.done("pull", laptop.path("all"), "--layout", "{name}");
    for (const name of ["cat.jpg", "rocket.jpg"]) {
      assert.deepEqual(
        await Deno.readFile(laptop.path(`all/${name}`)),
        await Deno.readFile(`${SAMPLES}${name}`),
      );
    }
  } finally {
    await server.stop();
  }
});

ofEach("receipts and a proof are verified", async ({ folder }) => {
  const keys = ["--keys", `${folder}/attestation-keys.json`];
  for (const name of ["receipts.jsonl", "rocket.tlog-proof"]) {
    await succeeds(["receipts", "verify", `${folder}/${name}`, ...keys]);
  }
});

ofEach(
  "a data directory is upgraded by the next release, and rolled back",
  async (household) => {
    const data = join(household.folder, "data");
    const settings = settingsFor(household, data);
    await withNextRelease(
      "create table of_the_next_release (number integer) strict",
      async (next) => {
        const server = await next.serve(settings);
        assert.equal(await server.stop(), 0, await server.complaint());
      },
    );
    const back = await runProcess(["rollback", "--yes"], settings);
    assert.equal(back.status, 0, back.stdout + back.stderr);
    await expectWhole(household, data);
  },
);
