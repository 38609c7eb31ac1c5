/**
 * What a peer must not tell apart: whether an account is here
 * (protocol/federation.md#reports), by the answer or by the work behind it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { commitCounter } from "../support/commits.ts";
import { type Json } from "../support/expect.ts";
import {
  acceptedReports,
  FEDERATES,
  filedReports,
  pinnedPeer,
  sendReport,
  signedReport,
} from "../support/peers.ts";
import { registerPerson, uuidOf } from "../support/people.ts";
import {
  expectNoErrors,
  expectSameAnswers,
  suspend,
  visible,
} from "../support/api.ts";

/** An answer without the report's own id and time. */
async function anonymised(response: Response): Promise<Json> {
  const { body, ...rest } = await visible(response);
  const { report_id, received_at } = JSON.parse(body);
  return {
    ...rest,
    body: body.replace(report_id, "<id>").replace(received_at, "<time>"),
  };
}

Deno.test("a report about a hosted and about an unhosted account is one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const eve = await registerPerson(app, "eve");
    await suspend(app, eve);
    const peer = await pinnedPeer(app, "peer");
    const report = async (account: string, over: Json = {}) =>
      await sendReport(app, await signedReport(peer, account, over));
    for (const over of [{}, { reason: null }, { reason: "x".repeat(2_000) }]) {
      const hosted = await anonymised(await report(ada.userId, over));
      assert.equal(hosted.status, 202);
      for (const account of [eve.userId, uuidOf("nobody"), "x"]) {
        assert.deepEqual(
          await anonymised(await report(account, over)),
          hosted,
          account,
        );
      }
    }
    assert.equal((await filedReports(app)).length, 6);
    assert.equal(await acceptedReports(app), 12);
    expectNoErrors(app);
  }, { settings: FEDERATES });
});

Deno.test("a report about an unhosted account writes as often as about a hosted one", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const peer = await pinnedPeer(app, "peer");
    using commits = commitCounter(app);
    const cost: number[] = [];
    for (const account of [ada.userId, uuidOf("nobody")]) {
      for (let n = 0; n < 3; n++) {
        const json = await signedReport(peer, account);
        const before = commits.count();
        const response = await sendReport(app, json);
        await response.body?.cancel();
        assert.equal(response.status, 202);
        cost.push(commits.count() - before);
      }
    }
    assert.deepEqual(cost, [1, 1, 1, 1, 1, 1]);
  }, { settings: FEDERATES });
});

Deno.test("a spent allowance for a hosted and for an unhosted account is one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const peer = await pinnedPeer(app, "peer");
    const spent = async (account: string) => {
      const report = await signedReport(peer, account);
      await (await sendReport(app, report)).body?.cancel();
      return await sendReport(app, report);
    };
    await expectSameAnswers({
      hosted: await spent(ada.userId),
      unhosted: await spent(uuidOf("nobody")),
    });
  }, { settings: { ...FEDERATES, STRONGROOM_LIMIT_REPORT_ACCOUNT: "1" } });
});

Deno.test("an unpinned peer and a server that does not federate answer one and the same", async () => {
  const answers: Json[] = [];
  for (const settings of [FEDERATES, {}]) {
    await withTestApp(async (app) => {
      const peer = await pinnedPeer(app, "peer");
      const serverId = "https://stranger.example";
      const named = settings === FEDERATES ? { ...peer, serverId } : peer;
      const report = await signedReport(named, uuidOf("anybody"));
      answers.push(await visible(await sendReport(app, report)));
    }, { settings });
  }
  assert.deepEqual(answers[1], answers[0]);
});
