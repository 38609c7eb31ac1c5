/**
 * Random sequences of enrollment operations against a model of a few lines:
 * the server and the model have to agree on every answer.
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  append,
  askCode,
  close,
  CODE_PATH,
  type Direction,
  drain,
  redeem,
} from "../support/enrollment.ts";
import { expectJson, type Json } from "../support/expect.ts";
import {
  hashOf,
  PASSWORD,
  type Person,
  registerPerson,
} from "../support/people.ts";
import { expectNoErrors, refreshed } from "../support/api.ts";
import { modelRuns } from "../support/models.ts";

const MINUTE = 60_000;
const SEED = 20_261_121;
const RUNS = modelRuns(12);

type Operation =
  | { readonly kind: "present" | "issue" | "state"; readonly who: number }
  | { readonly kind: "redeem"; readonly code: number }
  | {
    readonly kind: "append";
    readonly channel: number;
    readonly direction: Direction;
    readonly times: number;
  }
  | {
    readonly kind: "drain";
    readonly channel: number;
    readonly direction: Direction;
    readonly head: boolean;
  }
  | {
    readonly kind: "close";
    readonly who: number;
    readonly channel: number;
  }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "purge" };

const who = fc.nat(1);
const direction = fc.constantFrom<Direction>("to_initiator", "to_enrollee");
/** Counts back from the last one; there is none before the first. */
const back = fc.constantFrom(0, 0, 0, 0, 1, 2, 9);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constantFrom("issue", "state"), who }),
  fc.record({ kind: fc.constantFrom("present", "issue", "issue"), who }),
  fc.record({ kind: fc.constant("redeem"), code: back }),
  fc.record({
    kind: fc.constant("append"),
    channel: back,
    direction,
    times: fc.constantFrom(1, 2, 3, 64),
  }),
  fc.record({
    kind: fc.constant("drain"),
    channel: back,
    direction,
    head: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("close"), who, channel: back }),
  fc.record({
    kind: fc.constant("advance"),
    ms: fc.constantFrom(1, 1, MINUTE, 5 * MINUTE - 1, 9 * MINUTE),
  }),
  fc.record({ kind: fc.constant("purge") }),
);

interface Channel {
  readonly id: string;
  readonly owner: number;
  readonly until: number;
  readonly boxes: Record<Direction, string[]>;
}

/** What the specification says, and nothing of how it is done. */
class Model {
  readonly presented: number[] = [];
  /** The one live code of each account. */
  readonly codes: ({ code: string; until: number } | undefined)[] = [];
  /** Open channels in the order of their opening. */
  channels: Channel[] = [];

  mayIssue(account: number, now: number): boolean {
    return now - (this.presented[account] ?? -Infinity) < 5 * MINUTE;
  }

  ownerOf(code: string, now: number): number | undefined {
    const owner = this.codes.findIndex((held) => held?.code === code);
    return now < (this.codes[owner]?.until ?? 0) ? owner : undefined;
  }

  channel(id: string, now: number): Channel | undefined {
    return this.channels.find((one) => one.id === id && now < one.until);
  }

  state(account: number, now: number): Json {
    const code = this.codes[account];
    const iso = (ms: number) => new Date(ms).toISOString();
    if (code !== undefined && now < code.until) {
      return { state: "issued", expires_at: iso(code.until) };
    }
    const channel = this.channels.findLast((one) =>
      one.owner === account && now < one.until
    );
    if (channel === undefined) return { state: "none" };
    return {
      state: "redeemed",
      channel_id: channel.id,
      expires_at: iso(channel.until),
    };
  }
}

/** One sequence: the application, the model, and what was handed out. */
class Run {
  readonly model = new Model();
  readonly issued: string[] = [];
  readonly opened: string[] = [];
  #payloads = 0;

  constructor(
    readonly app: TestApp,
    readonly people: Person[],
    readonly seen: Set<string>,
  ) {}

  async play(one: Operation): Promise<void> {
    const { app, model } = this;
    const { now } = app.clock;
    switch (one.kind) {
      case "advance":
        return await this.advance(one.ms);
      case "purge":
        return await app.purge();
      case "present": {
        const { token } = this.person(one.who);
        const json = { password: PASSWORD };
        const path = "/v1/auth/reauthenticate";
        await expectJson(await app.send("POST", path, { token, json }), 200);
        model.presented[one.who] = now;
        return;
      }
      case "issue":
        return await this.issue(one.who);
      case "state": {
        const { token } = this.person(one.who);
        const answer = await app.send("GET", CODE_PATH, { token });
        const expected = model.state(one.who, now);
        assert.deepEqual(await expectJson(answer, 200), expected);
        this.seen.add(`state ${expected.state}`);
        return;
      }
      case "redeem":
        return await this.redeem(
          this.issued.at(-1 - one.code) ?? "0".repeat(10),
        );
      case "append":
        return await this.append(
          this.handle(one.channel),
          one.direction,
          one.times,
        );
      case "drain": {
        const method = one.head ? "HEAD" : "GET";
        return await this.drain(
          this.handle(one.channel),
          one.direction,
          method,
        );
      }
      case "close":
        return await this.close(one.who, this.handle(one.channel));
    }
  }

  /** Access tokens live 15 minutes; a new one presents nothing. */
  async advance(ms: number): Promise<void> {
    const { app, people } = this;
    app.clock.advance(ms);
    for (const [account, person] of people.entries()) {
      if (ms >= MINUTE) people[account] = await refreshed(app, person);
    }
  }

  person(account: number): Person {
    const person = this.people[account];
    if (person === undefined) throw new Error(`no account ${account}`);
    return person;
  }

  handle(stepsBack: number): string {
    return this.opened.at(-1 - stepsBack) ?? hashOf("none").slice(0, 32);
  }

  async issue(account: number): Promise<void> {
    const { app, model } = this;
    const { now } = app.clock;
    const answer = await askCode(app, this.person(account));
    const allowed = model.mayIssue(account, now);
    const body = await this.expect("issue", answer, allowed ? 200 : 403);
    if (!allowed) return;
    const code = body.code.replace("-", "");
    this.issued.push(code);
    model.codes[account] = { code, until: now + 10 * MINUTE };
  }

  async redeem(code: string): Promise<void> {
    const { app, model } = this;
    const { now } = app.clock;
    const owner = model.ownerOf(code, now);
    const answer = await redeem(app, code);
    const body = await this.expect(
      "redeem",
      answer,
      owner === undefined ? 404 : 200,
    );
    if (owner === undefined) return;
    // Two openings in one millisecond would have no order.
    app.clock.advance(1);
    model.codes[owner] = undefined;
    this.opened.push(body.channel_id);
    model.channels.push({
      id: body.channel_id,
      owner,
      until: now + 30 * MINUTE,
      boxes: { to_initiator: [], to_enrollee: [] },
    });
  }

  /** Appends until that is refused, or so many times. */
  async append(
    id: string,
    direction: Direction,
    times: number,
  ): Promise<void> {
    const { app, model } = this;
    const box = model.channel(id, app.clock.now)?.boxes[direction];
    for (let n = 0; n < times; n++) {
      const payload = btoa(`payload ${this.#payloads++}`);
      const answer = await append(app, id, direction, payload);
      const status = box === undefined ? 404 : box.length < 64 ? 204 : 422;
      await this.expect("append", answer, status);
      if (status !== 204) return;
      box?.push(payload);
    }
  }

  async drain(id: string, direction: Direction, method: string): Promise<void> {
    const answer = await drain(this.app, id, direction, method);
    const channel = this.model.channel(id, this.app.clock.now);
    if (channel === undefined) {
      return void await this.expect("drain", answer, 404);
    }
    const expected = { direction, payloads: channel.boxes[direction] };
    const length = String(JSON.stringify(expected).length);
    assert.equal(answer.headers.get("content-length"), length);
    const body = await this.expect("drain", answer, 200);
    if (method === "HEAD") return;
    assert.deepEqual(body, expected);
    channel.boxes[direction] = [];
  }

  async close(account: number, id: string): Promise<void> {
    const { app, model } = this;
    const answer = await close(app, this.person(account), id);
    const channel = model.channel(id, app.clock.now);
    const allowed = channel?.owner === account;
    await this.expect("close", answer, allowed ? 204 : 404);
    if (allowed) {
      model.channels = model.channels.filter((one) => one !== channel);
    }
  }

  /** Expects a status and notes that this outcome was seen. */
  async expect(
    what: Operation["kind"],
    answer: Response,
    status: number,
  ): Promise<Json> {
    const text = await answer.text();
    assert.equal(answer.status, status, text);
    this.seen.add(`${what} ${status}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}

Deno.test("whatever two accounts and their devices do in whatever order, every answer is the model's", async () => {
  await withTestApp(async (app) => {
    const registered = [
      await registerPerson(app, "ada"),
      await registerPerson(app, "bob"),
    ];
    const seen = new Set<string>();
    const sequence = fc.array(operation, { maxLength: 200, size: "max" });
    await fc.assert(
      fc.asyncProperty(sequence, async (operations) => {
        // By now everything of the run before has expired, purged or not.
        app.clock.advance(31 * MINUTE);
        const people: Person[] = [];
        for (const one of registered) people.push(await refreshed(app, one));
        const run = new Run(app, people, seen);
        await run.play({ kind: "present", who: 0 });
        await run.play({ kind: "present", who: 1 });
        for (const one of operations) await run.play(one);
      }),
      { seed: SEED, numRuns: RUNS },
    );
    expectNoErrors(app);
    // The sequences have been everywhere.
    assert.deepEqual([...seen].toSorted(), [
      "append 204",
      "append 404",
      "append 422",
      "close 204",
      "close 404",
      "drain 200",
      "drain 404",
      "issue 200",
      "issue 403",
      "redeem 200",
      "redeem 404",
      "state issued",
      "state none",
      "state redeemed",
    ]);
  }, { settings: { STRONGROOM_LIMIT_ENROLL_REDEEM: "1000" } });
});
