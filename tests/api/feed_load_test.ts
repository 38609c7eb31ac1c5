/**
 * The sync feed under those who would stop the server with it
 * (protocol/feed.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, yieldToEventLoop } from "../support/app.ts";
import {
  provisionAlbum,
  publishRoster,
  putRoster,
  readFeed,
  rosterBytes,
  withAlbum,
} from "../support/albums.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { HeldTime } from "../support/held_time.ts";
import {
  type Person,
  registerPerson,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import {
  numbered,
  numberedUuid,
  readNumber,
  writeRows,
} from "../support/rows.ts";
import { until } from "../support/until.ts";
import { workOf } from "../support/work.ts";

/** Waiting requests that an account may have. */
const WAITING_MAX = 8;
/** Albums that are made while others wait. */
const ALBUMS = 25;
/** Statements, and rows, that telling of one change takes at most. */
const TELLING = 4;
/** Albums of one owner that may name the same other account. */
const NAMED_MAX = 200;

/** How long each waits (ms). */
const WAIT_MS = 30_000;
/** How often a wait looks for changes without a notice (ms). */
const LOOK_MS = 2_000;

/** Begins to wait for what comes next; the feed is read to its end. */
async function wait(
  app: TestApp,
  person: Person,
  signal?: AbortSignal,
): Promise<{ answer: Promise<Response>; after: number }> {
  const { next_after } = await readFeed(app, person.token, "?limit=1000");
  const path = `/v1/sync?after=${next_after}&wait=${WAIT_MS / 1_000}`;
  const answer = app.send("GET", path, {
    token: person.token,
    ...(signal === undefined ? {} : { signal }),
  });
  await new Promise((resume) => setTimeout(resume));
  return { answer, after: next_after };
}

/** Gives an owner's rosters the same member, directly in the database. */
function nameEverywhere(
  app: TestApp,
  owner: Person,
  member: Person,
  count: number,
): void {
  const album = numberedUuid("0a0a0a0a");
  writeRows(
    app,
    `${numbered(count)} insert into album
      (album_id, owner_id, protocol_version, created_at)
      select ${album}, '${owner.userId}', '2026-11-01', 0 from numbers`,
    `${numbered(count)} insert into roster_member
      (album_id, member, role, owner_id)
      select ${album}, '${member.userId}', 'viewer', '${owner.userId}'
      from numbers`,
  );
}

Deno.test("the ninth waiting request of an account is refused, and no other's", async () => {
  await withAlbum(async (app, ada, bob) => {
    const waiting = [];
    for (let i = 0; i < WAITING_MAX; i++) waiting.push(await wait(app, bob));
    const { answer, after } = await wait(app, bob);
    const refused = await answer;
    const seconds = Number(refused.headers.get("retry-after"));
    await expectProblem(refused, "error.account.rate_limited");
    assert.ok(seconds >= 1 && seconds <= 30, `${seconds} s`);
    // What waits for nothing is answered as ever.
    await readFeed(app, bob.token, `?after=${after}`);
    await readFeed(app, ada.token, "?wait=1");
    await provisionAlbum(app, bob, "bob's");
    for (const one of waiting) {
      const { entries } = await expectJson(await one.answer, 200);
      assert.deepEqual(entries.map(({ action }: Json) => action), ["album"]);
    }
    // All of them are over: there is room for others, and an entry needs none.
    const again = await wait(app, bob);
    await provisionAlbum(app, bob, "bob's second");
    await expectJson(await again.answer, 200);
  });
});

Deno.test("a wait ends when its client hangs up", async () => {
  // No time passes: only the hanging up can end a wait.
  await withAlbum(async (app, _ada, bob) => {
    const hangingUp = new AbortController();
    const gone = [];
    for (let i = 0; i < WAITING_MAX; i++) {
      gone.push(await wait(app, bob, hangingUp.signal));
    }
    hangingUp.abort();
    for (const one of gone) await one.answer;
    const { answer } = await wait(app, bob);
    await provisionAlbum(app, bob, "bob's");
    await expectJson(await answer, 200);
  }, { time: new HeldTime() });
});

Deno.test("a wait ends at the next look after a sign-out that another program commands", async () => {
  const time = new HeldTime();
  await withAlbum(async (app, _ada, bob) => {
    const { answer } = await wait(app, bob);
    // It waits, and looks now and then.
    await time.asleep(2, LOOK_MS);
    writeRows(app, `delete from session where user_id = '${bob.userId}'`);
    await yieldToEventLoop();
    app.clock.advance(LOOK_MS);
    await expectProblem(await answer, "error.auth.token_invalid");
  }, { time });
});

Deno.test("a thousand rosters and twenty long polls delay no writer", async () => {
  const time = new HeldTime();
  await withAlbum(async (app, ada, bob) => {
    const victims = [bob];
    for (const name of ["cleo", "dan"]) {
      victims.push(await registerPerson(app, name));
    }
    const mallory = await registerWriter(app, "mallory");
    nameEverywhere(app, mallory, bob, 1_000);
    for (const victim of victims.slice(1)) {
      writeRows(
        app,
        `insert into roster_member (album_id, member, role, owner_id)
          select album_id, '${victim.userId}', 'viewer', owner_id
          from roster_member where member = '${bob.userId}'`,
      );
    }
    const writing = (word: string) =>
      workOf(async () => {
        for (let i = 0; i < ALBUMS; i++) {
          await provisionAlbum(app, ada, `${word} ${i}`);
        }
      });
    await writing("warm");
    const alone = await writing("alone");
    const waiting = [];
    for (let i = 0; i < 20; i++) {
      const victim = victims[i % victims.length] ?? bob;
      waiting.push((await wait(app, victim)).answer);
    }
    // Each has read the feed by then.
    const begun = () => time.begun.filter((ms) => ms === WAIT_MS).length;
    await until(() => Promise.resolve(begun()), waiting.length);
    const beside = await writing("beside");
    app.stopWaiting();
    for (const answer of waiting) {
      const { entries } = await expectJson(await answer, 200);
      assert.deepEqual(entries, []);
    }
    // Each is announced once, by looking up whom it concerns, without a read.
    const said = JSON.stringify({ alone, beside });
    assert.equal(beside.writes, alone.writes, said);
    assert(beside.queries <= alone.queries + TELLING * ALBUMS, said);
    assert(beside.rows <= alone.rows + TELLING * ALBUMS, said);
  }, { time });
});

Deno.test("a long feed of many albums is read in order, without a gap and nothing twice", async () => {
  await withAlbum(async (app, ada, bob) => {
    const mallory = await registerWriter(app, "mallory");
    nameEverywhere(app, mallory, bob, 50);
    // Entries of Bob's, of an album that he is in, of one that he is not in.
    writeRows(
      app,
      `${numbered(12_000)} insert into feed (user_id, action, album_id, at)
        select
          iif(n % 3 = 0, '${bob.userId}', '${mallory.userId}'), 'roster',
          iif(n % 3 = 1, printf('0a0a0a0a-0000-4000-8000-%012x', n % 50),
            iif(n % 3 = 2, '${uuidOf("another album")}', null)), 0
        from numbers`,
    );
    const own = readNumber(
      app,
      `select count(*) from feed where at = 0 and (user_id = '${bob.userId}'
        or album_id like '0a0a0a0a-%')`,
    );
    assert.equal(own, 8_000);
    for (const limit of [1_000, 733, 200]) {
      const seen: number[] = [];
      for (let after = 0, more = true; more;) {
        const query = `?after=${after}&limit=${limit}`;
        const page = await readFeed(app, bob.token, query);
        seen.push(...page.entries.map((entry: Json) => entry.sync_seq));
        ({ next_after: after, more } = page);
      }
      assert.equal(seen.length, own);
      assert.deepEqual(seen, [...new Set(seen)].toSorted((a, b) => a - b));
    }
    const { entries } = await readFeed(app, ada.token, "?limit=1000");
    assert.deepEqual(entries.map(({ action }: Json) => action), ["album"]);
  });
});

Deno.test("an account can be named in at most 200 albums of the same owner", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    nameEverywhere(app, ada, bob, NAMED_MAX - 1);
    const carl = await registerPerson(app, "carl");
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const further = await provisionAlbum(app, ada, "one too many");
    const refused = await putRoster(
      app,
      ada,
      further,
      await rosterBytes(ada, further, 1, [
        { member: carl.userId },
        { member: bob.userId },
      ]),
    );
    const { limit } = await expectProblem(
      refused,
      "error.account.limit_reached",
    );
    assert.equal(limit, NAMED_MAX);
    // Nothing of it was done, and others are named as ever.
    const { entries } = await readFeed(app, carl.token);
    assert.deepEqual(entries, []);
    await publishRoster(app, ada, further, 1, [{ member: carl.userId }]);
    // A member who is named already may be named again, and makes room by
    // leaving.
    await publishRoster(app, ada, albumId, 2, [
      { member: bob.userId, role: "contributor" },
    ]);
    await publishRoster(app, ada, albumId, 3, []);
    await publishRoster(app, ada, further, 2, [{ member: bob.userId }]);
  });
});

Deno.test("a name that is no account's leaves no entry behind when it leaves", async () => {
  await withAlbum(async (app, ada, _bob, albumId) => {
    const members = Array.from({ length: 300 }, (_, i) => ({
      member: uuidOf(`nobody ${i}`),
    }));
    await publishRoster(app, ada, albumId, 1, members);
    await publishRoster(app, ada, albumId, 2, []);
    const entries = readNumber(app, "select count(*) from feed");
    // The album, and its two rosters.
    assert.equal(entries, 3);
  });
});
