/**
 * The upload page: whoever has the link sends files to the person who made it,
 * encrypted here for that person's key.
 *
 * @module
 */
// First, because it says how the schemas of all others are made.
import { browserFetch, now, sleep } from "./browser.ts";
import { fromBase64 } from "../core/bytes.ts";
import type { GuestLink } from "../client/answers.ts";
import { createGuest, type Guest } from "../client/links.ts";
import { ApiProblem } from "../client/transport.ts";
import {
  isRecipient,
  parseUploadLink,
  unwrapFingerprint,
} from "../client/upload_link.ts";
import { button, byId, notice, say, setIcon, show } from "./dom.ts";
import { askPassphrase } from "./passphrase.ts";
import { UploadList } from "./upload_list.ts";
import { countText, faultText, sizeText, timeText, waitText } from "./words.ts";

/** The server asks to wait. */
async function waitAloud(ms: number): Promise<void> {
  const until = now() + ms;
  for (let left = ms; left > 0; left = until - now()) {
    say(`Many requests at once. Going on in ${waitText(left)}.`);
    await sleep(Math.min(1_000, left));
  }
}

/** Opens the link in the address bar. */
async function open(): Promise<void> {
  say("Opening…");
  const bare = parseUploadLink(location.href.split("#")[0] ?? "");
  if (bare === undefined) {
    return fail("This is not the address of an upload link.");
  }
  const link = parseUploadLink(location.href);
  const guest = createGuest({
    baseUrl: location.origin,
    fetch: browserFetch,
    wait: waitAloud,
  }, bare.opaqueId);
  const told = await guest.viewLink();
  if (link?.note !== undefined) {
    byId("note").textContent = link.note;
    byId("note").hidden = false;
  }
  if (link === undefined && !told.passphrase_protected) {
    return fail(
      "This link is damaged: what stands after the # is not whole. Ask for " +
        "the link again.",
    );
  }
  const recipientKey = fromBase64(told.recipient_key) ?? new Uint8Array();
  // What the link itself says counts, whatever the server says of it.
  const fingerprint = link?.fingerprint ??
    (told.passphrase_protected ? await unlock(guest) : undefined);
  if (fingerprint === undefined) {
    return fail(
      "This link is not complete: what stands after the # is missing. Ask for " +
        "the whole link.",
    );
  }
  if (!isRecipient(recipientKey, fingerprint)) {
    return fail(
      "The server gave another recipient's key than this link was made for. " +
        "Nothing was sent. Ask the person who sent you the link.",
    );
  }
  say("");
  if (told.files_left === 0 || told.max_bytes_left === 0) {
    return fail("This link takes no more: it is used up.");
  }
  describe(told);
  const recipient = { opaqueId: bare.opaqueId, recipientKey };
  const list = new UploadList(recipient, told);
  show(...list.content());
}

function describe({ files_left, max_bytes_left, expires_at }: GuestLink) {
  byId("summary").textContent = `Up to ${countText(files_left, "file")} and ` +
    `${sizeText(max_bytes_left)} in all, until ${timeText(expires_at)}.`;
}

async function unlock(guest: Guest): Promise<Uint8Array> {
  say("");
  return await askPassphrase({
    reason:
      "This link is behind a passphrase. Whoever sent it to you knows it.",
    fetchWrapped: () => guest.linkSecret(),
    unwrap: (passphrase, wrapped) => unwrapFingerprint(passphrase, wrapped),
  });
}

function fail(text: string, again = false): void {
  say("");
  show(notice(text, ...again ? [button("Try again", start)] : []));
}

async function start(): Promise<void> {
  try {
    await open();
  } catch (error) {
    const isEnd = error instanceof ApiProblem && error.status === 404;
    fail(faultText(error), !isEnd);
  }
}

setIcon();
addEventListener("hashchange", () => location.reload());
start();
