/**
 * Sizes, names, times and faults in plain words.
 *
 * @module
 */
import { now } from "./browser.ts";
import { DocumentError, NewerDocumentError } from "../client/fields.ts";
import { SourceChanged } from "../client/sealed_source.ts";
import { StreamError } from "../client/stream.ts";
import { ApiProblem, ConnectionError } from "../client/transport.ts";

const UNITS = ["KB", "MB", "GB", "TB"];

/** Bytes in powers of 1,000, as shops count them: `12 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  let [value, unit] = [bytes / 1_000, 0];
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const shown = value < 9.95 ? value.toFixed(1) : value.toFixed(0);
  return `${shown} ${UNITS[unit]}`;
}

/** `1 file`, `3 files`. */
export function countText(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}

/** A time in the reader's own zone. */
export function timeText(instant: string | number): string {
  return new Date(instant).toLocaleString("en-GB", {
    dateStyle: "long",
    timeStyle: "short",
  });
}

/** `40 seconds`, `12 minutes`. */
export function waitText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return seconds < 120
    ? countText(seconds, "second")
    : countText(Math.ceil(seconds / 60), "minute");
}

/**
 * A file's name without what could make it look like another: control
 * characters, and marks that turn the direction of writing.
 */
export function shownName(name: string): string {
  const plain = name.replace(UNSEEN, "");
  return plain === "" ? "unnamed" : plain;
}

/** A text of several lines, without the same. */
export function shownText(text: string): string {
  const lines = text.split(/\r\n|[\n\r]/);
  return lines.map((line) => line.replace(UNSEEN, "")).join("\n");
}

const UNSEEN =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const BY_CODE: Readonly<Record<string, string>> = {
  "error.share.not_found": "This link does not exist, or it has ended.",
  "error.upload_link.not_found": "This link does not exist, or it has ended.",
  "error.upload_link.exhausted": "This link takes no more: it is used up.",
  "error.storage.quota_exceeded":
    "The person who sent the link has no room left for this file.",
  "error.storage.full": "The server has no room left for this file.",
  "error.request.too_large": "The server does not take a file this big.",
  "error.upload.hash_mismatch":
    "The file did not arrive as it was sent. Send it again.",
};

/** What went wrong, for the person in front of the page. */
export function faultText(error: unknown): string {
  if (error instanceof NewerDocumentError) {
    return "This was made by a newer program. Load this page again; if that " +
      "does not help, this server has to be brought up to date.";
  }
  if (error instanceof StreamError || error instanceof DocumentError) {
    return "What arrived is damaged or was changed on the way. " +
      "It is not shown.";
  }
  if (error instanceof ConnectionError) {
    return "The server cannot be reached. Look after your connection, then " +
      "try again.";
  }
  if (error instanceof SourceChanged) {
    return "The file was changed while it was being sent. Choose it again.";
  }
  if (error instanceof ApiProblem) {
    const known = BY_CODE[error.code];
    if (known !== undefined) return known;
    if (error.status === 429) return tooManyText(error);
  }
  if (isUnreadable(error)) {
    return "Your browser cannot read this file any more. Choose it again.";
  }
  return "The server answered with something this page does not understand. " +
    "Try again later.";
}

/** A budget that is spent for longer than the page waits by itself. */
function tooManyText({ body }: ApiProblem): string {
  const at = body?.["retry_after"];
  const when = typeof at === "number"
    ? ` Try again in ${waitText(at * 1_000 - now())}.`
    : " Try again later.";
  return `Too many requests for this link.${when}`;
}

/** Whether a file of the visitor's was moved, changed or is a folder. */
function isUnreadable(error: unknown): boolean {
  return error instanceof DOMException &&
    ["NotReadableError", "NotFoundError"].includes(error.name);
}
