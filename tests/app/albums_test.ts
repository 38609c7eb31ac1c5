/**
 * Albums of several people, private collections, and being sure of each other.
 *
 * @module
 */
import assert from "node:assert/strict";
import { changeDatabase } from "../support/storage.ts";
import { signDirectory } from "../../src/client/documents/directory.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { expectAccessible } from "../support/axe.ts";
import { seededRandom } from "../support/app.ts";
import { expectQuiet } from "../support/browser.ts";
import { fileOf } from "../support/library.ts";
import { ciphertext } from "../support/people.ts";
import { somebody } from "../support/people_in_app.ts";
import { until } from "../support/until.ts";
import {
  addPhotos,
  appStory,
  closeAdded,
  nightStory,
  samplePhotos,
  selectPhotos,
  signUp,
} from "../support/web_app.ts";
import {
  choosePhotos,
  close,
  expectOnTop,
  goTo,
  head,
  invite,
  makeAlbum,
  safetyNumber,
} from "../support/albums_in_app.ts";

appStory(
  "two people who just signed up share an album with photos of both, and one who is removed sees nothing new",
  async ({ url, visit }) => {
    const [first = "", second = "", third = ""] = samplePhotos();
    await visit(async (visitor) => {
      const ada = visitor.page;
      await signUp(ada, url, "ada@example.org");
      await goTo(ada, "Albums");
      await ada.getByText("Put photos that belong together into an album")
        .waitFor();
      await expectAccessible(ada);
      await addPhotos(ada, [first, second]);
      await closeAdded(ada);
      await makeAlbum(ada, "Summer");
      await choosePhotos(ada, 1);
      await ada.getByText("1 photo", { exact: true }).waitFor();
      await ada.goto(`${url}/#/settings/profile`);
      await ada.getByLabel("Your name").fill("Ada Lovelace");
      await ada.getByRole("button", { name: "Save" }).click();
      await ada.getByText("Saved").waitFor();
      await goTo(ada, "Albums");
      await ada.getByRole("link", { name: /Summer/ }).click();

      await visit(async ({ page: bob }) => {
        await signUp(bob, url, "bob@example.org");
        await addPhotos(bob, [third]);
        await closeAdded(bob);
        await ada.getByRole("button", { name: "Invite" }).click();
        await ada.getByLabel("Email address or handle")
          .fill("nobody@example.org");
        await ada.getByRole("button", { name: "Look up" }).click();
        await ada.getByText("No one here has this address").waitFor();
        // Who has no account can get one, and needs none for a link.
        const people = ada.getByRole("dialog");
        await people.getByText("they create an account here").waitFor();
        await expectAccessible(ada);
        await people.getByRole("button", { name: "Make an upload link" })
          .click();
        const asked = ada.getByLabel(
          "What you are asking for, and who you are",
        );
        await asked.waitFor();
        await until(() => asked.inputValue(), "Summer");
        await close(ada);
        await ada.getByRole("button", { name: "Invite" }).click();
        await ada.getByLabel("Email address or handle").fill("nobody");
        await ada.getByRole("button", { name: "Look up" }).click();
        await people.getByRole("button", { name: "Make a share link" }).click();
        await ada.getByRole("dialog", { name: /^Share 1 photo/ }).waitFor();
        await close(ada);
        await invite(ada, "bob@example.org", "Bob");
        await ada.getByText("Bob is invited").waitFor();
        await expectOnTop(ada, "Bob is invited");
        await expectAccessible(ada);

        // He is told, by the name that she gave herself.
        const told = "Ada Lovelace invites you to the album “Summer”.";
        await bob.getByText(told).waitFor();
        await expectAccessible(bob);
        await bob.getByRole("link", { name: "Albums 1 invitation" }).waitFor();
        // Nothing of it is listed before he accepts. He puts it off first.
        await goTo(bob, "Sharing");
        assert.equal(
          await bob.getByRole("link", { name: /Summer/ }).count(),
          0,
        );
        // Whoever sent him its address is no help before that, and it says so.
        const { hash } = new URL(ada.url());
        assert.match(hash, /^#\/album\//);
        await bob.goto(`${url}/${hash}`);
        await bob.getByRole("heading", { name: "Accept the invitation first" })
          .waitFor();
        await goTo(bob, "Photos");
        await bob.getByRole("button", { name: "Not now" }).click();
        await bob.getByText(told).waitFor({ state: "detached" });
        await goTo(bob, "Albums");
        await bob.getByText(told).waitFor();
        await bob.getByRole("button", { name: "Block Ada Lovelace" }).waitFor();
        await expectAccessible(bob);
        await bob.getByRole("button", { name: "Accept", exact: true }).click();
        // He has it before him, and finds it again.
        await bob.getByRole("heading", { name: "Summer" }).waitFor();
        await goTo(bob, "Albums");
        await bob.getByRole("heading", { name: "Shared with me" }).waitFor();
        const tile = bob.getByRole("link", {
          name: /Summer.*by Ada Lovelace/,
        });
        // Its title has its line to itself.
        const title = tile.getByText("Summer", { exact: true });
        const wide = [await title.boundingBox(), await tile.boundingBox()]
          .map((box) => box?.width);
        assert.equal(wide[0], wide[1]);
        await tile.click();
        await bob.getByRole("link", { name: "Albums", exact: true }).last()
          .waitFor();
        await choosePhotos(bob, 1);
        await close(ada);
        const whoAdded = ada.getByRole("button", { name: /^People/ });
        await whoAdded.getByText("Bob · 1 photo").waitFor();
        await whoAdded.getByText("You · 1 photo").waitFor();
        await ada.locator(".tile").nth(1).waitFor();
        assert.equal(await ada.locator(".tile").count(), 2);
        await expectAccessible(ada);

        // Each sees the same number of the other one.
        await ada.getByRole("button", { name: "Invite" }).click();
        const seen = await safetyNumber(ada, "Bob");
        assert.match(seen, /^(\d{5} ){11}\d{5}$/);
        await bob.getByRole("button", { name: "People", exact: true }).click();
        assert.equal(await safetyNumber(bob, "Ada Lovelace"), seen);
        await expectAccessible(ada);
        await ada.getByRole("button", { name: "They are the same" }).click();
        await ada.getByText(/You compared it on/).waitFor();
        await close(bob);

        await ada.getByRole("button", { name: "Back" }).click();
        await ada.getByRole("button", { name: "More: Bob" }).click();
        await ada.getByRole("menuitem", { name: "Remove from album" }).click();
        await ada.getByText("the album or new photos").waitFor();
        await ada.getByRole("button", { name: "Remove from album" }).last()
          .click();
        await ada.getByText("Bob can no longer see new photos").waitFor();
        await bob.getByText("This album is no longer here").waitFor();
        await close(ada);
        // What Bob added stays, and the album goes without a photo lost.
        await ada.locator(".tile").nth(1).waitFor();
        assert.equal(await ada.locator(".tile").count(), 2);
        await ada.getByRole("button", { name: "More" }).click();
        await ada.getByRole("menuitem", { name: "Delete album" }).click();
        await ada.getByRole("button", { name: "Delete album" }).click();
        await ada.getByText("“Summer” was deleted").waitFor();
        await ada.getByText("No albums yet").waitFor();
        await goTo(ada, "Photos");
        await ada.locator(".tile").nth(1).waitFor();
        assert.equal(await ada.locator(".tile").count(), 2);
      });
      expectQuiet(visitor, new URL(url).origin);
    });
  },
);

appStory(
  "a key that changed stops everything until the person decides",
  async ({ url, dataDir, visit }) => {
    const bob = await somebody(url, "bob");
    const { userId } = bob.vault.session;
    await visit(async ({ page: ada }) => {
      await signUp(ada, url, "ada@example.org");
      await makeAlbum(ada, "Summer");
      await invite(ada, "bob@example.org", "Bob");
      await ada.getByText("Bob is invited").waitFor();
      await close(ada);

      // Whoever runs the server puts a key of their own in Bob's place.
      const random = seededRandom("the server's");
      const liar = await openIdentity(new Uint8Array(random(32)));
      const info = await fetch(`${url}/.well-known/service/server-info`);
      const { server_id } = await info.json();
      const directory = await signDirectory(liar.signer, {
        user_id: userId,
        server_id,
        directory_version: 9,
        sealing_key: await liar.sealing.publicKey(),
        devices: [],
        signed_at: "2026-11-21T12:00:00Z",
      });
      await exchange(
        `${dataDir}/data`,
        userId,
        liar.signer.publicKey,
        directory,
      );

      await ada.getByRole("button", { name: "More" }).click();
      await ada.getByRole("menuitem", { name: "Name and description" }).click();
      await ada.getByLabel("Name", { exact: true }).fill("Autumn");
      await ada.getByRole("button", { name: "Save" }).click();
      await ada.getByRole("heading", { name: "Bob has a new key" })
        .waitFor();
      await ada.getByText("nothing was sent and nothing was changed")
        .waitFor();
      await expectAccessible(ada);
      await ada.getByRole("button", { name: "Not now" }).click();
      await ada.getByRole("heading", { name: "Summer", level: 1 }).waitFor();
      await bob.sync();
      const [album] = bob.albums.list();
      assert.equal(album?.title, "Summer");

      // Shutting them out needs no key of theirs.
      await ada.getByRole("button", { name: "More" }).click();
      await ada.getByRole("menuitem", { name: "Name and description" }).click();
      await ada.getByLabel("Name", { exact: true }).fill("Autumn");
      await ada.getByRole("button", { name: "Save" }).click();
      await ada.getByRole("button", { name: "Remove from album" }).click();
      await ada.getByText("Bob can no longer see new photos").waitFor();

      // Decided for: then the new key counts.
      await invite(ada, "bob@example.org", "Bob");
      await ada.getByRole("button", { name: "The numbers match" }).click();
      await ada.getByText("Bob is invited").waitFor();
    });
  },
);

// By day tests/clients/library_albums_test.ts: such a member is left out and
// named.
nightStory(
  "a member for whom nothing can be encrypted is named among the people of the album that they are out of",
  async ({ url, visit }) => {
    const bob = await somebody(url, "bob");
    await visit(async ({ page: ada }) => {
      await signUp(ada, url, "ada@example.org");
      await makeAlbum(ada, "Summer");
      await invite(ada, "bob@example.org", "Bob");
      await ada.getByText("Bob is invited").waitFor();
      await close(ada);

      const { identity: { signer, sealing }, session } = bob.vault;
      const damaged = new Uint8Array(await sealing.publicKey()).fill(0, 1_184);
      const { server_id } = await session.client.serverInfo();
      const directory = await signDirectory(signer, {
        user_id: session.userId,
        server_id,
        directory_version: 50,
        sealing_key: damaged,
        devices: [],
        signed_at: "2026-11-21T12:00:00Z",
      });
      await session.recently(() =>
        session.account.publishDirectory(directory, signer.publicKey)
      );
      await ada.getByRole("button", { name: "More" }).click();
      await ada.getByRole("menuitem", { name: "Name and description" }).click();
      await ada.getByLabel("Name", { exact: true }).fill("Autumn");
      await ada.getByRole("button", { name: "Save" }).click();
      await ada.getByRole("heading", { name: "Autumn", level: 1 }).waitFor();

      // It stays when the page is opened again.
      await ada.reload();
      await ada.getByRole("button", { name: "Invite" }).click();
      await ada.getByRole("dialog").getByText("Bob is out of this album")
        .waitFor();
      await expectAccessible(ada);
    });
  },
);

appStory(
  "a private album becomes a shared one with copies when the first person is invited, and not before",
  async ({ url, visit }) => {
    const bob = await somebody(url, "bob");
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await addPhotos(page, samplePhotos().slice(0, 2));
      await closeAdded(page);
      await selectPhotos(page, 2);
      await page.getByRole("button", { name: "Add to album…" }).click();
      await page.getByRole("button", { name: "New album" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Lake");
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("button", { name: "Show", exact: true }).click();
      await page.getByRole("heading", { name: "Lake", level: 1 }).waitFor();
      assert.match(page.url(), /#\/collection\//);
      // A link to all of it needs no invitation.
      await page.getByRole("button", { name: "Share link" }).click();
      await page.getByRole("heading", { name: "Share 2 photos with a link" })
        .waitFor();
      await close(page);
      await page.getByRole("button", { name: "Invite" }).click();
      await page.getByText("Your first invitation makes this a shared album.")
        .waitFor();
      await expectAccessible(page);
      await close(page);
      await goTo(page, "Albums");
      assert.equal(await page.getByText("with 1 other").count(), 0);
      await page.getByRole("link", { name: /Lake.*2 photos/ }).click();
      await invite(page, "bob@example.org", "Bob");
      await page.getByText("Bob is invited").waitFor();
      await page.waitForURL(/#\/album\//);
      await page.locator(".tile").nth(1).waitFor();
      await page.getByRole("heading", { name: "Lake", level: 1 }).waitFor();
      await bob.sync();
      const [album] = bob.albums.list();
      assert.equal(album?.title, "Lake");
      await until(async () => {
        await bob.sync();
        return [...bob.index.rows()].filter((row) => row.album === album?.id)
          .length;
      }, 2);
      // It is in the overview once.
      await goTo(page, "Albums");
      await page.locator(".album-section", { hasText: "Shared by me" })
        .getByRole("link", { name: /Lake/ }).waitFor();
      assert.equal(await page.getByRole("link", { name: /Lake/ }).count(), 1);
    });
  },
);

appStory(
  "a private album takes photos in and lets them go again",
  async ({ url, visit }) => {
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await addPhotos(page, samplePhotos().slice(0, 3));
      await closeAdded(page);
      await selectPhotos(page, 3);
      await page.getByRole("button", { name: "Add to album…" }).click();
      await page.getByRole("button", { name: "New album" }).click();
      const named = page.getByLabel("Name", { exact: true });
      // It has the focus: the name is typed at once.
      await named.and(page.locator(":focus")).waitFor();
      await page.keyboard.type("Best");
      assert.equal(await named.inputValue(), "Best");
      assert(await page.getByLabel("Only for me").isChecked());
      await expectAccessible(page);
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByText("3 photos added to “Best”").waitFor();
      await page.getByRole("button", { name: "Show", exact: true }).click();
      await page.getByRole("heading", { name: "Best", level: 1 }).waitFor();
      await page.locator(".tile").nth(2).waitFor();
      // It has the order of the dates, as albums have, whatever its cover is.
      const order = () =>
        page.locator("[data-id]").evaluateAll((all) =>
          all.map((one) => one.getAttribute("data-id"))
        );
      const dated = await order();
      assert.equal(dated.length, 3);
      await page.locator(".tile .check").last().click({ force: true });
      await page.getByRole("button", { name: "More" }).last().click();
      await page.getByRole("menuitem", { name: "Use as cover" }).click();
      await page.getByText("Cover changed").waitFor();
      await page.keyboard.press("Escape");
      assert.deepEqual(await order(), dated);

      // On a photo that is there the list is what is changed.
      await page.locator(".tile .check").first().click({ force: true });
      await page.getByRole("button", { name: "More" }).last().click();
      await page.getByRole("menuitem", { name: "Remove from album" })
        .click();
      await page.getByText("1 photo removed").waitFor();
      await page.getByText("2 photos", { exact: true }).waitFor();
      await page.reload();
      await page.getByText("2 photos", { exact: true }).waitFor();
      await goTo(page, "Photos");
      await page.locator(".tile").nth(2).waitFor();
      await goTo(page, "Albums");
      await page.locator(".album-section", { hasText: "Only for me" })
        .getByRole("link", { name: /Best.*2 photos/ }).click();

      // On a phone what one chooses from is the whole screen, and its buttons
      // are in sight.
      await page.setViewportSize({ width: 390, height: 844 });
      await head(page).getByRole("button", { name: "Add photos" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("heading", { level: 3 }).first().waitFor();
      const box = await dialog.boundingBox();
      const inner = await page.evaluate("document.body.clientWidth");
      assert.deepEqual([box?.x, box?.width, box?.height], [0, inner, 844]);
      await dialog.getByRole("checkbox", { name: /^Select everything from/ })
        .first().click();
      await dialog.getByText("3 selected").waitFor();
      // One circle for each photo.
      const second = await page.evaluate(
        `getComputedStyle(document.querySelector(".pick-tile .check"), "::before").content`,
      );
      assert.equal(second, "none");
      await expectAccessible(page);
      const add = await dialog.getByRole("button", { name: "Add 3 photos" })
        .boundingBox();
      assert(add !== null && add.y + add.height <= 844);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      await page.getByRole("button", { name: "More" }).last().click();
      await page.getByRole("menuitem", { name: "Delete album" }).click();
      await page.getByRole("button", { name: "Delete album" }).click();
      await page.getByText("No albums yet").waitFor();
    });
  },
);

// By day tests/clients/library_favourite_albums_test.ts and
// src/library/albums/favourite_albums_test.ts.
nightStory(
  "favourite albums come first, also after a reload, until the mark is taken away",
  async ({ url, visit }) => {
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await makeAlbum(page, "Spring");
      await makeAlbum(page, "Summer");
      const titles = page.locator(".card-title");
      const expectOrder = async (...order: readonly string[]) => {
        await goTo(page, "Albums");
        // The change may come after the list.
        for (const [at, title] of order.entries()) {
          await titles.nth(at).and(page.getByText(title, { exact: true }))
            .waitFor();
        }
      };
      await goTo(page, "Albums");
      await titles.nth(1).waitFor();
      const [first = "", last = ""] = await titles.allInnerTexts();
      const choose = async (item: string) => {
        await page.getByRole("link", { name: last }).click();
        await head(page).getByRole("button", { name: "More" }).click();
        await page.getByRole("menuitem", { name: item }).click();
      };
      await choose("Add to favourites");
      await expectOrder(last, first);
      await page.getByRole("link", { name: `Favourite ${last}` }).waitFor();
      await expectAccessible(page);
      await page.reload();
      await page.getByRole("link", { name: `Favourite ${last}` }).waitFor();
      await choose("Remove from favourites");
      await expectOrder(first, last);
      assert.equal(
        await page.getByText("Favourite", { exact: true }).count(),
        0,
      );
    });
  },
);

appStory(
  "a photo that another member keeps adding shows up, and a viewer adds nothing",
  async ({ url, visit }) => {
    const bob = await somebody(url, "bob");
    await visit(async ({ page: ada }) => {
      await signUp(ada, url, "ada@example.org");
      const { userId } = await bob.people.find({ address: "ada@example.org" });
      const { id } = await bob.albums.create({ title: "Of Bob" });
      await bob.albums.invite(id, userId, "viewer");
      await goTo(ada, "Albums");
      await ada.getByRole("button", { name: "Accept", exact: true }).click();
      await ada.getByText("as soon as someone adds some").waitFor();
      assert.equal(
        await head(ada).getByRole("button", { name: "Add photos" }).count(),
        0,
      );
      // A menu that is open stays so while the album gets its first photo.
      await head(ada).getByRole("button", { name: "More" }).click();
      const leave = ada.getByRole("menuitem", { name: "Leave album" });
      await leave.waitFor();
      const photo = fileOf("one.jpg", ciphertext("one", 3_000));
      await bob.take(photo, { albumId: id });
      await ada.getByText(/^1 photo/).waitFor();
      await ada.locator(".tile").waitFor();
      assert.equal(await leave.count(), 1);
      await ada.keyboard.press("Escape");
      await leave.waitFor({ state: "detached" });
      // Nothing is offered that is always refused here.
      await selectPhotos(ada, 1);
      const bar = ada.getByRole("toolbar", { name: "Selected photos" });
      await bar.getByRole("button", { name: "More" }).click();
      await ada.getByRole("menuitem").first().waitFor();
      for (const name of ["Remove from album", "Use as cover", "Delete"]) {
        assert.equal(await ada.getByText(name, { exact: true }).count(), 0);
      }
      await ada.keyboard.press("Escape");
      await ada.keyboard.press("Escape");
      await bar.waitFor({ state: "hidden" });
      await ada.getByRole("button", { name: "More" }).click();
      await ada.getByRole("menuitem", { name: "Leave album" }).click();
      await ada.getByRole("button", { name: "Leave album" }).click();
      await ada.getByText("You left “Of Bob”").waitFor();
      await ada.getByText("No albums yet").waitFor();

      // The other way round: a member who left disappears from the open list,
      // and does not get the album back when another person is invited.
      await makeAlbum(ada, "Summer");
      await somebody(url, "carol");
      await invite(ada, "bob@example.org", "Bob");
      await ada.getByText("Bob is invited").waitFor();
      const people = ada.getByRole("dialog");
      await people.getByText("Bob", { exact: true }).waitFor();
      await people.getByText("cannot see yet whether someone has accepted")
        .waitFor();
      await bob.sync();
      const [summer] = bob.albums.list().filter(({ role }) => role !== "owner");
      await bob.albums.leave(summer?.id ?? "");
      await people.getByText("No other account can see").waitFor();
      await people.getByLabel("Email address or handle").fill(
        "carol@example.org",
      );
      await people.getByRole("button", { name: "Look up" }).click();
      await people.getByText("Give them a different name").click();
      await people.getByLabel("Their name").fill("Carol");
      await people.getByRole("button", { name: "Invite", exact: true }).click();
      await ada.getByText("Carol is invited").waitFor();
      assert.equal(await people.getByText("Bob", { exact: true }).count(), 0);
      await bob.sync();
      assert.deepEqual(
        bob.albums.list().map(({ title }) => title),
        ["Of Bob"],
      );
    });
  },
);

/** Exchanges a person's identity on the server for another. */
async function exchange(
  dataDir: string,
  userId: string,
  key: Uint8Array,
  directory: Uint8Array,
): Promise<void> {
  await changeDatabase({ dataDir }, (database) => {
    database.prepare("update account set identity_key = ? where user_id = ?")
      .run(key, userId);
    database.prepare(
      "update directory set body = ?, body_hash = ?, version = 9 where user_id = ?",
    ).run(directory, sha256Hex(directory), userId);
  });
}
