/**
 * A slideshow of any photos, full screen: each photo for some seconds, each
 * video to its end. What cannot be shown is passed over.
 *
 * @module
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { forgetBytes, useAddress } from "../lightbox/bytes.ts";
import { Still } from "../lightbox/still.tsx";
import { Video } from "../lightbox/video.tsx";
import { useLayer } from "../../history/overlay_history.ts";
import { type ListSource, PhotoList } from "../../list.ts";
import { IconButton, Spinner } from "../../parts/controls.tsx";
import { findLostFocus } from "../../parts/focus.ts";
import { overlay } from "../../parts/overlays.tsx";
import { revision, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { choosePace, pace, PACES } from "./pace.ts";
import { type Slide, Slides } from "./slides.ts";
import { useWakeLock } from "./wake_lock.ts";

/** Shows photos one after the other, from one of them on. */
export function showSlides(ids: readonly string[], from = 0): void {
  if (ids.length === 0) return;
  overlay((close) => <Slideshow ids={ids} from={from} onClose={close} />);
}

/** Shows all photos of a list. */
export async function showList(source: ListSource): Promise<void> {
  const columns = await vault().photos.list(source);
  if (columns === undefined) return;
  const list = new PhotoList(columns);
  showSlides(
    Array.from({ length: list.length }, (_, at) => list.idAt(at)),
  );
}

/** For so long after a movement the buttons are seen (ms). */
const SEEN_MS = 3_000;

function Slideshow(
  { ids, from, onClose }: {
    readonly ids: readonly string[];
    readonly from: number;
    readonly onClose: () => void;
  },
) {
  const { slideshow } = messages.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const screen = useRef<HTMLDivElement>(null);
  const [isPlaying, setPlaying] = useState(true);
  const { slide, isEmpty, step } = useSlides(ids, from);
  const isSeen = useMovement(screen);
  useLayer(true, onClose);
  useWakeLock(true);
  useModal(dialog, screen, onClose);
  useEffect(() => {
    if (slide?.picture === undefined || !isPlaying) return;
    const timer = setTimeout(() => step(1), pace.value * 1_000);
    return () => clearTimeout(timer);
  }, [slide, isPlaying, pace.value]);

  const pause = () => {
    const player = screen.current?.querySelector("video");
    if (isPlaying) player?.pause();
    else player?.play().catch(() => {});
    setPlaying(!isPlaying);
  };
  const keys: Readonly<Record<string, () => void>> = {
    " ": pause,
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Escape: onClose,
  };
  return (
    <dialog
      ref={dialog}
      class="slideshow"
      aria-label={slideshow.title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        const { key, target, altKey, ctrlKey, metaKey } = event;
        if (altKey || ctrlKey || metaKey) return;
        // A choice and a button have keys of their own.
        const isChoice = target instanceof HTMLSelectElement;
        const isButton = target instanceof HTMLButtonElement && key === " ";
        if ((isChoice && key !== "Escape") || isButton) return;
        if (!Object.hasOwn(keys, key)) return;
        event.preventDefault();
        event.stopPropagation();
        keys[key]?.();
      }}
    >
      <div
        ref={screen}
        class="slideshow-screen"
        data-bare={isPlaying && !isSeen && slide !== undefined}
        tabIndex={-1}
      >
        {isEmpty && (
          <p class="slideshow-words" role="status">{slideshow.nothing}</p>
        )}
        {slide === undefined && !isEmpty && (
          <p class="slideshow-words" aria-busy="true">
            <Spinner />
          </p>
        )}
        {slide !== undefined && (
          <Shown
            key={slide.place}
            slide={slide}
            onEnded={() => isPlaying && step(1)}
            onFailed={() => step(1)}
          />
        )}
        {slide?.info.caption !== undefined && (
          <p class="slideshow-caption">{slide.info.caption}</p>
        )}
        <p class="unseen" role="status">
          {!isPlaying && slide !== undefined &&
            slideshow.place({ at: slide.place + 1, of: ids.length })}
        </p>
        <div class="slideshow-bar">
          <IconButton
            icon="left"
            label={messages.value.lightbox.previous}
            onClick={() => step(-1)}
          />
          <IconButton
            icon={isPlaying ? "pause" : "play"}
            label={isPlaying ? slideshow.pause : slideshow.resume}
            onClick={pause}
          />
          <IconButton
            icon="right"
            label={messages.value.lightbox.next}
            onClick={() => step(1)}
          />
          <Pace />
          <IconButton icon="close" label={slideshow.end} onClick={onClose} />
        </div>
      </div>
    </dialog>
  );
}

/** How long each photo is shown. */
function Pace() {
  const { slideshow } = messages.value;
  return (
    <select
      aria-label={slideshow.pace}
      title={slideshow.pace}
      value={pace.value}
      onChange={({ currentTarget }) => choosePace(Number(currentTarget.value))}
    >
      {PACES.map((seconds) => (
        <option key={seconds} value={seconds}>
          {slideshow.seconds({ n: seconds })}
        </option>
      ))}
    </select>
  );
}

/** A photo, or a video that plays. */
function Shown(
  { slide: { info, picture }, onEnded, onFailed }: {
    readonly slide: Slide;
    readonly onEnded: () => void;
    readonly onFailed: () => void;
  },
) {
  const address = useAddress(picture);
  if (picture === undefined) {
    return (
      <div class="slideshow-slide">
        <Video
          info={info}
          isCurrent
          isPlaying
          onEnded={onEnded}
          onFailed={onFailed}
          poster={<Still info={info} />}
        />
      </div>
    );
  }
  return address === undefined ? null : (
    <img
      class="slideshow-slide"
      src={address}
      alt={info.caption ?? info.name}
      draggable={false}
    />
  );
}

/** The shown slide, and the way to the others. */
function useSlides(ids: readonly string[], from: number) {
  const [slide, setSlide] = useState<Slide>();
  const [isEmpty, setEmpty] = useState(false);
  const held = useRef<Slides>(undefined);
  const turn = useRef(0);
  const at = useRef(from);
  const seek = async (place: number, by: 1 | -1) => {
    const own = ++turn.current;
    const found = await held.current?.from(place, by);
    if (own !== turn.current) return;
    if (found === undefined) {
      setSlide(undefined);
      return setEmpty(true);
    }
    at.current = found.place;
    setEmpty(false);
    setSlide(found);
    held.current?.ahead(found.place);
  };
  useEffect(() => {
    const slides = held.current = new Slides(ids);
    seek(from, 1);
    return () => {
      turn.current += 1;
      slides.end();
      forgetBytes();
    };
  }, []);
  const step = (by: 1 | -1) => {
    const place = (at.current + by + ids.length) % ids.length;
    // Whoever steps on before it is here goes on from there.
    at.current = place;
    seek(place, by);
  };
  // What is deleted or locked away meanwhile is not shown any longer.
  const seen = revision.value;
  useEffect(() => {
    if (slide === undefined) return;
    let gone = false;
    held.current?.isThere(slide).then((is) => {
      if (is || gone) return;
      setSlide(undefined);
      step(1);
    });
    return () => {
      gone = true;
    };
  }, [seen]);
  return { slide, isEmpty, step };
}

/** Whether something moved a moment ago, or a button has the focus. */
function useMovement(
  screen: { readonly current: HTMLElement | null },
): boolean {
  const [isSeen, setSeen] = useState(true);
  useEffect(() => {
    const { current } = screen;
    let timer: ReturnType<typeof setTimeout>;
    const moved = () => {
      setSeen(true);
      clearTimeout(timer);
      timer = setTimeout(() => setSeen(false), SEEN_MS);
    };
    moved();
    const events = ["pointermove", "pointerdown", "keydown"] as const;
    for (const event of events) current?.addEventListener(event, moved);
    return () => {
      clearTimeout(timer);
      for (const event of events) current?.removeEventListener(event, moved);
    };
  }, []);
  return isSeen;
}

/** Until a show that ended has left the full screen, which takes a moment. */
let leaving: Promise<void> = Promise.resolve();

/**
 * Opens the dialog, full screen where the browser lets it. Who leaves the full
 * screen, which Escape does, ends the show.
 */
function useModal(
  dialog: { readonly current: HTMLDialogElement | null },
  screen: { readonly current: HTMLElement | null },
  onClose: () => void,
): void {
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    screen.current?.focus();
    // A dialog itself cannot be full screen; iPhones have none at all.
    let isOpen = true;
    leaving.then(() => isOpen ? screen.current?.requestFullscreen?.() : null)
      .catch(() => {});
    let wasFull = false;
    const changed = () => {
      const isFull = document.fullscreenElement !== null;
      if (wasFull && !isFull) close.current();
      wasFull = isFull;
    };
    document.addEventListener("fullscreenchange", changed);
    return () => {
      document.removeEventListener("fullscreenchange", changed);
      isOpen = false;
      if (document.fullscreenElement !== null) {
        leaving = document.exitFullscreen().catch(() => {});
      }
      if (before instanceof HTMLElement) before.focus();
      findLostFocus();
    };
  }, []);
}
