/**
 * A client of a few dozen lines that follows the sync feed through whatever
 * three accounts, their guests and the operator do ends with the server's own
 * state, and has seen each entry once (protocol/feed.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  listAlbums,
  opRequest,
  provisionAlbum,
  publishRoster,
  sendOp,
} from "../support/albums.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import type { Json } from "../support/expect.ts";
import { contribute, issueLink, listContributions } from "../support/guests.ts";
import { operate } from "../support/moderation.ts";
import {
  ciphertext,
  hashOf,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { expectNoErrors, sendManifest } from "../support/api.ts";
import { assetOf, SyncClient } from "../support/sync_client.ts";
import { sendDelete, sendPurge, sendRestore } from "../support/trash.ts";
import { modelRuns } from "../support/models.ts";

const SEED = 20_261_121;
const RUNS = modelRuns(8);
const ACCOUNTS = 3;
/** How the client of each account reads. */
const READINGS = ["all", "newest", "either"] as const;

const who = fc.nat(ACCOUNTS - 1);
const pick = fc.nat(1_000);
const limit = fc.constantFrom(1, 2, 3, 7, 200);
const role = fc.constantFrom(null, "viewer", "contributor", "contributor");

const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("create"), who, pick }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("replace"), who, pick }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        ...["delete", "delete", "delete", "restore", "album", "purge"] as const,
      ),
      who,
      pick,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("takeDown", "reinstate"),
      pick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("contribute"), who }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("roster"),
      pick,
      roles: fc.tuple(role, role, role),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant("sync"),
      who,
      limit,
      pages: fc.integer({ min: 1, max: 4 }),
      lost: fc.boolean(),
      // What follows happens while it reads.
      behind: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("store", "restart"),
      who,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen") }) },
) satisfies fc.Arbitrary<Json>;

/** What a client does; the rest is done to it. */
const OF_CLIENTS = new Set(["sync", "store", "restart"]);

interface Made {
  readonly assetId: string;
  readonly author: Person;
  readonly albumId: string | undefined;
  readonly original: Uint8Array;
  head: Uint8Array;
  withheld: boolean;
  gone: boolean;
  deletedBy: Person | undefined;
}

/** Three accounts, what they have made, and their clients. */
class World {
  readonly albums: { id: string; owner: Person; version: number }[] = [];
  readonly made: Made[] = [];
  #named = 0;

  private constructor(
    public app: TestApp,
    private readonly run: number,
    readonly clients: readonly SyncClient[],
  ) {}

  static async open(app: TestApp, run: number): Promise<World> {
    const clients: SyncClient[] = [];
    for (let n = 0; n < ACCOUNTS; n++) {
      const person = await registerWriter(app, `${n}-of-${run}`);
      const link = await issueLink(app, person, person.address);
      clients.push(new SyncClient(person, link, READINGS[n]));
    }
    const world = new World(app, run, clients);
    for (const n of [0, 1]) await world.provision(world.client(n).person);
    return world;
  }

  client(n: number): SyncClient {
    const client = this.clients[n];
    assert(client !== undefined);
    return client;
  }

  async provision(owner: Person): Promise<void> {
    const id = await provisionAlbum(this.app, owner, this.#name("album"));
    this.albums.push({ id, owner, version: 0 });
  }

  /** Does one thing after the other, and reads meanwhile where it says so. */
  async live(steps: readonly Json[]): Promise<void> {
    const reading = new Map<number, Promise<void>>();
    for (const step of steps) {
      const { kind, who } = step;
      // A client does one thing at a time; a server that closes ends them all.
      if (kind === "reopen") await Promise.all(reading.values());
      else if (OF_CLIENTS.has(kind)) await reading.get(who);
      if (kind === "reopen") this.app = await this.app.reopen();
      else if (kind === "store") this.client(who).store();
      else if (kind === "restart") this.client(who).restart();
      else if (kind === "sync") {
        const pages = this.client(who).readPages(this.app, step);
        reading.set(who, pages);
        if (!step.behind) await pages;
      } else await this.perform(step);
    }
    await Promise.all(reading.values());
  }

  /** Does one thing; whether it was allowed is the server's to say. */
  async perform(step: Json): Promise<void> {
    const { kind, who, pick } = step;
    if (kind === "roster") return await this.#roster(step);
    if (kind === "album") return await this.provision(this.client(who).person);
    if (kind === "create") {
      return await this.#create(this.client(who).person, pick);
    }
    if (kind === "contribute") return await this.#contribute(who);
    if (kind === "takeDown" || kind === "reinstate") {
      return await this.#operate(kind, pick);
    }
    if (kind === "restore") return await this.#restore(pick);
    const asset = this.made[pick % this.made.length];
    if (asset === undefined) return;
    if (kind === "replace") return await this.#replace(asset);
    const { person } = this.client(who);
    if (kind === "purge") {
      // Its owner may, where it is in the trash.
      const { author, assetId } = asset;
      const purged = await sendPurge(this.app, author, assetId);
      await purged.body?.cancel();
      asset.gone ||= purged.ok;
      return;
    }
    const deleted = await sendDelete(this.app, person, asset.assetId);
    await deleted.body?.cancel();
    if (deleted.ok) asset.deletedBy ??= person;
  }

  /** Who has deleted an asset brings it back, if it may. */
  async #restore(pick: number): Promise<void> {
    const deleted = this.made.filter((one) => one.deletedBy !== undefined);
    const asset = deleted[pick % deleted.length];
    if (asset?.deletedBy === undefined) return;
    const restored = await sendRestore(
      this.app,
      asset.deletedBy,
      asset.assetId,
    );
    await restored.body?.cancel();
    if (restored.ok) asset.deletedBy = undefined;
  }

  async #contribute(who: number): Promise<void> {
    const bytes = ciphertext(this.#name("given"), 20);
    await contribute(this.app, this.client(who).link, bytes);
  }

  /** The operator's hand, on one that is not so yet. */
  async #operate(command: "takeDown" | "reinstate", pick: number) {
    const withheld = command === "takeDown";
    const others = this.made.filter((one) =>
      one.withheld !== withheld && !one.gone
    );
    const asset = others[pick % others.length];
    if (asset === undefined) return;
    await operate(this.app, command, asset.assetId);
    asset.withheld = withheld;
  }

  async #create(author: Person, chosen: number): Promise<void> {
    const { app } = this;
    const album = this.albums[chosen % (this.albums.length + 1)];
    const listed = await listAlbums(app, author);
    const albumId = album?.id;
    if (albumId !== undefined) {
      if (!["owner", "contributor"].includes(listed[albumId]?.role)) return;
    }
    const assetId = uuidOf(this.#name("asset"));
    const original = ciphertext(assetId, 30);
    const over = albumId === undefined ? {} : { albumId };
    await uploadBlob(app, author, original, { fileId: assetId, ...over });
    const head = ciphertext(this.#name("manifest"), 40);
    const made: Made = {
      assetId,
      author,
      albumId,
      original,
      head,
      withheld: false,
      gone: false,
      deletedBy: undefined,
    };
    if (await this.#apply(made, head, {})) this.made.push(made);
  }

  async #replace(asset: Made): Promise<void> {
    // One that is taken down refuses the upload itself.
    if (asset.withheld) return;
    const head = ciphertext(this.#name("manifest"), 40);
    const over = { action: "replace" as const, prior: hashOf(asset.head) };
    if (await this.#apply(asset, head, over)) asset.head = head;
  }

  /** In an album by a lifecycle write, elsewhere by an upload. */
  async #apply(
    { assetId, author, albumId, original }: Made,
    head: Uint8Array<ArrayBuffer>,
    over: { action?: "replace"; prior?: string },
  ): Promise<boolean> {
    const given = { original, ...over };
    if (albumId === undefined) {
      const sent = await sendManifest(this.app, author, assetId, head, given);
      await sent.body?.cancel();
      return sent.ok;
    }
    const request = opRequest(author, albumId, assetId, head, given);
    const sent = await sendOp(this.app, author, albumId, request);
    await sent.body?.cancel();
    return sent.ok;
  }

  async #roster(step: Json): Promise<void> {
    const album = this.albums[step.pick % this.albums.length];
    assert(album !== undefined);
    const members = this.clients.flatMap(({ person }, n) =>
      person === album.owner || step.roles[n] === null
        ? []
        : [{ member: person.userId, role: step.roles[n] }]
    );
    album.version += 1;
    const { owner, id, version } = album;
    await publishRoster(this.app, owner, id, version, members);
  }

  #name(word: string): string {
    return `${word} ${this.#named++} of run ${this.run}`;
  }

  /** Expects a client to know exactly what the server tells its account. */
  async expectAgreed({ person, memory, link, reading }: SyncClient) {
    const { app } = this;
    for (const { assetId } of this.made) {
      const known = memory.assets.get(assetId);
      const shown = known?.state === "withheld" ? undefined : known;
      const told = await assetOf(app, person, assetId);
      assert.deepEqual({ ...shown }, { ...told }, assetId);
    }
    assert.deepEqual(memory.albums, await listAlbums(app, person));
    const given = await listContributions(app, person, link);
    assert.deepEqual(memory.contributions, given);
    if (reading !== "all") return;
    // Everything of its own and of its albums, whoever did it.
    const due = await app.app.db.selectFrom("feed").select("sync_seq")
      .where((where) =>
        where.or([
          where("user_id", "=", person.userId as Json),
          where("album_owner_id", "=", person.userId as Json),
        ])
      ).execute();
    for (const { sync_seq } of due) assert(memory.seen.has(sync_seq));
  }

  async expectAllAgreed(): Promise<void> {
    for (const client of this.clients) {
      while (await client.readPage(this.app, 3));
      await this.expectAgreed(client);
      await this.#expectNewestSuffice(client);
    }
  }

  /** One that begins, and hears once of each thing, knows as much. */
  async #expectNewestSuffice({ person, link }: SyncClient): Promise<void> {
    const fresh = new SyncClient(person, link, "newest");
    while (await fresh.readPage(this.app, 3));
    await this.expectAgreed(fresh);
    const entries = await this.app.app.db.selectFrom("feed").selectAll()
      .where("sync_seq", "in", [...fresh.memory.seen]).execute();
    const subjects = entries.filter(({ action }) => action !== "contribution")
      .map(({ asset_id, album_id }) => asset_id ?? album_id);
    assert.equal(new Set(subjects).size, subjects.length);
  }
}

Deno.test("a client that follows the feed has the server's state in the end, and has seen each entry once", async () => {
  await withTestApp(async (first) => {
    let app = first;
    let run = 0;
    const met = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 40, maxLength: 70, size: "max" }),
        async (steps) => {
          const world = await World.open(app, run++);
          await world.live(steps);
          app = world.app;
          await world.expectAllAgreed();
          const told = await app.app.db.selectFrom("feed").select("action")
            .distinct().execute();
          for (const { action } of told) met.add(action);
        },
      ),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
    assert.deepEqual([...met].toSorted(), [
      "album",
      "contribution",
      "create",
      "delete",
      "purge",
      "reinstated",
      "replace",
      "restore",
      "roster",
      "withheld",
    ]);
    expectNoErrors(app);
  });
});
