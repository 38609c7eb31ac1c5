import assert from "node:assert/strict";
import { freePort, freePortOf, portFor } from "./free_port.ts";
import { withPort } from "./listener.ts";

/** The first port that Linux gives to connections: ip_local_port_range. */
const GIVEN_BY_LINUX = 32_768;
const DRAWS = 65_536;

// A connection of any program could have it before the server listens there.
Deno.test("a drawn port is not one that Linux gives to connections", () => {
  const ports = new Set(Array.from({ length: DRAWS }, (_, at) => portFor(at)));
  assert.equal(Math.min(...ports), portFor(0));
  assert(portFor(0) >= 1_024);
  assert(Math.max(...ports) < GIVEN_BY_LINUX);
  const place = withPort({ kind: "tcp", hostname: "127.0.0.1", port: 0 });
  assert(place.kind === "tcp" && ports.has(place.port));
});

Deno.test("a port that a program listens on is passed over", () => {
  const busy = freePort();
  using _busy = Deno.listen({ hostname: "127.0.0.1", port: busy });
  let next = busy - portFor(0);
  const free = freePortOf(() => next++, "127.0.0.1");
  assert.notEqual(free, busy);
  assert.equal(free, portFor(next - 1));
});

Deno.test("Linux gives a port where all that are drawn are taken", () => {
  const busy = freePort();
  using _busy = Deno.listen({ hostname: "127.0.0.1", port: busy });
  const free = freePortOf(() => busy - portFor(0), "127.0.0.1");
  assert.notEqual(free, busy);
  assert(free > 0);
});
