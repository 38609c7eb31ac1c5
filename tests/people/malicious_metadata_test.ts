/**
 * Files of a program that writes malicious names, media types and times, as the
 * command line lists, serves and writes them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { plainOf } from "../../src/library/mod.ts";
import { settingsOf, withTown } from "../support/people_commands.ts";
import { programCommand } from "../support/program.ts";
import { PASSWORD } from "../support/web_app.ts";
import { photographer } from "../support/web_people.ts";

const FILES = [
  { name: "-rf", mime: "text/plain", taken_at: "2016-12-31T23:59:60Z" },
  { name: "a\uffff\u0001.txt", mime: "\u0000\uffff<&" },
  {
    name: "\u009b31m\u202egpj.exe",
    mime: "a/b",
    taken_at: "9999-12-31T23:59:59Z",
  },
  { name: "plain.txt", mime: "text/plain" },
] as const;

// deno-lint-ignore no-control-regex
const STEERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\uffff]/;

Deno.test("ls, pull and webdav take malicious names, media types and times, each as one file", async () => {
  await withTown(async (town) => {
    const ada = await photographer(town.url, "ada");
    for (const [at, { name, mime, ...about }] of FILES.entries()) {
      const { taken_at } = { taken_at: undefined, ...about };
      await ada.library.take({
        source: plainOf(new TextEncoder().encode(`file ${at}`)),
        about: { name, mime, ...(taken_at === undefined ? {} : { taken_at }) },
      });
    }
    const machine = await town.machine("ada");
    await machine.done(
      "login",
      town.url,
      "--address",
      ada.address,
      "--password-file",
      await machine.write("password", PASSWORD),
      "--words-file",
      await machine.write("words", ada.words),
    );
    const listed = await machine.done("ls");
    assert.match(listed, /4 files/);
    assert.match(listed, /2017-01-01 00:00 .* -rf\n/);
    assert(!STEERS.test(listed), listed);
    const json = await machine.done("ls", "--json");
    assert(!STEERS.test(json), json);
    const names = json.trim().split("\n").map((line) => JSON.parse(line).name);
    for (const { name } of FILES) assert(names.includes(name), name);

    const folder = machine.path("out");
    await machine.done("pull", folder, "--layout", "{name}");
    const files = (await Array.fromAsync(Deno.readDir(folder)))
      .map(({ name }) => name).filter((name) => !name.startsWith("."));
    assert.deepEqual(files.toSorted(), [
      "_31m_gpj.exe",
      "_rf",
      "a_.txt",
      "plain.txt",
    ]);
    assert.equal(await Deno.readTextFile(join(folder, "_rf")), "file 0");

    const command = programCommand(["webdav", "--listen", "127.0.0.1:0"]);
    const child = new Deno.Command(command.program, {
      args: command.args,
      cwd: new URL("../../", import.meta.url),
      env: settingsOf(machine.home),
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.pipeThrough(new TextDecoderStream())
      .getReader();
    try {
      let said = "";
      while (!said.includes("\n")) {
        const { done, value } = await reader.read();
        assert(!done, said);
        said += value;
      }
      const found = await everythingAt(said.trim());
      assert.equal(found.length, FILES.length, found.join("\n"));
      const contents = await Promise.all(
        found.map(async (url) => await (await fetch(url)).text()),
      );
      assert.deepEqual(
        contents.toSorted(),
        FILES.map((_, at) => `file ${at}`),
      );
    } finally {
      child.kill("SIGINT");
      while (!(await reader.read()).done);
      await child.status;
    }
  });
});

/** The addresses of all files below one, each listing well-formed XML. */
async function everythingAt(url: string): Promise<string[]> {
  const response = await fetch(url, {
    method: "PROPFIND",
    headers: { Depth: "1" },
  });
  assert.equal(response.status, 207);
  const xml = await response.text();
  // Characters that XML 1.0 does not have make a parser refuse the document.
  assert(
    // deno-lint-ignore no-control-regex
    !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(xml),
    xml,
  );
  const told = [...xml.matchAll(/<D:response>(.*?)<\/D:response>/gs)].slice(1);
  const all: string[] = [];
  for (const [, about = ""] of told) {
    const [, href = ""] = /<D:href>([^<]*)<\/D:href>/.exec(about) ?? [];
    const below = new URL(href.replaceAll("&amp;", "&"), url).href;
    if (about.includes("<D:collection/>")) {
      all.push(...await everythingAt(below));
    } else all.push(below);
  }
  return all;
}
