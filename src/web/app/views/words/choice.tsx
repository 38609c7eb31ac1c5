/**
 * Whether photos are to be found by the words in them, and read by this device.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import type { WordsStatus } from "../../../workers/words_calls.ts";
import { useLoaded } from "../../loaded.ts";
import { messages } from "../../messages.ts";
import { Check } from "../../parts/choices.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Button, Spinner } from "../../parts/controls.tsx";
import { toast } from "../../parts/toasts.tsx";
import { TurnOn } from "../../parts/turn_on.tsx";
import { revision, vault } from "../../vault.ts";
import { Group } from "../settings/parts.tsx";
import { looking } from "./looking.ts";

/** The box of it in the settings. */
export function WordsSettings() {
  const { words } = messages.value;
  const { value: status } = useLoaded(
    () => vault().words.status(),
    [revision.value],
  );
  const isOn = status?.isOn === true;
  useEffect(() => {
    if (isOn) looking.start();
  }, [isOn]);
  if (status === undefined) return null;
  return (
    <Group title={words.title}>
      {isOn
        ? (
          <>
            <HowFar status={status} />
            <Check
              label={words.here}
              checked={looking.isHere.value}
              onChange={looking.choose}
            >
              {words.hereWhy}
            </Check>
            <div class="actions">
              <Button icon="trash" onClick={turnOff}>{words.turnOff}</Button>
            </div>
          </>
        )
        : (
          <TurnOn
            how={words.how}
            choose={words.choose}
            size={words.size}
            label={words.turnOn}
            turn={() => vault().words.turn(true)}
          />
        )}
    </Group>
  );
}

/** How many photos are still to be read. */
function HowFar({ status }: { readonly status: WordsStatus }) {
  const { words } = messages.value;
  const { left, isFull } = status;
  const says = isFull
    ? words.full
    : left === 0
    ? words.done
    : looking.fault.value !== undefined
    ? words.fault
    : looking.isHere.value
    ? words.left({ n: left })
    : words.waiting({ n: left });
  return (
    <p class="quiet words-progress" role="status">
      {looking.isBusy.value && left > 0 && <Spinner />} {says}
    </p>
  );
}

function turnOff(): void {
  const { words } = messages.value;
  confirm({
    title: words.turnOffTitle,
    text: words.turnOffText,
    action: words.turnOff,
    act: async () => {
      await vault().words.turn(false);
      toast(words.deleted);
    },
  });
}
