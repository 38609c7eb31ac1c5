/**
 * The devices among the settings: where the account is signed in, and adding
 * one.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { OwnDevice } from "../../../../library/mod.ts";
import { useLoaded } from "../../loaded.ts";
import { Button, IconButton, Notice } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Icon } from "../../parts/icon.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { revision, vault } from "../../vault.ts";
import { dayText, messages, timeText } from "../../messages.ts";
import { signOutEverywhereNow } from "../unlock/leaving.tsx";
import { AddDevice } from "./add_device.tsx";
import { LibraryDoubt } from "./library_doubt.tsx";
import { Group, Waiting } from "./parts.tsx";

/** What this browser cannot know; nothing where another device vouches. */
function Vouching() {
  const { settings } = messages.value;
  const { value, again } = useLoaded(() => vault().settings.trustStatus(), [
    revision.value,
  ]);
  if (value === "unconfirmed") {
    return <Notice kind="info">{settings.unconfirmed}</Notice>;
  }
  if (value !== "behind") return null;
  const goOn = async () => {
    await vault().settings.goOn("people");
    again();
  };
  return (
    <Notice>
      {settings.behind} <Button onClick={goOn}>{settings.goOn}</Button>
    </Notice>
  );
}

/** The boxes of the devices. */
export function Devices() {
  const { settings } = messages.value;
  const loaded = useLoaded(() => vault().settings.devices(), []);
  const devices = loaded.value;
  const signedIn = devices?.filter(({ session }) => session !== undefined);
  const others = devices?.filter(({ session }) => session === undefined) ?? [];
  return (
    <>
      <Group
        part="devices"
        title={settings.devices}
        why={settings.devicesWhy}
      >
        <Vouching />
        <LibraryDoubt />
        {signedIn === undefined
          ? <Waiting loaded={loaded} />
          : (
            <ul class="lines">
              {signedIn.map((device) => (
                <Device
                  key={device.session?.id}
                  device={device}
                  again={loaded.again}
                />
              ))}
            </ul>
          )}
        <div class="actions start">
          <Button
            kind="main"
            icon="add"
            onClick={() =>
              overlay((close) => (
                <AddDevice
                  close={() => {
                    close();
                    loaded.again();
                  }}
                />
              ))}
          >
            {settings.add}
          </Button>
          <Button
            kind="danger"
            icon="signOut"
            onClick={signOutEverywhereNow}
          >
            {settings.everywhere}
          </Button>
        </div>
      </Group>
      {others.length > 0 && (
        <Group title={settings.otherDevices} why={settings.otherDevicesWhy}>
          <ul class="lines">
            {others.map((device, index) => (
              <Device key={index} device={device} again={loaded.again} />
            ))}
          </ul>
        </Group>
      )}
    </>
  );
}

function Device(
  { device, again }: {
    readonly device: OwnDevice;
    readonly again: () => void;
  },
) {
  const { settings } = messages.value;
  const { session, addedAt } = device;
  const name = device.name ?? settings.unnamed;
  return (
    <li class="line">
      <Icon name="device" size={24} />
      <div>
        <strong>{name}</strong>{" "}
        {device.current && <span class="tag">{settings.thisDevice}</span>}
        <div class="quiet small">
          {session !== undefined
            ? settings.used({ when: timeText(session.lastUsedAt) })
            : addedAt !== undefined &&
              settings.added({
                day: dayText(addedAt),
              })}
        </div>
      </div>
      {device.id !== undefined && (
        <IconButton
          icon="edit"
          label={settings.renameDevice({ name })}
          onClick={() =>
            overlay((close) => (
              <Rename
                id={device.id ?? ""}
                name={name}
                close={close}
                again={again}
              />
            ))}
        />
      )}
      {session !== undefined && !device.current && (
        <Button
          onClick={() =>
            overlay((close) => (
              <EndSession
                id={session.id}
                name={name}
                close={() => {
                  close();
                  again();
                }}
              />
            ))}
        >
          {settings.end}
        </Button>
      )}
    </li>
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
  const save = async () => {
    const isDone = await doing.run(() =>
      vault().settings.nameDevice(id, typed.trim())
    );
    if (!isDone) return;
    again();
    close();
  };
  return (
    <Dialog title={settings.renameDeviceTitle} onClose={close}>
      <Form onSubmit={save}>
        <Field
          label={settings.deviceName}
          hint={settings.deviceNameHint}
          value={typed}
          required
          autofocus
          maxLength={80}
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

function EndSession(
  { id, name, close }: {
    readonly id: string;
    readonly name: string;
    readonly close: () => void;
  },
) {
  const { common, settings } = messages.value;
  const doing = useDoing();
  const end = () =>
    doing.run(async () => {
      await vault().settings.endSession(id);
      toast(settings.ended);
      close();
    });
  return (
    <Dialog
      title={settings.endTitle({ name })}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{common.cancel}</Button>
          <Button kind="danger" busy={doing.busy} onClick={end}>
            {settings.end}
          </Button>
        </>
      }
    >
      <p>{settings.endWhy}</p>
      <Refused doing={doing} />
    </Dialog>
  );
}
