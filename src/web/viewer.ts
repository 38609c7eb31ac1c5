/**
 * The viewer page: opens a share link in the browser
 * (protocol/client-cryptography.md#share). The secret is read from the
 * address's fragment and stays there, so that reloading, a bookmark and copying
 * the address go on working; it is handed to nothing but the decryption here.
 *
 * @module
 */
// First, because it says how the schemas of all others are made.
import { browserFetch, now, sleep } from "./browser.ts";
import { createViewer, type ShareCalls } from "../client/links.ts";
import {
  parseShareLink,
  type ShareLink,
  unwrapShareSecret,
} from "../client/share.ts";
import { ApiProblem } from "../client/transport.ts";
import { button, byId, element, notice, say, setIcon, show } from "./dom.ts";
import { layOut } from "./gallery.ts";
import { Lightbox } from "./lightbox.ts";
import { askPassphrase } from "./passphrase.ts";
import { ShareReader, WrongKey } from "./share_reader.ts";
import {
  countText,
  faultText,
  shownName,
  shownText,
  sizeText,
  waitText,
} from "./words.ts";

/** The server asks to wait; everything that wants something waits along. */
async function waitAloud(ms: number): Promise<void> {
  const until = now() + ms;
  for (let left = ms; left > 0; left = until - now()) {
    say(`Many requests at once. Going on in ${waitText(left)}.`);
    await sleep(Math.min(1_000, left));
  }
  say("");
}

/** Opens the link in the address bar. */
async function open(): Promise<void> {
  say("Opening…");
  const bare = parseShareLink(location.href.split("#")[0] ?? "");
  if (bare === undefined) return fail("This is not the address of a share.");
  const link = parseShareLink(location.href);
  const viewer = createViewer({
    baseUrl: location.origin,
    fetch: browserFetch,
    wait: waitAloud,
  });
  const shared = await viewer.viewShare(bare.opaqueId);
  const secret = link?.secret ??
    (shared.passphrase_protected ? await unlock(viewer, bare) : undefined);
  if (secret === undefined) {
    return fail(
      location.hash.length > 1
        ? "This link is damaged: the key after the # is not a whole one. Ask " +
          "for the link again."
        : "This link is not complete: the key after the # is missing. Ask for " +
          "the whole link.",
    );
  }
  say("Decrypting…");
  const reader = new ShareReader(viewer, bare.opaqueId);
  const index = await reader.readIndex(shared.metadata_hash, secret);
  const { content, viewable, thumbnails } = layOut(
    reader,
    index.items,
    (place) => lightbox.open(place),
  );
  const lightbox = new Lightbox(reader, viewable, thumbnails);
  const title = shownName(index.title ?? "Shared files");
  document.title = title;
  byId("title").textContent = title;
  const bytes = index.items.reduce((sum, { size }) => sum + size, 0);
  const from = index.from === undefined
    ? ""
    : `From ${shownName(index.from)}. `;
  byId("summary").textContent = from +
    (index.items.length === 0
      ? "There is nothing in it."
      : `${countText(index.items.length, "file")}, ${sizeText(bytes)}`);
  const { message = "" } = index;
  const words = message === ""
    ? []
    : [element("p", { class: "message" }, shownText(message))];
  say("");
  show(...words, ...content);
}

async function unlock(
  viewer: ShareCalls,
  { opaqueId }: ShareLink,
): Promise<Uint8Array> {
  say("");
  return await askPassphrase({
    reason: "These files are behind a passphrase. Whoever sent you the link " +
      "knows it.",
    fetchWrapped: () => viewer.sharedSecret(opaqueId),
    unwrap: (passphrase, wrapped) => unwrapShareSecret(passphrase, wrapped),
  });
}

/** Tells that it does not go on; `again` where another try could help. */
function fail(text: string, again = false): void {
  say("");
  show(notice(text, ...again ? [button("Try again", start)] : []));
}

/** Opens the link, and again when somebody asks or the connection is back. */
async function start(): Promise<void> {
  try {
    await open();
  } catch (error) {
    if (error instanceof WrongKey) {
      return fail(
        "The key in this link does not open it. Ask for the link again.",
      );
    }
    const isEnd = error instanceof ApiProblem && error.status === 404;
    fail(faultText(error), !isEnd);
  }
}

setIcon();
// Another key in the address bar is another link.
addEventListener("hashchange", () => location.reload());
start();
