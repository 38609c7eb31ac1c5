/**
 * Whose the files are and who may read them.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, fault } = findingsOf("permissions");

const SUPERUSER = 0;

/** What a path is for decides what it may permit. */
export type PathKind =
  | "data directory"
  | "directory"
  | "key directory"
  | "file"
  | "secret"
  /** One that lies elsewhere: it may be another user's, and a group's. */
  | "secret elsewhere";

export interface PathFacts {
  readonly path: string;
  readonly kind: PathKind;
  /** Permission bits; null where the system has none. */
  readonly mode: number | null;
  /** The owner's number; null where the system has none. */
  readonly owner: number | null;
}

/** Judges owners and modes; `user` is who runs this, null if not known. */
export function judgePermissions(
  facts: readonly PathFacts[],
  user: number | null,
): Finding[] {
  const [root] = facts;
  if (root === undefined) return [];
  const findings = [
    ...judgeUser(root, user),
    ...judgeOwners(root, facts),
    ...facts.flatMap(judgeMode),
  ];
  return findings.length > 0
    ? findings
    : [ok(say("only its user can access {1}", root.path))];
}

function judgeUser(root: PathFacts, user: number | null): Finding[] {
  if (root.owner === null || user === null || user === root.owner) return [];
  if (user === SUPERUSER) {
    return [warning(
      say(
        "{1} belongs to user {2}, but this runs as root",
        root.path,
        root.owner,
      ),
      say(
        "run strongroom as user {1}, so that no file there belongs to " +
          "root",
        root.owner,
      ),
    )];
  }
  return [fault(
    say(
      "{1} belongs to user {2}, but this runs as user {3}",
      root.path,
      root.owner,
      user,
    ),
    say(
      "run strongroom as user {1}, or change the owner: chown -R {2} " + "{3}",
      root.owner,
      user,
      root.path,
    ),
  )];
}

function judgeOwners(root: PathFacts, facts: readonly PathFacts[]): Finding[] {
  const others = facts.filter((one) =>
    one.kind !== "secret elsewhere" && one.owner !== root.owner
  );
  const [first] = others;
  if (first === undefined) return [];
  const more = others.length > 1 ? ` and ${others.length - 1} more` : "";
  return [fault(
    say(
      "{1}{2} belongs to user {3}, the data directory to user {4}",
      first.path,
      more,
      first.owner,
      root.owner,
    ),
    say("chown -R {1} {2}", root.owner, root.path),
  )];
}

function judgeMode({ path, kind, mode }: PathFacts): Finding[] {
  if (mode === null) return [];
  const bits = (mode & 0o777).toString(8).padStart(3, "0");
  const isOpen = (mode & 0o077) !== 0;
  const isReadByAll = (mode & 0o007) !== 0;
  switch (kind) {
    case "key directory":
      return isOpen
        ? [
          fault(
            say("{1} is open to others ({2})", path, bits),
            say("chmod 700 {1}", path),
          ),
        ]
        : [];
    case "secret":
      return isOpen
        ? [
          fault(
            say(
              "{1} contains a secret and is open to others ({2})",
              path,
              bits,
            ),
            say("chmod 600 {1}", path),
          ),
        ]
        : [];
    case "secret elsewhere":
      return isReadByAll
        ? [
          warning(
            say("{1} contains a secret and is open to all ({2})", path, bits),
            say("chmod o= {1}", path),
          ),
        ]
        : [];
    case "data directory":
      return isReadByAll
        ? [
          warning(
            say("{1} is open to all ({2})", path, bits),
            say("chmod 700 {1}", path),
          ),
        ]
        : [];
    case "directory":
    case "file":
      return [];
  }
}
