/**
 * What a server answers while it brings its database to a newer schema: that it
 * lives, what it does and how far it is (`protocol/discovery.md#a-migration`).
 *
 * @module
 */
import type { Config, Listen } from "../config.ts";
import type { Log } from "../core/platform.ts";
import { prefersHtml } from "../http/accept.ts";
import { NAME, VERSION } from "../core/version.ts";
import { DISCOVERY_CACHED } from "../features/discovery/discovery.ts";
import {
  type DiscoveryNote,
  readDiscoveryNote,
} from "../features/discovery/note.ts";
import { addCommonHeaders } from "../http/common_headers.ts";
import { addCors } from "../http/cors.ts";
import { type Draft, HeaderDraft, toResponse } from "../http/draft.ts";
import { refuseAway } from "../http/refuse_all.ts";
import { describe } from "../http/request_log.ts";
import { denoFiles } from "../store/files/deno_files.ts";
import type {
  MigrationState,
  MigrationWatch,
} from "../store/sqlite/migrating.ts";
import type { CertifiedKey } from "./tls/certificate.ts";
import { type Listener, openListener } from "./listener.ts";

/** Seconds after which clients should ask again. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Listens at the server's places for as long as a migration runs. A place that
 * cannot be listened at is no reason to leave the database as it is: the server
 * says so when it listens there itself.
 */
export function answeringMeanwhile(
  config: Config,
  places: readonly Listen[],
  certificateNow: () => CertifiedKey | undefined,
  log: Log,
): MigrationWatch {
  return async (state) => {
    const certificate = certificateNow();
    const lacksOne = config.STRONGROOM_TLS_CERT !== undefined &&
      certificate === undefined;
    const listeners: Listener[] = [];
    const open = async (
      place: Listen,
      setting: string,
      answer: (request: Request) => Response,
      certificate: CertifiedKey | undefined,
    ) => {
      try {
        listeners.push(
          await openListener(place, {
            setting,
            taken: [],
            certificate,
            answer: (request) => Promise.resolve(answer(request)),
            interrupt: () => {},
            log,
          }),
        );
      } catch (cause) {
        log.warn("nothing is answered until the database is newer", {
          cause: describe(cause, true),
        });
      }
    };
    for (const place of config.STRONGROOM_METRICS_LISTEN) {
      await open(
        place,
        "STRONGROOM_METRICS_LISTEN",
        (request) => answerWatcher(request, state()),
        undefined,
      );
    }
    const note = readDiscoveryNote(denoFiles, config.STRONGROOM_DATA_DIR);
    // Without a certificate, what speaks TLS has to wait for it. Without a note
    // discovery could not answer, so that clients have to wait for the server.
    if (!lacksOne && note !== undefined) {
      for (const place of places) {
        await open(
          place,
          "STRONGROOM_LISTEN",
          (request) => answerClient(request, { state: state(), note, config }),
          certificate,
        );
      }
    }
    return async () => {
      await Promise.all(listeners.map((one) => one.shutdown()));
    };
  };
}

/**
 * A start that may bring the database to a newer schema, and need not come to
 * its end: the change is one transaction, and the copy before it is made again.
 */
export class Interruptible {
  readonly #begun = Promise.withResolvers<void>();
  #isOver = false;

  constructor(private readonly inner: MigrationWatch) {}

  readonly watch: MigrationWatch = async (state) => {
    this.#begun.resolve();
    const end = await this.inner(state);
    return async () => {
      this.#isOver = true;
      await end();
    };
  };

  /**
   * What was opened; undefined if the server is told to stop while the database
   * is changed.
   */
  async unlessStopped<T>(
    opening: Promise<T>,
    stop: Promise<void>,
  ): Promise<T | undefined> {
    const stopped = Promise.all([stop, this.#begun.promise])
      .then(() => this.#isOver ? opening : undefined);
    return await Promise.race([opening, stopped]);
  }
}

/** What is answered to clients is made of. */
interface Meanwhile {
  readonly state: MigrationState;
  readonly note: DiscoveryNote;
  readonly config: Config;
}

/**
 * Version and discovery answer as ever, clients learn how far it is at
 * `/healthz`, and elsewhere to ask later.
 */
function answerClient(request: Request, meanwhile: Meanwhile): Response {
  const { note, config } = meanwhile;
  const read = request.method === "GET" || request.method === "HEAD";
  const path = URL.parse(request.url)?.pathname ?? "";
  const record = read ? recordAt(path, meanwhile) : undefined;
  const draft = record === undefined
    ? refusalOf(request, path, meanwhile)
    : ofRecord(request, record);
  addCommonHeaders(draft.headers, note.window, {
    minClientBuild: config.STRONGROOM_MIN_CLIENT_BUILD,
    overTls: config.STRONGROOM_TLS_CERT !== undefined,
  });
  addCors(
    draft.headers,
    request.headers.get("origin"),
    path.startsWith(WELL_KNOWN) || path === "/v1/version",
    config.STRONGROOM_CORS_ORIGINS,
  );
  return toResponse(draft);
}

const WELL_KNOWN = "/.well-known/service/";

/** The body of a record and how long it may be cached; undefined for no record. */
function recordAt(path: string, { state, note }: Meanwhile) {
  switch (path) {
    case "/healthz":
      return {
        body: JSON.stringify({ status: "migrating", migration: state }),
        cacheControl: "no-store",
      };
    case "/v1/version":
      return {
        body: JSON.stringify({ name: NAME, version: VERSION }),
        cacheControl: "no-store",
      };
    case `${WELL_KNOWN}server-info`:
    case `${WELL_KNOWN}deprecation`:
    case `${WELL_KNOWN}attestation-keys`: {
      const name = path.slice(WELL_KNOWN.length);
      const body = Object.entries(note.records)
        .find(([record]) => record === name)?.[1];
      return body === undefined
        ? undefined
        : { body, cacheControl: DISCOVERY_CACHED };
    }
    default:
      return undefined;
  }
}

function ofRecord(
  { method }: Request,
  { body, cacheControl }: NonNullable<ReturnType<typeof recordAt>>,
): Draft {
  const headers = new HeaderDraft();
  headers.set("Content-Type", "application/json");
  headers.set("Cache-Control", cacheControl);
  return { status: 200, headers, body: method === "HEAD" ? null : body };
}

function refusalOf(
  request: Request,
  path: string,
  { state }: Meanwhile,
): Draft {
  const said = `${inWords(state)}. Please try again later.`;
  if (!prefersHtml(request.headers.get("accept"))) {
    const code = path === `${WELL_KNOWN}revoked-jti`
      ? "error.federation.revocations_unavailable"
      : "error.storage.unavailable";
    return refuseAway(request, code, said, RETRY_AFTER_SECONDS);
  }
  const headers = new HeaderDraft();
  headers.set("Cache-Control", "no-store");
  headers.set("Content-Type", "text/plain; charset=utf-8");
  headers.set("Retry-After", String(RETRY_AFTER_SECONDS));
  return { status: 503, headers, body: `${said}\n` };
}

/** The same for those who watch: it lives, and is not ready. */
function answerWatcher(request: Request, state: MigrationState): Response {
  const isProbe = URL.parse(request.url)?.pathname === "/healthz";
  return new Response(`${inWords(state)}\n`, {
    status: isProbe ? 200 : 503,
    headers: { ...HEADERS, ...TEXT },
  });
}

const HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};
const TEXT = { "Content-Type": "text/plain; charset=utf-8" };

function inWords({ doing, percent, step, steps }: MigrationState): string {
  return "The server is being upgraded: " +
    (doing === "copying"
      ? `it copies its database, ${percent} % so far`
      : `it changes its database, step ${step} of ${steps}`);
}
