import assert from "node:assert/strict";
import { configurationPage } from "../../scripts/manual/configuration.ts";

Deno.test("the page of the settings is what their declarations say", async () => {
  const page = new URL("../../src/docs/configuration.md", import.meta.url);
  assert.equal(
    await Deno.readTextFile(page),
    configurationPage(),
    "run deno task manual, and commit what it made",
  );
});
