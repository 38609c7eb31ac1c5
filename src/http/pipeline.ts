/**
 * One request through the checks in the order of
 * protocol/transport.md#order-of-checks, into the handler, and out as a
 * response. The only place that renders a problem.
 *
 * @module
 */
import type { Callers, Credential } from "../core/caller.ts";
import type { UserId } from "../core/ids.ts";
import type { Platform } from "../core/platform.ts";
import {
  Problem,
  problem,
  type ProblemCode,
  type Raise,
} from "../core/problem.ts";
import {
  type Deprecation,
  PROTOCOL_MIN,
  type ProtocolDate,
  windowAt,
} from "../core/protocol.ts";
import { prefersHtml } from "./accept.ts";
import { Arrivals, letGoUnread, type Pace, type Received } from "./arrivals.ts";
import { countedAddress } from "./client_address.ts";
import { checkAccountStatus } from "./account_status.ts";
import { type Draft, HeaderDraft, toResponse } from "./draft.ts";
import { readBody } from "./declared_body.ts";
import {
  addCors,
  addPreflight,
  type CorsOrigins,
  isPreflight,
} from "./cors.ts";
import { addDeprecation, checkHandshake, takesHandshake } from "./handshake.ts";
import {
  bodyLimit,
  declaredProblems,
  type RefusedCredential,
} from "./implied.ts";
import { refusalOf, type StorageFault } from "./refusal.ts";
import { checkReply, pageReply, renderProblem, renderReply } from "./render.ts";
import { createRequestLog, type EndedRequest } from "./request_log.ts";
import {
  isNegotiated,
  type Reply,
  type Route,
  type RouteSpec,
} from "./route.ts";
import { bearerToken, reasonOf } from "./credential.ts";
import { createRouter, groupNames, hasDots } from "./router.ts";
import { checkTusVersion } from "./tus_version.ts";
import { readParams, readValues } from "./values.ts";

/** How credentials are read; features hand it in, since `http` knows none. */
export type Authentication = {
  readonly [C in Exclude<Credential, "none">]: (
    token: string,
    raise: Raise<RefusedCredential<C>>,
  ) => Promise<Callers[C]>;
};

export interface PipelineOptions<App> {
  readonly app: App;
  readonly routes: readonly Route<App>[];
  readonly platform: Pick<Platform, "now" | "monotonic" | "sleep" | "log">;
  readonly authentication: Authentication;
  /** Whether a token is a live one of an operator's who may act. */
  readonly operates: (token: string) => Promise<boolean>;
  /** Whether an account is still there; it may be deleted at any moment. */
  readonly accountStands: (userId: UserId) => Promise<boolean>;
  /**
   * What a failure says of where things are stored: that it is full, or away
   * for so many seconds; undefined for any other.
   */
  readonly storageFault: (thrown: unknown) => StorageFault | undefined;
  readonly announcements: () => readonly Deprecation[];
  readonly minClientBuild: number;
  readonly maxBodyBytes: number;
  /** Whether clients connect over a TLS of this server's own. */
  readonly overTls: boolean;
  /** Below it a body is not waited for. */
  readonly bodyPace: Pace;
  readonly corsOrigins: CorsOrigins;
  /** Checks every reply against its declaration; for tests. */
  readonly checkReplies: boolean;
}

/** What the listener knows of a connection. */
export interface ConnectionInfo {
  readonly clientAddress: string;
  /** The `Date` of the answer; the runtime's own if not said. */
  readonly date?: (() => string) | undefined;
  /** Told when all of the request's body is in, or no more of it is wanted. */
  readonly onBodyIn?: (() => void) | undefined;
  /** Told of the request when its answer is about to be sent. */
  readonly onEnd?: ((ended: EndedRequest) => void) | undefined;
}

export type Handler = (
  request: Request,
  info: ConnectionInfo,
) => Promise<Response>;

/** What is known of a request by the time its answer is rendered. */
interface Progress<App> {
  route: Route<App> | undefined;
  tokenPresented: boolean;
  caller: Callers[keyof Callers];
  protocol: ProtocolDate | undefined;
  readonly received: Received;
}

/** A path of the contract's that leads nowhere. */
const UNKNOWN_PATH = "/v1/unknown";

/** Makes the handler of all requests. It never rejects. */
export function createPipeline<App>(options: PipelineOptions<App>): Handler {
  const { app, platform, authentication } = options;
  const router = createRouter(options.routes);
  const prepared = new Map(options.routes.map((route) => [route, {
    groups: groupNames(route.spec.path),
    problems: new Set<ProblemCode>(declaredProblems(route.spec)),
  }]));
  const log = createRequestLog(platform);
  const arrivals = new Arrivals(platform.sleep, options.bodyPace);

  const negotiated = new Set(
    options.routes.map(({ spec }) => spec).filter(isNegotiated),
  );

  const minClientBuild = String(options.minClientBuild);

  const windowNow = () => windowAt(options.announcements(), platform.now());

  async function answer(
    request: Request,
    info: ConnectionInfo,
    url: URL,
    pathname: string,
    progress: Progress<App>,
  ): Promise<Reply> {
    const found = router.find(request.method, pathname);
    if (found.kind === "unknown") throw problem("error.request.route_unknown");
    if (found.kind === "method") {
      throw problem("error.request.method_not_allowed");
    }
    const { route, groups } = found;
    const { spec } = route;
    progress.route = route;
    const page = pageReply(route, app, request);
    if (page !== undefined) return page;
    if (takesHandshake(spec)) {
      progress.protocol = checkHandshake(request, spec, windowNow(), problem);
    }
    checkTusVersion(request, spec, problem);
    const caller = await identify(request, spec, progress);
    progress.caller = caller;
    if (caller?.kind === "session") checkAccountStatus(spec, caller);
    const params = readParams(
      spec.params,
      prepared.get(route)?.groups ?? [],
      groups,
      problem,
    );
    const query = readValues(
      spec.query,
      (name) => url.searchParams.get(name),
      problem,
    );
    const headers = readValues(
      spec.headers,
      (name) => request.headers.get(name),
      problem,
    );
    const clientAddress = countedAddress(info.clientAddress);
    const limitBytes = bodyLimit(spec, options.maxBodyBytes);
    const body = await readBody(request, spec, limitBytes, {
      arrivals,
      received: progress.received,
      clientAddress,
    });
    const reply = await route.handle({
      app,
      caller,
      now: platform.now(),
      params,
      query,
      headers,
      body,
      raise: problem,
      request: {
        isHead: request.method === "HEAD",
        clientAddress,
        protocol: progress.protocol,
        prefersHtml: () => prefersHtml(request.headers.get("accept")),
        header: (name) => request.headers.get(name),
        gone: () => request.signal,
      },
    });
    if (options.checkReplies) checkReply(spec, reply);
    return reply;
  }

  /**
   * The path as its sender may know it: an operator's is an unknown one for
   * anybody else, whatever else is wrong with the request.
   */
  async function knownPath(
    request: Request,
    pathname: string,
  ): Promise<string> {
    if (!router.isForOperators(pathname)) return pathname;
    const token = bearerToken(request);
    return token !== undefined && await options.operates(token)
      ? pathname
      : UNKNOWN_PATH;
  }

  async function identify(
    request: Request,
    spec: RouteSpec,
    progress: Progress<App>,
  ): Promise<Callers[keyof Callers]> {
    if (spec.credential === "none") return undefined;
    const token = bearerToken(request);
    if (token === undefined) throw problem("error.auth.token_missing");
    progress.tokenPresented = true;
    return await authentication[spec.credential](token, problem);
  }

  return async (request, info) => {
    const startedAt = platform.monotonic();
    // A Host that is none (RFC 9112 section 3.2) makes an address that is none.
    const url = URL.parse(request.url);
    const asked = url === null || hasDots(request.url) ? "" : url.pathname;
    const pathname = await knownPath(request, asked);
    const progress: Progress<App> = {
      route: undefined,
      tokenPresented: false,
      caller: undefined,
      protocol: undefined,
      received: { bytes: 0, onEnd: info.onBodyIn },
    };
    let draft: Draft;
    let refused: Problem | undefined;
    if (request.method === "OPTIONS" && isOptionsOnly(request, pathname)) {
      draft = options204(pathname);
    } else {
      try {
        if (url === null) throw problem("error.request.malformed");
        const reply = await answer(
          request,
          info,
          url,
          pathname,
          progress,
        );
        draft = renderReply(
          progress.route?.spec,
          reply,
          request,
        );
      } catch (thrown) {
        const why = await reasonOf(
          thrown,
          progress.caller,
          options.accountStands,
        );
        const { route } = progress;
        const declared = route && prepared.get(route)?.problems;
        refused = refusalOf(why, declared, options.storageFault);
        draft = renderProblem(refused, {
          tokenPresented: progress.tokenPresented,
          cutoffPassed: windowNow().min > PROTOCOL_MIN,
          tus: progress.route?.spec.tus === true,
          allow: refused.status === 405 ? router.methods(pathname) : [],
          request,
          pathname,
        });
      }
    }
    letGoUnread(request, platform.sleep);
    addCommon(draft.headers, request, pathname, progress);
    if (info.date !== undefined) draft.headers.set("Date", info.date());
    end(request, draft, progress, refused, startedAt, info);
    return toResponse(draft);
  };

  /** OPTIONS that no route answers itself: a preflight, or a plain question. */
  function isOptionsOnly(request: Request, pathname: string): boolean {
    if (router.methods(pathname).length === 0) return false;
    return isPreflight(request) ||
      router.find("OPTIONS", pathname).kind !== "route";
  }

  function options204(pathname: string): Draft {
    const headers = new HeaderDraft();
    headers.set("Allow", router.methods(pathname).join(", "));
    return { status: 204, headers, body: null };
  }

  function addCommon(
    headers: HeaderDraft,
    request: Request,
    pathname: string,
    progress: Progress<App>,
  ): void {
    const announcements = options.announcements();
    const now = platform.now();
    const window = windowAt(announcements, now);
    headers.set("X-Content-Type-Options", "nosniff");
    if (options.overTls) {
      headers.set("Strict-Transport-Security", "max-age=31536000");
    }
    headers.set("X-Service-Min-Client-Build", minClientBuild);
    headers.set("X-Service-Protocol-Min", window.min);
    headers.set("X-Service-Protocol-Max", window.max);
    if (progress.protocol !== undefined) {
      addDeprecation(headers, announcements, now, progress.protocol);
    }
    const spec = progress.route?.spec ?? firstSpec(pathname);
    if (spec !== undefined && negotiated.has(spec)) {
      headers.append("Vary", "Accept");
    }
    addCors(
      headers,
      request.headers.get("origin"),
      spec?.anyOrigin ?? false,
      options.corsOrigins,
    );
    if (isPreflight(request)) addPreflight(headers, router.methods(pathname));
  }

  /** Any declaration of a path, for an answer that reached no route. */
  function firstSpec(pathname: string): RouteSpec | undefined {
    const method = router.methods(pathname)[0];
    const found = method === undefined
      ? undefined
      : router.find(method, pathname);
    return found?.kind === "route" ? found.route.spec : undefined;
  }

  function end(
    request: Request,
    draft: Draft,
    progress: Progress<App>,
    refused: Problem | undefined,
    startedAt: number,
    info: ConnectionInfo,
  ): void {
    const spec = progress.route?.spec;
    const ended: EndedRequest = {
      method: request.method,
      operation: spec?.operation,
      route: spec?.path,
      status: draft.status,
      code: refused?.code,
      durationMs: platform.monotonic() - startedAt,
      bytesIn: progress.received.bytes,
      bytesOut: request.method === "HEAD"
        ? 0
        : Number(draft.headers.get("Content-Length") ?? 0),
    };
    log(ended, refused);
    info.onEnd?.(ended);
  }
}
