/**
 * Plays one sequence of the storage model's operations against the
 * application, and compares each answer with the model.
 *
 * @module
 */
import assert from "node:assert/strict";
import { OperatorFault } from "../../src/core/operator.ts";
import {
  holdAsset,
  reinstateAsset,
  releaseAsset,
  takeDownAsset,
} from "../../src/features/moderation/operator.ts";
import { type TestApp } from "../support/app.ts";
import { expectCounted } from "../support/check.ts";
import { expectJson } from "../support/expect.ts";
import {
  createUpload,
  hashOf,
  type Person,
  putBytes,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import {
  expectBytes,
  readBlob,
  refreshed,
  sendManifest,
} from "../support/api.ts";
import {
  collect,
  countersOf,
  DAY,
  emptyTrash,
  filesIn,
  sendDelete,
  sendPurge,
  sendRestore,
} from "../support/trash.ts";
import {
  CONTENTS,
  type Decree,
  isThere,
  MANIFEST,
  Model,
  type Operation,
} from "./storage_model.ts";

/** One sequence: the application, the model, and the outcomes seen. */
export class Run {
  readonly model = new Model();
  #manifests = 0;

  constructor(
    readonly app: TestApp,
    readonly people: Person[],
    readonly seen: Set<string>,
  ) {}

  /** Plays an operation, after which the counters are what the tables say. */
  async play(one: Operation): Promise<void> {
    await this.#play(one);
    await expectCounted(this.app);
  }

  async #play(one: Operation): Promise<void> {
    const { app, model } = this;
    const { now } = app.clock;
    model.expire(now);
    switch (one.kind) {
      case "advance":
        return await this.advance(one.ms);
      case "collect":
        return await this.collect();
      case "copy":
        return await this.copy(one.who, one.asset, one.content);
      case "purge":
        return await this.purge(one.who, one.asset);
      case "empty":
        return await this.empty(one.who);
      case "open":
        return await this.open(one.who, one.asset, one.content);
      case "upload":
        return await this.upload(one.who, one.asset, one.content);
      case "create":
      case "replace":
        return await this.apply(one);
      case "hold":
      case "release":
      case "take down":
      case "reinstate":
        return await this.decree(one.kind, one.who, one.asset);
      case "delete":
      case "restore": {
        const shelf = model.shelf(one.who, one.asset);
        const send = one.kind === "delete" ? sendDelete : sendRestore;
        const { person, assetId } = this.place(one.who, one.asset);
        const answer = await send(app, person, assetId);
        const found = isThere(shelf) && !shelf.withheld;
        const from = one.kind === "delete" ? "live" : "deleted";
        const kept = one.kind === "delete" && shelf.held;
        const changes = found && shelf.state === from;
        const status = !found ? 404 : changes && kept ? 409 : 200;
        await this.expect(one.kind, answer, status);
        if (!changes || kept) return;
        shelf.state = one.kind === "delete" ? "deleted" : "live";
        shelf.deletedAt = now;
        shelf.touched = now;
      }
    }
  }

  /** Takes a content of the account's other asset. */
  async copy(who: number, asset: number, content: number): Promise<void> {
    if (await this.takesNone(who, asset, content)) return;
    const { app, model } = this;
    const [shelf, source] = [
      model.shelf(who, asset),
      model.shelf(who, 1 - asset),
    ];
    const { person, assetId } = this.place(who, asset);
    const bytes = this.bytes(content);
    const answer = await app.send("POST", "/v1/upload", {
      token: person.token,
      json: uploadRequest(person, bytes, {
        fileId: assetId,
        request: { copies: this.place(who, 1 - asset).assetId },
      }),
    });
    const holds = shelf.unapplied.has(content) || shelf.original === content;
    const status = shelf.finalized.has(content) && holds
      ? 200
      : !isThere(source) || source.withheld
      ? 404
      : source.original !== content || shelf.state === "deleted" ||
          shelf.state === "gone"
      ? 422
      : 201;
    await this.expect("copy", answer, status);
    if (status !== 201) return;
    const { now } = app.clock;
    shelf.open.delete(content);
    shelf.finalized.set(content, now + DAY);
    if (holds) return;
    shelf.unapplied.set(content, now);
    shelf.touched = now;
  }

  /** Ends one for good. */
  async purge(who: number, asset: number): Promise<void> {
    const shelf = this.model.shelf(who, asset);
    const { person, assetId } = this.place(who, asset);
    const answer = await sendPurge(this.app, person, assetId);
    const found = isThere(shelf) && !shelf.withheld;
    const status = !found
      ? 404
      : shelf.state === "live" || shelf.held
      ? 409
      : 204;
    await this.expect("purge", answer, status);
    if (status === 204) this.model.end(shelf);
  }

  /** Ends all that may end. */
  async empty(who: number): Promise<void> {
    const { person } = this.place(who, 0);
    const due = [...this.model.of(who)].filter((shelf) =>
      shelf.state === "deleted" && !shelf.held && !shelf.withheld
    );
    const bytes = due.reduce((sum, shelf) => sum + this.model.bytes(shelf), 0);
    for (const shelf of due) this.model.end(shelf);
    const emptied = await emptyTrash(this.app, person);
    assert.deepEqual(emptied, { assets: due.length, bytes });
    this.seen.add(due.length > 0 ? "empty some" : "empty none");
  }

  /** The operator's decision; one that changes nothing is refused. */
  async decree(kind: Decree, who: number, asset: number): Promise<void> {
    const shelf = this.model.shelf(who, asset);
    if (!isThere(shelf)) return;
    const { assetId } = this.place(who, asset);
    const [act, changes] = {
      hold: [holdAsset, !shelf.held] as const,
      release: [releaseAsset, shelf.held] as const,
      "take down": [takeDownAsset, !shelf.withheld] as const,
      reinstate: [reinstateAsset, shelf.withheld] as const,
    }[kind];
    const done = await act(this.app.app.db, assetId, {
      now: this.app.clock.now,
    }).then(() => true, (fault) => {
      assert(fault instanceof OperatorFault, String(fault));
      return false;
    });
    assert.equal(done, changes, kind);
    this.seen.add(`${kind} ${done}`);
    if (kind === "hold" || kind === "release") shelf.held = kind === "hold";
    else shelf.withheld = kind === "take down";
  }

  /** Whether the asset is taken down, and then that it takes no upload. */
  async takesNone(who: number, asset: number, content: number) {
    if (!this.model.shelf(who, asset).withheld) return false;
    const { person, assetId } = this.place(who, asset);
    const request = uploadRequest(person, this.bytes(content), {
      fileId: assetId,
    });
    const { token } = person;
    const answer = await this.app.send("POST", "/v1/upload", {
      token,
      json: request,
    });
    await this.expect("upload", answer, 422);
    return true;
  }

  async advance(ms: number): Promise<void> {
    const { app, people } = this;
    app.clock.advance(ms);
    for (const [index, person] of people.entries()) {
      people[index] = await refreshed(app, person);
    }
  }

  /** Each account has its own ids: of others' the stories tell. */
  place(who: number, asset: number) {
    const person = this.people[who];
    if (person === undefined) throw new Error(`no account ${who}`);
    return { person, assetId: uuidOf(`model ${who} ${asset}`) };
  }

  bytes(content: number): Uint8Array<ArrayBuffer> {
    return CONTENTS[content] ?? new Uint8Array();
  }

  /** Opens a session and leaves it open. */
  async open(who: number, asset: number, content: number): Promise<void> {
    if (await this.takesNone(who, asset, content)) return;
    const shelf = this.model.shelf(who, asset);
    const holds = shelf.unapplied.has(content) || shelf.original === content;
    if (shelf.open.has(content) || holds) return;
    const { person, assetId } = this.place(who, asset);
    await createUpload(this.app, person, this.bytes(content), {
      fileId: assetId,
    });
    this.seen.add("open");
    shelf.finalized.delete(content);
    shelf.open.set(content, this.app.clock.now + DAY);
  }

  /** Uploads a content and finalizes it, through a session that is there. */
  async upload(who: number, asset: number, content: number): Promise<void> {
    if (await this.takesNone(who, asset, content)) return;
    const { app, model } = this;
    const shelf = model.shelf(who, asset);
    const { person, assetId } = this.place(who, asset);
    const bytes = this.bytes(content);
    const answer = await app.send("POST", "/v1/upload", {
      token: person.token,
      json: uploadRequest(person, bytes, { fileId: assetId }),
    });
    const holds = shelf.unapplied.has(content) || shelf.original === content;
    const known = shelf.open.has(content) ||
      shelf.finalized.has(content) && holds;
    const { upload_id, state } = JSON.parse(
      await this.expect("upload", answer, known ? 200 : 201),
    );
    assert.equal(
      state,
      known && !shelf.open.has(content) ? "finalized" : "open",
    );
    const put = await putBytes(app, person, upload_id, bytes);
    await this.expect("put", put, 200);
    if (state === "finalized") return;
    shelf.open.delete(content);
    shelf.finalized.set(content, app.clock.now + DAY);
    // Held already, from a session that was purged: nothing new is held.
    if (holds) return;
    shelf.unapplied.set(content, app.clock.now);
    shelf.touched = app.clock.now;
  }

  async apply(one: Operation & { content: number }): Promise<void> {
    const { app, model } = this;
    if (one.kind !== "create" && one.kind !== "replace") return;
    if (await this.takesNone(one.who, one.asset, one.content)) return;
    const shelf = model.shelf(one.who, one.asset);
    const { person, assetId } = this.place(one.who, one.asset);
    const head = shelf.manifests.at(-1);
    const manifest = new TextEncoder().encode(
      String(this.#manifests++).padStart(MANIFEST),
    );
    const answer = await sendManifest(app, person, assetId, manifest, {
      action: one.kind,
      original: this.bytes(one.content),
      ...(one.kind === "replace" ? { prior: hashOf(head ?? "none") } : {}),
    });
    const holds = shelf.unapplied.has(one.content) ||
      shelf.original === one.content;
    const wanted = one.kind === "create" ? "pending" : "live";
    const status = shelf.state !== wanted ? 409 : holds ? 200 : 422;
    await this.expect(one.kind, answer, status);
    const now = app.clock.now;
    if (status !== 200) {
      // The refused manifest's bytes stay in their session.
      return await this.cancelManifests(person);
    }
    // A hold keeps what is replaced.
    if (shelf.held && shelf.original !== undefined) {
      shelf.unapplied.set(shelf.original, now);
    }
    shelf.state = "live";
    shelf.original = one.content;
    shelf.unapplied.delete(one.content);
    shelf.manifests.push(manifest);
    shelf.touched = now;
    // Its own session counts as activity for as long as any other.
    shelf.finalized.set(-this.#manifests, now + DAY);
  }

  /** Cancels the sessions of manifests that were refused. */
  async cancelManifests(person: Person): Promise<void> {
    const open = await this.app.app.db.selectFrom("upload")
      .select("upload_id")
      .where("blob_role", "=", "provenance")
      .where("state", "=", "open")
      .execute();
    for (const { upload_id } of open) {
      await this.app.send("DELETE", `/v1/upload/${upload_id}`, {
        token: person.token,
      });
    }
  }

  async collect(): Promise<void> {
    const { app, model } = this;
    const { failed } = await collect(app, { walk: false });
    assert.equal(failed, 0);
    model.collect(app.clock.now);
    this.seen.add("collect");
    // Nothing that is held is missing, nothing else takes room.
    const files = [...(await filesIn(app, "blobs")).keys()];
    const expected = model.held();
    for (const shelf of model.shelves.values()) {
      for (const content of shelf.open.keys()) {
        // What a session expects stays where it is, if it is there.
        const hash = hashOf(this.bytes(content));
        if (files.includes(hash)) expected.add(hash);
      }
    }
    assert.deepEqual(files.toSorted(), [...expected].toSorted());
    for (const [who, person] of this.people.entries()) {
      assert.deepEqual(await countersOf(app, person), model.counters(who));
      const { assets, blobs } = await expectJson(
        await app.send("GET", "/v1/storage/usage", { token: person.token }),
        200,
      );
      assert.deepEqual({ assets, blobs }, model.counts(who));
    }
  }

  /** What everybody can read. */
  async compareReads(): Promise<void> {
    const { app, model, people } = this;
    model.expire(app.clock.now);
    for (const [who, person] of people.entries()) {
      for (const asset of [0, 1]) {
        const shelf = model.shelf(who, asset);
        const there = isThere(shelf) && !shelf.withheld;
        for (const content of CONTENTS.keys()) {
          const readable = there && shelf.original === content;
          await this.read(person, who, asset, this.bytes(content), readable);
        }
        for (const manifest of shelf.manifests) {
          await this.read(person, who, asset, manifest, there);
        }
        const other = people[1 - who];
        if (other === undefined) continue;
        const first = shelf.manifests[0] ?? this.bytes(0);
        await this.read(other, who, asset, first, false);
      }
    }
  }

  async read(
    reader: Person,
    who: number,
    asset: number,
    bytes: Uint8Array,
    readable: boolean,
  ): Promise<void> {
    const { assetId } = this.place(who, asset);
    const answer = await readBlob(this.app, reader, assetId, hashOf(bytes));
    this.seen.add(`read ${answer.status}`);
    assert.equal(answer.status, readable ? 200 : 404);
    const body = await answer.arrayBuffer();
    if (readable) expectBytes(body, bytes);
  }

  /** Expects a status and notes that this outcome was seen. */
  async expect(what: string, answer: Response, status: number) {
    const text = await answer.text();
    assert.equal(answer.status, status, `${what}: ${text}`);
    this.seen.add(`${what} ${status}`);
    return text;
  }
}
