/**
 * Bodies of the enrollment of a device (protocol/devices.md).
 *
 * @module
 */
import { z } from "zod";
import { DIRECTIONS } from "../answers/devices.ts";
import { base64Bytes } from "./fields.ts";

const PAYLOAD_MAX_BYTES = 64 * 1024;

/** Any text: what has no code's shape is refused like a wrong code. */
export const RedeemRequest = z.strictObject({ code: z.string() });

export const RelayRequest = z.strictObject({
  direction: z.enum(DIRECTIONS),
  payload: base64Bytes(1, PAYLOAD_MAX_BYTES),
});
