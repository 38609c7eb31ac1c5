/**
 * The page after sign-in on a device without keys: the ways to get them.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { dropLink, takeLink, waitingLink } from "../../joining.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Field } from "../../parts/form.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { useLayer } from "../../overlay_history.ts";
import { route } from "../../routes.ts";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { Card, type Doing, Refused, useDoing } from "../entry/card.tsx";
import { FromDevice } from "./from_device.tsx";
import { wordsFault, WordsField } from "./words_field.tsx";

type Way = "device" | "words" | "phrase";

/** The ways to the account's keys. */
export function Unlock() {
  const { entry, frame } = messages.value;
  const [way, setWay] = useState<Way | undefined>(
    waitingLink.value === undefined ? undefined : "device",
  );
  const [labels, setLabels] = useState<readonly string[]>();
  const here = route.value.path[0];
  useEffect(() => {
    takeLink();
    if (waitingLink.value !== undefined) setWay("device");
  }, [here]);
  useEffect(() => {
    vault().session.escrowLabels().then(setLabels, () => setLabels([]));
  }, []);
  const back = () => {
    dropLink();
    setWay(undefined);
  };
  switch (way) {
    case "device":
      return <FromDevice onBack={back} />;
    case "words":
      return <ByWords onBack={back} />;
    case "phrase":
      return <ByPhrase onBack={back} />;
  }
  const kept = (label: string) => labels?.includes(label) === true;
  return (
    <Card title={entry.unlockTitle}>
      {sessionState.value?.overtaken === true && (
        <Notice kind="warn">{entry.overtaken}</Notice>
      )}
      <p class="quiet">{entry.unlockWhy}</p>
      <div class="ways">
        <WayButton
          icon="device"
          title={entry.byDevice}
          why={entry.byDeviceWhy}
          onClick={() => setWay("device")}
        />
        {kept("words") && (
          <WayButton
            icon="key"
            title={entry.byWords}
            why={entry.byWordsWhy}
            onClick={() => setWay("words")}
          />
        )}
        {kept("phrase") && (
          <WayButton
            icon="lock"
            title={entry.byPhrase}
            why={entry.byPhraseWhy}
            onClick={() => setWay("phrase")}
          />
        )}
      </div>
      {labels?.length === 0 && <Notice kind="warn">{entry.nothingKept}</Notice>}
      <Button kind="quiet" icon="signOut" onClick={signOutHere}>
        {frame.signOut}
      </Button>
    </Card>
  );
}

/**
 * Signs out without asking, because nothing of the account could be lost here.
 */
function signOutHere(): void {
  vault().session.signOut();
}

function WayButton({ icon, title, why, onClick }: {
  readonly icon: IconName;
  readonly title: string;
  readonly why: string;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" class="way" onClick={onClick}>
      <Icon name={icon} size={24} />
      <span>
        <strong>{title}</strong>
        <span class="quiet small">{why}</span>
      </span>
      <Icon name="right" />
    </button>
  );
}

function Opening(
  { title, onBack, open, doing, children }: {
    readonly title: string;
    readonly onBack: () => void;
    readonly open: () => void;
    readonly doing: Doing;
    readonly children: ComponentChildren;
  },
) {
  const { entry } = messages.value;
  useLayer(true, onBack);
  return (
    <Card title={title} back={onBack} onSubmit={open}>
      {children}
      <Refused doing={doing} />
      <Button kind="main" type="submit" busy={doing.busy}>
        {entry.unlock}
      </Button>
    </Card>
  );
}

function ByWords({ onBack }: { readonly onBack: () => void }) {
  const { entry } = messages.value;
  const doing = useDoing();
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string>();
  const open = () =>
    doing.run(async () => {
      // What the words themselves tell is said once, at the field.
      const { session } = vault();
      const wrong = wordsFault(await session.readWords(typed), typed);
      setFault(wrong);
      if (wrong === undefined) {
        sessionState.value = await session.recover(typed);
      }
    });
  return (
    <Opening title={entry.byWords} onBack={onBack} open={open} doing={doing}>
      <WordsField
        value={typed}
        fault={fault}
        onInput={(value) => {
          setTyped(value);
          setFault(undefined);
          doing.refuse(undefined);
        }}
      />
    </Opening>
  );
}

function ByPhrase({ onBack }: { readonly onBack: () => void }) {
  const { entry, secrets } = messages.value;
  const doing = useDoing();
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string>();
  const open = () => {
    setFault(undefined);
    doing.run(async () => {
      try {
        sessionState.value = await vault().session.recover(typed);
      } catch (error) {
        const isWrong = error instanceof ThreadError &&
          error.fault.kind === "EscrowError";
        if (!isWrong) throw error;
        setFault(secrets.sentenceWrong);
      }
    });
  };
  return (
    <Opening title={entry.byPhrase} onBack={onBack} open={open} doing={doing}>
      <Field
        label={entry.phrase}
        hint={secrets.sentenceIs}
        type="password"
        autocomplete="off"
        required
        autofocus
        value={typed}
        fault={fault}
        onInput={setTyped}
      />
    </Opening>
  );
}
