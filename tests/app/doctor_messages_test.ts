/**
 * What the doctor says on the operator's page, in other languages.
 *
 * @module
 */
import assert from "node:assert/strict";
import { judgeBackup } from "../../src/cli/operator/doctor/backup.ts";
import { judgeBaseUrl } from "../../src/cli/operator/doctor/base_url.ts";
import { judgeClock } from "../../src/cli/operator/doctor/clock.ts";
import { judgeDatabase } from "../../src/cli/operator/doctor/database.ts";
import { judgeDevices, judgeRoom } from "../../src/cli/operator/doctor/disk.ts";
import {
  CHECKS,
  type Finding,
  findingsOf,
} from "../../src/cli/operator/doctor/finding.ts";
import { judgeNotices } from "../../src/cli/operator/doctor/notices.ts";
import { warningOf } from "../../src/cli/operator/doctor.ts";
import { adviceForFiles } from "../../src/cli/named_files.ts";
import {
  judgeChanges,
  judgeHost,
} from "../../src/cli/operator/doctor/proxy_changes.ts";
import {
  judgePermissions,
  type PathFacts,
} from "../../src/cli/operator/doctor/permissions.ts";
import { judgeRolling } from "../../src/cli/operator/doctor/rolling.ts";
import { judgeForwarders } from "../../src/cli/operator/doctor/proxy_headers.ts";
import { say } from "../../src/core/sentence.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { parseTrusted } from "../../src/http/client_address.ts";
import { messagesOf } from "../../scripts/messages/reading.ts";
import { catalogueOf, LANGUAGES } from "../../scripts/web/catalogues.ts";
import {
  sentencesIn,
  translated,
} from "../../src/web/app/screens/settings/finding_messages.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

const findingsIn = (tag: string) =>
  Promise.resolve(catalogueOf(tag)["findings"] ?? "");

/** What the doctor finds in a home: everything that is no `ok`. */
async function found(): Promise<readonly Finding[]> {
  const backup = (days: number, damaged = 0) =>
    judgeBackup({
      ...{ dir: "/mnt/disk", made_at: NOW - days * DAY_MS, damaged },
      ...{ blobs: 1, bytes: 1, took_ms: 1 },
    }, { now: NOW, holdsBlobs: true });
  const asked = { origin: "https://a.example", isServed: true, ownKeys: ["k"] };
  const answer = (ahead: number) => ({
    ...{ from: "b.example", date: NOW },
    ...{ askedAt: NOW + ahead, answeredAt: NOW + ahead },
  });
  const file = { owner: 7, mode: 0o600 } as const;
  const root = { path: "/d", kind: "data directory", ...file } as const;
  const files = await adviceForFiles(
    [{ name: "STRONGROOM_MAP_FILE", text: "/nowhere/at/all" }],
  );
  assert.equal(files.length, 1);
  const failing = {
    name: "mail",
    waiting: 1,
    sentAt: null,
    failingSince: NOW,
    fault: "refused",
  };
  return [
    ...files.map(warningOf),
    judgeBackup(undefined, { now: NOW, holdsBlobs: true }),
    backup(9),
    backup(40),
    backup(0, 3),
    backup(1, 3),
    judgeRoom(0, 5),
    judgeRoom(3, 5),
    judgeRoom(7, 5),
    judgeDevices({ uploads: 1, blobs: 2 }) ?? findingsOf("disk").ok(""),
    ...judgeClock(NOW, [answer(9_000)], []),
    ...judgeClock(NOW, [answer(-40_000)], []),
    ...judgeClock(NOW, [], [{ what: "a receipt", at: NOW + 9 * DAY_MS }]),
    ...judgeClock(NOW, [], [], { what: "it", at: NOW - 900 * DAY_MS }),
    judgeBaseUrl(
      { ...asked, isServing: true },
      { kind: "unreachable", reason: "refused" },
    ),
    judgeBaseUrl(asked, { kind: "stranger", status: 200 }),
    judgeBaseUrl(asked, {
      kind: "redirect",
      status: 301,
      location: "https://c.example",
    }),
    ...judgeHost("https://a.example", true),
    ...judgeChanges("https://a.example", [{
      headers: new Headers({ "Content-Encoding": "gzip", ETag: 'W/"a"' }),
      etag: '"a"',
    }, { headers: new Headers(), etag: undefined }]),
    ...judgeNotices([failing, { ...failing, failingSince: null }]),
    ...judgePermissions([{ ...root, mode: 0o755 }], 7),
    ...judgePermissions([root, {
      ...{ path: "/d/key", kind: "secret", owner: 7, mode: 0o640 },
    }], 7),
    ...judgeForwarders(
      [{ from: "203.0.113.7", at: NOW }],
      parseTrusted([]),
      "x-forwarded-for",
      NOW,
    ),
  ];
}

/** What it finds that only half of is translated: a command stays as it is. */
function foundBesides(): readonly Finding[] {
  const root = { path: "/d", kind: "data directory", mode: 0o700 } as const;
  const modeOf = (kind: PathFacts["kind"], mode: number) =>
    judgePermissions([
      { ...root, owner: 7 },
      { path: "/e", kind, owner: 7, mode },
    ], 7);
  const health = {
    ...{ schema: 1, isOurs: true, problems: [] },
    ...{ bytes: 1, walBytes: 1 },
  };
  const amount = { count: 9, bytes: 9 };
  const checked = (lost: number, began_at: number) =>
    judgeRolling({
      version: 1,
      last: null,
      current: {
        ...{ began_at, ended_at: null, after: "", lost },
        ...{ done: amount, total: amount },
      },
    }, NOW);
  return [
    ...[0, 8].flatMap((user) =>
      judgePermissions([{ ...root, owner: 7 }], user)
    ),
    ...modeOf("key directory", 0o755),
    ...modeOf("secret elsewhere", 0o644),
    ...judgeDatabase({ ...health, problems: ["row 7"] }, 1),
    ...judgeDatabase({ ...health, walBytes: 2 ** 30 }, 1),
    checked(3, NOW),
    checked(0, NOW - 90 * DAY_MS),
    judgeBaseUrl(
      { origin: "https://a.example", isServed: true, ownKeys: ["k"] },
      { kind: "server", serverId: "https://d.example", signingKey: "other" },
    ),
  ];
}

for (const [tag, name] of Object.entries(LANGUAGES)) {
  if (tag === "en") continue;
  Deno.test(`the operator's page says in ${name} what the doctor finds in a home`, async () => {
    const sentences = await sentencesIn(tag, findingsIn);
    const said = await found();
    assert.ok(said.every(({ status }) => status !== "ok"));
    for (const { detail } of said) {
      const text = translated(detail, sentences);
      assert.ok(text !== undefined, `in English alone: ${detail.says}`);
      assert.doesNotMatch(text, /\{\d\}|\.\.$/, text);
    }
    // Commands are the same in any language; sentences are not.
    for (const { mend } of said) {
      assert.ok(mend !== undefined);
      const isCommand = /^(?:chmod|chown) /.test(mend.says);
      assert.ok(
        isCommand || translated(mend, sentences) !== undefined,
        `in English alone: ${mend.says}`,
      );
    }
    assert.equal(translated(say("something new"), sentences), undefined);
  });
}

Deno.test("what the doctor names is in the translated sentence", async () => {
  assert.equal(
    translated(
      say("the last one is {1} days old, in {2}", 40, "/mnt/{1}, in /b"),
      await sentencesIn("de", findingsIn),
    ),
    "Die letzte ist 40 Tage alt, in /mnt/{1}, in /b.",
  );
  assert.equal((await sentencesIn("en", findingsIn)).size, 0);
});

Deno.test("what the doctor looks at has a name in every language", () => {
  for (const tag of Object.keys(LANGUAGES)) {
    const names: Readonly<Record<string, string>> =
      messagesOf(tag).operator.checks;
    for (const check of CHECKS) assert.ok(names[check], `${tag}: ${check}`);
  }
});

Deno.test("every sentence that is translated is one that the doctor says", async () => {
  const said = [...await found(), ...foundBesides()]
    .flatMap(({ detail, mend }) => [detail, mend]);
  const known = new Set(said.map((sentence) => sentence?.says));
  // A server finds it that has yet to ask for its certificate.
  known.add("no certificate yet");
  const sentences = await sentencesIn("de", findingsIn);
  assert.deepEqual([...sentences.keys()].filter((one) => !known.has(one)), []);
});
