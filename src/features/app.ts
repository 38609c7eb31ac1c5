/**
 * What every feature works with. `src/app.ts` composes one.
 *
 * @module
 */
import type { Sentence } from "../core/sentence.ts";
import type { Deprecation } from "../core/protocol.ts";
import type { KeyedQueue } from "../core/keyed_queue.ts";
import type { AccessTokens } from "../crypto/access_token.ts";
import type { CapabilityTokens } from "../crypto/capability_token.ts";
import type { ServerKeys } from "../crypto/server_keys.ts";
import type { HybridSigner } from "../crypto/hybrid.ts";
import type { Passwords } from "../crypto/password.ts";
import type { NoteSigner } from "../crypto/logs/signed_note.ts";
import { type JsonDocument, type Page, routesOver } from "../http/route.ts";
import type { AppFiles, PartedFile } from "../http/static_file.ts";
import type { UnreadAnswers } from "../http/unread.ts";
import type { uuidV7Source } from "../core/ids.ts";
import type { Registration } from "./accounts/registration.ts";
import type { Budgets } from "./budgets.ts";
import type { Logs } from "./log/logs.ts";
import type { Notices } from "./notices/notices.ts";
import type { RelyingParty } from "./oidc/oidc.ts";
import type { LostBlobs } from "./lost_blobs.ts";
import type { ReceiptChain } from "./receipts/chain.ts";
import type { Departures } from "./account_deletion/departures.ts";
import type { ShareViews } from "./shares/views.ts";
import type { FeedNotifier } from "./sync/feed_notifier.ts";
import type { ServiceContext } from "./service_context.ts";
import type { Witness } from "./witness/identity.ts";

/** An attestation key with the time in which it signs (ms). */
export interface AttestationKey {
  readonly signer: HybridSigner;
  readonly activeFrom: number;
  readonly activeTo: number | undefined;
  /** The key before signed that this one follows it. */
  readonly succession: Uint8Array | undefined;
}

/** A key of the public logs with its time in office (ms). */
export interface LogKey extends Omit<AttestationKey, "signer"> {
  readonly signer: NoteSigner;
  /** SHA-256 of the public key, lowercase hex. */
  readonly keyId: string;
}

/** What the server is or was called, and when (ms). */
export interface ServerName {
  readonly serverId: string;
  readonly from: number;
  /** Undefined for the one in force. */
  readonly to: number | undefined;
}

/** Who the server is, and what it says of itself. */
interface Server {
  readonly name: string;
  readonly version: string;
  /** Canonical origin: the `server_id`. */
  readonly serverId: string;
  /** Oldest first; the last is {@link Server.serverId}. */
  readonly names: readonly ServerName[];
  readonly announcements: () => readonly Deprecation[];
  /** Whether peers are dealt with at all (`STRONGROOM_FEDERATION`). */
  readonly federates: boolean;
  /** Whether operators have a page (`STRONGROOM_OPERATOR_PAGE`). */
  readonly hasOperatorPage: boolean;
  /** Who may register without an invitation. */
  readonly registration: Registration;
}

/** What signs, seals and hashes. */
interface Secrets {
  readonly passwords: Passwords;
  /** What seals secrets at rest: all keys, and the one for new secrets. */
  readonly sealing: {
    readonly keys: readonly Uint8Array[];
    readonly active: Uint8Array;
  };
  readonly serverKeys: ServerKeys;
  readonly accessTokens: AccessTokens;
  readonly capabilityTokens: CapabilityTokens;
  /** Oldest first; the last signs. */
  readonly attestationKeys: readonly AttestationKey[];
  /** Oldest first; the last signs the public logs. */
  readonly logKeys: readonly LogKey[];
}

/** What requests tell those who wait, or who write it down later. */
export interface Signals {
  /** Wakes those who wait for the feed (protocol/feed.md). */
  readonly feedNotifier: FeedNotifier;
  readonly shareViews: ShareViews;
  /** Changes of what links serve: one of an account at a time. */
  readonly shareChanges: KeyedQueue;
  readonly lostBlobs: LostBlobs;
  /** Tells whether the clock was set ahead just now. */
  readonly clock: { readonly noticeLeap: () => Promise<boolean> };
}

/** What is made once and sent often. */
interface Documents {
  /** What browsers get of a link, whether or not it lives. */
  readonly pages: Readonly<Record<"viewer" | "upload", Page>>;
  /** The web app. */
  readonly appFiles: AppFiles;
  /** The origins of the servers that the web app may talk to. */
  readonly reachable: () => Promise<readonly string[]>;
  /** The operator's map with streets; undefined where none is configured. */
  readonly mapFile: PartedFile | undefined;
  /** The contract as OpenAPI, already serialised. */
  readonly openApi: () => Promise<JsonDocument>;
}

/** What an operator sees that is not in the database; instants in ms. */
export interface Sights {
  readonly backup: {
    readonly madeAt: number;
    readonly damaged: number;
    readonly blobs: number | undefined;
    readonly bytes: number | undefined;
    readonly oldAfterMs: number;
  } | undefined;
  /** The check that the server makes by itself. */
  readonly check: {
    readonly beganAt: number;
    readonly endedAt: number | null;
    readonly doneBytes: number;
    readonly totalBytes: number;
    readonly lost: number;
  } | undefined;
  readonly certificateEnds: number | undefined;
  /** What the doctor finds fault with. */
  readonly findings: readonly {
    readonly check: string;
    readonly status: "warning" | "fault";
    readonly detail: Sentence;
    readonly mend: Sentence;
  }[];
}

/** What the server's requests have besides. */
export interface App extends ServiceContext {
  readonly newId: ReturnType<typeof uuidV7Source>;
  readonly server: Server;
  readonly secrets: Secrets;
  readonly budgets: Budgets;
  readonly signals: Signals;
  /** Deletes what is left of accounts that their owners deleted. */
  readonly departures: Departures;
  readonly receipts: ReceiptChain;
  /** Undefined where they are turned off (`STRONGROOM_LOGS`). */
  readonly logs: Logs | undefined;
  /** Undefined where this server cosigns no logs (`STRONGROOM_WITNESS`). */
  readonly witness: Witness | undefined;
  /** What an operator sees of the server that is not in its database. */
  readonly sights: () => Promise<Sights>;
  /** What the operator is told of, and mail to people. */
  readonly notices: Notices;
  /** Undefined where no identity provider is configured. */
  readonly oidc: RelyingParty | undefined;
  readonly documents: Documents;
  /** Long files on their way to browsers. */
  readonly unread: UnreadAnswers;
}

/** Declares an operation over {@link App}. */
export const route = routesOver<App>();
