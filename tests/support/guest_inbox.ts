/**
 * An inbox of guests' files that two devices of one account see.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Library,
  openGuestBox,
  openLibrary,
  openVault,
  plainOf,
  resumeSession,
} from "../../src/library/mod.ts";
import {
  beginLibrary,
  deviceOf,
  platformOn,
  type TestDevice,
  type Wire,
} from "./library.ts";
import { photo, secondDevice } from "./library_sharing.ts";

/** The photos that wait. */
export const NAMES = ["gate", "hall", "lake", "moor"];

const REQUEST = {
  expiresAt: "2026-12-01T00:00:00Z",
  maxBytes: 1_000_000,
  maxFiles: 200,
};

/** What accepting a photo makes in addition to it. */
export const SMALL = {
  derivatives: [{
    kind: "thumbnail" as const,
    mime: "image/jpeg",
    width: 4,
    height: 3,
    bytes: photo("small"),
  }],
};

/** Two devices that see the same inbox, and how a guest sends more to it. */
export async function twoDevices(wire: Wire, names: readonly string[] = NAMES) {
  const device = deviceOf(wire, "laptop");
  const laptop = await beginLibrary(device, "ada");
  const { url, opaqueId } = await laptop.request(REQUEST);
  const camera = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
  const box = await openGuestBox(camera, url);
  const send = async (name: string) => {
    const about = { name: `${name}.jpg`, mime: "image/jpeg" };
    await box.send({ source: plainOf(photo(name)), about });
  };
  for (const name of names) await send(name);
  const phone = await secondDevice(wire, laptop, "ada");
  const waiting = await laptop.inbox();
  assert.equal(waiting.length, names.length);
  return { device, laptop, phone, waiting, opaqueId, send };
}

/** The library in a program that is started again on a device. */
export async function startedAgain(
  { platform, entrance, store }: TestDevice,
): Promise<Library> {
  const session = await resumeSession(platform, entrance);
  return await openLibrary(await openVault(session), store);
}
