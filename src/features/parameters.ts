/**
 * Path and query values that several features read.
 *
 * @module
 */
import {
  BLOB_HASH,
  type BlobHash,
  HEX_16_BYTES,
  type OpaqueId,
  parseBlobHash,
  parseOpaqueId,
  parseUuid,
  type Uuid,
} from "../core/ids.ts";
import type { Parameter } from "../http/route.ts";

/** A path value that is a canonical lowercase UUID. */
export function uuidParameter<T extends Uuid>(
  description: string,
): Parameter<T> {
  return {
    parse: (text) => parseUuid<T>(text),
    schema: { type: "string", format: "uuid" },
    description,
  };
}

/** A path value that is a content address. */
export const hashParameter: Parameter<BlobHash> = {
  parse: parseBlobHash,
  schema: { type: "string", pattern: BLOB_HASH.source },
  description: "Content address: SHA-256 in lowercase hex",
};

/** A path value that is a link's id. */
export const opaqueIdParameter: Parameter<OpaqueId> = {
  parse: parseOpaqueId,
  schema: { type: "string", pattern: HEX_16_BYTES.source },
  description: "Link id",
};

/**
 * A whole number in a query, of at least `min`. Above `max` it is clamped;
 * without one it is nonsense where JavaScript does not hold it exactly.
 */
export function wholeParameter(
  description: string,
  { min, max, preset }: {
    readonly min: number;
    readonly max?: number;
    readonly preset: number;
  },
): Parameter<number> {
  return {
    parse: (given) => {
      const value = /^\d+$/.test(given) ? Number(given) : NaN;
      if (max !== undefined && value > max) return max;
      return Number.isSafeInteger(value) && value >= min ? value : undefined;
    },
    schema: { type: "integer", minimum: min },
    description,
    absent: { value: preset },
  };
}

/** How many a page of a list has, where a client says nothing else. */
export const LIST_LIMITS = { min: 1, max: 1_000, preset: 200 } as const;

/** `true` or `false` in a query; false where it is absent. */
export function flagParameter(description: string): Parameter<boolean> {
  return {
    parse: (given) =>
      given === "true" ? true : given === "false" ? false : undefined,
    schema: { type: "boolean" },
    description,
    absent: { value: false },
  };
}
