/**
 * One photo shown large over its list. Keys, buttons and swipes lead to the
 * next one; Escape, the back button and a swipe down lead back.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import {
  listHref,
  type ListSource,
  type PhotoInfo,
  type PhotoList,
  useList,
} from "../../list.ts";
import { actByKey } from "../../grid/acting.ts";
import { selectedOf } from "../../grid/selection.ts";
import { Empty, Spinner } from "../../parts/controls.tsx";
import { findLostFocus, takeLostFocus } from "../../parts/focus.ts";
import { lazily, withPart } from "../../parts/lazy.tsx";
import { useLayer } from "../../history/overlay_history.ts";
import { goBack, goInstead } from "../../routes.ts";
import { revision, vault } from "../../vault.ts";
import { useTitle } from "../../title.ts";
import { messages } from "../../messages.ts";
import { LightboxBar } from "./bar.tsx";
import { forgetBytes } from "./bytes.ts";
import { guests } from "./guests.ts";
import { Info } from "./info.tsx";
import { useKeys } from "./keys.ts";
import { useFullScreen, useNarrow, useScrollLock } from "./screen.ts";
import { type Slide, Stage, type StageHandle } from "./stage.tsx";

const RemarkBar = lazily(
  async () => (await import("./remarks.tsx")).RemarkBar,
  { quiet: true },
);
const RemarkPanel = lazily(
  async () => (await import("./remarks.tsx")).RemarkPanel,
  { quiet: true },
);

/** The photo `id` of a list. */
export function Lightbox({ source, id, back }: {
  readonly source: ListSource;
  readonly id: string;
  /** Whether Back leads to the list. */
  readonly back: boolean;
}) {
  const list = useList(source);
  const root = useRef<HTMLDivElement>(null);
  const stage = useRef<StageHandle>(null);
  const [isBare, setBare] = useState(false);
  const [isZoomed, setZoomed] = useState(false);
  const [panel, setPanel] = useState<"info" | "remarks">();
  const isInfoOpen = panel === "info";
  const setInfo = (isOpen: boolean) => setPanel(isOpen ? "info" : undefined);
  const isNarrow = useNarrow();
  // Below a certain width what is known of a photo lies over it.
  useLayer(panel !== undefined && isNarrow, () => setPanel(undefined));
  const at = usePlace(list, id);
  const infos = useInfos(list, at);
  const slides = slidesOf(list, at, infos);
  const info = infos.get(id);
  const count = list?.length ?? 0;
  // By most links no one says anything of a photo.
  const remarked = info !== undefined && at >= 0 && guests.value !== "quiet"
    ? {
      info,
      isOpen: panel === "remarks",
      onOpen: (isOpen: boolean) => setPanel(isOpen ? "remarks" : undefined),
    }
    : undefined;

  useTitle(at < 0 ? "" : info?.caption ?? info?.name ?? "");
  const close = () => {
    if (back) goBack();
    else goInstead(listHref(source));
  };
  const goTo = (place: number) => {
    if (list === undefined || place < 0 || place >= list.length) return;
    goInstead(listHref(source, list.idAt(place)));
  };
  const fullScreen = useFullScreen(root);
  const show = () => {
    if (list === undefined || at < 0 || count < 2) return;
    const ids = Array.from({ length: count }, (_, place) => list.idAt(place));
    withPart(
      () => import("../slideshow/slideshow.tsx"),
      ({ showSlides }) => showSlides(ids, at),
    );
  };
  useKeys({
    step: (by) => goTo(at + by),
    first: () => goTo(0),
    last: () => goTo(count - 1),
    close: () => {
      if (panel !== undefined) setPanel(undefined);
      else if (stage.current?.isZoomed() === true) stage.current.whole();
      else close();
    },
    info: () => setInfo(!isInfoOpen),
    zoom: (factor) => stage.current?.zoom(factor),
    whole: () => stage.current?.whole(),
    fullScreen: fullScreen.toggle,
    slideshow: show,
    around: () => stage.current?.around(),
    act: (key) => {
      if (list !== undefined && at >= 0) {
        actByKey(selectedOf(list, source, [id]), key);
      }
    },
  });

  useScrollLock();
  useEffect(() => {
    root.current?.focus();
    const end = takeLostFocus(() => {
      root.current?.focus();
      return true;
    });
    return () => {
      end();
      forgetBytes();
      findLostFocus();
    };
  }, []);
  // The buttons of a deleted photo are gone, and those of the next one differ.
  useEffect(findLostFocus, [at]);
  // After a deletion, the next photo is shown.
  const before = useRef({ id: "", at: -1 });
  useEffect(() => {
    if (at >= 0) before.current = { id, at };
    // It is behind another one: it is shown among those of its stack.
    else if (list !== undefined && list.tileOf(id) >= 0) {
      const from = listHref(source).slice(1);
      goInstead(listHref({ kind: "stack", id, from }, id));
    } else if (list !== undefined && before.current.id === id) {
      if (count === 0) close();
      else goTo(Math.min(before.current.at, count - 1));
    }
  }, [list, id, at]);

  const { lightbox } = messages.value;
  return (
    <div
      ref={root}
      class="lightbox"
      role="dialog"
      aria-modal="true"
      aria-label={lightbox.viewer}
      tabIndex={-1}
      data-bare={isBare}
      onPointerMove={(event) => {
        if (event.pointerType === "mouse" && isBare) setBare(false);
      }}
    >
      <div class="lightbox-main">
        <LightboxBar
          {...{ source, list, at, info, isZoomed, isNarrow, fullScreen }}
          onShow={show}
          isInfoOpen={isInfoOpen}
          onInfo={() => setInfo(!isInfoOpen)}
          onZoom={(factor) => stage.current?.zoom(factor)}
          onStep={(by) => goTo(at + by)}
          onClose={close}
        />
        {list === undefined
          ? (
            <div class="lightbox-words" aria-busy="true">
              <Spinner />
            </div>
          )
          : at < 0
          ? (
            <Empty icon="photos" title={lightbox.gone}>
              <p class="quiet">{lightbox.goneHint}</p>
            </Empty>
          )
          : (
            <Stage
              slides={slides}
              handle={stage}
              onStep={(by) => goTo(at + by)}
              onClose={close}
              onTap={() => setBare(!isBare)}
              onZoom={setZoomed}
            />
          )}
        {remarked !== undefined && !isZoomed && (
          <RemarkBar key={id} {...remarked} />
        )}
        {info?.caption !== undefined && !isZoomed && panel === undefined && (
          <p class="lightbox-below">{info.caption}</p>
        )}
        <p class="unseen" role="status">
          {info !== undefined && at >= 0 &&
            `${info.caption ?? info.name}, ${
              lightbox.place({ at: at + 1, of: count })
            }`}
        </p>
      </div>
      {isInfoOpen && info !== undefined && (
        <Info
          info={info}
          onClose={() => setInfo(false)}
        />
      )}
      {remarked?.isOpen && <RemarkPanel key={id} {...remarked} />}
    </div>
  );
}

/** The position of a photo in its list; -1 if it is not there. */
function usePlace(list: PhotoList | undefined, id: string): number {
  const held = useRef<{ list: PhotoList; id: string; at: number }>(undefined);
  if (list === undefined) return -1;
  if (held.current?.list !== list || held.current.id !== id) {
    held.current = { list, id, at: list.indexOf(id) };
  }
  return held.current.at;
}

const NEAR = [-1, 0, 1] as const;

/** The facts about the photo and its neighbours. */
function useInfos(
  list: PhotoList | undefined,
  at: number,
): ReadonlyMap<string, PhotoInfo> {
  const [infos, setInfos] = useState<ReadonlyMap<string, PhotoInfo>>(new Map());
  const seen = revision.value;
  useEffect(() => {
    if (list === undefined || at < 0) return;
    let gone = false;
    const ids = NEAR.map((by) => at + by)
      .filter((place) => place >= 0 && place < list.length)
      .map((place) => list.idAt(place));
    vault().photos.infos(ids).then((found) => {
      if (!gone) setInfos(new Map(found.map((info) => [info.id, info])));
    }, () => {
      // The photo was removed just now; the list will change soon.
    });
    return () => {
      gone = true;
    };
  }, [list, at, seen]);
  return infos;
}

function slidesOf(
  list: PhotoList | undefined,
  at: number,
  infos: ReadonlyMap<string, PhotoInfo>,
): readonly Slide[] {
  if (list === undefined || at < 0) return [];
  return NEAR.filter((by) => at + by >= 0 && at + by < list.length)
    .map((offset) => {
      const id = list.idAt(at + offset);
      return { id, offset, info: infos.get(id) };
    });
}
