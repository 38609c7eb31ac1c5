import assert from "node:assert/strict";
import { concatBytes, utf8 } from "../../../core/bytes.ts";
import { OperatorFault } from "../../../core/operator.ts";
import {
  argon2,
  type Argon2Cost,
  passphraseBytes,
} from "../../../client/keys/argon2.ts";
import { NONCE_BYTES } from "../../../client/documents/suite.ts";
import { nativePrimitives } from "../../../client/keys/native.ts";
import { secretFile } from "./secret_file.ts";
import { placesOf } from "./user_folders.ts";

const PHRASE = "seven blue herons at noon";
const CHEAP: Argon2Cost = { memoryKib: 64, passes: 1, lanes: 1 };
const SECRET = utf8("{}");

/** A profile in a folder of its own. */
async function withProfile(
  work: (places: ReturnType<typeof placesOf>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(
      placesOf("default", (name) => name === "HOME" ? folder : undefined),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a secret names the cost of its key, and opens where another cost is used now", async () => {
  await withProfile(async (places) => {
    await secretFile(places, PHRASE, CHEAP).write(SECRET);
    const now = secretFile(places, PHRASE);
    assert.deepEqual(await now.read(), SECRET);
    await now.write(SECRET);
    assert.deepEqual(
      await secretFile(places, PHRASE, CHEAP).read(),
      SECRET,
    );
    await assert.rejects(
      async () => await secretFile(places, "another").read(),
      /encrypted with another phrase/,
    );
  });
});

Deno.test("a secret of before, which names no cost, opens with the cost of then", async () => {
  await withProfile(async (places) => {
    const cost = { memoryKib: 65_536, passes: 3, lanes: 1 };
    const salt = new Uint8Array(16).fill(1);
    const nonce = new Uint8Array(NONCE_BYTES).fill(2);
    const head = utf8("strongroom-secret/v1\n");
    const key = await argon2(passphraseBytes(PHRASE), salt, cost);
    const box = nativePrimitives.seal(key, nonce, SECRET, head);
    await writeSecret(places, concatBytes(head, salt, nonce, box));
    const store = secretFile(places, PHRASE, CHEAP);
    assert.deepEqual(await store.read(), SECRET);
    // What is written next names its cost.
    await store.write(SECRET);
    const written = await Deno.readFile(places.secret);
    assert.deepEqual(
      written.slice(0, 33),
      concatBytes(
        utf8("strongroom-secret/v2\n"),
        new Uint8Array([0, 0, 0, 64, 0, 0, 0, 1, 0, 0, 0, 1]),
      ),
    );
    assert.deepEqual(await store.read(), SECRET);
  });
});

Deno.test("a secret whose cost is out of bounds, was changed, or that a newer program wrote, is refused with the reason", async () => {
  await withProfile(async (places) => {
    const store = secretFile(places, PHRASE, CHEAP);
    await store.write(SECRET);
    const whole = await Deno.readFile(places.secret);
    const withCost = (...cost: readonly number[]) => {
      const changed = whole.slice();
      const view = new DataView(changed.buffer, 21, 12);
      for (const [i, one] of cost.entries()) view.setUint32(4 * i, one);
      return changed;
    };
    const newer = whole.slice();
    newer[19] = "3".charCodeAt(0);
    const refused: readonly (readonly [Uint8Array, RegExp])[] = [
      [withCost(262_145, 1, 1), /is damaged/],
      [withCost(64, 17, 1), /is damaged/],
      [withCost(64, 1, 0), /is damaged/],
      [withCost(16, 1, 4), /is damaged/],
      [whole.slice(0, 30), /is damaged/],
      [whole.slice(0, 40), /is damaged/],
      [withCost(65, 1, 1), /another phrase/],
      [newer, /written by a newer strongroom: update/],
    ];
    for (const [bytes, reason] of refused) {
      await writeSecret(places, bytes);
      await assert.rejects(async () => await store.read(), (error) => {
        assert(error instanceof OperatorFault, String(error));
        assert.match(error.message, reason);
        return true;
      });
    }
    await writeSecret(places, whole);
    assert.deepEqual(await store.read(), SECRET);
  });
});

async function writeSecret(
  { configDirectory, secret }: ReturnType<typeof placesOf>,
  bytes: Uint8Array,
): Promise<void> {
  await Deno.mkdir(configDirectory, { recursive: true });
  await Deno.writeFile(secret, bytes, { mode: 0o600 });
}
