/**
 * A server that lies about its public logs, with a witness that helps it: every
 * device notices, and none reports an honest server
 * (protocol/logs.md#what-a-client-checks).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  readLogEvidence,
  verifyLogEvidence,
} from "../../src/crypto/logs/log_evidence.ts";
import { HOUR_MS } from "../../src/core/time.ts";
import { withTestApp } from "../support/app.ts";
import { beginLibrary } from "../support/library.ts";
import type { LieKind } from "./adversary.ts";
import { deviceIn, Family, type Member, type Step } from "./family.ts";
import { expectPromisesKept } from "./promises.ts";

/** What is found of each lie, by whoever has seen the logs before. */
const FOUND: readonly (readonly [LieKind, string])[] = [
  ["other_tree", "contradiction"],
  ["frozen_log", "went_back"],
  ["forged_tile", "wrong_tiles"],
  ["withheld_entry", "wrong_tiles"],
  ["lying_witness", "contradiction"],
];

async function withFamily(test: (family: Family) => Promise<void>) {
  await withTestApp(async (app) => {
    const family = await Family.settle(app);
    for (const at of family.members.keys()) await honest(family, at);
    await test(family);
  });
}

function lying(kind: LieKind, at: number, pick: number): Step {
  const lie = { kind, operation: undefined, pick, times: 1_000 };
  return { deed: "check_logs", at, pick, lie };
}

/** A check of an honest server, in which nothing is wrong. */
async function honest(family: Family, at: number): Promise<void> {
  const step = { deed: "check_logs", at, pick: 0, lie: undefined } as const;
  assert.equal(await family.perform(step), "done");
  const { last } = libraryOf(family, at).logs;
  assert.deepEqual(unanswered(last?.findings ?? []), [], `device ${at}`);
  assert.equal(last?.isWitnessed, true, `device ${at}`);
}

function libraryOf({ members }: Family, at: number): Member["library"] {
  const member = members[at];
  assert(member !== undefined);
  return member.library;
}

function unanswered(findings: readonly { answered_at?: string | undefined }[]) {
  return findings.filter(({ answered_at }) => answered_at === undefined);
}

for (const [kind, found] of FOUND) {
  Deno.test(`a server that lies about its logs is noticed on every device: ${kind}`, async () => {
    await withFamily(async (family) => {
      for (const [pick, at] of [0, 1, 2].entries()) {
        // Both logs go on, so that there is something to read.
        for (const deed of ["take", "new_album"] as const) {
          await family.perform({ deed, at: 0, pick: 0, lie: undefined });
          await family.perform({ deed, at: 2, pick: 0, lie: undefined });
        }
        // What stands still goes back for whoever has seen more.
        if (kind === "frozen_log") await honest(family, at);
        await family.perform(lying(kind, at, pick));
        const { logs } = libraryOf(family, at);
        const kinds = logs.last?.findings.map((one) => one.kind) ?? [];
        assert(kinds.includes(found as typeof kinds[0]), `${at}: ${kinds}`);
        for (const { file } of logs.findings()) {
          const read = readLogEvidence(file ?? "");
          if (read === undefined) continue;
          const verdict = await verifyLogEvidence(
            read.evidence,
            read.published,
          );
          assert(verdict.ok);
        }
        if (found === "contradiction") {
          assert(logs.findings().some(({ file }) => file !== undefined));
        }
        await expectPromisesKept(family, kind);
        // What the person knows of is told no more, once the server is honest.
        for (const { id } of logs.findings()) await logs.answer(id);
        for (const one of family.members.keys()) {
          await family.perform({ deed: "sync", at: one, pick, lie: undefined });
        }
        await honest(family, at);
      }
    });
  });
}

Deno.test("logs that stand still are noticed by a receipt that they do not get", async () => {
  await withFamily(async (family) => {
    const step = { at: 0, pick: 0, lie: undefined };
    await family.perform({ ...step, deed: "take" });
    // No device has seen more than the server continues to show.
    const lie = {
      kind: "frozen_log",
      operation: undefined,
      pick: 0,
      times: 1_000,
    } as const;
    family.adversary.answers.splice(0);
    await honest(family, 0);
    await family.perform({ ...step, deed: "take" });
    await family.perform({ ...step, deed: "check_logs", lie });
    assert.deepEqual(libraryOf(family, 0).logs.last?.findings, []);
    family.app.clock.advance(2 * HOUR_MS);
    await family.perform({ ...step, deed: "check_logs", lie });
    assert.deepEqual(
      new Set(
        libraryOf(family, 0).logs.last?.findings.map(({ kind }) => kind),
      ),
      new Set(["receipt_missing"]),
    );
  });
});

Deno.test("a client that has never seen the logs believes no tree that only a lying witness cosigned", async () => {
  await withFamily(async ({ adversary, wire, app }) => {
    const carla = await beginLibrary(
      deviceIn(wire, adversary, "carla"),
      "carla",
    );
    await carla.logs.choose(adversary.logs?.policy ?? "");
    await app.advanceLogs();
    for (const kind of ["lying_witness", "other_tree"] as const) {
      adversary.begin({ kind, operation: undefined, pick: 0, times: 1_000 });
      const { isWitnessed, findings } = await carla.logs.check();
      assert(adversary.hasLied, kind);
      assert.equal(isWitnessed, false, kind);
      assert.notEqual(carla.trust.status, "confirmed");
      adversary.begin(undefined);
      // The truth contradicts what the liar has shown before.
      const honest = await carla.logs.check();
      assert(
        [...findings, ...honest.findings].some((one) =>
          one.kind === "contradiction"
        ),
        kind,
      );
      for (const { id } of carla.logs.findings()) await carla.logs.answer(id);
    }
  });
});
