/**
 * Changes of an album's members, which a changed key may stop.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import type { RosterOutcome } from "../../../workers/library/albums/album_cards.ts";
import { ChangedKey } from "./changed_key.tsx";

/**
 * Makes a change. If the server shows another key of a member, the person is
 * asked and the change is tried again. Resolves to whether it was made.
 */
export async function changeRoster(
  albumId: string,
  change: () => Promise<RosterOutcome>,
): Promise<boolean> {
  for (;;) {
    const outcome = await change();
    if (outcome.outcome === "done") return true;
    const { person } = outcome;
    const believed = await new Promise<boolean>((resolve) => {
      overlay((close) => (
        <ChangedKey
          person={person}
          albumId={albumId}
          onEnd={(answer) => {
            close();
            resolve(answer);
          }}
        />
      ));
    });
    if (!believed) return false;
  }
}

/**
 * Makes a change like {@link changeRoster}, and shows errors as short messages.
 */
export async function tryRoster(
  albumId: string,
  change: () => Promise<RosterOutcome>,
  done?: string,
): Promise<void> {
  try {
    const isDone = await changeRoster(albumId, change);
    if (isDone && done !== undefined) toast(done);
  } catch (error) {
    toast(faultText(error));
  }
}
