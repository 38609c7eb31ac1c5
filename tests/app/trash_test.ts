/**
 * What can be undone is offered, and nothing else.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectAccessible } from "../support/axe.ts";
import { appStory, selectPhotos } from "../support/web_app.ts";
import { until } from "../support/until.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";

/** Runs in the page: no message ends by itself, however long a test takes. */
const MESSAGES_STAY = `
  const { setTimeout: real } = self;
  self.setTimeout = (act, ms, ...rest) =>
    real(act, ms === 6000 ? 3_600_000 : ms, ...rest);
`;

appStory(
  "Undo is not offered after the photos were restored or deleted permanently",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    for (const name of ["cat.jpg", "coffee.jpg", "rocket.jpg"]) {
      await ada.library.take(await sample(name));
    }
    await visit(async ({ page }) => {
      await page.addInitScript(MESSAGES_STAY);
      await openPhotos(page, url, ada);
      const photos = page.locator(".grid a");
      const undo = page.getByRole("button", { name: "Undo" });
      const deleteFirst = async () => {
        await photos.nth(2).waitFor();
        await photos.first().focus();
        await page.keyboard.press("x");
        await page.getByText("1 selected").first().waitFor();
        await page.keyboard.press("Delete");
        await undo.waitFor();
        assert.equal(await undo.count(), 1);
        await page.getByRole("navigation", { name: "strongroom" })
          .getByRole("link", { name: "Trash" }).click();
        await page.getByRole("heading", { name: "Trash", level: 1 }).waitFor();
      };
      await deleteFirst();
      await photos.first().focus();
      await page.keyboard.press("x");
      await page.getByRole("button", { name: "Restore" }).click();
      await page.getByText("1 photo restored").waitFor();
      await undo.waitFor({ state: "detached" });

      await page.goto(`${url}/#/photos`);
      await deleteFirst();
      await page.getByRole("button", { name: "Empty the trash" }).click();
      await page.getByRole("dialog").getByRole("button", {
        name: "Empty the trash",
      }).click();
      await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
      await undo.waitFor({ state: "detached" });

      // What is still in the trash can be restored.
      await page.goto(`${url}/#/photos`);
      await photos.nth(1).waitFor();
      await photos.first().focus();
      await page.keyboard.press("x");
      await page.getByText("1 selected").first().waitFor();
      await page.keyboard.press("Delete");
      await undo.click();
      await photos.nth(1).waitFor();
    });
  },
);

appStory(
  "a photo that is also in an album is deleted and restored as a whole, once that was asked",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { row } = await library.take(await sample("cat.jpg"));
    await library.take(await sample("coffee.jpg"));
    await library.flags.change([row.id], { favourite: true });
    const album = await library.albums.create({ title: "Summer" });
    const { row: copy } = await library.copyInto(row.id, album.id);
    await visit(async ({ page }) => {
      await page.addInitScript(MESSAGES_STAY);
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/favourites`);
      const photos = page.locator(".grid a");
      // The list before has both.
      await until(() => photos.count(), 1);
      await photos.first().focus();
      await page.keyboard.press("x");
      const selected = page.getByText("1 selected").first();
      await selected.waitFor();
      await page.keyboard.press("Delete");
      const dialog = page.getByRole("dialog", { name: "Delete 1 photo?" });
      await dialog.getByText("Summer").waitFor();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await selected.waitFor();
      // The dialog before may take a moment to be gone from the history.
      await until(async () => {
        await page.keyboard.press("Delete");
        return await dialog.isVisible();
      }, true);
      await dialog.getByRole("button", { name: "Delete" }).click();
      await page.getByText("1 photo moved to the trash").waitFor();
      await photos.waitFor({ state: "detached" });
      const states = async () => {
        await library.sync();
        return [row.id, copy.id].map((id) => library.index.get(id)?.state)
          .join();
      };
      await until(states, "deleted,deleted");

      // The trash shows it once, and all of it comes back.
      await page.goto(`${url}/#/trash`);
      await photos.first().waitFor();
      assert.equal(await photos.count(), 1);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("1 photo restored").waitFor();
      await until(states, "live,live");
      await page.goto(`${url}/#/favourites`);
      await photos.first().waitFor();

      // From the album, the library's own goes too, and that is said.
      await page.goto(`${url}/#/album/${album.id}`);
      await page.getByRole("heading", { name: "Summer", level: 1 }).waitFor();
      await photos.first().focus();
      await page.keyboard.press("x");
      await selected.waitFor();
      await page.keyboard.press("Delete");
      await dialog.getByText("Your library").waitFor();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await page.getByText("1 photo moved to the trash").last().waitFor();
      await photos.waitFor({ state: "detached" });
      await until(states, "deleted,deleted");

      // Both are counted as the one photo that they are.
      await page.goto(`${url}/#/trash`);
      await page.getByRole("button", { name: "Empty the trash" }).click();
      await page.getByRole("dialog", { name: "Delete 1 photo permanently?" })
        .getByRole("button", { name: "Empty the trash" }).click();
      await page.getByText("1 photo deleted permanently").waitFor();
    });
  },
);

appStory(
  "a photo that is shown again is deleted with its copy in an album, though that has not come back yet",
  async ({ url, wire, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { row } = await library.take(await sample("cat.jpg"));
    const album = await library.albums.create({ title: "Summer" });
    const { row: copy } = await library.copyInto(row.id, album.id);
    await visit(async ({ page }) => {
      await page.addInitScript(MESSAGES_STAY);
      await openPhotos(page, url, ada);
      const photo = page.locator(`.grid [data-id="${row.id}"]`);
      const dialog = page.getByRole("dialog", { name: "Delete 1 photo?" });
      const bar = page.getByRole("toolbar", { name: "Selected photos" });
      const deleteIt = async () => {
        await bar.waitFor({ state: "detached" });
        await photo.waitFor();
        await selectPhotos(page, 1);
        await page.keyboard.press("Delete");
      };
      await deleteIt();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await page.getByText("1 photo moved to the trash").waitFor();
      wire.holdWhere((head) => head.includes(`/assets/${copy.id}/restore`));
      await page.getByRole("button", { name: "Undo" }).click();
      await deleteIt();
      wire.holdWhere(() => false);
      await dialog.getByText("Summer").waitFor();
      wire.holdWhere((head) => head.startsWith(`DELETE /v1/assets/${copy.id}`));
      await dialog.getByRole("button", { name: "Delete" }).click();
      await photo.waitFor({ state: "detached" });
      // This device knows of the deletion, and the feed ends with the restore.
      await library.sync();
      wire.holdWhere(() => false);
      await until(async () => {
        await library.sync();
        return [row, copy].every(({ id }) =>
          library.index.get(id)?.state === "deleted"
        );
      }, true);
    });
  },
);
