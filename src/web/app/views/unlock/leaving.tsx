/**
 * Locking and signing out. Both warn first if the photos could become
 * inaccessible.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { Button } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { go, goInstead, href } from "../../routes.ts";
import { standing, vault } from "../../vault.ts";
import { words } from "../../words.ts";
import { PhraseDialog } from "../entry/phrase_dialog.tsx";

/** Locks; asks for an unlock phrase first if there is none. */
export async function lockNow(): Promise<void> {
  if (standing.value?.phrase === true) await vault().session.lock();
  else overlay((close) => <FirstPhrase end={close} />);
}

/** Signs out; asks first if nothing else could open the photos again. */
export async function signOutNow(): Promise<void> {
  try {
    if ((await vault().session.notices()).wordsDue) {
      overlay((close) => <WithoutWords end={close} />);
      return;
    }
  } catch {
    // Without a network it is not known, so nobody is asked.
  }
  await signOut();
}

async function signOut(): Promise<void> {
  goInstead("#/");
  try {
    await vault().session.signOut();
  } catch (error) {
    toast(faultText(error));
  }
}

function FirstPhrase({ end }: { readonly end: () => void }) {
  const { entry, frame, settings } = words.value;
  return (
    <PhraseDialog
      title={settings.lockFirst}
      label={entry.unlockPhrase}
      hint={entry.unlockPhraseHint}
      done={frame.lock}
      close={end}
      keep={async (phrase) => {
        await vault().settings.sealBrowser(phrase);
        await vault().session.lock();
      }}
    >
      <p class="quiet">{settings.lockFirstWhy}</p>
    </PhraseDialog>
  );
}

function WithoutWords({ end }: { readonly end: () => void }) {
  const { entry, frame, settings } = words.value;
  return (
    <Dialog
      title={settings.signOutWithout}
      onClose={end}
      actions={
        <>
          <Button
            kind="danger"
            onClick={() => {
              end();
              signOut();
            }}
          >
            {frame.signOut}
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
      <p>{settings.signOutWithoutWhy}</p>
    </Dialog>
  );
}
