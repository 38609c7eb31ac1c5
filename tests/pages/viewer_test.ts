/**
 * The viewer page in a real browser, over a real server
 * (protocol/links.md#viewing).
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { parseShareLink } from "../../src/client/share.ts";
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

async function expectAlert(page: Page, text: RegExp): Promise<void> {
  const alert = page.getByRole("alert").filter({ hasText: text });
  await alert.waitFor();
}

/** Where the server keeps a blob. */
function blobPath({ dataDir }: Story, hash: string): string {
  return `${dataDir}/blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
}

async function flipByte(path: string, at: number): Promise<void> {
  const bytes = await Deno.readFile(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await Deno.writeFile(path, bytes);
}

story(
  "a browser shows and saves what a link shares, byte for byte",
  async (story) => {
    const { files, link, wire } = story;
    await story.visit(async (visitor) => {
      const { page } = visitor;
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
      await page.getByRole("button", { name: files[0]?.name ?? "" }).click();
      for (const file of files) {
        const image = page.getByRole("dialog").getByAltText(file.name);
        await image.waitFor();
        const address = await image.getAttribute("src") ?? "";
        const sample = await sha256Of(file.path);
        assert.equal(await hashOfBlobAt(page, address), sample, file.name);
        const saving = page.waitForEvent("download");
        await page.getByRole("button", { name: `Download ${file.name}` })
          .click();
        const saved = await saving;
        assert.equal(saved.suggestedFilename(), file.name);
        assert.equal(await sha256Of(await saved.path()), sample);
        await page.keyboard.press("ArrowRight");
      }
      // Round to the first, and out again, to where it began.
      await page.getByAltText(files[0]?.name ?? "", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      assert.equal(
        await page.evaluate("document.activeElement.className"),
        "tile",
      );
      expectQuiet(visitor, wire.origin);
    });

    // The locked link: a wrong passphrase is told without asking again.
    await story.visit(async (visitor) => {
      const { page, requests } = visitor;
      await page.goto(story.lockedLink);
      const field = page.getByLabel("Passphrase");
      await field.fill("seven quiet ponds");
      await field.press("Enter");
      await expectAlert(page, /does not fit/);
      await field.fill(`  ${PASSPHRASE} `);
      await field.press("Enter");
      await thumbnails(page, files.length);
      const asked = requests.filter((one) => one.endsWith("/wrapped-secret"));
      assert.equal(asked.length, 1);
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
  },
);

story(
  "a page shows what the sharer says, and a preview in place of what is too big",
  async (story) => {
    const [first, second] = story.items;
    assert(first?.thumbnail !== undefined && second?.thumbnail !== undefined);
    const big = {
      ...first,
      name: "big.jpg",
      size: 65 * 1024 * 1024,
      taken_at: "2026-09-30T16:03:11.000Z",
      caption: "Am Hafen\n<b>spät</b>\u202e",
      preview: first.thumbnail,
    };
    const unserved = {
      ...second,
      name: "small.jpg",
      preview: { ...second.thumbnail, key: first.key },
    };
    const link = await story.shareAgain([big, unserved], "Two", {
      from: "Ada\u202e & Ben",
      message: "Look at the first one.\n<i>Really.</i>",
    });
    await story.visit(async (visitor) => {
      const { page, requests } = visitor;
      await page.goto(link);
      await page.getByText("From Ada & Ben. 2 files,").waitFor();
      const message = await page.locator(".message").innerText();
      assert.equal(message, "Look at the first one.\n<i>Really.</i>");
      await thumbnails(page, 2);
      await page.getByRole("button", { name: "big.jpg" }).click();
      const dialog = page.getByRole("dialog");
      const shown = dialog.locator("img:not(.rough)");
      await shown.waitFor();
      const address = await shown.getAttribute("src") ?? "";
      const preview = await sha256Of(story.files[0]?.thumbnail?.path ?? "");
      assert.equal(await hashOfBlobAt(page, address), preview);
      assert.equal(
        await dialog.locator(".told").innerText(),
        "Am Hafen\n<b>spät</b>",
      );
      assert(!requests.some((one) => one.endsWith(first.hash)));
      // A preview that does not open costs nothing but itself.
      await page.keyboard.press("ArrowRight");
      const image = dialog.getByAltText("small.jpg", { exact: true });
      await image.waitFor();
      const original = await sha256Of(story.files[1]?.path ?? "");
      const whole = await image.getAttribute("src") ?? "";
      assert.equal(await hashOfBlobAt(page, whole), original);
      assert(!await dialog.locator(".told").isVisible());
      expectQuiet(visitor, story.wire.origin);
    });
  },
);

story(
  "what is a document in a tab of its own is saved and not looked at",
  async (story) => {
    const [item] = story.items;
    assert(item?.thumbnail !== undefined);
    const mimes = ["image/svg+xml", "image/x+xml", "text/html", "javascript:0"];
    const items = mimes.map((mime, i) => ({
      ...item,
      name: `<b>${i}</b>.${i}`,
      mime,
    }));
    const { thumbnail, ...bare } = item;
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
      for (const { name } of items) {
        const saving = page.waitForEvent("download");
        await page.getByRole("button", { name: `Download ${name}` }).click();
        await saving;
      }
      await thumbnails(page, 1);
      const types = await page.evaluate(() =>
        [...(globalThis as unknown as { madeBlobs: Map<string, Blob> })
          .madeBlobs.values()].map(({ type }) => type)
      );
      // The icon's is the page's own.
      assert.deepEqual(
        types.slice(1).filter((type) => type !== "application/octet-stream"),
        [],
      );
      expectQuiet(visitor, story.wire.origin);
    });
  },
);

story("a page says what is wrong with a link, in words", async (story) => {
  const { link, files, items, wire } = story;
  const bare = link.split("#")[0] ?? "";
  const { opaqueId = "" } = parseShareLink(link) ?? {};
  const cases: [string, RegExp][] = [
    [bare, /not complete/],
    [`${bare}#short`, /damaged/],
    [`${bare}#${"A".repeat(43)}`, /does not open it/],
    [link.replace(opaqueId, "0".repeat(32)), /does not exist, or it has ended/],
  ];
  for (const [address, words] of cases) {
    await story.visit(async (visitor) => {
      await visitor.page.goto(address);
      await expectAlert(visitor.page, words);
      assert.equal(await visitor.page.locator("img").count(), 0);
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
    assert.match(await sentence.innerText(), /it needs JavaScript/);
  }, { javaScriptEnabled: false });

  // A changed original, a changed thumbnail, and one that is gone.
  const [first, second, third] = items;
  assert(first !== undefined && second?.thumbnail !== undefined);
  assert(third?.thumbnail !== undefined);
  await flipByte(blobPath(story, first.hash), 5_000);
  await flipByte(blobPath(story, second.thumbnail.hash), 500);
  await Deno.remove(blobPath(story, third.thumbnail.hash));
  await story.visit(async ({ page }) => {
    await page.goto(link);
    await thumbnails(page, files.length - 2);
    await page.getByText(`${second.name}: What arrived is damaged`).waitFor();
    await page.getByText(`${third.name}: This link does not exist`).waitFor();
    await page.getByRole("button", { name: first.name }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("What arrived is damaged").waitFor();
    assert.equal(await dialog.locator("img").count(), 0);
    const saves = dialog.getByRole("button", { name: "Download" });
    await saves.click();
    await dialog.locator(".bar .wrong-text").waitFor();
  });

  // A connection that is gone, and comes back.
  await story.visit(async ({ page }) => {
    const slow = page.waitForRequest(/\/s\/[0-9a-f]{32}$/);
    await page.route(/\/s\/[0-9a-f]{32}$/, async (route) => {
      if (route.request().isNavigationRequest()) await route.continue();
      else await route.abort();
    });
    await page.goto(link);
    await slow;
    await expectAlert(page, /cannot be reached/);
    await page.unroute(/\/s\/[0-9a-f]{32}$/);
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
    await page.getByText(/Going on in \d+ seconds?\./).waitFor();
  });
}, { STRONGROOM_LIMIT_SHARE_METADATA: "2" });
