/**
 * Asks whether the person wants to be in an album, on the home and above the
 * albums.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { AlbumInvitation } from "../../../workers/library/albums/album_cards.ts";
import { faultText } from "../../faults.ts";
import { answer, invitations } from "../../invitations.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { go, href } from "../../routes.ts";
import { messages } from "../../messages.ts";

/** More are counted. */
const MOST_TOLD = 3;

/** The invitations on the home; nothing where there is none. */
export function HomeInvitations() {
  const { albums } = messages.value;
  const fresh = invitations.value.filter(({ isForLater }) => !isForLater);
  const more = fresh.length - MOST_TOLD;
  return (
    <>
      {fresh.slice(0, MOST_TOLD).map((one) => (
        <Invitation key={one.id} invitation={one} isHome />
      ))}
      {more > 0 && (
        <p>
          <a href={href("albums")}>{albums.moreInvitations({ n: more })}</a>
        </p>
      )}
    </>
  );
}

/** All of them, also those that were put off. */
export function Invitations() {
  return (
    <>
      {invitations.value.map((one) => (
        <Invitation key={one.id} invitation={one} />
      ))}
    </>
  );
}

function Invitation(
  { invitation, isHome = false }: {
    readonly invitation: AlbumInvitation;
    readonly isHome?: boolean;
  },
) {
  const { albums } = messages.value;
  const { id, title, by, handle } = invitation;
  const who = by === undefined || handle === undefined
    ? by
    : `${by} (@${handle})`;
  const album = title === "" ? albums.untitled : title;
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const say = async (how: Parameters<typeof answer>[1]) => {
    setBusy(true);
    setFault(undefined);
    try {
      await answer(id, how);
      if (how === "accept") go(href("album", id));
    } catch (error) {
      setFault(error);
      setBusy(false);
    }
  };
  return (
    <div class="notice info invitation" role="status">
      <Icon name="people" />
      <div>
        <p>
          {who === undefined
            ? albums.invitationBySomebody({ album })
            : albums.invitation({ by: who, album })}
        </p>
        <p class="quiet small">{albums.invitationHint}</p>
        {fault !== undefined && <Notice>{faultText(fault)}</Notice>}
        <div class="actions">
          <Button kind="main" disabled={busy} onClick={() => say("accept")}>
            {albums.accept}
          </Button>
          {isHome
            ? (
              <Button disabled={busy} onClick={() => say("later")}>
                {albums.anotherTime}
              </Button>
            )
            : (
              <Button disabled={busy} onClick={() => say("decline")}>
                {albums.decline}
              </Button>
            )}
          <Button disabled={busy} onClick={() => say("block")}>
            {by === undefined ? albums.blockSomebody : albums.block({ by })}
          </Button>
        </div>
      </div>
    </div>
  );
}
