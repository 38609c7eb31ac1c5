/**
 * The settings page `security`: the password and the second factor.
 *
 * @module
 */
import { useLoaded } from "../../loaded.ts";
import { useState } from "preact/hooks";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Refused, useDoing } from "../entry/card.tsx";
import { Group, Line, Waiting } from "./parts.tsx";
import { Secrets } from "./secrets.tsx";

const QrCode = lazily(async () => (await import("../../parts/qr.tsx")).QrCode);

const LEAST = 12;

/** The page `security`. */
export function Security() {
  const { settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.profile(), []);
  const profile = loaded.value;
  if (profile === undefined) return <Waiting loaded={loaded} />;
  const isOn = profile.second_factor === "confirmed";
  return (
    <>
      <Group title={settings.password} why={settings.passwordWhy}>
        {profile.has_password
          ? <PasswordForm />
          : <p>{settings.passwordNone}</p>}
      </Group>
      <Group title={settings.factor}>
        <Line name={isOn ? settings.factorOn : settings.factorOff}>
          <Button
            kind={isOn ? "plain" : "main"}
            onClick={() =>
              overlay((close) => {
                const end = () => {
                  close();
                  loaded.again();
                };
                return isOn
                  ? <FactorOff close={end} />
                  : <FactorOn close={end} />;
              })}
          >
            {isOn ? settings.factorTurnOff : settings.factorTurnOn}
          </Button>
        </Line>
        {isOn && <p class="quiet small">{settings.factorWarn}</p>}
      </Group>
      <Secrets />
    </>
  );
}

function PasswordForm() {
  const { entry, settings } = messages.value;
  const doing = useDoing();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [fault, setFault] = useState<string>();
  const change = () => {
    const isLong = [...next].length >= LEAST;
    setFault(isLong ? undefined : entry.passwordShort);
    if (!isLong) return;
    doing.run(async () => {
      try {
        await vault().settings.changePassword(current, next);
      } catch (error) {
        const paths = error instanceof ThreadError ? error.fault.paths : [];
        if (paths?.includes("/new_password") !== true) throw error;
        return setFault(entry.passwordCommon);
      }
      setCurrent("");
      setNext("");
      toast(settings.passwordChanged);
    });
  };
  return (
    <Form class="stack" onSubmit={change}>
      <input
        type="text"
        class="unseen"
        autocomplete="username"
        tabIndex={-1}
        aria-hidden="true"
        readOnly
        value={sessionState.value?.address ?? ""}
      />
      <Field
        label={settings.passwordNow}
        type="password"
        autocomplete="current-password"
        required
        value={current}
        onInput={setCurrent}
      />
      <Field
        label={settings.passwordNew}
        type="password"
        autocomplete="new-password"
        required
        hint={entry.passwordHint}
        fault={fault}
        value={next}
        onInput={setNext}
      />
      <Refused doing={doing} />
      <div>
        <Button kind="main" type="submit" busy={doing.busy}>
          {settings.passwordChange}
        </Button>
      </div>
    </Form>
  );
}

function FactorOn({ close }: { readonly close: () => void }) {
  const { common, settings } = messages.value;
  const doing = useDoing();
  const loaded = useLoaded(() => vault().settings.beginSecondFactor(), []);
  const [code, setCode] = useState("");
  const given = loaded.value;
  // The password is asked for before, in a dialog of its own.
  if (given === undefined && loaded.error === undefined) return null;
  return (
    <Dialog title={settings.factor} onClose={close}>
      {given === undefined ? <Waiting loaded={loaded} /> : (
        <Form
          onSubmit={() =>
            doing.run(async () => {
              const plain = code.replace(/\s/g, "");
              await vault().settings.confirmSecondFactor(plain);
              toast(settings.factorIsOn);
              close();
            })}
        >
          <p>{settings.factorScan}</p>
          <QrCode text={given.otpauth_uri} label={settings.factorQr} />
          <p class="small">
            {settings.factorType}{" "}
            <code class="secret" translate={false}>
              {given.secret.replace(/(.{4})(?=.)/g, "$1 ")}
            </code>
          </p>
          <p class="small">
            <a href={given.otpauth_uri}>{settings.factorHere}</a>
          </p>
          <Field
            label={settings.factorCode}
            autocomplete="one-time-code"
            inputMode="numeric"
            required
            autofocus
            value={code}
            onInput={setCode}
          />
          <Refused doing={doing} />
          <Notice kind="info">{settings.factorWarn}</Notice>
          <div class="actions">
            <Button onClick={close}>{common.cancel}</Button>
            <Button kind="main" type="submit" busy={doing.busy}>
              {settings.factorTurnOn}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

function FactorOff({ close }: { readonly close: () => void }) {
  const { common, settings } = messages.value;
  const doing = useDoing();
  const [code, setCode] = useState("");
  return (
    <Dialog title={settings.factorOffTitle} onClose={close}>
      <Form
        onSubmit={() =>
          doing.run(async () => {
            await vault().settings.endSecondFactor(code.replace(/\s/g, ""));
            toast(settings.factorIsOff);
            close();
          })}
      >
        <Field
          label={settings.factorCode}
          autocomplete="one-time-code"
          inputMode="numeric"
          required
          autofocus
          value={code}
          onInput={setCode}
        />
        <Refused doing={doing} />
        <div class="actions">
          <Button onClick={close}>{common.cancel}</Button>
          <Button kind="danger" type="submit" busy={doing.busy}>
            {settings.factorTurnOff}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
