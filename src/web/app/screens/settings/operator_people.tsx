/**
 * The people of a server, and what its operator can do about each.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { OperatedPerson } from "../../../../client/api/operator_calls.ts";
import { Button } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import { dayText, messages, sizeText } from "../../messages.ts";
import { Group, Line } from "./parts.tsx";
import { bytesOf, GIB } from "./quota.ts";

function nameOf(person: OperatedPerson): string {
  return person.address ?? person.display_name ??
    messages.value.operator.unnamed;
}

/** Everyone with an account, and what can be done about each. */
export function People({ people, me, again }: {
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
                  ? operator.seen({ when: dayText(person.last_used_at) })
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
