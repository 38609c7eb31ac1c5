/**
 * The checks whether the server still has what it gave receipts for.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type {
  CheckKind,
  CheckProgress,
} from "../../../workers/vault/context.ts";
import type {
  CheckOutcome,
  SafetySummary,
} from "../../../workers/library/safety_calls.ts";
import { faultText } from "../../faults.ts";
import { Button, Notice, Progress } from "../../parts/controls.tsx";
import { onVault, vault } from "../../vault.ts";
import { messages, numberText, timeText } from "../../messages.ts";

const KINDS: readonly CheckKind[] = ["confirm", "deep", "receipts", "download"];

const progress = signal<CheckProgress | undefined>(undefined);
onVault("check", (data) => progress.value = data);

/** Each check, with the time it was last done and a button. */
export function Checks({ summary }: { readonly summary: SafetySummary }) {
  const { checks } = summary;
  const { safety } = messages.value;
  const [outcomes, setOutcomes] = useState<
    ReadonlyMap<CheckKind, CheckOutcome | string>
  >(new Map());
  const running = progress.value;
  /** Photos of which it is known without this browser having looked at all. */
  const known = (kind: CheckKind) =>
    kind === "receipts"
      ? summary.proven
      : kind === "confirm"
      ? summary.confirmed
      : summary.readBack;
  const run = async (kind: CheckKind) => {
    const outcome = await vault().safety.check(kind).catch(faultText);
    setOutcomes((before) => new Map(before).set(kind, outcome));
  };
  return (
    <section class="safety-checks" aria-label={safety.checks}>
      <p class="quiet small">{safety.checksHint}</p>
      <ul>
        {KINDS.map((kind) => {
          const last = checks[kind];
          const mine = running?.kind === kind ? running : undefined;
          return (
            <li key={kind} class="safety-check">
              <div>
                <h3>{safety.checkNames[kind]}</h3>
                <p class="quiet small">{safety.checkHints[kind]}</p>
                <p class="small">
                  {last !== undefined
                    ? safety.last({ when: timeText(last.at) })
                    : known(kind) === 0
                    ? safety.never
                    : safety.knownOf({
                      n: numberText(known(kind)),
                      of: numberText(summary.total),
                    })}
                </p>
              </div>
              {mine === undefined
                ? (
                  <Button
                    disabled={running !== undefined}
                    onClick={() => run(kind)}
                    aria-label={`${safety.run}: ${safety.checkNames[kind]}`}
                  >
                    {safety.run}
                  </Button>
                )
                : (
                  <Button onClick={() => vault().safety.stop()}>
                    {safety.stop}
                  </Button>
                )}
              {mine !== undefined && (
                <div class="safety-check-progress">
                  <Progress
                    value={mine.of === undefined || mine.of === 0
                      ? 0
                      : mine.done / mine.of}
                    label={safety.checkNames[kind]}
                  />
                  <span class="quiet small">
                    {mine.of === undefined
                      ? numberText(mine.done)
                      : safety.running({
                        done: numberText(mine.done),
                        of: numberText(mine.of),
                      })}
                  </span>
                </div>
              )}
              {outcomes.has(kind) && (
                <Outcome kind={kind} of={outcomes.get(kind) ?? ""} />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Outcome(
  { kind, of }: {
    readonly kind: CheckKind;
    readonly of: CheckOutcome | string;
  },
) {
  const { safety } = messages.value;
  if (typeof of === "string") {
    return (
      <div class="safety-check-outcome">
        <Notice>{of}</Notice>
      </div>
    );
  }
  return (
    <div class="safety-check-outcome">
      <Notice kind={of.wrong > 0 ? "wrong" : "good"}>
        {kind === "receipts"
          ? safety.outcomeOfReceipts({ n: of.looked, wrong: of.wrong })
          : safety.outcome({ n: of.looked, wrong: of.wrong })}
        {of.left > 0 && <p>{safety.left({ n: of.left })}</p>}
        {of.faults.slice(0, 20).map((one) => (
          <p key={one} class="small">{one}</p>
        ))}
      </Notice>
    </div>
  );
}
