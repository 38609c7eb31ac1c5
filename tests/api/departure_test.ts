/**
 * Deleting one's own account (protocol/authentication.md#deleting-the-account):
 * who may, what is refused, and that all of it goes. What deleting does to
 * everybody else is told where the operator deletes one.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { parseUuid, type UserId } from "../../src/core/ids.ts";
import type { HybridSigner } from "../../src/crypto/hybrid.ts";
import {
  closeDoors,
  noteDeparture,
} from "../../src/features/account_deletion/closing_store.ts";
import { transaction } from "../../src/store/sqlite/database.ts";
import { listAlbums, readFeed } from "../support/albums.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { check } from "../support/check.ts";
import { withWorld } from "../support/departure.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import { asGuest } from "../support/guests.ts";
import { operate, statusOf } from "../support/moderation.ts";
import {
  createAsset,
  PASSWORD,
  type Person,
  registerPerson,
  registerWriter,
} from "../support/people.ts";
import {
  challengeFor,
  DELETE_DOMAIN,
  departureRequest,
  proofOf as signProof,
} from "../support/proofs.ts";
import {
  expectSameAnswers,
  readAsset,
  suspend,
  viewShare,
  withFaultlessApp,
} from "../support/api.ts";
import { collect } from "../support/trash.ts";

const MINUTE = 60_000;
/** A proof under the domain of this operation, if no other is said. */
const proofOf = (
  signer: HybridSigner,
  userId: string,
  challenge: Json,
  domain = DELETE_DOMAIN,
) => signProof(signer, userId, challenge, domain);

function send(
  app: TestApp,
  { token }: Person,
  challengeId: string,
  proof: string,
): Promise<Response> {
  return app.send("POST", "/v1/auth/account/delete", {
    token,
    json: { challenge_id: challengeId, proof },
  });
}

/** Deletes a person's account as their own client does. */
async function depart(app: TestApp, person: Person): Promise<Response> {
  const request = await departureRequest(app, person);
  return await app.send("POST", "/v1/auth/account/delete", request);
}

function profile(app: TestApp, { token }: Person): Promise<Response> {
  return app.send("GET", "/v1/auth/profile", { token });
}

async function expectStands(app: TestApp, person: Person): Promise<void> {
  await expectJson(await profile(app, person), 200);
}

/** What is left in the database under an account's id, by table. */
async function traces(app: TestApp, userId: string): Promise<string[]> {
  const tables = {
    account: "user_id",
    usage: "user_id",
    session: "user_id",
    directory: "user_id",
    escrow: "user_id",
    state_slot: "user_id",
    album: "owner_id",
    asset: "owner_id",
    holding: "owner_id",
    manifest: "owner_id",
    upload: "user_id",
    upload_link: "owner_id",
    guest_upload: "owner_id",
    share: "issuer_id",
    roster_member: "member",
  } as const;
  const left: string[] = [];
  for (const [table, column] of Object.entries(tables)) {
    const rows = await app.app.db.selectFrom(table as "account")
      .selectAll().where(column as "user_id", "=", userId as Json).execute();
    if (rows.length > 0) left.push(table);
  }
  return left;
}

Deno.test("an account that has everything is gone with the answer, and no other account loses anything", async () => {
  await withWorld(
    async ({ app, ada, bob, vic, bobs, shares, links, assets }) => {
      await expectEmpty(await depart(app, ada), 204);
      assert.deepEqual(await traces(app, ada.userId), []);
      await expectProblem(await profile(app, ada), "error.auth.token_invalid");
      for (const share of [shares.own, shares.ofBobs]) {
        await expectProblem(
          await viewShare(app, share),
          "error.share.not_found",
        );
      }
      assert.equal(await statusOf(await asGuest(app, "GET", links.adas)), 404);
      for (const person of [bob, vic]) {
        assert.deepEqual(Object.keys(await listAlbums(app, person)), [bobs]);
      }
      const guest = await readAsset(app, bob, assets.guest.assetId);
      assert.equal(guest.state, "live");
      assert.equal("album_id" in guest, false);
      const lost = app.send("GET", `/v1/assets/${assets.lent.assetId}`, {
        token: bob.token,
      });
      await expectProblem(await lost, "error.asset.not_found");
      // Receipts stay, and the chain with them.
      const { rows } = await app.app.db.selectFrom("receipt")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("owner_id", "=", ada.userId as Json).execute()
        .then(([row]) => ({ rows: row?.count ?? 0 }));
      assert(rows > 0);
      await collect(app);
      assert.deepEqual((await check(app, { deep: true })).findings, []);
      // The address is free, and whoever has it next has nothing of it.
      const next = await registerPerson(app, "ada");
      assert.notEqual(next.userId, ada.userId);
      assert.deepEqual((await readFeed(app, next.token)).entries, []);
    },
  );
});

Deno.test("every failure of the proof is one answer, burns the challenge, and deletes nothing", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const mallory = await registerWriter(app, "mallory");
    const nobody = await registerPerson(app, "nobody");
    const answers: Record<string, Response> = {};
    const attempt = async (
      what: string,
      challenge: Json,
      proof: string,
      by = ada,
    ) => {
      answers[what] = await send(app, by, challenge.challenge_id, proof);
      const right = await proofOf(by.signer, by.userId, challenge);
      answers[`${what}, burned`] = await send(
        app,
        by,
        challenge.challenge_id,
        right,
      );
    };
    const fresh = () => challengeFor(app, ada);
    const by = (challenge: Json, signer = ada.signer, id = ada.userId) =>
      proofOf(signer, id, challenge);
    let one = await fresh();
    await attempt("another's key", one, await by(one, mallory.signer));
    one = await fresh();
    await attempt(
      "another's id",
      one,
      await by(one, ada.signer, mallory.userId),
    );
    one = await fresh();
    await attempt(
      "the domain of the global sign-out",
      one,
      await proofOf(ada.signer, ada.userId, one, "service-revoke-all/v1"),
    );
    one = await fresh();
    await attempt(
      "a proof of another length",
      one,
      toBase64(new Uint8Array(9)),
    );
    one = await challengeFor(app, nobody);
    await attempt(
      "no anchor",
      one,
      await proofOf(nobody.signer, nobody.userId, one),
      nobody,
    );
    // A good proof, and another's session.
    one = await challengeFor(app, mallory);
    const good = await proofOf(mallory.signer, mallory.userId, one);
    answers["another's challenge"] = await send(
      app,
      ada,
      one.challenge_id,
      good,
    );
    answers["no challenge"] = await send(app, ada, "nonsense", good);
    const body = await expectSameAnswers(answers);
    assert.equal(JSON.parse(body).code, "error.auth.proof_required");
    for (const person of [ada, mallory, nobody]) {
      await expectStands(app, person);
    }
    // What is no base64 is a broken body, and burns nothing.
    one = await fresh();
    await expectProblem(
      await send(app, ada, one.challenge_id, "***"),
      "error.request.invalid",
    );
    await expectEmpty(
      await send(app, ada, one.challenge_id, await by(one)),
      204,
    );
  });
});

Deno.test("a challenge that is five minutes old proves nothing", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const challenge = await challengeFor(app, ada);
    const proof = await proofOf(ada.signer, ada.userId, challenge);
    app.clock.advance(5 * MINUTE);
    await expectJson(
      await app.send("POST", "/v1/auth/reauthenticate", {
        token: ada.token,
        json: { password: PASSWORD },
      }),
      200,
    );
    await expectProblem(
      await send(app, ada, challenge.challenge_id, proof),
      "error.auth.proof_required",
    );
    await expectStands(app, ada);
  });
});

Deno.test("a stolen token deletes nothing: a recent presentation is wanted, and a right proof burned by nothing less", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    app.clock.advance(5 * MINUTE);
    const challenge = await challengeFor(app, ada);
    const proof = await proofOf(ada.signer, ada.userId, challenge);
    const again = () => send(app, ada, challenge.challenge_id, proof);
    await expectProblem(
      await again(),
      "error.auth.reauthentication_required",
    );
    await expectJson(
      await app.send("POST", "/v1/auth/reauthenticate", {
        token: ada.token,
        json: { password: PASSWORD },
      }),
      200,
    );
    await expectEmpty(await again(), 204);
  });
});

Deno.test("under legal hold nothing is deleted, and the hold is not told to who has no proof", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId } = await createAsset(app, ada, "held");
    await operate(app, "hold", assetId, "a court's order");
    const challenge = await challengeFor(app, ada);
    await expectProblem(
      await send(app, ada, challenge.challenge_id, "AAAA"),
      "error.auth.proof_required",
    );
    await expectProblem(await depart(app, ada), "error.asset.held");
    await expectStands(app, ada);
    assert.equal((await readAsset(app, ada, assetId)).state, "live");
    await operate(app, "release", assetId);
    await expectEmpty(await depart(app, ada), 204);
  });
});

Deno.test("a suspended account deletes itself", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await createAsset(app, ada, "a photo");
    await suspend(app, ada);
    await expectEmpty(await depart(app, ada), 204);
    assert.deepEqual(await traces(app, ada.userId), []);
  });
});

Deno.test("of two at once one deletes, and a client that asks again finds itself signed out", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    await createAsset(app, ada, "a photo");
    await createAsset(app, bob, "another");
    const answers = await Promise.all([
      depart(app, ada),
      depart(app, ada),
      depart(app, bob),
    ]);
    const statuses = answers.map(({ status }) => status);
    assert(statuses.slice(0, 2).includes(204), String(statuses));
    assert(statuses.every((status) => [204, 401, 403].includes(status)));
    assert.equal(statuses[2], 204);
    await expectProblem(
      await app.send("POST", "/v1/auth/account/delete", {
        token: ada.token,
        json: { challenge_id: "x", proof: "AAAA" },
      }),
      "error.auth.token_invalid",
    );
    for (const { userId } of [ada, bob]) {
      assert.deepEqual(await traces(app, userId), []);
    }
  });
});

Deno.test("who waits for the feed of a deleted account is let go", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { next_after } = await readFeed(app, ada.token);
    const waiting = app.send("GET", `/v1/sync?after=${next_after}&wait=30`, {
      token: ada.token,
    });
    await expectEmpty(await depart(app, ada), 204);
    await expectProblem(await waiting, "error.auth.token_invalid");
  });
});

Deno.test("a server that fell once the account was closed finishes it when it is started again", async () => {
  await withTestApp(async (first) => {
    const ada = await registerWriter(first, "ada");
    const bob = await registerWriter(first, "bob");
    await createAsset(first, ada, "a photo");
    await createAsset(first, bob, "another");
    // What the first transaction of it commits, and then nothing more.
    const userId = parseUuid<UserId>(ada.userId);
    assert(userId !== undefined);
    await transaction(first.app.db, async (tx) => {
      await closeDoors(tx, userId, first.clock.now);
      await noteDeparture(tx, userId, first.clock.now);
    });
    // Closed, and the address free.
    await expectProblem(await profile(first, ada), "error.auth.token_invalid");
    const next = await registerPerson(first, "ada");
    const app = await first.reopen();
    await app.purge();
    assert.deepEqual(await traces(app, ada.userId), []);
    await expectStands(app, next);
    await expectStands(app, bob);
    assert.deepEqual((await check(app)).findings, []);
  });
});

Deno.test("a hold that is laid while an account is emptied out keeps what is left, and lets it go later", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const { assetId } = await createAsset(app, ada, "a photo");
    const userId = parseUuid<UserId>(ada.userId);
    assert(userId !== undefined);
    await transaction(app.app.db, async (tx) => {
      await closeDoors(tx, userId, app.clock.now);
      await noteDeparture(tx, userId, app.clock.now);
    });
    await operate(app, "hold", assetId, "a court's order");
    await app.purge();
    assert((await traces(app, ada.userId)).includes("asset"));
    assert(
      app.logged.some(({ level, message }) =>
        level === "warn" && message === "account not deleted yet"
      ),
    );
    // It does not hinder others.
    await expectEmpty(await depart(app, bob), 204);
    await operate(app, "release", assetId);
    await app.purge();
    assert.deepEqual(await traces(app, ada.userId), []);
  });
});
