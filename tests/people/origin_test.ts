/**
 * Links of the command line, whose server names a host of its choice.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withLiar } from "../support/intercepting_server.ts";
import { newAccount, withTown } from "../support/people_commands.ts";

Deno.test("links of the command line stand where one signed in, until another origin is confirmed", async () => {
  await withTown(async (town) => {
    const evil = "https://evil.example";
    await withLiar(town.url, evil, async (url) => {
      const ada = await town.machine("ada");
      await newAccount({ ...town, url }, ada, "ada@example.org");
      await ada.write("in/a.txt", "a");
      await ada.done("push", ada.path("in"));
      const links = async () => [
        await ada.done("share", "--all"),
        await ada.done("request"),
      ];
      for (const link of await links()) {
        assert(link.startsWith(`${url}/`), link);
      }
      const [listed] = await ada.events("links", "ls");
      assert(String(listed?.["url"]).startsWith(`${url}/s/`));

      const said = await ada.done("whoami");
      assert(said.includes(`links begin with ${url}\n`), said);
      assert(said.includes(`strongroom origin confirm ${evil}`), said);
      const [shown] = await ada.events("origin", "show");
      assert.deepEqual(shown, {
        event: "origin",
        links: url,
        opened: url,
        suggested: evil,
      });
      for (const no of ["http://localhost:1", "photos", `${evil}/x`]) {
        const { status } = await ada.run("origin", "confirm", no);
        assert.equal(status, 1, no);
      }
      await ada.done("origin", "confirm", evil);
      for (const link of await links()) {
        assert(link.startsWith(`${evil}/`), link);
      }
      const [confirmed] = await ada.events("whoami");
      assert.equal(confirmed?.["link_origin"], evil);
      assert.equal(confirmed?.["suggested_origin"], undefined);
      await ada.done("origin", "confirm", url);
      for (const link of await links()) {
        assert(link.startsWith(`${url}/`), link);
      }
    });
  });
});
