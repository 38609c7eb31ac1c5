/**
 * A picture on the stage: first the small one, then the preview, then the
 * original.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { MOST_SMALL_PIXELS } from "../../../../media/exif/extent.ts";
import type { Part } from "../../../workers/media/viewing_calls.ts";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { faultText } from "../../faults.ts";
import type { PhotoInfo } from "../../list.ts";
import { Button, Notice, Progress } from "../../parts/controls.tsx";
import { messages } from "../../messages.ts";
import { syncState } from "../../vault.ts";
import { mayPass } from "../../../../client/stream/threads/thread_messages.ts";
import { blobOf, heldSmall, useAddress } from "./bytes.ts";
import {
  drawable,
  drawableOriginal,
  TooLargeError,
  UndrawnError,
  UnknownKindError,
} from "./drawable.ts";
import { SaveButton } from "./save_button.tsx";

/** Originals above this size are loaded only when zoomed in (bytes). */
const MOST_UNASKED_BYTES = 24 * 1024 * 1024;
/** Largest neighbour without a preview that is loaded ahead (bytes). */
const MOST_AHEAD_BYTES = 4 * 1024 * 1024;
/**
 * The original is loaded after this time, not while someone pages quickly
 * (ms).
 */
const DWELL_MS = 350;

/** The state of loading a picture. */
interface PictureState {
  /** The best version so far. */
  readonly blob?: Blob;
  readonly of?: Part;
  /** Progress of the original, 0 to 1; absent if nothing is being loaded. */
  readonly progress?: number;
  /** Why no better version can be shown. */
  readonly error?: unknown;
}

/** A picture, and what tries once more to load the best version of it. */
interface Loading extends PictureState {
  readonly again: () => void;
}

/** Loads the versions of a picture, from small to large. */
function usePicture(
  info: PhotoInfo,
  isCurrent: boolean,
  isZoomed: boolean,
  onOriginal: PictureProps["onOriginal"],
): Loading {
  const [state, setState] = useState<PictureState>({});
  const [turn, setTurn] = useState(0);
  const has = (kind: string) =>
    info.derivatives.some((one) => one.kind === kind);
  const hasPreview = has("preview");
  const wants = isCurrent
    ? isZoomed || !hasPreview || info.size <= MOST_UNASKED_BYTES
    : !hasPreview && info.size <= MOST_AHEAD_BYTES;

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const small = async () => {
      const held = await heldSmall(info.id);
      // An original that stands for itself may be damaged.
      const isDrawn = held !== undefined &&
        (has("thumbnail") ||
          await drawable(held).then(() => true, () => false));
      if (signal.aborted) return;
      if (isDrawn) {
        setState((state) =>
          state.blob === undefined
            ? { ...state, blob: held, of: "thumbnail" }
            : state
        );
      }
      for (const part of ["thumbnail", "preview"] as const) {
        if (!has(part)) continue;
        try {
          const blob = await drawable(
            await blobOf(info.id, part, { signal }),
            MOST_SMALL_PIXELS,
          );
          if (signal.aborted) return;
          setState((held) =>
            held.of === "original" ? held : { ...held, blob, of: part }
          );
        } catch {
          // The next larger version may work.
          if (signal.aborted) return;
        }
      }
    };
    small();
    return () => ending.abort();
  }, [info.id, turn]);

  useEffect(() => {
    if (!wants || state.of === "original") return;
    const ending = new AbortController();
    const { signal } = ending;
    const fetched = async () => {
      if (hasPreview && !isZoomed) await dwell(signal);
      if (signal.aborted) return;
      try {
        const whole = await blobOf(info.id, "original", {
          signal,
          onProgress: (bytes) => {
            if (signal.aborted) return;
            const progress = bytes / Math.max(1, info.size);
            setState((held) => ({ ...held, progress }));
          },
        });
        const blob = await drawableOriginal(whole, info);
        if (signal.aborted) return;
        setState({ blob, of: "original" });
        onOriginal?.(whole);
      } catch (error) {
        if (signal.aborted) return;
        // The version shown so far stays.
        setState(({ blob, of }) => ({
          ...(blob === undefined ? {} : { blob }),
          ...(of === undefined ? {} : { of }),
          error,
        }));
      }
    };
    fetched();
    return () => ending.abort();
  }, [info.id, wants, turn]);

  const again = () => {
    setState(({ error: _, ...held }) => held);
    setTurn(turn + 1);
  };
  const isAway = mayPass(state.error);
  useEffect(() => {
    if (!isAway) return;
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [isAway, turn]);
  // A server that answers again tells no browser that it is online.
  const isOffline = syncState.value.state === "offline";
  useEffect(() => {
    if (isAway && !isOffline) again();
  }, [isOffline]);
  return { ...state, again };
}

/**
 * The message why the original is not shown; `isOther` says whether another
 * version is.
 */
function wordsOf(error: unknown, isOther: boolean): string {
  const { lightbox } = messages.value;
  if (error instanceof TooLargeError) {
    return isOther ? lightbox.tooLargeOriginal : lightbox.tooLargePicture;
  }
  if (error instanceof UnknownKindError && !isOther) return lightbox.noPreview;
  if (error instanceof UndrawnError) {
    return isOther ? lightbox.notDrawnOriginal : lightbox.notDrawn;
  }
  const isDamage = error instanceof ThreadError &&
    error.fault.kind === "DamagedBlob";
  return isOther && isDamage ? lightbox.originalDamaged : faultText(error);
}

function dwell(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, DWELL_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}

/** Properties of a picture on the stage. */
interface PictureProps {
  readonly info: PhotoInfo;
  readonly isCurrent: boolean;
  readonly isZoomed: boolean;
  /** Gets the drawn picture's own size in pixels. */
  readonly onDrawn?: (width: number, height: number) => void;
  /** Gets the file of the original once it is here. */
  readonly onOriginal?: (photo: Blob) => void;
}

/** A picture in the best version so far. */
export function Picture(
  { info, isCurrent, isZoomed, onDrawn, onOriginal }: PictureProps,
) {
  const { blob, of, progress, error, again } = usePicture(
    info,
    isCurrent,
    isZoomed,
    onOriginal,
  );
  const address = useAddress(blob);
  const image = useRef<HTMLImageElement>(null);
  const { lightbox } = messages.value;
  const fault = error === undefined
    ? undefined
    : wordsOf(error, address !== undefined);
  const isBare = address === undefined && fault === undefined;
  return (
    <>
      {address !== undefined && (
        <img
          ref={image}
          class={of === "thumbnail" && fault === undefined
            ? "lightbox-picture small"
            : "lightbox-picture"}
          src={address}
          alt={info.caption ?? info.name}
          draggable={false}
          data-of={of}
          onLoad={() => {
            const { naturalWidth, naturalHeight } = image.current ?? {};
            if (naturalWidth !== undefined && naturalHeight !== undefined) {
              onDrawn?.(naturalWidth, naturalHeight);
            }
          }}
        />
      )}
      {isCurrent && (isBare || progress !== undefined) && fault === undefined &&
        (
          <div class="lightbox-progress">
            <Progress value={progress ?? 0} label={lightbox.loading} />
          </div>
        )}
      {isCurrent && fault !== undefined && (
        <div class={address === undefined ? "lightbox-words" : "lightbox-note"}>
          <Notice kind={address === undefined ? "wrong" : "warn"}>
            {fault}
          </Notice>
          {error instanceof UndrawnError
            ? <SaveButton info={info} />
            : <Button onClick={again}>{messages.value.common.retry}</Button>}
        </div>
      )}
    </>
  );
}
