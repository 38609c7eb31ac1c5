/**
 * The settings page `devices`: where the account is signed in, and adding a
 * device.
 *
 * @module
 */
import type { OwnDevice } from "../../../../client/library/mod.ts";
import { useLoaded } from "../../loaded.ts";
import { Button } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import { timeText, words } from "../../words.ts";
import { Refused, useDoing } from "../entry/card.tsx";
import { AddDevice } from "./add_device.tsx";
import { Group, Waiting } from "./parts.tsx";

/** The page `devices`. */
export function Devices() {
  const { settings } = words.value;
  const loaded = useLoaded(() => vault().settings.devices(), []);
  const devices = loaded.value;
  const signedIn = devices?.filter(({ session }) => session !== undefined);
  const others = devices?.filter(({ session }) => session === undefined) ?? [];
  return (
    <>
      <div class="actions">
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
      </div>
      <Group title={settings.devices} why={settings.devicesWhy}>
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
      <Group>
        <div>
          <Button
            kind="danger"
            icon="signOut"
            onClick={() => overlay((close) => <Everywhere close={close} />)}
          >
            {settings.everywhere}
          </Button>
        </div>
      </Group>
    </>
  );
}

function Device(
  { device, again }: {
    readonly device: OwnDevice;
    readonly again: () => void;
  },
) {
  const { settings } = words.value;
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
            ? settings.used(timeText(session.lastUsedAt))
            : addedAt !== undefined &&
              settings.added(timeText(addedAt, { dateStyle: "medium" }))}
        </div>
      </div>
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

function EndSession(
  { id, name, close }: {
    readonly id: string;
    readonly name: string;
    readonly close: () => void;
  },
) {
  const { common, settings } = words.value;
  const doing = useDoing();
  const end = () =>
    doing.run(async () => {
      await vault().settings.endSession(id);
      toast(settings.ended);
      close();
    });
  return (
    <Dialog
      title={settings.endTitle(name)}
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

function Everywhere({ close }: { readonly close: () => void }) {
  const { common, settings } = words.value;
  const doing = useDoing();
  return (
    <Dialog
      title={settings.everywhereTitle}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{common.cancel}</Button>
          <Button
            kind="danger"
            busy={doing.busy}
            onClick={() =>
              doing.run(() => vault().settings.signOutEverywhere())}
          >
            {settings.everywhere}
          </Button>
        </>
      }
    >
      <p>{settings.everywhereWhy}</p>
      <Refused doing={doing} />
    </Dialog>
  );
}
