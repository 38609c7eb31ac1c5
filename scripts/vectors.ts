/**
 * Writes `tests/vectors/*.json` anew out of fixed seeds and portable code:
 * `deno run --allow-read --allow-write=tests/vectors scripts/vectors.ts`.
 * (`cbor.json` is written by hand, `cbor2.json` by `vectors/cbor2_vectors.py`
 * and the encoder of others. After these, `vectors/second_opinion.py` and
 * `vectors/post_quantum.py` make theirs anew with the tools of others.) The files are the
 * contract: a change in them is a change of format, and needs a new version of
 * what it touches.
 *
 * @module
 */
import { albumVectors } from "./vectors/albums.ts";
import { documentVectors } from "./vectors/documents.ts";
import { enrollmentVectors } from "./vectors/enrollment.ts";
import {
  fileKeyVectors,
  hybridVectors,
  identityVectors,
  streamVectors,
} from "./vectors/keys.ts";
import { recoveryVectors } from "./vectors/recovery.ts";
import { receiptVectors, shareVectors } from "./vectors/shares.ts";
import { safetyVectors, stateVectors } from "./vectors/state.ts";
import { successionVectors } from "./vectors/succession.ts";

/** Every generated file: its name and its content. */
export async function buildVectors(): Promise<Record<string, unknown>> {
  return {
    hybrid: await hybridVectors(),
    identity: await identityVectors(),
    stream: await streamVectors(),
    file_keys: fileKeyVectors(),
    albums: await albumVectors(),
    documents: await documentVectors(),
    enrollment: await enrollmentVectors(),
    recovery: await recoveryVectors(),
    shares: await shareVectors(),
    state: await stateVectors(),
    safety_numbers: safetyVectors(),
    succession: await successionVectors(),
    receipts: await receiptVectors(),
  };
}

if (import.meta.main) {
  for (const [name, content] of Object.entries(await buildVectors())) {
    const url = new URL(`../tests/vectors/${name}.json`, import.meta.url);
    await Deno.writeTextFile(url, `${JSON.stringify(content, null, 2)}\n`);
  }
}
