/**
 * The stage: the shown photo, its neighbours, and the gestures on them.
 *
 * @module
 */
import type { Ref, RefObject } from "preact";
import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "preact/hooks";
import { keepsShape } from "../../../../library/rows/embedded_media.ts";
import { isPicture, showingOf } from "../../../workers/media/showing.ts";
import type { PhotoInfo } from "../../list.ts";
import { typed } from "../../addresses.ts";
import { withPart } from "../../parts/lazy.tsx";
import { withinOriginal } from "./decoding.ts";
import { Video } from "./video.tsx";
import { watchGestures } from "./gestures.ts";
import { Paper } from "./paper.tsx";
import { Picture } from "./picture.tsx";
import { SaveButton } from "./save_button.tsx";
import { AroundButton, Live, Still } from "./still.tsx";
import {
  clamped,
  type Extent,
  fitted,
  type Point,
  type View,
  WHOLE,
  zoomedAt,
} from "./zoom.ts";

/** A photo near the shown one. */
export interface Slide {
  readonly id: string;
  /** -1 for the previous photo, 1 for the next one. */
  readonly offset: number;
  /** Undefined until it is known. */
  readonly info: PhotoInfo | undefined;
}

/** The functions of the stage for other components. */
export interface StageHandle {
  zoom(factor: number): void;
  isZoomed(): boolean;
  whole(): void;
  /** Looks around in the photo, if it is a sphere. */
  around(): void;
}

/** Neighbouring photos, of which one is visible. */
export function Stage(
  { slides, handle, onStep, onClose, onTap, onZoom }: {
    readonly slides: readonly Slide[];
    readonly handle: Ref<StageHandle>;
    readonly onStep: (by: 1 | -1) => void;
    readonly onClose: () => void;
    readonly onTap: () => void;
    readonly onZoom: (isZoomed: boolean) => void;
  },
) {
  const stage = useRef<HTMLDivElement>(null);
  const hold = useRef<HTMLDivElement>(null);
  const view = useRef<View>(WHOLE);
  const pixels = useRef<Extent>({ width: 0, height: 0 });
  const around = useRef<() => void>(undefined);
  const [isZoomed, setZoomed] = useState(false);
  const current = slides.find(({ offset }) => offset === 0);
  const info = current?.info;
  const latest = useRef({ onStep, onClose, onTap, info });
  latest.current = { onStep, onClose, onTap, info };

  const box = (): Extent => {
    const { clientWidth = 1, clientHeight = 1 } = stage.current ?? {};
    return { width: clientWidth, height: clientHeight };
  };
  const picture = (): Extent => {
    const { info } = latest.current;
    const { width, height } = pixels.current.width > 0
      ? pixels.current
      : { width: info?.width ?? 1, height: info?.height ?? 1 };
    return fitted(box(), width / Math.max(1, height));
  };
  const show = (next: View, smooth: boolean) => {
    view.current = next;
    const { current } = hold;
    if (current === null) return;
    current.toggleAttribute("data-smooth", smooth);
    current.style.transform = next.scale === 1
      ? ""
      : `translate(${next.x}px, ${next.y}px) scale(${next.scale})`;
    setZoomed(next.scale > 1);
  };
  const still = () => {
    const { info } = latest.current;
    return info === undefined || !isPicture(info.mime);
  };

  useImperativeHandle(handle, () => ({
    zoom(factor) {
      if (still()) return;
      const next = zoomedAt(view.current, factor, { x: 0, y: 0 });
      show(clamped(next, box(), picture()), true);
    },
    isZoomed: () => view.current.scale > 1,
    whole: () => show(WHOLE, true),
    around: () => around.current?.(),
  }));

  useEffect(() => onZoom(isZoomed), [isZoomed]);
  // Before it is drawn: who zooms at once must not be put back.
  useLayoutEffect(() => {
    pixels.current = { width: 0, height: 0 };
    show(WHOLE, false);
    const { current: left } = hold;
    return () => {
      if (left !== null) left.style.transform = "";
    };
  }, [current?.id]);
  useLayoutEffect(() => {
    const { current: element } = stage;
    if (element === null) return;
    const dragged = (by: Point | undefined) => {
      element.toggleAttribute("data-dragged", by !== undefined);
      element.style.setProperty("--dx", `${by?.x ?? 0}px`);
      element.style.setProperty("--dy", `${by?.y ?? 0}px`);
      const gone = by === undefined ? 0 : Math.min(1, by.y / box().height);
      element.style.setProperty("--gone", String(gone));
    };
    return watchGestures(element, {
      still,
      stage: box,
      picture,
      pixels: () =>
        Math.max(pixels.current.width, latest.current.info?.width ?? 0),
      view: () => view.current,
      show,
      drag: dragged,
      meant(meant) {
        if (meant === "close") latest.current.onClose();
        else latest.current.onStep(meant === "next" ? 1 : -1);
      },
      tap: () => latest.current.onTap(),
    });
  }, []);
  useEffect(() => {
    const fit = () => show(clamped(view.current, box(), picture()), false);
    addEventListener("resize", fit);
    return () => removeEventListener("resize", fit);
  }, [info]);

  return (
    <div class="lightbox-stage" ref={stage}>
      {slides.map(({ id, offset, info }) => (
        <div
          key={id}
          class="lightbox-slide"
          data-offset={offset}
          inert={offset !== 0}
          aria-hidden={offset !== 0}
        >
          <div
            class="lightbox-hold"
            {...(offset === 0 ? { ref: hold } : {})}
          >
            {info !== undefined && (
              <Shown
                info={info}
                isCurrent={offset === 0}
                isZoomed={offset === 0 && isZoomed}
                onDrawn={(width, height) => {
                  if (offset === 0) pixels.current = { width, height };
                }}
                around={around}
              />
            )}
          </div>
        </div>
      ))}
    </div>
  );
}

/** A picture, with the video that belongs to it, or the sphere that it is. */
function Photo({ info, isCurrent, isZoomed, onDrawn, around }: ShownProps) {
  const [video, setVideo] = useState<Blob>();
  const [isFound, setFound] = useState(false);
  const isLive = info.derivatives.some(({ kind }) => kind === "motion");
  const id = useRef(info.id);
  id.current = info.id;
  const seek = async (photo: Blob) => {
    const { id: of } = info;
    try {
      const { video, sphere } = await withinOriginal(photo);
      const found = video === undefined
        ? undefined
        : await typed(photo.slice(video.at, video.end));
      if (id.current !== of) return;
      setVideo(found);
      setFound(sphere !== undefined);
    } catch {
      // It is a picture without more.
    }
  };
  // Whether it is one may be noted, or seen in the original.
  const isSphere = info.kind === "sphere" ||
    (isFound && keepsShape(info.edit));
  const look = () =>
    withPart(
      () => import("../sphere/sphere.tsx"),
      ({ showSphere }) => showSphere(info),
    );
  useEffect(() => {
    if (!isCurrent || !isSphere) return;
    around.current = look;
    return () => {
      around.current = undefined;
    };
  });
  return (
    <>
      <Picture
        key={JSON.stringify(info.edit)}
        {...{ info, isCurrent, isZoomed, onDrawn }}
        onOriginal={seek}
      />
      {isCurrent && (isLive || video !== undefined) && (
        <Live info={info} within={isLive ? undefined : video} />
      )}
      {isCurrent && isSphere && <AroundButton onClick={look} />}
    </>
  );
}

interface ShownProps {
  readonly info: PhotoInfo;
  readonly isCurrent: boolean;
  readonly isZoomed: boolean;
  readonly onDrawn: (width: number, height: number) => void;
  /** Gets what looks around in the shown photo, if it is a sphere. */
  readonly around: RefObject<(() => void) | undefined>;
}

/** A photo, video, sound or other file. */
function Shown(
  { info, isCurrent, isZoomed, onDrawn, around }: ShownProps,
) {
  switch (showingOf(info.mime)) {
    case "picture":
    case "heif":
    case "undrawn":
      return <Photo {...{ info, isCurrent, isZoomed, onDrawn, around }} />;
    case "video":
    case "sound":
      return (
        <Video {...{ info, isCurrent }} poster={<Still info={info} />}>
          <SaveButton info={info} />
        </Video>
      );
    case "text":
    case "file":
      return (
        <Paper info={info} isCurrent={isCurrent}>
          <SaveButton info={info} />
        </Paper>
      );
  }
}
