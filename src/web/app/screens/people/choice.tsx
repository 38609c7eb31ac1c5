/**
 * Whether people are to be found by their faces, and by which device.
 *
 * @module
 */
import { Check } from "../../parts/choices.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Button } from "../../parts/controls.tsx";
import { toast } from "../../parts/toasts.tsx";
import { TurnOn } from "../../parts/turn_on.tsx";
import { useLoaded } from "../../loaded.ts";
import { revision, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Group } from "../settings/parts.tsx";
import { looking } from "./looking.ts";

/** What it is, and the button that turns it on. */
export function TurnOnFaces() {
  const { faces } = messages.value;
  return (
    <TurnOn
      how={faces.how}
      choose={faces.choose}
      size={faces.size}
      label={faces.turnOn}
      turn={async () => {
        await vault().faces.turn(true);
        looking.start();
      }}
    />
  );
}

/** The box of it in the settings. */
export function FacesSettings() {
  const { faces } = messages.value;
  const { value: isOn } = useLoaded(
    () => vault().faces.isOn(),
    [revision.value],
  );
  if (isOn === undefined) return null;
  return (
    <Group title={faces.title}>
      {isOn ? <FacesControls /> : <TurnOnFaces />}
    </Group>
  );
}

/** Whether this device looks, and turning it off. */
export function FacesControls() {
  const { faces } = messages.value;
  return (
    <>
      <Check
        label={faces.here}
        checked={looking.isHere.value}
        onChange={looking.choose}
      >
        {faces.hereWhy}
      </Check>
      <div class="actions">
        <Button icon="trash" onClick={turnOff}>{faces.turnOff}</Button>
      </div>
    </>
  );
}

function turnOff(): void {
  const { faces } = messages.value;
  confirm({
    title: faces.turnOffTitle,
    text: faces.turnOffText,
    action: faces.turnOff,
    act: async () => {
      await vault().faces.turn(false);
      toast(faces.deleted);
    },
  });
}
