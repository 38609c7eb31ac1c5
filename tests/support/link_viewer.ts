/**
 * What whoever has a link sees, with nothing else of the account.
 *
 * @module
 */
import { createViewer } from "../../src/client/api/links.ts";
import {
  decodeShareIndex,
  parseShareLink,
} from "../../src/client/documents/share.ts";
import { decryptBytes } from "../../src/client/stream/stream.ts";
import { ORIGIN } from "./app.ts";
import type { Wire } from "./library.ts";

/** The index of a link, and its files. */
export async function seenByLink(wire: Wire, url: string) {
  const { opaqueId, secret } = parseShareLink(url) ?? { opaqueId: "" };
  const viewer = createViewer({ baseUrl: ORIGIN, fetch: wire.fetch });
  const { metadata_hash } = await viewer.viewShare(opaqueId);
  const { stream } = await viewer.sharedBlob(opaqueId, metadata_hash);
  const sealed = new Uint8Array(await new Response(stream).arrayBuffer());
  const key = { fileKey: new Uint8Array(secret ?? []) };
  const index = decodeShareIndex(await decryptBytes(key, sealed));
  const files = await Promise.all(index.items.map(async (item) => {
    const body = await viewer.sharedBlob(opaqueId, item.hash);
    const blob = new Uint8Array(await new Response(body.stream).arrayBuffer());
    const key = { fileKey: item.key, chunkSize: item.chunk_size };
    return await decryptBytes(key, blob);
  }));
  return { index, files, names: index.items.map(({ name }) => name) };
}
