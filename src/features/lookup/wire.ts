/** @module */
import { z } from "zod";
import { presentedAddress } from "../accounts/wire.ts";
import { integer, text } from "../wire.ts";

/** The user whom a request asks for. */
export type Wanted =
  | { readonly by: "address"; readonly address: string }
  | { readonly by: "handle"; readonly handle: string };

const EXACTLY_ONE = "exactly one of address and handle is wanted";

/** Of any form: what nobody can be called is not found. */
export const LookupRequest = z.strictObject({
  address: presentedAddress
    // Normalising leaves a lone surrogate where it is.
    .refine((given) => given.isWellFormed(), "Unicode text is wanted")
    .optional(),
  handle: z.string().optional(),
}).transform(({ address, handle }, context): Wanted => {
  if (address !== undefined && handle === undefined) {
    return { by: "address", address };
  }
  if (handle !== undefined && address === undefined) {
    return { by: "handle", handle };
  }
  for (const path of ["address", "handle"]) {
    context.addIssue({ code: "custom", path: [path], message: EXACTLY_ONE });
  }
  return z.NEVER;
});

export const LookupResponse = z.strictObject({
  user_id: text,
  display_name: text.optional(),
  handle: text.optional(),
  directory_version: integer(1).optional(),
  identity_key: z.base64().optional(),
});
export type LookupResponse = z.input<typeof LookupResponse>;
