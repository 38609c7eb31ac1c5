/**
 * Editing a photo: turning, straightening, cutting, and its light. What is
 * saved is a recipe next to the original, which can be taken back at any time.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { PhotoEdit } from "../../../../client/documents/metadata.ts";
import {
  automaticLight,
  drawingOf,
  light,
  mirrored,
  proportioned,
  ratioOf,
  type Sides,
  simplified,
  turnedRight,
  turnedSides,
  WHOLE,
} from "../../../../media/pictures/photo_edit.ts";
import { faultText } from "../../faults.ts";
import { blobOf, forgetBytes } from "../../showing/lightbox/bytes.ts";
import { UndrawnError, unedited } from "../../showing/lightbox/drawable.ts";
import type { PhotoInfo } from "../../list.ts";
import { Choice } from "../../parts/choices.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Button, IconButton, Notice, Spinner } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { withMedia } from "../../upload/media_threads.ts";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { CropFrame } from "./crop_frame.tsx";

/** Pixels of the picture that is seen while it is edited. */
const SEEN_PIXELS = 1_000_000;

/** The same to set its light automatically. */
const JUDGED_PIXELS = 100_000;

/** Proportions to cut to: width to height; `own` is the picture's. */
const PROPORTIONS = ["free", "own", "1:1", "4:3", "3:2", "16:9"] as const;
type Proportion = (typeof PROPORTIONS)[number];

const LIGHTS = ["brightness", "contrast", "saturation"] as const;

type Light = Pick<PhotoEdit, (typeof LIGHTS)[number]>;

/** Opens a photo of one's own to be edited. */
export function editPhoto(id: string): void {
  overlay((close) => <PhotoEditor id={id} onClose={close} />);
}

/** What is edited. */
interface Open {
  readonly info: PhotoInfo;
  /** The original, and that or a JPEG of it which the browser draws. */
  readonly original: Blob;
  /** Smaller, upright. */
  readonly picture: ImageBitmap;
}

function PhotoEditor(
  { id, onClose }: { readonly id: string; readonly onClose: () => void },
) {
  const { editing, common } = messages.value;
  const { open, fault: unopened } = useOpen(id);
  const [edit, setEdit] = useState<PhotoEdit>({});
  const [proportion, setProportion] = useState<Proportion>("free");
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  useEffect(() => setEdit(open?.info.edit ?? {}), [open]);
  const recipe = simplified(edit);
  const before = simplified(open?.info.edit ?? {});
  const isChanged = JSON.stringify(recipe) !== JSON.stringify(before);
  const change = (by: Partial<PhotoEdit>) => setEdit({ ...edit, ...by });
  const close = () => {
    if (busy) return;
    if (!isChanged) return onClose();
    confirm({
      title: editing.discardTitle,
      text: editing.discardText,
      action: editing.discard,
      act: () => Promise.resolve(onClose()),
    });
  };
  const save = async () => {
    if (open === undefined) return;
    if (!isChanged) return onClose();
    setBusy(true);
    setFault(undefined);
    try {
      const { original, info: { mime } } = open;
      const made = await withMedia(({ pictures }) =>
        pictures.edited(original, mime, recipe)
      );
      if (made === undefined) throw new UndrawnError();
      await vault().viewing.edit(id, recipe, made);
      forgetBytes();
      toast(recipe === undefined ? editing.takenBack : editing.edited);
      onClose();
    } catch (error) {
      setFault(
        error instanceof UndrawnError ? editing.notDrawn : faultText(error),
      );
      setBusy(false);
    }
  };
  /** The light before it was set automatically. */
  const [manual, setManual] = useState<Light>();
  const automatic = () => {
    if (open === undefined) return;
    if (manual !== undefined) {
      setManual(undefined);
      return change(manual);
    }
    const found = automaticLight(pixelsOf(open.picture));
    const { brightness = 0, contrast = 0, saturation = 0 } = edit;
    setManual({ brightness, contrast, saturation });
    change(found);
  };
  const turned = open && turnedSides(open.picture, edit);
  const shape = turned && proportionOf(proportion, turned);
  return (
    <Dialog
      title={editing.photoTitle}
      size="screen"
      onClose={close}
      actions={
        <>
          {recipe !== undefined && (
            <Button
              kind="quiet"
              onClick={() => {
                setProportion("free");
                setManual(undefined);
                setEdit({});
              }}
            >
              {editing.original}
            </Button>
          )}
          <Button onClick={close}>{common.cancel}</Button>
          <Button kind="main" busy={busy} onClick={save}>
            {common.save}
          </Button>
        </>
      }
    >
      {unopened !== undefined && <Notice>{unopened}</Notice>}
      {fault !== undefined && <Notice>{fault}</Notice>}
      {open === undefined && unopened === undefined && (
        <p class="waiting" aria-busy="true">
          <Spinner />
        </p>
      )}
      {open !== undefined && turned !== undefined && (
        <div class="editor">
          <div
            class="editor-stage"
            style={{ aspectRatio: `${turned.width} / ${turned.height}` }}
          >
            <Seen picture={open.picture} edit={edit} />
            <CropFrame
              crop={edit.crop ?? WHOLE}
              ratio={shape && ratioOf(turned, shape)}
              onChange={(crop) => change({ crop })}
            />
          </div>
          <div class="editor-tools">
            <div class="actions start">
              <IconButton
                icon="restore"
                label={editing.turnLeft}
                onClick={() => setEdit([1, 2, 3].reduce(turnedRight, edit))}
              />
              <IconButton
                icon="turn"
                label={editing.turnRight}
                onClick={() => setEdit(turnedRight(edit))}
              />
              <IconButton
                icon="mirror"
                label={editing.mirror}
                onClick={() => setEdit(mirrored(edit))}
              />
              <Button
                icon="wand"
                aria-pressed={manual !== undefined}
                onClick={automatic}
              >
                {editing.auto}
              </Button>
            </div>
            <Choice
              label={editing.proportion}
              value={proportion}
              options={PROPORTIONS.map((one) => [
                one,
                one === "free"
                  ? editing.free
                  : one === "own"
                  ? editing.asBefore
                  : one,
              ])}
              onChoose={(one) => {
                setProportion(one);
                change({
                  crop: proportioned(
                    edit.crop ?? WHOLE,
                    turned,
                    proportionOf(one, turned),
                  ),
                });
              }}
            />
            <Slider
              label={editing.angle}
              value={edit.angle ?? 0}
              most={45}
              step={0.5}
              unit="°"
              onInput={(angle) => change({ angle })}
            />
            {LIGHTS.map((one) => (
              <Slider
                key={one}
                label={editing.light[one]}
                value={edit[one] ?? 0}
                most={100}
                step={1}
                onInput={(level) => {
                  setManual(undefined);
                  change({ [one]: level });
                }}
              />
            ))}
            <p class="quiet small">{editing.kept}</p>
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** Width to height in pixels; undefined if any will do. */
function proportionOf(
  proportion: Proportion,
  { width, height }: Sides,
): number | undefined {
  if (proportion === "free") return undefined;
  if (proportion === "own") return width / height;
  const [long = 1, short = 1] = proportion.split(":").map(Number);
  return width >= height ? long / short : short / long;
}

/** Loads what is edited. */
function useOpen(id: string): {
  readonly open: Open | undefined;
  readonly fault: string | undefined;
} {
  const { editing } = messages.value;
  const [open, setOpen] = useState<Open>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    const ending = new AbortController();
    const load = async () => {
      const info = await vault().photos.info(id);
      const original = await blobOf(id, "original", ending);
      const drawn = await unedited(original, info);
      const whole = await createImageBitmap(drawn);
      const { width, height } = drawingOf(whole, {}, SEEN_PIXELS);
      const picture = await createImageBitmap(whole, {
        resizeWidth: width,
        resizeHeight: height,
        resizeQuality: "high",
      });
      whole.close();
      if (ending.signal.aborted) picture.close();
      else setOpen({ info, original, picture });
    };
    load().catch((error) => {
      if (ending.signal.aborted) return;
      const isUndrawn = error instanceof UndrawnError ||
        error instanceof DOMException;
      setFault(isUndrawn ? editing.notDrawn : faultText(error));
    });
    return () => ending.abort();
  }, [id]);
  return { open, fault };
}

/** The pixels of a picture that are enough to judge its light by. */
function pixelsOf(picture: ImageBitmap): Uint8ClampedArray {
  const { width, height } = drawingOf(picture, {}, JUDGED_PIXELS);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return new Uint8ClampedArray(0);
  context.drawImage(picture, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}

/** The picture as it is edited, before it is cut. */
function Seen(
  { picture, edit }: {
    readonly picture: ImageBitmap;
    readonly edit: PhotoEdit;
  },
) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const context = canvas.current?.getContext("2d", {
        willReadFrequently: true,
      });
      if (canvas.current === null || !context) return;
      // At the scale at which it is cut, nothing jumps while it is
      // straightened.
      const { crop: _, ...whole } = edit;
      const { width, height } = turnedSides(picture, edit);
      const drawing = drawingOf(picture, whole);
      const scale = width / drawing.width;
      canvas.current.width = width;
      canvas.current.height = height;
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.transform(...drawing.matrix);
      context.drawImage(picture, 0, 0);
      const pixels = context.getImageData(0, 0, width, height);
      light(pixels.data, edit);
      context.putImageData(pixels, 0, 0);
    });
    return () => cancelAnimationFrame(frame);
  }, [picture, edit]);
  return <canvas ref={canvas} class="editor-picture" />;
}

function Slider(
  { label, value, most, step, unit = "", onInput }: {
    readonly label: string;
    readonly value: number;
    readonly most: number;
    readonly step: number;
    readonly unit?: string;
    readonly onInput: (value: number) => void;
  },
) {
  return (
    <label class="editor-slider">
      <span>{label}</span>
      <input
        type="range"
        min={-most}
        max={most}
        step={step}
        value={value}
        onInput={({ currentTarget }) => onInput(Number(currentTarget.value))}
        onDblClick={() => onInput(0)}
      />
      <output>{value}{unit}</output>
    </label>
  );
}
