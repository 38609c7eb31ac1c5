/**
 * Who may register without an invitation (protocol/authentication.md#accounts).
 *
 * @module
 */

export interface Registration {
  /** As a page is told. */
  readonly kind: "open" | "invited" | "domains";
  /** Whether an address may register. */
  readonly admits: (address: string) => boolean;
}

/** Registration as it is configured: a set is of mail domains. */
export function registrationOf(
  allowed: "open" | "closed" | ReadonlySet<string>,
): Registration {
  if (allowed === "open") return { kind: "open", admits: () => true };
  if (allowed === "closed") return { kind: "invited", admits: () => false };
  return {
    kind: "domains",
    admits: (address) => allowed.has(address.slice(address.indexOf("@") + 1)),
  };
}
