/**
 * The passkeys of the account, on the settings page `security`.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { OwnPasskey } from "../../../../client/library/mod.ts";
import { useLoaded } from "../../loaded.ts";
import { isCancelled, isKnown, makePasskey } from "../../passkey.ts";
import { passkeysWork } from "../../passkey_here.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Button, IconButton, Notice } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { browserName } from "../entry/browser_name.ts";
import { Refused, useDoing } from "../entry/card.tsx";
import { Group, Line, Waiting } from "./parts.tsx";

/** The list, and what adds to it. */
export function Passkeys() {
  const { settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.passkeys(), []);
  const doing = useDoing();
  const [isOnceMore, setOnceMore] = useState(false);
  const add = () =>
    doing.run(async () => {
      const asked = await vault().settings.beginPasskey();
      try {
        const { made, prf } = await makePasskey(
          asked,
          () => setOnceMore(true),
        );
        const added = await vault().settings.addPasskey({
          challengeId: asked.challenge_id,
          name: browserName(),
          made,
          prf,
        });
        toast(
          added.opensKeys ? settings.passkeyAddedOpens : settings.passkeyAdded,
        );
        loaded.again();
      } catch (error) {
        if (isKnown(error)) return doing.refuse(settings.passkeyKnown);
        if (!isCancelled(error)) throw error;
        doing.refuse(settings.passkeyFailed);
      } finally {
        setOnceMore(false);
      }
    });
  const passkeys = loaded.value;
  return (
    <Group title={settings.passkeys} why={settings.passkeysWhy}>
      {passkeys === undefined ? <Waiting loaded={loaded} /> : (
        <>
          {passkeys.length === 0 && <p class="quiet">{settings.passkeysNone}
          </p>}
          {passkeys.map((passkey) => (
            <One
              key={passkey.passkey_id}
              passkey={passkey}
              again={loaded.again}
            />
          ))}
          {isOnceMore && <Notice kind="info">{settings.passkeyOnce}</Notice>}
          <Refused doing={doing} />
          {passkeysWork()
            ? (
              <div>
                <Button onClick={add} busy={doing.busy}>
                  {settings.passkeyAdd}
                </Button>
              </div>
            )
            : <p class="quiet small">{settings.passkeysNotHere}</p>}
        </>
      )}
    </Group>
  );
}

function One({ passkey, again }: {
  readonly passkey: OwnPasskey;
  readonly again: () => void;
}) {
  const { common, settings } = messages.value;
  const { name, passkey_id: id } = passkey;
  return (
    <Line
      name={name}
      value={passkey.opensKeys ? settings.passkeyOpens : settings.passkeySigns}
    >
      <IconButton
        icon="edit"
        label={settings.passkeyRename({ name })}
        onClick={() =>
          overlay((close) => (
            <Rename id={id} name={name} close={close} again={again} />
          ))}
      />
      <IconButton
        icon="trash"
        label={settings.passkeyRemove({ name })}
        onClick={() =>
          confirm({
            title: settings.passkeyRemoveTitle({ name }),
            text: settings.passkeyRemoveWhy,
            action: common.remove,
            act: async () => {
              await vault().settings.removePasskey(id);
              toast(settings.passkeyRemoved);
              again();
            },
          })}
      />
    </Line>
  );
}

function Rename({ id, name, close, again }: {
  readonly id: string;
  readonly name: string;
  readonly close: () => void;
  readonly again: () => void;
}) {
  const { common, settings } = messages.value;
  const doing = useDoing();
  const [typed, setTyped] = useState(name);
  const save = () =>
    doing.run(async () => {
      await vault().settings.renamePasskey(id, typed);
      again();
      close();
    });
  return (
    <Dialog title={settings.passkeyRenameTitle} onClose={close}>
      <Form onSubmit={save}>
        <Field
          label={settings.deviceName}
          value={typed}
          required
          autofocus
          maxLength={64}
          onInput={setTyped}
        />
        <Refused doing={doing} />
        <div class="actions">
          <Button onClick={close}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={doing.busy}>
            {common.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
