/**
 * The commands about the server's public logs and who witnesses them.
 *
 * @module
 */
import type { CliContext, CliOptions } from "../cli_context.ts";
import type { Row } from "../row.ts";
import type { AddOptions } from "./witnesses.ts";

const NEED = [
  "--need <number>",
  "so many of them have to agree; default: more than half",
] as const;

/** `witnesses …`. */
export const WITNESS_ROWS: readonly Row[] = [
  {
    usage: "ls",
    description:
      "check the server's public logs, and list who witnessed them and what " +
      "they say of your keys; status 4 where something is wrong",
    example: "witnesses ls",
    async run(cli: CliContext) {
      const { showWitnesses } = await import("./witnesses.ts");
      await showWitnesses(cli);
    },
  },
  {
    usage: "add <verifier_key>",
    description:
      "trust a witness: the key that `strongroom witness key` prints on a " +
      "friend's server, or the text of the QR code in their app",
    options: [
      ["--name <name>", "what you call it; default: its server's address"],
      NEED,
    ],
    example: "witnesses add --name ben " +
      "ben.example/witness/0198c5f0+b9b9f4ed+BP…",
    async run(cli: CliContext, options: CliOptions & AddOptions, key: string) {
      const { addWitness } = await import("./witnesses.ts");
      await addWitness(cli, key, options);
    },
  },
  {
    usage: "rm <name>",
    description: "stop trusting a witness",
    options: [NEED],
    example: "witnesses rm ben",
    async run(cli: CliContext, options: CliOptions & AddOptions, name: string) {
      const { removeWitness } = await import("./witnesses.ts");
      await removeWitness(cli, name, options);
    },
  },
  {
    usage: "set <file>",
    description:
      "trust the witnesses of a policy in the format of C2SP tlog-policy (- " +
      "reads standard input)",
    example: "witnesses set policy.txt",
    async run(cli: CliContext, _: CliOptions, file: string) {
      const { setPolicy } = await import("./witnesses.ts");
      await setPolicy(cli, file);
    },
  },
  {
    usage: "show",
    description: "print the policy",
    example: "witnesses show > policy.txt",
    async run(cli: CliContext) {
      const { showPolicy } = await import("./witnesses.ts");
      showPolicy(cli);
    },
  },
  {
    usage: "evidence <file>",
    description:
      "save two checkpoints of the server that contradict each other, where " +
      "there are any: the file proves it to anyone",
    example: "witnesses evidence contradiction.json",
    async run(cli: CliContext, _: CliOptions, file: string) {
      const { saveEvidence } = await import("./witnesses.ts");
      await saveEvidence(cli, file);
    },
  },
  {
    usage: "known",
    description: "say that you know of what was found: it is told no more",
    example: "witnesses known",
    async run(cli: CliContext) {
      const { answerFindings } = await import("./witnesses.ts");
      await answerFindings(cli);
    },
  },
];
