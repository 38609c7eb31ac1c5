/**
 * `strongroom witnesses`: whom the person believes about the server's public
 * logs, and what these say.
 *
 * @module
 */
import type { LogsReport } from "../../../library/logs/log_checks.ts";
import { ownDevices } from "../../../library/mod.ts";
import {
  policyWith,
  policyWithout,
} from "../../../library/logs/witness_choice.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { counted } from "../../../core/sizes.ts";
import {
  leastOf,
  LogPolicyError,
  MAX_POLICY_BYTES,
  parseLogPolicy,
} from "../../../crypto/logs/log_policy.ts";
import { entriesInWords } from "../../operator/log.ts";
import { openInput } from "../../streams.ts";
import { printable } from "../../phrasing.ts";
import type { CliContext } from "../cli_context.ts";
import { STATUS } from "../faults.ts";
import { followFeed } from "../following.ts";
import { writeNew } from "../files/writing.ts";

/** The options of `witnesses add`. */
export interface AddOptions {
  readonly name?: string;
  readonly need?: string;
}

/** What is known; asks the server. */
export async function showWitnesses(cli: CliContext): Promise<void> {
  await followFeed(cli);
  const report = await cli.library.logs.check();
  await tellLogs(cli, report);
  const wrong = tellFindings(cli);
  if (wrong > 0) cli.endWith(STATUS.wrong);
}

/** Believes one more witness, by its verifier key. */
export async function addWitness(
  cli: CliContext,
  text: string,
  { name, need }: AddOptions,
): Promise<void> {
  const { library, tell } = cli;
  await followFeed(cli);
  await choose(
    cli,
    () => policyWith(library.logs.policy, text, { name, need: numberOf(need) }),
  );
  tell(
    { event: "witness", outcome: "added" },
    "you now trust this witness",
  );
}

/** Believes a witness no more. */
export async function removeWitness(
  cli: CliContext,
  name: string,
  { need }: AddOptions,
): Promise<void> {
  const { library, tell } = cli;
  await followFeed(cli);
  await choose(
    cli,
    () => policyWithout(library.logs.policy, name, numberOf(need)),
  );
  tell(
    { event: "witness", name, outcome: "removed" },
    `${printable(name)} is no longer trusted`,
  );
}

/** Chooses a policy as it stands in a file. */
export async function setPolicy(cli: CliContext, file: string): Promise<void> {
  const { tell } = cli;
  await followFeed(cli);
  const text = await textOf(cli, file);
  await choose(cli, () => text);
  const policy = parseLogPolicy(text);
  tell(
    { event: "policy", witnesses: policy.witnesses.length },
    `${
      leastOf(policy)
    } of ${policy.witnesses.length} witnesses have to agree ` +
      "from now on",
  );
}

/** Writes the policy to standard output, for another account or a friend. */
export function showPolicy({ library, tell }: CliContext): void {
  const policy = library.logs.policy ?? "";
  tell({ event: "policy", text: policy }, policy.trimEnd());
}

/** Saves what proves that the server contradicted itself. */
export async function saveEvidence(
  cli: CliContext,
  file: string,
): Promise<void> {
  const { library, tell } = cli;
  await followFeed(cli);
  const proven = library.logs.findings().find((one) => one.file !== undefined);
  if (proven?.file === undefined) {
    throw new OperatorFault(
      "there is no evidence: the server did not sign anything that " +
        "contradicts itself, as far as this device has seen",
    );
  }
  await writeNew(file, proven.file);
  tell(
    { event: "evidence", path: file },
    `the evidence is in ${printable(file)}\n` +
      "anyone verifies it with: strongroom receipts verify FILE --keys " +
      "attestation-keys.json",
  );
}

/** Notes that the person knows of everything that was found. */
export async function answerFindings(cli: CliContext): Promise<void> {
  const { library, tell } = cli;
  await followFeed(cli);
  const findings = library.logs.findings();
  for (const { id } of findings) await library.logs.answer(id);
  tell(
    { event: "answered", findings: findings.length },
    `${counted(findings.length, "finding")} not told of any more`,
  );
}

/** Checks the logs for `verify --log`; how much is wrong. */
export async function verifyLogs(cli: CliContext): Promise<number> {
  const report = await cli.library.logs.check({ receipts: "all" });
  await tellLogs(cli, report);
  return tellFindings(cli);
}

/** Names what was found and not answered; how much. */
function tellFindings({ library, tell, warn }: CliContext): number {
  const findings = library.logs.last?.findings
    .filter(({ answered_at }) => answered_at === undefined) ??
    library.logs.findings();
  for (const { id, kind, detail, at, file } of findings) {
    tell({
      event: "log_fault",
      id,
      kind,
      detail,
      at,
      is_proven: file !== undefined,
    }, "");
    warn(`THE PUBLIC LOG: ${printable(detail)}`);
    if (kind === "not_ours") {
      warn(
        "sign out every device that you do not know (`strongroom devices`), " +
          "and tell the people you share with",
      );
    }
    if (file !== undefined) {
      warn("`strongroom witnesses evidence FILE` saves the proof");
    }
  }
  return findings.length;
}

async function tellLogs(cli: CliContext, report: LogsReport): Promise<void> {
  const { library, tell, session } = cli;
  if (report.state === "off") {
    tell({ event: "logs", state: "off" }, "this server has no public logs");
    return;
  }
  const { policy: text } = library.logs;
  const policy = text === undefined ? undefined : parseLogPolicy(text);
  for (const { name, origin, size, witnesses, isWitnessed } of report.logs) {
    tell(
      { event: "log", log: name, origin, size, witnesses, isWitnessed },
      `${printable(origin)}: ${entriesInWords(size)}, ${
        policy === undefined || policy.witnesses.length === 0
          ? "you trust no witness: `strongroom witnesses add` names one"
          : `witnessed by ${
            witnesses.map((one) => `${printable(one.name)} ${one.at}`)
              .join(", ") || "no one"
          } (${witnesses.length} of ${policy.witnesses.length}, ` +
            `${leastOf(policy)} needed)${isWitnessed ? "" : ": NOT ENOUGH"}`
      }`,
    );
  }
  for (const origin of report.restarted) {
    tell(
      { event: "log_restarted", origin },
      `the server was restored: its log goes on as ${printable(origin)}`,
    );
  }
  const names = new Map(
    (await ownDevices(library.vault)).flatMap((one) =>
      one.id === undefined ? [] : [[one.id, one.name ?? one.id] as const]
    ),
  );
  const directories = report.own.filter(({ what }) => what === "directory");
  const ours = directories.filter(({ isOurs }) => isOurs).length;
  tell(
    { event: "own_keys", entries: report.own, user_id: session.userId },
    [
      `your keys: ${counted(directories.length, "change")}, ${
        ours === directories.length ? "all" : ours
      } made by you`,
      ...directories.map(({ version, by, at, isOurs }) =>
        `  ${version}  ${at ?? "at an unknown time"}  ${
          !isOurs
            ? "NOT MADE BY YOU"
            : printable(names.get(by ?? "") ?? by ?? "before devices noted it")
        }`
      ),
    ].join("\n"),
  );
  tell(
    { event: "log_receipts", found: report.receipts },
    `${counted(report.receipts, "receipt")} of yours found in the log`,
  );
}

async function choose(
  { library }: CliContext,
  policy: () => string,
): Promise<void> {
  try {
    await library.logs.choose(policy());
  } catch (error) {
    if (!(error instanceof LogPolicyError)) throw error;
    throw new OperatorFault(error.message);
  }
}

function numberOf(need: string | undefined): number | undefined {
  if (need === undefined) return undefined;
  if (/^[1-9][0-9]?$/.test(need)) return Number(need);
  throw new OperatorFault("--need is a number of witnesses");
}

async function textOf(
  { streams }: CliContext,
  file: string,
): Promise<string> {
  const input = await openInput(file, streams);
  const bytes = new Uint8Array(await new Response(input).arrayBuffer());
  if (bytes.length > MAX_POLICY_BYTES) {
    throw new OperatorFault("a policy has at most 64 KiB");
  }
  return new TextDecoder().decode(bytes);
}
