/**
 * Searching in the app, and watching what it fetches for that.
 *
 * @module
 */
import type { Page } from "playwright-core";
import { until } from "./until.ts";

/** The paths that a page asks for from now on, of those that match. */
export function pathsAsked(page: Page, paths: RegExp): readonly string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (paths.test(pathname)) asked.push(pathname);
  });
  return asked;
}

/** Searches, and waits until these photos are found, in any order. */
export async function untilFound(
  page: Page,
  url: string,
  q: string,
  ...ids: string[]
): Promise<void> {
  await page.goto(`${url}/#/search?q=${encodeURIComponent(q)}`);
  await until(async () => {
    const links = await page.locator(".grid a").all();
    const shown = await Promise.all(
      links.map((one) => one.getAttribute("data-id")),
    );
    return shown.toSorted().join();
  }, ids.toSorted().join());
}
