import assert from "node:assert/strict";
import {
  clientAddressOf,
  countedAddress,
  parseTrusted,
  UNIX_PEER,
} from "./client_address.ts";

const TRUSTED = parseTrusted([
  "127.0.0.1",
  "10.0.0.0/8",
  "2001:db8:1::/48",
  "unix",
]);

type Row = readonly [
  sentence: string,
  peer: string,
  headers: Readonly<Record<string, string>>,
  client: string,
];

const ROWS: readonly Row[] = [
  ["without a header it is the connection's", "127.0.0.1", {}, "127.0.0.1"],
  [
    "from anybody who is not trusted the header is ignored",
    "192.0.2.9",
    { "x-forwarded-for": "198.51.100.1" },
    "192.0.2.9",
  ],
  [
    "a trusted proxy names its client",
    "127.0.0.1",
    { "x-forwarded-for": "198.51.100.1" },
    "198.51.100.1",
  ],
  [
    "what the client itself wrote in front is not believed",
    "127.0.0.1",
    { "x-forwarded-for": "203.0.113.66, 198.51.100.1" },
    "198.51.100.1",
  ],
  [
    "a chain of trusted proxies is followed to its end",
    "127.0.0.1",
    { "x-forwarded-for": "198.51.100.1, 10.1.2.3,10.200.0.1" },
    "198.51.100.1",
  ],
  [
    "where all are trusted it is the first",
    "127.0.0.1",
    { "x-forwarded-for": "10.0.0.7, 10.0.0.8" },
    "10.0.0.7",
  ],
  [
    "what is no address vouches for nothing in front of it",
    "127.0.0.1",
    { "x-forwarded-for": "198.51.100.1, unknown, 10.0.0.8" },
    "10.0.0.8",
  ],
  [
    "ports and brackets are passed over",
    "10.9.9.9",
    { "x-forwarded-for": "[2001:db8:2::1]:4711" },
    "2001:db8:2::1",
  ],
  [
    "IPv6 networks are compared by their bits",
    "2001:db8:1:ffff::1",
    { "x-forwarded-for": "198.51.100.1:80" },
    "198.51.100.1",
  ],
  [
    "an IPv4 address in IPv6 form is the same address",
    "::ffff:127.0.0.1",
    { "x-forwarded-for": "198.51.100.1" },
    "198.51.100.1",
  ],
  [
    "what a client wrote into Forwarded is passed on by the usual proxy",
    "127.0.0.1",
    { "forwarded": "for=203.0.113.66", "x-forwarded-for": "198.51.100.1" },
    "198.51.100.1",
  ],
  [
    "Forwarded alone names no one",
    "127.0.0.1",
    { "forwarded": "for=203.0.113.66" },
    "127.0.0.1",
  ],
  [
    "a unix socket's peer is trusted where that is said",
    UNIX_PEER,
    { "x-forwarded-for": "198.51.100.1" },
    "198.51.100.1",
  ],
  [
    "an empty header names no one",
    "127.0.0.1",
    { "x-forwarded-for": "" },
    "127.0.0.1",
  ],
];

const FORWARDED_ROWS: readonly Row[] = [
  [
    "Forwarded is read where it is the header of the proxies",
    "127.0.0.1",
    {
      "forwarded":
        'for=203.0.113.1;proto=https, By=x; For="[2001:db8:2::9]:80"',
      "x-forwarded-for": "198.51.100.1",
    },
    "2001:db8:2::9",
  ],
  [
    "an obfuscated Forwarded name is no address",
    "127.0.0.1",
    { "forwarded": "for=_hidden" },
    "127.0.0.1",
  ],
  [
    "X-Forwarded-For is ignored then",
    "127.0.0.1",
    { "x-forwarded-for": "198.51.100.1" },
    "127.0.0.1",
  ],
];

for (const [sentence, peer, headers, client] of FORWARDED_ROWS) {
  Deno.test(`client address: ${sentence}`, () => {
    const header = (name: string) => headers[name] ?? null;
    assert.equal(clientAddressOf(peer, header, TRUSTED, "forwarded"), client);
  });
}

for (const [sentence, peer, headers, client] of ROWS) {
  Deno.test(`client address: ${sentence}`, () => {
    const header = (name: string) => headers[name] ?? null;
    assert.equal(clientAddressOf(peer, header, TRUSTED), client);
  });
}

Deno.test("what is no address and no network is refused by its text", () => {
  for (
    const part of [
      "localhost",
      "10.0.0.0/33",
      "10.0.0.0/8/8",
      "10.0.0/8",
      "256.0.0.1",
      "::/129",
      "2001:db8::1::2",
      "10.0.0.0/x",
      "/8",
    ]
  ) assert.throws(() => parseTrusted([part]), RangeError, part);
});

Deno.test("IPv4 counts as itself, IPv6 by its first 64 bits, mapped IPv4 as IPv4", () => {
  const counted: Readonly<Record<string, readonly string[]>> = {
    "192.0.2.7": ["192.0.2.7", "::ffff:192.0.2.7", "::FFFF:c000:207"],
    "192.0.2.8": ["192.0.2.8"],
    "2001:db8:0:1::/64": [
      "2001:db8:0:1::",
      "2001:db8:0:1::1",
      "2001:0DB8:0000:0001:ffff:ffff:ffff:ffff",
    ],
    "2001:db8:0:2::/64": ["2001:db8:0:2::1"],
    "fe80:0:0:0::/64": ["fe80::1%eth0", "fe80::2"],
    "0:0:0:0::/64": ["::1"],
    unix: [UNIX_PEER],
  };
  for (const [as, addresses] of Object.entries(counted)) {
    for (const address of addresses) {
      assert.equal(countedAddress(address), as, address);
    }
  }
});
