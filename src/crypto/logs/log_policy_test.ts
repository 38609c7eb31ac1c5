import assert from "node:assert/strict";
import {
  formatLogPolicy,
  judgeNote,
  leastOf,
  LogPolicyError,
  parseLogPolicy,
} from "./log_policy.ts";
import { LogRange } from "./log_range.ts";
import { leafHash, rootOf } from "./merkle.ts";
import { cosign, noteKey, noteSigner, verifierKey } from "./signed_note.ts";

async function witness(name: string, seed: number) {
  const signer = await noteSigner(new Uint8Array(32).fill(seed));
  const key = noteKey(`${name}.example`, "cosignature", signer.publicKey);
  return { name, key, signer, vkey: verifierKey(key) };
}

const TEXT = "photos.example/keys/1\n1\nAAAA\n";

async function noteBy(...some: Awaited<ReturnType<typeof witness>>[]) {
  const signatures = await Promise.all(
    some.map(({ signer, key }) =>
      cosign(signer, key.name, TEXT, 1_700_000_000)
    ),
  );
  return { text: TEXT, signatures };
}

Deno.test("a quorum of groups is met as the specification of tlog-policy says", async () => {
  const x = [1, 2, 3].map((at) => witness(`X${at}`, at));
  const y = [4, 5].map((at) => witness(`Y${at}`, at));
  const [x1, x2, x3, y1, y2] = await Promise.all([...x, ...y]);
  assert(x1 && x2 && x3 && y1 && y2);
  const policy = parseLogPolicy(`
# an example
witness X1 ${x1.vkey}
\twitness X2 ${x2.vkey} https://x2.example/witness
witness X3 ${x3.vkey}
group X 2 X1 X2 X3
witness Y1 ${y1.vkey}
witness Y2 ${y2.vkey}
group Y any Y1 Y2
group both all X Y
quorum both
`);
  assert.equal(leastOf(policy), 3);
  const isMet = async (...some: typeof x1[]) =>
    (await judgeNote(policy, await noteBy(...some))).isMet;
  assert.equal(await isMet(x1, x3, y2), true);
  assert.equal(await isMet(x1, x2, x3), false);
  assert.equal(await isMet(x1, y1, y2), false);
  // A wrong cosignature counts as none, and takes the others nothing away.
  const note = await noteBy(x1, x2, y1);
  const [first, ...others] = note.signatures;
  assert(first !== undefined);
  const signature = first.signature.map((byte, at) =>
    at === 70 ? byte ^ 1 : byte
  );
  const changed = { ...note, signatures: [{ ...first, signature }, ...others] };
  const verdict = await judgeNote(policy, changed);
  assert.equal(verdict.isMet, false);
  assert.deepEqual(verdict.by.map(({ witness }) => witness.name), ["X2", "Y1"]);
});

Deno.test("a policy that is written is read again; one without witnesses wants none", async () => {
  const some = [await witness("ben", 1), await witness("carla", 2)];
  const named = some.map(({ name, key }) => ({ name, key, url: undefined }));
  const policy = parseLogPolicy(formatLogPolicy(named, 2));
  assert.deepEqual(policy.witnesses.map(({ name }) => name), ["ben", "carla"]);
  assert.equal(leastOf(policy), 2);
  assert.equal(leastOf(parseLogPolicy(formatLogPolicy([], 0))), 0);
});

Deno.test("what is no policy is refused with the number of its line", async () => {
  const { vkey } = await witness("ben", 1);
  const ben = `witness ben ${vkey}\n`;
  for (
    const [text, why] of [
      ["", /no line `quorum`/],
      [ben, /no line `quorum`/],
      [`${ben}quorum ben\nquorum ben\n`, /line 3 .*two quorums/],
      [`quorum ben\n${ben}`, /line 1 .*not defined above/],
      [`${ben}group all 1 ben ben\nquorum all`, /line 2 .*in a group already/],
      [`${ben}group g 2 ben\nquorum g`, /line 2 .*no threshold/],
      [`${ben}group g 0 ben\nquorum g`, /line 2 .*no threshold/],
      [`${ben}${ben}quorum ben`, /line 2 .*named twice/],
      [`witness none ${vkey}\nquorum none`, /line 1 .*is taken/],
      ["witness ben nonsense\nquorum ben", /line 1 .*it wants/],
      ["log nonsense\nquorum none", /line 1 .*it wants/],
      ["quorum none\r", /line 1 .*control character/],
      ["key x\nquorum none", /line 1 .*no part of a policy/],
    ] as const
  ) {
    assert.throws(() => parseLogPolicy(text), (error) => {
      assert(error instanceof LogPolicyError);
      assert.match(error.message, why);
      return true;
    });
  }
});

Deno.test("the right edge of a tree has the root of every size, from wherever it is taken up", () => {
  const leaves = Array.from(
    { length: 70 },
    (_, at) => leafHash(Uint8Array.of(at)),
  );
  const nodeOf = ({ level, index }: { level: number; index: number }) =>
    rootOf(
      2 ** level,
      () => {
        const range = new LogRange();
        const from = index * 2 ** level;
        for (const leaf of leaves.slice(from, from + 2 ** level)) {
          range.append(leaf);
        }
        return range.root();
      },
    );
  let range = new LogRange();
  for (const [at, leaf] of leaves.entries()) {
    range.append(leaf);
    assert.deepEqual(range.root(), rootOf(at + 1, nodeOf));
    range = new LogRange(range.size, range.hashes);
  }
});
