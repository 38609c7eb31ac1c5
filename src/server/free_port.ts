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

/**
 * A port that no program listens on and that Linux gives neither to connections
 * nor to programs that listen on any port (ip_local_port_range of tcp(7) begins
 * at 32,768). So it is still free when the program that it is for has started.
 */
export function freePort(hostname = "127.0.0.1", draw = random): number {
  for (;;) {
    const port = portFor(draw());
    try {
      using _probe = Deno.listen({ hostname, port });
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}
