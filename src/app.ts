/**
 * The composition root: a data directory and a configuration become one
 * `fetch`.
 *
 * @module
 */
import manifest from "../deno.json" with { type: "json" };
import { openAppFiles } from "./app_files.ts";
import { bucketSettings, type Config, oidcSettings } from "./config.ts";
import { uuidV7Source } from "./core/ids.ts";
import type { Platform } from "./core/platform.ts";
import { problem, type ProblemCode, type Raise } from "./core/problem.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "./core/time.ts";
import { AccessTokens } from "./crypto/access_token.ts";
import {
  CapabilityTokens,
  claimsCapability,
} from "./crypto/capability_token.ts";
import { type Argon2Thread, createPasswords } from "./crypto/password.ts";
import { sha256Hex } from "./crypto/sha256.ts";
import {
  authenticateCapability,
  authenticateReader,
} from "./features/capabilities/capabilities.ts";
import { registrationOf } from "./features/accounts/registration.ts";
import { Announcements } from "./features/deprecations/deprecations.ts";
import { Gauges } from "./features/metrics/gauges.ts";
import type { App, Sights } from "./features/app.ts";
import type { Limits, ServiceContext } from "./features/service_context.ts";
import { Budgets } from "./features/budgets.ts";
import type { Call } from "./features/call.ts";
import { rotateKey } from "./features/keys/keys.ts";
import { adoptKeys } from "./features/keys/identity.ts";
import { recordName } from "./features/keys/names.ts";
import { SigningKeys } from "./features/keys/signing_keys.ts";
import { appManifest } from "./features/log/entries.ts";
import { beginLife } from "./features/log/life.ts";
import { Logs } from "./features/log/logs.ts";
import {
  type BackupNote,
  oldAfter,
  readBackupNote,
} from "./features/backup/note.ts";
import { isOperator } from "./features/operators/operators.ts";
import {
  readRolling,
  type RollingState,
} from "./features/verification/rolling.ts";
import { Notices } from "./features/notices/notices.ts";
import { Ceremonies } from "./features/oidc/ceremonies.ts";
import type { RelyingParty } from "./features/oidc/oidc.ts";
import { PasskeyCeremonies } from "./features/passkeys/ceremonies.ts";
import { pageRoutes } from "./features/pages/routes.ts";
import { Provider } from "./features/oidc/provider.ts";
import { Departures } from "./features/account_deletion/departures.ts";
import { ReceiptChain } from "./features/receipts/chain.ts";
import { tellClock } from "./features/receipts/newest.ts";
import {
  authenticateSession,
  authenticateToken,
} from "./features/sessions/sessions.ts";
import { accountStands } from "./features/sessions/store.ts";
import { requireSealingKeys } from "./features/totp/health.ts";
import { ActiveUploads } from "./features/uploads/active.ts";
import { ClockWatch, tellStart } from "./features/clock/clock.ts";
import { Upkeep } from "./features/upkeep.ts";
import { Witness } from "./features/witness/identity.ts";
import { openMapFile } from "./map_file.ts";
import { jsonDocument, openPages } from "./pages.ts";
import { PACE } from "./http/arrivals.ts";
import { openModels } from "./model_files.ts";
import { openApiDocument } from "./http/openapi.ts";
import type { JsonDocument } from "./http/route.ts";
import { describe } from "./http/request_log.ts";
import { createPipeline, type Handler } from "./http/pipeline.ts";
import { ROUTES } from "./routes.ts";
import { signalsOf } from "./signals.ts";
import { storageFaultOf } from "./features/storage_fault.ts";
import { ChangeWatcher } from "./store/change_watcher.ts";
import { denoFiles } from "./store/deno_files.ts";
import {
  hasDescriptors as areFree,
  patientFiles,
} from "./store/descriptors.ts";
import type { Files } from "./store/files.ts";
import { startBucket } from "./store/object_store.ts";
import { keysPath } from "./store/data_paths.ts";
import { recordSettings } from "./store/recorded_settings.ts";
import type { MigrationWatch } from "./store/migrating.ts";
import { openStore } from "./store/store.ts";
import type { WriterThread } from "./store/writer.ts";

/** Challenges of each kind that may wait for an answer at once. */
const PASSKEY_CHALLENGES = 10_000;

export const NAME = "strongroom";
export const VERSION: string = manifest.version;

export interface OpenedApp {
  readonly app: App;
  readonly fetch: Handler;
  /** Whether the data directory was made just now. */
  readonly isNew: boolean;
  /** What there is to measure beside requests. */
  readonly gauges: Gauges;
  /** Removes what has expired; the server calls it now and then. */
  readonly purge: () => Promise<void>;
  /** Signs the public logs where they have grown; now and then as well. */
  readonly advanceLogs: () => Promise<void>;
  /** Retires the key that signs access tokens; it verifies for a day more. */
  readonly rotateAccessKey: () => Promise<void>;
  /** Ends the requests that wait for something to happen. */
  readonly stopWaiting: () => void;
  /** Ends the uploads that are under way; what has arrived stays. */
  readonly interruptUploads: () => void;
  /** Resolves, with why, once nothing can be written any more. */
  readonly lost: Promise<Error>;
  readonly close: () => Promise<void>;
}

export interface OpenOptions {
  /** Canonical origin, where the configuration names none. */
  readonly origin: string;
  /** Checks every reply against its declaration; for tests. */
  readonly checkReplies?: boolean;
  readonly files?: Files;
  /**
   * Whether the process may open `count` more descriptors; if not said, as many
   * of them as can be tried.
   */
  readonly hasDescriptors?: (count: number) => boolean;
  /** What hashes passwords; workers if not said. */
  readonly startArgon2?: () => Argon2Thread;
  /** What has the writing connection; a worker if not said. */
  readonly startWriter?: () => WriterThread;
  /** Is told of a migration, and asks how far it is. */
  readonly onMigration?: MigrationWatch | undefined;
  /** What the running server sees of itself; nothing if not said. */
  readonly seen?: {
    /** When its own certificate ends (ms). */
    readonly certificateEnds: () => number | undefined;
    /** What the doctor finds fault with. */
    readonly findings: () => Promise<Sights["findings"]>;
  } | undefined;
}

/** Opens the application over the configured data directory. */
export async function openApp(
  config: Config,
  platform: Platform,
  {
    origin,
    checkReplies = false,
    files = patientFiles(denoFiles, platform),
    hasDescriptors = (count) => areFree(config.STRONGROOM_DATA_DIR, count),
    startArgon2,
    startWriter,
    onMigration,
    seen,
  }: OpenOptions,
): Promise<OpenedApp> {
  const bucket = bucketSettings(config);
  const store = await openStore(
    config.STRONGROOM_DATA_DIR,
    platform,
    files,
    { startWriter, onMigration, settings: bucket },
  );
  const serverId = config.STRONGROOM_BASE_URL ?? origin;
  const keyPlace = { files, directory: keysPath(config.STRONGROOM_DATA_DIR) };
  const sealingKeys = store.sealingKeys.map(({ seed }) => seed);
  const clock = new ClockWatch(store.db, platform);
  const appFiles = openAppFiles();
  const [keys, announcements, serverNames, life] = await Promise.all([
    SigningKeys.open(store.db, keyPlace),
    Announcements.open(store.db),
    requireSealingKeys(store.db, sealingKeys, keyPlace.directory),
  ]).then(async ([keys, announcements]) => {
    await adoptKeys(store.db, keyPlace);
    await recordSettings(store.db, limitsOf(config));
    await startBucket(store.db, store.objectStore, serverId);
    tellStart(await clock.look(), platform.log);
    const names = await recordName(store.db, serverId, platform);
    const appHash = sha256Hex(appManifest(appFiles));
    const life = await beginLife(store.db, serverId, appHash);
    return [keys, announcements, names, life] as const;
  }).catch(async (cause) => {
    await store.close();
    throw cause;
  });
  await tellClock(store.db, platform);
  const sealingKey = sealingKeys.at(-1);
  if (sealingKey === undefined) throw new Error("no sealing key");
  const passwords = createPasswords(
    passwordCost(config),
    navigator.hardwareConcurrency,
    {
      random: platform.random,
      sleep: platform.sleep,
      hasDescriptors,
      startThread: startArgon2,
    },
  );
  const specs = ROUTES.map((route) => route.spec);
  let document: Promise<JsonDocument> | undefined;
  const oidc = relyingParty(config, platform);
  const context: ServiceContext = {
    platform,
    db: store.db,
    staging: store.staging,
    blobs: store.blobs,
    objectStore: store.objectStore,
    uploads: new ActiveUploads(),
    limits: limitsOf(config),
  };
  const logs = config.STRONGROOM_LOGS === "off" ? undefined : new Logs({
    db: store.db,
    files,
    platform,
    root: config.STRONGROOM_DATA_DIR,
    life,
  }, keys);
  const app: App = {
    ...context,
    newId: uuidV7Source(platform),
    server: {
      name: NAME,
      version: VERSION,
      serverId,
      names: serverNames,
      announcements: () => announcements.current,
      hasOperatorPage: config.STRONGROOM_OPERATOR_PAGE === "on",
      federates: config.STRONGROOM_FEDERATION === "on",
      registration: registrationOf(config.STRONGROOM_REGISTRATION),
    },
    secrets: {
      passwords,
      sealing: { keys: sealingKeys, active: sealingKey },
      serverKeys: keys.serverKeys,
      accessTokens: new AccessTokens(serverId, keys.serverKeys),
      capabilityTokens: new CapabilityTokens(serverId, keys.serverKeys),
      get attestationKeys() {
        return keys.attestationKeys;
      },
      get logKeys() {
        return keys.logKeys;
      },
    },
    budgets: new Budgets(config, { hasOidc: oidc !== undefined }),
    signals: { ...signalsOf(store, platform), clock },
    departures: new Departures(context),
    receipts: new ReceiptChain(store.db, serverId, keys, platform.now),
    logs,
    witness: config.STRONGROOM_WITNESS === "on"
      ? new Witness(store.db, keyPlace)
      : undefined,
    sights: async () => ({
      backup: backupOf(readBackupNote(files, config.STRONGROOM_DATA_DIR)),
      check: checkOf(readRolling(files, config.STRONGROOM_DATA_DIR)),
      certificateEnds: seen?.certificateEnds(),
      findings: await seen?.findings() ?? [],
    }),
    notices: new Notices({
      db: store.db,
      platform,
      targets: config.STRONGROOM_NOTIFY,
      serverId,
      sealing: { keys: sealingKeys, active: sealingKey },
    }),
    passkeys: {
      adding: new PasskeyCeremonies(PASSKEY_CHALLENGES),
      signingIn: new PasskeyCeremonies(PASSKEY_CHALLENGES),
    },
    oidc,
    documents: {
      pages: await openPages(appFiles, serverId.startsWith("https:")),
      appFiles,
      models: openModels(
        config.STRONGROOM_MODELS_DIR,
        files,
        platform.log,
      ),
      mapFile: config.STRONGROOM_MAP_FILE === undefined
        ? undefined
        : openMapFile(config.STRONGROOM_MAP_FILE, platform.log),
      openApi: () => document ??= jsonDocument(openApiDocument(specs, VERSION)),
    },
  };
  /** A request whose credential is being looked at. */
  const callOf = <C extends ProblemCode>(raise: Raise<C>): Call<C> => ({
    app,
    now: platform.now(),
    raise,
  });
  const answer = createPipeline<App>({
    app,
    routes: [...ROUTES, ...pageRoutes],
    platform,
    authentication: {
      session: (token, raise) => authenticateSession(callOf(raise), token),
      token: (token, raise) => authenticateToken(callOf(raise), token),
      capability: (token, raise) =>
        authenticateCapability(callOf(raise), token),
      reader: (token, raise) =>
        claimsCapability(token)
          ? authenticateReader(callOf(raise), token)
          : authenticateSession(callOf(raise), token),
    },
    operates: (token) => operates(callOf, config, token),
    accountStands: (userId) => accountStands(app.db, userId),
    storageFault: storageFaultOf,
    announcements: app.server.announcements,
    minClientBuild: config.STRONGROOM_MIN_CLIENT_BUILD,
    maxBodyBytes: config.STRONGROOM_MAX_BODY_BYTES,
    overTls: config.STRONGROOM_TLS_CERT !== undefined,
    bodyPace: {
      ...PACE,
      withinMs: config.STRONGROOM_BODY_TIMEOUT_SECONDS * SECOND_MS,
    },
    corsOrigins: config.STRONGROOM_CORS_ORIGINS,
    checkReplies,
  });
  const changeWatcher = new ChangeWatcher(store.version, async () => {
    await announcements.refresh();
    await keys.refresh();
  }, (cause) => {
    platform.log.error("what was commanded beside this server cannot be read", {
      cause: describe(cause, true),
    });
  });
  // What this process commits looks to its reading connection like anybody's:
  // it is looked at once, where it was committed, and by no request.
  store.afterCommit((durable) => {
    if (durable) app.uploads.settle();
    changeWatcher.settled();
  });
  // Nobody waits for it: what the last process left is gone on with at once.
  app.departures.resume().catch((cause) => {
    platform.log.warn("deleted accounts not looked for", { cause });
  });
  if (store.migrated !== undefined) {
    const { from, to } = store.migrated;
    await app.notices.announce("migrated", { from, to }).catch((cause) => {
      platform.log.warn("a notice was not written", { cause: String(cause) });
    });
  }
  const gauges = new Gauges(app);
  const stopping = new AbortController();
  let purging: Promise<void> | undefined;
  const upkeep = new Upkeep(app, clock, stopping.signal, {
    files,
    root: config.STRONGROOM_DATA_DIR,
  });
  return {
    app,
    isNew: store.isNew,
    fetch: afterChanges(changeWatcher, answer),
    gauges,
    purge: () => purging ??= upkeep.run().finally(() => purging = undefined),
    advanceLogs: async () => await logs?.advance(),
    rotateAccessKey: async () => {
      const { now, random } = platform;
      await rotateKey(store.db, keyPlace, "access", { now, random, serverId });
      await keys.refresh();
    },
    stopWaiting: () => {
      app.signals.feedNotifier.stop();
      stopping.abort();
    },
    interruptUploads: () => app.uploads.interrupt(),
    lost: store.lost,
    close: async () => {
      app.signals.feedNotifier.stop();
      stopping.abort();
      // Between two batches it ends by itself; its caller has its failure.
      await purging?.catch(() => {});
      await logs?.close();
      await clock.look().catch(() => {});
      passwords.close();
      await app.departures.close();
      await app.signals.shareViews.close();
      await changeWatcher.close();
      await store.close();
    },
  };
}

/**
 * What the operator commanded beside this process is in force on the next
 * request. Where it cannot be read, requests are answered as before; what has
 * to be strict, such as which key signs a receipt, asks for itself.
 */
function afterChanges(changeWatcher: ChangeWatcher, answer: Handler): Handler {
  return (request, info) => {
    const settled = changeWatcher.settled();
    return settled === undefined
      ? answer(request, info)
      : settled.then(() => answer(request, info));
  };
}

/** Whether a token is an operator's who may act; a failure is a no. */
async function operates(
  callOf: (raise: Raise<"error.auth.token_invalid">) => Call<
    "error.auth.token_invalid"
  >,
  { STRONGROOM_OPERATOR_PAGE: page }: Config,
  token: string,
): Promise<boolean> {
  if (page === "off") return false;
  try {
    const call = callOf(problem);
    const { userId } = await authenticateSession(call, token);
    return await isOperator(call.app.db, userId);
  } catch {
    return false;
  }
}

function backupOf(note: BackupNote | undefined): Sights["backup"] {
  return note && {
    madeAt: note.made_at,
    damaged: note.damaged,
    blobs: note.blobs,
    bytes: note.bytes,
    oldAfterMs: oldAfter(note),
  };
}

function checkOf(state: RollingState | undefined): Sights["check"] {
  const { began_at, ended_at, done, total, lost } = state?.current ?? {};
  if (
    began_at === undefined || ended_at === undefined || done === undefined ||
    total === undefined || lost === undefined
  ) return undefined;
  return {
    beganAt: began_at,
    endedAt: ended_at,
    doneBytes: done.bytes,
    totalBytes: total.bytes,
    lost,
  };
}

/** What a password's hash costs. */
export function passwordCost(config: Config) {
  return {
    memoryKib: config.STRONGROOM_ARGON2_MEMORY_KIB,
    passes: config.STRONGROOM_ARGON2_PASSES,
  };
}

/** The settings that features read, in their own words and units. */
export function limitsOf(config: Config): Limits {
  return {
    maxBlobBytes: config.STRONGROOM_MAX_BLOB_BYTES,
    smallBlobBytes: config.STRONGROOM_SMALL_BLOB_BYTES,
    accountQuotaBytes: config.STRONGROOM_ACCOUNT_QUOTA_BYTES,
    reservedDiskBytes: config.STRONGROOM_RESERVED_DISK_BYTES,
    uploadTtlMs: config.STRONGROOM_UPLOAD_TTL_HOURS * HOUR_MS,
    trashMs: config.STRONGROOM_TRASH_DAYS * DAY_MS,
    openUploads: config.STRONGROOM_LIMIT_OPEN_UPLOADS,
    sessionInactivityMs: config.STRONGROOM_SESSION_INACTIVITY_DAYS * DAY_MS,
    sessionLifetimeMs: config.STRONGROOM_SESSION_LIFETIME_DAYS * DAY_MS,
    lockoutFailures: config.STRONGROOM_LIMIT_LOCKOUT,
  };
}

function relyingParty(
  config: Config,
  platform: Platform,
): RelyingParty | undefined {
  const settings = oidcSettings(config);
  if (settings === undefined) return undefined;
  return {
    settings,
    provider: new Provider(settings, platform),
    ceremonies: new Ceremonies(config.STRONGROOM_LIMIT_OIDC_PENDING),
  };
}
