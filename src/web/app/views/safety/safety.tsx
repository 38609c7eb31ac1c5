/**
 * The proof of what the server keeps: the state of all photos, the alarms, the
 * checks, and a report to save.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { CustodySummary } from "../../../workers/custody_calls.ts";
import { faultText } from "../../faults.ts";
import { useList } from "../../list.ts";
import { Button, Empty, Notice, Progress } from "../../parts/controls.tsx";
import { chooseFiles } from "../../upload/adding.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { toast } from "../../parts/toasts.tsx";
import { href } from "../../routes.ts";
import { revision, vault } from "../../vault.ts";
import { messages, numberText } from "../../messages.ts";
import { saveBlob } from "../../saving.ts";
import { alarmTitle } from "./alarm_title.ts";
import { Checks } from "./checks.tsx";
import { Fold } from "./fold.tsx";
import { Gone } from "./gone.tsx";
import { Witnessed } from "./witnessed.tsx";
import { Report } from "./report.tsx";

/** The view at `#/kept`. */
export function Safety() {
  const { kept } = messages.value;
  const [summary, setSummary] = useState<CustodySummary>();
  const [fault, setFault] = useState<string>();
  const seen = revision.value;
  useEffect(() => {
    vault().custody.summary().then(setSummary, (error) => {
      setFault(faultText(error));
    });
  }, [seen]);
  if (fault !== undefined) return <Notice>{fault}</Notice>;
  if (summary === undefined) return <h1>{kept.title}</h1>;
  const { trustDamage } = summary;
  const damage = trustDamage !== undefined &&
    <Notice>{kept.trustDamage[trustDamage]}</Notice>;
  if (summary.total === 0 && summary.alarms.length === 0) {
    return (
      <>
        <h1 class="unseen">{kept.title}</h1>
        {damage}
        <Empty icon="kept" title={kept.none}>
          <p class="quiet">{kept.noneHint}</p>
        </Empty>
      </>
    );
  }
  return (
    <div class="kept">
      <h1 class="unseen">{kept.title}</h1>
      {damage}
      <Verdict summary={summary} />
      <Alarms summary={summary} />
      <Gone />
      <Witnessed>
        <Numbers summary={summary} />
      </Witnessed>
      <Fold title={kept.checks}>
        <Checks summary={summary} />
      </Fold>
      <Fold title={kept.report}>
        <Report />
      </Fold>
    </div>
  );
}

/** How far each kind of proof reaches. */
function Numbers({ summary }: { readonly summary: CustodySummary }) {
  const { kept } = messages.value;
  return (
    <Fold title={kept.numbers}>
      <dl class="proofs">
        <Proof
          icon="receipt"
          name={kept.proven}
          hint={kept.provenHint}
          count={summary.proven}
          total={summary.total}
        />
        <Proof
          icon="asked"
          name={kept.confirmed}
          hint={kept.confirmedHint}
          count={summary.confirmed}
          total={summary.total}
        />
        <Proof
          icon="read"
          name={kept.readBack}
          hint={kept.readBackHint}
          count={summary.readBack}
          total={summary.total}
        />
      </dl>
      <p class="quiet small">{kept.counted}</p>
    </Fold>
  );
}

function Verdict({ summary }: { readonly summary: CustodySummary }) {
  const { kept } = messages.value;
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
      lost > 0 ? kept.lostHint : kept.alarmHint,
    ] as const
    : unproven > 0
    ? [
      "warn",
      "info",
      kept.unproven({ n: unproven, noun }),
      kept.unprovenHint,
    ] as const
    : ["good", "kept", kept.allWell({ n: total, noun }), kept.lead] as const;
  return (
    <section class={`verdict ${kind}`} role="status">
      <Icon name={icon} size={44} />
      <div>
        <h2>{title}</h2>
        <p>{hint}</p>
        {kind === "warn" && <CheckNow />}
        {lost > 0 && <AddAgain />}
        <p class="quiet small">
          {kept.noBackup}{" "}
          <a href={href("settings", "export")}>
            {messages.value.settings.pages.export}
          </a>
        </p>
      </div>
    </section>
  );
}

/** What helps where photos are lost. */
function AddAgain() {
  const { kept } = messages.value;
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveBlob(await vault().custody.losses(), "strongroom-losses.json");
    } catch (error) {
      toast(faultText(error));
    }
    setBusy(false);
  };
  return (
    <>
      <Button kind="main" icon="add" onClick={() => chooseFiles("files")}>
        {kept.addAgain}
      </Button>
      <p>{kept.lostReportHint}</p>
      <Button icon="download" busy={busy} onClick={save}>
        {kept.lostReport}
      </Button>
    </>
  );
}

/** Fetches and verifies the receipts that this device has not seen. */
function CheckNow() {
  const { kept } = messages.value;
  const [busy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true);
    try {
      await vault().custody.check("receipts");
    } catch (error) {
      toast(faultText(error));
    }
    setBusy(false);
  };
  return <Button busy={busy} onClick={check}>{kept.checkNow}</Button>;
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
  const { kept } = messages.value;
  return (
    <div class="proof">
      <Icon name={icon} size={22} />
      <dt>{name}</dt>
      <dd>
        <strong>
          {count === 0
            ? kept.notYet
            : count === total
            ? kept.all({ total: numberText(total) })
            : kept.of({ n: numberText(count), total: numberText(total) })}
        </strong>
        <Progress value={total === 0 ? 0 : count / total} label={name} />
        <span class="quiet small">{hint}</span>
      </dd>
    </div>
  );
}

function Alarms({ summary }: { readonly summary: CustodySummary }) {
  const { kept } = messages.value;
  if (summary.alarms.every(({ isShown }) => !isShown)) return null;
  return (
    <section class="kept-alarms" aria-label={kept.alarms}>
      <h2>{kept.alarms}</h2>
      <ul>
        {summary.alarms.filter(({ isShown }) => isShown).map((
          { id, name, what },
        ) => (
          <li key={id}>
            <Icon name="alarm" />
            <a href={href("photos", "photo", id)}>{name ?? kept.noName}</a>
            <span>{kept.whats[what]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
