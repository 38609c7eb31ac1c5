/**
 * Whether photos are to be found by the words or the things in them, and by
 * which device.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import type { Remote } from "../../../../client/stream/threads/thread_messages.ts";
import type {
  FindingsCalls,
  FindingsStatus,
} from "../../../workers/finding/findings_calls.ts";
import type { IdleWork } from "../../idle_work.ts";
import { useLoaded } from "../../loaded.ts";
import { messages } from "../../messages.ts";
import type { Messages } from "../../messages/types.ts";
import { faultText } from "../../faults.ts";
import { Check, Switch } from "../../parts/choices.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Button, Spinner } from "../../parts/controls.tsx";
import { toast } from "../../parts/toasts.tsx";
import { TurnOn } from "../../parts/turn_on.tsx";
import { revision, vault } from "../../vault.ts";
import { howFarText } from "./how_far.ts";
import { pictureText, things } from "./looking.ts";

/** Something to look for in photos. */
interface Kind {
  readonly texts: Messages["pictureText"] & Messages["things"];
  readonly calls: () => Pick<
    Remote<{ of: FindingsCalls<unknown> }>["of"],
    "status" | "turn"
  >;
  readonly work: IdleWork;
  /** What it does, next to its switch. */
  readonly hint: string;
}

/** Words in photos. */
export const ofWords = (): Kind => ({
  texts: messages.value.pictureText,
  calls: () => vault().pictureText,
  work: pictureText,
  hint: messages.value.settings.find.words,
});

/** Things in photos. */
export const ofThings = (): Kind => ({
  texts: messages.value.things,
  calls: () => vault().things,
  work: things,
  hint: messages.value.settings.find.things,
});

/** The switch of a kind in the settings; while it is on, how far it is. */
export function FindingsSwitch({ kind }: { readonly kind: Kind }) {
  const { texts, calls, work, hint } = kind;
  const status = useStatus(kind);
  if (status === undefined) return null;
  return (
    <section class="stack" aria-label={texts.title}>
      <Switch
        label={texts.turnOn}
        isOn={status.isOn}
        onChange={(wanted) => {
          if (!wanted) turnOff(texts, calls);
          else calls().turn(true).catch((error) => toast(faultText(error)));
        }}
      >
        {hint}
      </Switch>
      {status.isOn && (
        <>
          <HowFar texts={texts} work={work} status={status} />
          <Here texts={texts} work={work} />
        </>
      )}
    </section>
  );
}

/** Whether this device looks. */
function Here({ texts, work }: Pick<Kind, "texts" | "work">) {
  return (
    <Check
      label={texts.here}
      checked={work.isHere.value}
      onChange={work.choose}
    >
      {texts.hereWhy}
    </Check>
  );
}

/** How far looking is; while it is on, this device takes part. */
export function useStatus(
  { calls, work }: Kind,
): FindingsStatus | undefined {
  const { value: status } = useLoaded(
    () => calls().status(),
    [revision.value],
  );
  const isOn = status?.isOn === true;
  useEffect(() => {
    if (isOn) work.start();
  }, [isOn]);
  return status;
}

/** Turning it on; or how far it is, which device looks, and turning it off. */
export function Choice(
  { kind: { texts, calls, work }, status }: {
    readonly kind: Kind;
    readonly status: FindingsStatus;
  },
) {
  return status.isOn
    ? (
      <>
        <HowFar texts={texts} work={work} status={status} />
        <Here texts={texts} work={work} />
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
