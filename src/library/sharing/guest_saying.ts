/**
 * What a guest says of a photo by a link both ways: it is sent as a file
 * without content, sealed for the link's owner
 * (protocol/client-cryptography.md#guests-hearts-and-comments).
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { DocumentError, guestName } from "../../client/documents/fields.ts";
import { type GuestFile, remarkId } from "../../client/documents/guest.ts";
import type { LibraryPlatform } from "../base/platform.ts";
import { plainOf } from "../rows/plaintext_cache.ts";
import { openGuestBox } from "./guest_box.ts";

/** Bytes of the token that a guest's browser keeps of what was said there. */
const TOKEN_BYTES = 16;

/** What a guest says. */
interface Saying {
  /** Content address of the item's original in the link's index. */
  readonly on: string;
  /** The name that the guest typed. */
  readonly from: string;
  /** Of a comment; a heart has none. */
  readonly text?: string;
}

/** What was said, as the browser keeps it. */
interface SaidHere {
  /** By it the guest takes it back. Secret. */
  readonly token: string;
  readonly id: string;
  /** RFC 3339, UTC, `Z`. */
  readonly at: string;
}

/**
 * Says something by the upload half of a link. Throws as `openGuestBox` and its
 * `send` do, and DocumentError for a name or a text out of bounds.
 */
export async function sayAsGuest(
  platform: LibraryPlatform,
  link: string,
  { from, ...said }: Saying,
): Promise<SaidHere> {
  if (!guestName.safeParse(from.trim()).success) {
    throw new DocumentError("a name that no device takes in");
  }
  const token = toHex(platform.random(TOKEN_BYTES));
  const id = remarkId(token);
  const at = toRfc3339(platform.now());
  await deliver(platform, link, { from, remark: { id, at, ...said } });
  return { token, id, at };
}

/** Takes back what was said. Throws as {@link sayAsGuest} does. */
export async function takeBackAsGuest(
  platform: LibraryPlatform,
  link: string,
  token: string,
): Promise<void> {
  await deliver(platform, link, { takes_back: token });
}

/** Sends what someone says by an upload link. Throws as `openGuestBox` does. */
export async function deliver(
  platform: LibraryPlatform,
  link: string,
  saying: Pick<GuestFile, "from" | "remark" | "takes_back" | "signed">,
): Promise<void> {
  const box = await openGuestBox(platform, link);
  await box.send({
    // No two have the same bytes, and there is nothing to read in them.
    source: plainOf(new Uint8Array(platform.random(TOKEN_BYTES))),
    about: { name: "remark", mime: "application/octet-stream", ...saying },
  });
}
