/**
 * Two similar photos side by side, which are zoomed and moved together.
 *
 * @module
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SimilarCard } from "../../../workers/finding/similar_cards.ts";
import { forgetBytes } from "../../showing/lightbox/bytes.ts";
import { Picture } from "../../showing/lightbox/picture.tsx";
import { Still } from "../../showing/lightbox/still.tsx";
import { isPhotoKind } from "../../../workers/library/photo_lists.ts";
import type { PhotoInfo } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { Button, IconButton, Notice, Spinner } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { faultText } from "../../faults.ts";
import { messages } from "../../messages.ts";
import { vault } from "../../vault.ts";
import { About, Keep } from "./card.tsx";

const ZOOMS = [1, 2, 4, 8] as const;

/** Compares a photo with another one of its group, and so with all of them. */
export function Compare(
  { cards, first, second, onClose }: {
    readonly cards: readonly SimilarCard[];
    /** Positions in the group. */
    readonly first: number;
    readonly second: number;
    readonly onClose: () => void;
  },
) {
  const { common, lightbox, similar } = messages.value;
  const [at, setAt] = useState(second);
  const [step, setStep] = useState(0);
  const panes = useRef<(HTMLDivElement | null)[]>([]);
  /** Where each pane was put, or followed to. */
  const placed = useRef<string[]>([]);
  useEffect(() => forgetBytes, []);
  const pair = [cards[first], cards[at]].flatMap((card) => card ?? []);
  const loaded = useLoaded(
    () => vault().photos.infos(pair.map(({ id }) => id)),
    [at],
  );
  const zoom = ZOOMS[step] ?? 1;
  /** The next photo after the first one, in a direction. */
  const beside = (by: 1 | -1) => {
    let next = at;
    do next = (next + by + cards.length) % cards.length; while (next === first);
    setAt(next);
  };
  const put = (side: number, left: number, top: number) => {
    const pane = panes.current[side];
    if (!pane) return;
    pane.scrollLeft = left;
    pane.scrollTop = top;
    placed.current[side] = placeOf(pane);
  };
  const follow = (side: number) => {
    const pane = panes.current[side];
    // The browser tells also of what was put there.
    if (!pane || placed.current[side] === placeOf(pane)) return;
    placed.current[side] = placeOf(pane);
    put(1 - side, pane.scrollLeft, pane.scrollTop);
  };
  useLayoutEffect(() => {
    // The middle of the pictures is in the middle.
    for (const [side, pane] of panes.current.entries()) {
      if (!pane) continue;
      const { scrollWidth, scrollHeight, clientWidth, clientHeight } = pane;
      put(
        side,
        (scrollWidth - clientWidth) / 2,
        (scrollHeight - clientHeight) / 2,
      );
    }
  }, [zoom]);
  return (
    <Dialog
      title={similar.compare}
      size="full"
      onClose={onClose}
      actions={
        <>
          <IconButton
            icon="zoomOut"
            label={lightbox.zoomOut}
            disabled={step === 0}
            onClick={() => setStep(step - 1)}
          />
          <IconButton
            icon="zoomIn"
            label={lightbox.zoomIn}
            disabled={step === ZOOMS.length - 1}
            onClick={() => setStep(step + 1)}
          />
          {cards.length > 2 && (
            <>
              <IconButton
                icon="left"
                label={lightbox.previous}
                onClick={() => beside(-1)}
              />
              <IconButton
                icon="right"
                label={lightbox.next}
                onClick={() => beside(1)}
              />
            </>
          )}
          <Button kind="main" onClick={onClose}>{common.done}</Button>
        </>
      }
    >
      {loaded.error !== undefined && <Notice>{faultText(loaded.error)}</Notice>}
      <div class="similar-pair">
        {pair.map((card, side) => {
          const info = loaded.value?.find(({ id }) => id === card.id);
          return (
            <figure key={side}>
              <div
                class="similar-pane"
                tabIndex={0}
                role="group"
                aria-label={card.name}
                ref={(pane) => {
                  panes.current[side] = pane;
                }}
                onScroll={() => follow(side)}
              >
                <div
                  style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}
                >
                  {info === undefined
                    ? <Spinner />
                    : <Drawn key={card.id} info={info} isZoomed={step > 0} />}
                </div>
              </div>
              <figcaption>
                <About card={card} />
                <Keep card={card} />
              </figcaption>
            </figure>
          );
        })}
      </div>
    </Dialog>
  );
}

function placeOf({ scrollLeft, scrollTop }: HTMLDivElement): string {
  return `${scrollLeft} ${scrollTop}`;
}

function Drawn(
  { info, isZoomed }: {
    readonly info: PhotoInfo;
    readonly isZoomed: boolean;
  },
) {
  return isPhotoKind(info.kind)
    ? <Picture info={info} isCurrent isZoomed={isZoomed} />
    : <Still info={info} />;
}
