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
import { freePort } from "./free_port.ts";
import { BodiesInFlight } from "./pending_bodies.ts";
import { SuccessiveServers } from "./successive_servers.ts";
import type { CertifiedKey } from "./tls/certificate.ts";

/** What listens, and for whom. */
export interface ListenerParts {
  /** The setting that names the place. */
  readonly setting: string;
  /** What to do where another program holds the port, if there is more to say. */
  readonly mend?: string;
  /** Where this server listens already. */
  readonly taken: readonly Listen[];
  /** For TLS alone (HTTP/2 or HTTP/1.1, as the client prefers). */
  readonly certificate: CertifiedKey | undefined;
  /**
   * Answers a request; `peer` is the address, undefined on a unix socket.
   * Tells when nothing more of its body is wanted; `sent` settles when the
   * client has its answer, or is gone.
   */
  readonly answer: (
    request: Request,
    peer: string | undefined,
    onBodyIn: () => void,
    sent: () => Promise<void>,
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
  return { ...place, port: freePort(place.hostname) };
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
  { setting, taken, mend: other }: Pick<
    ListenerParts,
    "setting" | "taken" | "mend"
  >,
  error: unknown,
): OperatorFault {
  const name = place.kind === "tcp" ? placeText(place) : place.path;
  const reason = reasonOf(error);
  const mend = error instanceof Deno.errors.AddrInUse
    ? mendOfTaken(place, taken)
    : undefined;
  return new OperatorFault(
    `${setting}: cannot listen on ${name} (${reason}): ` +
      (mend ?? other ??
        "choose another, or stop the program that listens there"),
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
  const servers = new SuccessiveServers({
    listen() {
      const server = Deno.serve(
        { path, ...QUIET },
        (request, info) =>
          bodies.during(
            request,
            (onBodyIn) =>
              parts.answer(
                request,
                undefined,
                onBodyIn,
                () => info.completed,
              ),
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
    relieve: () => servers.relieve(),
    running: () => bodies.running,
    async shutdown() {
      // New clients find no socket any more; connected ones are answered.
      await removeSocket(path);
      await servers.shutdown();
    },
  };
}

function openPort(
  { hostname, port }: Extract<Listen, { kind: "tcp" }>,
  parts: ListenerParts,
): Listener {
  const bodies = new BodiesInFlight();
  let tls = parts.certificate;
  const servers = new SuccessiveServers({
    listen: () =>
      Deno.serve(
        {
          hostname,
          port,
          ...QUIET,
          ...(tls === undefined ? {} : { cert: tls.cert, key: tls.key }),
        },
        (request, info) =>
          bodies.during(
            request,
            (onBodyIn) =>
              parts.answer(
                request,
                info.remoteAddr.hostname,
                onBodyIn,
                () => info.completed,
              ),
          ),
      ),
    clear: () => Promise.resolve(),
    bodies,
    parts,
  });
  return {
    renew(next) {
      tls = next;
      return servers.renew();
    },
    relieve: () => servers.relieve(),
    running: () => bodies.running,
    shutdown: () => servers.shutdown(),
  };
}

/**
 * Only members of the server's group may connect, for example a proxy: with
 * `unix` among the trusted proxies, every client that connects can name the
 * address that a request comes from.
 */
const MODE = 0o660;

/**
 * Removes the socket that a server left which was killed. Throws where one
 * still answers there, and where the file is no socket.
 */
async function clearSocket(path: string): Promise<void> {
  try {
    const { isSocket } = await Deno.lstat(path);
    if (!isSocket) throw new Error("a file that is no socket lies there");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  try {
    (await Deno.connect({ transport: "unix", path })).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.ConnectionRefused)) throw error;
    return await removeSocket(path);
  }
  throw new Error("another server answers there");
}

/** Lets the server's group connect, whatever the umask says. */
function shareSocket(path: string): void {
  Deno.chmodSync(path, MODE);
}

/** Removes a socket, if it is there. */
async function removeSocket(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
