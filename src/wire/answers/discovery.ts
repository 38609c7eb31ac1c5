/**
 * Answers to anybody about the server itself (protocol/discovery.md,
 * protocol/federation.md#reports).
 *
 * @module
 */
import * as z from "zod/mini";
import {
  base64,
  count,
  date,
  flag,
  instant,
  ordinal,
  text,
  uuid,
} from "../fields.ts";
import type { Opened } from "../open.ts";

export const VersionResponse = z.strictObject({ name: text, version: text });

/** What probes are told; `migration` only while there is one. */
export const HealthResponse = z.strictObject({
  status: z.enum(["ok", "migrating"]),
  migration: z.optional(z.strictObject({
    from: z.int(),
    to: z.int(),
    doing: z.enum(["copying", "changing"]),
    percent: z.optional(z.int().check(z.gte(0), z.lte(100))),
    step: z.optional(ordinal),
    steps: z.optional(ordinal),
    seconds: count,
  })),
});

const AnnouncedEnd = z.strictObject({
  min_protocol_version: date,
  announced_at: instant,
  cutoff: instant,
  detail_url: z.nullable(text),
});
/** The announced end of support for older protocol dates. */
export type Deprecation = Opened<typeof AnnouncedEnd>;

export const DeprecationsResponse = z.strictObject({
  announcements: z.array(AnnouncedEnd),
});
/** The ends that the server announces. */
export type Deprecations = Opened<typeof DeprecationsResponse>;

export const ServerInfoResponse = z.strictObject({
  server_id: text,
  api_base_url: text,
  auth: z.strictObject({
    login: text,
    refresh: text,
    logout: text,
    oidc: z.nullable(z.strictObject({ authorize: text, callback: text })),
  }),
  federation_url: z.optional(text),
  protocol_version: z.strictObject({ min: date, max: date }),
  signing_key: base64,
  signing_algorithm: text,
  deprecations: z.array(AnnouncedEnd),
});
/** A server's description of itself. */
export type ServerInfo = Opened<typeof ServerInfoResponse>;

export const AppConfigResponse = z.strictObject({
  registration: z.enum(["open", "invited", "domains"]),
  oidc: flag,
  max_blob_bytes: count,
  trash_days: count,
  version: text,
  tls: flag,
  /**
   * The verifier key of the server's cosignatures, where it is a witness. A
   * client takes null for a false answer, not for none.
   */
  witness_key: z.exactOptional(text),
});

const publishedKey = {
  key_id: text,
  public: base64,
  algorithm: text,
  active_from: instant,
  active_to: z.optional(instant),
  succession: z.optional(base64),
};

/** Clients read it as a document (`crypto/receipt_chain.ts`). */
export const AttestationKeysResponse = z.strictObject({
  server_id: text,
  server_ids: z.array(z.strictObject({
    server_id: text,
    from: instant,
    to: z.optional(instant),
  })),
  keys: z.array(z.strictObject(publishedKey)),
  log_keys: z.array(z.strictObject(publishedKey)),
});

export const FederatedReportResponse = z.strictObject({
  report_id: uuid,
  received_at: instant,
});
