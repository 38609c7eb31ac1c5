/**
 * Whether photos are to be found by what they show, and by this device.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import type { ServedModels } from "../../../../core/meaning.ts";
import type { MeaningStatus } from "../../../workers/meaning_calls.ts";
import { useLoaded } from "../../loaded.ts";
import { Check } from "../../parts/choices.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Button, Spinner } from "../../parts/controls.tsx";
import { toast } from "../../parts/toasts.tsx";
import { TurnOn } from "../../parts/turn_on.tsx";
import { messages, sizeText } from "../../messages.ts";
import { revision, vault } from "../../vault.ts";
import { Group } from "../settings/parts.tsx";
import { looking, startModels } from "./looking.ts";

/** What runs the models, as it is sent (bytes). */
const ENGINE_BYTES = 3_700_000;

/** What it is, and the button that turns it on. */
export function TurnOnMeaning({ models }: { readonly models: ServedModels }) {
  const { meaning } = messages.value;
  const size = Object.values(models.files)
    .reduce((sum, file) => sum + file.size, ENGINE_BYTES);
  return (
    <TurnOn
      how={meaning.how}
      choose={meaning.choose}
      size={meaning.size({ size: sizeText(size), name: models.name })}
      label={meaning.turnOn}
      turn={async () => {
        await vault().meaning.turn(true);
        looking.start();
      }}
    />
  );
}

/** The box of it in the settings; nothing where the server has no models. */
export function MeaningSettings() {
  const { meaning } = messages.value;
  const { value: status } = useLoaded(
    () => vault().meaning.status(),
    [revision.value],
  );
  const isOn = status?.kind === "on";
  useEffect(() => {
    if (isOn) looking.start();
  }, [isOn]);
  if (status === undefined) return null;
  if (status.kind === "none" && !status.isOn) return null;
  return (
    <Group title={meaning.title}>
      {status.kind === "off" ? <TurnOnMeaning models={status.models} /> : (
        <>
          <HowFar status={status} />
          <Check
            label={meaning.here}
            checked={looking.isHere.value}
            onChange={looking.choose}
          >
            {meaning.hereWhy}
          </Check>
          <div class="actions">
            <Button icon="trash" onClick={turnOff}>{meaning.turnOff}</Button>
          </div>
        </>
      )}
    </Group>
  );
}

/** How many photos this device has yet to look at. */
export function HowFar({ status }: { readonly status: MeaningStatus }) {
  const { meaning } = messages.value;
  const left = status.kind === "on" ? status.left : 0;
  const says = status.kind === "none"
    ? meaning.none
    : left === 0
    ? meaning.done
    : looking.fault.value !== undefined
    ? meaning.fault
    : looking.isHere.value
    ? meaning.left({ n: left })
    : meaning.waiting({ n: left });
  return (
    <p class="quiet meaning-progress" role="status">
      {looking.isBusy.value && left > 0 && <Spinner />} {says}
    </p>
  );
}

function turnOff(): void {
  const { meaning } = messages.value;
  confirm({
    title: meaning.turnOffTitle,
    text: meaning.turnOffText,
    action: meaning.turnOff,
    act: async () => {
      await vault().meaning.turn(false);
      const { calls, end } = startModels();
      try {
        await calls.forget();
      } finally {
        end();
      }
      toast(meaning.deleted);
    },
  });
}
