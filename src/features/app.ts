/**
 * What every feature works with. `src/app.ts` composes one.
 *
 * @module
 */
import type { Platform } from "../core/platform.ts";
import type { Deprecation } from "../core/protocol.ts";
import type { AccessTokens } from "../crypto/access_token.ts";
import type { CapabilityTokens } from "../crypto/capability_token.ts";
import type { ServerKeys } from "../crypto/server_keys.ts";
import type { HybridSigner } from "../crypto/hybrid.ts";
import type { Passwords } from "../crypto/password.ts";
import { type JsonDocument, type Page, routesOver } from "../http/route.ts";
import type { BlobDirectory } from "../store/blobs.ts";
import type { Db } from "../store/database.ts";
import type { uuidV7Source } from "../core/ids.ts";
import type { Registration } from "./accounts/registration.ts";
import type { Budgets } from "./budgets.ts";
import type { RelyingParty } from "./oidc/oidc.ts";
import type { LostBlobs } from "./lost_blobs.ts";
import type { ReceiptChain } from "./receipts/chain.ts";
import type { Departures } from "./removal/departures.ts";
import type { ShareViews } from "./shares/views.ts";
import type { FeedBell } from "./sync/bell.ts";
import type { ActiveUploads } from "./uploads/active.ts";

/** An attestation key with its time in office (ms). */
export interface AttestationKey {
  readonly signer: HybridSigner;
  readonly activeFrom: number;
  readonly activeTo: number | undefined;
  /** The key before signed that this one follows it. */
  readonly succession: Uint8Array | undefined;
}

/** What the server is or was called, and when (ms). */
export interface ServerName {
  readonly serverId: string;
  readonly from: number;
  /** Undefined for the one in force. */
  readonly to: number | undefined;
}

/** The settings that features read, in their own words and units. */
export interface Limits {
  readonly maxBlobBytes: number;
  /** Undefined: no quota. */
  readonly accountQuotaBytes: number | undefined;
  readonly reservedDiskBytes: number;
  readonly uploadTtlMs: number;
  /** How long a deleted asset can be restored. */
  readonly trashMs: number;
  readonly openUploads: number;
  readonly sessionInactivityMs: number;
  readonly sessionLifetimeMs: number;
  readonly lockoutFailures: number;
}

export interface App {
  readonly name: string;
  readonly version: string;
  /** Canonical origin: the `server_id`. */
  readonly serverId: string;
  /** Oldest first; the last is {@link App.serverId}. */
  readonly serverNames: readonly ServerName[];
  readonly platform: Platform;
  readonly db: Db;
  readonly blobs: BlobDirectory;
  readonly lostBlobs: LostBlobs;
  readonly limits: Limits;
  /** Who may register without an invitation. */
  readonly registration: Registration;
  readonly passwords: Passwords;
  /** What seals secrets at rest: all keys, and the one for new secrets. */
  readonly sealing: {
    readonly keys: readonly Uint8Array[];
    readonly active: Uint8Array;
  };
  readonly serverKeys: ServerKeys;
  readonly accessTokens: AccessTokens;
  readonly capabilityTokens: CapabilityTokens;
  /** Undefined where no identity provider is configured. */
  readonly oidc: RelyingParty | undefined;
  /** Oldest first; the last signs. */
  readonly attestationKeys: readonly AttestationKey[];
  readonly receipts: ReceiptChain;
  readonly uploads: ActiveUploads;
  readonly newId: ReturnType<typeof uuidV7Source>;
  readonly announcements: () => readonly Deprecation[];
  /** Whether peers are dealt with at all (`STRONGROOM_FEDERATION`). */
  readonly federates: boolean;
  readonly shareViews: ShareViews;
  readonly budgets: Budgets;
  /** Deletes what is left of accounts that their owners deleted. */
  readonly departures: Departures;
  /** Wakes those who wait for the feed (protocol/feed.md). */
  readonly feedBell: FeedBell;
  /** What browsers get of a link, whether or not it lives. */
  readonly pages: Readonly<Record<"viewer" | "upload", Page>>;
  /** The contract as OpenAPI, already serialised. */
  readonly openApi: () => Promise<JsonDocument>;
}

/** Declares an operation over {@link App}. */
export const route = routesOver<App>();
