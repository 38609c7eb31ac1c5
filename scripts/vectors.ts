/**
 * Writes `tests/vectors/*.json` out of fixed seeds and portable code:
 * `deno task vectors`. (`cbor.json` is written by hand.) The files are the contract: a change in them is a
 * change of format, and needs a new version of what it touches.
 * `vectors/reader.py` reads them all, and has nothing of this program.
 *
 * @module
 */
import { abroadVectors } from "./vectors/abroad.ts";
import { albumVectors } from "./vectors/albums.ts";
import { documentVectors } from "./vectors/documents.ts";
import { enrollmentVectors } from "./vectors/enrollment.ts";
import {
  fileKeyVectors,
  hybridVectors,
  identityVectors,
  streamVectors,
} from "./vectors/keys.ts";
import { logVectors } from "./vectors/logs.ts";
import { recoveryVectors } from "./vectors/recovery.ts";
import { refusalVectors } from "./vectors/refusals.ts";
import { rememberedVectors } from "./vectors/remembered.ts";
import { receiptVectors, shareVectors } from "./vectors/shares.ts";
import { safetyVectors, stateVectors } from "./vectors/state.ts";
import { storyVectors } from "./vectors/story.ts";
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
    refusals: await refusalVectors(),
    remembered: rememberedVectors(),
    story: await storyVectors(),
    logs: await logVectors(),
    abroad: await abroadVectors(),
  };
}

if (import.meta.main) {
  for (const [name, content] of Object.entries(await buildVectors())) {
    const url = new URL(`../tests/vectors/${name}.json`, import.meta.url);
    await Deno.writeTextFile(url, `${JSON.stringify(content, null, 2)}\n`);
  }
}
