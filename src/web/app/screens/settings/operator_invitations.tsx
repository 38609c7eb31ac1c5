/**
 * Invitations to a server: those that are open, and making one.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { OpenInvitation } from "../../../../client/api/operator_calls.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import { dayText, messages, sizeText } from "../../messages.ts";
import { copyText } from "../sharing/copying.ts";
import { Group } from "./parts.tsx";
import { bytesOf } from "./quota.ts";

const QrCode = lazily(async () => (await import("../../parts/qr.tsx")).QrCode);

/** Invitations that were not used yet, and making one. */
export function Invitations({ invitations, hasMail, again }: {
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
                      when: dayText(one.expires_at),
                      size: sizeText(one.quota_bytes),
                    })
                    : operator.until({ when: dayText(one.expires_at) })}
                </div>
                <Button
                  aria-label={operator.takeBackThis({
                    when: dayText(one.expires_at),
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
        {operator.linkWhy({ when: dayText(made.expires_at) })}
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
