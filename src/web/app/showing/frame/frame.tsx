/**
 * The picture frame at `#/frame`: shows an album on an old tablet for ever. It
 * needs no account.
 *
 * @module
 */
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { now } from "../../../browser.ts";
import { faultText } from "../../faults.ts";
import { useAddress } from "../lightbox/bytes.ts";
import { useFullScreen } from "../lightbox/screen.ts";
import { Check, Choice } from "../../parts/choices.tsx";
import { Button, IconButton, Notice, Spinner } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { Logo } from "../../parts/logo.tsx";
import { Toasts } from "../../parts/toasts.tsx";
import { shownName } from "../../safe_text.ts";
import { pace } from "../slideshow/pace.ts";
import { PaceChoice } from "../slideshow/pace_choice.tsx";
import { useWakeLock } from "../slideshow/wake_lock.ts";
import { messages } from "../../messages.ts";
import type { KeptFrame } from "./frame_store.ts";
import {
  changeFrame,
  forgetFrame,
  type FramePhoto,
  frameState,
  nextPhoto,
  refresh,
  startFrame,
} from "./keeping.ts";

const New = lazily(async () => (await import("./set_up.tsx")).New);
const Other = lazily(async () => (await import("./set_up.tsx")).Other);

/** Interval of looking for new photos (ms). */
const LOOK_MS = 60_000;
/** Interval after which a frame without any photo tries again (ms). */
const AGAIN_MS = 10_000;
/** For so long after a touch the buttons are seen (ms). */
const SEEN_MS = 5_000;
/** The hours of the night. */
const isNight = () => {
  const hour = new Date(now()).getHours();
  return hour >= 22 || hour < 7;
};

/** Draws the frame in place of the app. */
export async function showFrame(root: HTMLElement): Promise<void> {
  addEventListener("hashchange", () => location.reload());
  render(<App />, root);
  try {
    await startFrame();
  } catch {
    render(<NoStore />, root);
  }
}

function NoStore() {
  return (
    <main class="page-centre link-fault">
      <Notice>{messages.value.pictureFrame.noStore}</Notice>
    </main>
  );
}

function App() {
  const state = frameState.value;
  const { pictureFrame } = messages.value;
  useEffect(() => {
    document.title = pictureFrame.title;
  }, [pictureFrame]);
  useEffect(() => {
    const look = () => {
      if (!document.hidden) refresh();
    };
    const timer = setInterval(look, LOOK_MS);
    addEventListener("online", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      removeEventListener("online", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return (
    <>
      {state.is === "opening" && (
        <p class="page-centre" aria-busy="true">
          <Spinner />
        </p>
      )}
      {state.is === "new" && <New refused={state.refused === true} />}
      {state.is === "asking" && <Other />}
      {state.is === "ended" && <Ended why={state.why} />}
      {state.is === "on" && (
        <Screen frame={state.frame} isOnline={state.isOnline} />
      )}
      <Toasts />
    </>
  );
}

function Ended({ why }: { readonly why: "ended" | "key" }) {
  const { pictureFrame } = messages.value;
  return (
    <main class="page-centre link-fault">
      <Logo />
      <h1>{pictureFrame.ended}</h1>
      <p class="measure">
        {why === "ended" ? pictureFrame.endedHint : pictureFrame.wrongKey}
      </p>
      <Button kind="main" onClick={forgetFrame}>{pictureFrame.anew}</Button>
    </main>
  );
}

function Screen(
  { frame, isOnline }: {
    readonly frame: KeptFrame;
    readonly isOnline: boolean;
  },
) {
  const { pictureFrame, slideshow } = messages.value;
  const root = useRef<HTMLElement>(null);
  const [isPlaying, setPlaying] = useState(true);
  const [isAsking, setAsking] = useState(false);
  const [isSeen, setSeen] = useState(false);
  const { photo, isNothing, next } = useNext(frame.index);
  const fullScreen = useFullScreen(root);
  useWakeLock(true);
  const isDark = useNight() && frame.dims;
  useEffect(() => {
    if (photo === undefined || photo.isVideo || !isPlaying) return;
    const timer = setTimeout(next, pace.value * 1_000);
    return () => clearTimeout(timer);
  }, [photo, isPlaying, pace.value]);
  useEffect(() => {
    if (!isSeen) return;
    const timer = setTimeout(() => setSeen(false), SEEN_MS);
    return () => clearTimeout(timer);
  }, [isSeen, photo]);
  useEffect(() => {
    const pressed = ({ key, target }: KeyboardEvent) => {
      const isOwn = target instanceof HTMLElement &&
        target.closest("button, select, input, dialog") !== null;
      if (isOwn) return;
      setSeen(true);
      if (key === "ArrowRight") next();
      else if (key === " ") setPlaying((is) => !is);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  const title = shownName(frame.title) || pictureFrame.title;
  return (
    <main
      ref={root}
      class="slideshow-screen frame-screen"
      aria-label={title}
      data-bare={!isSeen && isPlaying && photo !== undefined}
      onPointerDown={() => setSeen(true)}
      onPointerMove={() => setSeen(true)}
    >
      <h1 class="unseen">{title}</h1>
      {photo !== undefined && (
        <Photo key={photo.item.hash} photo={photo} onEnd={next} />
      )}
      {photo === undefined && (
        <p class="slideshow-words" role="status">
          {!isNothing
            ? <Spinner />
            : !isOnline
            ? pictureFrame.offline
            : pictureFrame.nothing}
        </p>
      )}
      {photo?.item.caption !== undefined && (
        <p class="slideshow-caption">{shownName(photo.item.caption)}</p>
      )}
      {isDark && <div class="frame-night" data-night />}
      <div class="slideshow-bar">
        <IconButton
          icon={isPlaying ? "pause" : "play"}
          label={isPlaying ? slideshow.pause : slideshow.resume}
          onClick={() => setPlaying(!isPlaying)}
        />
        <IconButton
          icon="right"
          label={messages.value.lightbox.next}
          onClick={next}
        />
        {fullScreen.isThere && (
          <IconButton
            icon={fullScreen.isOn ? "leaveFullScreen" : "fullScreen"}
            label={fullScreen.isOn
              ? messages.value.lightbox.leaveFullScreen
              : messages.value.lightbox.fullScreen}
            onClick={fullScreen.toggle}
          />
        )}
        <IconButton
          icon="settings"
          label={pictureFrame.settings}
          onClick={() => setAsking(true)}
        />
      </div>
      {isAsking && (
        <Settings
          frame={frame}
          isOnline={isOnline}
          onClose={() => setAsking(false)}
        />
      )}
    </main>
  );
}

/** How it shows its photos, and ending it. */
function Settings(
  { frame, isOnline, onClose }: {
    readonly frame: KeptFrame;
    readonly isOnline: boolean;
    readonly onClose: () => void;
  },
) {
  const { pictureFrame } = messages.value;
  const [isSure, setSure] = useState(false);
  const [fault, setFault] = useState<string>();
  const change = (what: Parameters<typeof changeFrame>[0]) =>
    changeFrame(what).catch((error) => setFault(faultText(error)));
  return (
    <Dialog
      title={shownName(frame.title) || pictureFrame.title}
      onClose={onClose}
    >
      <div class="stack">
        <p class="quiet">
          {pictureFrame.count({ n: frame.items.length })}
          {!isOnline && ` · ${pictureFrame.notReached}`}
        </p>
        <PaceChoice />
        <Choice
          label={pictureFrame.order}
          value={frame.order}
          options={[
            ["random", pictureFrame.random],
            ["dated", pictureFrame.dated],
          ]}
          onChoose={(order) => change({ order })}
        />
        <Check
          label={pictureFrame.dims}
          checked={frame.dims}
          onChange={(dims) => change({ dims })}
        >
          {pictureFrame.dimsHint}
        </Check>
        {fault !== undefined && <Notice>{fault}</Notice>}
        {isSure && <Notice kind="warn">{pictureFrame.endHint}</Notice>}
        <Button
          kind="danger"
          onClick={() => isSure ? forgetFrame() : setSure(true)}
        >
          {isSure ? pictureFrame.endSure : pictureFrame.end}
        </Button>
      </div>
    </Dialog>
  );
}

function Photo(
  { photo: { item, blob, isVideo }, onEnd }: {
    readonly photo: FramePhoto;
    readonly onEnd: () => void;
  },
) {
  const address = useAddress(blob);
  if (address === undefined) return null;
  const name = item.caption ?? item.name;
  return isVideo
    ? (
      <video
        class="slideshow-slide"
        src={address}
        aria-label={shownName(name)}
        // Without a press since a restart, no browser plays a sound.
        muted
        autoplay
        playsInline
        onEnded={onEnd}
        onError={onEnd}
      />
    )
    : (
      <img
        class="slideshow-slide"
        src={address}
        alt={shownName(name)}
        draggable={false}
      />
    );
}

/** The photo that is shown; the next one is loaded while it is. */
function useNext(index: string) {
  const [photo, setPhoto] = useState<FramePhoto>();
  const [isNothing, setNothing] = useState(false);
  const ahead = useRef<Promise<FramePhoto | undefined>>(undefined);
  const turn = useRef(0);
  const next = async () => {
    const own = ++turn.current;
    const found = await (ahead.current ?? nextPhoto());
    ahead.current = undefined;
    if (own !== turn.current) return;
    setPhoto(found);
    setNothing(found === undefined);
    if (found !== undefined) ahead.current = nextPhoto();
  };
  const latest = useRef(next);
  latest.current = next;
  // Another list: what is new comes next, and what was taken out does not.
  useEffect(() => {
    ahead.current = undefined;
    latest.current();
  }, [index]);
  useEffect(() => {
    if (!isNothing) return;
    const timer = setInterval(() => latest.current(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [isNothing]);
  return { photo, isNothing, next: () => latest.current() };
}

/** Whether it is night, looked at every minute. */
function useNight(): boolean {
  const [is, set] = useState(isNight());
  useEffect(() => {
    const timer = setInterval(() => set(isNight()), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return is;
}
