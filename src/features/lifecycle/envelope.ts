/**
 * What a manifest envelope must agree with, whichever way it comes: pure
 * (protocol/manifests.md#envelope).
 *
 * @module
 */
import type { FieldError } from "../../core/catalogue.ts";
import { isUuid, type UserId } from "../../core/ids.ts";
import {
  CRYPTO_SUITES,
  inWindow,
  type ProtocolDate,
  windowAt,
} from "../../core/protocol.ts";
import { DAY_MS } from "../../core/time.ts";
import type { ManifestEnvelope } from "../../wire/bodies/uploads.ts";
import type { Call } from "../call.ts";

/** A retention floor lies at most this far ahead. */
const RETENTION_MAX_MS = 3_653 * DAY_MS;

/** Whether it holds, the envelope's field, and what is wanted of that. */
export type EnvelopeRule = readonly [
  holds: boolean,
  field: string,
  message: string,
];

/** The rules of every envelope that this caller may send. */
export function envelopeRules(
  manifest: ManifestEnvelope,
  caller: UserId,
  now: number,
): EnvelopeRule[] {
  return [
    [
      CRYPTO_SUITES.includes(manifest.crypto_suite_id),
      "crypto_suite_id",
      "must be one that this server knows",
    ],
    [manifest.created_by_user === caller, "created_by_user", "must be you"],
    [isUuid(manifest.file_id), "file_id", "must be a UUID"],
    [
      isUuid(manifest.created_by_device),
      "created_by_device",
      "must be a UUID",
    ],
    [
      manifest.key_mode === "derived" || manifest.key_mode === "wrapped",
      "key_mode",
      "must be derived or wrapped",
    ],
    [
      manifest.action === "create" || manifest.action === "replace",
      "action",
      "must be create or replace",
    ],
    [
      typeof manifest.original_blob_hash === "string" ||
      manifest.action !== "replace",
      "original_blob_hash",
      "is required on replace",
    ],
    [
      (manifest.retention_until ?? 0) <= now + RETENTION_MAX_MS,
      "retention_until",
      "must lie at most ten years ahead",
    ],
  ];
}

/** The broken ones among rules, each at its place in the request. */
export function brokenRules(rules: readonly EnvelopeRule[]): FieldError[] {
  return rules.filter(([holds]) => !holds).map(([, field, message]) => ({
    path: `/manifest_envelope/${field}`,
    message,
  }));
}

/** The manifest's date is in the window and not below its album's. */
export function checkProtocol(
  { app, now, raise }: Call<"error.handshake.protocol_unsupported">,
  written: ProtocolDate,
  albumDate: ProtocolDate | undefined,
): void {
  const window = windowAt(app.server.announcements(), now);
  const min = albumDate !== undefined && albumDate > window.min
    ? albumDate
    : window.min;
  if (inWindow(written, { min, max: window.max })) return;
  throw raise("error.handshake.protocol_unsupported", {
    extra: { protocol_min: min, protocol_max: window.max },
  });
}
