/**
 * The Safety view: what is proven, what was lost, and a server that lies.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  addPhotos,
  type AppStory,
  appStory,
  samplePhotos,
  signInAt,
  signUp,
} from "../support/web_app.ts";

appStory(
  "what the server loses is named, can be proven, and comes back when it is added again",
  async ({ url, dataDir, visit }) => {
    const photos = samplePhotos();
    await visit(async ({ page }) => {
      const secret = await signUp(page, url, "ada@example.org");
      await page.getByRole("link", { name: "Safety", exact: true }).click();
      await page.getByText("Nothing is kept yet").waitFor();
      await page.getByRole("heading", { name: "Safety", level: 1 }).waitFor();
      await addPhotos(page, photos);
      await page.getByText(`All ${photos.length} photos are provably kept`)
        .waitFor();

      const [largest] = await blobsBySize(`${dataDir}/data/blobs`);
      assert(largest !== undefined);
      await Deno.remove(largest);
      await page.getByRole("button", { name: "Start: Ask the server" }).click();
      await page.getByRole("heading", {
        name: "1 photo is not as it should be",
      }).waitFor();
      await page.getByText("The server does not have it any more").waitFor();
      const name = await page.locator(".kept-alarms a").innerText();

      // Wherever one goes on to, and after a reload.
      await page.goto(`${url}/#/photos`);
      await page.reload();
      const alarm = page.locator(".banner.wrong");
      await alarm.getByText("1 photo is not as it should be").waitFor();
      await alarm.getByRole("link", { name: "Safety" }).click();
      await page.getByText("The server does not have it any more").waitFor();

      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save a report" }).click();
      const report = JSON.parse(
        await Deno.readTextFile(await (await saving).path()),
      );
      assert.equal(report.photos.length, photos.length);
      // Original, provenance and what is made of them: each has its receipt.
      assert(report.receipts.length >= 3 * photos.length);
      const lost = report.photos.filter((one: { custody: string }) =>
        one.custody === "missing"
      );
      assert.deepEqual(lost.map((one: { name: string }) => one.name), [name]);

      await addPhotos(page, photos.filter((path) => path.endsWith(name)));
      await page.getByText(`All ${photos.length} photos are provably kept`)
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
        await other.getByText(`All ${photos.length} photos are provably kept`)
          .waitFor();
      });
    });
  },
);

appStory(
  "a server whose receipt is wrong is named, and gets nothing more",
  async (story) => {
    const { visit } = story;
    await using liar = lyingFront(story);
    await visit(async ({ page }) => {
      await signUp(page, liar.origin, "ada@example.org");
      await page.locator("input[data-add=files]").setInputFiles(
        samplePhotos().slice(0, 1),
      );
      await page.getByText("The server's receipt is not right").waitFor();
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
function lyingFront({ url }: Pick<AppStory, "url">) {
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
