/**
 * A place at which the server listens: host and port, with TLS or without, or
 * a unix socket.
 *
 * @module
 */
import type { Listen } from "../config.ts";
import type { Log } from "../core/platform.ts";
import { OperatorFault } from "../core/operator.ts";
import { reasonOf } from "../core/reason.ts";
import { BodiesInFlight } from "./bodies.ts";
import { Succession } from "./succession.ts";
import type { CertifiedKey } from "./certificate.ts";
import { clearSocket, removeSocket, shareSocket } from "./unix_socket.ts";

/** What listens, and for whom. */
export interface ListenerParts {
  /** The setting that names the place. */
  readonly setting: string;
  /** Where this server listens already. */
  readonly taken: readonly Listen[];
  /** For TLS alone (HTTP/2 or HTTP/1.1, as the client prefers). */
  readonly certificate: CertifiedKey | undefined;
  /**
   * Answers a request; `peer` is the address, undefined on a unix socket.
   * Tells when nothing more of its body is wanted.
   */
  readonly answer: (
    request: Request,
    peer: string | undefined,
    onBodyIn: () => void,
  ) => Promise<Response>;
  /** Has uploads that are under way answer with what they have. */
  readonly interrupt: () => void;
  readonly log: Log;
}

/** One listener, until it is shut down. */
export interface Listener {
  /** Serves new connections with another certificate. */
  readonly renew: (certificate: CertifiedKey) => Promise<void>;
  /** Ends the connections on which nothing is asked. */
  readonly relieve: () => Promise<void>;
  /** Requests that have no answer yet. */
  readonly running: () => number;
  /** Takes no new connection; resolves when every request has its answer. */
  readonly shutdown: () => Promise<void>;
}

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
    throw cannotListen(place, parts, error);
  }
}

/**
 * Throws the same where a server could not listen on one of these ports; all
 * are free again afterwards.
 */
export function tryPorts(
  all: readonly (readonly [setting: string, places: readonly Listen[]])[],
): void {
  using opened = new DisposableStack();
  const taken: Listen[] = [];
  for (const [setting, places] of all) {
    for (const place of places) {
      if (place.kind !== "tcp") continue;
      const { hostname, port } = place;
      try {
        opened.use(Deno.listen({ hostname, port }));
      } catch (error) {
        throw cannotListen(place, { setting, taken }, error);
      }
      taken.push(place);
    }
  }
}

function cannotListen(
  place: Listen,
  { setting, taken }: Pick<ListenerParts, "setting" | "taken">,
  error: unknown,
): OperatorFault {
  const name = place.kind === "tcp" ? placeText(place) : place.path;
  const reason = reasonOf(error);
  const mend = error instanceof Deno.errors.AddrInUse
    ? mendOfTaken(place, taken)
    : undefined;
  return new OperatorFault(
    `${setting}: cannot listen on ${name} (${reason}): ` +
      (mend ?? "choose another, or stop the program that listens there"),
  );
}

/**
 * What to do where this server itself holds the port; undefined where another
 * program does.
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
    return "this server already listens there: remove one of the two";
  }
  const all = "[::] also accepts connections over IPv4";
  const [less, more] = isWildcard(place) && holder.kind === "tcp" &&
      holder.hostname !== "::"
    ? [held, wanted]
    : [wanted, held];
  return `this server already listens on ${held}` +
    (more.startsWith("[::]") ? `, and ${all}` : "") +
    `: remove ${less}`;
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
  parts: ListenerParts,
): Promise<Listener> {
  await clearSocket(path);
  const bodies = new BodiesInFlight();
  const succession = new Succession({
    listen() {
      const server = Deno.serve(
        { path, ...QUIET },
        (request) =>
          bodies.during(
            request,
            (onBodyIn) => parts.answer(request, undefined, onBodyIn),
          ),
      );
      shareSocket(path);
      return server;
    },
    clear: () => removeSocket(path),
    bodies,
    parts,
  });
  return {
    renew: () => Promise.resolve(),
    relieve: () => succession.relieve(),
    running: () => bodies.running,
    async shutdown() {
      // New clients find no socket any more; connected ones are answered.
      await removeSocket(path);
      await succession.shutdown();
    },
  };
}

function openPort(
  { hostname, port }: Extract<Listen, { kind: "tcp" }>,
  parts: ListenerParts,
): Listener {
  const bodies = new BodiesInFlight();
  let tls = parts.certificate;
  const succession = new Succession({
    listen: () =>
      Deno.serve(
        {
          hostname,
          port,
          ...QUIET,
          ...(tls === undefined ? {} : { cert: tls.cert, key: tls.key }),
        },
        (request, { remoteAddr }) =>
          bodies.during(
            request,
            (onBodyIn) => parts.answer(request, remoteAddr.hostname, onBodyIn),
          ),
      ),
    clear: () => Promise.resolve(),
    bodies,
    parts,
  });
  return {
    renew(next) {
      tls = next;
      return succession.renew();
    },
    relieve: () => succession.relieve(),
    running: () => bodies.running,
    shutdown: () => succession.shutdown(),
  };
}
