import assert from "node:assert/strict";
import { bytesInWords } from "../../../core/sizes.ts";
import { parseTrusted } from "../../../http/client_address.ts";
import { aheadOf, judgeClock } from "./clock.ts";
import { judgeAttestation, judgeDatabase } from "./database.ts";
import { reasonOf } from "../../../core/reason.ts";
import { tlsFault } from "../../tls_fault.ts";
import { judgeBaseUrl } from "./base_url.ts";
import { judgeDevices, judgeRoom } from "./disk.ts";
import { judgePermissions, type PathFacts } from "./permissions.ts";
import { judgeForwarders } from "./proxy_headers.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const DAY_MS = 24 * 3_600_000;

const AHEAD: readonly [
  date: number,
  asked: number,
  answered: number,
  number,
][] = [
  [NOW, NOW, NOW, 0],
  // The date is cut off at the second, and the answer took its time.
  [NOW, NOW + 999, NOW + 999, 0],
  [NOW, NOW - 400, NOW + 5_000, 0],
  [NOW, NOW + 11_000, NOW + 11_500, 10_000],
  [NOW, NOW - 20_500, NOW - 20_000, -20_000],
];

Deno.test("a clock is ahead or behind by what no delay explains", () => {
  for (const [date, askedAt, answeredAt, ahead] of AHEAD) {
    assert.equal(aheadOf({ from: "x", date, askedAt, answeredAt }), ahead);
  }
});

Deno.test("the clock is judged by the worst answer and the newest deed", () => {
  const answer = (from: string, ahead: number) => ({
    from,
    date: NOW,
    askedAt: NOW + ahead,
    answeredAt: NOW + ahead,
  });
  const statuses = (...args: Parameters<typeof judgeClock>) =>
    judgeClock(...args).map(({ status }) => status);
  assert.deepEqual(statuses(NOW, [], []), ["ok"]);
  assert.deepEqual(statuses(NOW, [answer("a", 4_000)], []), ["ok"]);
  assert.deepEqual(
    statuses(NOW, [answer("a", 0), answer("b", 9_000)], []),
    ["warning"],
  );
  assert.deepEqual(statuses(NOW, [answer("a", -40_000)], []), ["fault"]);
  assert.deepEqual(statuses(NOW, [], [{ what: "x", at: NOW - 1 }]), ["ok"]);
  assert.deepEqual(
    statuses(NOW, [answer("a", 0)], [{ what: "x", at: NOW + 6_000 }]),
    ["fault"],
  );
});

Deno.test("room is judged by what is reserved", () => {
  assert.equal(judgeRoom(5, 2).status, "ok");
  assert.equal(judgeRoom(3, 2).status, "warning");
  assert.equal(judgeRoom(1, 2).status, "fault");
  assert.equal(judgeRoom(0, 0).status, "fault");
  assert.equal(bytesInWords(0), "0 bytes");
  assert.equal(bytesInWords(1536), "1.5 KiB");
  assert.equal(bytesInWords(2 ** 60), "1024 PiB");
});

Deno.test("uploads and blobs on two file systems are a fault", () => {
  assert.equal(judgeDevices({ uploads: 1, blobs: 1 }), undefined);
  assert.equal(judgeDevices({ uploads: undefined, blobs: 1 }), undefined);
  assert.equal(judgeDevices({ uploads: 2, blobs: 1 })?.status, "fault");
});

const root = (owner: number, mode = 0o700): PathFacts => ({
  path: "/d",
  kind: "data directory",
  owner,
  mode,
});

const PERMISSIONS: readonly [
  sentence: string,
  facts: readonly PathFacts[],
  user: number | null,
  string,
][] = [
  ["one's own", [root(7)], 7, "ok"],
  ["a group's directory", [root(7, 0o750)], 7, "ok"],
  ["everybody's directory", [root(7, 0o755)], 7, "warning"],
  ["another user's", [root(7)], 8, "fault"],
  ["another user's, as root", [root(7)], 0, "warning"],
  [
    "no users and no modes",
    [{ ...root(7), owner: null, mode: null }],
    null,
    "ok",
  ],
  [
    "a file of another's",
    [root(7), { path: "/d/x", kind: "file", owner: 8, mode: 0o600 }],
    7,
    "fault",
  ],
  [
    "a key that a group reads",
    [root(7), { path: "/d/x", kind: "secret", owner: 7, mode: 0o640 }],
    7,
    "fault",
  ],
  [
    "a secret elsewhere that a group reads",
    [root(7), { path: "/e", kind: "secret elsewhere", owner: 0, mode: 0o640 }],
    7,
    "ok",
  ],
  [
    "a secret elsewhere that all read",
    [root(7), { path: "/e", kind: "secret elsewhere", owner: 0, mode: 0o644 }],
    7,
    "warning",
  ],
];

for (const [sentence, facts, user, status] of PERMISSIONS) {
  Deno.test(`permissions: ${sentence}: ${status}`, () => {
    const found = judgePermissions(facts, user);
    assert.deepEqual(found.map((one) => one.status), [status]);
    assert.equal(found[0]?.mend === undefined, status === "ok");
  });
}

Deno.test("the base URL is well only if this server answers under its name", () => {
  const asked = { origin: "https://a.example", isServed: true, ownKeys: ["k"] };
  const server = (serverId: string, signingKey: string) =>
    judgeBaseUrl(asked, { kind: "server", serverId, signingKey }).status;
  assert.equal(server("https://a.example", "k"), "ok");
  assert.equal(server("https://b.example", "k"), "fault");
  assert.equal(server("https://a.example", "other"), "fault");
  const silent = { kind: "unreachable", reason: "refused" } as const;
  assert.equal(judgeBaseUrl(asked, silent).status, "fault");
  assert.equal(
    judgeBaseUrl({ ...asked, isServed: false }, silent).status,
    "warning",
  );
});

const TLS: readonly [reason: string, what: RegExp | undefined][] = [
  ["invalid peer certificate: Expired", /has expired/],
  [
    "invalid peer certificate: certificate expired: verification time " +
    "1795000000 (UNIX), but certificate is not valid after 1794000000 " +
    "(1000000 seconds ago)",
    /has expired \(it is valid until 2026-11-06T21:20:00Z, and .* 2026-11-1/,
  ],
  [
    "invalid peer certificate: certificate not valid yet: verification time " +
    "1794000000 (UNIX), but certificate is not valid before 1795000000 " +
    "(1000000 seconds in the future)",
    /not valid yet \(it is valid from 2026-11-18T\S+Z, and/,
  ],
  ["invalid peer certificate: NotValidYet", /not valid yet/],
  ["invalid peer certificate: UnknownIssuer", /not trusted/],
  [
    'invalid peer certificate: certificate not valid for name "x"',
    /other|name/,
  ],
  ["invalid peer certificate: BadSignature", /refused \(BadSignature\)/],
  ["received corrupt message of type InvalidContentType", /does not speak TLS/],
  ["tcp connect error: Connection refused", undefined],
];

Deno.test("a fault of TLS is named by the words of its library", () => {
  for (const [reason, what] of TLS) {
    const thrown = new TypeError(`client error (Connect): ${reason}`);
    const found = tlsFault(reasonOf(thrown));
    if (what === undefined) assert.equal(found, undefined);
    else assert.match(found?.what ?? "", what);
  }
});

Deno.test("a database is judged by schema first, then by what is damaged", () => {
  const health = {
    ...{ schema: 5, isOurs: true },
    ...{ problems: [], bytes: 1, walBytes: 1 },
  };
  const judge = (more: Partial<Parameters<typeof judgeDatabase>[0]>) =>
    judgeDatabase({ ...health, ...more }, 5).map(({ status }) => status);
  assert.deepEqual(judge({}), ["ok"]);
  assert.deepEqual(judge({ schema: 6 }), ["fault"]);
  assert.deepEqual(judge({ schema: 4 }), ["warning"]);
  assert.deepEqual(judge({ schema: 4, isOurs: false }), ["fault"]);
  assert.deepEqual(judge({ schema: 4, problems: ["x"] }), ["fault"]);
  assert.deepEqual(judge({ walBytes: 2 ** 30 }), ["warning"]);
});

Deno.test("the newest receipt's key is in the ring, active or retired", () => {
  const key = (keyId: string, activeTo?: number) => ({
    keyId,
    activeFrom: 1,
    activeTo,
  });
  const receipt = { receiptSeq: 3, keyId: "a" };
  assert.equal(judgeAttestation([key("a")], receipt), undefined);
  assert.equal(judgeAttestation([key("a", 2), key("b")], receipt), undefined);
  assert.equal(judgeAttestation([key("b")], undefined), undefined);
  assert.equal(judgeAttestation([key("b")], receipt)?.status, "fault");
  assert.equal(judgeAttestation([key("a", 2)], receipt)?.status, "fault");
});

Deno.test("forwarders are told while they are fresh and not trusted", () => {
  const seen = [{ from: "203.0.113.0/24", at: NOW }];
  const judge = (trusted: string[], now = NOW) =>
    judgeForwarders(seen, parseTrusted(trusted), "x-forwarded-for", now)
      .map((one) => one.status);
  assert.deepEqual(judge([]), ["warning"]);
  assert.deepEqual(judge(["10.0.0.0/8"]), ["warning"]);
  assert.deepEqual(judge(["203.0.113.7"]), ["ok"]);
  assert.deepEqual(judge(["203.0.0.0/16"]), ["ok"]);
  assert.deepEqual(judge([], NOW + 8 * DAY_MS), ["ok"]);
});
