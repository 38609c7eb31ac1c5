/**
 * The witness, as an outside log meets it (protocol/logs.md#the-witness).
 *
 * @module
 */
import assert from "node:assert/strict";
import { verifierKey } from "../../src/crypto/logs/signed_note.ts";
import { lookAround } from "../../src/features/notices/conditions.ts";
import {
  unwitnessLog,
  witnessLog,
} from "../../src/features/witness/operator.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { START_MS, type TestApp, withTestApp } from "../support/app.ts";
import {
  bodyOf,
  consistencyOf,
  type OutsideLog,
  outsideLog,
  verifyCosignature,
} from "../support/outside_log.ts";

const ON = {
  settings: {
    STRONGROOM_WITNESS: "on",
    STRONGROOM_NOTIFY: "https://notices.example/hook",
  },
};
const ORIGIN = "sea.example/behind-the-sofa";

async function submit(app: TestApp, body: BodyInit) {
  const response = await app.send("POST", "/witness/add-checkpoint", {
    protocol: null,
    body,
  });
  return {
    status: response.status,
    type: response.headers.get("Content-Type"),
    text: await response.text(),
  };
}

async function keyOf(app: TestApp): Promise<string> {
  const cosigner = await app.app.witness?.cosigner();
  assert(cosigner !== undefined);
  return verifierKey(cosigner.key);
}

/** A log of 7 entries that the server witnesses. */
async function witnessed(app: TestApp, count = 7): Promise<OutsideLog> {
  const log = await outsideLog(ORIGIN, count);
  await witnessLog(app.app.db, log.origin, log.verifierKey, START_MS);
  return log;
}

Deno.test("an outside log's checkpoints are cosigned as it grows, and a reader verifies each", async () => {
  await withTestApp(async (app) => {
    const log = await witnessed(app, 300);
    const key = await keyOf(app);
    let old = 0;
    for (const size of [0, 1, 1, 2, 3, 7, 8, 255, 256, 257, 300]) {
      const answer = await submit(app, await log.submission(old, size));
      assert.equal(answer.status, 200, `${old} to ${size}: ${answer.text}`);
      assert.equal(answer.type, "text/plain; charset=utf-8");
      const note = await log.note(size);
      const time = await verifyCosignature(answer.text, note, key);
      assert.equal(time, START_MS / 1_000);
      old = size;
    }
  }, ON);
});

Deno.test("what does not follow the last checkpoint is refused with the statuses of tlog-witness", async () => {
  await withTestApp(async (app) => {
    const log = await witnessed(app);
    const other = await outsideLog(ORIGIN, 7);
    const stranger = await outsideLog("sea.example/another", 7);
    const status = async (body: BodyInit) => (await submit(app, body)).status;
    assert.equal(await status(await stranger.submission(0)), 404);
    assert.equal(await status(await other.submission(0)), 403);
    assert.equal(await status(await log.submission(0, 5)), 200);
    // A size that is not the last one: it is told that one.
    for (const old of [0, 4, 6, 7]) {
      const answer = await submit(app, await log.submission(old, 7));
      assert.deepEqual(answer, {
        status: 409,
        type: "text/x.tlog.size",
        text: "5\n",
      });
    }
    // A smaller tree, though it is the same log's.
    assert.equal((await submit(app, await log.submission(4, 4))).text, "5\n");
    // A proof that leads from elsewhere, one that is cut off, and other bytes.
    const proof = consistencyOf(5, log.entries);
    const note = await log.note();
    assert.equal(await status(bodyOf(5, proof.slice(1), note)), 422);
    assert.equal(await status(bodyOf(5, proof.toReversed(), note)), 422);
    assert.equal(await status(bodyOf(5, [], note)), 422);
    const [first] = proof;
    assert(first !== undefined);
    assert.equal(await status(bodyOf(5, [...proof, first], note)), 422);
    assert.equal(
      await status(bodyOf(5, [first], await log.note(5))),
      422,
      "a proof for the same tree",
    );
    // And the right one.
    assert.equal(await status(bodyOf(5, proof, note)), 200);
  }, ON);
});

Deno.test("a log that signs two trees of one size is refused, and both checkpoints are kept", async () => {
  await withTestApp(async (app) => {
    const log = await witnessed(app);
    const first = await submit(app, await log.submission(0));
    assert.equal(first.status, 200);
    const forked = log.entries.with(3, new Uint8Array([1]));
    const note = await log.note(7, forked);
    for (const old of [0, 7]) {
      const answer = await submit(app, bodyOf(old, [], note));
      assert.deepEqual([answer.status, answer.text], [409, "7\n"]);
    }
    // A larger tree on top of the other one has no proof either.
    const more = [...forked, new Uint8Array([2])];
    const larger = await log.note(8, more);
    const refused = await submit(
      app,
      bodyOf(7, consistencyOf(7, more), larger),
    );
    assert.equal(refused.status, 422);
    const row = await app.app.db.selectFrom("witnessed_log").selectAll()
      .executeTakeFirstOrThrow();
    assert.equal(row.forked_note, await log.note());
    assert.equal(row.contradiction, note);
    assert.equal(row.contradicted_at, START_MS);
    const warnings = app.logged.filter(({ level }) => level === "warn");
    assert.equal(warnings.length, 1);
    // The operator is told, for as long as the log is witnessed.
    await lookAround(app.app, app.app.notices, {
      files: denoFiles,
      root: app.dataDir,
      certificateEnds: () => undefined,
    });
    const told = await app.app.db.selectFrom("notice")
      .select(["event", "ended_at"]).execute();
    assert.deepEqual(told, [{ event: "witness_alarm", ended_at: null }]);
    // The tree that was seen first can go on.
    log.entries.push(new Uint8Array([3]));
    assert.equal((await submit(app, await log.submission(7))).status, 200);
  }, ON);
});

Deno.test("a checkpoint that was cosigned is answered with the same cosignature, after a kill as well, and later with a new time", async () => {
  await withTestApp(async (app) => {
    const log = await witnessed(app);
    const first = await submit(app, await log.submission(0));
    app.clock.advance(59 * 60_000);
    // The answer was lost: the log asks from where it was, then from where the
    // witness is.
    const again = await app.reopen();
    assert.equal((await submit(again, await log.submission(0))).text, "7\n");
    const repeated = await submit(again, await log.submission(7));
    assert.deepEqual(repeated, first);
    again.clock.advance(60_000);
    const later = await submit(again, await log.submission(7));
    const note = await log.note();
    const time = await verifyCosignature(later.text, note, await keyOf(again));
    assert.equal(time, again.clock.now / 1_000);
  }, ON);
});

Deno.test("of many requests at once one checkpoint of a size is cosigned", async () => {
  await withTestApp(async (app) => {
    const log = await witnessed(app, 40);
    const other = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const forked = log.entries.with(at, new Uint8Array([at]));
        return bodyOf(0, [], await log.note(20 + at % 2, forked));
      }),
    );
    const answers = await Promise.all(other.map((body) => submit(app, body)));
    const cosigned = answers.filter(({ status }) => status === 200);
    assert.equal(cosigned.length, 1);
    assert(answers.every(({ status }) => status === 200 || status === 409));
  }, ON);
});

Deno.test("a log that was taken away and added again goes on where it was, with each of its keys", async () => {
  await withTestApp(async (app) => {
    const { db } = app.app;
    const log = await witnessed(app);
    await submit(app, await log.submission(0));
    await unwitnessLog(db, ORIGIN, START_MS);
    assert.equal((await submit(app, await log.submission(7))).status, 404);
    await assert.rejects(unwitnessLog(db, ORIGIN, START_MS), /not witnessed/);
    const rotated = await outsideLog(ORIGIN, 9);
    await witnessLog(db, ORIGIN, rotated.verifierKey, START_MS);
    assert.equal((await submit(app, await log.submission(7))).status, 403);
    assert.equal((await submit(app, await rotated.submission(0))).text, "7\n");
    assert.equal((await submit(app, await rotated.submission(7))).status, 200);
    assert(!await witnessLog(db, ORIGIN, rotated.verifierKey, START_MS));
    assert(await witnessLog(db, ORIGIN, log.verifierKey, START_MS));
    assert.equal((await submit(app, await log.submission(7))).text, "9\n");
  }, ON);
});

Deno.test("hostile bodies are 400, and too long ones 413", async () => {
  await withTestApp(async (app) => {
    const log = await witnessed(app);
    const note = await log.note();
    const hash = new Uint8Array(32);
    const good = bodyOf(0, [], note);
    for (
      const body of [
        "",
        "\n",
        "\n\n",
        note,
        `old 0\n${note}`,
        bodyOf("00", [], note),
        bodyOf("-1", [], note),
        bodyOf("+0", [], note),
        bodyOf("0 ", [], note),
        bodyOf("1e0", [], note),
        bodyOf("9007199254740993", [], note),
        bodyOf(8, [], note),
        good.replace("old", "OLD"),
        good.replace("old ", "old  "),
        good.replaceAll("\n", "\r\n"),
        good.slice(0, -1),
        bodyOf(0, Array.from({ length: 64 }, () => hash), note),
        bodyOf(0, [new Uint8Array(31)], note),
        `old 0\nnot base64\n\n${note}`,
        `old 0\n\n${note.replace("\n7\n", "\n07\n")}`,
        `old 0\n\n${note.replace("\u2014", "-")}`,
        `old 0\n\n${note.split("\n\n")[0]}\n`,
        `old 0\n\n${note}${note}`,
        new Uint8Array([0xff, 0xfe, 0x0a, 0x0a]),
        `old 0\n\n\u0000${note}`,
      ]
    ) {
      const answer = await submit(app, body);
      assert.equal(answer.status, 400, JSON.stringify(body));
    }
    const long = new Uint8Array(65_537).fill(0x78);
    long.set(new TextEncoder().encode(good));
    assert.equal((await submit(app, long.slice(1))).status, 400);
    assert.equal((await submit(app, long)).status, 413);
    // Lines of extension are signed like the rest.
    const extended = await log.note(7, log.entries, "more\n");
    const answer = await submit(app, bodyOf(0, [], extended));
    assert.equal(answer.status, 200);
    await verifyCosignature(answer.text, extended, await keyOf(app));
  }, ON);
});

Deno.test("60 requests a minute of a log are taken from an address, and any type of body", async () => {
  await withTestApp(async (app) => {
    const log = await witnessed(app);
    const body = await log.submission(0);
    const send = (from: string) =>
      app.send("POST", "/witness/add-checkpoint", {
        protocol: null,
        body,
        from,
        headers: { "Content-Type": "application/x-anything" },
      });
    const statuses = new Set<number>();
    for (let at = 0; at < 60; at++) {
      statuses.add((await send("192.0.2.7")).status);
    }
    assert.deepEqual([...statuses], [200, 409]);
    const refused = await send("192.0.2.7");
    assert.equal(refused.status, 429);
    assert(Number(refused.headers.get("Retry-After")) > 0);
    assert.equal((await send("192.0.2.8")).status, 409);
  }, ON);
});

Deno.test("a server that is no witness has no such path, and its witness has a key of its own in each life", async () => {
  await withTestApp(async (app) => {
    const log = await witnessed(app);
    const body = await log.submission(0);
    assert.equal((await submit(app, body)).status, 404);
    const on = await app.reopen({ STRONGROOM_WITNESS: "on" });
    assert.equal((await submit(on, body)).status, 200);
    const first = await keyOf(on);
    assert.match(first, /^127\.0\.0\.1:8470\/witness\//);
    // After a restore it has forgotten what it cosigned under that key.
    await on.app.db.updateTable("server").set({ feed_epoch: "another" })
      .execute();
    const restored = await on.reopen({ STRONGROOM_WITNESS: "on" });
    const second = await keyOf(restored);
    assert.notEqual(second.split("+")[2], first.split("+")[2]);
    const again = await submit(restored, await log.submission(7));
    await verifyCosignature(again.text, await log.note(), second);
  });
});
