/**
 * Whose cosignatures make a checkpoint believed: C2SP tlog-policy, within
 * limits of our own (protocol/logs.md#whom-a-client-believes).
 *
 * @module
 */
import { equalBytes, utf8 } from "../../core/bytes.ts";
import {
  type NoteKey,
  readVerifierKey,
  type SignedNote,
  verifierKey,
  verifyNote,
} from "./signed_note.ts";

/** Witnesses that a policy names at most. */
const MAX_POLICY_WITNESSES = 16;
/** Logs and groups that it names at most. */
const MAX_OTHERS = 32;
/** The longest text of a policy (bytes). */
export const MAX_POLICY_BYTES: number = 64 * 1024;

/** A witness that a policy names. */
export interface PolicyWitness {
  readonly name: string;
  readonly key: NoteKey;
  readonly url: string | undefined;
}

/** Who has to have cosigned. */
type Rule =
  | { readonly kind: "none" }
  | { readonly kind: "witness"; readonly witness: PolicyWitness }
  | {
    readonly kind: "group";
    readonly threshold: number;
    readonly members: readonly Rule[];
  };

/** A policy that was read. */
export interface LogPolicy {
  /** Verifier keys of logs; none where the logs are known otherwise. */
  readonly logs: readonly NoteKey[];
  readonly witnesses: readonly PolicyWitness[];
  readonly quorum: Rule;
}

/** A text is no policy; the message names the line, for people. */
export class LogPolicyError extends Error {
  override readonly name = "LogPolicyError";
}

// The specification allows tabs, line feeds and what is printed.
// deno-lint-ignore no-control-regex
const FORBIDDEN = /[\x00-\x08\x0b-\x1f\x7f]/;

/** Reads a policy. Throws {@link LogPolicyError}. */
export function parseLogPolicy(text: string): LogPolicy {
  if (utf8(text).length > MAX_POLICY_BYTES) {
    throw new LogPolicyError("a policy has at most 64 KiB");
  }
  const logs: NoteKey[] = [];
  const witnesses: PolicyWitness[] = [];
  const rules = new Map<string, Rule>();
  const members = new Set<string>();
  let groups = 0;
  let quorum: Rule | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    const refuse: (why: string) => never = (why) => {
      throw new LogPolicyError(`line ${at + 1} of the policy: ${why}`);
    };
    if (FORBIDDEN.test(line)) refuse("it has a control character");
    const [word, ...rest] = line.split(/[ \t]+/).filter((part) => part !== "");
    if (word === undefined || word.startsWith("#")) continue;
    const define = (name: string, rule: Rule) => {
      if (name === "none" || rules.has(name)) {
        refuse(`the name ${name} is taken`);
      }
      rules.set(name, rule);
    };
    const named = (name: string): Rule =>
      rules.get(name) ?? refuse(`${name} is not defined above`);
    switch (word) {
      case "log": {
        const key = readVerifierKey(rest[0] ?? "");
        if (rest.length < 1 || rest.length > 2 || key?.type !== "ed25519") {
          return refuse("it wants `log <verifier key> [<url>]`");
        }
        // One server signs both its logs with one key.
        if (logs.some(({ name, id }) => name === key.name && id === key.id)) {
          refuse("this log is named twice");
        }
        if (logs.push(key) > MAX_OTHERS) refuse("there are too many logs");
        break;
      }
      case "witness": {
        const [name = "", text = "", url] = rest;
        const key = readVerifierKey(text);
        if (rest.length < 2 || rest.length > 3 || key === undefined) {
          return refuse("it wants `witness <name> <verifier key> [<url>]`");
        }
        if (key.type !== "cosignature") {
          return refuse("this is the key of a log, and not that of a witness");
        }
        if (
          witnesses.some((one) => equalBytes(one.key.publicKey, key.publicKey))
        ) refuse("this witness is named twice");
        const witness = { name, key, url };
        define(name, { kind: "witness", witness });
        if (witnesses.push(witness) > MAX_POLICY_WITNESSES) {
          refuse(`a policy names at most ${MAX_POLICY_WITNESSES} witnesses`);
        }
        break;
      }
      case "group": {
        const [name = "", count = "", ...names] = rest;
        if (names.length === 0) {
          refuse("it wants `group <name> <all|any|number> <name>…`");
        }
        if (++groups > MAX_OTHERS) refuse("there are too many groups");
        const threshold = count === "all"
          ? names.length
          : count === "any"
          ? 1
          : /^[1-9][0-9]{0,2}$/.test(count)
          ? Number(count)
          : 0;
        if (threshold < 1 || threshold > names.length) {
          refuse(`${count} of ${names.length} is no threshold`);
        }
        for (const one of names) {
          if (members.has(one)) refuse(`${one} is in a group already`);
          members.add(one);
        }
        define(name, { kind: "group", threshold, members: names.map(named) });
        break;
      }
      case "quorum": {
        const [name = ""] = rest;
        if (rest.length !== 1) refuse("it wants `quorum <name>`");
        if (quorum !== undefined) refuse("there are two quorums");
        quorum = name === "none" ? { kind: "none" } : named(name);
        break;
      }
      default:
        refuse(`it begins with ${word}, which is no part of a policy`);
    }
  }
  if (quorum === undefined) {
    throw new LogPolicyError("the policy has no line `quorum`");
  }
  return { logs, witnesses, quorum };
}

/** The text of a policy: `threshold` of some witnesses. */
export function formatLogPolicy(
  witnesses: readonly PolicyWitness[],
  threshold: number,
): string {
  const lines = witnesses.map(({ name, key, url }) =>
    ["witness", name, verifierKey(key), ...url === undefined ? [] : [url]]
      .join(" ")
  );
  const names = witnesses.map(({ name }) => name);
  return [
    ...lines,
    ...names.length === 0 ? ["quorum none"] : [
      `group quorum-of-all ${threshold} ${names.join(" ")}`,
      "quorum quorum-of-all",
    ],
    "",
  ].join("\n");
}

/** How many witnesses have to have cosigned at least. */
export function leastOf({ quorum }: Pick<LogPolicy, "quorum">): number {
  const least = (rule: Rule): number => {
    if (rule.kind !== "group") return rule.kind === "none" ? 0 : 1;
    const counts = rule.members.map(least).toSorted((a, b) => a - b);
    return counts.slice(0, rule.threshold).reduce((sum, one) => sum + one, 0);
  };
  return least(quorum);
}

/** A witness whose cosignature verified. */
interface Witnessed {
  readonly witness: PolicyWitness;
  /** When it cosigned (ms). */
  readonly at: number;
}

/** What a policy says of a note. */
export interface PolicyVerdict {
  readonly isMet: boolean;
  /** In the order of the policy. */
  readonly by: readonly Witnessed[];
}

/**
 * Who of a policy's witnesses cosigned a note, and whether they suffice. The
 * log's own signature is another matter. A wrong cosignature counts as none.
 */
export async function judgeNote(
  policy: LogPolicy,
  note: SignedNote,
): Promise<PolicyVerdict> {
  const by: Witnessed[] = [];
  for (const witness of policy.witnesses) {
    const [signed] = await verifyNote(note, [witness.key]) ?? [];
    if (signed?.timestamp === undefined) continue;
    by.push({ witness, at: signed.timestamp * 1_000 });
  }
  const cosigned = new Set(by.map(({ witness }) => witness));
  const isMet = (rule: Rule): boolean =>
    rule.kind === "none"
      ? true
      : rule.kind === "witness"
      ? cosigned.has(rule.witness)
      : rule.members.filter(isMet).length >= rule.threshold;
  return { isMet: isMet(policy.quorum), by };
}
