/**
 * A port for whoever asks for any.
 *
 * @module
 */

/** Ports that Linux gives only to programs that name them. */
const [LOWEST_PORT, PORTS] = [10_240, 20_000];

/** The port for a number that was drawn. */
export const portFor = (drawn: number) => LOWEST_PORT + drawn % PORTS;

/** A number of 16 bits. */
function random(): number {
  const [drawn = 0] = crypto.getRandomValues(new Uint16Array(1));
  return drawn;
}

/** So many are tried: on a crowded machine any port is better than none. */
const MOST_DRAWS = 1_000;

/**
 * A port that no program listens on and that Linux gives neither to connections
 * nor to programs that listen on any port (ip_local_port_range of tcp(7) begins
 * at 32,768). So it is still free when the program that it is for has started.
 * Where 1,000 draws are taken, any free one.
 */
export function freePort(hostname = "127.0.0.1"): number {
  return freePortOf(random, hostname);
}

/** The first free one of the ports for what is drawn. */
export function freePortOf(draw: () => number, hostname: string): number {
  for (let draws = 0; draws < MOST_DRAWS; draws++) {
    const port = portFor(draw());
    if (isFree(hostname, port)) return port;
  }
  return listened(hostname, 0);
}

function isFree(hostname: string, port: number): boolean {
  try {
    listened(hostname, port);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  }
}

/** The port that a listener had there for a moment. Throws if it is taken. */
function listened(hostname: string, port: number): number {
  using probe = Deno.listen({ hostname, port });
  return probe.addr.port;
}
