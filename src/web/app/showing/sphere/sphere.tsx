/**
 * Looking around in a 360° photo, over the photo itself. It is turned by a
 * mouse, by fingers, by keys and by buttons.
 *
 * @module
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Sphere as Spread } from "../../../../media/exif/within.ts";
import {
  clampedLook,
  dragged,
  firstLook,
  isSame,
  type Look,
  onTheWay,
  stepped,
  zoomed,
} from "../../../../media/pictures/sphere_view.ts";
import { faultText } from "../../faults.ts";
import { UndrawnError } from "../lightbox/drawable.ts";
import type { PhotoInfo } from "../../list.ts";
import { messages } from "../../messages.ts";
import { useLayer } from "../../history/overlay_history.ts";
import { Button, IconButton, Notice, Progress } from "../../parts/controls.tsx";
import { findLostFocus } from "../../parts/focus.ts";
import { overlay } from "../../parts/overlays.tsx";
import { type Painter, painterOn } from "./painter.ts";
import { loadSphere, NoSphereError } from "./picture.ts";
import { watchTurning } from "./turning.ts";

/** Opens a 360° photo, to look around in it. */
export function showSphere(info: PhotoInfo): void {
  overlay((close) => <Sphere info={info} onClose={close} />);
}

/** Longest side of a picture: a phone has less memory (pixels). */
const MOST = 8_192;
const MOST_BY_TOUCH = 4_096;
/** A key zooms by so much. */
const ZOOM = 1.25;
/** More pixels cannot be seen while it moves. */
const MOST_DENSITY = 2;
/** The share of the way to where one will look, in each frame. */
const EASE = 0.3;

/** The graphics do not work, or do not any more. */
class NoGraphicsError extends Error {
  constructor(readonly isLost: boolean) {
    super("no WebGL");
  }
}

type State =
  | { readonly is: "loading"; readonly progress: number }
  | { readonly is: "shown" }
  | { readonly is: "fault"; readonly error: unknown };

function Sphere(
  { info, onClose }: {
    readonly info: PhotoInfo;
    readonly onClose: () => void;
  },
) {
  const { sphere, lightbox, common } = messages.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const screen = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [turn, setTurn] = useState(0);
  const { state, view, hasTurned } = useSphere(info, canvas, turn);
  useLayer(true, onClose);
  useModal(dialog, screen);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => view.step(-1, 0),
    ArrowRight: () => view.step(1, 0),
    ArrowUp: () => view.step(0, 1),
    ArrowDown: () => view.step(0, -1),
    "+": () => view.zoom(ZOOM),
    "=": () => view.zoom(ZOOM),
    "-": () => view.zoom(1 / ZOOM),
    "0": view.first,
    Home: view.first,
    l: onClose,
    Escape: onClose,
  };
  const isShown = state.is === "shown";
  const name = info.caption ?? info.name;
  return (
    <dialog
      ref={dialog}
      class="sphere"
      aria-label={sphere.title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        const { key, altKey, ctrlKey, metaKey } = event;
        if (altKey || ctrlKey || metaKey || !Object.hasOwn(keys, key)) return;
        event.preventDefault();
        event.stopPropagation();
        keys[key]?.();
      }}
    >
      <div ref={screen} class="sphere-screen" tabIndex={-1}>
        <canvas
          key={turn}
          ref={canvas}
          role="img"
          aria-label={sphere.picture({ name })}
          data-shown={isShown}
        />
        {state.is === "loading" && (
          <div class="sphere-words">
            <Progress value={state.progress} label={lightbox.loading} />
          </div>
        )}
        {state.is === "fault" && (
          <div class="sphere-words">
            <Notice>{wordsOf(state.error)}</Notice>
            {mayWork(state.error) && (
              <Button onClick={() => setTurn(turn + 1)}>{common.retry}</Button>
            )}
          </div>
        )}
        <p class="sphere-hint" role="status">
          {isShown && !hasTurned && sphere.hint}
        </p>
        <div class="sphere-bar">
          {isShown && (
            <>
              <IconButton
                icon="left"
                label={sphere.left}
                onClick={() => view.step(-1, 0)}
              />
              <IconButton
                icon="up"
                label={sphere.up}
                onClick={() => view.step(0, 1)}
              />
              <IconButton
                icon="down"
                label={sphere.down}
                onClick={() => view.step(0, -1)}
              />
              <IconButton
                icon="right"
                label={sphere.right}
                onClick={() => view.step(1, 0)}
              />
              <IconButton
                icon="zoomOut"
                label={lightbox.zoomOut}
                onClick={() => view.zoom(1 / ZOOM)}
              />
              <IconButton
                icon="zoomIn"
                label={lightbox.zoomIn}
                onClick={() => view.zoom(ZOOM)}
              />
            </>
          )}
          <IconButton icon="close" label={sphere.back} onClick={onClose} />
        </div>
      </div>
    </dialog>
  );
}

/** Why it is not shown. */
function wordsOf(error: unknown): string {
  const { sphere, lightbox } = messages.value;
  if (error instanceof NoGraphicsError) {
    return error.isLost ? sphere.lost : sphere.noGraphics;
  }
  if (error instanceof NoSphereError) return sphere.none;
  return error instanceof UndrawnError ? lightbox.notDrawn : faultText(error);
}

/** Whether it is worth another try. */
function mayWork(error: unknown): boolean {
  return !(error instanceof NoSphereError || error instanceof UndrawnError ||
    (error instanceof NoGraphicsError && !error.isLost));
}

/** What turns the view. */
interface View {
  readonly step: (right: number, up: number) => void;
  readonly zoom: (factor: number) => void;
  readonly first: () => void;
}

/** Loads the picture, draws it, and turns it. */
function useSphere(
  info: PhotoInfo,
  canvas: { readonly current: HTMLCanvasElement | null },
  turn: number,
) {
  const [state, setState] = useState<State>({ is: "loading", progress: 0 });
  const [hasTurned, setTurned] = useState(false);
  const turning = useRef<Turning>(undefined);
  useEffect(() => {
    const { current } = canvas;
    if (current === null) return;
    setState({ is: "loading", progress: 0 });
    const ending = new AbortController();
    const { signal } = ending;
    const failed = (error: unknown) => {
      if (!signal.aborted) setState({ is: "fault", error });
    };
    const painter = painterOn(current);
    if (painter === undefined) return failed(new NoGraphicsError(false));
    const touch = matchMedia("(pointer: coarse)").matches;
    const most = Math.min(painter.most, touch ? MOST_BY_TOUCH : MOST);
    const onProgress = (bytes: number) => {
      const progress = bytes / Math.max(1, info.size);
      if (!signal.aborted) setState({ is: "loading", progress });
    };
    current.addEventListener(
      "webglcontextlost",
      () => failed(new NoGraphicsError(true)),
      { signal },
    );
    loadSphere(info, most, { signal, onProgress }).then(
      ({ bitmap, sphere }) => {
        if (signal.aborted) return bitmap.close();
        painter.take(bitmap, sphere);
        bitmap.close();
        turning.current = new Turning(current, painter, sphere, () => {
          setTurned(true);
        });
        setState({ is: "shown" });
      },
    ).catch(failed);
    return () => {
      ending.abort();
      turning.current?.end();
      turning.current = undefined;
      painter.end();
    };
  }, [info.id, turn]);
  const view: View = {
    step: (right, up) =>
      turning.current?.aim((look) => stepped(look, right, up)),
    zoom: (factor) => turning.current?.aim((look) => zoomed(look, factor)),
    first: () => turning.current?.first(),
  };
  return { state, view, hasTurned };
}

/** A sphere that is drawn whenever it turns. */
class Turning {
  #seen: Look;
  #aim: Look;
  #frame: number | undefined;
  readonly #ends: (() => void)[];

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly painter: Painter,
    private readonly sphere: Spread,
    private readonly onTurned: () => void,
  ) {
    this.#seen = this.#aim = firstLook(sphere, this.#sides());
    const watch = new ResizeObserver(() => this.#fit());
    watch.observe(canvas);
    this.#ends = [
      () => watch.disconnect(),
      watchTurning(canvas, {
        drag: (by) => this.aim((look) => dragged(look, by, this.#sides()), 1),
        zoom: (factor) => this.aim((look) => zoomed(look, factor), 1),
      }),
    ];
    this.#fit();
  }

  /** Turns to another look: in one frame, or on the way there. */
  aim(to: (look: Look) => Look, ease?: 1): void {
    this.onTurned();
    this.#aim = clampedLook(to(this.#aim), this.sphere, this.#sides());
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (ease === 1 || isStill) this.#seen = this.#aim;
    this.#next();
  }

  /** Turns to where one looked at first. */
  first(): void {
    this.aim(() => firstLook(this.sphere, this.#sides()));
  }

  end(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    for (const end of this.#ends) end();
  }

  #sides() {
    const { clientWidth, clientHeight } = this.canvas;
    return {
      width: Math.max(1, clientWidth),
      height: Math.max(1, clientHeight),
    };
  }

  #fit(): void {
    const { width, height } = this.#sides();
    const density = Math.min(MOST_DENSITY, devicePixelRatio);
    this.canvas.width = Math.round(width * density);
    this.canvas.height = Math.round(height * density);
    this.#aim = clampedLook(this.#aim, this.sphere, this.#sides());
    this.#seen = this.#aim;
    this.#draw();
  }

  #next(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      const isThere = isSame(this.#seen, this.#aim);
      this.#seen = isThere ? this.#aim : onTheWay(this.#seen, this.#aim, EASE);
      this.#draw();
      if (!isThere) this.#next();
    });
  }

  #draw(): void {
    this.painter.draw(this.#seen, this.canvas);
  }
}

/** Opens the dialog, and gives the focus back when it closes. */
function useModal(
  dialog: { readonly current: HTMLDialogElement | null },
  screen: { readonly current: HTMLElement | null },
): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    screen.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
      findLostFocus();
    };
  }, []);
}
