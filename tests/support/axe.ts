/**
 * axe-core, which looks for what keeps people from using a page.
 *
 * @module
 */
import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Fails if axe finds a violation in the page's current state. */
export async function expectAccessible(page: Page): Promise<void> {
  if (await page.evaluate("typeof axe") === "undefined") {
    await page.evaluate(axe.source);
  }
  // What is still fading in has not its colours yet.
  await page.evaluate(`Promise.all(
    document.getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
      .map(({ finished }) => finished.catch(() => {})))`);
  const found = await page.evaluate<readonly string[]>(`
    axe.run(document, { resultTypes: ["violations"] }).then(
      ({ violations }) => violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, any, all }) =>
          id + ": " + help + "\\n  " + html + "\\n  " +
          [...any, ...all].map(({ message }) => message).join("; "))))
  `);
  assert.deepEqual(found, []);
}
