/**
 * What a share link of thousands takes of a visitor's memory.
 *
 * @module
 */
import type { Browser } from "playwright-core";
import { say } from "./support.ts";
import { renderers } from "./web_frames.ts";

const STEP_PX = 600;
const PAUSE_MS = 60;
const SETTLED_MS = 1_500;
const MIB = 1024;

/** Scrolls a link's page through to its end, and says what that took. */
export async function measureShare(
  browser: Browser,
  link: string,
  count: number,
): Promise<void> {
  const others = new Set(renderers());
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
  });
  const page = await context.newPage();
  await page.goto(link);
  await page.locator(".grid img").nth(5).waitFor({ timeout: 120_000 });
  const before = memoryOf(others);
  await page.evaluate(`(async () => {
    for (;;) {
      const end = document.documentElement.scrollHeight - innerHeight;
      if (scrollY >= end - 1) break;
      scrollBy(0, ${STEP_PX});
      await new Promise((done) => setTimeout(done, ${PAUSE_MS}));
    }
  })()`);
  await page.locator(".grid img").first().waitFor();
  const cdp = await context.newCDPSession(page);
  // What is not collected yet is given back as soon as anybody wants it, and so
  // are decoded pictures, which a browser keeps by how large the machine is.
  await cdp.send("HeapProfiler.collectGarbage");
  const kept = memoryOf(others);
  await cdp.send("Memory.simulatePressureNotification", { level: "critical" });
  await page.waitForTimeout(SETTLED_MS);
  const after = memoryOf(others);
  const { nodes } = await cdp.send("Memory.getDOMCounters");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  say(
    `a share of ${count.toLocaleString("en")}, scrolled through: ` +
      `${after.toFixed(0)} MiB (target 300), ${before.toFixed(0)} before, ` +
      `${kept.toFixed(0)} until another program wants memory; ` +
      `heap ${(usedSize / 1e6).toFixed(1)} MB, ${nodes} nodes`,
  );
  await context.close();
}

/**
 * Memory of its own of the process that draws the page (MiB): the largest of
 * those that were not there before, because a browser keeps spare ones.
 */
function memoryOf(others: ReadonlySet<number>): number {
  let most = 0;
  for (const pid of renderers()) {
    if (others.has(pid)) continue;
    const told = Deno.readTextFileSync(`/proc/${pid}/status`);
    const kib = ["RssAnon", "RssShmem"].map((name) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(told)?.[1] ?? 0)
    );
    most = Math.max(most, kib.reduce((sum, one) => sum + one, 0));
  }
  return most / MIB;
}
