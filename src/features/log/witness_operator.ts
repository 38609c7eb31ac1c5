/**
 * Which witnesses are asked to cosign this server's logs, and what they said
 * (protocol/logs.md#witnesses-of-this-server).
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { readVerifierKey } from "../../crypto/logs/signed_note.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { type Life, originOf } from "./life.ts";
import { LOG_NAMES } from "./store.ts";
import {
  type CosignatureRow,
  cosignaturesOfLogs,
  deleteWitness,
  listWitnesses,
  putWitness,
  type WitnessRow,
} from "./witness_store.ts";

/** Witnesses that are asked at most. */
const MAX_WITNESSES = 16;

/**
 * Has a witness asked from now on. Throws an {@link OperatorFault} for what is
 * no address or no key of a witness, and for one too many.
 */
export async function addWitness(
  db: Db,
  url: string,
  verifierKey: string,
  now: number,
): Promise<"added" | "moved" | "unchanged"> {
  const address = parseAddress(url);
  if (address === undefined) {
    throw new OperatorFault(
      `${JSON.stringify(url)} is not the address of a witness: use what ` +
        "`strongroom witness key` prints there, such as " +
        "https://photos.example/witness",
    );
  }
  if (readVerifierKey(verifierKey)?.type !== "cosignature") {
    throw new OperatorFault(
      "the second argument is not an Ed25519 verifier key of a witness: " +
        "ask its operator for what `strongroom witness key` prints",
    );
  }
  const row = { verifier_key: verifierKey, url: address, added_at: now };
  const outcome = await putWitness(db, row, MAX_WITNESSES);
  if (outcome !== "full") return outcome;
  throw new OperatorFault(
    `${MAX_WITNESSES} witnesses are already asked: remove one with ` +
      "strongroom log witness rm",
  );
}

/** An address without a slash at its end. */
function parseAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.search !== "" || url.hash !== "" || url.username !== "") {
    return undefined;
  }
  return url.href.replace(/\/+$/, "");
}

/**
 * Takes away a witness by its address, its name or its key; returns its name.
 * Throws an {@link OperatorFault} unless exactly one is meant.
 */
export async function removeWitness(db: Db, which: string): Promise<string> {
  const address = parseAddress(which);
  const found = (await listWitnesses(db)).filter(({ url, verifier_key }) =>
    url === address || verifier_key === which ||
    nameOfWitness(verifier_key) === which
  );
  const [one] = found;
  if (one === undefined || found.length > 1) {
    throw new OperatorFault(
      `${found.length === 0 ? "no witness" : "more than one witness"} is ` +
        `${JSON.stringify(which)}: give the key that \`strongroom log ` +
        "witness ls` prints",
    );
  }
  await deleteWitness(db, one.verifier_key);
  return nameOfWitness(one.verifier_key);
}

/** The name of a witness, in front of its key. */
export function nameOfWitness(verifierKey: string): string {
  return verifierKey.slice(0, verifierKey.indexOf("+"));
}

/** What a witness said of one of this server's logs. */
export interface WitnessStatus {
  readonly witness: WitnessRow;
  readonly origin: string;
  /** Undefined where it was not asked yet. */
  readonly said: CosignatureRow | undefined;
}

/** Every witness with each log of a life. */
export async function witnessStatus(
  db: Db,
  life: Life,
): Promise<WitnessStatus[]> {
  const origins = LOG_NAMES.map((name) => originOf(life, name));
  const said = await cosignaturesOfLogs(db, origins);
  return (await listWitnesses(db)).flatMap((witness) =>
    origins.map((origin) => ({
      witness,
      origin,
      said: said.find((one) =>
        one.origin === origin && one.verifier_key === witness.verifier_key
      ),
    }))
  );
}
