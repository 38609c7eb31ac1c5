/**
 * From an empty browser to an open library, over https's equal and plain http.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectQuiet } from "../support/browser.ts";
import { appStory, signUp } from "../support/web_app.ts";

appStory(
  "whoever signs up is still in after a reload",
  async ({ url, visit }) => {
    await visit(async (visitor) => {
      const { page } = visitor;
      await signUp(page, url, "ada@example.org");
      await page.reload();
      await page.getByRole("heading", { name: "No photos yet" }).waitFor();
      expectQuiet(visitor, new URL(url).origin);
      assert.deepEqual(await visitor.context.cookies(), []);
    });
  },
);

appStory("the app works on plain http in a home", async ({ lanUrl, visit }) => {
  await visit(async (visitor) => {
    const { page } = visitor;
    await page.goto(lanUrl);
    assert.equal(await page.evaluate("isSecureContext"), false);
    await signUp(page, lanUrl, "ada@example.org");
    expectQuiet(visitor, new URL(lanUrl).origin);
  });
});
