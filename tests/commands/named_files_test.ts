/**
 * Files that an operator names for the web app: `strongroom config check` and
 * `strongroom doctor` say of them what the server's log says.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { examine, expectFinding, expectWell } from "../support/doctor.ts";
import { mapAround } from "../support/map_file.ts";
import { runProgram, withDataDir } from "../support/program.ts";

/** What the log says when a browser asks for what the files would give. */
async function logged(
  settings: Readonly<Record<string, string>>,
): Promise<string[]> {
  let lines: string[] = [];
  await withTestApp(async ({ send, logged }) => {
    const { status, body } = await send("GET", "/app/map.json");
    assert.equal(status, 200);
    await body?.cancel();
    lines = logged.flatMap(({ message, properties }) =>
      message.includes("not offered")
        ? [message.replace(/\{(\w+)\}/g, (_, name) => `${properties[name]}`)]
        : []
    );
  }, { settings });
  return lines;
}

/** Expects both commands to warn of a setting in the log's words, or of none. */
async function expectSame(
  dataDir: string,
  setting: "STRONGROOM_MAP_FILE",
  path: string,
  words: RegExp | undefined,
): Promise<void> {
  const settings = { [setting]: path };
  const said = await logged(settings);
  const checked = await runProgram(
    ["config", "check", "--data-dir", dataDir, "--json"],
    settings,
  );
  assert.equal(checked.status, 0, checked.stdout);
  const { sound, warnings } = JSON.parse(checked.stdout);
  assert.equal(sound, true);
  const examined = await examine(dataDir, settings);
  if (words === undefined) {
    assert.deepEqual(said, []);
    assert.deepEqual(warnings, []);
    expectWell(examined, "configuration");
    return;
  }
  assert.equal(said.length, 1);
  assert.match(said[0] ?? "", words);
  assert.deepEqual(warnings.length, 1);
  assert(warnings[0].startsWith(`${setting}: ${said[0]}: correct the path`));
  const mend = expectFinding(examined, "configuration", "warning", words);
  const finding = examined.checks.find(({ check }) =>
    check === "configuration"
  );
  assert.equal(finding?.detail, `${setting}: ${said[0]}`);
  assert.equal(warnings[0], `${finding.detail}: ${mend}`);
}

Deno.test("config check and the doctor say of the map with streets what the log says", async () => {
  await withDataDir(async (place) => {
    const dataDir = `${place}/data`;
    const path = `${place}/streets.pmtiles`;
    const expect = (words: RegExp | undefined) =>
      expectSame(dataDir, "STRONGROOM_MAP_FILE", path, words);
    await expect(/streets of \S+ are not offered: there is no such file$/);
    await Deno.writeTextFile(path, "A page about maps. ".repeat(100));
    await expect(/: it is no PMTiles 3 file$/);
    await Deno.writeFile(path, mapAround({ latitude: 46, longitude: 9.2 }));
    await expect(undefined);
  });
});

Deno.test("a file is looked at even where another setting has a fault", async () => {
  await withDataDir(async (place) => {
    const { status, stdout } = await runProgram(
      ["config", "check", "--data-dir", `${place}/data`],
      {
        STRONGROOM_TRASH_DAYS: "many",
        STRONGROOM_MAP_FILE: `${place}/nowhere.pmtiles`,
      },
    );
    assert.equal(status, 1);
    assert.match(stdout, /^fault: STRONGROOM_TRASH_DAYS: /m);
    assert.match(stdout, /^warning: STRONGROOM_MAP_FILE: streets of /m);
  });
});
