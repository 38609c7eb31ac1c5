/**
 * Whether photos are to be found by the words or the things in them, and by
 * which device.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import type { Remote } from "../../../../client/threads/thread_messages.ts";
import type {
  FindingsCalls,
  FindingsStatus,
} from "../../../workers/findings_calls.ts";
import type { IdleWork } from "../../idle_work.ts";
import { useLoaded } from "../../loaded.ts";
import { messages } from "../../messages.ts";
import type { Messages } from "../../messages/generated/types.ts";
import { Check } from "../../parts/choices.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Button, Spinner } from "../../parts/controls.tsx";
import { toast } from "../../parts/toasts.tsx";
import { TurnOn } from "../../parts/turn_on.tsx";
import { revision, vault } from "../../vault.ts";
import { Group } from "../settings/parts.tsx";
import { howFarText } from "./how_far.ts";
import { things, words } from "./looking.ts";

interface Kind {
  readonly texts: Messages["words"] & Messages["things"];
  readonly calls: () => Pick<
    Remote<{ of: FindingsCalls<unknown> }>["of"],
    "status" | "turn"
  >;
  readonly work: IdleWork;
}

/** The box of words in the settings. */
export function WordsSettings() {
  return (
    <Settings
      texts={messages.value.words}
      calls={() => vault().words}
      work={words}
    />
  );
}

/** The box of things. */
export function ThingsSettings() {
  return (
    <Settings
      texts={messages.value.things}
      calls={() => vault().things}
      work={things}
    />
  );
}

function Settings({ texts, calls, work }: Kind) {
  const { value: status } = useLoaded(
    () => calls().status(),
    [revision.value],
  );
  const isOn = status?.isOn === true;
  useEffect(() => {
    if (isOn) work.start();
  }, [isOn]);
  if (status === undefined) return null;
  return (
    <Group title={texts.title}>
      {isOn
        ? (
          <>
            <HowFar texts={texts} work={work} status={status} />
            <Check
              label={texts.here}
              checked={work.isHere.value}
              onChange={work.choose}
            >
              {texts.hereWhy}
            </Check>
            <div class="actions">
              <Button icon="trash" onClick={() => turnOff(texts, calls)}>
                {texts.turnOff}
              </Button>
            </div>
          </>
        )
        : (
          <TurnOn
            how={texts.how}
            choose={texts.choose}
            size={texts.size}
            label={texts.turnOn}
            turn={() => calls().turn(true)}
          />
        )}
    </Group>
  );
}

/** How many photos are still to be looked at. */
function HowFar(
  { texts, work, status }: Pick<Kind, "texts" | "work"> & {
    readonly status: FindingsStatus;
  },
) {
  return (
    <p class="quiet" role="status">
      {work.isBusy.value && status.left > 0 && <Spinner />}{" "}
      {howFarText(texts, status, {
        isHere: work.isHere.value,
        fault: work.fault.value,
      })}
    </p>
  );
}

function turnOff(texts: Kind["texts"], calls: Kind["calls"]): void {
  confirm({
    title: texts.turnOffTitle,
    text: texts.turnOffText,
    action: texts.turnOff,
    act: async () => {
      await calls().turn(false);
      toast(texts.deleted);
    },
  });
}
