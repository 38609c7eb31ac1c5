import { z } from "zod";
import { presentedAddress } from "../accounts/wire.ts";
import type { UserId } from "../../core/ids.ts";
import { integer, text, uuid } from "../wire.ts";

/** The user whom a request asks for. */
export type Wanted =
  | { readonly by: "address"; readonly address: string }
  | { readonly by: "handle"; readonly handle: string }
  | { readonly by: "id"; readonly userId: UserId };

const EXACTLY_ONE = "exactly one of address, handle and user_id is wanted";

/** Of any form: what nobody can be called is not found. */
export const LookupRequest = z.strictObject({
  address: presentedAddress
    // Normalising leaves a lone surrogate where it is.
    .refine((given) => given.isWellFormed(), "Unicode text is wanted")
    .optional(),
  handle: z.string().optional(),
  user_id: uuid<UserId>().optional(),
}).transform(({ address, handle, user_id: userId }, context): Wanted => {
  const given: Wanted[] = [
    ...address === undefined ? [] : [{ by: "address", address } as const],
    ...handle === undefined ? [] : [{ by: "handle", handle } as const],
    ...userId === undefined ? [] : [{ by: "id", userId } as const],
  ];
  const [wanted, ...others] = given;
  if (wanted !== undefined && others.length === 0) return wanted;
  for (const path of ["address", "handle", "user_id"]) {
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
