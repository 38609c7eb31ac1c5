/**
 * What the doctor says on the operator's page, in other languages.
 *
 * @module
 */
import assert from "node:assert/strict";
import { judgeBackup } from "../../src/cli/operator/doctor/backup.ts";
import { judgeBaseUrl } from "../../src/cli/operator/doctor/base_url.ts";
import { judgeClock } from "../../src/cli/operator/doctor/clock.ts";
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
import { judgePermissions } from "../../src/cli/operator/doctor/permissions.ts";
import { judgeForwarders } from "../../src/cli/operator/doctor/proxy_headers.ts";
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

for (const [tag, name] of Object.entries(LANGUAGES)) {
  if (tag === "en") continue;
  Deno.test(`the operator's page says in ${name} what the doctor finds in a home`, async () => {
    const sentences = await sentencesIn(tag, findingsIn);
    const said = await found();
    assert.ok(said.every(({ status }) => status !== "ok"));
    for (const { detail } of said) {
      const text = translated(detail, sentences);
      assert.ok(text !== undefined, `in English alone: ${detail}`);
      assert.doesNotMatch(text, /\{\d\}|\.\.$/, text);
    }
    // Commands are the same in any language; sentences are not.
    for (const { mend = "" } of said) {
      const isCommand = /^(?:chmod|chown) /.test(mend);
      assert.ok(
        isCommand || translated(mend, sentences) !== undefined,
        `in English alone: ${mend}`,
      );
    }
    assert.equal(translated("something new", sentences), undefined);
  });
}

Deno.test("what the doctor names is in the translated sentence", async () => {
  assert.equal(
    translated(
      "the last one is 40 days old, in /mnt/a, in /b",
      await sentencesIn("de", findingsIn),
    ),
    "Die letzte ist 40 Tage alt, in /mnt/a, in /b.",
  );
  assert.deepEqual(await sentencesIn("en", findingsIn), []);
});

Deno.test("what the doctor looks at has a name in every language", () => {
  for (const tag of Object.keys(LANGUAGES)) {
    const names: Readonly<Record<string, string>> =
      messagesOf(tag).operator.checks;
    for (const check of CHECKS) assert.ok(names[check], `${tag}: ${check}`);
  }
});
