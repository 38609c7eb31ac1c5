/**
 * Verifying a person by the number that two people compare.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { Button, Notice, Spinner } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { vault } from "../../vault.ts";
import { messages, timeText } from "../../messages.ts";
import { ChangedKey } from "./changed_key.tsx";
import { SafetyNumber } from "./safety_number.tsx";

/** A member of an album. */
export function Person(
  { userId, albumId, onBack, onClose }: {
    readonly userId: string;
    /** The album whose names for people count. */
    readonly albumId?: string;
    readonly onBack: () => void;
    readonly onClose: () => void;
  },
) {
  const { albums, common } = messages.value;
  const { value: person, error, again } = useLoaded(
    () => vault().people.person(userId, albumId),
    [userId],
  );
  const [fault, setFault] = useState<string>();
  if (person?.changed !== undefined) {
    return (
      <ChangedKey
        person={person}
        onEnd={(believed) => believed ? again() : onBack()}
      />
    );
  }
  const name = person?.name ?? albums.somebody;
  const compared = async () => {
    setFault(undefined);
    try {
      await vault().people.compared(userId);
      again();
    } catch (error) {
      setFault(faultText(error));
    }
  };
  return (
    <Dialog
      title={albums.checkTitle({ name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onBack}>{common.back}</Button>
          {person?.safetyNumber !== undefined && (
            <Button kind="main" onClick={compared}>{albums.same}</Button>
          )}
        </>
      }
    >
      {error !== undefined && <Notice>{faultText(error)}</Notice>}
      {person === undefined && error === undefined && <Spinner />}
      {person?.unready === true && <Notice kind="warn">{albums.unready}
      </Notice>}
      {person?.safetyNumber !== undefined && (
        <>
          <p>{albums.checkText({ name })}</p>
          <SafetyNumber number={person.safetyNumber} />
          {person.comparedAt === undefined
            ? <p class="quiet">{albums.notChecked}</p>
            : (
              <Notice kind="good">
                {albums.checkedAt({
                  when: timeText(person.comparedAt, { dateStyle: "long" }),
                })}
              </Notice>
            )}
        </>
      )}
      {fault !== undefined && <Notice>{fault}</Notice>}
    </Dialog>
  );
}
