/**
 * Hearts and comments of guests by a link, on the page of the link and in the
 * owner's album.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { remarksOn, removeRemarks } from "../../src/library/albums/remarks.ts";
import { followLinks } from "../../src/library/sharing/following_links.ts";
import { saidBy } from "../../src/library/sharing/guest_remarks.ts";
import { sayAsGuest } from "../../src/library/sharing/guest_saying.ts";
import { shareBothWays } from "../../src/library/sharing/both_ways.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { appStory, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";

const PICTURES = Deno.env.get("TEST_PICTURES");

/** A picture of the screen, for who wants to look at it. */
async function picture(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  if (PICTURES === undefined) return;
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

appStory(
  "a guest gives a heart and a comment under a name that is typed once; who has the link sees both, and the guest and the owner delete them",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { id: albumId } = await library.albums.create({ title: "Lake" });
    const { row } = await library.take(await sample("cat.jpg"), { albumId });
    const { url: link, opaqueId } = await shareBothWays(library, {
      assetIds: [row.id],
      title: "Lake",
      follows: `album/${albumId}`,
      gives: {},
    });
    const { row: cat } = await library.take(await sample("cat.jpg"));
    const { id: cats } = await library.collections.create("Cats", [cat.id]);
    await shareBothWays(library, {
      assetIds: [cat.id],
      follows: `collection/${cats}`,
      gives: {},
    });
    const half = (await library.requests())
      .find(({ into }) => into === `collection/${cats}`);
    await sayAsGuest(library.vault.session.platform, half?.url ?? "", {
      on: cat.blobs.find(({ role }) => role === "original")?.hash ?? "",
      from: "Uncle",
    });
    /** What any device of the owner does by itself. */
    const round = async () => {
      await library.sync();
      await followLinks(library);
    };
    const open = async (page: Page) => {
      await page.goto("about:blank");
      await page.goto(link);
      await page.locator("main .grid a").first().click();
    };
    await visit(async (grandma) => {
      const { page } = grandma;
      await open(page);
      const heart = page.getByRole("button", { name: /^Give a heart/ });
      await heart.focus();
      await page.keyboard.press("Enter");
      // First the name: the panel asks for it.
      const name = page.getByLabel("Your name");
      await name.and(page.locator(":focus")).waitFor();
      await page.keyboard.type("Grandma");
      await heart.click();
      // It is shown at once, and can be pressed again when it was sent.
      const sent = page.locator(":enabled");
      const given = page.getByRole("button", {
        name: /Take your heart back: 1 heart/,
      });
      await given.and(sent).waitFor();
      await page.getByLabel("Write a comment").fill("How lovely!\nReally.");
      await picture(page, "guest-remarks-write");
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator(".remark-list li").getByText("How lovely!").waitFor();
      await picture(page, "guest-remarks-sent");
      await round();

      await visit(async ({ page: phone }) => {
        await open(phone);
        await phone.getByRole("button", { name: "1 comment" }).click();
        await phone.locator(".remark-list bdi").getByText("Grandma").waitFor();
        await phone.getByText("Hearts: Grandma").waitFor();
        // Whoever reads is not asked to type.
        assert.equal(await phone.locator("input:focus").count(), 0);
        const remove = phone.getByRole("button", { name: "Delete comment" });
        assert.equal(await remove.count(), 0);
        await picture(phone, "guest-remarks-phone");
      }, PHONE);

      await visit(async (owner) => {
        await openPhotos(owner.page, url, ada);
        await owner.page.goto(`${url}/#/album/${albumId}`);
        await owner.page.getByRole("link", { name: /^Photo, / }).click();
        await owner.page.getByRole("button", { name: "1 comment" }).click();
        await owner.page.locator(".remark-list bdi")
          .getByText("Grandma (by your link)").waitFor();
        await picture(owner.page, "guest-remarks-owner");
        await owner.page.goto(`${url}/#/new`);
        const news = owner.page.getByRole("list");
        await news.getByText(
          "Grandma (by your link) commented on a photo in “Lake”",
        ).waitFor();
        // The link's list is a private album.
        const heart = news.getByRole("link", {
          name: "Uncle (by your link) likes 1 photo in “Cats”",
        });
        await heart.waitFor();
        await picture(owner.page, "guest-remarks-news");
        await heart.click();
        await owner.page.getByRole("heading", { name: "Cats" }).waitFor();
        await owner.page.getByRole("link", { name: /^Photo, / }).click();
        await owner.page.getByRole("button", { name: "0 comments" }).click();
        await owner.page.getByText("Hearts: Uncle (by your link)").waitFor();
        assert.equal(
          await owner.page.getByLabel("Write a comment").count(),
          0,
        );
        expectQuiet(owner, url);
      });

      // In this browser it is her own, also later.
      await open(page);
      await page.getByRole("button", { name: "1 comment" }).click();
      assert.equal(await name.inputValue(), "Grandma");
      await page.getByRole("button", { name: "Delete comment" }).click();
      // The server may ask for patience: the question says so, and goes on.
      await page.route(/\/uploads$/, (route) =>
        route.fulfill({
          status: 429,
          headers: { "Retry-After": "2" },
          contentType: "application/problem+json",
          body: JSON.stringify({
            type: "about:blank",
            status: 429,
            code: "error.upload_link.rate_limited",
          }),
        }));
      const question = page.getByRole("dialog", {
        name: "Delete this comment?",
      });
      await question.getByRole("button", { name: "Delete comment" }).click();
      await question.getByText(/^Too many attempts. Trying again in \d second/)
        .waitFor();
      await page.unrouteAll();
      await page.getByText("No comments yet").waitFor();
      await round();
      await open(page);
      await page.getByRole("button", { name: "0 comments" }).click();
      await given.click();
      await heart.and(sent).waitFor();
      await round();
      await open(page);
      await page.getByRole("button", { name: "Give a heart: 0 hearts" })
        .waitFor();

      // What one tab says does not make another forget what it said.
      const other = await page.context().newPage();
      await open(other);
      for (const tab of [page, other]) {
        await tab.getByRole("button", { name: "0 comments" }).waitFor();
      }
      for (const [tab, text] of [[page, "One"], [other, "Two"]] as const) {
        await tab.getByRole("button", { name: /^\d comments?$/ }).click();
        await tab.getByLabel("Write a comment").fill(text);
        await tab.getByRole("button", { name: "Send" }).click();
        await tab.locator(".remark-list li").getByText(text).waitFor();
      }
      await open(page);
      await page.getByRole("button", { name: "2 comments" }).click();
      await page.getByRole("button", { name: "Delete comment" }).nth(1)
        .waitFor();
      // What the owner deletes is gone here, too.
      await round();
      const publish = () =>
        library.keepShareAt(opaqueId, "as_shown", saidBy(library, opaqueId));
      await publish();
      await open(page);
      await page.getByRole("button", { name: "2 comments" }).waitFor();
      const [one] = remarksOn(library, row.id);
      assert.equal(one?.text, "One");
      await removeRemarks(library, [one.id]);
      await publish();
      await open(page);
      await page.getByRole("button", { name: "1 comment" }).click();
      expectQuiet(grandma, url);

      // The link lives on without its upload half.
      const write = page.getByLabel("Write a comment");
      await write.fill("Three");
      const lake = (await library.requests())
        .find(({ into }) => into === `album/${albumId}`);
      await library.revokeRequest(lake?.opaque_id ?? "");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("No more photos, hearts or comments can be sent")
        .waitFor();
      await write.waitFor({ state: "detached" });
      await page.goto("about:blank");
      await page.goto(link);
      await page.locator("main .grid a").first().waitFor();
      await page.getByRole("link", { name: "Add photos" })
        .waitFor({ state: "detached" });
      await page.locator("main .grid a").first().click();
      await page.getByRole("button", { name: "1 comment" }).waitFor();
      assert.equal(await heart.isDisabled(), true);
    });
  },
);
