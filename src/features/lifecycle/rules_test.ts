import assert from "node:assert/strict";
import { type BlobHash, isBlobHash } from "../../core/ids.ts";
import {
  type ChainFacts,
  decideManifest,
  type Decision,
  type ManifestClaims,
} from "./rules.ts";

function hash(digit: string): BlobHash {
  const text = digit.repeat(64);
  assert.ok(isBlobHash(text));
  return text;
}

const [original, newer, metadata, head, other] = [
  hash("0"),
  hash("1"),
  hash("2"),
  hash("3"),
  hash("4"),
];

const PENDING: ChainFacts = {
  asset: undefined,
  originals: [original, newer],
  metadata: [metadata],
};
const LIVE: ChainFacts = {
  ...PENDING,
  asset: { state: "live", chainHead: head },
};
const DELETED: ChainFacts = {
  ...PENDING,
  asset: { state: "deleted", chainHead: head },
};
const WITHHELD: ChainFacts = {
  ...PENDING,
  asset: { state: "withheld", chainHead: head },
};
const CREATE: ManifestClaims = {
  action: "create",
  priorHash: null,
  originalHash: original,
  metadataHash: metadata,
};
const REPLACE: ManifestClaims = {
  ...CREATE,
  action: "replace",
  priorHash: head,
};

const ROWS: readonly [string, ChainFacts, ManifestClaims, Decision][] = [
  [
    "a replace of a withheld asset finds no chain",
    WITHHELD,
    REPLACE,
    { kind: "chain_conflict", chainHead: null },
  ],
  [
    "a create of a withheld asset does not revive it",
    WITHHELD,
    CREATE,
    { kind: "deleted" },
  ],
  [
    "a create of a withheld asset misses what one of no asset would miss",
    { ...WITHHELD, metadata: [] },
    CREATE,
    { kind: "missing", hashes: [metadata] },
  ],
  [
    "a create of a pending asset applies",
    PENDING,
    CREATE,
    { kind: "apply", originalHash: original },
  ],
  [
    "a create that names no original takes the newest",
    PENDING,
    { ...CREATE, originalHash: null },
    { kind: "apply", originalHash: newer },
  ],
  [
    "a create without any original lacks one that it cannot name",
    { ...PENDING, originals: [] },
    { ...CREATE, originalHash: null },
    { kind: "missing", hashes: [] },
  ],
  [
    "a create names every blob that is missing",
    { ...PENDING, originals: [], metadata: [] },
    CREATE,
    { kind: "missing", hashes: [original, metadata] },
  ],
  [
    "a create of a live asset conflicts with its chain",
    LIVE,
    CREATE,
    { kind: "chain_conflict", chainHead: head },
  ],
  [
    "a create that continues something has nothing to continue",
    PENDING,
    { ...CREATE, priorHash: other },
    { kind: "chain_conflict", chainHead: null },
  ],
  ["a deleted asset is not created again", DELETED, CREATE, {
    kind: "deleted",
  }],
  ["a deleted asset is not replaced", DELETED, REPLACE, { kind: "deleted" }],
  [
    "a replace that continues the chain head applies",
    LIVE,
    { ...REPLACE, originalHash: newer },
    { kind: "apply", originalHash: newer },
  ],
  [
    "a replace of anything but the chain head conflicts",
    LIVE,
    { ...REPLACE, priorHash: other },
    { kind: "chain_conflict", chainHead: head },
  ],
  [
    "a replace of a pending asset has no chain",
    PENDING,
    REPLACE,
    { kind: "chain_conflict", chainHead: null },
  ],
  [
    "a replace needs the blobs that it names",
    LIVE,
    { ...REPLACE, originalHash: other },
    { kind: "missing", hashes: [other] },
  ],
];

for (const [sentence, facts, claims, decision] of ROWS) {
  Deno.test(`lifecycle: ${sentence}`, () => {
    assert.deepEqual(decideManifest(facts, claims), decision);
  });
}
