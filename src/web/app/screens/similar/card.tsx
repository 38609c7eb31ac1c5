/**
 * What is said of a similar photo, and whether it is kept.
 *
 * @module
 */
import type { SimilarCard } from "../../../workers/finding/similar_cards.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { messages, sizeText } from "../../messages.ts";
import { isKept, keep } from "./marks.ts";

/** The name, the size, and why to keep it. */
export function About({ card }: { readonly card: SimilarCard }) {
  const { albums, similar } = messages.value;
  const { width, height, size } = card;
  const marks: (readonly [IconName, string])[] = [
    ...mark(card.isFavourite, "favourite", similar.favourite),
    ...card.albums.map((title) =>
      [
        "albums",
        similar.inAlbum({ title: title || albums.untitled }),
      ] as const
    ),
    ...mark(card.isLinked, "link", similar.linked),
    ...mark(card.isArchived, "archive", similar.archived),
    ...mark(card.isLargest, "fullScreen", similar.largest),
    ...mark(card.isSharpest, "star", similar.sharpest),
  ];
  return (
    <div class="similar-about">
      <span class="similar-name">{card.name}</span>
      <span class="quiet small">
        {[
          ...(width === undefined || height === undefined
            ? []
            : [`${width} × ${height}`]),
          sizeText(size),
        ].join(" · ")}
      </span>
      {marks.length > 0 && (
        <ul class="similar-marks small">
          {marks.map(([icon, text]) => (
            <li key={text}>
              <Icon name={icon} size={14} /> {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function mark(
  is: boolean,
  icon: IconName,
  text: string,
): readonly (readonly [IconName, string])[] {
  return is ? [[icon, text]] : [];
}

/** The box to tick for a photo that is kept. */
export function Keep({ card }: { readonly card: SimilarCard }) {
  const { similar } = messages.value;
  const kept = isKept(card);
  return (
    <label class={kept ? "similar-keep" : "similar-keep goes"}>
      <input
        type="checkbox"
        checked={kept}
        aria-label={similar.keepNamed({ name: card.name })}
        onChange={(event) => keep(card, event.currentTarget.checked)}
      />
      <span aria-hidden="true">{kept ? similar.keep : similar.goes}</span>
      {!kept && <Icon name="trash" size={16} />}
    </label>
  );
}
