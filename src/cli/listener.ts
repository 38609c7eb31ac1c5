/**
 * A place at which the server listens: host and port, with TLS or without, or
 * a unix socket.
 *
 * @module
 */
import type { Listen } from "../config.ts";
import type { Log } from "../core/platform.ts";
import { OperatorFault } from "../core/operator.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { BodiesInFlight } from "./bodies.ts";
import type { CertifiedKey } from "./certificate.ts";
import { clearSocket, removeSocket, shareSocket } from "./unix_socket.ts";
import { endsWithin } from "./waiting.ts";

/** What listens, and for whom. */
export interface ListenerParts {
  /** The setting that names the place. */
  readonly setting: string;
  /** Where this server listens already. */
  readonly taken: readonly Listen[];
  /** For TLS alone (HTTP/2 or HTTP/1.1, as the client prefers). */
  readonly certificate: CertifiedKey | undefined;
  /** Answers a request; `peer` is the address, undefined on a unix socket. */
  readonly answer: (
    request: Request,
    peer: string | undefined,
  ) => Promise<Response>;
  /** Has uploads that are under way answer with what they have. */
  readonly interrupt: () => void;
  readonly log: Log;
}

/** One listener, until it is shut down. */
export interface Listener {
  /** Serves new connections with another certificate. */
  readonly renew: (certificate: CertifiedKey) => Promise<void>;
  /** Takes no new connection; resolves when every request has its answer. */
  readonly shutdown: () => Promise<void>;
}

/** A new certificate waits this long for a moment without uploads. */
const PATIENCE_MS = 10 * MINUTE_MS;
/** Uploads that were interrupted get this long to say how far they came. */
export const INTERRUPTED_MS = SECOND_MS;
/** A port that was let go of is free within a turn or two of the loop. */
const TURNS = 100;
/** Then somebody else has it, and it is asked for this often. */
const AGAIN_MS = SECOND_MS;

/** Port 0 asks for any free one; the origin has to name it. */
export function withPort(place: Listen): Listen {
  if (place.kind !== "tcp" || place.port !== 0) return place;
  using probe = Deno.listen({ hostname: place.hostname, port: 0 });
  return { ...place, port: probe.addr.port };
}

/**
 * Listens at a place. A unix socket never has TLS. Throws a
 * {@link OperatorFault} that names the setting where that cannot be.
 */
export async function openListener(
  place: Listen,
  parts: ListenerParts,
): Promise<Listener> {
  try {
    return place.kind === "unix"
      ? await openSocket(place.path, parts)
      : openPort(place, parts);
  } catch (error) {
    const name = place.kind === "tcp" ? placeText(place) : place.path;
    const reason = error instanceof Error ? error.message : String(error);
    const mend = error instanceof Deno.errors.AddrInUse
      ? mendOfTaken(place, parts.taken)
      : undefined;
    throw new OperatorFault(
      `${parts.setting}: cannot listen on ${name} (${reason}): ` +
        (mend ?? "choose another, or stop what listens there"),
    );
  }
}

/**
 * What to do where it is this server itself that holds the port. Undefined
 * where it is another program.
 */
function mendOfTaken(
  place: Listen,
  taken: readonly Listen[],
): string | undefined {
  if (place.kind !== "tcp") return undefined;
  const holder = taken.find((one) =>
    one.kind === "tcp" && one.port === place.port &&
    (one.hostname === place.hostname || isWildcard(one) || isWildcard(place))
  );
  if (holder === undefined) return undefined;
  const [held, wanted] = [placeText(holder), placeText(place)];
  if (held === wanted) {
    return "this server listens there already: take one of the two away";
  }
  const all = "[::] takes connections over IPv4 as well";
  const [less, more] = isWildcard(place) && holder.kind === "tcp" &&
      holder.hostname !== "::"
    ? [held, wanted]
    : [wanted, held];
  return `this server listens on ${held} already` +
    (more.startsWith("[::]") ? `, and ${all}` : "") +
    `: take ${less} away`;
}

function isWildcard(place: Listen): boolean {
  return place.kind === "tcp" &&
    (place.hostname === "0.0.0.0" || place.hostname === "::");
}

/** A place as its setting would name it. */
export function placeText(place: Listen): string {
  if (place.kind === "unix") return `unix:${place.path}`;
  const { hostname, port } = place;
  return `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

/** The one line of `serve` is enough. */
const QUIET = { onListen: () => {} };

async function openSocket(
  path: string,
  { answer }: ListenerParts,
): Promise<Listener> {
  await clearSocket(path);
  const bodies = new BodiesInFlight();
  const server = Deno.serve(
    { path, ...QUIET },
    (request) => bodies.during(request, answer(request, undefined)),
  );
  shareSocket(path);
  return {
    renew: () => Promise.resolve(),
    async shutdown() {
      // Nobody finds the way any more; whoever is connected is answered.
      await removeSocket(path);
      await bodies.none();
      await server.shutdown();
    },
  };
}

function openPort(
  { hostname, port }: Extract<Listen, { kind: "tcp" }>,
  { certificate, answer, interrupt, log }: ListenerParts,
): Listener {
  const bodies = new BodiesInFlight();
  const serveWith = (tls: CertifiedKey | undefined) =>
    Deno.serve(
      {
        hostname,
        port,
        ...QUIET,
        ...(tls === undefined ? {} : { cert: tls.cert, key: tls.key }),
      },
      (request, { remoteAddr }) =>
        bodies.during(request, answer(request, remoteAddr.hostname)),
    );
  let server = serveWith(certificate);
  /** Servers whose port was handed on, with answers still on their way. */
  const leaving = new Set<Promise<void>>();
  const stopping = Promise.withResolvers<void>();
  let stopped = false;
  let renewing = Promise.resolve();

  // The runtime takes a listener's certificate once. Letting the port go and
  // taking it again costs those a few milliseconds who connect right then;
  // sharing the port instead would need an unstable flag, and would lose as
  // many. What runs is finished under the old certificate.
  async function handOver(next: CertifiedKey): Promise<void> {
    const calm = bodies.none();
    if (!await endsWithin(PATIENCE_MS, calm, stopping.promise) && !stopped) {
      interrupt();
      await endsWithin(INTERRUPTED_MS, calm);
    }
    if (stopped) return;
    const left = server.shutdown();
    leaving.add(left);
    left.finally(() => leaving.delete(left));
    for (let turn = 1; !stopped; turn++) {
      try {
        server = serveWith(next);
        return;
      } catch (cause) {
        const isTaken = turn > TURNS;
        if (isTaken) log.error("cannot listen again", { cause: String(cause) });
        await new Promise((resolve) =>
          setTimeout(resolve, isTaken ? AGAIN_MS : 0)
        );
      }
    }
  }

  return {
    renew: (next) => renewing = renewing.then(() => handOver(next)),
    async shutdown() {
      stopped = true;
      stopping.resolve();
      await renewing;
      await bodies.none();
      await Promise.all([server.shutdown(), ...leaving]);
    },
  };
}
