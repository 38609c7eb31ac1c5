/**
 * The settings page `operator`: how the server does, its people, and who is
 * invited. Nothing on it destroys.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type {
  OpenInvitation,
  OperatedPerson,
  Overview,
} from "../../../../client/api/operator_calls.ts";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { Button, Notice, Spinner } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import {
  fetchedTexts,
  language,
  messages,
  sizeText,
  textNamed,
  timeText,
} from "../../messages.ts";
import { Refused, useDoing } from "../entry/card.tsx";
import { copyText } from "../sharing/copying.ts";
import { type Sentences, sentencesIn, translated } from "./finding_messages.ts";
import { Group, Line } from "./parts.tsx";

const QrCode = lazily(async () => (await import("../../parts/qr.tsx")).QrCode);

const GIB = 1024 ** 3;
/** Bytes of a number of GiB, as people type it; undefined for no such number. */
function bytesOf(gib: string): number | undefined {
  const amount = Number(gib.trim().replace(",", "."));
  return amount >= 0 && amount < 1e6 ? Math.round(amount * GIB) : undefined;
}

const NOT_PRESENTED = "error.auth.reauthentication_required";

function isNotPresented(error: unknown): boolean {
  return error instanceof ThreadError && error.fault.code === NOT_PRESENTED;
}

function day(instant: string): string {
  return timeText(instant, { dateStyle: "medium" });
}

interface Seen {
  readonly me: string;
  readonly overview: Overview;
  readonly people: readonly OperatedPerson[];
  readonly invitations: readonly OpenInvitation[];
  readonly sentences: Sentences;
}

async function look(): Promise<Seen> {
  const { operator, settings } = vault();
  const [{ user_id: me }, overview, people, invitations, sentences] =
    await Promise.all([
      settings.profile(),
      operator.overview(),
      operator.people(),
      operator.invitations(),
      sentencesIn(
        language.value,
        (tag) => fetchedTexts(tag, "findings"),
      ),
    ]);
  return { me, overview, people, invitations, sentences };
}

/** The page `operator`. */
export function Operator() {
  const loaded = useLoaded(look, []);
  if (isNotPresented(loaded.error)) return <Present again={loaded.again} />;
  if (loaded.value === undefined) {
    return loaded.error === undefined
      ? (
        <p class="waiting" aria-busy="true">
          <Spinner />
        </p>
      )
      : <Notice>{faultText(loaded.error)}</Notice>;
  }
  const { me, overview, people, invitations, sentences } = loaded.value;
  const { again } = loaded;
  return (
    <>
      <State overview={overview} sentences={sentences} />
      <People
        people={people}
        me={me}
        again={again}
      />
      <Invitations
        invitations={invitations}
        hasMail={overview.mail}
        again={again}
      />
      <Room overview={overview} />
    </>
  );
}

/** Asks for the password and a code. */
function Present({ again }: { readonly again: () => void }) {
  const { operator } = messages.value;
  const doing = useDoing();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const profile = useLoaded(() => vault().settings.profile(), []).value;
  if (profile !== undefined && profile.second_factor !== "confirmed") {
    return <Notice kind="info">{operator.noFactor}</Notice>;
  }
  const go = async () => {
    const isDone = await doing.run(() =>
      vault().operator.present(password, code.replaceAll(" ", ""))
    );
    if (isDone) again();
  };
  return (
    <Group title={operator.presentTitle} why={operator.presentWhy}>
      <Form onSubmit={go} class="stack">
        <Field
          label={operator.password}
          type="password"
          autocomplete="current-password"
          required
          value={password}
          onInput={setPassword}
        />
        <Field
          label={operator.code}
          autocomplete="one-time-code"
          inputMode="numeric"
          required
          value={code}
          onInput={setCode}
        />
        <Refused doing={doing} />
        <div class="actions">
          <Button kind="main" type="submit" busy={doing.busy}>
            {operator.present}
          </Button>
        </div>
      </Form>
    </Group>
  );
}

/** What the doctor says; what no catalogue has is English. */
function Said(
  { text, sentences }: {
    readonly text: string;
    readonly sentences: Sentences;
  },
) {
  const own = translated(text, sentences);
  return own === undefined ? <span lang="en">{text}</span> : <>{own}</>;
}

/** What the doctor finds, the backup, the check, the certificate, notices. */
function State(
  { overview, sentences }: {
    readonly overview: Overview;
    readonly sentences: Sentences;
  },
) {
  const { operator } = messages.value;
  const { backup, check, certificate, findings, notices } = overview;
  return (
    <Group title={operator.state}>
      {findings.length === 0
        ? <Notice kind="good">{operator.good}</Notice>
        : findings.map((one, index) => (
          <Notice key={index} kind="warn">
            <strong>
              {textNamed(operator.checks, one.check) ??
                one.check.replaceAll("_", " ")}
            </strong>: <Said text={one.detail} sentences={sentences} />
            <div class="small">
              {operator.mend} <Said text={one.mend} sentences={sentences} />
            </div>
          </Notice>
        ))}
      <Line
        name={operator.backup}
        value={backup === undefined || backup === null ? operator.backupNone : [
          `${day(backup.made_at)}.`,
          typeof backup.blobs === "number" &&
          operator.backupHolds({
            n: backup.blobs,
            size: sizeText(backup.bytes ?? 0),
          }),
          backup.is_old && operator.backupOld,
          backup.damaged > 0 && operator.backupDamaged({ n: backup.damaged }),
        ].filter(Boolean).join(" ")}
      />
      <Line
        name={operator.check}
        value={check === undefined || check === null ? operator.checkNone : [
          typeof check.ended_at === "string"
            ? operator.checkDone({ when: day(check.ended_at) })
            : operator.checkAt({
              percent: Math.floor(
                100 * check.done_bytes / Math.max(1, check.total_bytes),
              ),
            }),
          check.lost > 0
            ? operator.checkLost({ n: check.lost })
            : operator.checkWhole,
        ].join(" ")}
      />
      <Line
        name={operator.certificate}
        value={certificate === undefined || certificate === null
          ? operator.certificateNone
          : operator.certificateEnds({ when: day(certificate.ends_at) })}
      />
      {notices.length === 0
        ? <Line name={operator.notices} value={operator.noticesNone} />
        : notices.map((one) => (
          <Line
            key={one.target}
            name={`${operator.notices}: ${one.target}`}
            value={[
              typeof one.failing_since === "string"
                ? operator.noticeFails({
                  when: day(one.failing_since),
                  why: one.fault ?? "",
                })
                : typeof one.sent_at === "string"
                ? operator.noticeSent({ when: day(one.sent_at) })
                : operator.noticeNever,
              one.waiting > 0 && operator.noticeWaits({ n: one.waiting }),
            ].filter(Boolean).join(" ")}
          />
        ))}
      <Line name={operator.version} value={overview.version} />
    </Group>
  );
}

/** How much room there is, and what came in each month. */
function Room({ overview: { room, growth } }: { readonly overview: Overview }) {
  const { operator } = messages.value;
  return (
    <Group title={operator.room}>
      <p>
        {operator.free({
          free: sizeText(room.free_bytes),
          reserved: sizeText(room.reserved_bytes),
        })} {operator.stored({
          used: sizeText(room.used_bytes),
          trash: sizeText(room.trash_bytes),
        })} {operator.database({ size: sizeText(room.database_bytes) })}
      </p>
      {growth.length > 0 && (
        <table class="growth">
          <caption class="quiet small">{operator.growth}</caption>
          <thead>
            <tr>
              <th scope="col">{operator.month}</th>
              <th scope="col">{operator.size}</th>
            </tr>
          </thead>
          <tbody>
            {growth.map(({ month, bytes }) => (
              <tr key={month}>
                <td>
                  {timeText(`${month}-15T12:00:00Z`, {
                    year: "numeric",
                    month: "long",
                  })}
                </td>
                <td>{sizeText(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Group>
  );
}

function nameOf(person: OperatedPerson): string {
  return person.address ?? person.display_name ??
    messages.value.operator.unnamed;
}

function People({ people, me, again }: {
  readonly people: readonly OperatedPerson[];
  readonly me: string;
  readonly again: () => void;
}) {
  const { operator } = messages.value;
  return (
    <Group title={operator.people}>
      <ul class="lines">
        {people.map((person) => (
          <li class="line" key={person.user_id}>
            <div>
              <strong translate={false}>{nameOf(person)}</strong>{" "}
              {tagsOf(person, me).map((tag) => (
                <span class="tag" key={tag}>{tag}</span>
              ))}
              <div class="quiet small">
                {typeof person.quota_bytes === "number"
                  ? operator.usedOf({
                    size: sizeText(person.used_bytes),
                    quota: sizeText(person.quota_bytes),
                  })
                  : operator.used({ size: sizeText(person.used_bytes) })}
                {", "}
                {typeof person.last_used_at === "string"
                  ? operator.seen({ when: day(person.last_used_at) })
                  : operator.neverSeen}
                {", "}
                {person.second_factor === "confirmed"
                  ? operator.factor
                  : operator.noFactorTag}
              </div>
            </div>
            {person.user_id !== me && !person.is_deleting && (
              <Button
                aria-label={operator.manage({ who: nameOf(person) })}
                onClick={() =>
                  overlay((close) => (
                    <Manage
                      person={person}
                      close={() => {
                        close();
                        again();
                      }}
                    />
                  ))}
              >
                {operator.manageShort}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Group>
  );
}

function tagsOf(person: OperatedPerson, me: string): string[] {
  const { operator } = messages.value;
  return [
    ...person.user_id === me ? [operator.you] : [],
    ...person.is_operator ? [operator.operates] : [],
    ...typeof person.suspended_at === "string" ? [operator.suspended] : [],
    ...person.is_deleting ? [operator.deleting] : [],
  ];
}

/** A person as a command names them: nothing that a shell reads otherwise. */
function userOf({ address, user_id }: OperatedPerson): string {
  return typeof address === "string" && /^\w[\w.+-]*@[\w.-]+$/.test(address)
    ? address
    : user_id;
}

/** What can be done about a person. */
function Manage({ person, close }: {
  readonly person: OperatedPerson;
  readonly close: () => void;
}) {
  const { common, operator } = messages.value;
  const doing = useDoing();
  const isSuspended = typeof person.suspended_at === "string";
  const [reason, setReason] = useState("");
  const [gib, setGib] = useState(
    typeof person.quota_bytes === "number"
      ? String(Math.round(person.quota_bytes / GIB * 100) / 100)
      : "",
  );
  const act = async (work: () => Promise<string>) => {
    const isDone = await doing.run(async () => toast(await work()));
    if (isDone) close();
  };
  const setQuota = () => {
    const bytes = gib.trim() === "" ? null : bytesOf(gib);
    if (bytes === undefined) return doing.refuse(operator.quotaWrong);
    return act(async () => {
      await vault().operator.quota(person.user_id, bytes);
      return operator.quotaSet;
    });
  };
  return (
    <Dialog title={nameOf(person)} onClose={close}>
      <div class="stack">
        <Refused doing={doing} />
        <Form onSubmit={setQuota} class="stack">
          <Field
            label={operator.quota}
            hint={operator.quotaHint}
            inputMode="numeric"
            value={gib}
            onInput={setGib}
          />
          <div class="actions">
            <Button
              onClick={() =>
                act(async () => {
                  await vault().operator.quota(person.user_id, "default");
                  return operator.quotaSet;
                })}
            >
              {operator.quotaDefault}
            </Button>
            <Button type="submit" busy={doing.busy}>{common.save}</Button>
          </div>
        </Form>
        {isSuspended
          ? (
            <Line name={operator.suspended}>
              <Button
                busy={doing.busy}
                onClick={() =>
                  act(async () => {
                    await vault().operator.suspension(person.user_id, {
                      suspended: false,
                    });
                    return operator.reinstatedNow;
                  })}
              >
                {operator.reinstate}
              </Button>
            </Line>
          )
          : (
            <Form
              class="stack"
              onSubmit={() =>
                act(async () => {
                  await vault().operator.suspension(person.user_id, {
                    suspended: true,
                    ...reason.trim() === "" ? {} : { reason: reason.trim() },
                  });
                  return operator.suspendedNow;
                })}
            >
              <p class="quiet small">{operator.suspendWhy}</p>
              <Field
                label={operator.reason}
                maxLength={2_000}
                value={reason}
                onInput={setReason}
              />
              <div class="actions">
                <Button kind="danger" type="submit" busy={doing.busy}>
                  {operator.suspend}
                </Button>
              </div>
            </Form>
          )}
        <Line name={operator.signOut} value={operator.signOutWhy}>
          <Button
            busy={doing.busy}
            onClick={() =>
              act(async () =>
                operator.signedOut({
                  n: await vault().operator.signOut(person.user_id),
                })
              )}
          >
            {operator.signOut}
          </Button>
        </Line>
        <Line
          name={operator.forgot}
          value={person.has_password ? operator.forgotWhy : operator.forgotNone}
        />
        {person.has_password && (
          <pre
            tabIndex={0}
          ><code>{`strongroom account set-password ${userOf(person)}`}</code></pre>
        )}
      </div>
    </Dialog>
  );
}

function Invitations({ invitations, hasMail, again }: {
  readonly invitations: readonly OpenInvitation[];
  readonly hasMail: boolean;
  readonly again: () => void;
}) {
  const { operator } = messages.value;
  const doing = useDoing();
  const takeBack = (id: string) =>
    doing.run(async () => {
      await vault().operator.uninvite(id);
      toast(operator.takenBack);
      again();
    });
  return (
    <Group title={operator.invitations} why={operator.invitationsWhy}>
      <div class="actions">
        <Button
          kind="main"
          icon="add"
          onClick={() =>
            overlay((close) => (
              <Invite
                hasMail={hasMail}
                close={() => {
                  close();
                  again();
                }}
              />
            ))}
        >
          {operator.invite}
        </Button>
      </div>
      <Refused doing={doing} />
      {invitations.length === 0
        ? <p class="quiet">{operator.invitationsNone}</p>
        : (
          <ul class="lines">
            {invitations.map((one) => (
              <li class="line" key={one.invitation_id}>
                <div>
                  {typeof one.quota_bytes === "number"
                    ? operator.untilWith({
                      when: day(one.expires_at),
                      size: sizeText(one.quota_bytes),
                    })
                    : operator.until({ when: day(one.expires_at) })}
                </div>
                <Button
                  aria-label={operator.takeBackThis({
                    when: day(one.expires_at),
                  })}
                  onClick={() => takeBack(one.invitation_id)}
                >
                  {operator.takeBack}
                </Button>
              </li>
            ))}
          </ul>
        )}
    </Group>
  );
}

function Invite({ hasMail, close }: {
  readonly hasMail: boolean;
  readonly close: () => void;
}) {
  const { common, operator } = messages.value;
  const doing = useDoing();
  const [days, setDays] = useState("7");
  const [gib, setGib] = useState("");
  const [mail, setMail] = useState("");
  const [made, setMade] = useState<Made>();
  const make = () => {
    const count = Number(days);
    if (!Number.isInteger(count) || count < 1 || count > 365) {
      return doing.refuse(operator.daysWrong);
    }
    const quota = gib.trim() === "" ? "none" : bytesOf(gib);
    if (quota === undefined) return doing.refuse(operator.quotaWrong);
    const mailTo = mail.trim();
    return doing.run(async () =>
      setMade({
        wasAsked: mailTo !== "",
        ...await vault().operator.invite({
          days: count,
          ...quota === "none" ? {} : { quota_bytes: quota },
          ...mailTo === "" ? {} : { mail_to: mailTo },
        }),
      })
    );
  };
  return (
    <Dialog title={operator.inviteTitle} onClose={close}>
      {made !== undefined
        ? <MadeLink made={made} close={close} />
        : (
          <Form onSubmit={make} class="stack">
            <Field
              label={operator.days}
              inputMode="numeric"
              required
              autofocus
              value={days}
              onInput={setDays}
            />
            <Field
              label={operator.inviteQuota}
              hint={operator.inviteQuotaHint}
              inputMode="numeric"
              value={gib}
              onInput={setGib}
            />
            {hasMail && (
              <Field
                label={operator.mailTo}
                type="email"
                value={mail}
                onInput={setMail}
              />
            )}
            <Refused doing={doing} />
            <div class="actions">
              <Button onClick={close}>{common.cancel}</Button>
              <Button kind="main" type="submit" busy={doing.busy}>
                {operator.invite}
              </Button>
            </div>
          </Form>
        )}
    </Dialog>
  );
}

/** A link that was made, and whether it was to be mailed. */
interface Made {
  readonly link: string;
  readonly expires_at: string;
  readonly mailed: boolean;
  readonly wasAsked: boolean;
}

/** Shows a link this once, to copy or to scan. */
function MadeLink({ made, close }: {
  readonly made: Made;
  readonly close: () => void;
}) {
  const { common, operator } = messages.value;
  const [isCopied, setCopied] = useState(false);
  useEffect(() => setCopied(false), [made.link]);
  return (
    <div class="stack">
      <p class="typed-code">
        <strong translate={false} class="made-link">{made.link}</strong>
      </p>
      <p class="quiet small">
        {operator.linkWhy({ when: day(made.expires_at) })}
      </p>
      {made.wasAsked && (
        <Notice kind={made.mailed ? "good" : "warn"}>
          {made.mailed ? operator.mailed : operator.notMailed}
        </Notice>
      )}
      <QrCode text={made.link} label={operator.qr} />
      <div class="actions">
        <Button onClick={async () => setCopied(await copyText(made.link))}>
          {isCopied ? operator.copied : operator.copy}
        </Button>
        <Button kind="main" onClick={close}>{common.close}</Button>
      </div>
    </div>
  );
}
