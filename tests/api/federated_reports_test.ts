/**
 * Reports of peer servers: who may file one, and what that does
 * (protocol/federation.md#reports). The order of the checks is in
 * `federated_report_order_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { unpinPeer } from "../../src/features/federation/peers.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  acceptedReports,
  FEDERATES,
  filedReports,
  makePeer,
  type Peer,
  pinnedPeer,
  sendReport,
  signedReport,
} from "../support/peers.ts";
import {
  createAsset,
  type Person,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { expectNoErrors, suspend } from "../support/api.ts";

const UUID_V7 =
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** An account, and a pinned peer that may report it. */
async function withPeer(
  test: (app: TestApp, peer: Peer, ada: Person) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await test(app, await pinnedPeer(app, "peer"), ada);
    expectNoErrors(app);
  }, { settings: FEDERATES });
}

Deno.test("on a fresh server no peer is pinned, so every report is 403", async () => {
  await withTestApp(async (app) => {
    const peer = await makePeer("peer");
    await expectProblem(
      await sendReport(app, await signedReport(peer, uuidOf("anybody"))),
      "error.federation.peer_unknown",
    );
    assert.equal(await acceptedReports(app), 0);
  }, { settings: FEDERATES });
});

Deno.test("while federation is off, no peer counts as pinned", async () => {
  for (const settings of [{}, { STRONGROOM_FEDERATION: "off" }]) {
    await withTestApp(async (app) => {
      const peer = await pinnedPeer(app, "peer");
      await expectProblem(
        await sendReport(app, await signedReport(peer, uuidOf("anybody"))),
        "error.federation.peer_unknown",
      );
    }, { settings });
  }
});

Deno.test("a report of a pinned peer is filed as it was sent, under an id and at a time of this server's", async () => {
  await withPeer(async (app, peer, ada) => {
    const report = await signedReport(peer, ada.userId, {
      reason: "the picture shows me",
      // Asserted by the peer: any offset, past or future, stays as it is.
      reported_at: "2031-01-01t00:00:00.123456789+05:30",
    });
    const answer = await expectJson(await sendReport(app, report), 202);
    assert.deepEqual(Object.keys(answer).toSorted(), [
      "received_at",
      "report_id",
    ]);
    assert.match(answer.report_id, UUID_V7);
    assert.equal(answer.received_at, "2026-11-21T12:00:00.000Z");
    assert.deepEqual((await filedReports(app)).map((row) => ({ ...row })), [{
      report_id: answer.report_id,
      reporting_server: peer.serverId,
      reported_user: ada.userId,
      asset_hash: report.asset_hash,
      album_id: report.album_id,
      reason: report.reason,
      reported_at: report.reported_at,
      received_at: app.clock.now,
      closed_at: null,
    }]);
    assert.equal(await acceptedReports(app), 1);
  });
});

Deno.test("no credential is needed, and one that is presented is not looked at", async () => {
  await withPeer(async (app, peer, ada) => {
    const report = await signedReport(peer, ada.userId);
    await expectJson(await sendReport(app, report), 202);
    await expectJson(await sendReport(app, report, { token: "garbage" }), 202);
  });
});

Deno.test("a reason of null is no reason: neither is signed, an empty one is", async () => {
  await withPeer(async (app, peer, ada) => {
    for (
      const [over, held] of [[{}, null], [{ reason: null }, null], [{
        reason: "",
      }, ""]] as const
    ) {
      const report = await signedReport(peer, ada.userId, over);
      const { report_id } = await expectJson(
        await sendReport(app, report),
        202,
      );
      const filed = await filedReports(app);
      const row = filed.find((one) => one.report_id === report_id);
      assert.equal(row?.reason, held);
    }
    // One signature serves an absent reason and one of null.
    const absent = await signedReport(peer, ada.userId);
    await expectJson(await sendReport(app, { ...absent, reason: null }), 202);
    await expectProblem(
      await sendReport(app, { ...absent, reason: "" }),
      "error.federation.report_unsigned",
    );
  });
});

Deno.test("a reason is kept character by character", async () => {
  await withPeer(async (app, peer, ada) => {
    const reasons = [
      "two\nlines\r\n\tand more",
      "\u001b[31mred\u007f\u0085",
      "e\u0301 is not \u00e9",
      "\ufeff\u200f\u202e",
      "𝒳".repeat(2_000),
      "'); drop table peer; --",
      '{"reason": "__proto__"}',
    ];
    for (const reason of reasons) {
      const report = await signedReport(peer, ada.userId, { reason });
      await expectJson(await sendReport(app, report), 202);
    }
    const filed = await filedReports(app);
    assert.deepEqual(filed.map((row) => row.reason), reasons);
  });
});

/** Everything that an account can see of itself. */
async function sight(app: TestApp, person: Person, assetId: string) {
  const seen: Record<string, Json> = {};
  for (
    const path of [
      "/v1/auth/profile",
      "/v1/auth/sessions",
      "/v1/albums",
      `/v1/assets/${assetId}`,
      `/v1/assets/${assetId}/receipts`,
      `/v1/users/${person.userId}/directory`,
    ]
  ) {
    const response = await app.send("GET", path, { token: person.token });
    seen[path] = [response.status, await response.text()];
  }
  return seen;
}

Deno.test("filing changes no standing and holds nothing; the reported account sees nothing", async () => {
  await withPeer(async (app, peer, ada) => {
    const { assetId, original } = await createAsset(app, ada, "reported");
    const before = await sight(app, ada, assetId);
    const { size, tables } = await contents(app);
    const asset_hash = new Uint8Array(
      await crypto.subtle.digest("SHA-256", original),
    ).toHex();
    for (let n = 0; n < 3; n++) {
      const report = await signedReport(peer, ada.userId, { asset_hash });
      await expectJson(await sendReport(app, report), 202);
    }
    assert.deepEqual(await sight(app, ada, assetId), before);
    const after = await contents(app);
    assert.equal(after.size, size + 3);
    assert.deepEqual(after.tables, { ...tables, federated_report: 3 });
    // It still writes.
    await createAsset(app, ada, "afterwards");
  });
});

/** How many rows each table has. */
async function contents(app: TestApp) {
  const tables: Record<string, number> = {};
  for (const { name } of await app.app.db.introspection.getTables()) {
    const { rows } = await app.app.db.selectFrom(name as Json)
      .select((row) => row.fn.countAll<number>().as("rows"))
      .executeTakeFirstOrThrow() as Json;
    tables[name] = rows;
  }
  const size = Object.values(tables).reduce((sum, rows) => sum + rows, 0);
  return { size, tables };
}

Deno.test("a suspended account is reported like any other", async () => {
  await withPeer(async (app, peer, ada) => {
    await suspend(app, ada);
    const report = await signedReport(peer, ada.userId);
    await expectJson(await sendReport(app, report), 202);
    assert.equal((await filedReports(app)).length, 1);
  });
});

Deno.test("a report about an account that is not here is accepted and dropped", async () => {
  await withPeer(async (app, peer, ada) => {
    const accounts = [
      uuidOf("nobody"),
      ada.userId.toUpperCase(),
      ` ${ada.userId}`,
      ada.address,
      `${ada.userId}@peer.example`,
      "x",
      "%",
      "𝒳".repeat(64),
    ];
    for (const account of accounts) {
      const report = await signedReport(peer, account);
      const answer = await expectJson(await sendReport(app, report), 202);
      assert.match(answer.report_id, UUID_V7);
    }
    assert.deepEqual(await filedReports(app), []);
    assert.equal(await acceptedReports(app), accounts.length);
  });
});

Deno.test("a peer that is unpinned is unknown from its next report on", async () => {
  await withPeer(async (app, peer, ada) => {
    const report = await signedReport(peer, ada.userId);
    await expectJson(await sendReport(app, report), 202);
    await unpinPeer(app.app.db, peer.serverId);
    await expectProblem(
      await sendReport(app, report),
      "error.federation.peer_unknown",
    );
    // What it filed stays for review.
    assert.equal((await filedReports(app)).length, 1);
  });
});

Deno.test("a peer is named exactly as it is pinned", async () => {
  await withPeer(async (app, peer, ada) => {
    for (
      const name of [
        "https://other.example",
        "http://peer.example",
        "https://PEER.example",
        "https://peer.example/",
        "https://peer.example:443",
        "peer.example",
        "' or 1=1 --",
      ]
    ) {
      const report = await signedReport(
        { ...peer, serverId: name },
        ada.userId,
      );
      await expectProblem(
        await sendReport(app, report),
        "error.federation.peer_unknown",
      );
    }
  });
});

Deno.test("reports survive a restart", async () => {
  await withPeer(async (app, peer, ada) => {
    const report = await signedReport(peer, ada.userId);
    await expectJson(await sendReport(app, report), 202);
    const again = await app.reopen();
    assert.equal((await filedReports(again)).length, 1);
    assert.equal(await acceptedReports(again), 1);
    await expectJson(await sendReport(again, report), 202);
    assert.equal((await filedReports(again)).length, 2);
  });
});
