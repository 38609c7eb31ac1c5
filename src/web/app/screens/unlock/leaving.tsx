/**
 * Locking and signing out. Both ask first, so that the photos stay accessible.
 *
 * @module
 */
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { goInstead } from "../../routes.ts";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { PhraseDialog } from "../entry/phrase_dialog.tsx";
import { DropKeys } from "./drop_keys.tsx";

/** Locks; asks for a browser phrase first if none is set. */
export async function lockNow(): Promise<void> {
  if (sessionState.value?.phrase === true) await vault().session.lock();
  else overlay((close) => <FirstPhrase end={close} />);
}

/** Signs out, once the person has agreed to delete the key here. */
export function signOutNow(): void {
  overlay((close) => <DropKeys from="here" act={signOut} close={close} />);
}

/** Signs out on every device, after the same question. */
export function signOutEverywhereNow(): void {
  const act = () => vault().settings.signOutEverywhere();
  overlay((close) => <DropKeys from="everywhere" act={act} close={close} />);
}

async function signOut(): Promise<void> {
  await vault().session.signOut();
  goInstead("#/");
}

/** Asks for the phrase that keeps the key in a browser that forgets it. */
export function keepHere(): void {
  const { entry, settings } = messages.value;
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
      <p class="quiet">{settings.lockWhy}</p>
    </PhraseDialog>
  ));
}

function FirstPhrase({ end }: { readonly end: () => void }) {
  const { entry, shell, settings } = messages.value;
  return (
    <PhraseDialog
      title={settings.lockFirst}
      label={entry.unlockPhrase}
      hint={entry.unlockPhraseHint}
      done={shell.lock}
      close={end}
      keep={async (phrase, password) => {
        await vault().settings.sealBrowser(phrase, password);
        await vault().session.lock();
      }}
    >
      <p class="quiet">{settings.lockFirstWhy}</p>
    </PhraseDialog>
  );
}
