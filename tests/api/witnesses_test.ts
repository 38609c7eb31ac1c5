/**
 * Servers that witness each other (protocol/logs.md#witnesses-of-this-server).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  noteKey,
  parseNote,
  readVerifierKey,
  verifierKey,
  verifyNote,
} from "../../src/crypto/logs/signed_note.ts";
import {
  addWitness,
  removeWitness,
} from "../../src/features/log/witness_operator.ts";
import { witnessLog } from "../../src/features/witness/operator.ts";
import { copyDatabase, setBack } from "../support/set_back.ts";
import { ORIGIN, type TestApp, withTestApp } from "../support/app.ts";
import { registerWriter } from "../support/people.ts";
import {
  issueReceipts as issue,
  type Name,
  readCheckpoint,
  readEntries,
  readLog,
} from "../support/public_logs.ts";

const BEN = "http://ben.example";
const CARLA = "http://carla.example";

/** What a server answers to another one's request. */
type Answer = (request: Request) => Promise<Response>;

/** Servers by their origin; one that is not there refuses connections. */
class Network {
  readonly servers = new Map<string, Answer>();
  readonly asked: string[] = [];

  readonly fetch = (async (input: string, init: RequestInit) => {
    const request = new Request(input, init);
    const { origin } = new URL(request.url);
    this.asked.push(origin);
    const answer = this.servers.get(origin);
    if (answer === undefined) throw new TypeError(`no way to ${origin}`);
    return await answer(request);
  }) as typeof fetch;

  join(origin: string, app: TestApp): TestApp {
    this.servers.set(
      origin,
      (request) => app.fetch(request, { clientAddress: "192.0.2.9" }),
    );
    return app;
  }
}

async function witnessKeyOf(app: TestApp): Promise<string> {
  const cosigner = await app.app.witness?.cosigner();
  assert(cosigner !== undefined);
  return verifierKey(cosigner.key);
}

/** Has one server ask another, which agrees. */
async function witnessedBy(log: TestApp, witness: TestApp, origin: string) {
  await addWitness(
    log.app.db,
    `${origin}/witness`,
    await witnessKeyOf(witness),
    log.clock.now,
  );
  await agree(log, witness);
}

/** Has a server witness both logs of another as they are called now. */
async function agree(log: TestApp, witness: TestApp) {
  const signer = log.app.secrets.logKeys.at(-1)?.signer;
  assert(signer !== undefined && log.app.logs !== undefined);
  for (const name of ["custody", "keys"] as Name[]) {
    const origin = log.app.logs.origin(name);
    const key = verifierKey(noteKey(origin, "ed25519", signer.publicKey));
    await witnessLog(witness.app.db, origin, key, witness.clock.now);
  }
}

/** Signs, and waits until all witnesses answered. */
async function advance(app: TestApp) {
  await app.advanceLogs();
  await app.app.logs?.witnessed();
}

/** Who cosigned the checkpoint that is served. */
async function cosignersOf(app: TestApp, name: Name, keys: readonly string[]) {
  const checkpoint = await readCheckpoint(app, name);
  const note = checkpoint && parseNote(checkpoint.note);
  assert(note !== undefined);
  const known = keys.map((key) => {
    const read = readVerifierKey(key);
    assert(read !== undefined);
    return read;
  });
  const signed = await verifyNote(note, known);
  return signed?.map(({ key }) => key.name);
}

function faultsOf(app: TestApp) {
  return app.app.db.selectFrom("log_cosignature")
    .select(["origin", "fault", "size"])
    .where("fault", "is not", null)
    .orderBy("origin")
    .execute();
}

/** Two servers on a network of their own. */
async function withTwo(
  test: (
    ada: TestApp,
    ben: TestApp,
    network: Network,
  ) => Promise<void>,
) {
  const network = new Network();
  const on = { STRONGROOM_WITNESS: "on" };
  await withTestApp(async (ada) => {
    await withTestApp(async (ben) => {
      network.join(ORIGIN, ada);
      network.join(BEN, ben);
      await test(ada, ben, network);
    }, {
      settings: { ...on, STRONGROOM_BASE_URL: BEN },
      fetch: network.fetch,
    });
  }, { settings: on, fetch: network.fetch, blobs: "directory" });
}

Deno.test("two servers witness each other, and each serves the other's cosignatures", async () => {
  await withTwo(async (ada, ben) => {
    await witnessedBy(ada, ben, BEN);
    await witnessedBy(ben, ada, ORIGIN);
    const keys = [await witnessKeyOf(ada), await witnessKeyOf(ben)];
    const names = keys.map((key) => key.split("+")[0]);
    const writer = await registerWriter(ada, "ada");
    const reader = await registerWriter(ben, "ben");
    for (const count of [1, 2, 300]) {
      await issue(ada, writer, count);
      await issue(ben, reader, count);
      await advance(ada);
      await advance(ben);
      for (const name of ["custody", "keys"] as Name[]) {
        assert.deepEqual(await cosignersOf(ada, name, keys), [names[1]]);
        assert.deepEqual(await cosignersOf(ben, name, keys), [names[0]]);
      }
    }
    // A start serves what was recorded.
    const before = await readCheckpoint(ada, "custody");
    const again = await ada.reopen();
    assert.equal((await readCheckpoint(again, "custody"))?.note, before?.note);
  });
});

Deno.test("nothing is asked again that was cosigned, but once a day", async () => {
  await withTwo(async (ada, ben, network) => {
    await witnessedBy(ada, ben, BEN);
    await issue(ada, await registerWriter(ada, "ada"), 1);
    await advance(ada);
    const asked = network.asked.length;
    ada.clock.advance(23 * 3_600_000);
    await advance(ada);
    assert.equal(network.asked.length, asked);
    ada.clock.advance(3_600_000);
    ben.clock.advance(24 * 3_600_000);
    await advance(ada);
    assert.equal(network.asked.length, asked + 2);
    const row = await ada.app.db.selectFrom("log_cosignature")
      .select("cosigned_at").executeTakeFirstOrThrow();
    assert.equal(row.cosigned_at, ben.clock.now);
  });
});

Deno.test("a witness that is silent holds up nothing, is asked less and less, and cosigns once it is back", async () => {
  await withTwo(async (ada, ben, network) => {
    await witnessedBy(ada, ben, BEN);
    network.servers.delete(BEN);
    const writer = await registerWriter(ada, "ada");
    await issue(ada, writer, 1);
    await advance(ada);
    assert.equal((await readLog(ada, "custody")).size, 1);
    assert.deepEqual((await faultsOf(ada)).map(({ fault }) => fault), [
      "silent",
    ]);
    assert.equal(network.asked.length, 1);
    await advance(ada);
    assert.equal(network.asked.length, 1);
    ada.clock.advance(60_000);
    await advance(ada);
    assert.equal(network.asked.length, 2);
    ada.clock.advance(60_000);
    await advance(ada);
    assert.equal(network.asked.length, 2);
    network.join(BEN, ben);
    ada.clock.advance(3_600_000);
    await advance(ada);
    assert.deepEqual(await faultsOf(ada), []);
    const key = await witnessKeyOf(ben);
    assert.equal((await cosignersOf(ada, "keys", [key]))?.length, 1);
  });
});

Deno.test("a witness that answers nonsense is told as such, and what it answers is not served", async () => {
  await withTwo(async (ada, ben, network) => {
    await witnessedBy(ada, ben, BEN);
    const key = await witnessKeyOf(ben);
    const writer = await registerWriter(ada, "ada");
    const text = (status: number, body: string) => () =>
      Promise.resolve(new Response(body, { status }));
    const other = async (request: Request) => {
      // The cosignature of another checkpoint.
      await ben.fetch(request, { clientAddress: "192.0.2.9" });
      const { cosignature } = await ben.app.db.selectFrom("witnessed_log")
        .select("cosignature").where("origin", "like", "%custody%")
        .executeTakeFirstOrThrow();
      return new Response(cosignature?.replace(/.{8}\n$/, "AAAAAAA=\n"));
    };
    const answers: [string, Answer][] = [
      ["wrong_answer", text(200, "")],
      ["wrong_answer", text(200, "\u2014 ben AAAAAAAA\n")],
      ["wrong_answer", text(409, "")],
      ["wrong_answer", text(409, "-1\n")],
      ["wrong_answer", text(409, "1e3\n")],
      ["wrong_answer", other],
      ["silent", text(200, "x".repeat(65_537))],
      ["silent", text(500, "")],
      ["silent", text(302, "")],
      ["busy", text(429, "")],
      ["unknown_log", text(404, "")],
      ["signature_refused", text(403, "")],
    ];
    for (const [fault, answer] of answers) {
      network.servers.set(BEN, answer);
      await issue(ada, writer, 1);
      ada.clock.advance(3_600_000);
      await advance(ada);
      const [custody] = await faultsOf(ada);
      assert.equal(custody?.fault, fault);
      assert.deepEqual(await cosignersOf(ada, "custody", [key]), []);
    }
    network.join(BEN, ben);
    ada.clock.advance(3_600_000);
    await advance(ada);
    assert.equal((await cosignersOf(ada, "custody", [key]))?.length, 1);
  });
});

Deno.test("a server that was set back learns it from its witness before it signs, and starts new logs", async () => {
  await withTwo(async (ada, ben) => {
    await witnessedBy(ada, ben, BEN);
    const writer = await registerWriter(ada, "ada");
    await issue(ada, writer, 3);
    await advance(ada);
    const first = await readLog(ada, "custody");
    const copy = await copyDatabase(ada);
    await issue(ada, writer, 4);
    await advance(ada);
    const lost = await readLog(ada, "custody");
    const back = await setBack(ada, copy);
    await issue(back, { userId: writer.userId }, 6);
    await advance(back);
    const forked = await readLog(back, "custody");
    assert.notEqual(forked.origin, first.origin);
    assert.equal(forked.origin, `${first.origin}-2`);
    assert.equal(forked.size, 9);
    const entries = await readEntries(back, await readLog(back, "keys"));
    const before = entries.filter(([kind]) => kind === 4);
    assert.deepEqual(before.map(([, origin]) => origin).toSorted(), [
      first.origin,
      first.origin.replace("custody", "keys"),
    ]);
    const of = before.find(([, origin]) => origin === first.origin);
    assert.equal(of?.[2], first.note);
    const told = back.logged.filter(({ level }) => level === "error");
    assert.match(told.at(-1)?.message ?? "", /start again under another name/);
    const life = await back.app.db.selectFrom("log_life").select("reason")
      .where("reason", "is not", null).executeTakeFirstOrThrow();
    assert.match(life.reason ?? "", /has seen 7 entries of/);
    // The witness did not sign anything but what it saw.
    const seen = await ben.app.db.selectFrom("witnessed_log")
      .select(["size", "note"]).where("origin", "=", first.origin)
      .executeTakeFirstOrThrow();
    assert.equal(seen.size, lost.size);
    assert(lost.note.startsWith(seen.note ?? "nothing"));
    // Its operator has to know the new name; and it does not fork again.
    const faults = await faultsOf(back);
    assert.deepEqual(
      faults.filter(({ origin }) => origin === forked.origin)
        .map(({ fault }) => fault),
      ["unknown_log"],
    );
    await agree(back, ben);
    const again = await back.reopen();
    await advance(again);
    assert.equal((await readLog(again, "custody")).origin, forked.origin);
    const key = await witnessKeyOf(ben);
    assert.equal((await cosignersOf(again, "custody", [key]))?.length, 1);
  });
});

Deno.test("the witness refuses another tree of the same size, and the next start begins new logs", async () => {
  await withTwo(async (ada, ben, network) => {
    await witnessedBy(ada, ben, BEN);
    const writer = await registerWriter(ada, "ada");
    await issue(ada, writer, 3);
    const copy = await copyDatabase(ada);
    await issue(ada, writer, 4);
    await advance(ada);
    const lost = await readLog(ada, "custody");
    // No witness answers while the server signs another tree of the same size.
    network.servers.delete(BEN);
    const back = await setBack(ada, copy);
    await issue(back, { userId: writer.userId }, 4);
    await advance(back);
    const other = await readLog(back, "custody");
    assert.deepEqual([other.origin, other.size], [lost.origin, lost.size]);
    network.join(BEN, ben);
    back.clock.advance(3_600_000);
    await advance(back);
    const [custody] = await faultsOf(back);
    assert.equal(custody?.fault, "contradicts");
    assert.match(
      back.logged.findLast(({ level }) => level === "error")?.message ?? "",
      /a different tree than this server's public log/,
    );
    // The witness has both checkpoints.
    const row = await ben.app.db.selectFrom("witnessed_log").selectAll()
      .where("origin", "=", lost.origin).executeTakeFirstOrThrow();
    assert(lost.note.startsWith(row.forked_note ?? "nothing"));
    assert.equal(row.contradiction, other.note);
    const started = await back.reopen();
    await advance(started);
    const forked = await readLog(started, "custody");
    assert.equal(forked.origin, `${lost.origin}-2`);
  });
});

Deno.test("an answer that was lost costs nothing: the witness repeats its cosignature", async () => {
  await withTwo(async (ada, ben, network) => {
    await witnessedBy(ada, ben, BEN);
    await issue(ada, await registerWriter(ada, "ada"), 2);
    const lost: string[] = [];
    network.servers.set(BEN, async (request) => {
      const answer = await ben.fetch(request, { clientAddress: "192.0.2.9" });
      lost.push(await answer.text());
      throw new TypeError("the connection was cut");
    });
    await advance(ada);
    assert.equal((await faultsOf(ada))[0]?.fault, "silent");
    // The witness was killed behind the record, and is started again.
    network.join(BEN, await ben.reopen());
    ada.clock.advance(3_600_000 - 1);
    await advance(ada);
    const { cosignature } = await ada.app.db.selectFrom("log_cosignature")
      .select("cosignature").where("origin", "like", "%custody%")
      .executeTakeFirstOrThrow();
    assert(lost.includes(cosignature ?? "none"));
  });
});

Deno.test("at most 16 witnesses are asked, and one that is taken away is asked no more", async () => {
  await withTwo(async (ada, ben, network) => {
    const key = await witnessKeyOf(ben);
    const { db } = ada.app;
    const read = readVerifierKey(key);
    assert(read !== undefined);
    for (
      const url of ["ben.example", "ftp://x", "https://x/?y", "https://u@x"]
    ) {
      await assert.rejects(addWitness(db, url, key, 0), /not the address/);
    }
    const ed25519 = verifierKey(noteKey("x", "ed25519", read.publicKey));
    await assert.rejects(
      addWitness(db, BEN, ed25519, 0),
      /not an Ed25519 verifier/,
    );
    assert.equal(await addWitness(db, `${CARLA}/`, key, 0), "added");
    assert.equal(await addWitness(db, CARLA, key, 0), "unchanged");
    assert.equal(await addWitness(db, `${BEN}/witness/`, key, 0), "moved");
    for (let at = 1; at < 16; at++) {
      const name = `ben.example/${at}`;
      const other = verifierKey(noteKey(name, "cosignature", read.publicKey));
      await addWitness(db, CARLA, other, at);
    }
    const more = verifierKey(noteKey("more", "cosignature", read.publicKey));
    await assert.rejects(addWitness(db, BEN, more, 0), /16 witnesses/);
    await assert.rejects(removeWitness(db, CARLA), /more than one/);
    await assert.rejects(removeWitness(db, "nobody"), /no witness/);
    await removeWitness(db, `${BEN}/witness`);
    for (let at = 1; at < 16; at++) {
      await removeWitness(db, `ben.example/${at}`);
    }
    await issue(ada, await registerWriter(ada, "ada"), 1);
    await advance(ada);
    assert.deepEqual(network.asked, []);
  });
});
