/**
 * A group of similar photos, and what is done with it.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type {
  SimilarCard,
  SimilarGroup,
} from "../../../workers/finding/similar_cards.ts";
import { nounOf } from "../../../workers/library/photo_lists.ts";
import { moveToTrash } from "../../actions/photos.ts";
import { faultText } from "../../faults.ts";
import { part } from "../../part.ts";
import { Button } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { useThumb } from "../../thumbs.ts";
import { vault } from "../../vault.ts";
import { messages, timeText } from "../../messages.ts";
import { About, Keep } from "./card.tsx";
import { isKept } from "./marks.ts";

/** The group's photos side by side. */
export function Group({ group }: { readonly group: SimilarGroup }) {
  const { photos: texts, similar } = messages.value;
  const { photos, isSame, noun } = group;
  const [busy, setBusy] = useState(false);
  const gone = photos.filter((one) => !isKept(one));
  const ids = photos.map(({ id }) => id);
  const doing = async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast(faultText(error));
    }
    setBusy(false);
  };
  const setDifferent = (areDifferent: boolean) =>
    vault().similar.setDifferent(ids, areDifferent);
  const keepAll = async () => {
    await setDifferent(true);
    toast(similar.differentNow, {
      label: texts.undo,
      act: () => doing(() => setDifferent(false)),
    });
  };
  const n = photos.length;
  return (
    <article class="similar-group" aria-labelledby={`similar-${ids[0]}`}>
      <header>
        <h2 id={`similar-${ids[0]}`} tabIndex={-1}>
          {isSame ? similar.same({ n, noun }) : similar.alike({ n })}
        </h2>
        <span class="quiet small">{daysOf(photos)}</span>
      </header>
      <ul class="similar-photos">
        {photos.map((card, at) => (
          <li key={card.id} class={isKept(card) ? "" : "goes"}>
            <button
              type="button"
              class="similar-picture"
              aria-label={similar.compareNamed({ name: card.name })}
              onClick={() =>
                part(() =>
                  import("./compare.tsx")
                ).then(({ Compare }) =>
                  overlay((close) => (
                    <Compare
                      cards={photos}
                      {...pairOf(photos, at)}
                      onClose={close}
                    />
                  )), (error) => toast(faultText(error)))}
            >
              <Small card={card} />
            </button>
            <About card={card} />
            <Keep card={card} />
          </li>
        ))}
      </ul>
      {gone.length === n && <p class="similar-warn">{similar.noneKept}</p>}
      <div class="actions start">
        <Button
          icon="trash"
          kind="danger"
          busy={busy}
          disabled={gone.length === 0}
          onClick={() =>
            doing(() =>
              moveToTrash(
                gone.map(({ id }) => id),
                nounOf(gone.map(({ kind }) => kind)),
              )
            )}
        >
          {gone.length === 0 ? texts.toTrash : similar.throwAway({
            n: gone.length,
            noun: nounOf(gone.map(({ kind }) => kind)),
          })}
        </Button>
        <Button
          icon="check"
          title={similar.differentWhy}
          disabled={busy}
          onClick={() => doing(keepAll)}
        >
          {similar.different}
        </Button>
      </div>
    </article>
  );
}

/** The photo that was pressed, next to the best of those that are kept. */
function pairOf(
  photos: readonly SimilarCard[],
  at: number,
): { readonly first: number; readonly second: number } {
  const others = photos.map((_, i) => i).filter((i) => i !== at);
  const first = others.find((i) => {
    const one = photos[i];
    return one !== undefined && isKept(one);
  }) ?? others[0] ?? at;
  return { first, second: at };
}

/** The days on which they were taken. */
function daysOf(photos: readonly SimilarCard[]): string {
  const style = { dateStyle: "long", timeZone: "UTC" } as const;
  const days = photos.map(({ taken }) => timeText(taken, style));
  return [...new Set(days)].slice(0, 3).join(" · ");
}

function Small({ card }: { readonly card: SimilarCard }) {
  const thumb = useThumb(card.id, card.hasPicture);
  if (thumb.state === "here") return <img src={thumb.url} alt="" />;
  if (thumb.state === "coming" && card.hasPicture) return null;
  return <Icon name={card.kind === "video" ? "film" : "file"} size={40} />;
}
