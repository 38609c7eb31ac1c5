/**
 * The link that sets a picture frame up. It is a share link in another form:
 * the app opens it and shows what it leads to for ever.
 *
 * @module
 */
import { parseShareLink } from "./share.ts";
import { urlOf } from "./urls.ts";

/** The parts of a frame's link. */
interface FrameLink {
  /** The server's origin, `https://host`. */
  readonly origin: string;
  readonly opaqueId: string;
  readonly secret: Uint8Array;
}

const LINK_HASH = /^#\/frame\/([0-9a-f]{32})\.(~?[\w-]+)$/;

/**
 * Makes the frame's link of a share link: `<origin>/#/frame/<opaque_id>.<secret
 * base64url>`. Throws a TypeError for a text that is no link with its secret.
 */
export function frameLinkOf(shareLink: string): string {
  const read = parseShareLink(shareLink);
  if (read?.secret === undefined) throw new TypeError("no link with a secret");
  const url = new URL(read.origin);
  url.hash = `/frame/${read.opaqueId}.${new URL(shareLink).hash.slice(1)}`;
  return url.href;
}

/** Reads a frame's link; undefined if it is not one, or is damaged. */
export function parseFrameLink(text: string): FrameLink | undefined {
  const url = urlOf(text);
  const [, opaqueId, secret] = LINK_HASH.exec(url?.hash ?? "") ?? [];
  if (url === undefined || opaqueId === undefined) return undefined;
  const read = parseShareLink(`${url.origin}/s/${opaqueId}#${secret}`);
  return read?.secret === undefined
    ? undefined
    : { origin: read.origin, opaqueId, secret: read.secret };
}
