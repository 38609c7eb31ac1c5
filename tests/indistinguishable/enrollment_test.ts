/**
 * Refused enrollment codes and channels that are not the caller's: equal in
 * status, in every header but Date, and in body, byte for byte.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { withTestApp } from "../support/app.ts";
import {
  append,
  close,
  drain,
  fill,
  issueCode,
  openChannel,
  redeem,
} from "../support/enrollment.ts";
import { expectEmpty, expectJson } from "../support/expect.ts";
import { ciphertext, hashOf, registerPerson } from "../support/people.ts";
import { expectSameAnswers, refreshed, suspend } from "../support/api.ts";

const MINUTE = 60_000;
const DIRECTIONS = ["to_initiator", "to_enrollee"] as const;

function codeOf(body: string): string {
  return JSON.parse(body).code;
}

Deno.test("an unknown, spent, expired, replaced, suspended or misshapen code is one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const eve = await registerPerson(app, "eve");
    const expired = await issueCode(app, await registerPerson(app, "bob"));
    app.clock.advance(4 * MINUTE);
    const spent = await issueCode(app, ada);
    await expectJson(await redeem(app, spent), 200);
    const replaced = await issueCode(app, ada);
    await issueCode(app, ada);
    const suspended = await issueCode(app, eve);
    await suspend(app, eve);
    app.clock.advance(6 * MINUTE);
    const body = await expectSameAnswers({
      unknown: await redeem(app, "00000-00000"),
      spent: await redeem(app, spent),
      expired: await redeem(app, expired),
      replaced: await redeem(app, replaced),
      "of a suspended account": await redeem(app, suspended),
      "too short": await redeem(app, "00000-0000"),
      "too long": await redeem(app, "00000-000000"),
      "of other characters": await redeem(app, "UUUUU-UUUUU"),
      empty: await redeem(app, ""),
    });
    assert.equal(codeOf(body), "error.enrollment.code_refused");
  });
});

Deno.test("an unknown, closed, expired or foreign channel is one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const expired = await openChannel(app, ada);
    const foreignExpired = await openChannel(app, bob);
    for (const direction of DIRECTIONS) {
      await fill(app, expired, direction, ["AAAA"]);
    }
    app.clock.advance(4 * MINUTE);
    const closed = await openChannel(app, ada);
    const foreign = await openChannel(app, bob);
    await fill(app, foreign, "to_enrollee", ["AAAA"]);
    await expectEmpty(await close(app, ada, closed), 204);
    app.clock.advance(26 * MINUTE);
    const now = await refreshed(app, ada);
    const unknown = hashOf("no channel").slice(0, 32);
    const gone = { unknown, closed, expired, foreignExpired };
    const ask = async (
      channels: Readonly<Record<string, string>>,
      send: (channelId: string) => Promise<Response>,
    ) => {
      const answers: Record<string, Response> = {};
      for (const [name, channelId] of Object.entries(channels)) {
        answers[name] = await send(channelId);
      }
      return await expectSameAnswers(answers);
    };
    const bodies = [
      await ask({ ...gone, foreign }, (id) => close(app, now, id)),
    ];
    const large = toBase64(ciphertext("large", 65_536));
    for (const direction of DIRECTIONS) {
      bodies.push(
        await ask(gone, (id) => drain(app, id, direction)),
        await ask(gone, (id) => append(app, id, direction, "AAAA")),
        await ask(gone, (id) => append(app, id, direction, large)),
      );
      assert.equal(
        await ask(gone, (id) => drain(app, id, direction, "HEAD")),
        "",
      );
    }
    assert.equal(new Set(bodies).size, 1);
    assert.equal(codeOf(bodies[0] ?? ""), "error.enrollment.channel_not_found");
    // The foreign one is untouched.
    const answer = await expectJson(
      await drain(app, foreign, "to_enrollee"),
      200,
    );
    assert.deepEqual(answer.payloads, ["AAAA"]);
  });
});
