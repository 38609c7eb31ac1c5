/**
 * Lifecycle writes by two authors in random order, against a model of a few
 * lines: both must agree on every answer
 * (protocol/manifests.md#applying-a-manifest).
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  opRequest,
  provisionAlbum,
  publishRoster,
  sendOp,
} from "../support/albums.ts";
import type { TestApp } from "../support/app.ts";
import type { Json } from "../support/expect.ts";
import {
  ciphertext,
  hashOf,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { withFaultlessApp } from "../support/api.ts";
import { modelRuns } from "../support/models.ts";

const ORIGINALS = ["first", "second", "never sent"].map((name) =>
  ciphertext(`original ${name}`, 100)
);

/** One write; numbers choose among few, so that they meet again. */
const writes = fc.array(
  fc.record({
    author: fc.constantFrom(0, 1),
    asset: fc.constantFrom(0, 1),
    action: fc.constantFrom("create" as const, "replace" as const),
    prior: fc.constantFrom("right", "right", "none", "stale", "junk"),
    original: fc.constantFrom(0, 0, 1, 1, 2),
    manifest: fc.nat({ max: 3 }),
  }),
  { minLength: 15, maxLength: 35, size: "max" },
);
type Write = typeof writes extends fc.Arbitrary<(infer T)[]> ? T : never;

interface Chain {
  readonly author: number;
  /** Manifest hashes in the order in which they were applied. */
  readonly applied: Map<string, { action: string; syncSeq: number }>;
  original: number;
}

/** What the specification answers. */
class Model {
  readonly #chains = new Map<number, Chain>();
  readonly #held = new Map<string, Set<number>>();

  /** The prior that a write means. */
  prior({ asset, prior }: Write): string | null {
    const applied = [...this.#chains.get(asset)?.applied.keys() ?? []];
    switch (prior) {
      case "right":
        return applied.at(-1) ?? null;
      case "stale":
        return applied.at(-2) ?? null;
      case "junk":
        return hashOf("junk");
      default:
        return null;
    }
  }

  /** The answer to a write; `syncSeq` is what an application was given. */
  apply(write: Write, hash: string, syncSeq: number): Json {
    const { author, asset, action, original } = write;
    const chain = this.#chains.get(asset);
    const prior = this.prior(write);
    if (chain !== undefined && chain.author !== author) {
      return { code: "error.manifest.mismatch" };
    }
    const before = chain?.applied.get(hash);
    if (before !== undefined) {
      return {
        action: before.action,
        sync_seq: before.syncSeq,
        replayed: true,
      };
    }
    const head = [...chain?.applied.keys() ?? []].at(-1) ?? null;
    if ((action === "create") !== (head === null) || prior !== head) {
      return { code: "error.asset.stale_revival", chain_head: head };
    }
    const held = this.#heldBy(author, asset);
    if (!held.has(original)) return { code: "error.manifest.blob_missing" };
    // A replaced original is gone.
    if (chain !== undefined && chain.original !== original) {
      held.delete(chain.original);
    }
    const next = chain ?? { author, applied: new Map(), original };
    next.original = original;
    next.applied.set(hash, { action, syncSeq });
    this.#chains.set(asset, next);
    return { action, sync_seq: syncSeq, replayed: false };
  }

  #heldBy(author: number, asset: number): Set<number> {
    const key = `${author} ${asset}`;
    const held = this.#held.get(key) ?? new Set([0, 1]);
    this.#held.set(key, held);
    return held;
  }
}

/** What an answer says that the model knows too. */
async function seen(response: Response): Promise<Json> {
  const { code, chain_head, action, sync_seq, replayed } = await response
    .json();
  if (response.status === 200) return { action, sync_seq, replayed };
  return code === "error.asset.stale_revival" ? { code, chain_head } : { code };
}

/** An album of this run, both originals uploaded by both for both assets. */
async function prepare(app: TestApp, run: number, authors: readonly Person[]) {
  const [ada, bob] = authors;
  assert(ada !== undefined && bob !== undefined);
  const albumId = await provisionAlbum(app, ada, `run ${run}`);
  const member = { member: bob.userId, role: "contributor" };
  await publishRoster(app, ada, albumId, 1, [member]);
  const assets = [0, 1].map((n) => uuidOf(`run ${run} asset ${n}`));
  for (const author of authors) {
    for (const fileId of assets) {
      for (const bytes of ORIGINALS.slice(0, 2)) {
        await uploadBlob(app, author, bytes, { fileId, albumId });
      }
    }
  }
  return { albumId, assets };
}

Deno.test("lifecycle writes in any order answer as the model does", async () => {
  await withFaultlessApp(async (app) => {
    const authors = [
      await registerWriter(app, "ada"),
      await registerWriter(app, "bob"),
    ];
    let run = 0;
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(writes, async (sequence) => {
        const { albumId, assets } = await prepare(app, run++, authors);
        const model = new Model();
        for (const write of sequence) {
          const author = authors[write.author];
          const assetId = assets[write.asset];
          const original = ORIGINALS[write.original];
          assert(author && assetId && original);
          const manifest = ciphertext(`manifest ${write.manifest}`, 40);
          const request = opRequest(author, albumId, assetId, manifest, {
            action: write.action,
            original,
            envelope: { prior_provenance_hash: model.prior(write) },
          });
          const answer = await seen(
            await sendOp(app, author, albumId, request),
          );
          const { sync_seq } = answer;
          const expected = model.apply(write, hashOf(manifest), sync_seq);
          assert.deepEqual(answer, expected, JSON.stringify(write));
          kinds.add(answer.code ?? `${answer.action} ${answer.replayed}`);
        }
      }),
      { seed: 7, numRuns: modelRuns(12), endOnFailure: true },
    );
    // Every kind of answer was met.
    assert.deepEqual([...kinds].toSorted(), [
      "create false",
      "create true",
      "error.asset.stale_revival",
      "error.manifest.blob_missing",
      "error.manifest.mismatch",
      "replace false",
      "replace true",
    ]);
  });
});
