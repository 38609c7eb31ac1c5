/**
 * The Safety view: what is proven, what was lost, and a server that lies.
 *
 * @module
 */
import assert from "node:assert/strict";
import { equalBytes } from "../../src/core/bytes.ts";
import { plainOf } from "../../src/library/rows/plaintext_cache.ts";
import { textOfLosses } from "../../src/library/care/loss_report.ts";
import { invite } from "../support/album_cast.ts";
import { expectAccessible } from "../support/axe.ts";
import { acceptAll } from "../support/library.ts";
import { somebody } from "../support/people_in_app.ts";
import {
  damageBlob,
  damageTrust,
  escrowIn,
  loseAsset,
  restoreEscrow,
} from "../support/storage.ts";
import { until } from "../support/until.ts";
import {
  addPhotos,
  type AppStory,
  appStory,
  nightStory,
  samplePhotos,
  signInAt,
  signUp,
  writeWordsDown,
} from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";

appStory(
  "what the server loses is named, can be proven, and comes back when it is added again",
  async ({ url, dataDir, visit }) => {
    const photos = samplePhotos();
    await visit(async ({ page }) => {
      const secret = await signUp(page, url, "ada@example.org");
      await page.getByRole("link", { name: "Safety", exact: true }).click();
      await page.getByText("Nothing is stored yet").waitFor();
      await page.getByRole("heading", { name: "Safety", level: 1 }).waitFor();
      await addPhotos(page, photos);
      await page.getByText(`All safe: ${photos.length} photos`)
        .waitFor();
      // What is proven is not called unchecked, and nothing is no success.
      const count = photos.length;
      await page.getByText("What is checked, in numbers").click();
      const numbers = page.locator(".proof");
      assert.match(await numbers.first().innerText(), /All 5/);
      assert.match(await numbers.last().innerText(), /Not yet/);
      await page.getByText("Check again", { exact: true }).click();
      await page.getByText(`Already done for ${count} of ${count}`).first()
        .waitFor();

      const [largest] = await blobsBySize(`${dataDir}/data/blobs`);
      assert(largest !== undefined);
      await Deno.remove(largest);
      await page.getByRole("button", { name: "Start: Ask the server" }).click();
      const lost = "The server has lost or damaged one of your photos";
      await page.getByRole("heading", { name: lost }).waitFor();
      await page.getByText("The server no longer has it").waitFor();
      const name = await page.locator(".safety-alarms a").innerText();

      // Wherever one goes on to, and after a reload.
      await page.goto(`${url}/#/photos`);
      await page.reload();
      const alarm = page.locator(".banner.wrong");
      await alarm.getByText(lost).waitFor();
      await alarm.getByRole("link", { name: "What to do" }).click();
      await page.getByText("The server no longer has it").waitFor();
      await expectAccessible(page);

      // The report of the loss is the one of the command line.
      const saved = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save the report" }).click();
      const text = await Deno.readTextFile(await (await saved).path());
      const losses = JSON.parse(text);
      assert.equal(text, textOfLosses(losses));
      assert.deepEqual(
        losses.rows.map((one: { name: string; fault: string }) => [
          one.name,
          one.fault,
        ]),
        [[name, "missing"]],
      );
      assert(losses.receipts.length >= 3);
      assert.equal(losses.keys.length, 1);

      const saving = page.waitForEvent("download");
      await page.getByText("Save a report on all photos").first().click();
      await page.getByRole("button", { name: "Save a report" }).click();
      const report = JSON.parse(
        await Deno.readTextFile(await (await saving).path()),
      );
      assert.equal(report.photos.length, photos.length);
      // Original, provenance and what is made of them: each has its receipt.
      assert(report.receipts.length >= 3 * photos.length);
      const without = report.photos.filter((one: { custody: string }) =>
        one.custody === "missing"
      );
      assert.deepEqual(without.map((one: { name: string }) => one.name), [
        name,
      ]);

      const choosing = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Add the files again" }).click();
      await (await choosing).setFiles(
        photos.filter((path) => path.endsWith(name)),
      );
      await page.getByText("1 photo is back").first().waitFor();
      await page.getByText(`All safe: ${photos.length} photos`)
        .waitFor();
      await alarm.waitFor({ state: "detached" });

      // Another browser of the account proves them without being asked to.
      await visit(async ({ page: other }) => {
        await signInAt(other, url, "ada@example.org");
        await other.getByRole("button", { name: /^With your 24 words/ })
          .click();
        await other.getByLabel("Your 24 words").fill(secret);
        await other.getByRole("button", { name: "Open", exact: true }).click();
        await other.getByRole("link", { name: "Safety", exact: true }).click();
        await other.getByText(
          `All safe: ${photos.length} photos`,
        )
          .waitFor();
      });
    });
  },
);

appStory(
  "a photo that the server lost, or that an album's owner deleted, has a sentence where it was",
  async ({ url, dataDir, visit }) => {
    const ada = await photographer(url, "ada");
    const bob = await somebody(url, "bob");
    const { id: album } = await bob.albums.create({ title: "Summer" });
    await invite(album, bob, "ada");
    await ada.library.sync();
    await acceptAll(ada.library);
    await ada.library.sync();
    const { row: cat } = await ada.library.take(await sample("cat.jpg"));
    const { row: copy } = await ada.library.copyInto(cat.id, album);
    const { row: only } = await ada.library.take(
      await sample("rocket.jpg"),
      { albumId: album },
    );
    const { row: lost } = await ada.library.take(await sample("coffee.jpg"));
    const list = await ada.library.collections.create("Best", [lost.id]);
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      const photos = page.locator(".grid a");
      await photos.nth(2).waitFor();
      await bob.sync();
      for (const { id } of [copy, only]) await bob.trash(id);
      await loseAsset({ dataDir: `${dataDir}/data` }, lost.id);
      await page.reload();
      await page.locator(".banner.wrong")
        .getByText("The server has lost or damaged one of your photos")
        .waitFor();
      // What is there is shown, and nothing in the place of the others.
      await photos.nth(1).waitFor({ state: "detached" });
      await photos.waitFor();

      const gone = page.getByRole("region", { name: "No longer here" });
      await page.goto(`${url}/#/album/${album}`);
      const said = gone.getByRole("listitem");
      await said.filter({ hasText: "cat.jpg" })
        .getByText("Your library still has it").waitFor();
      await said.filter({ hasText: "rocket.jpg" })
        .getByText("your library does not have it").waitFor();
      await expectAccessible(page);
      await page.goto(`${url}/#/collection/${list.id}`);
      await gone.getByText("The server has lost it").waitFor();
      await page.goto(`${url}/#/safety`);
      await gone.getByText("The server has lost it").waitFor();
      await expectAccessible(page);
      // Of what the library has nothing is lost.
      assert.equal(await said.count(), 2);

      await said.filter({ hasText: "coffee.jpg" })
        .getByRole("button", { name: "Remove from this list" }).click();
      await page.getByRole("dialog")
        .getByRole("button", { name: "Remove from this list" }).click();
      await page.getByText("All safe: 1 photo").waitFor();
      await page.locator(".banner.wrong").waitFor({ state: "detached" });
    });
  },
);

// By day tests/clients/viewing_calls_test.ts: the app's threads make them, of
// HEIC too, and the photo keeps its caption. That the page asks for it by itself
// where one does not come is shown by night only.
nightStory(
  "small pictures that the server lost are made again from the originals, of HEIC too",
  async ({ url, dataDir, visit }) => {
    const { library, ...ada } = await photographer(url, "ada");
    const cat = await sample("cat.jpg", { caption: "At the gate" });
    const heic = await Deno.readFile(
      new URL("../support/media/camera.heic", import.meta.url),
    );
    const rows = [
      await library.take(cat),
      await library.take({
        source: plainOf(heic),
        about: { ...cat.about, name: "camera.heic", mime: "image/heic" },
        ...(cat.derivatives && { derivatives: cat.derivatives }),
      }),
    ].map(({ row }) => row);
    const lost = rows.flatMap(({ blobs }) =>
      blobs.filter(({ role }) => role === "derivative")
    ).map(({ hash }) => hash);
    assert.equal(lost.length, 2);
    for (const hash of lost) {
      const place = { dataDir: `${dataDir}/data` };
      await damageBlob(place, hash, "a missing file");
    }
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.locator(".grid img.thumb").nth(1).waitFor();
      await library.sync();
      for (const { id } of rows) {
        const now = library.index.get(id);
        assert.equal(now?.metadata?.caption, "At the gate");
        assert.ok(now.blobs.every(({ hash }) => !lost.includes(hash)));
      }
      const { missing, damaged } = await library.confirm({ deep: true });
      assert.deepEqual([...missing, ...damaged], []);
    });
  },
);

nightStory(
  "a photo that the server lost is healed from its copy in an album",
  async ({ url, dataDir, visit }) => {
    const { library, ...ada } = await photographer(url, "ada");
    const { row: cat } = await library.take(await sample("cat.jpg"));
    await library.take(await sample("rocket.jpg"));
    const { id: album } = await library.albums.create({ title: "Summer" });
    await library.copyInto(cat.id, album);
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.locator(".grid a").nth(1).waitFor();
      await loseAsset({ dataDir: `${dataDir}/data` }, cat.id);
      await page.reload();
      await until(async () => {
        await library.sync();
        return library.list().some(({ id, album, metadata }) =>
          id !== cat.id && album === library.vault.libraryAlbumId &&
          metadata?.name === "cat.jpg"
        );
      }, Boolean);
    });
  },
);

appStory(
  "what became of recovery words is told when the server was restored",
  async ({ url, dataDir, visit }) => {
    const place = { dataDir: `${dataDir}/data` };
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      const first = escrowIn(place);
      await page.goto(`${url}/#/words`);
      await writeWordsDown(page);
      await until(
        () => Promise.resolve(!equalBytes(first, escrowIn(place))),
        true,
      );
      const second = escrowIn(place);

      await restoreEscrow(place, first);
      await page.reload();
      const banner = page.locator(".banner", { hasText: "was restored" });
      await banner.getByText("gave them back").waitFor();
      assert(equalBytes(escrowIn(place), second));

      await restoreEscrow(place, crypto.getRandomValues(new Uint8Array(400)));
      await page.reload();
      await banner.getByText("cannot tell whether your recovery words")
        .waitFor();
      await banner.getByRole("link", { name: "Make new words" }).click();
      await writeWordsDown(page);
      await banner.waitFor({ state: "detached" });
    });
  },
);

// By day tests/people/damaged_test.ts: such a record is told by whoami;
// tests/clients/library_trust_status_test.ts.
nightStory(
  "a damaged record of what devices trust is told",
  async ({ url, dataDir, visit }) => {
    let secret = "";
    await visit(async ({ page }) => {
      secret = await signUp(page, url, "ada@example.org");
      await addPhotos(page, samplePhotos().slice(0, 1));
    });
    // A browser that is open would notice it, and write the record again.
    await damageTrust({ dataDir: `${dataDir}/data` });
    await visit(async ({ page }) => {
      await signInAt(page, url, "ada@example.org");
      await page.getByRole("button", { name: /^With your 24 words/ }).click();
      await page.getByLabel("Your 24 words").fill(secret);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByRole("link", { name: "Safety", exact: true }).click();
      const damaged = /copy of what your devices know about people and albums/;
      await page.getByText(damaged).waitFor();
    });
  },
);

// By day tests/app/queue_test.ts: a wrong receipt ends all sending;
// tests/clients/library_receipts_test.ts.
nightStory(
  "a server whose receipt is wrong is named, and gets nothing more",
  async (story) => {
    const { visit } = story;
    await using liar = lyingServer(story);
    await visit(async ({ page }) => {
      await signUp(page, liar.origin, "ada@example.org");
      await page.locator("input[data-add=files]").setInputFiles(
        samplePhotos().slice(0, 1),
      );
      await page.getByText("The server's receipt is not valid").waitFor();
      assert.equal(await page.getByText(/file added/).count(), 0);
    });
  },
);

/** The files of a folder and below, the largest first. */
async function blobsBySize(folder: string): Promise<string[]> {
  const found: { path: string; size: number }[] = [];
  const look = async (at: string) => {
    for await (const { name, isDirectory } of Deno.readDir(at)) {
      const path = `${at}/${name}`;
      if (isDirectory) await look(path);
      else found.push({ path, size: (await Deno.stat(path)).size });
    }
  };
  await look(folder);
  return found.sort((a, b) => b.size - a.size).map(({ path }) => path);
}

/** Stands before the server and changes a byte of every receipt. */
function lyingServer({ url }: Pick<AppStory, "url">) {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const answer = await fetch(`${url}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        body: request.body,
        redirect: "manual",
      });
      const headers = new Headers(answer.headers);
      headers.delete("Content-Encoding");
      headers.delete("Content-Length");
      if (!headers.get("Content-Type")?.startsWith("application/json")) {
        return new Response(answer.body, { status: answer.status, headers });
      }
      const text = (await answer.text()).replace(
        /("receipt_cbor":"[^"]{400})(.)/g,
        (_, before, one) => `${before}${one === "A" ? "B" : "A"}`,
      );
      return new Response(text, { status: answer.status, headers });
    },
  );
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
