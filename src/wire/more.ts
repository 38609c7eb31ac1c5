import { z } from "zod";

/**
 * What newer programs add to a signed document. An entry that begins with `!`
 * has to be known, and this program knows none
 * (protocol/client-cryptography.md#room-to-grow).
 */
export const More = z.record(
  z.string().refine((name) => !name.startsWith("!")),
  z.unknown(),
);
