/**
 * Hearts and comments on the photos of an album, and what is new there.
 *
 * @module
 */
import assert from "node:assert/strict";
import { addRemark, remarksOn } from "../../src/library/albums/remarks.ts";
import { expectAccessible } from "../support/axe.ts";
import { followLinks } from "../../src/library/sharing/following_links.ts";
import { saidOn } from "../../src/library/sharing/viewer_saying.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { appStory, BY_NIGHT, nightStory, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";
import { until } from "../support/until.ts";

appStory(
  "two people give hearts, comment on a photo, see what is new, and delete what they said",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const bob = await photographer(url, "bob");
    const [adas, bobs] = [ada.library, bob.library];
    const bobsId = bobs.vault.session.userId;
    const { id } = await adas.albums.create({
      title: "Summer",
      names: {
        [bobsId]: "Bob Miller",
        [adas.vault.session.userId]: "Ada Lee",
      },
    });
    await adas.albums.invite(id, bobsId, "contributor");
    await bobs.sync();
    await bobs.albums.accept(id);
    const { row: photo } = await adas.take(await sample("rocket.jpg"), {
      albumId: id,
    });
    await bobs.sync();
    const { row: cat } = await bobs.take(await sample("cat.jpg"), {
      albumId: id,
    });
    await addRemark(bobs, photo.id, "Wie schön! 🚀\nWhere was that?");
    const at = `${url}/#/album/${id}/photo/${photo.id}`;

    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      // What others did, in a list that is no louder than a number.
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: "New (2)" }).click();
      await page.getByText("Bob Miller commented on a photo in “Summer”")
        .waitFor();
      await page.getByText("Bob Miller added 1 photo to “Summer”").waitFor();
      await page.getByText("Wie schön! 🚀").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "news");
      await page.getByRole("link", { name: "Open the photo" }).first().click();

      const viewer = page.getByRole("dialog", { name: "Photo" });
      await viewer.getByRole("button", { name: "1 comment" }).click();
      const panel = page.getByRole("complementary", {
        name: "Hearts and comments",
      });
      await panel.getByText("Where was that?").waitFor();
      await viewer.getByRole("button", { name: "Give a heart: 0 hearts" })
        .click();
      await panel.getByText("Hearts: You").waitFor();
      const field = panel.getByRole("textbox", { name: "Write a comment" });
      await field.fill("At the coast, <b>last</b> week");
      await pictureOf(page, "remarks_writing");
      await panel.getByRole("button", { name: "Send" }).click();
      await panel.getByText("At the coast, <b>last</b> week").waitFor();
      await viewer.getByRole("button", { name: "2 comments" }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "remarks");
      // What was seen is no longer new.
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: "New", exact: true }).waitFor();
      // Nothing of it is a photo.
      await page.goto(`${url}/#/album/${id}`);
      await page.getByText("2 photos", { exact: true }).waitFor();
      assert.equal(await page.locator(".grid .tile").count(), 2);
      expectQuiet(visitor, new URL(url).origin);
    });

    // Bob's browser has both, and Bob takes back what he said.
    await visit(async ({ page }) => {
      await openPhotos(page, url, bob);
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: "New (3)" }).waitFor();
      await page.goto(at);
      await page.getByRole("button", { name: "2 comments" }).click();
      const panel = page.getByRole("complementary", {
        name: "Hearts and comments",
      });
      await panel.getByText("At the coast").waitFor();
      await panel.getByText("Hearts: Ada Lee").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "remarks_phone_dark");
      // Ada's is hers, and Bob's is Bob's.
      await panel.getByRole("button", { name: "Delete comment" }).click();
      await page.getByRole("dialog", { name: "Delete this comment?" })
        .getByRole("button", { name: "Delete comment" }).click();
      await page.getByRole("button", { name: "1 comment" }).waitFor();
      await panel.getByText("Where was that?").waitFor({ state: "detached" });
      await page.goto(`${url}/#/new`);
      await page.getByText("Ada Lee likes 1 photo in “Summer”").waitFor();
      await pictureOf(page, "news_phone_dark");
    }, { ...PHONE, colorScheme: "dark" });

    await adas.sync();
    assert.deepEqual(
      remarksOn(adas, photo.id).map(({ kind }) => kind).sort(),
      ["comment", "heart"],
    );

    // By day tests/clients/library_remarks_test.ts: an album whose owner
    // turned comments off shows none and takes none. By night only: the menu
    // turns them off, and the viewer then has no bar for them.
    if (!BY_NIGHT) return;
    // The owner turns all of it off, for everybody.
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/album/${id}`);
      await page.locator(".album-head").getByRole("button", { name: "More" })
        .click();
      await page.getByRole("menuitem", {
        name: "Turn off hearts and comments",
      }).click();
      await page.getByText("Hearts and comments are off").waitFor();
      await page.goto(at);
      await page.getByRole("dialog", { name: "Photo" })
        .getByRole("button", { name: "Info" }).waitFor();
      await until(() => page.locator(".remark-bar").count(), 0);
    });
    await bobs.sync();
    assert.deepEqual(remarksOn(bobs), []);
    await assert.rejects(addRemark(bobs, cat.id));
  },
);

// By day tests/clients/library_viewer_remarks_test.ts: what a viewer says is
// theirs for every member once a device of the owner took it in, and they take
// it back.
nightStory(
  "a member who only looks gives a heart and comments, and takes the comment back",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const vic = await photographer(url, "vic");
    const [adas, vics] = [ada.library, vic.library];
    const vicsId = vics.vault.session.userId;
    const { id } = await adas.albums.create({ title: "Summer" });
    await adas.albums.invite(id, vicsId, "viewer");
    const { row: photo } = await adas.take(await sample("rocket.jpg"), {
      albumId: id,
    });
    const round = async () => {
      await adas.sync();
      await followLinks(adas);
    };
    await round();
    await vics.sync();
    await vics.albums.accept(id);

    await visit(async ({ page }) => {
      await openPhotos(page, url, vic);
      await page.goto(`${url}/#/album/${id}/photo/${photo.id}`);
      await page.getByRole("button", { name: "Give a heart: 0 hearts" })
        .click();
      await page.getByRole("button", { name: "Take your heart back: 1 heart" })
        .waitFor();
      await page.getByRole("button", { name: "0 comments" }).click();
      const panel = page.getByRole("complementary", {
        name: "Hearts and comments",
      });
      await panel.getByText(
        "Others see it as soon as the owner of this album is online.",
      ).waitFor();
      await panel.getByRole("textbox", { name: "Write a comment" })
        .fill("From here, too");
      await panel.getByRole("button", { name: "Send" }).click();
      await panel.getByText("From here, too").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "remarks_of_viewer");
      const said = () =>
        saidOn(adas).then((all) =>
          all.map(({ author, kind }) => `${author} ${kind}`).sort()
        );
      assert.deepEqual(await said(), []);
      await round();
      assert.deepEqual(await said(), [`${vicsId} comment`, `${vicsId} heart`]);
      // A closed page forgets nothing of it.
      await page.reload();
      await page.getByRole("button", { name: "1 comment" }).click();
      await panel.getByText("From here, too").waitFor();
      await panel.getByRole("button", { name: "Delete comment" }).click();
      await page.getByRole("dialog", { name: "Delete this comment?" })
        .getByRole("button", { name: "Delete comment" }).click();
      await page.getByRole("button", { name: "0 comments" }).waitFor();
      await round();
      assert.deepEqual(await said(), [`${vicsId} heart`]);
    });
  },
);
