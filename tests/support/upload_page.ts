/**
 * A server with an upload link, and its page in a real browser.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { becomeOwner, type Owner } from "../../scripts/demo/owner.ts";
import { freePort } from "../../src/server/free_port.ts";
import { randomBytes } from "../../scripts/demo/staging.ts";
import { createClient } from "../../src/client/api/api.ts";
import { recipientFingerprint } from "../../src/client/documents/upload_link.ts";
import { toBase64, toHex } from "../../src/core/bytes.ts";
import { CHROMIUM, type Chromium, sharedChromium } from "./browser.ts";
import type { Json } from "./expect.ts";
import { MortalServer } from "./mortal_server.ts";
import { withDataDir } from "./program.ts";
import { Wire } from "./wire.ts";

export const MIB = 1024 * 1024;

const DAY_MS = 86_400_000;

interface Story {
  readonly server: MortalServer;
  readonly wire: Wire;
  readonly owner: Owner;
  readonly browser: Chromium;
}

const browser = sharedChromium();

async function withStory(test: (story: Story) => Promise<void>) {
  await withDataDir(async (dataDir) => {
    const port = freePort();
    const server = new MortalServer({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_LISTEN: `127.0.0.1:${port}`,
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
    });
    await server.start();
    const wire = new Wire(port);
    try {
      const client = createClient({
        baseUrl: `http://127.0.0.1:${port}`,
        fetch: (input, init) => fetch(input, init),
      });
      const owner = await becomeOwner(client);
      await test({ server, wire, owner, browser });
    } finally {
      wire.close();
      await server.stop();
    }
  });
}

/** A request of the owner's; resolves to its JSON, or undefined without one. */
export async function ask(
  { server, owner }: Story,
  method: string,
  path: string,
  json?: Json,
): Promise<Json> {
  const token = owner.account.tokens().access_token;
  const response = await server.send(
    method,
    path,
    json === undefined ? { token } : { token, json },
  );
  const text = await response.text();
  assert(response.ok, text);
  return text === "" ? undefined : JSON.parse(text);
}

/** Issues an upload link; resolves to its id. */
export async function issue(story: Story, over: Json = {}): Promise<string> {
  const opaqueId = toHex(randomBytes(16));
  await ask(story, "POST", "/v1/upload-links", {
    opaque_id: opaqueId,
    recipient_key: toBase64(await story.owner.identity.sealing.publicKey()),
    expires_at: new Date(Date.now() + DAY_MS).toISOString(),
    max_bytes: 64 * MIB,
    max_files: 2,
    ...over,
  });
  return opaqueId;
}

/** The fingerprint of the owner's key. */
export async function fingerprintOf({ owner }: Story) {
  return recipientFingerprint(await owner.identity.sealing.publicKey());
}

/** Bytes that a test and a page can both make. */
export function patterned(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    bytes[i] = state >>> 16;
  }
  return bytes;
}

/** Drops a file of {@link patterned} bytes onto the page. */
export async function drop(
  page: Page,
  name: string,
  length: number,
): Promise<void> {
  await page.getByRole("button", { name: "Choose photos" }).waitFor();
  await page.evaluate(([name, length, type]) => {
    const bytes = new Uint8Array(length);
    let state = 1;
    for (let i = 0; i < length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      bytes[i] = state >>> 16;
    }
    const window = globalThis as Json;
    const dataTransfer = new window.DataTransfer();
    dataTransfer.items.add(new File([bytes], name, { type }));
    const happened = { dataTransfer, bubbles: true, cancelable: true };
    window.document.body.dispatchEvent(
      new window.DragEvent("drop", happened),
    );
  }, [name, length, "video/mp4"] as const);
}

/** How long a slow machine may take over a file at most, and over none. */
const PER_FILE_MS = 2_000;
const PATIENCE_MS = 60_000;

/** Waits until the page says that so many files are there. */
export async function untilArrived(page: Page, files: number): Promise<void> {
  const said = files === 1
    ? "1 file has arrived"
    : `${files} files have arrived`;
  await page.getByRole("heading", { name: `${said}. You can close` })
    .waitFor({ timeout: PATIENCE_MS + files * PER_FILE_MS });
}

/** A test in the browser, over a server and an owner of its own. */
export function browserTest(
  name: string,
  test: (story: Story) => Promise<void>,
) {
  Deno.test({
    name,
    ignore: CHROMIUM === "",
    // The driver keeps its pipes to the browser for a moment.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () => withStory(test),
  });
}
