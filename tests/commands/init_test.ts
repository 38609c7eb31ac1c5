/**
 * `strongroom init` as a process (commands.md#strongroom-init).
 *
 * @module
 */
import assert from "node:assert/strict";
import { readSettings, settingPages } from "../../src/config.ts";
import { parseEnvFile } from "../../src/core/settings.ts";
import { runProgram, startProgram, withDataDir } from "../support/program.ts";

async function init(place: string, ...more: string[]) {
  return await runProgram(["init", "--data-dir", `${place}/data`, ...more]);
}

/** Every file under a directory with its mode and contents. */
async function snapshot(path: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    const inner = `${path}/${name}`;
    const { mode } = await Deno.stat(inner);
    const contents = isDirectory ? "" : await Deno.readTextFile(inner);
    found.push(`${inner} ${(mode ?? 0) & 0o777} ${contents}`);
    if (isDirectory) found.push(...await snapshot(inner));
  }
  return found.toSorted();
}

Deno.test("init writes every setting commented out, and what it writes loads and serves", async () => {
  await withDataDir(async (place) => {
    const { status, stdout, stderr } = await init(place);
    assert.equal(status, 0, stderr);
    const file = `${place}/strongroom.env`;
    assert(stdout.includes(`next: strongroom serve --env-file ${file}\n`));

    const text = await Deno.readTextFile(file);
    for (const { name, preset } of settingPages) {
      if (name === "STRONGROOM_DATA_DIR") continue;
      assert(text.includes(`\n#${name}=${preset}\n`), name);
    }
    // With every default taken out of its comment the file has no fault.
    for (const one of [text, text.replace(/^#(?=[A-Z])/gm, "")]) {
      const { values, faults } = parseEnvFile(one, file);
      assert.deepEqual(faults, []);
      assert.deepEqual(readSettings(values).faults, []);
    }
    const checked = await runProgram(["config", "check", "--env-file", file]);
    assert.equal(checked.status, 0, checked.stdout);

    const program = await startProgram({
      STRONGROOM_DATA_DIR: `${place}/data`,
    });
    const version = await fetch(`${program.url}/v1/version`);
    assert.equal((await version.json()).name, "strongroom");
    assert.equal(await program.stop(), 0);
  });
});

Deno.test("init makes the data directory, its keys and its database, for its user alone", async () => {
  await withDataDir(async (place) => {
    await init(place);
    const mode = async (name: string) =>
      ((await Deno.stat(`${place}/${name}`)).mode ?? 0) & 0o777;
    assert.equal(await mode("strongroom.env"), 0o600);
    assert.equal(await mode("data"), 0o700);
    assert.equal(await mode("data/keys"), 0o700);
    for (const name of ["access", "attestation", "sealing"]) {
      assert.equal(await mode(`data/keys/${name}.json`), 0o600);
    }
    assert((await Deno.stat(`${place}/data/db/strongroom.sqlite`)).isFile);
  });
});

Deno.test("a second init says that all is there and changes nothing", async () => {
  await withDataDir(async (place) => {
    const args = ["--base-url", "https://photos.example.org"];
    await init(place, ...args);
    const before = await snapshot(place);
    for (const again of [[], args]) {
      const { status, stdout } = await init(place, ...again);
      assert.equal(status, 0);
      assert.match(
        stdout,
        /^everything already exists, and nothing was changed/,
      );
    }
    assert.deepEqual(await snapshot(place), before);
  });
});

Deno.test("settings of init's command line are written, and checked before", async () => {
  await withDataDir(async (place) => {
    const bad = await init(place, "--base-url", "photos", "--listen", "x");
    assert.equal(bad.status, 1);
    assert.match(bad.stderr, /STRONGROOM_BASE_URL: wants an origin/);
    assert.match(bad.stderr, /STRONGROOM_LISTEN: wants host:port/);
    assert.deepEqual(await snapshot(place), []);

    const args = ["--base-url", "https://a.example", "--listen", "unix:/a b"];
    const { status, stdout } = await init(place, ...args, "--json");
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout), {
      env_file: `${place}/strongroom.env`,
      env_file_outcome: "made",
      data_dir: `${place}/data`,
      data_dir_outcome: "made",
    });
    const shown = await runProgram(
      ["config", "show", "--env-file", `${place}/strongroom.env`],
    );
    assert.match(
      shown.stdout,
      /STRONGROOM_LISTEN +unix:\/a b {2}\[line \d+ of/,
    );
    assert.match(shown.stdout, /STRONGROOM_BASE_URL +https:\/\/a\.example /);
  });
});

Deno.test("an existing file is not overwritten, and no directory is made next to it", async () => {
  await withDataDir(async (place) => {
    const file = `${place}/strongroom.env`;
    const text = "STRONGROOM_TRASH_DAYS=7\nSTRONGROOM_DATA_DIR=./data\n";
    await Deno.writeTextFile(file, text);
    const before = await snapshot(place);
    const refused = await init(place);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /^strongroom: [^\n]+\n$/);
    assert.match(refused.stderr, /not overwritten: start the server/);
    assert.deepEqual(await snapshot(place), before);

    const other = await init(place, "--env-file", `${place}/other.env`);
    assert.equal(other.status, 0, other.stderr);
    const differing = await init(place, "--base-url", "https://a.example");
    assert.equal(differing.status, 1);
    assert.match(differing.stderr, /not overwritten: write into it what/);
    assert.equal(await Deno.readTextFile(file), text);
  });
});

Deno.test("init next to a running server writes the file and leaves the data alone", async () => {
  await withDataDir(async (place) => {
    const program = await startProgram({
      STRONGROOM_DATA_DIR: `${place}/data`,
    });
    const { status, stdout, stderr } = await init(place, "--json");
    assert.equal(status, 0, stderr);
    const { env_file_outcome, data_dir_outcome } = JSON.parse(stdout);
    assert.deepEqual([env_file_outcome, data_dir_outcome], ["made", "kept"]);
    assert.equal(await program.stop(), 0);
  });
});

Deno.test("a directory of something else is refused, and so is one that lost its keys", async () => {
  await withDataDir(async (place) => {
    await Deno.mkdir(`${place}/data`);
    await Deno.writeTextFile(`${place}/data/novel.txt`, "Once upon a time");
    const before = await snapshot(place);
    const strange = await init(place);
    assert.equal(strange.status, 1);
    assert.match(strange.stderr, /contains novel\.txt, which is not a file of/);
    assert.deepEqual(await snapshot(place), before);
  });
  await withDataDir(async (place) => {
    await init(place);
    await Deno.remove(`${place}/data/keys/attestation.json`);
    const broken = await init(place);
    assert.equal(broken.status, 1);
    assert.match(
      broken.stderr,
      /keys\/attestation\.json is missing[^\n]+: restore it/,
    );
  });
});

Deno.test("faults of the environment are named before anything is made", async () => {
  await withDataDir(async (place) => {
    const { status, stderr } = await runProgram(
      ["init", "--data-dir", `${place}/data`],
      { STRONGROOM_COLOUR: "blue" },
    );
    assert.equal(status, 1);
    assert.match(stderr, /STRONGROOM_COLOUR: there is no such setting/);
    assert.deepEqual(await snapshot(place), []);
  });
});
