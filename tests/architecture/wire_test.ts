/**
 * The bodies and answers of the contract are declared in `src/wire` alone.
 *
 * @module
 */
import assert from "node:assert/strict";
import { ROUTES } from "../../src/routes.ts";

/** Everything that the modules of a folder of `src/wire` export. */
async function exportsOf(folder: string): Promise<Set<unknown>> {
  const found = new Set<unknown>();
  const at = new URL(`../../src/wire/${folder}/`, import.meta.url);
  for await (const { name } of Deno.readDir(at)) {
    for (const one of Object.values(await import(`${at}${name}`))) {
      found.add(one);
    }
  }
  return found;
}

Deno.test("every body and every answer of a route is a declaration of src/wire", async () => {
  const bodies = await exportsOf("bodies");
  const answers = await exportsOf("answers");
  // The contract itself is no declaration: it is any JSON.
  for (
    const { spec } of ROUTES.filter((one) => one.spec.operation !== "openApi")
  ) {
    if (spec.body?.kind === "json") {
      assert(bodies.has(spec.body.schema), `the body of ${spec.operation}`);
    }
    for (const [status, success] of Object.entries(spec.success)) {
      if (success.kind !== "json") continue;
      assert(answers.has(success.schema), `${spec.operation} ${status}`);
    }
  }
});

/** What reads files of the app itself, which no operation answers. */
const OWN_FILES = ["web/app/first_messages.ts", "web/app/map/world.ts"];

/** Every module of the client and of the app, by its path below `src`. */
async function clientModules(): Promise<Map<string, string>> {
  const root = new URL("../../src/", import.meta.url);
  const texts = new Map<string, string>();
  const look = async (folder: string) => {
    for await (
      const { name, isDirectory } of Deno.readDir(new URL(folder, root))
    ) {
      const path = `${folder}${name}`;
      if (isDirectory) await look(`${path}/`);
      else if (/\.tsx?$/.test(name) && !/_test\.tsx?$/.test(name)) {
        texts.set(path, await Deno.readTextFile(new URL(path, root)));
      }
    }
  };
  await look("client/");
  await look("library/");
  await look("web/");
  return texts;
}

/** What stands between the brackets of each call of a function. */
function* argumentsOf(called: string, text: string): Generator<string> {
  for (
    const { 0: call, index } of text.matchAll(
      new RegExp(`(?<![.\\w])${called}\\(`, "g"),
    )
  ) {
    const from = index + call.length;
    let [to, open] = [from, 1];
    for (; open > 0 && to < text.length; to++) {
      if (text[to] === "(") open++;
      if (text[to] === ")") open--;
    }
    yield text.slice(from, to - 1);
  }
}

Deno.test("whatever a client reads of an answer is a declaration of src/wire, or adds words to one", async () => {
  let found = 0;
  for (const [path, text] of await clientModules()) {
    if (
      !/import \{[^}]*\bopen\b[^}]*\} from "[./]+\/wire\/open\.ts"/.test(text)
    ) {
      continue;
    }
    const declared = new Set(
      [...text.matchAll(/import \{([^}]*)\} from "[./]+\/wire\/[^"]*"/g)]
        .flatMap(([, names = ""]) => names.match(/\w+/g) ?? []),
    );
    for (const answer of argumentsOf("open", text)) {
      found++;
      // A document, which is verified as such.
      if (answer === "z.unknown()") continue;
      const [, base = ""] = /^(?:z\.extend\()?(\w+)/.exec(answer) ?? [];
      assert(declared.has(base), `${path}: open(${answer})`);
      const own = answer.match(/z\.\w*(?:[oO]bject|record|custom|any)\(/);
      assert.equal(own, null, `${path}: open(${answer})`);
    }
  }
  assert(found >= 60, `only ${found} answers are read`);
});

Deno.test("no module of the client or the app reads an answer by itself", async () => {
  const modules = await clientModules();
  for (const path of OWN_FILES) assert(modules.has(path), path);
  for (const [path, text] of modules) {
    if (OWN_FILES.includes(path)) continue;
    assert(!text.includes(".json()"), `${path} reads an answer`);
    assert(!/\bas (?:unknown as )?OpenSchema\b/.test(text), path);
  }
});
