/**
 * This browser among the settings: its lock, when it locks by itself, and
 * whether it keeps the key.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import { useLoaded } from "../../loaded.ts";
import { Switch } from "../../parts/choices.tsx";
import { Button } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { ownConnection } from "../../own_connection.ts";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { askToLast, lasting, lookIfLasting } from "../entry/lasting.ts";
import { PhraseDialog } from "../entry/phrase_dialog.tsx";
import { lockNow } from "../unlock/leaving.tsx";
import { Group } from "./parts.tsx";
import { Choice } from "./choice.tsx";

const MINUTES = [1, 5, 15, 30, 60, 0];

/** The box of this browser. */
export function ThisBrowser() {
  const { shell, settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.lockMinutes(), []);
  const doing = useDoing();
  const isSet = sessionState.value?.phrase === true;
  const drop = () =>
    doing.run(async () => {
      await vault().settings.sealBrowser(undefined);
      toast(settings.lockDropped);
    });
  return (
    <Group part="browser" title={settings.browser}>
      <Switch
        label={settings.lock}
        isOn={isSet}
        disabled={doing.busy}
        onChange={(isOn) => {
          if (!isOn) drop();
          else {
            overlay((close) => (
              <UnlockPhrase title={settings.lock} close={close} />
            ));
          }
        }}
      >
        {isSet || ownConnection() === "safe"
          ? settings.lockWhy
          : settings.lockOffHttp}
      </Switch>
      <Refused doing={doing} />
      {isSet && (
        <>
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
          <div class="actions start">
            <Button icon="lock" onClick={lockNow}>{shell.lock}</Button>
            <Button
              onClick={() =>
                overlay((close) => (
                  <UnlockPhrase title={settings.lockChange} close={close} />
                ))}
            >
              {settings.lockChange}
            </Button>
          </div>
        </>
      )}
      <Lasting />
    </Group>
  );
}

/** What the browser said to keeping the key. */
function Lasting() {
  const { settings } = messages.value;
  useEffect(() => {
    lookIfLasting();
  }, []);
  if (lasting.value === undefined) return null;
  return (
    <section class="stack" aria-label={settings.lasting}>
      <p class="quiet small">
        {lasting.value ? settings.lastingOn : settings.lastingOff}{" "}
        {settings.siteData}
      </p>
      {!lasting.value && ownConnection() === "safe" && (
        <div>
          <Button onClick={askToLast}>{settings.lastingAsk}</Button>
        </div>
      )}
    </section>
  );
}

function UnlockPhrase({ title, close }: {
  readonly title: string;
  readonly close: () => void;
}) {
  const { common, entry, settings } = messages.value;
  return (
    <PhraseDialog
      title={title}
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
      <p class="quiet">{settings.lockWhy}</p>
    </PhraseDialog>
  );
}
