/**
 * The value by which a server groups the sessions of one device
 * (protocol/authentication.md#cohorts).
 *
 * @module
 */
import { encodeCanonical } from "../../core/cbor.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { DevicePlatform } from "./directory.ts";

const LABEL = "service-device-cohort/v1";
const PRIMARY_ID = /^[\x20-\x7e]{1,128}$/;

/**
 * The `cohort_hash` of a sign-in, in hex.
 *
 * @param primaryId a stable id of the device, 1 to 128 printable ASCII characters
 * @throws {RangeError} `primaryId` has another form
 */
export function cohortHash(
  userId: string,
  platform: DevicePlatform,
  primaryId: string,
): string {
  if (!PRIMARY_ID.test(primaryId)) {
    throw new RangeError("a device's id has 1 to 128 printable characters");
  }
  return sha256Hex(encodeCanonical([LABEL, userId, platform, primaryId]));
}
