import assert from "node:assert/strict";
import { freePort } from "./free_port.ts";
import { withPort } from "./listener.ts";

// A connection of any program could have it before the server listens there.
Deno.test("any port is none that Linux gives to connections", async () => {
  const range = await Deno.readTextFile(
    "/proc/sys/net/ipv4/ip_local_port_range",
  ).catch(() => "32768");
  const lowest = Number(range.split(/\s/)[0]);
  for (let times = 0; times < 20; times++) {
    const place = withPort({ kind: "tcp", hostname: "127.0.0.1", port: 0 });
    const port = place.kind === "tcp" ? place.port : 0;
    assert.ok(port >= 1_024 && port < lowest, String(port));
    assert.ok(freePort() < lowest);
  }
});
