/**
 * `strongroom deprecation` as a process, while a server runs
 * (upkeep/old-dates.md#ending-old-protocol-dates).
 *
 * @module
 */
import assert from "node:assert/strict";
import { platform } from "../../main.ts";
import { HOUR_MS } from "../../src/core/time.ts";
import { expectDone, expectRefused } from "../support/ended.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { runInProcess } from "../support/in_process.ts";
import { PASSWORD } from "../support/people.ts";
import { runProgram, withDataDir } from "../support/program.ts";
import {
  expectHelp,
  expectLine,
  type ServerAndCommands,
  withServer,
} from "../support/upkeep.ts";

const FAR = "2035-01-01T00:00:00Z";
const OLD = "2026-08-15";
let people = 0;

/** A write by a client of an old date. */
function write({ server }: ServerAndCommands): Promise<Response> {
  return server.send("POST", "/v1/auth/register", {
    protocol: OLD,
    json: { address: `old${people++}@example.org`, password: PASSWORD },
  });
}

Deno.test("an announcement is in force on the next request, and a withdrawn one gone", async () => {
  await withServer(async (given) => {
    const { server, run } = given;
    const deprecation = (...args: string[]) => run("deprecation", ...args);
    assert.equal(
      expectDone(await deprecation("list")),
      "nothing is announced\n",
    );
    const words = expectDone(
      await deprecation(
        ...["announce", "--min", "2026-10-01", "--cutoff", FAR],
        ...["--detail-url", "https://photos.example/upgrade"],
      ),
    );
    assert.match(words, /^dates below 2026-10-01 are refused from 2035-01-01T/);
    const warned = await write(given);
    assert.equal(
      warned.headers.get("sunset"),
      "Mon, 01 Jan 2035 00:00:00 GMT",
    );
    assert.match(warned.headers.get("deprecation") ?? "", /^@\d+$/);
    await expectJson(warned, 200);
    const { announcements } = expectLine(await deprecation("list", "--json"));
    assert.deepEqual(
      await expectJson(
        await server.send("GET", "/.well-known/service/deprecation"),
        200,
      ),
      { announcements },
    );
    assert.deepEqual(announcements.map((one: object) => Object.keys(one)), [[
      "min_protocol_version",
      "announced_at",
      "cutoff",
      "detail_url",
    ]]);
    assert.match(
      expectDone(await deprecation("list")),
      /will be refused .*, see https:\/\/photos\.example\/upgrade\n$/,
    );
    expectRefused(
      await deprecation("announce", "--min", "2026-10-01", "--cutoff", FAR),
      /2026-10-01 is already announced/,
    );
    assert.deepEqual(
      expectLine(await deprecation("withdraw", "2026-10-01", "--json")),
      { min_protocol_version: "2026-10-01", outcome: "withdrawn" },
    );
    const free = await write(given);
    assert.equal(free.headers.get("sunset"), null);
    await expectJson(free, 200);
    expectRefused(
      await deprecation("withdraw", "2026-10-01"),
      /is not announced: strongroom deprecation list shows what is/,
    );
  });
});

Deno.test("once the cutoff has passed, an old date is refused with the link to the record", async () => {
  await withServer(async (given) => {
    // Announced an hour ago: a cutoff has to be ahead of its announcement.
    const now = () => platform.now() - HOUR_MS;
    const cutoff = new Date(now() + 60_000).toISOString();
    expectDone(
      await runInProcess(
        [
          ...["deprecation", "announce"],
          ...["--min", "2026-10-01", "--cutoff", cutoff],
        ],
        { STRONGROOM_DATA_DIR: given.dataDir },
        new Uint8Array(),
        { ...platform, now },
      ),
    );
    const refused = await write(given);
    assert.match(
      refused.headers.get("link") ?? "",
      /well-known\/service\/deprecation/,
    );
    await expectProblem(refused, "error.handshake.protocol_unsupported");
    assert.match(
      expectDone(await given.run("deprecation", "list")),
      /^dates below 2026-10-01 are refused from/,
    );
    expectRefused(
      await given.run(
        ...["deprecation", "announce", "--min", "2026-09-01"],
        ...["--cutoff", FAR],
      ),
      /dates below 2026-10-01 are already refused/,
    );
  });
});

Deno.test("a senseless date, cutoff or address is refused in one line, and nothing is announced", async () => {
  await withServer(async ({ run }) => {
    const announce = (min: string, cutoff: string, ...more: string[]) =>
      run(
        ...["deprecation", "announce", "--min", min, "--cutoff", cutoff],
        ...more,
      );
    const good = "2026-10-01";
    for (
      const [ended, why] of [
        [announce("2026-02-30", FAR), /not a date: write YYYY-MM-DD/],
        [announce("soon", FAR), /not a date/],
        [announce("2026-06-01", FAR), /below 2026-06-01 are already refused/],
        [announce("2020-01-01", FAR), /already refused/],
        [announce("2026-11-02", FAR), /would refuse every client/],
        [announce(good, "2026-01-01T00:00:00Z"), /has passed/],
        [announce(good, "2035-01-01"), /not a time: write it in full/],
        [announce(good, "2035-02-30T00:00:00Z"), /not a time/],
        [announce(good, "9999-12-31T23:59:59Z"), /ten years ahead/],
        [announce(good, FAR, "--detail-url", "http://x.example"), /https:/],
        [announce(good, FAR, "--detail-url", "upgrade"), /https:/],
        [
          announce(good, FAR, "--detail-url", "https://a:b@x.example/"),
          /without a password/,
        ],
      ] as const
    ) expectRefused(await ended, why);
    assert.deepEqual(expectLine(await run("deprecation", "list", "--json")), {
      announcements: [],
    });
  });
});

Deno.test("a directory without a database is refused; a wrong use is status 2", async () => {
  await withDataDir(async (dataDir) => {
    for (
      const args of [
        ["list"],
        ["withdraw", "2026-10-01"],
        ["announce", "--min", "2026-10-01", "--cutoff", FAR],
      ]
    ) {
      expectRefused(
        await runProgram(["deprecation", ...args, "--data-dir", dataDir]),
        /contains no database/,
      );
    }
    assert.deepEqual(await Array.fromAsync(Deno.readDir(dataDir)), []);
  });
  for (
    const args of [
      [],
      ["announce"],
      ["announce", "--min", "2026-10-01"],
      ["announce", "--cutoff", FAR],
      ["withdraw"],
    ]
  ) {
    const ended = await runProgram(["deprecation", ...args]);
    assert.equal(ended.status, 2, args.join(" "));
  }
});

Deno.test("each command has an example in its help", () =>
  expectHelp([
    "deprecation announce",
    "deprecation withdraw",
    "deprecation list",
  ]));
