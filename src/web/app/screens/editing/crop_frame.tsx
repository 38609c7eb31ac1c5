/**
 * The part of a picture that is left when it is cut: moved and drawn at its
 * corners by finger or mouse, and by the arrow keys at each corner.
 *
 * @module
 */
import { useRef } from "preact/hooks";
import type { CropBox } from "../../../../client/documents/metadata.ts";
import {
  type Corner,
  CORNERS,
  movedBy,
  withCorner,
} from "../../../../media/pictures/photo_edit.ts";
import { messages } from "../../messages.ts";

/** How far a key moves a corner, as a fraction. */
const STEP = 0.01;

const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** What is being drawn. */
interface Drag {
  readonly of: Corner | "whole";
  readonly crop: CropBox;
  /** Where it began, in fractions. */
  readonly x: number;
  readonly y: number;
}

/** The frame; `ratio` is width to height in fractions, if it is kept. */
export function CropFrame(
  { crop, ratio, onChange }: {
    readonly crop: CropBox;
    readonly ratio: number | undefined;
    readonly onChange: (crop: CropBox) => void;
  },
) {
  const { editing } = messages.value;
  const stage = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag>(undefined);
  const placeOf = ({ clientX, clientY }: PointerEvent) => {
    const { left = 0, top = 0, width = 1, height = 1 } = stage.current
      ?.getBoundingClientRect() ?? {};
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  };
  const begin = (event: PointerEvent, of: Drag["of"]) => {
    if (event.button !== 0 || !(event.currentTarget instanceof Element)) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { of, crop, ...placeOf(event) };
  };
  const draw = (event: PointerEvent) => {
    const { current } = drag;
    if (current === undefined) return;
    const { x, y } = placeOf(event);
    onChange(
      current.of === "whole"
        ? movedBy(current.crop, x - current.x, y - current.y)
        : withCorner(current.crop, current.of, { x, y }, ratio),
    );
  };
  const end = () => drag.current = undefined;
  const press = (event: KeyboardEvent, corner: Corner) => {
    const by = Object.hasOwn(ARROWS, event.key) ? ARROWS[event.key] : undefined;
    if (by === undefined) return;
    event.preventDefault();
    const x = corner.endsWith("w") ? crop.x : crop.x + crop.width;
    const y = corner.startsWith("n") ? crop.y : crop.y + crop.height;
    onChange(
      event.shiftKey
        ? movedBy(crop, ...by)
        : withCorner(crop, corner, { x: x + by[0], y: y + by[1] }, ratio),
    );
  };
  const place = {
    left: `${crop.x * 100}%`,
    top: `${crop.y * 100}%`,
    width: `${crop.width * 100}%`,
    height: `${crop.height * 100}%`,
  };
  return (
    <div
      ref={stage}
      class="crop"
      role="group"
      aria-label={editing.crop}
      onPointerMove={draw}
      onPointerUp={end}
      onPointerCancel={end}
    >
      <div class="crop-shade">
        <div class="crop-lit" style={place} />
      </div>
      <div
        class="crop-frame"
        style={place}
        onPointerDown={(event) => begin(event, "whole")}
      >
        {CORNERS.map((corner) => (
          <button
            key={corner}
            type="button"
            class={`crop-corner ${corner}`}
            aria-label={editing.corners[corner]}
            onPointerDown={(event) => begin(event, corner)}
            onKeyDown={(event) => press(event, corner)}
          />
        ))}
      </div>
    </div>
  );
}
