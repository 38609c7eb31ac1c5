/**
 * Waiting at the sync feed, and reading it while it is written
 * (protocol/feed.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { TestApp } from "../support/app.ts";
import {
  provisionAlbum,
  publishRoster,
  readFeed,
  withAlbum,
} from "../support/albums.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import type { FeedOrder } from "../support/feed_writer.ts";
import { HeldTime } from "../support/held_time.ts";
import type { Person } from "../support/people.ts";

const DATABASE = "db/strongroom.sqlite";

/** How long is waited for something (ms). */
const WAIT_MS = 20_000;
/** How often a wait looks for changes without a notice (ms). */
const LOOK_MS = 2_000;

/**
 * Runs a test over an album while no time passes: what ends a wait is what it
 * waits for.
 */
async function withHeldTime(
  test: (given: {
    readonly app: TestApp;
    readonly ada: Person;
    readonly bob: Person;
    readonly albumId: string;
    readonly time: HeldTime;
  }) => Promise<void>,
): Promise<void> {
  const time = new HeldTime();
  await withAlbum(
    (app, ada, bob, albumId) => test({ app, ada, bob, albumId, time }),
    { time },
  );
}

/** Lets another program write to the feed; resolves once it has. */
async function writeElsewhere(order: FeedOrder): Promise<void> {
  const url = new URL("../support/feed_writer.ts", import.meta.url);
  const worker = new Worker(url, { type: "module" });
  try {
    await new Promise((written, failed) => {
      worker.onmessage = written;
      worker.onerror = failed;
      worker.postMessage(order);
    });
  } finally {
    worker.terminate();
  }
}

/** A person's answer from where they are, once something is there. */
async function waitFor(
  app: TestApp,
  person: Person,
  query = "",
): Promise<{ readonly answer: Promise<Response>; readonly after: number }> {
  const { next_after: after } = await readFeed(app, person.token);
  const answer = app.send("GET", `/v1/sync?after=${after}&wait=20${query}`, {
    token: person.token,
  });
  return { answer, after };
}

async function expectActions(
  answer: Promise<Response>,
  expected: readonly string[],
): Promise<Json> {
  const page = await expectJson(await answer, 200);
  assert.deepEqual(page.entries.map((entry: Json) => entry.action), expected);
  return page;
}

Deno.test("an entry that is there ends a wait before it begins", async () => {
  await withHeldTime(async ({ app, ada }) => {
    const answer = app.send("GET", "/v1/sync?wait=20", { token: ada.token });
    await expectActions(answer, ["album"]);
  });
});

Deno.test("a wait ends with the session that waits", async () => {
  await withHeldTime(async ({ app, ada, time }) => {
    const { answer } = await waitFor(app, ada);
    await time.asleep(1, WAIT_MS);
    const out = await app.send("POST", "/v1/auth/logout", { token: ada.token });
    assert.equal(out.status, 204);
    // Sessions are looked at now and then, long before the wait is over.
    await time.asleep(2, LOOK_MS);
    app.clock.advance(LOOK_MS);
    await expectProblem(await answer, "error.auth.token_invalid");
  });
});

Deno.test("an entry of one's own, of an added or of a member's album ends a wait at once", async () => {
  await withHeldTime(async ({ app, ada, bob, albumId, time }) => {
    const changes: [string, string, () => Promise<unknown>][] = [
      ["album", "", () => provisionAlbum(app, bob, "bob's")],
      [
        "roster",
        "",
        () => publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]),
      ],
      [
        "roster",
        "",
        () => publishRoster(app, ada, albumId, 2, [{ member: bob.userId }]),
      ],
      [
        "roster",
        `&album_id=${albumId}`,
        () => publishRoster(app, ada, albumId, 3, [{ member: bob.userId }]),
      ],
      ["roster", "", () => publishRoster(app, ada, albumId, 4, [])],
    ];
    for (const [action, query, change] of changes) {
      const { answer } = await waitFor(app, bob, query);
      await time.asleep(1, WAIT_MS);
      await change();
      await expectActions(answer, [action]);
    }
  });
});

Deno.test("changes that an account cannot see end no wait", async () => {
  await withHeldTime(async ({ app, ada, bob, albumId, time }) => {
    const { answer, after } = await waitFor(app, bob);
    // Ada waits as well, and is told of what Bob is not.
    const adas = await waitFor(app, ada);
    await time.asleep(2, WAIT_MS);
    await publishRoster(app, ada, albumId, 1, []);
    await expectActions(adas.answer, ["roster"]);
    const again = await waitFor(app, ada);
    await time.asleep(2, WAIT_MS);
    await provisionAlbum(app, ada, "another");
    await expectActions(again.answer, ["album"]);
    // Three waits began, and Bob's is the first one still.
    const waits = time.begun.filter((ms) => ms === WAIT_MS);
    assert.equal(waits.length, 3);
    app.clock.advance(WAIT_MS);
    const page = await expectActions(answer, []);
    assert.equal(page.next_after, after);
    assert.equal(page.more, false);
  });
});

Deno.test("without a wait an empty page comes at once", async () => {
  await withHeldTime(async ({ app, bob }) => {
    for (const query of ["", "?wait=0"]) {
      const page = await readFeed(app, bob.token, query);
      assert.deepEqual(page.entries, []);
    }
  });
});

Deno.test("a member who is removed while waiting at an album is refused it", async () => {
  await withHeldTime(async ({ app, ada, bob, albumId, time }) => {
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const { answer } = await waitFor(app, bob, `&album_id=${albumId}`);
    await time.asleep(1, WAIT_MS);
    await publishRoster(app, ada, albumId, 2, []);
    await expectProblem(await answer, "error.album.not_found");
  });
});

Deno.test("one entry ends the waits of all", async () => {
  await withHeldTime(async ({ app, ada, bob, albumId, time }) => {
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const waiting = [];
    for (const one of [ada, bob, ada, bob]) {
      waiting.push(await waitFor(app, one));
    }
    await time.asleep(4, WAIT_MS);
    await publishRoster(app, ada, albumId, 2, [{ member: bob.userId }]);
    for (const { answer } of waiting) await expectActions(answer, ["roster"]);
  });
});

Deno.test("what another program writes is found at the next look, long before the wait is over", async () => {
  await withHeldTime(async ({ app, ada, bob, albumId, time }) => {
    const { answer } = await waitFor(app, bob);
    await time.asleep(1, WAIT_MS);
    await writeElsewhere({
      path: `${app.dataDir}/${DATABASE}`,
      reader: bob.userId,
      owner: ada.userId,
      albumId,
      pairs: 1,
    });
    await time.asleep(2, LOOK_MS);
    app.clock.advance(LOOK_MS);
    await expectActions(answer, ["album"]);
  });
});

Deno.test("a server that is being stopped ends every wait and takes up none", async () => {
  await withHeldTime(async ({ app, bob, time }) => {
    const waiting = [await waitFor(app, bob), await waitFor(app, bob)];
    await time.asleep(2, WAIT_MS);
    app.stopWaiting();
    for (const { answer } of waiting) await expectActions(answer, []);
    await expectActions((await waitFor(app, bob)).answer, []);
  });
});

Deno.test("a client that reads while others write misses nothing and sees nothing twice", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const albums = [albumId];
    for (let i = 0; i < 20; i++) {
      albums.push(await provisionAlbum(app, ada, `shared ${i}`));
    }
    for (const shared of albums) {
      await publishRoster(app, ada, shared, 1, [{ member: bob.userId }]);
    }
    let writing = true;
    const written = writeElsewhere({
      path: `${app.dataDir}/${DATABASE}`,
      reader: bob.userId,
      owner: ada.userId,
      albumId: albums.toSorted().at(-1) ?? albumId,
      pairs: 400,
    }).finally(() => writing = false);
    const seen: number[] = [];
    let after = 0;
    for (let last = false; !last;) {
      await new Promise((resume) => setTimeout(resume));
      last = !writing;
      for (let reads = 0; reads < 20; reads++) {
        const page = await readFeed(app, bob.token, `?after=${after}`);
        seen.push(...page.entries.map((entry: Json) => entry.sync_seq));
        after = page.next_after;
      }
    }
    await written;
    const { entries } = await readFeed(app, bob.token, "?limit=1000");
    const all: number[] = entries.map((entry: Json) => entry.sync_seq);
    assert.equal(all.length, 800 + 2 * albums.length);
    const missed = all.filter((position) => !seen.includes(position));
    assert.equal(missed.length, 0, `missed ${missed.slice(0, 10)}`);
    assert.deepEqual(seen, all);
  });
});
