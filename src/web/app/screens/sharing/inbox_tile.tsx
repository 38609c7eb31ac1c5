/**
 * A guest's file in the inbox.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { MOST_SMALL_PIXELS } from "../../../../media/exif/extent.ts";
import { addressOf, isDecodable, typed } from "../../addresses.ts";
import { Boundary } from "../../parts/boundary.tsx";
import { Icon } from "../../parts/icon.tsx";
import type { WaitingCard } from "../../../workers/library/sharing/sharing_cards.ts";
import { dayText, messages, sizeText } from "../../messages.ts";
import { shownName } from "../../safe_text.ts";

interface InboxTileProps {
  readonly waiting: WaitingCard;
  readonly chosen: boolean;
  /** With `range`, everything between the last one and this. */
  readonly onToggle: (range: boolean) => void;
  readonly onLook: () => void;
}

/** A tile with the small picture, the name and a check mark. */
export function InboxTile(props: InboxTileProps) {
  return (
    <Boundary
      broken={() => <li class="guest">{messages.value.sharing.unreadable}</li>}
    >
      <WholeTile {...props} />
    </Boundary>
  );
}

function WholeTile({ waiting, chosen, onToggle, onLook }: InboxTileProps) {
  const { sharing } = messages.value;
  const { name, size, receivedAt, from } = waiting;
  const shown = name ?? sharing.unreadable;
  const says = [
    ...(from === undefined ? [] : [sharing.sentBy({ who: shownName(from) })]),
    sizeText(size),
    dayText(receivedAt),
  ];
  return (
    <li class={chosen ? "guest chosen" : "guest"}>
      <button
        type="button"
        class="guest-look"
        aria-label={shown}
        disabled={name === undefined}
        onClick={onLook}
      >
        <Small waiting={waiting} />
      </button>
      <button
        type="button"
        class="guest-check"
        role="checkbox"
        aria-checked={chosen}
        aria-label={sharing.selectOne({ name: shown })}
        onClick={(event) => onToggle(event.shiftKey)}
      >
        <Icon name="check" size={16} />
      </button>
      <span class="guest-name">{shown}</span>
      <span class="quiet small">{says.join(" · ")}</span>
    </li>
  );
}

function Small({ waiting }: { readonly waiting: WaitingCard }) {
  const { thumbnail, mime = "" } = waiting;
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (thumbnail === undefined) return;
    let made: string | undefined;
    let gone = false;
    const look = async () => {
      const blob = await typed(new Blob([thumbnail]));
      if (!await isDecodable(blob, MOST_SMALL_PIXELS) || gone) return;
      made = addressOf(blob);
      setUrl(made);
    };
    look();
    return () => {
      gone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [thumbnail]);
  if (url !== undefined) return <img src={url} alt="" />;
  const icon = mime.startsWith("image/")
    ? "photos"
    : mime.startsWith("video/")
    ? "film"
    : "file";
  return <Icon name={icon} size={32} />;
}
