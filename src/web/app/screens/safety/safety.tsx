/**
 * The proof of what the server keeps: the state of all photos, the alarms, the
 * checks, and a report to save.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { SafetySummary } from "../../../workers/library/safety_calls.ts";
import { faultText } from "../../faults.ts";
import { useList } from "../../list.ts";
import { Button, Empty, Notice, Progress } from "../../parts/controls.tsx";
import { chooseFiles } from "../../upload/adding.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { toast } from "../../parts/toasts.tsx";
import { href } from "../../routes.ts";
import { alarms as known, revision, vault } from "../../vault.ts";
import { messages, numberText } from "../../messages.ts";
import { saveBlob } from "../../saving.ts";
import { OfAccount } from "./account.tsx";
import { alarmTitle } from "./alarm_title.ts";
import { Checks } from "./checks.tsx";
import { Fold } from "./fold.tsx";
import { Gone } from "./gone.tsx";
import { Witnessed } from "./witnessed.tsx";

/** The view at `#/safety`. */
export function Safety() {
  const { safety } = messages.value;
  const [summary, setSummary] = useState<SafetySummary>();
  const [fault, setFault] = useState<string>();
  const seen = revision.value;
  useEffect(() => {
    vault().safety.summary().then(setSummary, (error) => {
      setFault(faultText(error));
    });
  }, [seen]);
  if (fault !== undefined) return <Notice>{fault}</Notice>;
  if (summary === undefined) return <h1>{safety.title}</h1>;
  const { trustDamage } = summary;
  const damage = trustDamage !== undefined &&
    <Notice>{safety.trustDamage[trustDamage]}</Notice>;
  if (summary.total === 0 && summary.alarms.length === 0) {
    return (
      <>
        <h1 class="unseen">{safety.title}</h1>
        {damage}
        <Empty icon="safe" title={safety.none}>
          <p class="quiet">{safety.noneHint}</p>
        </Empty>
        <div class="safety">
          <OfAccount />
        </div>
      </>
    );
  }
  return (
    <div class="safety">
      <h1 class="unseen">{safety.title}</h1>
      {damage}
      <Verdict summary={summary} />
      <Alarms summary={summary} />
      <Gone />
      <Witnessed>
        <Numbers summary={summary} />
      </Witnessed>
      <Fold title={safety.checks}>
        <Checks summary={summary} />
      </Fold>
      <Fold title={safety.report}>
        <Report />
      </Fold>
      <OfAccount />
    </div>
  );
}

/** How far each kind of proof reaches. */
function Numbers({ summary }: { readonly summary: SafetySummary }) {
  const { safety } = messages.value;
  return (
    <Fold title={safety.numbers}>
      <p class="quiet">{safety.lead}</p>
      <NoBackup />
      <dl class="proofs">
        <Proof
          icon="receipt"
          name={safety.proven}
          hint={safety.provenHint}
          count={summary.proven}
          total={summary.total}
        />
        <Proof
          icon="asked"
          name={safety.confirmed}
          hint={safety.confirmedHint}
          count={summary.confirmed}
          total={summary.total}
        />
        <Proof
          icon="read"
          name={safety.readBack}
          hint={safety.readBackHint}
          count={summary.readBack}
          total={summary.total}
        />
      </dl>
      <p class="quiet small">{safety.counted}</p>
    </Fold>
  );
}

function Verdict({ summary }: { readonly summary: SafetySummary }) {
  const { safety } = messages.value;
  const noun = useList({ kind: "library" })?.noun() ?? "photo";
  const { alarms, proven, total } = summary;
  const unproven = total - proven - alarms.length;
  const lost =
    alarms.filter(({ what }) => what === "missing" || what === "damaged")
      .length;
  const [kind, icon, title, hint] = alarms.length > 0
    ? [
      "wrong",
      "alarm",
      alarmTitle({ count: alarms.length, lost }),
      lost > 0 ? safety.lostHint : safety.alarmHint,
    ] as const
    : unproven > 0
    ? [
      "warn",
      "info",
      safety.unproven({ n: unproven, noun }),
      safety.unprovenHint,
    ] as const
    : [
      "good",
      "safe",
      safety.allWell({ n: total, noun }),
      undefined,
    ] as const;
  // What the logs say is below, and then not all is safe.
  if (kind === "good" && known.value.logs > 0) return null;
  return (
    <section class={`verdict ${kind}`} role="status">
      <Icon name={icon} size={44} />
      <div>
        <h2>{title}</h2>
        {hint !== undefined && <p>{hint}</p>}
        {kind === "warn" && <CheckNow />}
        {lost > 0 && <AddAgain />}
        {kind !== "good" && <NoBackup />}
      </div>
    </section>
  );
}

function NoBackup() {
  const { safety, settings } = messages.value;
  return (
    <p class="quiet small">
      {safety.noBackup}{" "}
      <a href={href("settings", "export")}>{settings.pages.export}</a>
    </p>
  );
}

/** What helps where photos are lost. */
function AddAgain() {
  const { safety } = messages.value;
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveBlob(await vault().safety.losses(), "strongroom-losses.json");
    } catch (error) {
      toast(faultText(error));
    }
    setBusy(false);
  };
  return (
    <>
      <Button kind="main" icon="add" onClick={() => chooseFiles("files")}>
        {safety.addAgain}
      </Button>
      <p>{safety.lostReportHint}</p>
      <Button icon="download" busy={busy} onClick={save}>
        {safety.lostReport}
      </Button>
    </>
  );
}

/** Fetches and verifies the receipts that this device has not seen. */
function CheckNow() {
  const { safety } = messages.value;
  const [busy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true);
    try {
      await vault().safety.check("receipts");
    } catch (error) {
      toast(faultText(error));
    }
    setBusy(false);
  };
  return <Button busy={busy} onClick={check}>{safety.checkNow}</Button>;
}

function Proof(
  { icon, name, hint, count, total }: {
    readonly icon: IconName;
    readonly name: string;
    readonly hint: string;
    readonly count: number;
    readonly total: number;
  },
) {
  const { safety } = messages.value;
  return (
    <div class="proof">
      <Icon name={icon} size={22} />
      <dt>{name}</dt>
      <dd>
        <strong>
          {count === 0
            ? safety.notYet
            : count === total
            ? safety.all({ total: numberText(total) })
            : safety.of({ n: numberText(count), total: numberText(total) })}
        </strong>
        <Progress value={total === 0 ? 0 : count / total} label={name} />
        <span class="quiet small">{hint}</span>
      </dd>
    </div>
  );
}

function Alarms({ summary }: { readonly summary: SafetySummary }) {
  const { safety } = messages.value;
  if (summary.alarms.every(({ isShown }) => !isShown)) return null;
  return (
    <section class="safety-alarms" aria-label={safety.alarms}>
      <h2>{safety.alarms}</h2>
      <ul>
        {summary.alarms.filter(({ isShown }) => isShown).map((
          { id, name, what },
        ) => (
          <li key={id}>
            <Icon name="alarm" />
            <a href={href("photos", "photo", id)}>{name ?? safety.noName}</a>
            <span>{safety.whats[what]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Saving a report of the proofs as a file. */
function Report() {
  const { safety } = messages.value;
  const [receipts, setReceipts] = useState(true);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const save = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      const report = await vault().safety.report({ receipts });
      saveBlob(report, "strongroom-report.json");
    } catch (error) {
      setFault(faultText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="safety-report">
      <p class="quiet">{safety.reportHint}</p>
      <label class="choice">
        <input
          type="checkbox"
          checked={receipts}
          onChange={(event) => setReceipts(event.currentTarget.checked)}
        />
        {safety.withReceipts}
      </label>
      {fault !== undefined && <Notice>{fault}</Notice>}
      <Button icon="download" busy={busy} onClick={save}>
        {safety.report}
      </Button>
    </section>
  );
}
