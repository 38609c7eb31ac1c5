/**
 * Links by which people see an album and add to it: a share link whose sealed
 * index names an upload link (protocol/client-cryptography.md#share).
 *
 * @module
 */
import { DAY_MS, readTime, toRfc3339 } from "../../core/time.ts";
import { parseUploadLink } from "../../client/documents/upload_link.ts";
import type { Library } from "../library.ts";
import type { MadeShare, NewShare } from "./links.ts";
import { mayReact } from "./may_react.ts";

/** An upload link lives no longer (protocol/links.md#upload-links). */
const LONGEST_MS = 89 * DAY_MS;
const MOST_FILES = 1_000;
const MOST_BYTES = 20 * 1024 ** 3;

/**
 * Makes a link to a list that takes photos for it as well: they wait until the
 * person accepts them. Unless `gives` says otherwise, its viewers may give
 * hearts and comments, too. Throws as `Library.share` does.
 */
export async function shareBothWays(
  library: Library,
  share: NewShare & { readonly follows: string },
): Promise<MadeShare> {
  const { title, follows, expiresAt } = share;
  const last = library.vault.session.platform.now() + LONGEST_MS;
  const ends = Math.min(readTime(expiresAt) ?? Infinity, last);
  const { opaqueId, url } = await library.request({
    expiresAt: toRfc3339(ends),
    maxFiles: MOST_FILES,
    maxBytes: MOST_BYTES,
    into: follows,
    ...(title === undefined ? {} : { note: title }),
  });
  try {
    const { fingerprint, gate } = parseUploadLink(url) ?? {};
    if (fingerprint === undefined || gate === undefined) {
      throw new Error("the link has no key");
    }
    const gives = { reacts: true, ...share.gives };
    const noted = { title: "", at: "", follows, adds: opaqueId, gives };
    const reacts = mayReact(library, noted) === true;
    const half = { opaque_id: opaqueId, fingerprint, gate };
    const adds = reacts ? { ...half, reacts } : half;
    return await library.share({ ...share, adds, gives });
  } catch (error) {
    // No one has the link yet.
    await library.revokeRequest(opaqueId).catch(() => {});
    throw error;
  }
}
