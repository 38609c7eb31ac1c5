/**
 * A new account that two devices open at once at its very first sign-in: one
 * makes the keys, its words open them, and the other is a second device.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  beginKeys,
  EscrowError,
  newRecoveryWords,
  openLibrary,
  openVault,
  recoverVault,
  registerAccount,
  resumeSession,
  type Session,
  type Vault,
  VaultError,
  WORDS_LABEL,
} from "../../src/library/mod.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  addressOf,
  deviceOf,
  enter,
  fileOf,
  type TestDevice,
  wholeOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { ciphertext, PASSWORD } from "../support/people.ts";

const PHOTO = ciphertext("a photo", 500);

/** A device on a wire of its own, whose requests a test can hold back. */
interface Beginner {
  readonly wire: Wire;
  readonly device: TestDevice;
  readonly session: Session;
  readonly words: string;
}

async function beginnerOf(app: TestApp, name: string, seed: string) {
  const wire = wireTo(app);
  const device = deviceOf(wire, seed);
  const session = seed.startsWith("laptop")
    ? await registerAccount(device.platform, {
      ...device.entrance,
      address: addressOf(name),
      password: PASSWORD,
    })
    : await enter(device, name);
  const words = await newRecoveryWords(device.platform.random);
  return { wire, device, session, words };
}

/** A new account, on two devices that have no keys yet. */
async function twoBeginners(app: TestApp, name: string) {
  return [
    await beginnerOf(app, name, `laptop ${name}`),
    await beginnerOf(app, name, `phone ${name}`),
  ] as const;
}

/** What the app does when a person has written the words down. */
async function begins({ session, words }: Beginner): Promise<Vault> {
  await beginKeys(session, [{ label: WORDS_LABEL, passphrase: words }]);
  return await openVault(session);
}

/** The program is started again, and the person goes on where it stopped. */
async function beginsAgain(one: Beginner): Promise<Vault> {
  const { platform, entrance } = one.device;
  const session = await resumeSession(platform, entrance);
  try {
    return await openVault(session, { makeKeys: false });
  } catch (error) {
    if (!(error instanceof VaultError && error.fault === "no_keys")) {
      throw error;
    }
  }
  return await begins({ ...one, session });
}

const isLocked = (error: unknown) =>
  error instanceof VaultError && error.fault === "locked";

/**
 * One of them has the keys and the other has not; what the one keeps, the words
 * that its person wrote down open on the other and on an empty machine.
 */
async function assertOneAccount(
  app: TestApp,
  name: string,
  beginners: readonly Beginner[],
  outcomes: readonly PromiseSettledResult<Vault>[],
  where: string,
): Promise<void> {
  const at = outcomes.findIndex(({ status }) => status === "fulfilled");
  const [winner, made] = [beginners[at], outcomes[at]];
  assert.ok(winner !== undefined && made?.status === "fulfilled", where);
  for (const [i, one] of outcomes.entries()) {
    if (i !== at) {
      assert.ok(one.status === "rejected" && isLocked(one.reason), where);
    }
  }
  const library = await openLibrary(made.value, winner.device.store);
  const { row } = await library.take(fileOf("a.jpg", PHOTO));
  const { words } = winner;
  for (const loser of beginners.filter((one) => one !== winner)) {
    // Started again, it is a second device that asks for the words.
    const { platform, entrance, store } = loser.device;
    const session = await resumeSession(platform, entrance);
    await assert.rejects(openVault(session), isLocked, where);
    await assert.rejects(begins({ ...loser, session }), isLocked, where);
    await assert.rejects(recoverVault(session, loser.words), EscrowError);
    const vault = await recoverVault(session, words);
    const other = await openLibrary(vault, store);
    await other.sync();
    assert.deepEqual(await wholeOf(other.read(row.id)), PHOTO, where);
    const again = await resumeSession(platform, entrance);
    assert.equal((await openVault(again)).libraryAlbumId, row.album, where);
  }
  const empty = deviceOf(wireTo(app), `tablet ${name}`);
  const vault = await recoverVault(await enter(empty, name), words);
  const other = await openLibrary(vault, empty.store);
  await other.sync();
  assert.deepEqual(await wholeOf(other.read(row.id)), PHOTO, where);
  assert.deepEqual(await vault.escrowLabels(), [WORDS_LABEL], where);
  const slots = await app.app.db.selectFrom("state_slot").select("slot")
    .where("user_id", "=", winner.session.userId as never).execute();
  const known = ["library", "trust", "deletions", "published"];
  assert.deepEqual(
    slots.filter(({ slot }) => !known.includes(slot)),
    [],
    where,
  );
}

/** Requests that making the keys takes. */
async function countRequests(app: TestApp): Promise<number> {
  const [one] = await twoBeginners(app, "count");
  const before = one.wire.sent.length;
  await begins(one);
  return one.wire.sent.length - before;
}

/** Holds back a person's request `n` until `others` are done. */
function holdAt({ wire }: Beginner, n: number, others: () => Promise<unknown>) {
  let left = n;
  wire.intercept = (request, pass) => {
    if (left-- !== 0) return undefined;
    return others().then(() => pass(request));
  };
}

/** From request `n` on, no request of the person gets out. */
function killAt({ wire }: Beginner, n: number): void {
  let left = n;
  wire.intercept = () => {
    if (left-- > 0) return undefined;
    throw new Error("killed");
  };
}

for (const [which, held] of [["first", 0], ["second", 1]] as const) {
  Deno.test(`two devices that begin a new account at once make one: the ${which} is overtaken before each of its requests`, async () => {
    await withTestApp(async (app) => {
      const requests = await countRequests(app);
      assert.ok(requests >= 6);
      for (let n = 0; n < requests; n++) {
        const name = `ada${held}${n}`;
        const beginners = await twoBeginners(app, name);
        const [slow, quick] = held === 0
          ? beginners
          : [beginners[1], beginners[0]];
        let passing: Promise<PromiseSettledResult<Vault>[]> | undefined;
        holdAt(slow, n, () => passing = Promise.allSettled([begins(quick)]));
        const [late] = await Promise.allSettled([begins(slow)]);
        slow.wire.intercept = undefined;
        const [early] = await passing ?? [];
        assert.ok(late !== undefined && early !== undefined);
        await assertOneAccount(
          app,
          name,
          [slow, quick],
          [late, early],
          `overtaken at ${n}`,
        );
      }
    });
  });
}

Deno.test("two devices that begin a new account take turns in any order, and make one account", async () => {
  await withTestApp(async (app) => {
    for (let round = 0; round < 12; round++) {
      const name = `turns${round}`;
      const beginners = await twoBeginners(app, name);
      // Which of the two goes on is read from the bits of a hash.
      const order = ciphertext(name, 64);
      let turn = 0;
      const gates = beginners.map(() => Promise.withResolvers<void>());
      const isDone = [false, false];
      const next = () => {
        const bit = (order[turn >> 3] ?? 0) >> (turn++ & 7) & 1;
        const at = isDone[bit] ? 1 - bit : bit;
        gates[at]?.resolve();
      };
      const outcomes = Promise.allSettled(beginners.map(async (one, i) => {
        one.wire.intercept = async (request, pass) => {
          await gates[i]?.promise;
          gates[i] = Promise.withResolvers<void>();
          try {
            return await pass(request);
          } finally {
            next();
          }
        };
        try {
          return await begins(one);
        } finally {
          isDone[i] = true;
          one.wire.intercept = undefined;
          next();
        }
      }));
      next();
      await assertOneAccount(
        app,
        name,
        beginners,
        await outcomes,
        `round ${round}`,
      );
    }
  });
});

Deno.test("a device that is killed at any request of making the keys leaves an account that its words open, or that another device begins", async () => {
  await withTestApp(async (app) => {
    const requests = await countRequests(app);
    for (let n = 0; n < requests; n++) {
      const name = `kill${n}`;
      const beginners = await twoBeginners(app, name);
      const [killed, other] = beginners;
      killAt(killed, n);
      await assert.rejects(begins(killed));
      killed.wire.intercept = undefined;
      const [made] = await Promise.allSettled([begins(other)]);
      if (made?.status === "fulfilled") {
        const [again] = await Promise.allSettled([beginsAgain(killed)]);
        assert.ok(again !== undefined);
        await assertOneAccount(
          app,
          name,
          beginners,
          [again, made],
          `killed at ${n}`,
        );
        continue;
      }
      // The keys were published: their words open them elsewhere, ...
      assert.ok(isLocked(made?.reason), `killed at ${n}`);
      const vault = await recoverVault(other.session, killed.words);
      assert.deepEqual(await vault.escrowLabels(), [WORDS_LABEL]);
      // ... and the device that was killed goes on with them.
      const again = await beginsAgain(killed);
      assert.equal(again.libraryAlbumId, vault.libraryAlbumId);
      const escrow = await again.session.account.escrow();
      assert.ok(escrow.length > 0, `killed at ${n}`);
    }
  });
});

Deno.test("what waited for the escrow does not undo words that were made since", async () => {
  await withTestApp(async (app) => {
    const [killed, other] = await twoBeginners(app, "ada");
    // The blob waits, then it is stored alone, and nothing after that.
    let stored = 0;
    killed.wire.intercept = (request, pass) => {
      if (stored === 2) throw new Error("killed");
      if (request.method === "PUT" && request.url.endsWith("/escrow")) {
        stored += 1;
      }
      return pass(request);
    };
    await assert.rejects(begins(killed));
    killed.wire.intercept = undefined;
    const vault = await recoverVault(other.session, killed.words);
    const passphrase = await newRecoveryWords(other.device.platform.random);
    await vault.escrow({ label: WORDS_LABEL, passphrase });
    await beginsAgain(killed);
    const empty = deviceOf(wireTo(app), "tablet");
    const session = await enter(empty, "ada");
    await assert.rejects(recoverVault(session, killed.words), EscrowError);
    await recoverVault(session, passphrase);
  });
});

Deno.test("other words that are chosen after an attempt was cut off are the ones that count", async () => {
  await withTestApp(async (app) => {
    const requests = await countRequests(app);
    for (let n = 0; n < requests; n++) {
      const name = `again${n}`;
      const one = await beginnerOf(app, name, `laptop ${name}`);
      killAt(one, n);
      await assert.rejects(begins(one));
      one.wire.intercept = undefined;
      const words = await newRecoveryWords(one.device.platform.random);
      const made = await begins({ ...one, words });
      const empty = deviceOf(wireTo(app), `tablet ${name}`);
      const vault = await recoverVault(await enter(empty, name), words);
      assert.equal(vault.libraryAlbumId, made.libraryAlbumId, `cut at ${n}`);
    }
  });
});
