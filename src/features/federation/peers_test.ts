import assert from "node:assert/strict";
import { OperatorFault } from "../../core/operator.ts";
import { type Db, serveDatabase } from "../../store/sqlite/database.ts";
import { listPeers, pinPeer, unpinPeer } from "./peers.ts";

const KEYS = [
  "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
].map((hex) => Uint8Array.fromHex(hex));
const [KEY, OTHER] = KEYS;

async function withDatabase(
  test: (db: Db) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const { db } = await serveDatabase(`${folder}/a.sqlite`, "epoch");
    await test(db).finally(() => db.destroy());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a pin is made, kept, replaced and taken away", async () => {
  assert(KEY !== undefined && OTHER !== undefined);
  await withDatabase(async (db) => {
    const b = "https://b.example";
    const a = "https://a.example";
    const pin = async (name: string, key: typeof KEY, now: number) =>
      (await pinPeer(db, name, key, now)).outcome;
    assert.equal(await pin(b, KEY, 1), "pinned");
    assert.equal(await pin(b, KEY, 2), "unchanged");
    assert.equal(await pin(`${a}/`, KEY, 3), "pinned");
    assert.deepEqual(await listPeers(db), [
      { serverId: a, publicKey: KEY, pinnedAt: 3 },
      { serverId: b, publicKey: KEY, pinnedAt: 1 },
    ]);
    assert.equal(await pin(b, OTHER, 4), "replaced");
    assert.equal(await unpinPeer(db, `${a}/`), a);
    assert.deepEqual(await listPeers(db), [
      { serverId: b, publicKey: OTHER, pinnedAt: 4 },
    ]);
    await assert.rejects(unpinPeer(db, a), OperatorFault);
  });
});

Deno.test("what is no canonical origin or no public key is not pinned", async () => {
  assert(KEY !== undefined);
  await withDatabase(async (db) => {
    for (const name of ["", "a.example", "https://A.example", "file:///a"]) {
      await assert.rejects(pinPeer(db, name, KEY, 1), OperatorFault);
      await assert.rejects(unpinPeer(db, name), OperatorFault);
    }
    for (
      const key of [
        new Uint8Array(),
        new Uint8Array(32),
        KEY.slice(1),
        new Uint8Array(33).fill(1),
      ]
    ) {
      await assert.rejects(
        pinPeer(db, "https://a.example", key, 1),
        OperatorFault,
      );
    }
    assert.deepEqual(await listPeers(db), []);
  });
});
