import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  append,
  channelPath,
  close,
  type Direction,
  drain,
  expectDrained,
  fill,
  openChannel,
} from "../support/enrollment.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { ciphertext, PASSWORD, registerPerson } from "../support/people.ts";
import { refreshed, suspend, withFaultlessApp } from "../support/api.ts";

const KIB = 1024;
const MINUTE = 60_000;
const DIRECTIONS: readonly Direction[] = ["to_initiator", "to_enrollee"];

/** A payload of random bytes, in base64. */
function payload(seed: string | number, length = 40): string {
  return toBase64(ciphertext(`payload ${seed}`, length));
}

function payloads(count: number, word = ""): string[] {
  return Array.from({ length: count }, (_, n) => payload(`${word} ${n}`));
}

async function expectUnknown(response: Response): Promise<void> {
  await expectProblem(response, "error.enrollment.channel_not_found");
}

async function expectGone(app: TestApp, channelId: string): Promise<void> {
  for (const direction of DIRECTIONS) {
    await expectUnknown(await drain(app, channelId, direction));
    await expectEmpty(await drain(app, channelId, direction, "HEAD"), 404);
    await expectUnknown(await append(app, channelId, direction, "AAAA"));
  }
}

Deno.test("payloads arrive byte for byte, oldest first, and once", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channel = await openChannel(app, ada);
    for (const direction of DIRECTIONS) {
      const sent = [1, 2, 3, 100, 4_097, 64 * KIB].map((length) =>
        payload(length, length)
      );
      await fill(app, channel, direction, sent);
      await expectDrained(app, channel, direction, sent);
      await expectDrained(app, channel, direction, []);
    }
  });
});

Deno.test("draining one direction leaves the other untouched", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channel = await openChannel(app, ada);
    const [up, down] = [payloads(3, "up"), payloads(2, "down")];
    await fill(app, channel, "to_initiator", up);
    await fill(app, channel, "to_enrollee", down);
    await expectDrained(app, channel, "to_initiator", up);
    await expectDrained(app, channel, "to_initiator", []);
    await expectDrained(app, channel, "to_enrollee", down);
  });
});

Deno.test("channels do not mix, those of one account neither", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const channels = [
      await openChannel(app, ada),
      await openChannel(app, ada),
      await openChannel(app, bob),
    ];
    for (const channel of channels) {
      await fill(app, channel, "to_enrollee", payloads(2, channel));
    }
    for (const channel of channels) {
      await expectDrained(app, channel, "to_enrollee", payloads(2, channel));
    }
  });
});

Deno.test("HEAD drains nothing and has the headers of a GET", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channel = await openChannel(app, ada);
    const sent = payloads(5);
    await fill(app, channel, "to_enrollee", sent);
    const heads = [
      await drain(app, channel, "to_enrollee", "HEAD"),
      await drain(app, channel, "to_enrollee", "HEAD"),
    ];
    const get = await drain(app, channel, "to_enrollee");
    for (const head of heads) {
      assert.deepEqual([...head.headers], [...get.headers]);
      await expectEmpty(head, 200);
    }
    const answer = await expectJson(get, 200);
    assert.deepEqual(answer.payloads, sent);
  });
});

Deno.test("a payload has 1 byte to 64 KiB of standard base64", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channel = await openChannel(app, ada);
    for (
      const bad of [
        "",
        payload("over", 64 * KIB + 1),
        "AAA",
        "AA=A",
        "AB==",
        "AA-_",
        "AAAA\n",
        null,
        1,
      ]
    ) {
      const { errors } = await expectProblem(
        await append(app, channel, "to_enrollee", bad as string),
        "error.request.invalid",
      );
      assert.equal(errors[0].path, "/payload");
    }
    await expectDrained(app, channel, "to_enrollee", []);
  });
});

Deno.test("a direction is to_initiator or to_enrollee: 400 in a query, 422 in a body", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channel = await openChannel(app, ada);
    for (const direction of ["", "both", "TO_ENROLLEE", "to_enrollee%20"]) {
      await expectProblem(
        await drain(app, channel, direction),
        "error.request.malformed",
      );
      const { errors } = await expectProblem(
        await append(app, channel, direction as Direction, "AAAA"),
        "error.request.invalid",
      );
      assert.equal(errors[0].path, "/direction");
    }
    await expectProblem(
      await app.send("GET", channelPath(channel)),
      "error.request.malformed",
    );
  });
});

Deno.test("a mailbox holds 64 payloads; a full one is 422 until it is drained", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channel = await openChannel(app, ada);
    const sent = Array.from({ length: 64 }, (_, n) => payload(n, 64 * KIB));
    await fill(app, channel, "to_enrollee", sent);
    await expectProblem(
      await append(app, channel, "to_enrollee", "AAAA"),
      "error.enrollment.mailbox_full",
    );
    // The other mailbox has its own room.
    await fill(app, channel, "to_initiator", ["AAAA"]);
    await expectDrained(app, channel, "to_enrollee", sent);
    await fill(app, channel, "to_enrollee", ["BBBB"]);
    await expectDrained(app, channel, "to_enrollee", ["BBBB"]);
  });
});

Deno.test("of 70 payloads appended at once exactly 64 are held", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channel = await openChannel(app, ada);
    const held: string[] = [];
    await Promise.all(
      payloads(70).map(async (one) => {
        const answer = await append(app, channel, "to_initiator", one);
        if (answer.status === 204) held.push(one);
        else await expectProblem(answer, "error.enrollment.mailbox_full");
      }),
    );
    assert.equal(held.length, 64);
    const drained = await drain(app, channel, "to_initiator");
    const answer = await expectJson(drained, 200);
    assert.deepEqual(answer.payloads.toSorted(), held.toSorted());
  });
});

Deno.test("drains at once deliver each payload once", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channel = await openChannel(app, ada);
    const sent = payloads(60);
    await fill(app, channel, "to_enrollee", sent.slice(0, 30));
    const drains = Array.from({ length: 20 }, async () => {
      const answer = await drain(app, channel, "to_enrollee");
      return (await expectJson(answer, 200)).payloads;
    });
    // Some arrive while others are being taken.
    const late = fill(app, channel, "to_enrollee", sent.slice(30));
    const delivered = await Promise.all(drains);
    await late;
    const last = await drain(app, channel, "to_enrollee");
    delivered.push((await expectJson(last, 200)).payloads);
    assert.deepEqual(delivered.flat().toSorted(), sent.toSorted());
  });
});

Deno.test("a channel lives 30 minutes from its redemption, used or not, purged or not", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channel = await openChannel(app, ada);
    app.clock.advance(30 * MINUTE - 1);
    await app.purge();
    await fill(app, channel, "to_enrollee", ["AAAA", "BBBB"]);
    await expectDrained(app, channel, "to_initiator", []);
    app.clock.advance(1);
    await expectGone(app, channel);
    const late = await refreshed(app, ada);
    await expectUnknown(await close(app, late, channel));
    await app.purge();
    await expectGone(app, channel);
    const { db } = app.app;
    for (const table of ["enrollment_channel", "relay_payload"] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), []);
    }
  });
});

Deno.test("closing drops both mailboxes, and what is closed is unknown", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channel = await openChannel(app, ada);
    for (const direction of DIRECTIONS) {
      await fill(app, channel, direction, payloads(3, direction));
    }
    await expectEmpty(await close(app, ada, channel), 204);
    await expectGone(app, channel);
    await expectUnknown(await close(app, ada, channel));
    assert.deepEqual(
      await app.app.db.selectFrom("relay_payload").selectAll().execute(),
      [],
    );
  });
});

Deno.test("only the initiator's account closes a channel, from any of its sessions", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const channel = await openChannel(app, ada);
    await fill(app, channel, "to_enrollee", ["AAAA"]);
    await expectUnknown(await close(app, bob, channel));
    await expectProblem(
      await app.send("DELETE", channelPath(channel)),
      "error.auth.token_missing",
    );
    await expectDrained(app, channel, "to_enrollee", ["AAAA"]);
    const { access_token } = await expectJson(
      await app.send("POST", "/v1/auth/login", {
        json: { address: ada.address, password: PASSWORD },
      }),
      200,
    );
    await expectEmpty(await close(app, { token: access_token }, channel), 204);
  });
});

Deno.test("a suspended account closes its channel", async () => {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channel = await openChannel(app, ada);
    await suspend(app, ada);
    await expectEmpty(await close(app, ada, channel), 204);
    await expectGone(app, channel);
  });
});

Deno.test("a channel and what waits in it outlive a restart", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const channel = await openChannel(app, ada);
    const sent = payloads(4);
    await fill(app, channel, "to_enrollee", sent);
    const again = await app.reopen();
    await again.purge();
    await fill(again, channel, "to_enrollee", ["AAAA"]);
    await expectDrained(again, channel, "to_enrollee", [...sent, "AAAA"]);
    await expectEmpty(await close(again, ada, channel), 204);
    await expectGone(await again.reopen(), channel);
  });
});
