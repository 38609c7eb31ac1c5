/**
 * What a video is played with: a large button in the middle, and below how far
 * it is. Touching the video itself shows and hides everything around it, as
 * with photos; a mouse plays and stops it there.
 *
 * @module
 */
import type { RefObject } from "preact";
import { useEffect, useReducer, useRef } from "preact/hooks";
import { durationText } from "../../grid/days.ts";
import { IconButton, Spinner } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { messages } from "../../messages.ts";

/** What of a player changes what is shown. */
const HEARD = [
  "play",
  "pause",
  "timeupdate",
  "durationchange",
  "volumechange",
  "seeked",
] as const;

/** Whether a video can play on over other things (picture in picture). */
const canBeSmall = () =>
  "pictureInPictureEnabled" in document && document.pictureInPictureEnabled;

function small(video: HTMLVideoElement | null): void {
  const done = document.pictureInPictureElement === video
    ? document.exitPictureInPicture()
    : video?.requestPictureInPicture();
  done?.catch(() => {
    // The browser has its reasons, such as a video without pictures.
  });
}

/** The controls of a video. */
export function VideoControls({ player, ready }: {
  readonly player: RefObject<HTMLVideoElement | null>;
  /** Its first picture is there. */
  readonly ready: boolean;
}) {
  const { lightbox } = messages.value;
  const [, look] = useReducer((n: number) => n + 1, 0);
  const byMouse = useRef(false);
  const { current: video } = player;
  const toggle = () => {
    const { current } = player;
    if (current === null) return;
    if (!current.paused) return current.pause();
    current.play().catch(() => {
      // Refused, or ended meanwhile: it stays where it is.
    });
  };
  useEffect(() => {
    const { current } = player;
    if (current === null) return;
    const ending = new AbortController();
    const { signal } = ending;
    for (const event of HEARD) {
      current.addEventListener(event, () => look(undefined), { signal });
    }
    addEventListener("keydown", (event) => {
      const { key, target, defaultPrevented } = event;
      const isOthers = target instanceof Element &&
        target.closest("button, a, input, textarea, select, dialog") !== null;
      if (key !== " " || isOthers || defaultPrevented) return;
      event.preventDefault();
      toggle();
    }, { signal });
    look(undefined);
    return () => ending.abort();
  }, []);

  const { paused = true, muted = false, currentTime = 0, duration = 0 } =
    video ?? {};
  const seconds = Number.isFinite(duration) ? duration : 0;
  const told = `${durationText(currentTime * 1_000)} / ${
    durationText(seconds * 1_000)
  }`;
  const playing = paused
    ? { icon: "play", label: lightbox.play } as const
    : { icon: "pause", label: lightbox.pause } as const;
  return (
    <>
      <div
        class="video-cover"
        onPointerDown={({ pointerType }) => {
          // The click itself does not say so in Safari 17.
          byMouse.current = pointerType === "mouse";
        }}
        onClick={() => {
          if (byMouse.current) toggle();
        }}
      >
        {!ready
          ? (
            <span class="video-wait">
              <Spinner />
            </span>
          )
          : paused && (
            <button
              type="button"
              class="video-play"
              aria-label={lightbox.play}
              onClick={(event) => {
                event.stopPropagation();
                toggle();
              }}
            >
              <Icon name="play" size={40} />
            </button>
          )}
      </div>
      <div class="video-controls">
        <IconButton {...playing} disabled={!ready} onClick={toggle} />
        <span class="video-time">{told}</span>
        <input
          type="range"
          min={0}
          max={seconds}
          step="any"
          value={currentTime}
          disabled={seconds === 0}
          aria-label={lightbox.position}
          aria-valuetext={told}
          onInput={({ currentTarget }) => {
            if (video !== null) video.currentTime = Number(currentTarget.value);
          }}
        />
        <IconButton
          icon={muted ? "mute" : "loud"}
          label={muted ? lightbox.unmute : lightbox.mute}
          onClick={() => {
            if (video !== null) video.muted = !video.muted;
          }}
        />
        {canBeSmall() && (
          <IconButton
            icon="small"
            label={lightbox.small}
            disabled={!ready}
            onClick={() => small(video)}
          />
        )}
      </div>
    </>
  );
}
