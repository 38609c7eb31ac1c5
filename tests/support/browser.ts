/**
 * A real browser: Debian's chromium, driven over its own protocol. Whatever a
 * page does that it should not is kept for the test to see.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
} from "playwright-core";
import { debianProgram } from "./debian.ts";
import "./whole_app.ts";

/** Chromium with its menus and windows, on a screen that is not shown. */
const WHOLE = await debianProgram("chromium", "chromium");
const SHELL = await debianProgram(
  "chromium-headless-shell",
  "chromium-headless-shell",
);
/**
 * Empty where there is no chromium. The same engine without what is around
 * pages takes a sixth less of the processor for a story.
 */
export const CHROMIUM = SHELL ?? WHOLE ?? "";

/** Nothing a page does here takes longer (ms). */
const PATIENCE_MS = 60_000;

/**
 * How many times slower the browser's pages are than this machine: stories hold
 * on slow ones too, and TEST_SLOWER=6 finds those that do not.
 */
const SLOWER = Number(Deno.env.get("TEST_SLOWER") ?? 1);

/**
 * What the browser takes for its camera: one JPEG is a video of one picture.
 */
const CAMERA = "sees.mjpeg";

/** What the driver says in the console where it lets no service worker come. */
const BLOCKED = "Service Worker registration blocked by Playwright";

/** A visitor at a page. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser complained of: errors, warnings, policy violations. */
  readonly complaints: string[];
  /** Addresses that the page asked for. */
  readonly requests: string[];
}

export interface VisitorOptions {
  readonly colorScheme?: "light" | "dark";
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly javaScriptEnabled?: boolean;
  readonly hasTouch?: boolean;
  readonly locale?: string;
  /**
   * Whether the app's service worker may come; "block" if not said. It fetches
   * 330 files of the app, about half of what a story takes of the processor.
   * Without it the app is as in a private window of some browsers.
   */
  readonly serviceWorkers?: "allow" | "block";
  /** Whether the browser itself is used, which fetches while no page is open. */
  readonly isWhole?: boolean;
  /**
   * Whether the page and its workers believe certificates of any authority,
   * such as one that the test made.
   */
  readonly believesAnyCertificate?: boolean;
}

let shared: Chromium | undefined;

/**
 * The one browser of an entry's tests: the first visit starts it, and it ends
 * after the last test. To be called while the file is loaded.
 */
export function sharedChromium(): Chromium {
  if (shared !== undefined) return shared;
  const browser = shared = new Chromium();
  Deno.test.afterAll(() => browser.close());
  return browser;
}

/** A browser process, whose visitors do not know of each other. */
export class Chromium {
  readonly #browsers = new Map<string, Browser>();
  #camera: string | undefined;

  /** Lends a visitor without any history. */
  async visit(
    test: (visitor: Visitor) => Promise<void>,
    {
      isWhole = false,
      serviceWorkers = "block",
      believesAnyCertificate = false,
      ...options
    }: VisitorOptions = {},
  ): Promise<void> {
    this.#camera ??= await Deno.makeTempDir({ prefix: "strongroom-camera-" });
    const browser = await this.#started(
      isWhole ? WHOLE ?? "" : CHROMIUM,
      believesAnyCertificate ? ["--ignore-certificate-errors"] : [],
    );
    const context = await browser.newContext({ ...options, serviceWorkers });
    context.setDefaultTimeout(PATIENCE_MS);
    try {
      const complaints: string[] = [];
      const requests: string[] = [];
      await context.addInitScript(watchBlobs);
      context.on("console", (message) => {
        const kind = message.type();
        const text = message.text();
        if (text === BLOCKED) return;
        // A whole browser asks for an icon of JSON, too (web_profile.ts).
        const { url } = message.location();
        if (isWhole && url.endsWith("/favicon.ico")) return;
        if (kind === "error" || kind === "warning") {
          complaints.push(`${kind}: ${text}`);
        }
      });
      context.on("weberror", (error) => {
        complaints.push(String(error.error()));
      });
      context.on("request", (request) => requests.push(request.url()));
      const page = await context.newPage();
      if (SLOWER > 1) await slowDown(page);
      loadWhenStill(page);
      await test({ page, context, complaints, requests });
    } catch (error) {
      throw await withWhatWasSeen(error, context);
    } finally {
      await context.close();
    }
  }

  async #started(
    executablePath: string,
    more: readonly string[],
  ): Promise<Browser> {
    const kind = [executablePath, ...more].join(" ");
    const running = this.#browsers.get(kind);
    if (running !== undefined) return running;
    const browser = await chromium.launch({
      executablePath,
      // Tests run as root in containers, where chromium's own sandbox cannot.
      args: [
        "--no-sandbox",
        "--disable-dev-shm-usage",
        // Names of a home and of the public network: no secure contexts.
        "--host-resolver-rules=MAP *.lan 127.0.0.1,MAP *.example 127.0.0.1",
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        `--use-file-for-fake-video-capture=${this.#camera}/${CAMERA}`,
        ...more,
      ],
    });
    this.#browsers.set(kind, browser);
    return browser;
  }

  /** Puts a picture (JPEG) before the camera, for whoever opens it next. */
  async show(picture: Uint8Array): Promise<void> {
    if (this.#camera === undefined) throw new Error("no browser was started");
    await Deno.writeFile(`${this.#camera}/${CAMERA}`, picture);
  }

  async close(): Promise<void> {
    for (const browser of this.#browsers.values()) await browser.close();
    if (this.#camera === undefined) return;
    await Deno.remove(this.#camera, { recursive: true });
  }
}

/** Gives a page a processor that is so many times slower. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
}

/** Most of a page's text that a failure tells. */
const TOLD_CHARS = 1_500;

/** The fault of a story, with what its pages showed at that moment. */
async function withWhatWasSeen(
  error: unknown,
  context: BrowserContext,
): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  const seen = await Promise.all(
    context.pages().map(async (page) => {
      // A page that answers nothing more must not hide why the story failed.
      const text = await page.locator("body").innerText({ timeout: 5_000 })
        .catch(() => "(nothing could be read)");
      return `${page.url()}\n${text.slice(0, TOLD_CHARS)}`;
    }),
  );
  error.message = [error.message, "The pages showed:", ...seen].join("\n");
  return error;
}

/** Within this time a page has left the entries of what closed (ms). */
const LEFT_MS = 3_000;

/**
 * What closes takes its entry out of the history a moment later. A page that is
 * loaded at that very moment is cut off by it, or goes back from where it was
 * led; so that is waited for, and what was cut off is loaded once more.
 */
function loadWhenStill(page: Page): void {
  const again =
    <A extends unknown[], T>(load: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      // What is open keeps its entry, and a page may be on its way already.
      await page.waitForFunction(hasLeft, null, { timeout: LEFT_MS })
        .catch(() => {});
      return await load(...args).catch((error) => {
        if (!String(error).includes("ERR_ABORTED")) throw error;
        return load(...args);
      });
    };
  page.reload = again(page.reload.bind(page));
  page.goto = again(page.goto.bind(page));
}

/** Runs in the page: whether it is at no entry of what is or was open. */
function hasLeft(): boolean {
  const { history } = globalThis as unknown as {
    history: { state: { layer?: string } | null };
  };
  return history.state?.layer === undefined;
}

/** Runs in the page: whether the service worker answers it. */
export function hasWorker(): boolean {
  const { serviceWorker } = globalThis.navigator as unknown as {
    serviceWorker: { controller: unknown };
  };
  return serviceWorker.controller !== null;
}

/** Runs in each page: keeps the Blobs that get an address. */
function watchBlobs(): void {
  const page = globalThis as typeof globalThis & {
    madeBlobs?: Map<string, Blob>;
  };
  const made = page.madeBlobs = new Map();
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    const address = create.call(URL, blob);
    if (blob instanceof Blob) made.set(address, blob);
    return address;
  };
  globalThis.addEventListener("securitypolicyviolation", (event) => {
    // deno-lint-ignore no-console
    console.error(`policy: ${(event as unknown as Json).violatedDirective}`);
  });
}

// deno-lint-ignore no-explicit-any
type Json = any;

/** SHA-256 in hex of the Blob behind an image's or player's address. */
export function hashOfBlobAt(page: Page, address: string): Promise<string> {
  return page.evaluate(async (address) => {
    const blob: Blob = (globalThis as Json).madeBlobs.get(address);
    const bytes = await blob.arrayBuffer();
    const digest = new Uint8Array(
      await crypto.subtle.digest("SHA-256", bytes),
    );
    return [...digest].map((one) => one.toString(16).padStart(2, "0")).join("");
  }, address);
}

/** Nothing was complained of, and nothing was asked of another origin. */
export function expectQuiet(visitor: Visitor, origin: string): void {
  assert.deepEqual(visitor.complaints, []);
  for (const address of visitor.requests) {
    const { protocol } = new URL(address);
    assert(protocol === "blob:" || new URL(address).origin === origin, address);
  }
}
