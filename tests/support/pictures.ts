/**
 * Pictures of screens, for a person to look at.
 *
 * @module
 */
import type { Page } from "playwright-core";

/** A folder for pictures; without one, none are taken. */
const PICTURES = Deno.env.get("TEST_PICTURES");

/** Takes a picture of what a page shows, if a folder was named. */
export async function pictureOf(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}
