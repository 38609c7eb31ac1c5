/**
 * Rotating keys while an application runs, at the worst moments
 * (protocol/authentication.md#tokens, protocol/receipts.md#receipts).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { BlobHash, UploadId, UserId } from "../../src/core/ids.ts";
import { HOUR_MS } from "../../src/core/time.ts";
import {
  parsePublishedKeys,
  verifyReceiptChain,
} from "../../src/crypto/receipt_chain.ts";
import { rotateKey } from "../../src/features/keys/keys.ts";
import { readReceipt } from "../../src/crypto/receipt.ts";
import { SigningKeys } from "../../src/features/keys/signing_keys.ts";
import { ReceiptChain } from "../../src/features/receipts/chain.ts";
import type { Db } from "../../src/store/sqlite/database.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { keysPath } from "../../src/store/data_paths.ts";
import { openBesideServer } from "../../src/store/store.ts";
import { ORIGIN, type TestApp, withTestApp } from "../support/app.ts";
import { signIn } from "../support/backups.ts";
import { issueAt } from "../support/chains.ts";
import { publishedRecord, uploadNamed } from "../support/custody.ts";
import { expectJson, type Json } from "../support/expect.ts";
import { hashOf, type Person, registerWriter } from "../support/people.ts";

/** An application, and its operator's own connection. */
async function withOperator(
  test: (
    app: TestApp,
    rotate: (purpose: "access" | "attestation") => Promise<void>,
    beside: Db,
  ) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const beside = await openBesideServer(app.dataDir);
    try {
      const { platform } = app.app;
      const rotate = (purpose: "access" | "attestation") =>
        rotateKey(beside, placeOf(app), purpose, {
          random: platform.random,
          now: () => app.clock.now,
          serverId: ORIGIN,
        });
      await test(app, rotate, beside);
    } finally {
      await beside.destroy();
    }
  });
}

function placeOf(app: TestApp) {
  return { files: denoFiles, directory: keysPath(app.dataDir) };
}

function orderOf(app: TestApp, ada: Person) {
  return {
    ownerId: ada.userId as UserId,
    uploadId: app.app.newId<UploadId>(),
    assetId: null,
    blobRole: "original",
    ciphertextHash: hashOf("x") as BlobHash,
    size: 1,
    envelopeHash: null,
  } as const;
}

/** Expects that the whole chain verifies under what is published. */
async function expectChain(app: TestApp, count: number): Promise<void> {
  const rows = await app.app.db.selectFrom("receipt").select("body")
    .orderBy("receipt_seq").execute();
  const verdict = await verifyReceiptChain(
    rows.map(({ body }) => body),
    parsePublishedKeys(await publishedRecord(app)),
  );
  assert(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.count, count);
}

/** Only this process issues. */
const NO_FENCE = { hold: () => {}, note: () => {} };

Deno.test("a receipt that was signed before a rotation and not yet issued is signed again by the new key", async () => {
  await withOperator(async (app, rotate) => {
    const ada = await registerWriter(app, "ada");
    const signingKeys = await SigningKeys.open(app.app.db, placeOf(app));
    const old = signingKeys.active.signer.keyId;
    let signed = 0;
    const chain = new ReceiptChain(
      app.app.db,
      ORIGIN,
      {
        get active() {
          const { signer, ...rest } = signingKeys.active;
          const sign = async (domain: string, payload: Uint8Array) => {
            const signature = await signer.sign(domain, payload);
            if (signed++ === 0) {
              app.clock.advance(5);
              await rotate("attestation");
              app.clock.advance(5);
            }
            return signature;
          };
          return { ...rest, signer: { ...signer, sign } };
        },
        refresh: () => signingKeys.refresh(),
      },
      () => app.clock.now,
      NO_FENCE,
    );
    const issued = await chain.issue(
      orderOf(app, ada),
      (_tx, { body }) => Promise.resolve(body),
    );
    assert.equal(signed, 2);
    const rows = await app.app.db.selectFrom("receipt").select("body")
      .execute();
    assert.deepEqual(rows.map(({ body }) => body), [issued]);
    const next = await uploadNamed(app, ada, "next");
    assert.notEqual(next.server_key_id, old);
    await expectChain(app, 2);
  });
});

Deno.test("a clock that is set back by a little around a rotation disowns no receipt", async () => {
  await withOperator(async (app, rotate) => {
    const ada = await registerWriter(app, "ada");
    await uploadNamed(app, ada, "early");
    app.clock.advance(-30_000);
    await uploadNamed(app, ada, "set back");
    await rotate("attestation");
    await uploadNamed(app, ada, "late");
    app.clock.advance(-10_000);
    await rotate("attestation");
    await uploadNamed(app, ada, "later");
    await expectChain(app, 4);
  });
});

/** The dates of all receipts, in their order. */
async function datesOf(app: TestApp): Promise<number[]> {
  const rows = await app.app.db.selectFrom("receipt").select("body")
    .orderBy("receipt_seq").execute();
  return rows.map(({ body }) => Date.parse(readReceipt(body).received_at));
}

Deno.test("a clock that was ahead for one receipt makes no later one earlier, and keeps no key from being rotated", async () => {
  await withOperator(async (app, rotate) => {
    const ada = await registerWriter(app, "ada");
    await uploadNamed(app, ada, "in time");
    app.clock.advance(2 * HOUR_MS);
    const then = await signIn(app, ada);
    const ahead = await uploadNamed(app, then, "ahead");
    app.clock.advance(-2 * HOUR_MS);
    const after = await uploadNamed(app, ada, "right again");
    assert.equal(after.received_at, ahead.received_at);
    await rotate("attestation");
    const { keys } = await publishedRecord(app);
    assert.equal(keys[0].active_to, ahead.received_at);
    assert.equal(keys[1].active_from, ahead.received_at);
    await uploadNamed(app, ada, "new key");
    app.clock.advance(3 * HOUR_MS);
    await uploadNamed(app, await signIn(app, ada), "caught up");
    const dates = await datesOf(app);
    assert.deepEqual(dates, dates.toSorted((a, b) => a - b));
    assert.equal(dates.at(-1), app.clock.now);
    await expectChain(app, 5);
  });
});

Deno.test("receipts that one call issues are in the order of their dates, whatever the clock does meanwhile", async () => {
  await withOperator(async (app) => {
    const ada = await registerWriter(app, "ada");
    const signingKeys = await SigningKeys.open(app.app.db, placeOf(app));
    let asked = 0;
    const chain = new ReceiptChain(
      app.app.db,
      ORIGIN,
      signingKeys,
      () => app.clock.now - 1_000 * asked++,
      NO_FENCE,
    );
    app.clock.advance(HOUR_MS);
    const orders = [1, 2, 3].map(() => orderOf(app, ada));
    await chain.issueAll(orders, () => Promise.resolve());
    const dates = await datesOf(app);
    assert.deepEqual(dates, dates.toSorted((a, b) => a - b));
    await expectChain(app, 3);
  });
});

Deno.test("a key's time reaches to the latest receipt that it signed, where an older program let the chain go back in time", async () => {
  await withOperator(async (app, rotate) => {
    const ada = await registerWriter(app, "ada");
    const { now } = app.clock;
    await issueAt(app, ada, [now, now + 2 * HOUR_MS, now + 1_000]);
    await rotate("attestation");
    await uploadNamed(app, ada, "new key");
    await expectChain(app, 4);
    // And one that was retired too early already is active for longer.
    const path = `${app.dataDir}/keys/attestation.json`;
    const held = JSON.parse(await Deno.readTextFile(path));
    held.keys[0].active_to = now + 1_000;
    await Deno.writeTextFile(path, JSON.stringify(held));
    await rotate("attestation");
    await expectChain(app, 4);
  });
});

Deno.test("a server sees its own rotation and another process's alike, and both outlive a restart", async () => {
  await withOperator(async (app, rotate) => {
    const key = async (one: TestApp) =>
      (await expectJson(
        await one.send("GET", "/.well-known/service/server-info"),
        200,
      )).signing_key;
    const seen = [await key(app)];
    await app.rotateAccessKey();
    seen.push(await key(app));
    await rotate("access");
    seen.push(await key(app));
    await app.rotateAccessKey();
    seen.push(await key(app));
    assert.equal(new Set(seen).size, 4);
    assert.equal(await key(await app.reopen()), seen[3]);
  });
});

Deno.test("while the key files cannot be read, tokens are served as before and no receipt is signed", async () => {
  await withOperator(async (app, rotate) => {
    const ada = await registerWriter(app, "ada");
    await rotate("attestation");
    const path = `${app.dataDir}/keys/attestation.json`;
    const held = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, "lost");
    await expectJson(
      await app.send("GET", "/v1/auth/profile", { token: ada.token }),
      200,
    );
    assert(
      app.logged.some(({ level, properties }) =>
        level === "error" && /is not a key file/.test(String(properties.cause))
      ),
    );
    await assert.rejects(
      app.app.receipts.issue(orderOf(app, ada), () => Promise.resolve()),
      /is not a key file/,
    );
    await Deno.writeTextFile(path, held);
    const receipt: Json = await uploadNamed(app, ada, "after");
    assert.equal(receipt.receipt_seq, 1);
    await expectChain(app, 1);
  });
});
