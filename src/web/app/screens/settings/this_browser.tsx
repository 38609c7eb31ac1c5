/**
 * The settings page `browser`: what this browser keeps, and when it locks.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import { useLoaded } from "../../loaded.ts";
import { Button } from "../../parts/controls.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { ownConnection } from "../../own_connection.ts";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Refused, useDoing } from "../entry/card.tsx";
import { askToLast, lasting, lookIfLasting } from "../entry/lasting.ts";
import { PhraseDialog } from "../entry/phrase_dialog.tsx";
import { lockNow } from "../unlock/leaving.tsx";
import { Group } from "./parts.tsx";
import { Which } from "./secrets.tsx";
import { Choice } from "./choice.tsx";

const MINUTES = [1, 5, 15, 30, 60, 0];

/** The page `browser`. */
export function ThisBrowser() {
  const { albums, frame, secrets, settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.lockMinutes(), []);
  const doing = useDoing();
  const isSet = sessionState.value?.phrase === true;
  const isHttp = ownConnection() !== "safe";
  const drop = () =>
    doing.run(async () => {
      if (await isHiddenLocked()) return doing.refuse(albums.hiddenFirst);
      await vault().settings.sealBrowser(undefined);
      toast(settings.lockDropped);
    });
  const change = () =>
    doing.run(async () => {
      if (await isHiddenLocked()) return doing.refuse(albums.hiddenFirst);
      overlay((close) => <UnlockPhrase close={close} />);
    });
  const off = isHttp ? settings.lockOffHttp : settings.lockOff;
  return (
    <>
      <Group
        title={settings.lock}
        why={`${settings.lockWhy} ${secrets.browserFor}`}
      >
        <p>{isSet ? settings.lockOn : off}</p>
        <Refused doing={doing} />
        <div class="actions">
          <Button
            kind={isSet ? "plain" : "main"}
            onClick={change}
          >
            {isSet ? settings.lockChange : settings.lockSet}
          </Button>
          {isSet && (
            <Button kind="danger" busy={doing.busy} onClick={drop}>
              {settings.lockDrop}
            </Button>
          )}
        </div>
      </Group>
      <Group>
        {loaded.value !== undefined && (
          <Choice
            label={settings.lockAfter}
            value={String(loaded.value)}
            options={MINUTES.map((one) => [
              String(one),
              settings.minutes({ n: one }),
            ])}
            onChange={async (value) => {
              await vault().settings.setLockMinutes(Number(value));
              loaded.again();
            }}
          />
        )}
        <div>
          <Button icon="lock" onClick={lockNow}>{frame.lock}</Button>
        </div>
      </Group>
      <Lasting />
      <Which />
    </>
  );
}

/** Whether somebody has to open hidden photos before the lock changes. */
async function isHiddenLocked(): Promise<boolean> {
  return !(await vault().settings.hiddenLock()).isOpen;
}

/** What the browser said to keeping the key. */
function Lasting() {
  const { settings } = messages.value;
  useEffect(() => {
    lookIfLasting();
  }, []);
  if (lasting.value === undefined) return null;
  return (
    <Group title={settings.lasting}>
      <p>{lasting.value ? settings.lastingOn : settings.lastingOff}</p>
      <p>{settings.siteData}</p>
      {!lasting.value && ownConnection() === "safe" && (
        <div>
          <Button onClick={askToLast}>{settings.lastingAsk}</Button>
        </div>
      )}
    </Group>
  );
}

function UnlockPhrase({ close }: { readonly close: () => void }) {
  const { common, entry, secrets, settings } = messages.value;
  return (
    <PhraseDialog
      title={settings.lockSet}
      label={entry.unlockPhrase}
      hint={entry.unlockPhraseHint}
      done={common.save}
      close={close}
      keep={async (phrase, password) => {
        await vault().settings.sealBrowser(phrase, password);
        toast(settings.lockKept);
        close();
      }}
    >
      <p class="quiet">{secrets.browserFor}</p>
    </PhraseDialog>
  );
}
