/**
 * What a hostile phone, or an attacker with a phone's password, can and cannot
 * do at `strongroom receive`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64, utf8 } from "../../src/core/bytes.ts";
import { deviceKeys, safeKeyOf } from "../../src/cli/receive/device_keys.ts";
import { ciphertext } from "../support/people.ts";
import { PHONE, type Town, withTelephone } from "../support/telephone.ts";

const BOB = { name: "bob", password: "mnpqrs-tuvwxy" };

/** The header with which Bob's telephone says who it is. */
const asBob = {
  Authorization: `Basic ${toBase64(utf8(`${BOB.name}:${BOB.password}`))}`,
};

/** Adds Bob's telephone, which sends to the same owner. */
function addBob({ spool, now }: Town): void {
  const device = spool.device(PHONE.name);
  assert(device !== undefined);
  const salt = new Uint8Array(16).fill(3);
  const keys = deviceKeys(BOB.password, salt);
  const isNew = spool.addDevice({
    ...device,
    ...BOB,
    salt,
    verifier: keys.verifier,
    safe_key: safeKeyOf(keys),
    created_at: now,
  });
  assert(isNew);
}

/** A body that begins and does not go on, until it is told to end. */
function hangingBody() {
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(10));
      end = () => controller.close();
    },
  });
  return { body, end: () => end() };
}

Deno.test("a stolen password shows and changes nothing of another phone, and nothing that was received", async () => {
  await withTelephone(async (town) => {
    addBob(town);
    const [first, forged] = [ciphertext("first", 900), ciphertext("new", 901)];
    assert.equal(await town.status("/DCIM", { method: "MKCOL" }), 201);
    assert.equal(await town.status("/DCIM/a.jpg", { body: first }), 201);
    const bob = (path: string, method: string, headers = {}) =>
      town.status(path, { method, headers: { ...asBob, ...headers } });
    assert.equal(await bob("/DCIM/a.jpg", "HEAD"), 404);
    assert.equal(await bob("/DCIM/a.jpg", "DELETE"), 404);
    assert.equal(
      await bob("/DCIM/a.jpg", "MOVE", { Destination: "/mine.jpg" }),
      404,
    );
    const listed = await town.ask("/", {
      method: "PROPFIND",
      headers: { ...asBob, Depth: "1" },
    });
    assert.doesNotMatch(await listed.text(), /DCIM|a\.jpg/);

    // With the phone's own password another file takes its name, and no more.
    assert.equal(await town.status("/DCIM/a.jpg", { body: forged }), 204);
    assert.equal(await town.status("/DCIM/a.jpg", { method: "GET" }), 403);
    assert.equal(await town.status("/DCIM/a.jpg", { method: "DELETE" }), 403);
    await town.deliver();
    const inbox = await town.inbox();
    const arrived = await Promise.all(inbox.map((one) => town.peek(one)));
    assert.deepEqual(
      arrived.toSorted((a, b) => a.length - b.length),
      [first, forged],
    );
  });
});

Deno.test("a removed phone's password ends at once, and what it had sent is still delivered", async () => {
  await withTelephone(async (town) => {
    addBob(town);
    assert.equal(
      await town.status("/a.jpg", { body: ciphertext("a", 900) }),
      201,
    );
    assert(town.spool.removeDevice(PHONE.name));
    assert.equal(
      await town.status("/b.jpg", { body: ciphertext("b", 900) }),
      401,
    );
    assert.equal(await town.status("/", { method: "HEAD" }), 401);
    assert.equal((await town.deliver()).sent, 1);
    // The other one goes on.
    const body = ciphertext("c", 900);
    assert.equal(await town.status("/c.jpg", { body, headers: asBob }), 201);
  });
});

Deno.test("a hostile phone is bounded in files at a time, names and requests, and costs no other phone its turn", async () => {
  await withTelephone(async (town) => {
    addBob(town);
    const bodies = [hangingBody(), hangingBody()];
    const hanging = bodies.map(({ body }, at) =>
      town.status(`/${at}.jpg`, { body })
    );
    const one = { body: ciphertext("one", 900) };
    assert.equal(await town.status("/c.jpg", one), 503);
    assert.equal(await town.status("/c.jpg", { ...one, headers: asBob }), 201);
    for (const { end } of bodies) end();
    assert.deepEqual(await Promise.all(hanging), [201, 201]);
    assert.equal(await town.status("/c.jpg", one), 201);
    assert.equal(
      await town.status("/d.jpg", { body: ciphertext("d", 900) }),
      507,
    );
    assert.equal(await town.status("/folder", { method: "MKCOL" }), 507);

    // So many a minute; then it has to wait.
    let status = 0;
    for (let n = 0; n < 6_001 && status !== 429; n += 1) {
      status = await town.status("/", { method: "OPTIONS" });
    }
    assert.equal(status, 429);
    assert.equal(
      await town.status("/", { method: "OPTIONS", headers: asBob }),
      200,
    );
    town.now += 61_000;
    assert.equal(await town.status("/", { method: "OPTIONS" }), 200);
  }, { atOnce: 2, entries: 3 });
});

Deno.test("what a hostile phone says of its files is bounded, and nothing of it is kept", async () => {
  await withTelephone(async (town) => {
    const deep = `/${"a/".repeat(70)}x.jpg`;
    const body = ciphertext("a", 900);
    const said = async (path: string, asked: Parameters<Town["ask"]>[1]) => {
      const status = await town.status(path, asked);
      assert(status >= 400 && status < 500, `${path}: ${status}`);
      return status;
    };
    assert.equal(await said(deep, { body }), 414);
    assert.equal(await said(`/${"é".repeat(1_025)}.jpg`, { body }), 414);
    // It lists no whole tree, and reads no long text.
    await said("/", { method: "PROPFIND", headers: { Depth: "infinity" } });
    await said("/", {
      method: "PROPFIND",
      headers: { Depth: "1" },
      body: `<propfind xmlns="DAV:">${" ".repeat(70_000)}</propfind>`,
    });
    // More than was announced, and less.
    await said("/more.jpg", { body, headers: { "Content-Length": "10" } });
    await said("/less.jpg", { body, headers: { "Content-Length": "9000" } });
    await said("/range.jpg", {
      body,
      headers: { "Content-Range": "bytes 5-2/10" },
    });
    for (const path of ["/more.jpg", "/range.jpg", deep]) {
      assert(await town.status(path, { method: "HEAD" }) >= 400, path);
    }
    assert.equal((await town.deliver()).sent, 0);
  });
});
