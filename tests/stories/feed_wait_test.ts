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
import { expectProblem, type Json } from "../support/expect.ts";
import type { FeedOrder } from "../support/feed_writer.ts";
import type { Person } from "../support/people.ts";

const DATABASE = "db/strongroom.sqlite";

/** How long a piece of work takes (ms), and its outcome. */
async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const begun = performance.now();
  return [await work, performance.now() - begun];
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
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

function actions({ entries }: Json): string[] {
  return entries.map((entry: Json) => entry.action);
}

/** Bob's page from where he is, waiting 20 s for something. */
async function waitFor(
  app: TestApp,
  bob: Person,
  query = "",
): Promise<[Json, number]> {
  const { next_after } = await readFeed(app, bob.token);
  return await timed(
    readFeed(app, bob.token, `?after=${next_after}&wait=20${query}`),
  );
}

Deno.test("an entry that is there ends a wait before it begins", async () => {
  await withAlbum(async (app, ada) => {
    const [page, ms] = await timed(readFeed(app, ada.token, "?wait=20"));
    assert.deepEqual(actions(page), ["album"]);
    assert.ok(ms < 1_000, `${ms} ms`);
  });
});

Deno.test("a wait ends with the session that waits", async () => {
  await withAlbum(async (app, ada) => {
    const { next_after } = await readFeed(app, ada.token);
    const waiting = app.send("GET", `/v1/sync?after=${next_after}&wait=20`, {
      token: ada.token,
    });
    await pause(100);
    const out = await app.send("POST", "/v1/auth/logout", { token: ada.token });
    assert.equal(out.status, 204);
    const [answer, ms] = await timed(waiting);
    await expectProblem(answer, "error.auth.token_invalid");
    assert.ok(ms < 5_000, `${ms} ms`);
  });
});

Deno.test("an entry of one's own, of an added or of a member's album ends a wait at once", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
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
      const waiting = waitFor(app, bob, query);
      await pause(60);
      await change();
      const [page, ms] = await waiting;
      assert.deepEqual(actions(page), [action]);
      assert.ok(ms < 1_500, `${ms} ms`);
    }
  });
});

Deno.test("what is none of one's business ends no wait", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const { next_after } = await readFeed(app, bob.token);
    const waiting = timed(
      readFeed(app, bob.token, `?after=${next_after}&wait=1`),
    );
    await pause(50);
    await publishRoster(app, ada, albumId, 1, []);
    await provisionAlbum(app, ada, "another");
    const [page, ms] = await waiting;
    assert.deepEqual(page.entries, []);
    assert.equal(page.next_after, next_after);
    assert.equal(page.more, false);
    assert.ok(ms >= 900 && ms < 3_000, `${ms} ms`);
  });
});

Deno.test("without a wait an empty page comes at once", async () => {
  await withAlbum(async (app, _ada, bob) => {
    for (const query of ["", "?wait=0"]) {
      const [page, ms] = await timed(readFeed(app, bob.token, query));
      assert.deepEqual(page.entries, []);
      assert.ok(ms < 500, `${ms} ms`);
    }
  });
});

Deno.test("whoever is removed while waiting at an album is refused it", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const { next_after } = await readFeed(app, bob.token);
    const waiting = timed(app.send(
      "GET",
      `/v1/sync?after=${next_after}&wait=20&album_id=${albumId}`,
      { token: bob.token },
    ));
    await pause(60);
    await publishRoster(app, ada, albumId, 2, []);
    const [answer, ms] = await waiting;
    await expectProblem(answer, "error.album.not_found");
    assert.ok(ms < 1_500, `${ms} ms`);
  });
});

Deno.test("one entry ends the waits of all", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    await publishRoster(app, ada, albumId, 1, [{ member: bob.userId }]);
    const waiting = [ada, bob, ada, bob].map((one) => waitFor(app, one));
    await pause(80);
    await publishRoster(app, ada, albumId, 2, [{ member: bob.userId }]);
    for (const [page, ms] of await Promise.all(waiting)) {
      assert.deepEqual(actions(page), ["roster"]);
      assert.ok(ms < 1_500, `${ms} ms`);
    }
  });
});

Deno.test("what another program writes is found within a few seconds", async () => {
  await withAlbum(async (app, ada, bob, albumId) => {
    const waiting = waitFor(app, bob);
    await pause(60);
    await writeElsewhere({
      path: `${app.dataDir}/${DATABASE}`,
      reader: bob.userId,
      owner: ada.userId,
      albumId,
      pairs: 1,
    });
    const [page, ms] = await waiting;
    assert.deepEqual(actions(page), ["album"]);
    // Long before the wait of 20 seconds is over, however busy the machine.
    assert.ok(ms < 15_000, `${ms} ms`);
  });
});

Deno.test("a server that is being stopped ends every wait and takes up none", async () => {
  await withAlbum(async (app, _ada, bob) => {
    const waiting = [waitFor(app, bob), waitFor(app, bob)];
    await pause(60);
    app.stopWaiting();
    for (const [page, ms] of await Promise.all(waiting)) {
      assert.deepEqual(page.entries, []);
      assert.ok(ms < 1_500, `${ms} ms`);
    }
    const [, ms] = await waitFor(app, bob);
    assert.ok(ms < 500, `${ms} ms`);
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
      await pause(0);
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
