/**
 * Changing a share link that is out already (protocol/links.md#share-links):
 * when it ends, what it serves, and what it never becomes.
 *
 * @module
 */
import assert from "node:assert/strict";
import { START_MS, type TestApp } from "../support/app.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
} from "../support/people.ts";
import {
  expectBytes,
  expectSameAnswers,
  issueShare,
  opaqueId,
  shareRequest,
  suspend,
  viewShare,
  withFaultlessApp,
} from "../support/api.ts";

const MINUTE = 60_000;

function change(
  app: TestApp,
  person: Person,
  opaque: string,
  json: Json,
): Promise<Response> {
  return app.send("PATCH", `/v1/shares/${opaque}`, {
    token: person.token,
    json,
  });
}

async function changed(
  app: TestApp,
  person: Person,
  opaque: string,
  json: Json,
): Promise<Json> {
  return await expectJson(await change(app, person, opaque, json), 200);
}

async function listed(app: TestApp, person: Person): Promise<Json> {
  const { shares } = await expectJson(
    await app.send("GET", "/v1/shares", { token: person.token }),
    200,
  );
  return shares;
}

function at(ms: number): string {
  return new Date(START_MS + ms).toISOString();
}

async function withAssets(
  test: (
    app: TestApp,
    ada: Person,
    one: LiveAsset,
    two: LiveAsset,
  ) => Promise<void>,
): Promise<void> {
  await withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const one = await createAsset(app, ada, "one");
    const two = await createAsset(app, ada, "two");
    await test(app, ada, one, two);
  });
}

async function expectServed(
  app: TestApp,
  opaque: string,
  bytes: Uint8Array,
  isServed: boolean,
): Promise<void> {
  const response = await viewShare(app, `${opaque}/blob/${hashOf(bytes)}`);
  if (!isServed) {
    await expectProblem(response, "error.share.not_found");
    return;
  }
  assert.equal(response.status, 200);
  expectBytes(await response.arrayBuffer(), bytes);
}

Deno.test("a link gets another end, none, and one again; the answer is its entry of the list", async () => {
  await withAssets(async (app, ada, { metadata }) => {
    const opaque = await issueShare(app, ada, "link", [hashOf(metadata)], {
      expires_at: at(5 * MINUTE),
    });
    const later = await changed(app, ada, opaque, {
      expires_at: at(9 * MINUTE),
    });
    assert.deepEqual([later], await listed(app, ada));
    assert.equal(later.expires_at, at(9 * MINUTE));
    app.clock.advance(8 * MINUTE);
    await expectJson(await viewShare(app, opaque), 200);
    app.clock.advance(MINUTE);
    await expectProblem(await viewShare(app, opaque), "error.share.not_found");
    // One that has expired is not revoked: it lives again.
    const forever = await changed(app, ada, opaque, { expires_at: null });
    assert.equal("expires_at" in forever, false);
    app.clock.advance(1_000 * MINUTE);
    await expectJson(await viewShare(app, opaque), 200);
  });
});

Deno.test("an end that does not lie ahead is 422 and changes nothing", async () => {
  await withAssets(async (app, ada, { metadata }) => {
    const opaque = await issueShare(app, ada, "link", [hashOf(metadata)]);
    for (const expires_at of [at(0), at(-MINUTE)]) {
      const { errors } = await expectProblem(
        await change(app, ada, opaque, { expires_at }),
        "error.request.invalid",
      );
      assert.deepEqual(errors.map(({ path }: Json) => path), ["/expires_at"]);
    }
    await expectJson(await viewShare(app, opaque), 200);
  });
});

Deno.test("a link serves what it is changed to and nothing that it was changed from", async () => {
  await withAssets(async (app, ada, one, two) => {
    const serves = [one.metadata, one.original].map(hashOf);
    const opaque = await issueShare(app, ada, "link", serves, {
      wrapped_secret: "AAAA",
    });
    const entry = await changed(app, ada, opaque, {
      metadata_hash: hashOf(two.metadata),
      serves: [two.metadata, two.original, one.original].map(hashOf),
    });
    assert.deepEqual(
      { ...entry, created_at: undefined },
      {
        opaque_id: opaque,
        metadata_hash: hashOf(two.metadata),
        serves_count: 3,
        passphrase_protected: true,
        created_at: undefined,
        views: 0,
      },
    );
    const shown = await expectJson(await viewShare(app, opaque), 200);
    assert.equal(shown.metadata_hash, hashOf(two.metadata));
    await expectServed(app, opaque, two.metadata, true);
    await expectServed(app, opaque, two.original, true);
    await expectServed(app, opaque, one.original, true);
    await expectServed(app, opaque, one.metadata, false);
    // The passphrase is the one that it was issued with.
    const secret = await viewShare(app, `${opaque}/wrapped-secret`);
    assert.equal(secret.status, 200);
    await secret.body?.cancel();
  });
});

Deno.test("the metadata stays among what is served, whichever of the two changes", async () => {
  await withAssets(async (app, ada, one, two) => {
    const serves = [one.metadata, one.original].map(hashOf);
    const opaque = await issueShare(app, ada, "link", serves);
    const before = await listed(app, ada);
    for (
      const [json, path] of [
        [{ metadata_hash: hashOf(two.metadata) }, "/metadata_hash"],
        [{ serves: [hashOf(one.original)] }, "/serves"],
        [
          { metadata_hash: hashOf(two.metadata), serves },
          "/metadata_hash",
        ],
      ] as const
    ) {
      const { errors } = await expectProblem(
        await change(app, ada, opaque, json),
        "error.request.invalid",
      );
      assert.deepEqual(errors.map((one: Json) => one.path), [path]);
    }
    assert.deepEqual(await listed(app, ada), before);
    await expectServed(app, opaque, one.metadata, true);
    await changed(app, ada, opaque, { metadata_hash: hashOf(one.original) });
    await changed(app, ada, opaque, { serves: [hashOf(one.original)] });
    await expectServed(app, opaque, one.metadata, false);
  });
});

Deno.test("the shape is that of issuing: 1 to 50,000 unique hashes, no other key", async () => {
  await withAssets(async (app, ada, { metadata }) => {
    const hash = hashOf(metadata);
    const opaque = await issueShare(app, ada, "link", [hash]);
    const many = Array.from({ length: 50_001 }, (_, n) => hashOf(`${n}`));
    for (
      const json of [
        { serves: [] },
        { serves: [hash, hash] },
        { serves: many },
        { serves: null },
        { metadata_hash: null },
        { expires_at: "tomorrow" },
        { wrapped_secret: "AAAA" },
        { opaque_id: opaque },
        [],
      ]
    ) {
      await expectProblem(
        await change(app, ada, opaque, json),
        "error.request.invalid",
      );
    }
    const most = [hash, ...many.slice(0, 49_999)];
    const entry = await changed(app, ada, opaque, { serves: most });
    assert.equal(entry.serves_count, 50_000);
    await expectServed(app, opaque, metadata, true);
  });
});

Deno.test("what is never theirs, revoked or unknown is one and the same 404", async () => {
  await withAssets(async (app, ada, { metadata }) => {
    const bob = await registerWriter(app, "bob");
    const link = await issueShare(app, ada, "link", [hashOf(metadata)]);
    const revoked = await issueShare(app, bob, "revoked", [hashOf(metadata)]);
    await expectEmpty(
      await app.send("DELETE", `/v1/shares/${revoked}`, { token: bob.token }),
      204,
    );
    const json = { expires_at: at(MINUTE), serves: [hashOf(metadata)] };
    const body = await expectSameAnswers({
      "another owner's": await change(app, bob, link, json),
      "a revoked one": await change(app, bob, revoked, json),
      "an unknown one": await change(app, bob, opaqueId("unknown"), json),
    });
    assert.equal(JSON.parse(body).code, "error.share.not_found");
    await expectProblem(
      await change(app, bob, "no-id", json),
      "error.request.malformed",
    );
    const [entry] = await listed(app, ada);
    assert.equal("expires_at" in entry, false);
  });
});

Deno.test("once it was changed, the body that issued a link is another use of its id", async () => {
  await withAssets(async (app, ada, { metadata }) => {
    const serves = [hashOf(metadata)];
    for (const json of [{ expires_at: at(MINUTE) }, { serves }, {}]) {
      const word = JSON.stringify(json);
      const opaque = await issueShare(app, ada, word, serves);
      const again = () =>
        app.send("POST", "/v1/shares", {
          token: ada.token,
          json: shareRequest(word, serves),
        });
      await expectJson(await again(), 201);
      await changed(app, ada, opaque, json);
      await expectProblem(await again(), "error.share.opaque_id_unavailable");
    }
  });
});

Deno.test("what all links of an account serve together has its limit for changes too", async () => {
  await withAssets(async (app, ada, { metadata, original }) => {
    const hash = hashOf(metadata);
    const opaque = await issueShare(app, ada, "link", [hash]);
    await issueShare(app, ada, "large", [hash]);
    await app.app.db.updateTable("share").set({ serves_count: 999_999 })
      .where("opaque_id", "=", opaqueId("large") as Json).execute();
    const problem = await expectProblem(
      await change(app, ada, opaque, { serves: [hash, hashOf(original)] }),
      "error.account.limit_reached",
    );
    assert.equal(problem.limit, 1_000_000);
    const [entry] = (await listed(app, ada)).filter(({ opaque_id }: Json) =>
      opaque_id === opaque
    );
    assert.equal(entry.serves_count, 1);
    // What does not grow is never refused.
    await changed(app, ada, opaque, {
      metadata_hash: hashOf(original),
      serves: [hashOf(original)],
    });
  });
});

Deno.test("a suspended account changes no link, and what is changed at once is one of the changes", async () => {
  await withAssets(async (app, ada, { metadata }) => {
    const serves = [hashOf(metadata)];
    const opaque = await issueShare(app, ada, "link", serves);
    const sets = Array.from({ length: 8 }, (_, n) => [
      ...serves,
      ...Array.from(
        { length: n },
        (_, m) => hashOf(ciphertext(`${n} ${m}`, 3)),
      ),
    ]);
    const answers = await Promise.all(
      sets.map((serves) => changed(app, ada, opaque, { serves })),
    );
    const counts = answers.map(({ serves_count }) => serves_count).toSorted();
    assert.deepEqual(counts, [1, 2, 3, 4, 5, 6, 7, 8]);
    const [entry] = await listed(app, ada);
    const rows = await app.app.db.selectFrom("share_blob").selectAll()
      .execute();
    assert.equal(rows.length, entry.serves_count);
    await suspend(app, ada);
    await expectProblem(
      await change(app, ada, opaque, { expires_at: null }),
      "error.account.suspended",
    );
  });
});
