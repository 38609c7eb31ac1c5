/**
 * The devices among the settings: where the account is signed in, and adding
 * one.
 *
 * @module
 */
import type { OwnDevice } from "../../../../library/mod.ts";
import { useLoaded } from "../../loaded.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Button, IconButton, Notice } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { askName } from "../../parts/naming.tsx";
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
  const { id: deviceId, session, addedAt } = device;
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
      {deviceId !== undefined && (
        <IconButton
          icon="edit"
          label={settings.renameDevice({ name })}
          onClick={() =>
            askName({
              title: settings.renameDeviceTitle,
              label: settings.deviceName,
              hint: settings.deviceNameHint,
              most: 80,
              name,
              act: async (typed) => {
                await vault().settings.nameDevice(deviceId, typed);
                again();
              },
            })}
        />
      )}
      {session !== undefined && !device.current && (
        <Button
          onClick={() =>
            confirm({
              title: settings.endTitle({ name }),
              text: <p>{settings.endWhy}</p>,
              action: settings.end,
              act: async () => {
                await vault().settings.endSession(session.id);
                toast(settings.ended);
                again();
              },
            })}
        >
          {settings.end}
        </Button>
      )}
    </li>
  );
}
