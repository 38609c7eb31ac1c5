/**
 * The page after sign-in on a device without keys: the ways to get them.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { dropLink, takeLink, waitingLink } from "../../joining.ts";
import { Button, Field, Notice } from "../../parts/controls.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { route } from "../../routes.ts";
import { standing, vault } from "../../vault.ts";
import { words } from "../../words.ts";
import { Card, Refused, useDoing } from "../entry/card.tsx";
import { FromDevice } from "./from_device.tsx";
import { WordsField } from "./words_field.tsx";

type Way = "device" | "words" | "phrase";

/** The ways to the account's keys. */
export function Unlock() {
  const { entry, frame } = words.value;
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
  { title, onBack, open, children }: {
    readonly title: string;
    readonly onBack: () => void;
    readonly open: () => Promise<void>;
    readonly children: ComponentChildren;
  },
) {
  const { entry } = words.value;
  const doing = useDoing();
  return (
    <Card title={title} back={onBack} onSubmit={() => doing.run(open)}>
      {children}
      <Refused doing={doing} />
      <Button kind="main" type="submit" busy={doing.busy}>
        {entry.unlock}
      </Button>
    </Card>
  );
}

function ByWords({ onBack }: { readonly onBack: () => void }) {
  const { entry } = words.value;
  const [typed, setTyped] = useState("");
  return (
    <Opening
      title={entry.byWords}
      onBack={onBack}
      open={async () => {
        standing.value = await vault().session.recover(typed);
      }}
    >
      <WordsField value={typed} onInput={setTyped} />
    </Opening>
  );
}

function ByPhrase({ onBack }: { readonly onBack: () => void }) {
  const { entry } = words.value;
  const [typed, setTyped] = useState("");
  return (
    <Opening
      title={entry.byPhrase}
      onBack={onBack}
      open={async () => {
        standing.value = await vault().session.recover(typed);
      }}
    >
      <Field
        label={entry.phraseField}
        type="password"
        autocomplete="off"
        required
        autofocus
        value={typed}
        onInput={setTyped}
      />
    </Opening>
  );
}
