/**
 * Ceremonies and uploads of one album in random order, against a model of a few
 * lines: both must agree on every answer (protocol/albums.md#upgrade-ceremony).
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  beginUpgrade,
  endUpgrade,
  intentBytes,
  OLD_PROTOCOL,
  opRequest,
  provisionAlbum,
  sendOp,
} from "../support/albums.ts";
import type { TestApp } from "../support/app.ts";
import {
  ciphertext,
  type Person,
  putBytes,
  registerWriter,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { refreshed, withFaultlessApp } from "../support/api.ts";
import { getPhase } from "../support/upgrades.ts";
import { modelRuns } from "../support/models.ts";

const SECOND = 1_000;
const WINDOW_SECONDS = 300;
const BYTES = ciphertext("original", 50);

const step = fc.record({
  what: fc.constantFrom(
    ...["begin", "begin", "abort", "commit", "wait"] as const,
    ...["open", "open", "finalize", "cancel", "create", "create"] as const,
  ),
  /** Which intent, or which file. */
  which: fc.constantFrom(0, 1, 2),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface File {
  state: "none" | "open" | "pending" | "live";
  expiresAt: number;
  /** In flight or pending when the last ceremony began. */
  underWay: boolean;
}

/** What the specification answers: 200, 201, 204 or the end of a code. */
class Model {
  live: { intent: number; endsAt: number } | undefined;
  readonly #spent = new Map<number, "ended" | "committed">();
  readonly #files = [0, 1, 2].map((): File => ({
    state: "none",
    expiresAt: 0,
    underWay: false,
  }));
  #tombstoned = false;

  /** What time alone has done. */
  at(now: number): void {
    if (this.live !== undefined && this.live.endsAt <= now) this.#end("ended");
    for (const file of this.#files) {
      if (file.state === "open" && file.expiresAt <= now) file.state = "none";
    }
  }

  get inFlight(): number {
    return this.#files.filter(({ state }) => state === "open").length;
  }

  answer({ what, which }: Step, now: number): number | string {
    const file = this.#files[which];
    assert(file !== undefined);
    switch (what) {
      case "wait":
        return 200;
      case "begin":
        return this.#begin(which, now);
      case "abort":
      case "commit":
        return this.#finish(what, which);
      case "finalize":
        if (file.state === "none") return "not_found";
        if (file.state === "open") file.state = "pending";
        return 200;
      case "cancel":
        if (file.state === "none") return "not_found";
        if (file.state !== "open") return "finalized";
        file.state = "none";
        return 204;
      case "open":
        return this.#open(file, now);
      case "create":
        return this.#create(file);
    }
  }

  #begin(intent: number, now: number): number | string {
    if (this.#tombstoned) return "tombstoned";
    if (this.live?.intent === intent) return 200;
    if (this.live !== undefined) return "upgrade_in_flight";
    if (this.#spent.has(intent)) return "upgrade_intent_spent";
    const endsAt = now + WINDOW_SECONDS * SECOND;
    this.live = { intent, endsAt };
    for (const file of this.#files) {
      file.expiresAt = Math.min(file.expiresAt, endsAt);
      file.underWay = file.state === "open" || file.state === "pending";
    }
    return 200;
  }

  #finish(what: "abort" | "commit", intent: number): number | string {
    if (what === "commit" && this.#spent.get(intent) === "committed") {
      return 200;
    }
    if (this.#tombstoned) return "tombstoned";
    if (this.live?.intent !== intent) {
      if (this.live !== undefined) return "upgrade_in_flight";
      return this.#spent.has(intent)
        ? "upgrade_intent_spent"
        : "upgrade_not_in_flight";
    }
    if (what === "commit" && this.inFlight > 0) return "upgrade_in_flight";
    this.#tombstoned = what === "commit";
    this.#end(what === "commit" ? "committed" : "ended");
    return 200;
  }

  #end(how: "ended" | "committed"): void {
    if (this.live !== undefined) this.#spent.set(this.live.intent, how);
    this.live = undefined;
  }

  /** Whether a ceremony keeps a file out. */
  #keptOut({ underWay }: File): boolean {
    return this.live !== undefined && !underWay;
  }

  #open(file: File, now: number): number | string {
    if (this.#tombstoned) return "tombstoned";
    if (this.#keptOut(file)) return "upgrade_in_flight";
    if (file.state !== "none") return 200;
    file.state = "open";
    file.expiresAt = now + 24 * 3_600 * SECOND;
    return 201;
  }

  #create(file: File): number | string {
    if (file.state === "live") return 200;
    if (this.#tombstoned) return "tombstoned";
    if (this.#keptOut(file)) return "upgrade_in_flight";
    if (file.state !== "pending") return "blob_missing";
    file.state = "live";
    return 200;
  }
}

/** The album of one run, and the last session of each of its files. */
interface Run {
  readonly app: TestApp;
  readonly ada: Person;
  readonly name: string;
  readonly albumId: string;
  readonly uploads: string[];
}

async function send(run: Run, { what, which }: Step): Promise<Response> {
  const { app, ada, name, albumId, uploads } = run;
  const file = uuidOf(`${name} file ${which}`);
  const upload = uploads[which] ?? uuidOf("no upload");
  const { token } = ada;
  switch (what) {
    case "begin": {
      const over = { window_seconds: WINDOW_SECONDS };
      const intent = `${name} ${which}`;
      const body = await intentBytes(ada, albumId, intent, over);
      return await beginUpgrade(app, ada, albumId, body);
    }
    case "abort":
    case "commit":
      return await endUpgrade(app, ada, albumId, what, `${name} ${which}`);
    case "open": {
      const json = uploadRequest(ada, BYTES, { fileId: file, albumId });
      const answer = await app.send("POST", "/v1/upload", { token, json });
      if (answer.ok) uploads[which] = (await answer.clone().json()).upload_id;
      return answer;
    }
    case "finalize":
      return await putBytes(app, ada, upload, BYTES);
    case "cancel":
      return await app.send("DELETE", `/v1/upload/${upload}`, { token });
    case "create": {
      const manifest = ciphertext(`manifest ${which}`, 30);
      const over = { original: BYTES };
      const request = opRequest(ada, albumId, file, manifest, over);
      return await sendOp(app, ada, albumId, request);
    }
    case "wait":
      return await getPhase(app, ada, albumId);
  }
}

/** A status of success, or the end of a problem's code. */
async function seen(response: Response): Promise<number | string> {
  const text = await response.text();
  return response.ok
    ? response.status
    : JSON.parse(text).code.split(".").at(-1);
}

Deno.test("ceremonies and uploads in any order answer as the model does", async () => {
  await withFaultlessApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    let runs = 0;
    const kinds = new Set<string>();
    const steps = fc.array(step, { minLength: 15, maxLength: 40, size: "max" });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const name = `run ${runs++}`;
        ada = await refreshed(app, ada);
        const albumId = await provisionAlbum(app, ada, name, OLD_PROTOCOL);
        const uploads: string[] = [];
        const model = new Model();
        for (const one of sequence) {
          app.clock.advance((one.what === "wait" ? 100 : 1) * SECOND);
          if (one.what === "wait") ada = await refreshed(app, ada);
          const run = { app, ada, name, albumId, uploads };
          const { now } = app.clock;
          model.at(now);
          const answer = await seen(await send(run, one));
          assert.equal(answer, model.answer(one, now), JSON.stringify(one));
          const phase = await (await getPhase(app, ada, albumId)).json();
          assert.equal(phase.in_flight, model.inFlight);
          assert.equal("intent_id" in phase, model.live !== undefined);
          kinds.add(`${one.what} ${answer}`);
        }
      }),
      { seed: 11, numRuns: modelRuns(60), endOnFailure: true },
    );
    // Every kind of answer was met.
    const met = (what: string) =>
      [...kinds].filter((kind) => kind.startsWith(what)).length;
    assert.deepEqual(
      ["begin", "abort", "commit", "open", "finalize", "cancel", "create"]
        .map(met),
      [4, 5, 5, 4, 2, 3, 4],
    );
  });
});
