/**
 * Bodies of calls between servers (protocol/federation.md).
 *
 * @module
 */
import { z } from "zod";
import { parseRfc3339 } from "../../core/time.ts";
import { base64Bytes, blobHash, boundedText } from "./fields.ts";

const ORIGIN_MAX = 255;
const USER_MAX = 64;
const ALBUM_MAX = 36;
const REASON_MAX = 2_000;
const TIME_MAX = 40;
/** What 88 characters of base64 hold; only 64 of them are a signature. */
const SIGNATURE_MAX_BYTES = 66;

/** At most so many characters; canonical CBOR has no lone surrogates. */
function capped(max: number) {
  return boundedText(max)
    .refine((given) => given.isWellFormed(), "Unicode text is wanted");
}

/** What something is called by: it ends up in front of the operator. */
function name(max: number) {
  return capped(max)
    .refine((given) => given !== "", "must not be empty")
    .refine((given) => !/\p{Cc}/u.test(given), "no control characters");
}

/** Every text stays as it was received, because its signature covers it. */
export const FederatedReportRequest = z.strictObject({
  reporting_server: name(ORIGIN_MAX),
  reported_user: name(USER_MAX),
  asset_hash: blobHash,
  album_id: name(ALBUM_MAX),
  // Any text, line breaks too; but SQLite's ends at U+0000 when it is read.
  reason: capped(REASON_MAX)
    .refine((given) => !given.includes("\u0000"), "no U+0000").nullish(),
  reported_at: capped(TIME_MAX).refine(
    (given) => parseRfc3339(given) !== undefined,
    "an RFC 3339 timestamp is wanted",
  ).meta({ format: "date-time" }),
  signature: base64Bytes(0, SIGNATURE_MAX_BYTES),
});
export type FederatedReportRequest = z.output<typeof FederatedReportRequest>;
