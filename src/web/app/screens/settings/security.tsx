/**
 * The settings page `security`: the password and codes, the 24 words, the
 * devices, and this browser.
 *
 * @module
 */
import { useLoaded } from "../../loaded.ts";
import { useEffect, useState } from "preact/hooks";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { go, href, route } from "../../routes.ts";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { LEAST_CHARS } from "../entry/password_rules.ts";
import { Devices } from "./devices.tsx";
import { Group, Line, Waiting } from "./parts.tsx";
import { ThisBrowser } from "./this_browser.tsx";

const QrCode = lazily(async () => (await import("../../parts/qr.tsx")).QrCode);

/** The page `security`; `#/settings/security/devices` begins at the devices. */
export function Security() {
  const { settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.profile(), []);
  const profile = loaded.value;
  const part = route.value.path[2];
  const isThere = profile !== undefined;
  useEffect(() => {
    if (part === undefined || !isThere) return;
    document.querySelector(`[data-part="${CSS.escape(part)}"]`)
      ?.scrollIntoView();
  }, [part, isThere]);
  if (profile === undefined) return <Waiting loaded={loaded} />;
  const isOn = profile.second_factor === "confirmed";
  return (
    <>
      <Group>
        {profile.has_password
          ? (
            <Line name={settings.password} value={settings.passwordWhy}>
              <Button
                onClick={() =>
                  overlay((close) => <PasswordChange close={close} />)}
              >
                {settings.passwordChange}
              </Button>
            </Line>
          )
          : <Line name={settings.password} value={settings.passwordNone} />}
        <Line
          name={settings.factor}
          value={isOn ? settings.factorOn : settings.factorOff}
        >
          <Button
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
        <RecoveryWords />
      </Group>
      <Devices />
      <ThisBrowser />
    </>
  );
}

/** The line of the 24 words: whether they were written down, and new ones. */
function RecoveryWords() {
  const { entry, settings } = messages.value;
  const loaded = useLoaded(() => vault().session.escrowLabels(), []);
  const labels = loaded.value;
  if (labels === undefined) return <Waiting loaded={loaded} />;
  const hasWords = labels.includes("words");
  return (
    <div data-part="words">
      <Line
        name={settings.words}
        value={hasWords
          ? `${settings.wordsOn} ${settings.wordsAnewWhy}`
          : settings.wordsOff}
      >
        <Button
          kind={hasWords ? "plain" : "main"}
          onClick={() => go(href("words"))}
        >
          {hasWords ? settings.wordsAnew : entry.remindAct}
        </Button>
      </Line>
    </div>
  );
}

function PasswordChange({ close }: { readonly close: () => void }) {
  const { common, entry, settings } = messages.value;
  const doing = useDoing();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [fault, setFault] = useState<string>();
  const change = () => {
    const isLong = [...next].length >= LEAST_CHARS;
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
      close();
      toast(settings.passwordChanged);
    });
  };
  return (
    <Dialog title={settings.passwordChange} onClose={close}>
      <Form onSubmit={change}>
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
          autofocus
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
        <div class="actions">
          <Button onClick={close}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={doing.busy}>
            {settings.passwordChange}
          </Button>
        </div>
      </Form>
    </Dialog>
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
