/**
 * `strongroom notify`: whether notices arrive.
 *
 * @module
 */
import type { Command } from "commander";
import { OperatorFault } from "../../core/operator.ts";
import { toRfc3339 } from "../../core/time.ts";
import type { TargetState } from "../../features/notices/notices.ts";
import { noticesOf, sendNow } from "./notices.ts";
import { addVerbs, type CommandContext, type Verb } from "../verb.ts";

const NONE = "STRONGROOM_NOTIFY is not set, so no notices are sent: " +
  "set it to where notices should go";

const VERBS: readonly Verb[] = [
  {
    usage: "test",
    description: "send a test notice to every target of STRONGROOM_NOTIFY, " +
      "and say which it came through to; exit status 1 where it did not",
    example: "notify test",
    access: "write",
    async run({ db, config, platform }) {
      const notices = await noticesOf(db, config, platform);
      if (!notices.isOn) throw new OperatorFault(NONE);
      const began = platform.now();
      await notices.announce("test");
      await sendNow(notices, platform);
      const states = await notices.states();
      // A running server may have taken it, and reports that itself.
      const isBad = states.some(({ failingSince }) => failingSince !== null);
      return {
        json: { targets: states.map(stateToJson) },
        lines: states.map((state) =>
          state.fault === null && (state.sentAt ?? 0) >= began
            ? `${state.name} took the test`
            : state.fault === null
            ? `${state.name}: the running server is sending it`
            : `${state.name}: ${state.fault}; it is tried for a day`
        ),
        isBad,
      };
    },
  },
  {
    usage: "ls",
    description: "the targets of notices, what waits for each, and whether " +
      "it takes them",
    example: "notify ls --json",
    access: "read",
    async run({ db, config, platform }) {
      const notices = await noticesOf(db, config, platform);
      const states = await notices.states();
      return {
        json: { targets: states.map(stateToJson) },
        lines: states.length === 0 ? [NONE] : states.map(lineOf),
      };
    },
  },
];

/** Adds `notify …` to the program. */
export function addNotifyCommands(
  program: Command,
  context: CommandContext,
): void {
  const notify = program.command("notify")
    .description("where notices of trouble go, and whether they arrive");
  addVerbs(notify, context, VERBS);
}

function stateToJson(state: TargetState) {
  const { name, waiting, sentAt, failingSince, fault } = state;
  return {
    target: name,
    waiting,
    ...sentAt === null ? {} : { sent_at: toRfc3339(sentAt) },
    ...failingSince === null
      ? {}
      : { failing_since: toRfc3339(failingSince), fault },
  };
}

function lineOf(state: TargetState): string {
  const { name, waiting, sentAt, failingSince, fault } = state;
  return [
    name,
    sentAt === null
      ? "never took one"
      : `took the last one on ${toRfc3339(sentAt)}`,
    ...waiting === 0 ? [] : [`${waiting} waiting`],
    ...failingSince === null
      ? []
      : [`failing since ${toRfc3339(failingSince)}: ${fault}`],
  ].join("  ");
}
