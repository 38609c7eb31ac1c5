/**
 * Whether everybody sees the same: the public logs, their witnesses, and the
 * changes of the person's own keys.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { LogSummary } from "../../../workers/library/log_calls.ts";
import { locale } from "../../first_messages.ts";
import { now } from "../../../browser.ts";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { Button, IconButton, Notice, Spinner } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { href } from "../../routes.ts";
import { saveBlob } from "../../saving.ts";
import { vault } from "../../vault.ts";
import { listText, messages, timeText } from "../../messages.ts";
import { Fold } from "./fold.tsx";

const Scanner = lazily(async () =>
  (await import("../unlock/scanner.tsx")).Scanner
);
const QrCode = lazily(async () => (await import("../../parts/qr.tsx")).QrCode);

/**
 * What was found is in sight; the rest is folded, below what is given as
 * `children`.
 */
export function Witnessed(
  { children }: { readonly children: ComponentChildren },
) {
  const { logs } = messages.value.safety;
  const { value, error, again } = useLoaded(() => vault().logs.summary(), []);
  const isOn = value !== undefined && value.state !== "off";
  return (
    <>
      {isOn && (
        <>
          <Findings summary={value} again={again} />
          <Foreign summary={value} />
        </>
      )}
      {children}
      <Fold title={logs.title}>
        <section class="safety-logs" aria-label={logs.title}>
          <p class="quiet">{logs.hint}</p>
          {value === undefined
            ? error === undefined
              ? <Spinner />
              : <Notice>{faultText(error)}</Notice>
            : !isOn
            ? <p>{logs.off}</p>
            : (
              <>
                <Summary summary={value} />
                <Changes summary={value} />
                <Witnesses summary={value} again={again} />
              </>
            )}
        </section>
      </Fold>
    </>
  );
}

const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60]] as const;

/** How long ago an instant was, as people say it. */
function agoText(at: number): string {
  const seconds = Math.max(0, (now() - at) / 1_000);
  const format = new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" });
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ??
    ["minute", 60] as const;
  return format.format(-Math.floor(seconds / length), unit);
}

interface Part {
  readonly summary: LogSummary;
}

function Findings({ summary, again }: Part & { readonly again: () => void }) {
  const { logs } = messages.value.safety;
  const { findings } = summary;
  if (findings.length === 0) return null;
  const save = async () => {
    const file = await vault().logs.evidence();
    if (file !== undefined) saveBlob(file, "strongroom-evidence.json");
  };
  const known = async (id: string) => {
    await vault().logs.answer(id);
    again();
  };
  return (
    <Notice kind="wrong">
      <h3>{logs.found}</h3>
      <ul>
        {findings.map(({ id, at, detail }) => (
          <li key={id}>
            <p>{timeText(Date.parse(at))}: {detail}</p>
            <Button onClick={() => known(id)}>{logs.known}</Button>
          </li>
        ))}
      </ul>
      {findings.some(({ file }) => file !== undefined) && (
        <>
          <p>{logs.evidenceHint}</p>
          <Button icon="download" onClick={save}>{logs.evidence}</Button>
        </>
      )}
    </Notice>
  );
}

function Summary({ summary }: Part) {
  const { logs } = messages.value.safety;
  const { witnesses, need, restarted, receipts } = summary;
  // What is said holds for both lists: the one with fewer witnesses counts.
  const [weakest] = summary.logs.toSorted((a, b) =>
    a.witnesses.length - b.witnesses.length
  );
  const seenBy = weakest?.witnesses.map(({ name }) => name) ?? [];
  const names = listText(seenBy);
  const at = weakest?.witnesses.map((one) => Date.parse(one.at))
    .toSorted((a, b) => a - b)[0];
  return (
    <>
      {witnesses.length === 0
        ? <p>{logs.none}</p>
        : summary.isWitnessed && at !== undefined
        ? (
          <Notice kind="good">
            {logs.witnessed({
              when: agoText(at),
              names,
              n: weakest?.witnesses.length ?? 0,
              of: witnesses.length,
            })}
          </Notice>
        )
        : (
          <Notice kind="warn">
            {seenBy.length === 0
              ? logs.unsigned({ need })
              : logs.notEnough({ n: seenBy.length, names, need })}
          </Notice>
        )}
      {receipts > 0 && <p class="small">{logs.receipts({ n: receipts })}</p>}
      {summary.appFiles > 0 && (
        <p class="small">{logs.app({ n: summary.appFiles })}</p>
      )}
      {restarted && <Notice kind="warn">{logs.restarted}</Notice>}
      <p class="quiet small">{logs.limits}</p>
    </>
  );
}

/** Changes of the person's keys that none of their devices made. */
function Foreign({ summary: { changes } }: Part) {
  const { logs } = messages.value.safety;
  const foreign = changes.filter(({ isOurs }) => !isOurs).length;
  if (foreign === 0) return null;
  return (
    <Notice kind="wrong">
      <h3>{logs.foreign({ n: foreign })}</h3>
      <p>{logs.foreignHint}</p>
      <a href={href("settings", "security", "devices")}>{logs.toDevices}</a>
    </Notice>
  );
}

function Changes({ summary: { changes } }: Part) {
  const { logs } = messages.value.safety;
  return (
    <>
      {changes.every(({ isOurs }) => isOurs) && (
        <h3>{logs.changes({ n: changes.length })}</h3>
      )}
      <ul class="small">
        {changes.map(({ version, isOurs, device, at }) => (
          <li key={version}>
            {isOurs ? device ?? logs.unknownDevice : logs.notYours}
            {at !== undefined && `, ${timeText(Date.parse(at))}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function Witnesses({ summary, again }: Part & { readonly again: () => void }) {
  const { logs } = messages.value.safety;
  const [key, setKey] = useState("");
  const [fault, setFault] = useState<string>();
  const [isOffered, setOffered] = useState(false);
  const choose = async (choice: Promise<string | undefined>) => {
    const wrong = await choice.catch(faultText);
    setFault(wrong);
    if (wrong !== undefined) return;
    setKey("");
    again();
  };
  const { ownKey } = summary;
  return (
    <>
      <ul class="plain">
        {summary.witnesses.map((name) => (
          <li key={name}>
            {name}{" "}
            <IconButton
              icon="close"
              label={logs.doubt({ name })}
              onClick={() => choose(vault().logs.doubt(name))}
            />
          </li>
        ))}
      </ul>
      <Scan
        onFound={(text) => {
          setKey(text);
          choose(vault().logs.believe(text));
        }}
      />
      <Form onSubmit={() => choose(vault().logs.believe(key))}>
        <Field
          label={logs.believeLabel}
          hint={logs.believeHint}
          value={key}
          onInput={setKey}
          required
        />
        {fault !== undefined && <Notice>{fault}</Notice>}
        <Button type="submit">{logs.believe}</Button>
      </Form>
      {isOffered
        ? ownKey === undefined ? <p>{logs.offerNone}</p> : (
          <figure>
            <QrCode text={ownKey} label={logs.qr} />
            <figcaption>
              <p>{logs.offerHint}</p>
              <code>{ownKey}</code>
            </figcaption>
          </figure>
        )
        : <Button onClick={() => setOffered(true)}>{logs.offer}</Button>}
    </>
  );
}

/** Reads the key of a friend's server from the code that their app shows. */
function Scan({ onFound }: { readonly onFound: (text: string) => void }) {
  const { entry, safety: { logs } } = messages.value;
  const [scanning, setScanning] = useState(false);
  const [failed, setFailed] = useState(false);
  // Insecure contexts lack it, although its type says otherwise.
  const cameras: MediaDevices | undefined = navigator.mediaDevices;
  if (cameras === undefined) return null;
  if (!scanning) {
    return (
      <>
        <Button icon="camera" onClick={() => setScanning(true)}>
          {entry.scan}
        </Button>
        {failed && <Notice kind="warn">{logs.scanFailed}</Notice>}
      </>
    );
  }
  return (
    <>
      <Scanner
        onFound={(text: string) => {
          setScanning(false);
          onFound(text);
        }}
        onFailed={() => {
          setScanning(false);
          setFailed(true);
        }}
      />
      <Button kind="quiet" onClick={() => setScanning(false)}>
        {entry.scanStop}
      </Button>
    </>
  );
}
