/**
 * The composition root: a data directory and a configuration become one
 * `fetch`.
 *
 * @module
 */
import { servedAppFiles } from "./assets/app_files.ts";
import {
  bucketSettings,
  type Config,
  hostnamesOf,
  limitsOf,
  oidcSettings,
  passwordCost,
} from "./config.ts";
import { uuidV7Source } from "./core/ids.ts";
import type { Platform } from "./core/platform.ts";
import { problem, type ProblemCode, type Raise } from "./core/problem.ts";
import { SECOND_MS } from "./core/time.ts";
import { NAME, VERSION } from "./core/version.ts";
import { AccessTokens } from "./crypto/access_token.ts";
import {
  CapabilityTokens,
  claimsCapability,
} from "./crypto/capability_token.ts";
import { type Argon2Thread, createPasswords } from "./crypto/password.ts";
import {
  authenticateCapability,
  authenticateReader,
} from "./features/capabilities/capabilities.ts";
import { registrationOf } from "./features/accounts/registration.ts";
import { Announcements } from "./features/deprecations/deprecations.ts";
import { Gauges } from "./features/metrics/gauges.ts";
import type { App, Sights, Signals } from "./features/app.ts";
import type { ServiceContext } from "./features/service_context.ts";
import { Budgets } from "./features/budgets.ts";
import type { Call } from "./features/call.ts";
import { selectPeers } from "./features/federation/store.ts";
import { noteDiscovery } from "./features/discovery/note.ts";
import { rotateKey } from "./features/keys/keys.ts";
import { adoptKeys } from "./features/keys/identity.ts";
import { recordName, requireName } from "./features/keys/names.ts";
import { SigningKeys } from "./features/keys/signing_keys.ts";
import { beginLife, nameApp } from "./features/log/life.ts";
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
import { openMapFile } from "./assets/map_file.ts";
import { jsonDocument, openPages } from "./assets/pages.ts";
import { KeyedQueue } from "./core/keyed_queue.ts";
import { LostBlobs } from "./features/lost_blobs.ts";
import { ShareViews } from "./features/shares/views.ts";
import { PACE } from "./http/arrivals.ts";
import { type IsOwnHost, ownHosts } from "./http/own_host.ts";
import { openApiDocument } from "./http/openapi/openapi.ts";
import type { JsonDocument } from "./http/route.ts";
import { describe } from "./http/request_log.ts";
import { createPipeline, type Handler } from "./http/pipeline.ts";
import { UnreadAnswers } from "./http/unread.ts";
import { ROUTES } from "./routes.ts";
import { storageFaultOf } from "./features/storage_fault.ts";
import { FeedNotifier } from "./features/sync/feed_notifier.ts";
import type { BlobStore } from "./store/blobs/blob_store.ts";
import { ChangeWatcher } from "./store/sqlite/change_watcher.ts";
import { denoFiles } from "./store/files/deno_files.ts";
import {
  hasDescriptors as areFree,
  patientFiles,
} from "./store/files/descriptors.ts";
import type { Files } from "./store/files/files.ts";
import { startBucket } from "./store/blobs/object_store.ts";
import { keysPath } from "./store/data_paths.ts";
import { recordSettings } from "./store/recorded_settings.ts";
import type { Db } from "./store/sqlite/database.ts";
import type { MigrationWatch } from "./store/sqlite/migrating.ts";
import { openStore } from "./store/store.ts";
import type { WriterThread } from "./store/sqlite/writer.ts";

export interface OpenedApp {
  readonly app: App;
  readonly fetch: Handler;
  /** Whether a hostname is one of this server's. */
  readonly isOwnHost: IsOwnHost;
  /** Whether the data directory was made just now. */
  readonly isNew: boolean;
  /** What there is to measure, other than requests. */
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
  /** The addresses of this machine; none if not said. */
  readonly addresses?: () => readonly string[];
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

/**
 * Opens the application over the configured data directory: the store with
 * its keys, what the features share, the requests, and what goes on by itself.
 */
export async function openApp(
  config: Config,
  platform: Platform,
  options: OpenOptions,
): Promise<OpenedApp> {
  const ground = await openGround(config, platform, options);
  const app = await buildApp(config, platform, ground, options);
  const isOwnHost = ownHosts(
    hostnamesOf(config, ground.serverId),
    options.addresses ?? (() => []),
  );
  const { checkReplies = false } = options;
  const answer = answersOf(config, app, { isOwnHost, checkReplies });
  return await run(app, ground, answer, isOwnHost);
}

/** What everything else stands on: the store, its keys, and whose it is. */
interface Ground {
  readonly files: Files;
  readonly root: string;
  readonly keyPlace: KeyPlace;
  readonly store: Store;
  readonly serverId: string;
  readonly serverNames: App["server"]["names"];
  readonly keys: SigningKeys;
  readonly sealing: App["secrets"]["sealing"];
  readonly announcements: Announcements;
  readonly appFiles: ServedAppFiles;
  readonly clock: ClockWatch;
  readonly life: Life;
}

type ServedAppFiles = ReturnType<typeof servedAppFiles>;
type Life = Awaited<ReturnType<typeof beginLife>>;
type Store = Awaited<ReturnType<typeof openStore>>;
type KeyPlace = Parameters<typeof adoptKeys>[1];

/** Opens the store, and refuses one that is not this server's to serve. */
async function openGround(
  config: Config,
  platform: Platform,
  {
    origin,
    files = patientFiles(denoFiles, platform),
    startWriter,
    onMigration,
  }: OpenOptions,
): Promise<Ground> {
  const root = config.STRONGROOM_DATA_DIR;
  const serverId = config.STRONGROOM_BASE_URL ?? origin;
  const store = await openStore(root, platform, files, {
    startWriter,
    onMigration,
    settings: bucketSettings(config),
    serverId,
  });
  try {
    const { db } = store;
    const keyPlace = { files, directory: keysPath(root) };
    const seeds = store.sealingKeys.map(({ seed }) => seed);
    const clock = new ClockWatch(db, platform);
    const appFiles = servedAppFiles((files) => nameApp(db, files));
    const [keys, announcements] = await Promise.all([
      SigningKeys.open(db, keyPlace),
      Announcements.open(db),
      requireSealingKeys(db, seeds, keyPlace.directory),
    ]);
    await adoptKeys(db, keyPlace);
    await recordSettings(db, limitsOf(config));
    await startBucket(db, store.objectStore, serverId);
    tellStart(await clock.look(), platform.log);
    await requireName(db, config.STRONGROOM_SERVER_ID);
    const serverNames = await recordName(db, serverId, platform);
    await nameApp(db, appFiles);
    const life = await beginLife(db, serverId);
    await tellClock(db, platform);
    const active = seeds.at(-1);
    if (active === undefined) throw new Error("no sealing key");
    return {
      ...{ files, root, keyPlace, store, serverId, serverNames, keys },
      ...{ announcements, appFiles, clock, life },
      sealing: { keys: seeds, active },
    };
  } catch (cause) {
    await store.close();
    throw cause;
  }
}

/** What the features share. */
async function buildApp(
  config: Config,
  platform: Platform,
  ground: Ground,
  { hasDescriptors, startArgon2, seen }: OpenOptions,
): Promise<App> {
  const { store, keys, keyPlace, serverId, sealing, root, files } = ground;
  const { db } = store;
  const oidc = relyingParty(config, platform);
  const context: ServiceContext = {
    platform,
    db,
    staging: store.staging,
    blobs: store.blobs,
    objectStore: store.objectStore,
    uploads: new ActiveUploads(),
    limits: limitsOf(config),
  };
  return {
    ...context,
    newId: uuidV7Source(platform),
    server: {
      name: NAME,
      version: VERSION,
      serverId,
      names: ground.serverNames,
      announcements: () => ground.announcements.current,
      hasOperatorPage: config.STRONGROOM_OPERATOR_PAGE === "on",
      federates: config.STRONGROOM_FEDERATION === "on",
      registration: registrationOf(config.STRONGROOM_REGISTRATION),
    },
    secrets: {
      passwords: createPasswords(
        passwordCost(config),
        navigator.hardwareConcurrency,
        {
          random: platform.random,
          sleep: platform.sleep,
          hasDescriptors: hasDescriptors ?? ((count) => areFree(root, count)),
          startThread: startArgon2,
        },
      ),
      sealing,
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
    signals: { ...signalsOf(store, platform), clock: ground.clock },
    departures: new Departures(context),
    receipts: new ReceiptChain(
      db,
      serverId,
      keys,
      platform.now,
      store.lease,
    ),
    logs: config.STRONGROOM_LOGS === "off"
      ? undefined
      : new Logs({ db, files, platform, root, life: ground.life }, keys),
    witness: config.STRONGROOM_WITNESS === "on"
      ? new Witness(db, keyPlace)
      : undefined,
    sights: async () => ({
      backup: backupOf(readBackupNote(files, root)),
      check: checkOf(readRolling(files, root)),
      certificateEnds: seen?.certificateEnds(),
      findings: await seen?.findings() ?? [],
    }),
    notices: new Notices({
      db,
      platform,
      targets: config.STRONGROOM_NOTIFY,
      serverId,
      sealing,
    }),
    oidc,
    unread: new UnreadAnswers(platform),
    documents: await documentsOf(config, platform, ground),
  };
}

/** A policy that names more servers would be too long for a header. */
const MOST_REACHABLE = 200;

async function documentsOf(
  { STRONGROOM_MAP_FILE: mapFile, STRONGROOM_FEDERATION: federation }: Config,
  platform: Platform,
  { appFiles, serverId, store: { db } }: Ground,
): Promise<App["documents"]> {
  const specs = ROUTES.map((route) => route.spec);
  let document: Promise<JsonDocument> | undefined;
  return {
    pages: await openPages(appFiles, serverId.startsWith("https:")),
    appFiles,
    reachable: async () =>
      federation === "on"
        ? (await selectPeers(db)).slice(0, MOST_REACHABLE)
          .map(({ server_id }) => server_id)
        : [],
    mapFile: mapFile === undefined
      ? undefined
      : openMapFile(mapFile, platform.log),
    openApi: () => document ??= jsonDocument(openApiDocument(specs, VERSION)),
  };
}

/** What answers requests. */
function answersOf(
  config: Config,
  app: App,
  given: { readonly isOwnHost: IsOwnHost; readonly checkReplies: boolean },
): Handler {
  const { platform } = app;
  /** A request whose credential is being looked at. */
  const callOf = <C extends ProblemCode>(raise: Raise<C>): Call<C> => ({
    app,
    now: platform.now(),
    raise,
  });
  return createPipeline<App>({
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
    federates: config.STRONGROOM_FEDERATION === "on",
    ...given,
  });
}

/** Begins what goes on by itself, and hands out what the server calls. */
async function run(
  app: App,
  ground: Ground,
  answer: Handler,
  isOwnHost: IsOwnHost,
): Promise<OpenedApp> {
  const { platform, logs } = app;
  const { store, keys, keyPlace, files, root, clock, serverId } = ground;
  const noteAll = () =>
    noteDiscovery(app, { files, root }).catch((cause) => {
      platform.log.warn("discovery is not noted for the next migration", {
        cause: describe(cause, false),
      });
    });
  const changeWatcher = watchChanges(app, ground);
  await noteAll();
  // Not awaited: it continues at once with what the last process left.
  app.departures.resume().catch((cause) => {
    platform.log.warn("deleted accounts not looked for", { cause });
  });
  await announceMigration(app, store.migrated);
  const gauges = new Gauges(app);
  const stopping = new AbortController();
  let purging: Promise<void> | undefined;
  const upkeep = new Upkeep(
    app,
    clock,
    stopping.signal,
    { files, root },
    store.emptyLog,
  );
  const stopWaiting = () => {
    app.signals.feedNotifier.stop();
    stopping.abort();
  };
  return {
    app,
    isNew: store.isNew,
    fetch: afterChanges(changeWatcher, answer),
    isOwnHost,
    gauges,
    purge: () =>
      purging ??= upkeep.run().then(noteAll)
        .finally(() => purging = undefined),
    advanceLogs: async () => await logs?.advance(),
    rotateAccessKey: async () => {
      const { now, random } = platform;
      await rotateKey(store.db, keyPlace, "access", { now, random, serverId });
      await keys.refresh();
    },
    stopWaiting,
    interruptUploads: () => app.uploads.interrupt(),
    lost: store.lost,
    close: async () => {
      stopWaiting();
      // Between two batches it ends by itself; its caller has its failure.
      await purging?.catch(() => {});
      await noteAll();
      await logs?.close();
      await clock.look().catch(() => {});
      app.secrets.passwords.close();
      await app.departures.close();
      await app.signals.shareViews.close();
      await changeWatcher.close();
      await store.close();
    },
  };
}

/** Notices the changes of other commands and of this server's commits. */
function watchChanges(
  app: App,
  { store, announcements, keys }: Ground,
): ChangeWatcher {
  const watcher = new ChangeWatcher(store.version, async () => {
    await announcements.refresh();
    await keys.refresh();
  }, (cause) => {
    app.platform.log.error(
      "the changes that commands made to the database cannot be read",
      { cause: describe(cause, true) },
    );
  });
  // What this process commits looks to its reading connection like anybody's:
  // it is looked at once, where it was committed, and by no request.
  store.afterCommit((durable) => {
    if (durable) app.uploads.settle();
    watcher.settled();
  });
  return watcher;
}

async function announceMigration(
  { notices, platform }: App,
  migrated: Store["migrated"],
): Promise<void> {
  if (migrated === undefined) return;
  const { from, to } = migrated;
  await notices.announce("migrated", { from, to }).catch((cause) => {
    platform.log.warn("a notice was not written", { cause: String(cause) });
  });
}

/**
 * The operator's commands, which run in other processes, apply to the next
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

/** Hashes of an account's links that are written or wait to be. */
const SHARE_HASHES_MAX = 400_000;

/** What requests tell those who wait, or who write it down later. */
function signalsOf(
  store: { readonly db: Db; readonly blobs: BlobStore },
  platform: Platform,
): Omit<Signals, "clock"> {
  const feedNotifier = new FeedNotifier(store.db, platform);
  return {
    feedNotifier,
    shareViews: new ShareViews(store.db, platform),
    shareChanges: new KeyedQueue(SHARE_HASHES_MAX),
    lostBlobs: new LostBlobs(store, platform, feedNotifier),
  };
}
