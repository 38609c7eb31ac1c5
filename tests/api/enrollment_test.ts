import assert from "node:assert/strict";
import { START_MS, withTestApp } from "../support/app.ts";
import {
  askCode,
  enrollmentState,
  issueCode,
  openChannel,
  redeem,
} from "../support/enrollment.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { hashOf, registerPerson } from "../support/people.ts";
import { suspend, withFaultlessApp } from "../support/api.ts";

const MINUTE = 60_000;
const SHOWN = /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/;

function iso(instantMs: number): string {
  return new Date(instantMs).toISOString();
}

async function expectRefused(response: Response): Promise<void> {
  await expectProblem(response, "error.enrollment.code_refused");
}

/** Codes are tried from this many addresses, so that no budget is spent. */
function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `198.51.100.${n}`);
}

Deno.test("a code has ten characters of Crockford base32 and lives ten minutes", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const answer = await expectJson(await askCode(app, ada), 200);
    assert.deepEqual(Object.keys(answer), ["code", "expires_at"]);
    assert.match(answer.code, SHOWN);
    assert.equal(answer.expires_at, iso(START_MS + 10 * MINUTE));
  });
});

Deno.test("the store keeps the SHA-256 of a code and not the code", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const code = await issueCode(app, ada);
    const rows = await app.app.db.selectFrom("enrollment_code").selectAll()
      .execute();
    assert.deepEqual({ ...rows[0] }, {
      user_id: ada.userId,
      code_hash: hashOf(code.replace("-", "")),
      expires_at: START_MS + 10 * MINUTE,
    });
  });
});

Deno.test("a code is redeemed for a channel handle, without any credential", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const code = await issueCode(app, ada);
    app.clock.advance(MINUTE);
    const answer = await expectJson(await redeem(app, code), 200);
    assert.deepEqual(answer, {
      channel_id: answer.channel_id,
      expires_at: iso(START_MS + 31 * MINUTE),
    });
    assert.match(answer.channel_id, /^[0-9a-f]{32}$/);
  });
});

Deno.test("a code is redeemed once", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const code = await issueCode(app, ada);
    await expectJson(await redeem(app, code), 200);
    await expectRefused(await redeem(app, code));
  });
});

Deno.test("of 20 redemptions of one code at once exactly one opens a channel", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const code = await issueCode(app, ada);
    const answers = await Promise.all(
      addresses(20).map((from) => redeem(app, code, from)),
    );
    const opened = answers.filter(({ status }) => status === 200);
    assert.equal(opened.length, 1);
    for (const answer of answers) {
      if (answer.status !== 200) await expectRefused(answer);
      else await answer.body?.cancel();
    }
    const channels = await app.app.db.selectFrom("enrollment_channel")
      .selectAll().execute();
    assert.equal(channels.length, 1);
  });
});

Deno.test("a code is accepted until ten minutes have passed, purged or not", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const first = await issueCode(app, ada);
    const second = await issueCode(app, bob);
    app.clock.advance(10 * MINUTE - 1);
    await app.purge();
    await expectJson(await redeem(app, first), 200);
    app.clock.advance(1);
    await expectRefused(await redeem(app, second));
    assert.equal((await enrollmentState(app, bob)).state, "none");
    await app.purge();
    await expectRefused(await redeem(app, second));
  });
});

Deno.test("a new code replaces the account's older one and no other account's", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const others = await issueCode(app, bob);
    const old = await issueCode(app, ada);
    const code = await issueCode(app, ada);
    assert.notEqual(code, old);
    await expectRefused(await redeem(app, old));
    await expectJson(await redeem(app, code), 200);
    await expectJson(await redeem(app, others), 200);
  });
});

Deno.test("a code in place of an older one has ten minutes of its own", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await issueCode(app, ada);
    app.clock.advance(4 * MINUTE);
    const code = await issueCode(app, ada);
    app.clock.advance(10 * MINUTE - 1);
    await expectJson(await redeem(app, code), 200);
  });
});

Deno.test("of 20 codes issued at once exactly one is live", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const codes = await Promise.all(
      addresses(20).map(() => issueCode(app, ada)),
    );
    assert.equal(new Set(codes).size, 20);
    let redeemed = 0;
    for (const [n, from] of addresses(20).entries()) {
      const answer = await redeem(app, codes[n], from);
      await answer.body?.cancel();
      if (answer.status === 200) redeemed += 1;
    }
    assert.equal(redeemed, 1);
  });
});

Deno.test("a code that is already in use is drawn again", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const { platform } = app.app;
    const { random } = platform;
    let draws = 0;
    const stuck = (length: number) =>
      length === 10 ? new Uint8Array(10).fill(draws++ >> 1) : random(length);
    Object.assign(platform, { random: stuck });
    assert.equal(await issueCode(app, ada), "00000-00000");
    assert.equal(await issueCode(app, bob), "11111-11111");
    Object.assign(platform, { random });
    for (const [code, person] of [["0", ada], ["1", bob]] as const) {
      await expectJson(await redeem(app, code.repeat(10)), 200);
      assert.equal((await enrollmentState(app, person)).state, "redeemed");
    }
  });
});

Deno.test("case, hyphens and spaces do not count, O is 0, I and L are 1", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const forms: ((code: string) => string)[] = [
      (code) => code.toLowerCase(),
      (code) => code.replace("-", ""),
      (code) => code.replace("-", " "),
      (code) => ` ${[...code].join(" - ")} `,
      (code) => code.replaceAll("0", "O").replaceAll("1", "I"),
      (code) => code.replaceAll("0", "o").replaceAll("1", "l"),
      (code) => code.replaceAll("1", "i").replaceAll("0", "O"),
    ];
    for (const form of forms) {
      const code = form(await issueCode(app, ada));
      await expectJson(await redeem(app, code), 200);
    }
  });
});

Deno.test("a code that is no text is 422", async () => {
  await withFaultlessApp(async (app) => {
    for (const code of [null, 1_234_567_890, true, ["00000-00000"], {}]) {
      const { errors } = await expectProblem(
        await redeem(app, code),
        "error.request.invalid",
      );
      assert.equal(errors[0].path, "/code");
    }
  });
});

Deno.test("ten codes a minute are tried from one client address", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const code = await issueCode(app, ada);
    for (let n = 0; n < 10; n++) {
      await expectRefused(await redeem(app, `00000-0000${n}`));
    }
    app.clock.advance(20_500);
    const limited = await redeem(app, code);
    assert.equal(limited.headers.get("retry-after"), "40");
    const { retry_after } = await expectProblem(
      limited,
      "error.enrollment.rate_limited",
    );
    assert.equal(retry_after, START_MS / 1_000 + 60);
    // The code is unchanged; another address has a budget of its own.
    await expectRefused(await redeem(app, "00000-00000", "192.0.2.2"));
    app.clock.advance(39_500);
    await expectJson(await redeem(app, code), 200);
  });
});

Deno.test("a redemption that succeeds is of the same budget, which is a setting", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    for (let n = 0; n < 3; n++) await openChannel(app, ada);
    await expectProblem(
      await redeem(app, await issueCode(app, ada)),
      "error.enrollment.rate_limited",
    );
  }, { settings: { STRONGROOM_LIMIT_ENROLL_REDEEM: "3" } });
});

Deno.test("what has no code's shape is refused like a code and costs nothing", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const code = await issueCode(app, ada);
    for (
      const typed of ["", "x", "U".repeat(10), `${code}0`, `${code}\n`, "💎"]
    ) {
      for (let n = 0; n < 5; n++) await expectRefused(await redeem(app, typed));
    }
    await expectJson(await redeem(app, code), 200);
    for (let n = 0; n < 9; n++) await expectRefused(await redeem(app, code));
    // Free even when the budget is spent.
    await expectProblem(
      await redeem(app, code),
      "error.enrollment.rate_limited",
    );
    await expectRefused(await redeem(app, "no code"));
  });
});

Deno.test("a suspended account issues no code, and its code is refused while it is", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const code = await issueCode(app, ada);
    await suspend(app, ada);
    await expectProblem(await askCode(app, ada), "error.account.suspended");
    await expectRefused(await redeem(app, code));
    assert.equal((await enrollmentState(app, ada)).state, "issued");
    await app.app.db.updateTable("account").set({ suspended_at: null })
      .execute();
    await expectJson(await redeem(app, code), 200);
  });
});

Deno.test("a code outlives a restart", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const code = await issueCode(app, ada);
    const again = await app.reopen();
    assert.equal((await enrollmentState(again, ada)).state, "issued");
    await expectJson(await redeem(again, code), 200);
    const third = await again.reopen();
    await expectRefused(await redeem(third, code));
    assert.equal((await enrollmentState(third, ada)).state, "redeemed");
  });
});
