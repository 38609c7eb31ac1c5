/**
 * A video or a sound on the stage. It can start and be seeked before it is
 * loaded completely: over https the service worker answers the player's range
 * requests, elsewhere mp4box cuts it for the browser's Media Source. Everything
 * else is loaded completely first.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf } from "../../addresses.ts";
import {
  copiesToPlay,
  FILM_MIME,
  type FilmKind,
  isFilmKind,
} from "../../../../library/showing/films.ts";
import { showingOf } from "../../../workers/media/showing.ts";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { faultText } from "../../faults.ts";
import type { PhotoInfo } from "../../list.ts";
import { part } from "../../part.ts";
import { Notice, Progress } from "../../parts/controls.tsx";
import { onVault, vault } from "../../vault.ts";
import { messages, sizeText } from "../../messages.ts";
import { blobOf } from "./bytes.ts";
import { VideoControls } from "./video_controls.tsx";

// Insecure contexts lack it, although its type says otherwise.
const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;

/** A request of the service worker for a video's bytes, which the vault has. */
interface Asked {
  readonly stream?: {
    /** Its id, or one with the part of it: `<id>/playable`. */
    readonly assetId: string;
    readonly first: number;
    readonly last?: number;
  };
}

let listening = false;

/** Whether the service worker serves this page. */
function canStream(): boolean {
  if (workers?.controller === null || workers === undefined) return false;
  if (!listening) {
    listening = true;
    workers.addEventListener(
      "message",
      ({ data, ports }) => answer(data, ports),
    );
    workers.startMessages();
  }
  return true;
}

function answer(
  { stream }: Asked,
  [port]: readonly MessagePort[],
): void {
  if (stream === undefined || port === undefined) return;
  const { assetId, ...range } = stream;
  const [id = "", copy = ""] = assetId.split("/");
  const part = isFilmKind(copy) ? copy : undefined;
  vault().viewing.stream(id, range, port, part);
}

/** The address of a video, or of a copy of it, for a player. */
function streamAddress(assetId: string, copy?: FilmKind): string {
  return `/app/stream/${assetId}${copy === undefined ? "" : `/${copy}`}`;
}

/** Largest video that is loaded completely (bytes). */
const MOST_WHOLE_BYTES = 512 * 1024 * 1024;

/** A way to play something. */
interface Way {
  readonly by: "stream" | "remux" | "whole";
  /** The copy that is played; absent for the original. */
  readonly copy?: FilmKind;
  /** Bytes of what is played. */
  readonly size: number;
}

const REMUXED = /^video\/(mp4|quicktime|x-m4v|3gpp)$/;

/**
 * In the order in which they are tried: a film that this browser cannot play is
 * played by a copy.
 */
function waysOf({ mime, size, derivatives }: PhotoInfo): readonly Way[] {
  return [
    ...waysTo(mime, { size }),
    ...copiesToPlay(derivatives).flatMap(({ kind, size }) =>
      waysTo(FILM_MIME, { size, copy: kind })
    ),
  ];
}

function waysTo(mime: string, of: Omit<Way, "by">): readonly Way[] {
  const remux: readonly Way[] = REMUXED.test(mime) && hasMediaSource()
    ? [{ by: "remux", ...of }]
    : [];
  if (canStream()) return [{ by: "stream", ...of }, ...remux];
  return of.size <= MOST_WHOLE_BYTES
    ? [...remux, { by: "whole", ...of }]
    : remux;
}

function hasMediaSource(): boolean {
  return "ManagedMediaSource" in globalThis || "MediaSource" in globalThis;
}

/** Stops a way of playing. */
type Ending = () => void;

/** A video, which plays at once; a sound has the browser's own controls. */
export function Video(
  { info, isCurrent, isPlaying = false, onEnded, onFailed, poster, children }: {
    readonly info: PhotoInfo;
    readonly isCurrent: boolean;
    /** Whether a sound starts by itself, as a video always does. */
    readonly isPlaying?: boolean;
    readonly onEnded?: () => void;
    /** Called when it cannot be played. */
    readonly onFailed?: () => void;
    /** The picture shown before it plays. */
    readonly poster: ComponentChildren;
    readonly children?: ComponentChildren;
  },
) {
  const player = useRef<HTMLVideoElement>(null);
  const { lightbox, films } = messages.value;
  const isSound = showingOf(info.mime) === "sound";
  const [ways] = useState(() => waysOf(info));
  const [at, setAt] = useState(0);
  const [fault, setFault] = useState<string>();
  const [progress, setProgress] = useState<number>();
  const [ready, setReady] = useState(false);
  const way = ways[at];

  useEffect(() => {
    const element = player.current;
    if (!isCurrent || element === null || way === undefined) return;
    const ending = new AbortController();
    const { signal } = ending;
    const failed = (error: unknown) => {
      if (signal.aborted) return;
      setProgress(undefined);
      // Another way would not help against damaged bytes.
      const isCodec = error instanceof ThreadError && isOwnFault(error);
      if (error instanceof ThreadError && !isCodec) setFault(faultText(error));
      // A player may tell of one failure twice.
      else setAt(at + 1);
    };
    const ends: Ending[] = [
      onVault("unreadable", ({ assetId, fault }) => {
        if (assetId === info.id) failed(new ThreadError(fault));
      }),
    ];
    element.addEventListener("error", () => failed(element.error), { signal });
    element.addEventListener("loadeddata", () => {
      // Some browsers play the sound of a film whose pictures they cannot.
      if (!isSound && element.videoWidth === 0) {
        return failed(new Error("no pictures"));
      }
      setReady(true);
    }, { signal });
    begin(way, element, info, signal, failed, setProgress).then((end) => {
      if (signal.aborted) end();
      else ends.push(end);
      if (isPlaying || !isSound) {
        element.play().catch(() => {
          // The browser wants a person to press play: there is a button.
        });
      }
    }, failed);
    return () => {
      ending.abort();
      for (const end of ends) end();
      element.pause();
      element.removeAttribute("src");
      element.load();
      setReady(false);
      setProgress(undefined);
    };
  }, [isCurrent, way, info.id]);

  const isFailed = fault !== undefined || way === undefined;
  useEffect(() => {
    if (isFailed) onFailed?.();
  }, [isFailed]);

  if (!isCurrent) return <>{poster}</>;
  if (fault !== undefined || way === undefined) {
    const isLarge = ways.length === 0 && info.size > MOST_WHOLE_BYTES;
    return (
      <>
        {poster}
        <div class="lightbox-words">
          <Notice>
            {fault ?? (isLarge
              ? lightbox.tooLarge({ size: sizeText(info.size) })
              : isSound
              ? lightbox.notHeard
              : lightbox.notPlayed)}
          </Notice>
          {fault === undefined && info.mine && !isSound && <p>{films.hint}</p>}
          {children}
        </div>
      </>
    );
  }
  return (
    <>
      {(!ready || isSound) && poster}
      {/* There are no captions for people's own videos. */}
      <video
        ref={player}
        class={isSound ? "lightbox-sound" : "lightbox-video"}
        controls={isSound}
        controlsList="nodownload noremoteplayback"
        disablePictureInPicture={isSound}
        playsInline
        preload="auto"
        aria-label={info.name}
        data-way={way.by}
        data-copy={way.copy}
        {...(onEnded === undefined ? {} : { onEnded })}
      />
      {!isSound && (
        <VideoControls
          key={`${info.id} ${at}`}
          player={player}
          ready={ready}
        />
      )}
      {progress !== undefined && (
        <div class="lightbox-progress">
          <Progress value={progress} label={lightbox.loading} />
        </div>
      )}
    </>
  );
}

/** Whether the way of playing is at fault, and not the bytes. */
function isOwnFault({ fault }: ThreadError): boolean {
  return !["ConnectionError", "DamagedBlob", "ApiProblem", "UnexpectedAnswer"]
    .includes(fault.kind);
}

/** Starts playing; resolves to the function that stops it. */
async function begin(
  way: Way,
  player: HTMLVideoElement,
  info: PhotoInfo,
  signal: AbortSignal,
  failed: (error: unknown) => void,
  onProgress: (done: number | undefined) => void,
): Promise<Ending> {
  const { copy, size } = way;
  switch (way.by) {
    case "stream":
      player.src = streamAddress(info.id, copy);
      return () => {};
    case "remux": {
      const { Remuxed } = await part(() => import("./remuxed.ts"));
      signal.throwIfAborted();
      const remuxed = new Remuxed(player, failed);
      signal.addEventListener("abort", () => remuxed.close(), { once: true });
      await remuxed.open(info.id, size, copy);
      return () => {};
    }
    case "whole": {
      onProgress(0);
      const blob = await blobOf(info.id, copy ?? "original", {
        signal,
        onProgress: (bytes) => onProgress(bytes / Math.max(1, size)),
      });
      onProgress(undefined);
      const address = addressOf(blob);
      player.src = address;
      return () => URL.revokeObjectURL(address);
    }
  }
}
