/**
 * The order in which a report is checked (protocol/federation.md#reports),
 * shown by requests that break two rules at once, and its budgets.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sql } from "kysely";
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
import { type Person, registerPerson, uuidOf } from "../support/people.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const INTAKE_2 = { STRONGROOM_LIMIT_REPORT_INTAKE: "2" };

async function withPeer(
  test: (app: TestApp, peer: Peer, ada: Person) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await test(app, await pinnedPeer(app, "peer"), ada);
  }, { settings: { ...FEDERATES, ...settings } });
}

/** Each report comes from another address: intake is not the subject. */
function sender(app: TestApp) {
  let sent = 0;
  return (report: Json) => {
    sent += 1;
    const from = `198.51.${sent >> 8}.${sent & 0xff}`;
    return sendReport(app, report, { from });
  };
}

async function expectLimited(response: Response): Promise<number> {
  const seconds = response.headers.get("retry-after") ?? "";
  await expectProblem(response, "error.federation.rate_limited");
  assert.match(seconds, /^[1-9]\d*$/);
  return Number(seconds);
}

const forged = (report: Json): Json => ({
  ...report,
  signature: "A".repeat(86) + "==",
});

Deno.test("the shape comes before any store: it is refused though nothing can be read", async () => {
  await withPeer(async (app, peer, ada) => {
    const report = await signedReport(peer, ada.userId);
    await sql`drop table peer`.execute(app.app.db);
    for (const field of Object.keys(report)) {
      await expectProblem(
        await sendReport(app, { ...report, [field]: "x".repeat(2_001) }),
        "error.request.invalid",
      );
    }
    await expectProblem(await sendReport(app, report), "error.internal");
  });
});

Deno.test("the shape comes before the intake limiter, and costs none of it", async () => {
  await withPeer(async (app, peer, ada) => {
    const report = await signedReport(peer, ada.userId);
    const malformed = { ...report, asset_hash: "x" };
    for (let n = 0; n < 5; n++) {
      await expectProblem(
        await sendReport(app, malformed),
        "error.request.invalid",
      );
    }
    await expectJson(await sendReport(app, report), 202);
    await expectJson(await sendReport(app, report), 202);
    await expectLimited(await sendReport(app, report));
    await expectProblem(
      await sendReport(app, malformed),
      "error.request.invalid",
    );
  }, INTAKE_2);
});

Deno.test("the intake limiter comes before the peer and the signature", async () => {
  await withPeer(async (app, peer, ada) => {
    const stranger = await makePeer("stranger");
    const unknown = await signedReport(stranger, ada.userId);
    const unsigned = forged(await signedReport(peer, ada.userId));
    for (let n = 0; n < 2; n++) {
      await expectProblem(
        await sendReport(app, unknown),
        "error.federation.peer_unknown",
      );
      await expectProblem(
        await sendReport(app, unsigned),
        "error.federation.report_unsigned",
      );
    }
    await expectLimited(await sendReport(app, unknown));
    await expectLimited(await sendReport(app, unsigned));
  }, INTAKE_2);
});

Deno.test("intake is 60 a minute by claimed origin and client address", async () => {
  await withPeer(async (app, peer, ada) => {
    const stranger = await makePeer("stranger");
    const unknown = await signedReport(stranger, ada.userId);
    const from = { from: "203.0.113.9" };
    for (let n = 0; n < 60; n++) {
      await expectProblem(
        await sendReport(app, unknown, from),
        "error.federation.peer_unknown",
      );
    }
    app.clock.advance(20 * SECOND);
    assert.equal(await expectLimited(await sendReport(app, unknown, from)), 40);
    // Another claimed origin there, and the same one from elsewhere.
    const report = await signedReport(peer, ada.userId);
    await expectJson(await sendReport(app, report, from), 202);
    await expectProblem(
      await sendReport(app, unknown),
      "error.federation.peer_unknown",
    );
    app.clock.advance(40 * SECOND);
    await expectProblem(
      await sendReport(app, unknown, from),
      "error.federation.peer_unknown",
    );
  });
});

Deno.test("the peer comes before the signature", async () => {
  await withPeer(async (app, _peer, ada) => {
    const stranger = await makePeer("stranger");
    await expectProblem(
      await sendReport(app, forged(await signedReport(stranger, ada.userId))),
      "error.federation.peer_unknown",
    );
  });
});

Deno.test("the signature comes before the policy budgets", async () => {
  await withPeer(async (app, peer, ada) => {
    const report = await signedReport(peer, ada.userId);
    await expectJson(await sendReport(app, report), 202);
    await expectLimited(await sendReport(app, report));
    await expectProblem(
      await sendReport(app, forged(report)),
      "error.federation.report_unsigned",
    );
  }, { STRONGROOM_LIMIT_REPORT_ACCOUNT: "1" });
});

Deno.test("a spoofed origin does not spend a real peer's allowance", async () => {
  await withPeer(async (app, peer, ada) => {
    const send = sender(app);
    const report = await signedReport(peer, ada.userId);
    for (let n = 0; n < 300; n++) {
      await expectProblem(
        await send(forged(report)),
        "error.federation.report_unsigned",
      );
    }
    for (let n = 0; n < 10; n++) await expectJson(await send(report), 202);
  });
});

Deno.test("the policy budgets come before the account: one that is not here spends them too", async () => {
  for (const [name, other] of [["ada", "nobody"], ["nobody", "ada"]] as const) {
    await withPeer(async (app, peer, ada) => {
      const send = sender(app);
      const accounts = { ada: ada.userId, nobody: uuidOf("nobody") };
      const report = await signedReport(peer, accounts[name]);
      for (let n = 0; n < 2; n++) await expectJson(await send(report), 202);
      const seconds = await expectLimited(await send(report));
      assert.equal(seconds, DAY / SECOND);
      assert.equal(await acceptedReports(app), 2);
      const elsewhere = await signedReport(peer, accounts[other]);
      await expectJson(await send(elsewhere), 202);
      await expectLimited(await send(elsewhere));
      assert.equal(await acceptedReports(app), 3);
    }, {
      STRONGROOM_LIMIT_REPORT_ACCOUNT: "2",
      STRONGROOM_LIMIT_REPORT_PEER: "3",
    });
  }
});

Deno.test("a peer reports one account 10 times a day, and another peer for itself", async () => {
  await withPeer(async (app, peer, ada) => {
    const send = sender(app);
    const report = await signedReport(peer, ada.userId);
    const other = await pinnedPeer(app, "other");
    for (let n = 0; n < 10; n++) await expectJson(await send(report), 202);
    app.clock.advance(MINUTE);
    const seconds = await expectLimited(await send(report));
    assert.equal(seconds, (DAY - MINUTE) / SECOND);
    await expectJson(await send(await signedReport(other, ada.userId)), 202);
    await expectJson(await send(await signedReport(peer, uuidOf("bob"))), 202);
    assert.equal((await filedReports(app)).length, 11);
    app.clock.advance(seconds * SECOND - 1);
    await expectLimited(await send(report));
    app.clock.advance(1);
    await expectJson(await send(report), 202);
  });
});

Deno.test("a peer files 200 reports a day whichever the accounts, and another peer for itself", async () => {
  await withPeer(async (app, peer, ada) => {
    const send = sender(app);
    for (let n = 0; n < 200; n++) {
      await expectJson(
        await send(await signedReport(peer, uuidOf(`account ${n}`))),
        202,
      );
    }
    const report = await signedReport(peer, ada.userId);
    const seconds = await expectLimited(await send(report));
    assert.equal(seconds, DAY / SECOND);
    const other = await pinnedPeer(app, "other");
    await expectJson(await send(await signedReport(other, ada.userId)), 202);
    app.clock.advance(DAY);
    await expectJson(await send(report), 202);
  });
});

Deno.test("a report that one policy budget refuses spends none of the other", async () => {
  await withPeer(async (app, peer, ada) => {
    const send = sender(app);
    const about = (account: string) => signedReport(peer, account);
    const [first, second] = [await about(ada.userId), await about("second")];
    await expectJson(await send(first), 202);
    app.clock.advance(MINUTE);
    for (let n = 0; n < 5; n++) await expectLimited(await send(first));
    // All that the peer has left.
    await expectJson(await send(second), 202);
    const third = await about("third");
    for (let n = 0; n < 5; n++) {
      assert.equal(
        await expectLimited(await send(third)),
        (DAY - MINUTE) / SECOND,
      );
    }
    // The account's window would end later, had it been charged as well.
    app.clock.advance(DAY - MINUTE);
    await expectJson(await send(third), 202);
  }, {
    STRONGROOM_LIMIT_REPORT_ACCOUNT: "1",
    STRONGROOM_LIMIT_REPORT_PEER: "2",
  });
});
