/**
 * The warning that the server shows another key of a person than before.
 * Nothing is encrypted to it until the person here decides.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import type { PersonCard } from "../../../workers/library/albums/album_cards.ts";
import { messages } from "../../messages.ts";
import { SafetyNumber } from "./safety_number.tsx";

/** Warns and asks; `onEnd` gets whether the new key was accepted. */
export function ChangedKey(
  { person, albumId, onEnd }: {
    readonly person: PersonCard;
    readonly albumId?: string;
    readonly onEnd: (believed: boolean) => void;
  },
) {
  const { albums } = messages.value;
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const name = person.name ?? albums.somebody;
  const { changed } = person;
  const doing = async (act: () => Promise<boolean>) => {
    setBusy(true);
    setFault(undefined);
    try {
      onEnd(await act());
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={albums.changedTitle({ name })}
      onClose={() => onEnd(false)}
      actions={
        <>
          {albumId !== undefined && (
            <Button
              kind="danger"
              disabled={busy}
              onClick={() =>
                doing(async () => {
                  const { outcome } = await vault().albums
                    .removeMember(albumId, person.userId);
                  if (outcome === "done") toast(albums.removed({ name }));
                  return false;
                })}
            >
              {albums.removeMember}
            </Button>
          )}
          <Button
            disabled={busy}
            onClick={() =>
              doing(async () => {
                if (changed === undefined) return false;
                await vault().people.believe(person.userId, changed.shown);
                return true;
              })}
          >
            {albums.believe}
          </Button>
          <Button kind="main" onClick={() => onEnd(false)}>
            {albums.notNow}
          </Button>
        </>
      }
    >
      <Notice kind="warn">{albums.changedText({ name })}</Notice>
      <p>{albums.changedAsk({ name })}</p>
      {changed !== undefined && <SafetyNumber number={changed.safetyNumber} />}
      {fault !== undefined && <Notice>{fault}</Notice>}
    </Dialog>
  );
}
