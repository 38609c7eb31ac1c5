/**
 * Whether people are to be found by their faces, and by which device.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { Check, Switch } from "../../parts/choices.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Button } from "../../parts/controls.tsx";
import { toast } from "../../parts/toasts.tsx";
import { TurnOn } from "../../parts/turn_on.tsx";
import { useLoaded } from "../../loaded.ts";
import { revision, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
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
      turn={turnOn}
    />
  );
}

/** The switch of it in the settings. */
export function FacesSwitch() {
  const { faces, settings } = messages.value;
  const { value: isOn } = useLoaded(
    () => vault().faces.isOn(),
    [revision.value],
  );
  if (isOn === undefined) return null;
  return (
    <section class="stack" aria-label={faces.title}>
      <Switch
        label={faces.turnOn}
        isOn={isOn}
        onChange={(wanted) => {
          if (wanted) turnOn().catch((error) => toast(faultText(error)));
          else turnOff();
        }}
      >
        {settings.find.people}
      </Switch>
      {isOn && <Here />}
    </section>
  );
}

async function turnOn(): Promise<void> {
  await vault().faces.turn(true);
  looking.start();
}

/** Whether this device looks. */
function Here() {
  const { faces } = messages.value;
  return (
    <Check
      label={faces.here}
      checked={looking.isHere.value}
      onChange={looking.choose}
    >
      {faces.hereWhy}
    </Check>
  );
}

/** Whether this device looks, and turning it off. */
export function FacesControls() {
  const { faces } = messages.value;
  return (
    <>
      <Here />
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
