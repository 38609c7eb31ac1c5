/**
 * Random histories of everything that stores or deletes: uploads, manifests,
 * lifecycle writes, copies, healing, guests, state slots, the trash, decisions
 * of the operator, collection and deleted accounts. After every step all
 * counters say what the tables add up to, and nothing has failed. What a step
 * is to answer, other tests say.
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { sql } from "kysely";
import { OperatorFault } from "../../src/core/operator.ts";
import {
  holdAsset,
  reinstateAsset,
  releaseAsset,
  takeDownAsset,
} from "../../src/features/moderation/operator.ts";
import { provisionAlbum, publishRoster } from "../support/albums.ts";
import { opRequest, sendOp } from "../support/albums.ts";
import { refreshed } from "../support/api.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectCounted } from "../support/check.ts";
import { removePerson } from "../support/departure.ts";
import { linkRequest, postLink } from "../support/guests.ts";
import { adopt, postUpload, putGuest } from "../support/guests.ts";
import { modelRuns } from "../support/models.ts";
import {
  ciphertext,
  hashOf,
  type Person,
  putBytes,
  registerWriter,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { deleteState, putState } from "../support/state.ts";
import { collect, DAY, HOUR } from "../support/trash.ts";
import { sendDelete, sendPurge, sendRestore } from "../support/trash.ts";
import { damageBlob } from "../support/storage.ts";

const SEED = 20_261_127;
/** Fewer would not meet each outcome, which the test demands. */
const RUNS = modelRuns(120);

const CONTENTS = ["red", "green", "blue", "white"].map((name, n) =>
  ciphertext(`counted ${name}`, 10 + n)
);

const KINDS = {
  upload: 14,
  "upload a derivative": 8,
  open: 3,
  cancel: 2,
  manifest: 16,
  "lifecycle write": 8,
  copy: 4,
  heal: 8,
  lose: 5,
  delete: 10,
  restore: 6,
  purge: 9,
  empty: 1,
  hold: 5,
  release: 7,
  "take down": 3,
  reinstate: 5,
  contribute: 4,
  adopt: 4,
  decline: 2,
  "put state": 3,
  "delete state": 2,
  collect: 7,
  hours: 4,
  "a month": 1,
  "end an account": 1,
} as const;

type Kind = keyof typeof KINDS;

interface Step {
  readonly kind: Kind;
  readonly who: number;
  readonly asset: number;
  readonly content: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    ...Object.entries(KINDS).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as Kind),
    })),
  ),
  who: fc.nat(2),
  asset: fc.constantFrom(0, 0, 1, 2),
  content: fc.constantFrom(0, 0, 1, 2, 3),
});

/** One history; `seen` takes down what was refused and what was not. */
class History {
  #manifests = 0;
  #people = 0;
  /** Bytes by their hashes. */
  readonly #brought = new Map<string, Uint8Array<ArrayBuffer>>(
    CONTENTS.map((bytes) => [hashOf(bytes), bytes]),
  );
  readonly #links = new Map<string, string>();

  constructor(
    readonly app: TestApp,
    readonly people: Person[],
    readonly albumId: string,
    readonly seen: Set<string>,
  ) {}

  async play(one: Step): Promise<void> {
    const answer = await this.#play(one);
    if (answer instanceof Response) {
      const text = await answer.text();
      assert(answer.status < 500, `${one.kind}: ${text}`);
      this.seen.add(`${one.kind} ${answer.ok}`);
    } else if (answer !== undefined) this.seen.add(`${one.kind} ${answer}`);
    await expectCounted(this.app);
  }

  async #play(step: Step): Promise<Response | boolean | undefined> {
    const { app } = this;
    const person = this.#person(step.who);
    const assetId = this.#assetId(person, step.asset);
    const bytes = CONTENTS[step.content] ?? new Uint8Array();
    const { token } = person;
    switch (step.kind) {
      case "upload":
      case "upload a derivative":
        return await this.#upload(step, person, assetId, bytes);
      case "open":
        return await this.#open(person, assetId, bytes, {});
      case "cancel": {
        const one = await app.app.db.selectFrom("upload").select("upload_id")
          .where("user_id", "=", person.userId as never)
          .where("state", "=", "open")
          .executeTakeFirst();
        if (one === undefined) return;
        const path = `/v1/upload/${one.upload_id}`;
        return await app.send("DELETE", path, { token });
      }
      case "manifest":
        return await this.#manifest(
          step,
          person,
          assetId,
          await this.#original(assetId) ?? bytes,
        );
      case "lifecycle write":
        return await this.#write(
          step,
          person,
          assetId,
          await this.#original(assetId) ?? bytes,
        );
      case "copy": {
        const copies = this.#assetId(
          this.#person(step.who + step.content),
          1 - step.asset,
        );
        return await this.#open(person, assetId, bytes, { copies });
      }
      case "heal":
        return await this.#heal(person);
      case "lose": {
        const held = await app.app.db.selectFrom("small_blob")
          .innerJoin("holding", "holding.hash", "small_blob.hash")
          .select("holding.hash")
          .where("owner_id", "=", person.userId as never)
          .orderBy("holding.hash", step.content % 2 === 0 ? "asc" : "desc")
          .executeTakeFirst();
        if (held === undefined) return;
        await damageBlob(app, held.hash, "a missing file");
        return await app.app.signals.lostBlobs.look(held.hash);
      }
      case "delete": {
        const one = await this.#assetWhere(person, "state = 'live'");
        return await sendDelete(app, person, one ?? assetId);
      }
      case "restore": {
        const one = await this.#assetWhere(person, "state = 'deleted'");
        return await sendRestore(app, person, one ?? assetId);
      }
      case "purge": {
        const one = await this.#assetWhere(
          person,
          "state = 'deleted' and held_at is null and withheld_at is null",
        );
        return await sendPurge(app, person, one ?? assetId);
      }
      case "empty":
        return await app.send("DELETE", "/v1/trash", { token });
      case "hold":
      case "release":
      case "take down":
      case "reinstate":
        return await this.#decide(step.kind, person, assetId);
      case "contribute":
        return await this.#contribute(person, step);
      case "adopt":
      case "decline":
        return await this.#answer(step.kind, person, assetId);
      case "put state":
        return await putState(app, person, `slot${step.asset}`, bytes);
      case "delete state":
        return await deleteState(app, person, `slot${step.asset}`);
      case "collect":
        assert.equal((await collect(app, { walk: false })).failed, 0);
        return true;
      case "hours":
        return await this.#advance(9 * HOUR * (1 + step.content));
      case "a month":
        return await this.#advance(31 * DAY);
      case "end an account":
        return await this.#end(step.who);
    }
  }

  #person(who: number): Person {
    const person = this.people[who % this.people.length];
    if (person === undefined) throw new Error("nobody");
    return person;
  }

  #assetId({ userId }: Person, asset: number): string {
    return uuidOf(`counted ${userId} ${Math.abs(asset)}`);
  }

  /** The last asset of each is in the album, where that person may write. */
  #album(asset: number): { albumId?: string } {
    return asset === 2 ? { albumId: this.albumId } : {};
  }

  /** An asset of a person's of which an SQL condition holds. */
  async #assetWhere(
    { userId }: Person,
    condition: string,
  ): Promise<string | undefined> {
    const row = await this.app.app.db.selectFrom("asset").select("asset_id")
      .where("owner_id", "=", userId as never)
      .where(sql<boolean>`${sql.raw(condition)}`)
      .executeTakeFirst();
    return row?.asset_id;
  }

  /** Gives back something of a person's that was lost. */
  async #heal(person: Person): Promise<Response | undefined> {
    const lost = await this.app.app.db.selectFrom("lost_blob")
      .innerJoin("holding", "holding.hash", "lost_blob.hash")
      .select(["holding.hash", "asset_id", "role"])
      .where("owner_id", "=", person.userId as never)
      .executeTakeFirst();
    if (lost === undefined) return;
    const { asset_id: heals, role, hash } = lost;
    const bytes = this.#brought.get(hash);
    if (bytes === undefined) throw new Error("no one brought these bytes");
    const opened = await this.#open(person, heals, bytes, { heals }, { role });
    return await this.#bring(person, opened, bytes);
  }

  async #open(
    person: Person,
    fileId: string,
    bytes: Uint8Array,
    request: Record<string, string>,
    over: NonNullable<Parameters<typeof uploadRequest>[2]> = {},
  ): Promise<Response> {
    return await this.app.send("POST", "/v1/upload", {
      token: person.token,
      json: uploadRequest(person, bytes, { fileId, ...over, request }),
    });
  }

  /** Brings the bytes of a session, where one was opened. */
  async #bring(
    person: Person,
    opened: Response,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<Response> {
    if (!opened.ok) return opened;
    const { upload_id } = await opened.json();
    return await putBytes(this.app, person, upload_id, bytes);
  }

  async #upload(
    { kind, asset }: Step,
    person: Person,
    fileId: string,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<Response> {
    const role = kind === "upload" ? "original" : "derivative";
    const over = { role, ...this.#album(asset) };
    const opened = await this.#open(person, fileId, bytes, {}, over);
    return await this.#bring(person, opened, bytes);
  }

  async #manifest(
    { asset }: Step,
    person: Person,
    fileId: string,
    original: Uint8Array,
  ): Promise<Response> {
    const manifest = this.#made(`manifest ${this.#manifests++}`, 7);
    const head = await this.#head(fileId);
    const opened = await this.#open(person, fileId, manifest, {}, {
      role: "provenance",
      ...this.#album(asset),
      envelope: {
        original_blob_hash: hashOf(original),
        ...head === undefined
          ? { action: "create" }
          : { action: "replace", prior_provenance_hash: head },
      },
    });
    return await this.#bring(person, opened, manifest);
  }

  /** The original that came last for an asset. */
  async #original(assetId: string) {
    const row = await this.app.app.db.selectFrom("holding").select("hash")
      .where("asset_id", "=", assetId as never)
      .where("role", "=", "original")
      .orderBy("receipt_seq", "desc")
      .executeTakeFirst();
    return row && this.#brought.get(row.hash);
  }

  #made(word: string, length: number): Uint8Array<ArrayBuffer> {
    const bytes = ciphertext(word, length);
    this.#brought.set(hashOf(bytes), bytes);
    return bytes;
  }

  async #head(assetId: string): Promise<string | undefined> {
    const row = await this.app.app.db.selectFrom("asset").select("chain_head")
      .where("asset_id", "=", assetId as never).executeTakeFirst();
    return row?.chain_head;
  }

  async #write(
    { content }: Step,
    person: Person,
    assetId: string,
    original: Uint8Array,
  ): Promise<Response> {
    const manifest = this.#made(`manifest ${this.#manifests++}`, 8);
    const prior = await this.#head(assetId);
    const request = opRequest(person, this.albumId, assetId, manifest, {
      original,
      metadata: this.#made(`metadata ${content}`, 5),
      ...prior === undefined ? {} : { action: "replace" as const, prior },
    });
    return await sendOp(this.app, person, this.albumId, request);
  }

  async #decide(
    kind: "hold" | "release" | "take down" | "reinstate",
    person: Person,
    assetId: string,
  ): Promise<boolean> {
    const [act, where] = {
      hold: [holdAsset, "held_at is null"] as const,
      release: [releaseAsset, "held_at is not null"] as const,
      "take down": [takeDownAsset, "withheld_at is null"] as const,
      reinstate: [reinstateAsset, "withheld_at is not null"] as const,
    }[kind];
    const { app: { db }, clock: { now } } = this.app;
    const one = await this.#assetWhere(person, where);
    return await act(db, (one ?? assetId) as never, { now }).then(
      () => true,
      (fault) => {
        assert(fault instanceof OperatorFault, String(fault));
        return false;
      },
    );
  }

  async #contribute(
    person: Person,
    { content }: Step,
  ): Promise<Response | undefined> {
    const { app } = this;
    let link = this.#links.get(person.userId);
    if (link === undefined) {
      const json = linkRequest(`link of ${person.userId}`, {
        expires_at: new Date(app.clock.now + 20 * DAY).toISOString(),
      });
      const issued = await postLink(app, person, json);
      if (!issued.ok) return issued;
      await issued.body?.cancel();
      link = String(json.opaque_id);
      this.#links.set(person.userId, link);
    }
    const bytes = CONTENTS[content] ?? new Uint8Array();
    const opened = await postUpload(app, link, bytes);
    if (!opened.ok) {
      // It is past its time; the next one is another.
      this.#links.delete(person.userId);
      return opened;
    }
    const { upload_id } = await opened.json();
    // Some are never brought.
    if (content === 3) return;
    return await putGuest(app, link, upload_id, bytes);
  }

  async #answer(
    kind: "adopt" | "decline",
    person: Person,
    fileId: string,
  ): Promise<Response | undefined> {
    const { app } = this;
    const given = await app.app.db.selectFrom("guest_upload").selectAll()
      .where("owner_id", "=", person.userId as never)
      .where("state", "=", "finalized")
      .executeTakeFirst();
    if (given === undefined) return;
    const { opaque_id, upload_id, ciphertext_hash } = given;
    if (kind === "decline") {
      const path = `/v1/upload-links/${opaque_id}/contributions/${upload_id}`;
      return await app.send("DELETE", path, { token: person.token });
    }
    const bytes = CONTENTS.find((one) => hashOf(one) === ciphertext_hash);
    if (bytes === undefined) throw new Error("a guest brought something else");
    return await adopt(app, person, bytes, upload_id, {
      fileId,
    });
  }

  async #advance(ms: number): Promise<true> {
    this.app.clock.advance(ms);
    for (const [at, person] of this.people.entries()) {
      this.people[at] = await refreshed(this.app, person);
    }
    return true;
  }

  /** Deletes an account, unless the operator holds what it has. */
  async #end(who: number): Promise<boolean> {
    // The album stays, and with it its owner.
    const at = 1 + who % 2;
    const done = await removePerson(this.app, this.#person(at)).then(
      () => true,
      (fault) => {
        assert(fault instanceof OperatorFault, String(fault));
        return false;
      },
    );
    if (done) {
      const name = `another-${this.#people++}`;
      this.people[at] = await registerWriter(this.app, name);
    }
    return done;
  }
}

Deno.test("whatever is stored, lost, given back, adopted, deleted and collected in whatever order, every counter says what the tables add up to", async () => {
  const seen = new Set<string>();
  const play = async (app: TestApp, steps: readonly Step[]) => {
    const people = [
      await registerWriter(app, "ada"),
      await registerWriter(app, "bob"),
      await registerWriter(app, "carl"),
    ] as const;
    const [ada, bob] = people;
    const albumId = await provisionAlbum(app, ada, "counted");
    await publishRoster(app, ada, albumId, 1, [
      { member: bob.userId, role: "contributor" },
    ]);
    const history = new History(app, [...people], albumId, seen);
    for (const one of steps) await history.play(one);
  };
  const settings = { STRONGROOM_TRASH_DAYS: "7" };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 60, maxLength: 80 }),
      (steps) => withTestApp((app) => play(app, steps), { settings }),
    ),
    { seed: SEED, numRuns: RUNS, endOnFailure: true },
  );
  // The histories have been everywhere.
  const once = new Set(["collect", "hours", "a month", "lose"]);
  assert.deepEqual(
    [...seen].filter((one) => one.endsWith(" true")).toSorted(),
    Object.keys(KINDS).map((kind) => `${kind} true`).toSorted(),
  );
  for (const kind of once) assert(!seen.has(`${kind} false`));
});
