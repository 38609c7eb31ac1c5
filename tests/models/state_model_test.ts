/**
 * Random sequences of writes, reads and deletions of state slots against a
 * model of a few lines: the server and the model agree on every answer, on the
 * bytes used and on what the feed told.
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { readFeed } from "../support/albums.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { check } from "../support/check.ts";
import { expectJson, type Json } from "../support/expect.ts";
import {
  ciphertext,
  hashOf,
  type Person,
  registerWriter,
} from "../support/people.ts";
import { deleteState, getState, putState } from "../support/state.ts";
import { expectNoErrors } from "../support/api.ts";
import { modelRuns } from "../support/models.ts";

const SEED = 20_261_122;
const RUNS = modelRuns(10);
/** Seventeen names, of which sixteen may be filled. */
const SLOTS = Array.from({ length: 17 }, (_, n) => `slot-${n}`);
const BODIES = [0, 1, 7, 30].map((length) => ciphertext("a body", length));
const QUOTA = 250;

type Condition = "none" | "empty" | "any" | "both" | number;

type Operation =
  | {
    readonly kind: "put";
    readonly who: number;
    readonly slot: number;
    readonly body: number;
    readonly condition: Condition;
  }
  | {
    readonly kind: "get" | "delete";
    readonly who: number;
    readonly slot: number;
  }
  | { readonly kind: "restart" };

const who = fc.nat(1);
const slot = fc.oneof(fc.nat(1), fc.nat(SLOTS.length - 1));
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("put"),
      who,
      slot,
      body: fc.nat(BODIES.length - 1),
      condition: fc.oneof(
        fc.constantFrom<Condition>("empty", "empty", "any", "none", "both"),
        fc.nat(BODIES.length - 1),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("get", "delete"), who, slot }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart") }) },
);

function bodyOf(index: number): Uint8Array<ArrayBuffer> {
  return BODIES[index] ?? new Uint8Array();
}

function headersOf(condition: Condition): Record<string, string> {
  switch (condition) {
    case "none":
      return {};
    case "empty":
      return { "If-None-Match": "*" };
    case "any":
      return { "If-Match": "*" };
    case "both":
      return { "If-Match": "*", "If-None-Match": "*" };
    default:
      return { "If-Match": `"${hashOf(bodyOf(condition))}"` };
  }
}

/** What the specification says, and nothing of how it is done. */
class Model {
  /** By slot: which body. */
  readonly held = new Map<number, number>();
  readonly told: string[] = [];

  get used(): number {
    return [...this.held.values()].reduce(
      (sum, body) => sum + bodyOf(body).length,
      0,
    );
  }

  put(slot: number, body: number, condition: Condition): number {
    const before = this.held.get(slot);
    if (condition === "none") return 428;
    const holds = condition === "empty"
      ? before === undefined
      : condition === "any"
      ? before !== undefined
      : before === condition;
    if (!holds) return 409;
    if (before === undefined && this.held.size === 16) return 422;
    const grows = bodyOf(body).length - bodyOf(before ?? 0).length;
    if (grows > 0 && this.used + grows > QUOTA) return 507;
    this.held.set(slot, body);
    this.#tell(slot);
    return 204;
  }

  delete(slot: number): number {
    if (this.held.delete(slot)) this.#tell(slot);
    return 204;
  }

  #tell(slot: number): void {
    this.told.push(SLOTS[slot] ?? "");
  }
}

async function run(operations: readonly Operation[]): Promise<void> {
  await withTestApp(async (first) => {
    let app: TestApp = first;
    const people: Person[] = [
      await registerWriter(app, "ada"),
      await registerWriter(app, "bob"),
    ];
    const models = people.map(() => new Model());
    for (const one of operations) {
      if (one.kind === "restart") {
        expectNoErrors(app);
        app = await app.reopen();
        continue;
      }
      const person = people[one.who];
      const model = models[one.who];
      assert(person !== undefined && model !== undefined);
      const name = SLOTS[one.slot] ?? "";
      if (one.kind === "put") {
        const answer = await putState(
          app,
          person,
          name,
          bodyOf(one.body),
          headersOf(one.condition),
        );
        await answer.body?.cancel();
        const expected = model.put(one.slot, one.body, one.condition);
        assert.equal(answer.status, expected);
        continue;
      }
      if (one.kind === "delete") {
        const answer = await deleteState(app, person, name);
        assert.equal(answer.status, model.delete(one.slot));
        continue;
      }
      const answer = await getState(app, person, name);
      const held = model.held.get(one.slot);
      assert.equal(answer.status, held === undefined ? 404 : 200);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (held !== undefined) {
        assert.equal(hashOf(bytes), hashOf(bodyOf(held)));
      }
    }
    for (const [n, person] of people.entries()) {
      const model = models[n];
      assert(model !== undefined);
      const usage = await expectJson(
        await app.send("GET", "/v1/storage/usage", { token: person.token }),
        200,
      );
      assert.equal(usage.used_bytes, model.used);
      const { entries } = await readFeed(app, person.token);
      assert.deepEqual(entries.map(({ slot }: Json) => slot), model.told);
    }
    assert.deepEqual((await check(app)).findings, []);
    expectNoErrors(app);
  }, { settings: { STRONGROOM_ACCOUNT_QUOTA_BYTES: String(QUOTA) } });
}

Deno.test("random writes of state slots answer as the model does", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 30, maxLength: 80 }),
      run,
    ),
    { seed: SEED, numRuns: RUNS },
  );
});
