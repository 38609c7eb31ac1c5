/**
 * Rosters, access and the feed against a model of a few lines: whatever is done
 * in whatever order, both agree on every answer.
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  getRoster,
  listAlbums,
  provisionAlbum,
  putRoster,
  readFeed,
  rosterBytes,
} from "../support/albums.ts";
import { type Json } from "../support/expect.ts";
import {
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { expectNoErrors, readBlob } from "../support/api.ts";
import { modelRuns } from "../support/models.ts";

/** Ada owns the album; the others come and go. */
const NAMES = ["ada", "bob", "cyd"] as const;
type Name = typeof NAMES[number];
/** A member of another server: named in rosters, without an account here. */
const STRANGER = `${uuidOf("stranger")}@https://peer.example`;

const VERSION_LEAP = 1_000;

interface Publish {
  readonly kind: "publish";
  readonly by: Name;
  /** Added to the held version. */
  readonly delta: number;
  /** Added to the held epoch. */
  readonly epoch: number;
  readonly members: readonly (readonly [Name | "stranger", string])[];
}

type Step = Publish | {
  readonly kind:
    | "leave"
    | "repeat"
    | "roster"
    | "asset"
    | "albums"
    | "poll"
    | "album";
  readonly by: Name;
};

const by = fc.constantFrom(...NAMES);
const role = fc.constantFrom("viewer", "contributor");
const publish: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant("publish" as const),
  by: fc.oneof(
    { weight: 5, arbitrary: fc.constant("ada" as const) },
    { weight: 1, arbitrary: by },
  ),
  delta: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }) },
    { weight: 2, arbitrary: fc.constantFrom(-1, 0, 999, 1_000, 1_001) },
  ),
  epoch: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 2 }) },
    { weight: 1, arbitrary: fc.constant(-1) },
  ),
  members: fc.uniqueArray(
    fc.tuple(fc.constantFrom(...NAMES, "stranger" as const), role),
    { selector: ([name]) => name, maxLength: 4 },
  ),
});
const look: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    "leave",
    "repeat",
    "roster",
    "asset",
    "albums",
    "poll",
    "album",
  ),
  by,
});
const STEPS = fc.array(
  fc.oneof({ weight: 2, arbitrary: publish }, { weight: 3, arbitrary: look }),
  { minLength: 5, maxLength: 25 },
);

/** What the specification says of one album; its owner is Ada. */
class Model {
  version = 0;
  epoch = 0;
  /** Role by member, the owner left out. */
  members = new Map<string, string>();
  /** Whom the held roster names, those who left since too. */
  named = 0;
  held: Uint8Array<ArrayBuffer> | undefined;
  /** The album's entries in order; `only` marks a member's last one. */
  readonly entries: { readonly action: string; readonly only?: Name }[] = [
    { action: "album" },
    { action: "create" },
  ];
  /** The entry after the last one that each has seen. */
  readonly read: Record<Name, number> = { ada: 0, bob: 0, cyd: 0 };

  roleOf(name: Name): string | undefined {
    return name === "ada" ? "owner" : this.members.get(name);
  }

  /** The status, and with 200 whether nothing was to be done. */
  publish(step: Publish, bytes: Uint8Array<ArrayBuffer>): [number, boolean] {
    const role = this.roleOf(step.by);
    if (role === undefined) return [404, false];
    if (role !== "owner") return [403, false];
    if (this.held !== undefined && hashOf(this.held) === hashOf(bytes)) {
      return [200, true];
    }
    const version = this.version + step.delta;
    // Version 0 is invalid, and so is a negative epoch.
    if (version < 1 || this.epoch + step.epoch < 0) return [422, false];
    if (step.delta < 1) return [409, false];
    if (step.delta > VERSION_LEAP) return [400, false];
    if (step.epoch < 0) return [422, false];
    const before = this.members;
    this.version = version;
    this.epoch += step.epoch;
    this.members = new Map(step.members.filter(([name]) => name !== "ada"));
    this.named = this.members.size;
    this.held = bytes;
    this.entries.push({ action: "roster" });
    for (const name of NAMES) {
      if (before.has(name) && !this.members.has(name)) {
        this.entries.push({ action: "roster", only: name });
      }
    }
    return [200, false];
  }

  leave(name: Name): number {
    const role = this.roleOf(name);
    if (role === undefined) return 404;
    if (role === "owner") return 403;
    this.members.delete(name);
    this.entries.push({ action: "roster" }, { action: "roster", only: name });
    return 204;
  }

  /** What a member finds new in the feed; a client stores the last of it. */
  poll(name: Name): string[] {
    const news = [...this.entries.entries()].filter(([index, { only }]) =>
      index >= this.read[name] &&
      (only === undefined ? this.roleOf(name) !== undefined : only === name)
    );
    const last = news.at(-1);
    if (last !== undefined) this.read[name] = last[0] + 1;
    return news.map(([, { action }]) => action);
  }

  /** The album's own feed, for whoever may read it. */
  album(): string[] {
    return this.entries.filter(({ only }) => only === undefined)
      .map(({ action }) => action);
  }
}

/** The real album, asked the same things as the model. */
class Real {
  /** Where each left off, as `next_after` said. */
  readonly #after: Record<Name, number>;

  constructor(
    readonly app: TestApp,
    readonly people: Record<Name, Person>,
    readonly albumId: string,
    readonly asset: LiveAsset,
    from: Record<Name, number>,
  ) {
    this.#after = from;
  }

  sign(model: Model, step: Publish): Promise<Uint8Array<ArrayBuffer>> {
    const { ada } = this.people;
    const members = step.members.map(([name, role]) => ({
      member: name === "stranger" ? STRANGER : this.people[name].userId,
      role,
    }));
    return rosterBytes(ada, this.albumId, model.version + step.delta, members, {
      amk_epoch: model.epoch + step.epoch,
    });
  }

  async put(by: Name, bytes: Uint8Array<ArrayBuffer>): Promise<[number, Json]> {
    const person = this.people[by];
    const answer = await putRoster(this.app, person, this.albumId, bytes);
    return [answer.status, await answer.json()];
  }

  async poll(by: Name): Promise<string[]> {
    const query = `?after=${this.#after[by]}`;
    const page = await readFeed(this.app, this.people[by].token, query);
    this.#after[by] = page.next_after;
    return page.entries
      .filter((entry: Json) => entry.album_id === this.albumId)
      .map((entry: Json) => entry.action);
  }
}

async function publishBoth(
  model: Model,
  real: Real,
  step: Publish,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const { version } = model;
  const [status, replayed] = model.publish(step, bytes);
  const [answered, body] = await real.put(step.by, bytes);
  assert.equal(answered, status, JSON.stringify(body));
  if (status === 200) {
    assert.deepEqual(body, {
      album_id: real.albumId,
      roster_version: model.version,
      amk_epoch: model.epoch,
      member_count: model.named,
      replayed,
    });
  } else if (status === 409 || status === 400) {
    assert.equal(body.current_version, version);
  }
  if (status === 400) assert.equal(body.max_version, version + VERSION_LEAP);
}

async function takeStep(model: Model, real: Real, step: Step): Promise<void> {
  const { app, albumId, asset } = real;
  const person = real.people[step.by];
  const role = model.roleOf(step.by);
  switch (step.kind) {
    case "publish":
      return await publishBoth(model, real, step, await real.sign(model, step));
    case "repeat": {
      if (model.held === undefined) return;
      const same = { ...step, kind: "publish" as const };
      const again = { ...same, delta: 0, epoch: 0, members: [] };
      return await publishBoth(model, real, again, model.held);
    }
    case "leave": {
      const path = `/v1/albums/${albumId}/membership`;
      const answer = await app.send("DELETE", path, { token: person.token });
      await answer.body?.cancel();
      assert.equal(answer.status, model.leave(step.by));
      return;
    }
    case "roster": {
      const answer = await getRoster(app, person, albumId);
      const there = role !== undefined && model.held !== undefined;
      assert.equal(answer.status, there ? 200 : 404);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (there) assert.equal(hashOf(bytes), hashOf(model.held ?? ""));
      return;
    }
    case "asset": {
      const hash = hashOf(asset.original);
      const answers = [
        await app.send("GET", `/v1/assets/${asset.assetId}`, {
          token: person.token,
        }),
        await readBlob(app, person, asset.assetId, hash),
        await app.send("GET", `/v1/sync?album_id=${albumId}`, {
          token: person.token,
        }),
      ];
      for (const answer of answers) {
        assert.equal(answer.status, role === undefined ? 404 : 200);
        await answer.body?.cancel();
      }
      return;
    }
    case "albums": {
      const album = (await listAlbums(app, person))[albumId];
      assert.equal(album?.role, role);
      if (role === undefined) return;
      const { roster_version, amk_epoch } = album;
      assert.deepEqual([roster_version, amk_epoch], [
        model.version,
        model.epoch,
      ]);
      return;
    }
    case "poll":
      assert.deepEqual(await real.poll(step.by), model.poll(step.by));
      return;
    case "album": {
      if (role === undefined) return;
      const query = `?album_id=${albumId}`;
      const { entries } = await readFeed(app, person.token, query);
      assert.deepEqual(
        entries.map((entry: Json) => entry.action),
        model.album(),
      );
      return;
    }
  }
}

Deno.test("whatever is published in whatever order, rosters, reads and feeds agree with the model", async () => {
  await withTestApp(async (app) => {
    const people: Record<Name, Person> = {
      ada: await registerWriter(app, "ada"),
      bob: await registerWriter(app, "bob"),
      cyd: await registerWriter(app, "cyd"),
    };
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        // One application for all runs, an album for each.
        const name = `run ${runs++}`;
        const { next_after } = await readFeed(
          app,
          people.ada.token,
          "?limit=1000",
        );
        const albumId = await provisionAlbum(app, people.ada, name);
        const asset = await createAsset(app, people.ada, name, {
          albumId,
          length: 100,
        });
        const from = { ada: next_after, bob: next_after, cyd: next_after };
        const model = new Model();
        const real = new Real(app, people, albumId, asset, from);
        const looks = ["asset", "roster", "albums", "album", "poll"] as const;
        const last = looks.flatMap((kind) => NAMES.map((by) => ({ kind, by })));
        for (const step of [...steps, ...last]) {
          await takeStep(model, real, step);
        }
        // No member is left in it, so that the next run's feeds are its own.
        await publishBoth(
          model,
          real,
          {
            kind: "publish",
            by: "ada",
            delta: 1,
            epoch: 0,
            members: [],
          },
          await rosterBytes(people.ada, albumId, model.version + 1, [], {
            amk_epoch: model.epoch,
          }),
        );
      }),
      { seed: 20_261_121, numRuns: modelRuns(20) },
    );
    expectNoErrors(app);
  });
});
