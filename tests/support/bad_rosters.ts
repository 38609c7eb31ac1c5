/**
 * Rosters of a test's own making, byte by byte, each truly signed.
 *
 * @module
 */
import assert from "node:assert/strict";
import { concatBytes } from "../../src/core/bytes.ts";
import { type CborValue, encodeCanonical } from "../../src/core/cbor.ts";
import { type HybridSigner } from "../../src/crypto/hybrid.ts";
import { type TestApp } from "./app.ts";
import {
  getRoster,
  listAlbums,
  publishRoster,
  putRoster,
  withAlbum,
} from "./albums.ts";
import { expectProblem } from "./expect.ts";
import { type Person } from "./people.ts";

export const ROSTER = "service-album-roster/v1";

export type Parts = readonly (Uint8Array | number)[];

export function bytesOf(parts: Parts): Uint8Array<ArrayBuffer> {
  return concatBytes(
    ...parts.map((part) =>
      typeof part === "number" ? new Uint8Array([part]) : part
    ),
  );
}

/** An envelope around payload bytes as they are, truly signed. */
export async function signedRaw(
  signer: HybridSigner,
  payload: Uint8Array,
  domain = ROSTER,
): Promise<Uint8Array<ArrayBuffer>> {
  const signature = await signer.sign(domain, payload);
  return encodeCanonical({ payload, signature });
}

/** What of a roster stands where, encoded, in canonical order. */
export function fieldsOf(
  ada: Person,
  albumId: string,
): Record<string, Uint8Array<ArrayBuffer>> {
  const values: [string, CborValue][] = [
    ["type", ROSTER],
    ["owner", ada.userId],
    ["members", []],
    ["album_id", albumId],
    ["amk_epoch", 0],
    ["signed_at", "2026-11-21T12:00:00Z"],
    ["roster_version", 1],
  ];
  return Object.fromEntries(
    values.map(([key, value]) => [key, encodeCanonical(value)]),
  );
}

/** A map of encoded values in the order in which they are given. */
export function mapOf(
  fields: readonly (readonly [string, Uint8Array | Parts])[],
): Uint8Array<ArrayBuffer> {
  return bytesOf([
    0xa0 + fields.length,
    ...fields.flatMap(([key, value]) => [
      encodeCanonical(key),
      value instanceof Uint8Array ? value : bytesOf(value),
    ]),
  ]);
}

/**
 * Runs a test with a function that expects 422 for a roster. After the test
 * there is no roster yet, and a valid one is still accepted.
 */
export async function withRefusals(
  test: (
    refused: (what: string, bytes: Uint8Array) => Promise<void>,
    ada: Person,
    albumId: string,
    app: TestApp,
  ) => Promise<void>,
): Promise<void> {
  await withAlbum(async (app, ada, _bob, albumId) => {
    const refused = async (what: string, bytes: Uint8Array) => {
      const response = await putRoster(app, ada, albumId, bytes);
      assert.equal(response.status, 422, `${what}: ${response.status}`);
      await expectProblem(response, "error.roster.invalid");
    };
    await test(refused, ada, albumId, app);
    await expectProblem(
      await getRoster(app, ada, albumId),
      "error.roster.not_found",
    );
    assert.equal((await listAlbums(app, ada))[albumId].roster_version, 0);
    await publishRoster(app, ada, albumId, 1, []);
  });
}
