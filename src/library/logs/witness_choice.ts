/**
 * Adding witnesses to the account's policy and taking them out of it, one by
 * one: more than half of them have to agree, or as many as the person says.
 *
 * @module
 */
import {
  formatLogPolicy,
  LogPolicyError,
  parseLogPolicy,
  type PolicyWitness,
} from "../../crypto/logs/log_policy.ts";
import { readVerifierKey, verifierKey } from "../../crypto/logs/signed_note.ts";

/**
 * A policy with one more witness. `text` is its verifier key, or the `witness`
 * line of a policy. Throws a {@link LogPolicyError}.
 */
export function policyWith(
  policy: string | undefined,
  text: string,
  { name, need }: {
    readonly name?: string | undefined;
    readonly need?: number | undefined;
  } = {},
): string {
  const words = text.trim().split(/\s+/);
  const [given, line, url] = words[0] === "witness"
    ? words.slice(1)
    : [undefined, ...words];
  const key = readVerifierKey(line ?? "");
  if (key?.type !== "cosignature") {
    throw new LogPolicyError(
      "this is no verifier key of a witness: ask its operator for the line " +
        "that `strongroom witness key` prints",
    );
  }
  // A host is what people know of the name of a key.
  const called = name ?? given ?? key.name.replace(/\/.*$/s, "");
  const others = witnessesOf(policy).filter((one) =>
    verifierKey(one.key) !== verifierKey(key)
  );
  return chosen([...others, { name: called, key, url }], need);
}

/** A policy without a witness. Throws a {@link LogPolicyError}. */
export function policyWithout(
  policy: string | undefined,
  name: string,
  need?: number,
): string {
  const before = witnessesOf(policy);
  const left = before.filter((one) => one.name !== name);
  if (left.length === before.length) {
    throw new LogPolicyError(`no witness is called ${name}`);
  }
  return chosen(left, need);
}

function witnessesOf(policy: string | undefined): readonly PolicyWitness[] {
  return policy === undefined ? [] : parseLogPolicy(policy).witnesses;
}

function chosen(
  witnesses: readonly PolicyWitness[],
  need: number | undefined,
): string {
  const most = witnesses.length;
  if (most === 0) return "";
  const text = formatLogPolicy(
    witnesses,
    need ?? Math.floor(most / 2) + 1,
  );
  // Names and numbers that no policy can have are refused here.
  parseLogPolicy(text);
  return text;
}
