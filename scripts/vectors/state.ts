/**
 * Vectors of what a person's programs share, and of the numbers that two people
 * compare.
 *
 * @module
 */
import { toBase64, toHex } from "../../src/core/bytes.ts";
import { safetyNumber } from "../../src/client/documents/anchors.ts";
import { deriveStateKey } from "../../src/client/documents/identity.ts";
import {
  encodeState,
  LIBRARY_SLOT,
  type LibraryState,
  mergeStates,
  sealState,
} from "../../src/client/documents/state.ts";
import {
  DEVICE_ID,
  FILE_ID,
  MASTER_KEY,
  OPAQUE_ID,
  randomOf,
  secretOf,
  USER_ID,
} from "./seeds.ts";

const COLLECTION = "5d3f6b1a-0c55-4d0e-9a57-5a0f3a0c9b11";
const at = (minute: number) => `2026-10-01T12:0${minute}:00.000Z`;

/** A state, another device's, and what both come to. */
export async function stateVectors() {
  const laptop: LibraryState = {
    v: 1,
    collections: {
      [COLLECTION]: { title: "Best of", assets: [FILE_ID], at: at(1) },
    },
    flags: { [FILE_ID]: { favourite: true, hidden: false, at: at(2) } },
    pins: {
      [USER_ID]: {
        key_id: toHex(secretOf("an anchor")),
        name: "Ben",
        at: at(1),
      },
    },
    links: {
      [OPAQUE_ID]: { title: "Sommer", asset_id: DEVICE_ID, at: at(0) },
    },
    settings: { "thumbnail-size": { value: "large", at: at(3) } },
  };
  const phone: LibraryState = {
    ...laptop,
    collections: {
      [COLLECTION]: { title: "Best of 2026", assets: [], at: at(4) },
    },
    flags: {
      [FILE_ID]: { favourite: false, at: at(1) },
      [DEVICE_ID]: { hidden: true, at: at(1) },
    },
    links: {
      [OPAQUE_ID]: { title: "", removed: true, at: at(5) },
    },
  };
  const key = deriveStateKey(MASTER_KEY, LIBRARY_SLOT);
  const read = (state: LibraryState): unknown =>
    JSON.parse(new TextDecoder().decode(encodeState(state)));
  return {
    slot: LIBRARY_SLOT,
    key: toHex(key),
    json: toBase64(encodeState(laptop)),
    blob: toBase64(await sealState(laptop, key, randomOf("state"))),
    laptop: read(laptop),
    phone: read(phone),
    merged: read(mergeStates(laptop, phone)),
  };
}

/** Pairs of anchors, and their numbers. */
export function safetyVectors() {
  const names = ["ada", "ben", "cem"];
  const ids = names.map((name) => toHex(secretOf(`anchor of ${name}`)));
  const pairs = [[0, 1], [1, 2], [2, 0]] as const;
  return {
    pairs: pairs.map(([one, other]) => {
      const [first = "", second = ""] = [ids[one], ids[other]];
      return { one: first, other: second, number: safetyNumber(first, second) };
    }),
  };
}
