/**
 * The manual, in both its forms, against the declarations that it is made of.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  COMMANDS_PAGE,
  commandsMarkdown,
  declaredPages,
  manPage,
} from "../../scripts/manual.ts";
import { settingPages } from "../../src/config.ts";
import { debianProgram } from "../support/debian.ts";
import { withDataDir } from "../support/program.ts";

const SETTINGS_PAGE = new URL(
  "../../src/docs/configuration.md",
  import.meta.url,
);
const MANDOC = await debianProgram("mandoc", "mandoc");

Deno.test("src/docs/commands.md is what deno task manual makes", async () => {
  assert.equal(
    await Deno.readTextFile(COMMANDS_PAGE),
    await commandsMarkdown(),
    "run deno task manual, and commit what it made",
  );
});

Deno.test("commands.md tells what each option means to each command", async () => {
  const [, shared = "", ...sections] = (await commandsMarkdown())
    .split(/^## /m).map((section) => section.replace(/\s+/g, " "));
  const once = [...shared.matchAll(/ - `([^`]+)`/g)].map(([, flags]) => flags);
  assert.deepEqual(once, [...new Set(once)], "one meaning of each");
  for (const { path, options } of await declaredPages()) {
    const title = `\`${["strongroom", ...path].join(" ")}\` `;
    const own = sections.find((section) => section.startsWith(title));
    if (own === undefined) continue;
    for (const { flags, description } of options) {
      const item = `- \`${flags}\`: ${description} `;
      const told = own.includes(`- \`${flags}\``) ? own : shared;
      assert(`${told} `.includes(item), `${title}${flags}`);
    }
  }
});

Deno.test("the manual names every command, option and setting, and nothing hidden", async () => {
  const page = (await manPage()).replaceAll("\\-", "-");
  const markdown = await commandsMarkdown();
  const settings = await Deno.readTextFile(SETTINGS_PAGE);
  for (const { name } of settingPages) {
    for (const text of [page, settings]) assert(text.includes(name), name);
  }
  for (const text of [page, markdown]) {
    for (const usage of ["serve [options]", "peer pin [options] <server_id>"]) {
      assert(text.includes(`strongroom ${usage}`), usage);
    }
    assert(text.includes("strongroom peer list --json"));
    assert.doesNotMatch(text, /healthcheck/);
  }
});

Deno.test("the manual page is of the date that SOURCE_DATE_EPOCH names", async () => {
  Deno.env.set("SOURCE_DATE_EPOCH", "86400");
  try {
    assert.match(await manPage(), /^\.TH STRONGROOM 1 1970-01-02 /);
  } finally {
    Deno.env.delete("SOURCE_DATE_EPOCH");
  }
});

Deno.test({
  name: "mandoc has nothing to say against the manual page",
  ignore: MANDOC === undefined,
  fn: async () => {
    await withDataDir(async (folder) => {
      const path = `${folder}/strongroom.1`;
      await Deno.writeTextFile(path, await manPage());
      // -T lint says it all; examples may be wider than a line.
      const { stdout } = await new Deno.Command(MANDOC ?? "", {
        args: ["-T", "lint", "-W", "style", path],
      }).output();
      const remarks = new TextDecoder().decode(stdout).split("\n")
        .filter((line) => line !== "" && !line.includes("longer than 80"));
      assert.deepEqual(remarks, []);
    });
  },
});
