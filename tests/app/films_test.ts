/**
 * Videos that not every browser plays: a copy next to the original that does,
 * and links that hand out a smaller one.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { concatBytes } from "../../src/core/bytes.ts";
import { plainOf, type Row } from "../../src/library/mod.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { madeFilm, probed } from "../support/films.ts";
import { until } from "../support/until.ts";
import { FFMPEG } from "../support/videos.ts";
import { appStory, BY_NIGHT, nightStory } from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
} from "../support/web_people.ts";

const PLAYER = ".lightbox-slide[data-offset='0'] video";

async function take(
  { library }: Photographer,
  film: Uint8Array<ArrayBuffer>,
  about: {
    readonly name: string;
    readonly mime?: string;
    readonly place?: { readonly latitude: number; readonly longitude: number };
  },
  copy?: Uint8Array<ArrayBuffer>,
): Promise<Row> {
  const { row } = await library.take({
    source: plainOf(film),
    about: { mime: "video/mp4", taken_at: "2024-06-12T10:00:00Z", ...about },
    derivatives: copy === undefined ? [] : [
      { kind: "playable", mime: "video/mp4", bytes: copy },
    ],
  });
  return row;
}

/** A derivative of an asset, as another device reads it. */
async function derivativeOf(
  { library }: Photographer,
  id: string,
  kind: string,
): Promise<Uint8Array> {
  await library.sync();
  const pieces = library.read(id, { derivative: kind });
  return concatBytes(...await Array.fromAsync(pieces));
}

/** Waits until a film shows pictures. */
async function shown(page: Page): Promise<void> {
  await until(
    () =>
      page.locator(PLAYER).evaluate((one) => {
        const { readyState, videoWidth } = one as unknown as {
          readonly readyState: number;
          readonly videoWidth: number;
        };
        return readyState >= 2 && videoWidth > 0;
      }),
    true,
  );
}

/** Waits until sound of a film was decoded, which Chromium counts. */
async function heard(page: Page): Promise<void> {
  await until(
    () =>
      page.locator(PLAYER).evaluate((one) =>
        (one as unknown as { readonly webkitAudioDecodedByteCount: number })
          .webkitAudioDecodedByteCount > 0
      ),
    true,
  );
}

async function choose(page: Page, item: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: "More" }).last().click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Makes what is open, or selected, playable; waits for what is said of it. */
async function makePlayable(page: Page, told: string): Promise<void> {
  await choose(page, "Make playable everywhere…");
  const dialog = page.getByRole("dialog", { name: "Make playable everywhere" });
  await dialog.waitFor();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Make copies" }).click();
  await dialog.getByText(told).waitFor();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Close" }).last().click();
}

appStory(
  "a video is made playable everywhere: a copy in H.264 next to the original, upright, and without its place",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const original = await madeFilm({
      video: "av1",
      size: "1920x1080",
      seconds: 1,
      audio: "aac",
      turned: 90,
    });
    assert.match((await probed(original)).tags, /9\.2/);
    const place = { latitude: 46, longitude: 9.2 };
    const row = await take(ada, original, { name: "lake.mp4", place });
    const family = await ada.library.albums.create({ title: "Family" });
    await ada.library.copyInto(row.id, family.id);
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.locator(".grid a").first().click();
      await shown(page);
      await makePlayable(page, "1 video plays everywhere now.");
      const copy = await derivativeOf(ada, row.id, "playable");
      const { video, audio, tags, turned, seconds } = await probed(copy);
      assert.equal(video, "h264 1920x1080");
      assert.equal(Math.abs(turned), 90);
      assert.equal(audio, "aac");
      assert(Math.abs(seconds - 1) < 0.2, `${seconds} s`);
      assert.doesNotMatch(tags, /9\.2/);
      const held = ada.library.index.get(row.id)?.metadata;
      assert.deepEqual(
        held?.derivatives.map(({ kind, mime, width, height }) => (
          { kind, mime, width, height }
        )),
        [{ kind: "playable", mime: "video/mp4", width: 1080, height: 1920 }],
      );
      // The members of the album have the same copy.
      const [inAlbum] = ada.library.index.allByPlaintext(held?.sha256 ?? "")
        .filter(({ album }) => album === family.id);
      assert(inAlbum !== undefined);
      assert.deepEqual(
        await derivativeOf(ada, inAlbum.id, "playable"),
        copy,
      );
      // The original is what it was.
      assert.deepEqual(
        concatBytes(...await Array.fromAsync(ada.library.read(row.id))),
        original,
      );
      expectQuiet(visitor, new URL(url).origin);
    });
  },
  {},
  FFMPEG !== "",
);

appStory(
  "a film that this browser cannot play is played by its copy, and without one it says what helps",
  async ({ url, lanUrl, visit }) => {
    const ada = await photographer(url, "ada");
    const hevc = await madeFilm({
      video: "hevc",
      size: "640x360",
      seconds: 2,
      audio: "aac",
    });
    const copy = await madeFilm({
      video: "h264",
      size: "640x360",
      seconds: 2,
      audio: "aac",
    });
    await take(ada, hevc, { name: "with-copy.mp4" }, copy);
    const bare = await madeFilm({
      video: "hevc",
      size: "320x180",
      seconds: 2,
      // Which alone would play.
      audio: "aac",
    });
    await take(ada, bare, { name: "bare.mp4" });
    // On plain http by night: by day video_test.ts plays there.
    for (const at of BY_NIGHT ? [url, lanUrl] : [url]) {
      await visit(async ({ page }) => {
        await openPhotos(page, at, ada);
        await page.locator(".grid a", { hasText: "with-copy" }).click();
        await page.locator(`${PLAYER}[data-copy=playable]`).waitFor();
        await shown(page);
        await page.keyboard.press("Escape");
        await page.locator(".grid a", { hasText: "bare" }).click();
        await page.getByText("This browser cannot play this video").waitFor();
        await page.getByText("On a device that plays it, choose").waitFor();
        await expectAccessible(page);
        await makePlayable(
          page,
          at === url
            ? "This browser cannot read the pictures."
            : "Browsers make copies only over https.",
        );
      });
    }
  },
  {},
  FFMPEG !== "",
);

nightStory(
  "a film whose copy has Opus sound is seen and heard, streamed and on plain http",
  async ({ url, lanUrl, visit }) => {
    const ada = await photographer(url, "ada");
    const row = await take(
      ada,
      await madeFilm({
        video: "vp9",
        size: "640x360",
        seconds: 2,
        audio: "pcm",
      }),
      { name: "sounds.mkv", mime: "video/x-matroska" },
    );
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.locator(".grid a").first().click();
      await makePlayable(page, "1 video plays everywhere now.");
    });
    const copy = await derivativeOf(ada, row.id, "playable");
    assert.equal((await probed(copy)).audio, "opus");
    // Chromium plays that original by itself, but not this one.
    const hevc = await madeFilm({
      video: "hevc",
      size: "640x360",
      seconds: 2,
      audio: "aac",
    });
    await take(
      ada,
      hevc,
      { name: "hevc.mp4" },
      copy as Uint8Array<ArrayBuffer>,
    );
    // On plain http the copy is cut for the browser's Media Source.
    for (const [at, way] of [[url, "stream"], [lanUrl, "remux"]] as const) {
      await visit(async ({ page }) => {
        await openPhotos(page, at, ada);
        if (way === "stream") {
          await until(
            () => page.evaluate("navigator.serviceWorker.controller !== null"),
            true,
          );
        }
        await page.locator(".grid a", { hasText: "hevc" }).click();
        await page.locator(`${PLAYER}[data-copy=playable]`).waitFor();
        await shown(page);
        await heard(page);
        // A way that fails gives way to another.
        assert.equal(
          await page.locator(PLAYER).getAttribute("data-way"),
          way,
        );
      }, { serviceWorkers: "allow" });
    }
  },
  {},
  FFMPEG !== "",
);

// By day tests/clients/library_given_links_test.ts: a link gives its films as
// smaller copies. That a browser makes them for a link is shown by night only.
nightStory(
  "a link gives films in 720p, which are made for it and tell no place",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const place = { latitude: 46, longitude: 9.2 };
    const large = await take(
      ada,
      await madeFilm({ video: "h264", size: "1920x1080", seconds: 2 }),
      { name: "large.mp4", place },
    );
    const sounds = await take(
      ada,
      await madeFilm({
        video: "vp9",
        size: "640x360",
        seconds: 2,
        audio: "pcm",
      }),
      { name: "sounds.mkv", mime: "video/x-matroska" },
    );
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.locator(".grid a").first().waitFor();
      await page.keyboard.press("Control+a");
      await page.getByRole("button", { name: "Share link…" }).click();
      await page.getByText("1 video is left out").waitFor();
      await page.getByLabel("Videos in 720p").check();
      await page.getByText("play on every phone").waitFor();
      await page.getByRole("heading", { name: "Share 2 videos" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Create link" }).click();
      const made = page.getByLabel("Link", { exact: true });
      await made.waitFor();
      const link = await made.inputValue();
      const one = await derivativeOf(ada, large.id, "playable-720");
      assert.equal((await probed(one)).video, "h264 1280x720");
      const other = await derivativeOf(ada, sounds.id, "playable-720");
      const { video, audio } = await probed(other);
      assert.deepEqual([video, audio], ["h264 640x360", "opus"]);
      await visit(async (stranger) => {
        const { page } = stranger;
        await page.goto(link);
        await page.getByText("smaller copies without their location").waitFor();
        await page.locator(".grid a").first().click();
        await shown(page);
        await page.keyboard.press("ArrowRight");
        await shown(page);
      });
      expectQuiet(visitor, new URL(url).origin);
    });
  },
  {},
  FFMPEG !== "",
);

nightStory(
  "a link that was given out is changed to films in 720p, which are made for it, and back",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const place = { latitude: 46, longitude: 9.2 };
    const film = await madeFilm({
      video: "h264",
      size: "1920x1080",
      seconds: 2,
    });
    const large = await take(ada, film, { name: "large.mp4" });
    const lake = await take(
      ada,
      await madeFilm({ video: "h264", size: "1920x1080", seconds: 1 }),
      { name: "lake.mp4", place },
    );
    const { opaqueId, url: link } = await library.share({
      assetIds: [large.id, lake.id],
      places: "kept",
    });
    const given = async () => {
      await library.sync();
      const { items } = await library.shareContents(opaqueId);
      return items.map(({ hash, assetId }) => {
        const { blobs = [], metadata } = library.index.get(assetId ?? "") ?? {};
        return metadata?.derivatives.find((one) => one.hash === hash)?.kind ??
          blobs.find((one) => one.hash === hash)?.role;
      });
    };
    assert.deepEqual(await given(), ["original", "original"]);
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/sharing/link/${opaqueId}`);
      const dialog = page.getByRole("dialog", { name: "Change" });
      const smaller = dialog.getByLabel("Videos in 720p");
      const save = async () => {
        await dialog.getByRole("button", { name: "Save" }).click();
        await dialog.waitFor({ state: "detached" });
      };
      const change = page.getByRole("button", { name: "Change", exact: true });
      await change.click();
      assert.equal(await smaller.isChecked(), false);
      await smaller.check();
      await dialog.getByText("play on every phone").waitFor();
      await expectAccessible(page);
      await save();
      await until(
        async () => (await given()).join(),
        "playable-720,playable-720",
      );
      const one = await derivativeOf(ada, large.id, "playable-720");
      assert.equal((await probed(one)).video, "h264 1280x720");
      await visit(async ({ page }) => {
        await page.goto(link);
        await page.locator(".grid a").first().click();
        await shown(page);
      });

      await page.getByRole("button", { name: "Change", exact: true }).click();
      await until(() => smaller.isChecked(), true);
      await smaller.uncheck();
      await dialog.getByText("still gives a copy without it").waitFor();
      await save();
      // That of the lake tells where it was taken.
      await until(async () => (await given()).join(), "original,playable-720");
      expectQuiet(visitor, new URL(url).origin);
    });
  },
  {},
  FFMPEG !== "",
);
