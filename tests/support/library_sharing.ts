/**
 * Photos and devices for the tests of sharing.
 *
 * @module
 */
import { createGuest } from "../../src/client/api/links.ts";
import {
  guestBinding,
  sealGuestFile,
} from "../../src/client/documents/guest.ts";
import { sealTo } from "../../src/client/keys/sealing.ts";
import { encryptBytes } from "../../src/client/stream/stream.ts";
import {
  encodeShareIndex,
  parseShareLink,
} from "../../src/client/documents/share.ts";
import { fromBase64, utf8 } from "../../src/core/bytes.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { type Library, memoryStore } from "../../src/library/mod.ts";
import { deliverSealed } from "../../src/library/sharing/guest_delivery.ts";
import { storeEncoded } from "../../src/library/sharing/link_index.ts";
import { openCustody } from "../../src/library/trust/custody.ts";
import { ORIGIN, withTestApp } from "./app.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  libraryOn,
  platformOn,
  type Wire,
  wireTo,
} from "./library.ts";
import { seenByLink } from "./link_viewer.ts";
import { ciphertext } from "./people.ts";

/** The bytes of a photo. */
export const photo = (name: string) => ciphertext(name, 3_000);

/** Takes a photo into a library. */
export async function take(library: Library, name: string, more: object = {}) {
  const { row } = await library.take({
    ...fileOf(`${name}.jpg`, photo(name)),
    ...more,
  });
  return row;
}

/** Gives a link an index of which a newer program wrote some items. */
export async function giveNewer(
  wire: Wire,
  library: Library,
  { url, opaqueId }: { readonly url: string; readonly opaqueId: string },
  change: (items: readonly Record<string, unknown>[]) => readonly unknown[],
  more: object = {},
): Promise<void> {
  const { index } = await seenByLink(wire, url);
  const json = JSON.parse(new TextDecoder().decode(encodeShareIndex(index)));
  await giveIndex(
    library,
    { url, opaqueId },
    { ...json, n: index.n + 1, items: change(json.items), ...more },
    index.items.map((item) => item.hash),
  );
}

/** Gives a link an index, also one that no program of today writes. */
export async function giveIndex(
  { vault, index }: Library,
  { url, opaqueId }: { readonly url: string; readonly opaqueId: string },
  given: Readonly<Record<string, unknown>>,
  serves: readonly string[] = [],
): Promise<void> {
  const { secret } = parseShareLink(url) ?? {};
  if (secret === undefined) throw new Error("it has no secret");
  const { hash } = await storeEncoded(
    { vault, custody: openCustody(vault, memoryStore()), index },
    utf8(JSON.stringify(given)),
    String(given["title"] ?? "share-index.json"),
    { opaqueId, secret: new Uint8Array(secret) },
  );
  await vault.session.account.changeShare(opaqueId, {
    metadataHash: hash,
    serves: [hash, ...serves],
  });
}

/**
 * Edits a photo as a device does that is killed before it has changed links, of
 * which one cannot be read. The newest program finishes it.
 */
export async function editHalf(
  library: Library,
  id: string,
  title: string,
): Promise<void> {
  const link = await library.share({ assetIds: [id], title });
  await giveIndex(library, link, { v: 2, n: 1, title });
  const blobs = library.index.get(id)?.blobs ?? [];
  const edit = { mirrored: true as const };
  await library.amend(id, { about: { edit }, derivatives: [] });
  const { vault, state } = library;
  const { device, platform } = vault.session;
  const value = {
    by: device.device_id,
    edit: JSON.stringify(edit),
    assets: Object.fromEntries(blobs.map(({ hash }) => [hash, id])),
  };
  const at = new Date(platform.now()).toISOString();
  await state.change((held) => ({
    ...held,
    settings: { ...held.settings, [`edit/${id}`]: { value, at } },
  }));
}

/**
 * Sends a file by an upload link, bound to this gate or to none: the server,
 * which knows a link's key, can do that.
 */
export async function forgeGuestFile(
  { fetch }: Pick<Wire, "fetch">,
  { origin = ORIGIN, opaqueId }: {
    readonly origin?: string;
    readonly opaqueId: string;
  },
  { name, mime = "image/jpeg", bytes = photo(name), gate, v = 1 }: {
    readonly name: string;
    readonly mime?: string;
    readonly bytes?: Uint8Array<ArrayBuffer>;
    readonly gate?: Uint8Array;
    /** Of what only newer programs can read. */
    readonly v?: number;
  },
): Promise<void> {
  const forger = platformOn({ fetch, now: () => 0 }, `forged ${name}`);
  const guest = createGuest({ baseUrl: origin, fetch }, opaqueId);
  const { recipient_key } = await guest.viewLink();
  const key = forger.random(32);
  const blob = await encryptBytes({ fileKey: key }, forger.random(16), bytes);
  const recipientKey = fromBase64(recipient_key) ?? new Uint8Array();
  const binding = guestBinding(opaqueId, gate);
  const file = { name, mime, size: bytes.length, sha256: sha256Hex(bytes) };
  const sealedMetadata = v === 1
    ? sealGuestFile({ v, ...file, key }, recipientKey, binding, forger.random)
    : sealTo(
      recipientKey,
      utf8(JSON.stringify({ v, ...file })),
      "service-guest-upload/v1",
      binding,
      forger.random,
    );
  await deliverSealed(forger, { origin, opaqueId }, {
    hash: sha256Hex(blob),
    size: blob.length,
    read: (offset, length) =>
      Promise.resolve(blob.slice(offset, offset + length)),
    sealedMetadata,
  });
}

/** Another device of the same person's. */
export async function secondDevice(
  wire: Wire,
  library: Library,
  name: string,
  kind = "phone",
): Promise<Library> {
  const phone = deviceOf(wire, `${name}'s ${kind}`);
  const other = await libraryOn(phone, library, name);
  await other.sync();
  return other;
}

/** Runs a test with two devices of one person's. */
export async function withTwoDevices(
  test: (devices: {
    readonly laptop: Library;
    readonly phone: Library;
  }) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada", "phone");
    await test({ laptop, phone });
  });
}
