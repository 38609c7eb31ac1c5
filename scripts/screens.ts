/**
 * `deno task screens`: pictures of the pages, for the README, made of a real
 * share link in Debian's Chromium.
 *
 * @module
 */
import { chromium } from "playwright-core";

const PICTURE = new URL("../src/docs/images/viewer.jpg", import.meta.url);
const CHROMIUM = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";
/** Until every thumbnail is decrypted and shown (ms). */
const SETTLE_MS = 3_000;

/** Starts the demo and resolves to its link, with the server still running. */
async function openDemo(): Promise<{ link: string; stop: () => void }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo", "--keep"],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let said = "";
  for await (
    const text of child.stdout.pipeThrough(new TextDecoderStream())
  ) {
    said += text;
    const link = /The link: (\S+)/.exec(said)?.[1];
    if (link !== undefined && said.includes("Serving until")) {
      return { link, stop: () => child.kill("SIGINT") };
    }
  }
  throw new Error("the demo ended without a link");
}

const demo = await openDemo();
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
try {
  const page = await browser.newPage({
    viewport: { width: 1_100, height: 620 },
  });
  await page.goto(demo.link);
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({
    path: decodeURIComponent(PICTURE.pathname),
    type: "jpeg",
    quality: 80,
  });
  if (Deno.args[0] !== undefined) await page.screenshot({ path: Deno.args[0] });
} finally {
  await browser.close();
  demo.stop();
}
