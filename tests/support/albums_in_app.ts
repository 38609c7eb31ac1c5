/**
 * Albums as a person uses them in the web app.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Goes to a place of the navigation. */
export function goTo(page: Page, name: string): Promise<void> {
  return page.getByRole("navigation", { name: "strongroom" })
    .getByRole("link", { name }).click();
}

/** Makes an album and stands in it. */
export async function makeAlbum(page: Page, title: string): Promise<void> {
  await goTo(page, "Albums");
  await page.getByRole("button", { name: "New album" }).click();
  await page.getByLabel("Name", { exact: true }).fill(title);
  await page.getByLabel("With others").check();
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
}

/** Chooses photos of the library for the album that is looked at. */
export async function choosePhotos(page: Page, count: number): Promise<void> {
  await head(page).getByRole("button", { name: "Add photos" }).click();
  await page.getByRole("menuitem", { name: "From your library" }).click();
  const dialog = page.getByRole("dialog");
  const tiles = dialog.getByRole("checkbox", { name: /^Photo/ });
  for (let at = 0; at < count; at++) await tiles.nth(at).click();
  // One circle for each, not that of the timeline below it.
  assert.equal(
    await tiles.first().locator(".check").evaluate(
      (one) =>
        one.ownerDocument.defaultView?.getComputedStyle(one, "::before")
          .content,
    ),
    "none",
  );
  await dialog.getByText(`${count} selected`).waitFor();
  await page.getByRole("button", { name: /^Add \d+ photo/ }).click();
  await page.getByText(/photos? added to/).waitFor();
}

/** What stands above an album's photos. */
export function head(page: Page) {
  return page.locator(".album-head");
}

/** Invites a person to the open album. */
export async function invite(page: Page, address: string, name?: string) {
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByLabel("Email address or handle").fill(address);
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByRole("heading", { name: /^Invite ./ }).waitFor();
  if (name !== undefined) {
    await page.getByText("Give them a different name").click();
    await page.getByLabel("Their name").fill(name);
  }
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
}

/** Closes the dialog that is open. */
export async function close(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: "Close" })
    .first().click();
}

/** The number that a person sees of another one. */
export async function safetyNumber(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: `More: ${name}` }).click();
  await page.getByRole("menuitem", { name: "Check that it is really them" })
    .click();
  const number = page.getByRole("group", { name: "Safety number" });
  return (await number.innerText()).replace(/\s+/g, " ").trim();
}

/** Whatever is open, a person sees that text and can press what it is in. */
export async function expectOnTop(page: Page, text: string): Promise<void> {
  const box = await page.getByText(text).boundingBox();
  assert(box !== null);
  const at = `${box.x + box.width / 2}, ${box.y + box.height / 2}`;
  const above = String(
    await page.evaluate(`document.elementFromPoint(${at})?.textContent`),
  );
  assert(above.includes(text), above);
}
