/**
 * Locking and signing out. Both warn first if the photos could become
 * inaccessible.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { Button } from "../../parts/controls.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { go, goInstead, href } from "../../routes.ts";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { noteOpened } from "../entry/forgetting.ts";
import { Refused, useDoing } from "../entry/card.tsx";
import { PhraseDialog } from "../entry/phrase_dialog.tsx";

/** Locks; asks for a browser phrase first if there is none. */
export async function lockNow(): Promise<void> {
  if (sessionState.value?.phrase === true) await vault().session.lock();
  else overlay((close) => <FirstPhrase end={close} />);
}

/** Signs out, after telling what opens the photos here again. */
export async function signOutNow(): Promise<void> {
  const { frame, settings } = messages.value;
  if (await mayBeLost()) {
    overlay((close) => (
      <WithoutWords
        title={settings.signOutWithout}
        why={settings.signOutWithoutWhy}
        action={frame.signOut}
        act={signOut}
        end={close}
      />
    ));
    return;
  }
  confirm({
    title: settings.signOutTitle,
    text: <p>{settings.signOutWhy}</p>,
    action: frame.signOut,
    danger: false,
    act: signOut,
  });
}

/** Signs out on every device, after the same warning. */
export async function signOutEverywhereNow(): Promise<void> {
  const { settings } = messages.value;
  const isLast = await mayBeLost();
  const act = async () => {
    await vault().settings.signOutEverywhere(isLast);
    noteOpened(false);
  };
  if (isLast) {
    overlay((close) => (
      <WithoutWords
        title={settings.everywhereWithout}
        why={settings.everywhereWithoutWhy}
        action={settings.everywhere}
        act={act}
        end={close}
      />
    ));
    return;
  }
  confirm({
    title: settings.everywhereTitle,
    text: <p>{settings.everywhereWhy}</p>,
    action: settings.everywhere,
    act,
  });
}

/** Whether no words and no sentence would open the photos again. */
async function mayBeLost(): Promise<boolean> {
  try {
    return !await vault().session.hasWayBack();
  } catch {
    // Without a network it is not known.
    return false;
  }
}

async function signOut(): Promise<void> {
  noteOpened(false);
  goInstead("#/");
  try {
    await vault().session.signOut();
  } catch (error) {
    toast(faultText(error));
  }
}

/** Asks for the phrase that keeps the key in a browser that forgets it. */
export function keepHere(): void {
  const { entry, secrets, settings } = messages.value;
  overlay((close) => (
    <PhraseDialog
      title={entry.browserTitle}
      label={entry.unlockPhrase}
      hint={entry.unlockPhraseHint}
      done={entry.withUnlockPhrase}
      close={close}
      keep={async (phrase, password) => {
        await vault().settings.sealBrowser(phrase, password);
        sessionState.value = await vault().session.state();
        toast(settings.lockKept);
        close();
      }}
    >
      <p class="quiet">{settings.lockWhy} {secrets.browserFor}</p>
    </PhraseDialog>
  ));
}

function FirstPhrase({ end }: { readonly end: () => void }) {
  const { entry, frame, secrets, settings } = messages.value;
  return (
    <PhraseDialog
      title={settings.lockFirst}
      label={entry.unlockPhrase}
      hint={entry.unlockPhraseHint}
      done={frame.lock}
      close={end}
      keep={async (phrase, password) => {
        await vault().settings.sealBrowser(phrase, password);
        await vault().session.lock();
      }}
    >
      <p class="quiet">
        {settings.lockFirstWhy} {secrets.browserFor}
      </p>
    </PhraseDialog>
  );
}

function WithoutWords({ title, why, action, act, end }: {
  readonly title: string;
  readonly why: string;
  readonly action: string;
  readonly act: () => Promise<void>;
  readonly end: () => void;
}) {
  const { entry } = messages.value;
  const doing = useDoing();
  return (
    <Dialog
      title={title}
      onClose={end}
      actions={
        <>
          <Button
            kind="danger"
            busy={doing.busy}
            onClick={async () => {
              if (await doing.run(act)) end();
            }}
          >
            {action}
          </Button>
          <Button
            kind="main"
            onClick={() => {
              end();
              go(href("words"));
            }}
          >
            {entry.remindAct}
          </Button>
        </>
      }
    >
      <p>{why}</p>
      <Refused doing={doing} />
    </Dialog>
  );
}
