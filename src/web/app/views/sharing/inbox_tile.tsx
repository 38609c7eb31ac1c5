/**
 * A guest's file in the inbox.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import type { WaitingCard } from "../../../work/sharing_cards.ts";
import { sizeText, timeText, words } from "../../words.ts";

/** A tile with the small picture, the name and a check mark. */
export function InboxTile(
  { waiting, chosen, onToggle, onLook }: {
    readonly waiting: WaitingCard;
    readonly chosen: boolean;
    /** With `range`, everything between the last one and this. */
    readonly onToggle: (range: boolean) => void;
    readonly onLook: () => void;
  },
) {
  const { sharing } = words.value;
  const { name, size, receivedAt } = waiting;
  const shown = name ?? sharing.unreadable;
  const says = [
    sizeText(size),
    timeText(receivedAt, { dateStyle: "medium" }),
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
        aria-label={sharing.selectOne(shown)}
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
    const made = URL.createObjectURL(
      new Blob([thumbnail], { type: "image/jpeg" }),
    );
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [thumbnail]);
  if (url !== undefined) return <img src={url} alt="" />;
  const icon = mime.startsWith("image/")
    ? "photos"
    : mime.startsWith("video/")
    ? "film"
    : "file";
  return <Icon name={icon} size={32} />;
}
