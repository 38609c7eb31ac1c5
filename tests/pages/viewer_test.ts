/**
 * The viewer page in a real browser, over a real server
 * (protocol/links.md#viewing).
 *
 * @module
 */
import assert from "node:assert/strict";
import { until } from "../support/until.ts";
import { damageBlob } from "../support/storage.ts";
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import {
  encodeShareIndex,
  parseShareLink,
} from "../../src/client/documents/share.ts";
import { fromUtf8, utf8 } from "../../src/core/bytes.ts";
import { expectAccessible } from "../support/axe.ts";
import {
  CHROMIUM,
  expectQuiet,
  hashOfBlobAt,
  sharedChromium,
  type Visitor,
  type VisitorOptions,
} from "../support/browser.ts";
import {
  PASSPHRASE,
  type SharedSamples,
  withSharedSamples,
} from "../support/shared_samples.ts";

interface Story extends SharedSamples {
  readonly visit: (
    test: (visitor: Visitor) => Promise<void>,
    options?: VisitorOptions,
  ) => Promise<void>;
}

const browser = sharedChromium();

/** One server and one gallery for a sequence of visits. */
function story(
  name: string,
  test: (story: Story) => Promise<void>,
  settings: Record<string, string> = {},
): void {
  Deno.test({
    name,
    ignore: CHROMIUM === "",
    // The driver keeps its pipes to the browser for a moment.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () =>
      withSharedSamples(
        (shared) =>
          test({
            ...shared,
            visit: (visit, options) => browser.visit(visit, options),
          }),
        settings,
      ),
  });
}

async function sha256Of(path: string): Promise<string> {
  return createHash("sha256").update(await Deno.readFile(path)).digest("hex");
}

/** The addresses behind the thumbnails, once all are there. */
async function thumbnails(page: Page, count: number): Promise<string[]> {
  const images = page.locator(".tile img");
  await images.nth(count - 1).waitFor();
  return await Promise.all(
    (await images.all()).map(async (one) =>
      await one.getAttribute("src") ?? ""
    ),
  );
}

story(
  "the index of a link comes while the page's script is on its way",
  async ({ link, visit }) => {
    await visit(async (visitor) => {
      const { page } = visitor;
      const index = Promise.withResolvers<void>();
      page.on("request", (request) => {
        if (/\/s\/\w+\/blob\/\w+$/.test(request.url())) index.resolve();
      });
      await page.route("**/viewer.js", async (route) => {
        await index.promise;
        await route.continue();
      });
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(link);
      await thumbnails(page, 1);
      const indexes = asked.filter((one) => /\/blob\/\w+$/.test(one));
      assert.equal(indexes.length, 1, indexes.join(" "));
      expectQuiet(visitor, new URL(link).origin);
    });
  },
);

/** Opens the n-th photo of the grid. */
async function openLarge(page: Page, n: number): Promise<void> {
  await page.locator('a[href*="/photo/"]').nth(n).click();
}

/** The picture that is large now, once it is the one of that size. */
function large(page: Page, of: "original" | "preview") {
  return page.locator(`.lightbox-picture[data-of=${of}]`);
}

async function expectAlert(page: Page, text: RegExp): Promise<void> {
  const alert = page.getByRole("alert").filter({ hasText: text });
  await alert.first().waitFor();
}

story(
  "a browser shows and saves what a link shares, byte for byte",
  async (story) => {
    const { link, wire } = story;
    // None has a date: of one moment, the higher name is the newer.
    const files = story.files.toSorted((a, b) => a.name > b.name ? -1 : 1);
    await story.visit(async (visitor) => {
      const { page } = visitor;
      // A browser that has the function and no dialog says it was cancelled.
      await page.addInitScript(
        `Object.defineProperty(self, "showSaveFilePicker", {
          value: () => Promise.reject(new DOMException("", "AbortError")),
        })`,
      );
      await page.goto(link);
      await page.getByRole("heading", { name: "Sample photographs" }).waitFor();
      const shown = await thumbnails(page, files.length);
      for (const [i, file] of files.entries()) {
        const sample = await sha256Of(file.thumbnail?.path ?? "");
        assert.equal(
          await hashOfBlobAt(page, shown[i] ?? ""),
          sample,
          file.name,
        );
      }
      // Large, one after the other by key, and saved.
      await openLarge(page, 0);
      for (const [i, file] of files.entries()) {
        const image = page.getByAltText(file.name, { exact: true })
          .and(large(page, "original"));
        await image.waitFor();
        const address = await image.getAttribute("src") ?? "";
        const sample = await sha256Of(file.path);
        assert.equal(await hashOfBlobAt(page, address), sample, file.name);
        const saving = page.waitForEvent("download");
        await page.getByRole("button", { name: "Download", exact: true })
          .click();
        const saved = await saving;
        assert.equal(saved.suggestedFilename(), file.name);
        assert.equal(await sha256Of(await saved.path()), sample);
        if (i + 1 < files.length) await page.keyboard.press("ArrowRight");
      }
      // The photo is in the address: a reload shows it again, Back the grid.
      const last = files.at(-1)?.name ?? "";
      await page.reload();
      await page.getByAltText(last, { exact: true }).first().waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      await thumbnails(page, files.length);
      await openLarge(page, 1);
      await page.getByRole("dialog").waitFor();
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "hidden" });

      // All of them as one zip.
      // What is said of it passes by itself.
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByText("You will find the file in your downloads").waitFor(),
        page.getByRole("button", { name: "Download all" }).click(),
      ]);
      assert.equal(saved.suggestedFilename(), "Sample photographs.zip");
      const zip = await saved.path();
      const listed = new TextDecoder("latin1").decode(await Deno.readFile(zip));
      for (const { name } of files) assert(listed.includes(name), name);
      expectQuiet(visitor, wire.origin);
    });

    // The locked link: a wrong passphrase is told without asking again.
    await story.visit(async (visitor) => {
      const { page } = visitor;
      await page.goto(story.lockedLink);
      const field = page.getByLabel("Passphrase", { exact: true });
      await field.fill("seven quiet ponds");
      await field.press("Enter");
      await expectAlert(page, /Wrong passphrase/);
      // Phones begin with a capital.
      await field.fill(`  ${PASSPHRASE.toUpperCase()} `);
      await field.press("Enter");
      await thumbnails(page, files.length);
      expectQuiet(visitor, wire.origin);
    });

    // All that went over the wire, and all that the server noted.
    const fragment = new URL(link).hash.slice(1);
    assert.equal(fragment.length, 43);
    const log = await story.log();
    assert.match(log, /viewShareBlob/);
    for (const text of [wire.sent(), log]) {
      assert(!text.includes(fragment) && !text.includes(PASSPHRASE));
    }
    assert.match(wire.sent(), /^GET \/s\//);
    assert.equal(wire.sent().split("/wrapped-secret").length - 1, 1);
  },
);

story(
  "a page shows what the sharer says, and a preview before what is big",
  async (story) => {
    const [first, second] = story.items;
    assert(first?.thumbnail !== undefined && second?.thumbnail !== undefined);
    const told = {
      ...first,
      name: "told.jpg",
      taken_at: "2026-09-30T16:03:11.000Z",
      caption: "Am Hafen\n<b>spät</b>\u202e",
      preview: first.thumbnail,
      // Too large to be fetched unasked: the preview stays to be seen.
      size: 32 * 1024 * 1024,
    };
    const unserved = {
      ...second,
      name: "small.jpg",
      preview: { ...second.thumbnail, key: first.key },
    };
    const link = await story.shareAgain([told, unserved], "Two", {
      from: "Ada\u202e & Ben",
      message: "Look at the first one.\n<i>Really.</i>",
    });
    await story.visit(async (visitor) => {
      const { page } = visitor;
      await page.goto(link);
      await page.getByText("From Ada & Ben · 2 photos,").waitFor();
      const message = await page.locator(".link-message").innerText();
      assert.equal(message, "Look at the first one.\n<i>Really.</i>");
      await thumbnails(page, 2);
      await openLarge(page, 0);
      const dialog = page.getByRole("dialog");
      await large(page, "preview").waitFor();
      await dialog.getByText("<b>spät</b>").first().waitFor();
      // A preview that does not open costs nothing but itself.
      await page.keyboard.press("ArrowRight");
      const image = page.getByAltText("small.jpg", { exact: true })
        .and(large(page, "original"));
      await image.waitFor();
      const original = await sha256Of(story.files[1]?.path ?? "");
      const whole = await image.getAttribute("src") ?? "";
      assert.equal(await hashOfBlobAt(page, whole), original);
      expectQuiet(visitor, story.wire.origin);
    });
  },
);

story(
  "an item that cannot be read costs that item, and the page says so",
  async (story) => {
    const items = story.items.slice(0, 3);
    const link = await story.shareAgain(items, "Three", {}, (index) => {
      const json = JSON.parse(fromUtf8(encodeShareIndex(index)) ?? "");
      json.items[1].key = "no key";
      return utf8(JSON.stringify(json));
    });
    for (
      const [locale, said] of [
        ["en", "1 file cannot be shown. Ask for the link again."],
        [
          "de",
          "1 Datei lässt sich nicht anzeigen. " +
          "Lass dir den Link noch einmal geben.",
        ],
      ] as const
    ) {
      await story.visit(async ({ page }) => {
        await page.goto(link);
        await page.getByText(said, { exact: true }).waitFor();
        await thumbnails(page, 2);
        assert.equal(await page.locator(".tile").count(), 2);
        await expectAccessible(page);
        await openLarge(page, 0);
        await large(page, "original").first().waitFor();
      }, { locale });
    }
  },
);

story(
  "what could be a document in a tab of its own is never made one",
  async (story) => {
    const [item] = story.items;
    assert(item?.thumbnail !== undefined);
    const mimes = ["image/x+xml", "text/html", "application/xhtml+xml"];
    const { thumbnail, ...bare } = item;
    const items = mimes.map((mime, i) => ({
      ...bare,
      name: `<b>${i}</b>.${i}`,
      mime,
    }));
    const inDisguise = {
      ...bare,
      name: "disguised",
      thumbnail: { ...thumbnail, mime: "image/svg+xml" },
    };
    const title = "<i>Markup</i>";
    const link = await story.shareAgain([...items, inDisguise], title);
    await story.visit(async (visitor) => {
      const { page } = visitor;
      await page.goto(link);
      await page.getByRole("heading", { name: title }).waitFor();
      await thumbnails(page, 1);
      for (const at of items.keys()) {
        await openLarge(page, at);
        const saving = page.waitForEvent("download");
        await page.getByRole("button", { name: "Download", exact: true })
          .first().click();
        await saving;
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "hidden" });
      }
      const types = await page.evaluate(() =>
        [...(globalThis as unknown as { madeBlobs: Map<string, Blob> })
          .madeBlobs.values()].map(({ type }) => type)
      );
      const inert = /^(application\/octet-stream|image\/jpeg|text\/plain.*|)$/;
      assert.deepEqual(types.filter((type) => !inert.test(type)), []);
      expectQuiet(visitor, story.wire.origin);
    });
  },
);

story(
  "on a telephone everything on the page of a link has a name",
  async ({ link, files, visit }) => {
    await visit(async ({ page }) => {
      await page.goto(link);
      await thumbnails(page, files.length);
      await expectAccessible(page);
    }, { viewport: { width: 390, height: 844 } });
  },
);

story("a page says what is wrong with a link, in words", async (story) => {
  const { link, files, wire } = story;
  // In the order in which the page shows them.
  const items = story.items.toSorted((a, b) => a.name > b.name ? -1 : 1);
  const bare = link.split("#")[0] ?? "";
  const { opaqueId = "" } = parseShareLink(link) ?? {};
  const cases: [string, RegExp][] = [
    [bare, /incomplete/],
    [`${bare}#short`, /damaged/],
    [`${bare}#${"A".repeat(43)}`, /does not open it/],
    [link.replace(opaqueId, "0".repeat(32)), /does not exist, or it has ended/],
    [bare.slice(0, -4), /is missing from its address/],
    [`${bare}f`, /is missing from its address/],
    // A bracket of the text around it is no part of it.
    [`${bare}).`, /incomplete/],
    [bare.replace(opaqueId, "abc/"), /is missing from its address/],
  ];
  for (const [address, words] of cases) {
    await story.visit(async (visitor) => {
      await visitor.page.goto(address);
      await expectAlert(visitor.page, words);
      assert.equal(await visitor.page.locator(".tile").count(), 0);
      // That a link is dead is an answer of 404, which a browser notes.
      const others = visitor.complaints.filter((one) => !/404/.test(one));
      assert.deepEqual(others, []);
    });
  }

  // Without JavaScript there is a sentence.
  await story.visit(async ({ page }) => {
    await page.goto(link);
    const sentence = page.locator("noscript p");
    await sentence.waitFor();
    assert.match(await sentence.innerText(), /needs JavaScript/);
  }, { javaScriptEnabled: false });

  // A changed original, a changed thumbnail, and one that is gone.
  const [first, second, third] = items;
  assert(first !== undefined && second?.thumbnail !== undefined);
  assert(third?.thumbnail !== undefined);
  await damageBlob(story, first.hash, "a flipped byte");
  await damageBlob(story, second.thumbnail.hash, "a flipped byte");
  await damageBlob(story, third.thumbnail.hash, "a missing file");
  await story.visit(async ({ page }) => {
    await page.goto(link);
    await thumbnails(page, files.length - 2);
    await page.locator(".no-picture.damaged").waitFor();
    await until(() => page.locator(".no-picture").count(), 2);
    await openLarge(page, 0);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("damaged or was changed").first().waitFor();
    const whole = page.getByAltText(first.name, { exact: true })
      .and(large(page, "original"));
    assert.equal(await whole.count(), 0);
  });

  // A connection that is gone, and comes back.
  await story.visit(async ({ page }) => {
    const asked = /\/s\/[0-9a-f]{32}$/;
    await page.route(asked, async (route) => {
      if (route.request().isNavigationRequest()) await route.continue();
      else await route.abort();
    });
    await page.goto(link);
    await expectAlert(page, /cannot be reached/);
    await page.unroute(asked);
    await page.getByRole("button", { name: "Try again" }).click();
    await thumbnails(page, files.length - 2);
  });

  await story.owner.account.revokeShare(opaqueId);
  await story.visit(async ({ page }) => {
    await page.goto(link);
    await expectAlert(page, /does not exist, or it has ended/);
    assert.equal(await page.getByRole("button").count(), 0);
  });
  assert(wire.sentBytes > 0);
});

story("a spent budget is waited out, with a countdown", async (story) => {
  await story.visit(async ({ page }) => {
    await page.goto(story.link);
    await thumbnails(page, story.files.length);
    await page.reload();
    await page.getByText(/Continuing in \d+ seconds?\./).waitFor();
  });
}, { STRONGROOM_LIMIT_SHARE_METADATA: "1" });
