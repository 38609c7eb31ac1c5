/**
 * What a connection is worth, as the app judges it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { connectionOf, isOwnNetwork } from "../../src/web/app/connection.ts";

Deno.test("addresses of a home are told from those of the public network", () => {
  for (
    const own of [
      "localhost",
      "127.0.0.1",
      "10.1.2.3",
      "172.16.0.9",
      "172.31.255.1",
      "192.168.178.20",
      "169.254.3.4",
      "100.64.0.7",
      "[::1]",
      "[fd00::5]",
      "[fe80::1]",
      "nas",
      "nas.local",
      "photos.home.arpa",
      "NAS.fritz.box",
      "photos.lan.",
    ]
  ) assert(isOwnNetwork(own), own);
  for (
    const other of [
      "photos.example.org",
      "8.8.8.8",
      "172.32.0.1",
      "172.15.0.1",
      "192.169.0.1",
      "100.128.0.1",
      "10.example.org",
      "192.168.0.1.example.org",
      "[2001:db8::1]",
      "notlocal.org",
    ]
  ) assert(!isOwnNetwork(other), other);
});

Deno.test("https is safe wherever it is, and plain http on this very machine", () => {
  const at = (protocol: string, hostname: string, isSecure: boolean) =>
    connectionOf({ protocol, hostname }, isSecure);
  assert.equal(at("https:", "photos.example.org", true), "safe");
  assert.equal(at("http:", "127.0.0.1", true), "safe");
  assert.equal(at("http:", "192.168.1.2", false), "home");
  assert.equal(at("http:", "photos.example.org", false), "public");
});
