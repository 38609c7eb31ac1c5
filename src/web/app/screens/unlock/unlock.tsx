/**
 * The page after sign-in on a device without keys: the ways to get them.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { dropLink, takeLink, waitingLink } from "../../joining.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { type Doing, Refused, useDoing } from "../../parts/doing.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { useLayer } from "../../history/overlay_history.ts";
import { route } from "../../routes.ts";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Card } from "../entry/card.tsx";
import { FromDevice } from "./from_device.tsx";
import {
  recoveryWordsFault,
  RecoveryWordsField,
} from "./recovery_words_field.tsx";

type Way = "device" | "words";

/** The ways to the account's keys. */
export function Unlock() {
  const { entry, shell } = messages.value;
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
      return <ByWords boxes={labels ?? []} onBack={back} />;
  }
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
        {labels !== undefined && labels.length > 0 && (
          <WayButton
            icon="key"
            title={entry.byWords}
            why={entry.byWordsWhy}
            onClick={() => setWay("words")}
          />
        )}
      </div>
      {labels?.length === 0 && <Notice kind="warn">{entry.nothingKept}</Notice>}
      <Button kind="quiet" icon="signOut" onClick={signOutHere}>
        {shell.signOut}
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

function ByWords(
  { boxes, onBack }: {
    /** The labels of what opens the account. */
    readonly boxes: readonly string[];
    readonly onBack: () => void;
  },
) {
  const { entry } = messages.value;
  const doing = useDoing();
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string>();
  const open = () =>
    doing.run(async () => {
      // What the words themselves tell is said once, at the field. Another
      // program may have set a phrase, which is no list of words.
      const { session } = vault();
      const wrong = boxes.every((label) => label === "words")
        ? recoveryWordsFault(await session.readWords(typed), typed)
        : undefined;
      setFault(wrong);
      if (wrong === undefined) {
        sessionState.value = await session.recover(typed);
      }
    });
  return (
    <Opening title={entry.byWords} onBack={onBack} open={open} doing={doing}>
      <RecoveryWordsField
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
