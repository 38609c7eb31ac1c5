/**
 * One request through the checks in the order of
 * protocol/transport.md#order-of-checks, into the handler, and out as a
 * response. The only place that renders a problem.
 *
 * @module
 */
import type { Callers } from "../core/caller.ts";
import type { UserId } from "../core/ids.ts";
import type { Platform } from "../core/platform.ts";
import { type Problem, problem, type ProblemCode } from "../core/problem.ts";
import {
  type Deprecation,
  PROTOCOL_MIN,
  type ProtocolDate,
  windowAt,
} from "../core/protocol.ts";
import { prefersHtml } from "./accept.ts";
import { Arrivals, letGoUnread, type Pace, type Received } from "./arrivals.ts";
import {
  type Authentication,
  bearerToken,
  checkAccount,
  checkHost,
  identify,
  readValues,
  requireRoute,
} from "./checks.ts";
import { countedAddress } from "./client_address.ts";
import { addCommonHeaders, type CommonOptions } from "./common_headers.ts";
import {
  addCors,
  addPreflight,
  type CorsOrigins,
  isConfigured,
  isPreflight,
} from "./cors.ts";
import { readBody } from "./declared_body.ts";
import { type Draft, HeaderDraft, toResponse } from "./draft.ts";
import { addDeprecation, checkHandshake, takesHandshake } from "./handshake.ts";
import { bodyLimit, declaredProblems } from "./implied.ts";
import type { IsOwnHost } from "./own_host.ts";
import { reasonOf, refusalOf, type StorageFault } from "./refusal.ts";
import { checkReply, pageReply, renderProblem, renderReply } from "./render.ts";
import { createRequestLog, type EndedRequest } from "./request_log.ts";
import {
  isNegotiated,
  type Reply,
  type Route,
  type RouteSpec,
} from "./route.ts";
import { createRouter, groupNames, hasDots, type Router } from "./router.ts";
import { checkTusVersion } from "./tus_version.ts";

interface PipelineOptions<App> extends CommonOptions {
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
  /** Whether a hostname is one of this server's. */
  readonly isOwnHost: IsOwnHost;
  readonly maxBodyBytes: number;
  /** Below it a body is not waited for. */
  readonly bodyPace: Pace;
  readonly corsOrigins: CorsOrigins;
  /** Whether pages of other servers may read what a capability reads. */
  readonly federates: boolean;
  /** Checks every reply against its declaration; for tests. */
  readonly checkReplies: boolean;
}

/** What the listener knows of a connection. */
interface ConnectionInfo {
  readonly clientAddress: string;
  /** The `Date` of the answer; the runtime's own if not said. */
  readonly date?: (() => string) | undefined;
  /** Settles when the client has the whole answer, or is gone. */
  readonly sent?: (() => Promise<void>) | undefined;
  /** Told when all of the request's body is in, or no more of it is wanted. */
  readonly onBodyIn?: (() => void) | undefined;
  /** Told of the request when its answer is about to be sent. */
  readonly onEnd?: ((ended: EndedRequest) => void) | undefined;
}

export type Handler = (
  request: Request,
  info: ConnectionInfo,
) => Promise<Response>;

/** A request, and what is known of it by the time its answer is rendered. */
interface Exchange<App> {
  readonly request: Request;
  readonly info: ConnectionInfo;
  /**
   * Null if the Host is invalid (RFC 9112 section 3.2): there is no address.
   */
  readonly url: URL | null;
  /** As its sender may know it. */
  readonly pathname: string;
  readonly startedAt: number;
  readonly received: Received;
  route: Route<App> | undefined;
  tokenPresented: boolean;
  caller: Callers[keyof Callers];
  protocol: ProtocolDate | undefined;
}

/** A path of the contract's that leads nowhere. */
const UNKNOWN_PATH = "/v1/unknown";

/** Makes the handler of all requests. It never rejects. */
export function createPipeline<App>(options: PipelineOptions<App>): Handler {
  const pipeline = new Pipeline(options);
  return (request, info) => pipeline.handle(request, info);
}

class Pipeline<App> {
  readonly #router: Router<App>;
  readonly #prepared: ReadonlyMap<Route<App>, {
    readonly groups: readonly string[];
    readonly problems: ReadonlySet<ProblemCode>;
  }>;
  readonly #negotiated: ReadonlySet<RouteSpec>;
  readonly #log: ReturnType<typeof createRequestLog>;
  readonly #arrivals: Arrivals;

  constructor(private readonly options: PipelineOptions<App>) {
    const { routes, platform, bodyPace } = options;
    this.#router = createRouter(routes);
    this.#prepared = new Map(routes.map((route) => [route, {
      groups: groupNames(route.spec.path),
      problems: new Set<ProblemCode>(declaredProblems(route.spec)),
    }]));
    this.#negotiated = new Set(
      routes.map(({ spec }) => spec).filter(isNegotiated),
    );
    this.#log = createRequestLog(platform);
    this.#arrivals = new Arrivals(platform.sleep, bodyPace);
  }

  /** Answers a request: its checks and its operation, then what all answers have. */
  async handle(request: Request, info: ConnectionInfo): Promise<Response> {
    const startedAt = this.options.platform.monotonic();
    const url = URL.parse(request.url);
    const asked = url === null || hasDots(request.url) ? "" : url.pathname;
    const exchange: Exchange<App> = {
      request,
      info,
      url,
      pathname: await this.#knownPath(request, asked),
      startedAt,
      received: { bytes: 0, onEnd: info.onBodyIn },
      route: undefined,
      tokenPresented: false,
      caller: undefined,
      protocol: undefined,
    };
    let draft: Draft;
    let refused: Problem | undefined;
    if (this.#isOptionsOnly(exchange)) {
      draft = this.#options204(exchange);
    } else {
      try {
        const reply = await this.#answer(exchange);
        draft = renderReply(exchange.route?.spec, reply, request);
      } catch (thrown) {
        refused = await this.#refusal(exchange, thrown);
        draft = this.#refuse(exchange, refused);
      }
    }
    letGoUnread(request, this.options.platform.sleep);
    this.#addCommon(draft.headers, exchange);
    if (info.date !== undefined) draft.headers.set("Date", info.date());
    this.#end(exchange, draft, refused);
    return toResponse(draft);
  }

  /**
   * The path as its sender may know it: an operator's is an unknown one for
   * anybody else, whatever else is wrong with the request.
   */
  async #knownPath(request: Request, pathname: string): Promise<string> {
    if (!this.#router.isForOperators(pathname)) return pathname;
    const token = bearerToken(request);
    return token !== undefined && await this.options.operates(token)
      ? pathname
      : UNKNOWN_PATH;
  }

  /** The checks in their order, and then the operation. */
  async #answer(exchange: Exchange<App>): Promise<Reply> {
    const { request, info, url, pathname, received } = exchange;
    const { app, authentication, platform, isOwnHost } = this.options;
    if (url === null) throw problem("error.request.malformed");
    const { route, groups } = requireRoute(
      this.#router.find(request.method, pathname),
    );
    const { spec } = route;
    exchange.route = route;
    const page = pageReply(route, app, request);
    if (page !== undefined) return page;
    checkHost(request, url, spec, isOwnHost);
    if (takesHandshake(spec)) {
      const window = this.#window();
      exchange.protocol = checkHandshake(request, spec, window, problem);
    }
    checkTusVersion(request, spec, problem);
    const onToken = () => exchange.tokenPresented = true;
    const caller = await identify(request, spec, authentication, onToken);
    exchange.caller = caller;
    checkAccount(spec, caller);
    const values = readValues(request, url, spec, {
      names: this.#prepared.get(route)?.groups ?? [],
      given: groups,
    });
    const clientAddress = countedAddress(info.clientAddress);
    const limitBytes = bodyLimit(spec, this.options.maxBodyBytes);
    const body = await readBody(request, spec, limitBytes, {
      arrivals: this.#arrivals,
      received,
      clientAddress,
    });
    const reply = await route.handle({
      app,
      caller,
      now: platform.now(),
      ...values,
      body,
      raise: problem,
      request: {
        isHead: request.method === "HEAD",
        clientAddress,
        protocol: exchange.protocol,
        prefersHtml: () => prefersHtml(request.headers.get("accept")),
        header: (name) => request.headers.get(name),
        gone: () => request.signal,
        sent: info.sent,
      },
    });
    if (this.options.checkReplies) checkReply(spec, reply);
    return reply;
  }

  #window() {
    const { announcements, platform } = this.options;
    return windowAt(announcements(), platform.now());
  }

  /** The problem, of those that the operation declares, that an error becomes. */
  async #refusal(
    { route, caller }: Exchange<App>,
    thrown: unknown,
  ): Promise<Problem> {
    const { accountStands, storageFault } = this.options;
    const why = await reasonOf(thrown, caller, accountStands);
    const declared = route && this.#prepared.get(route)?.problems;
    return refusalOf(why, declared, storageFault);
  }

  #refuse(
    { request, pathname, route, tokenPresented }: Exchange<App>,
    refused: Problem,
  ): Draft {
    return renderProblem(refused, {
      tokenPresented,
      cutoffPassed: this.#window().min > PROTOCOL_MIN,
      tus: route?.spec.tus === true,
      allow: refused.status === 405 ? this.#router.methods(pathname) : [],
      request,
      pathname,
    });
  }

  /** OPTIONS that no route answers itself: a preflight, or a plain question. */
  #isOptionsOnly({ request, pathname }: Exchange<App>): boolean {
    if (request.method !== "OPTIONS") return false;
    if (this.#router.methods(pathname).length === 0) return false;
    return isPreflight(request) ||
      this.#router.find("OPTIONS", pathname).kind !== "route";
  }

  #options204({ pathname }: Exchange<App>): Draft {
    const headers = new HeaderDraft();
    headers.set("Allow", this.#router.methods(pathname).join(", "));
    return { status: 204, headers, body: null };
  }

  #addCommon(headers: HeaderDraft, exchange: Exchange<App>): void {
    const { pathname, protocol, route } = exchange;
    const announcements = this.options.announcements();
    const now = this.options.platform.now();
    const window = windowAt(announcements, now);
    addCommonHeaders(headers, window, this.options);
    if (protocol !== undefined) {
      addDeprecation(headers, announcements, now, protocol);
    }
    const spec = route?.spec ?? this.#firstSpec(pathname);
    if (spec !== undefined && this.#negotiated.has(spec)) {
      headers.append("Vary", "Accept");
    }
    this.#addAccess(headers, exchange, spec);
  }

  /** What pages of other origins need to read the answer. */
  #addAccess(
    headers: HeaderDraft,
    { request, pathname, caller }: Exchange<App>,
    spec: RouteSpec | undefined,
  ): void {
    const { corsOrigins, federates } = this.options;
    const isAsking = isPreflight(request);
    const asked = isAsking
      ? request.headers.get("access-control-request-method") ?? ""
      : request.method;
    const origin = request.headers.get("origin");
    // Of such a path the other methods stay closed, and configured origins are
    // answered as ever.
    const isOfPeers = federates && caller?.kind !== "session" &&
      this.#specOf(asked, pathname)?.anyOrigin === "capabilities" &&
      !isConfigured(origin, corsOrigins);
    if (isOfPeers) headers.append("Vary", "Origin");
    addCors(
      headers,
      origin,
      isOfPeers || spec?.anyOrigin === true,
      corsOrigins,
    );
    if (!isAsking) return;
    const methods = isOfPeers ? [asked] : this.#router.methods(pathname);
    addPreflight(headers, methods);
  }

  #specOf(method: string, pathname: string): RouteSpec | undefined {
    const found = this.#router.find(method, pathname);
    return found.kind === "route" ? found.route.spec : undefined;
  }

  /** Any declaration of a path, for an answer that reached no route. */
  #firstSpec(pathname: string): RouteSpec | undefined {
    const method = this.#router.methods(pathname)[0];
    return method === undefined ? undefined : this.#specOf(method, pathname);
  }

  #end(
    { request, info, route, received, startedAt }: Exchange<App>,
    draft: Draft,
    refused: Problem | undefined,
  ): void {
    const ended: EndedRequest = {
      method: request.method,
      operation: route?.spec.operation,
      route: route?.spec.path,
      status: draft.status,
      code: refused?.code,
      durationMs: this.options.platform.monotonic() - startedAt,
      bytesIn: received.bytes,
      bytesOut: request.method === "HEAD"
        ? 0
        : Number(draft.headers.get("Content-Length") ?? 0),
    };
    this.#log(ended, refused);
    info.onEnd?.(ended);
  }
}
