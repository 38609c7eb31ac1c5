/**
 * The small picture of a file that is no picture itself, the video of a live
 * photo, and the way into a 360° photo.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { MOST_SMALL_PIXELS } from "../../../../media/exif/extent.ts";
import { showingOf } from "../../../workers/media/showing.ts";
import { isDecodable } from "../../addresses.ts";
import { faultText } from "../../faults.ts";
import type { PhotoInfo } from "../../list.ts";
import { Icon } from "../../parts/icon.tsx";
import { toast } from "../../parts/toasts.tsx";
import { messages } from "../../messages.ts";
import { blobOf, useAddress } from "./bytes.ts";

/** The best small picture of a file; an icon if there is none. */
export function Still({ info }: { readonly info: PhotoInfo }) {
  const [blob, setBlob] = useState<Blob>();
  const address = useAddress(blob);
  const part = (["preview", "thumbnail"] as const).find((kind) =>
    info.derivatives.some((one) => one.kind === kind)
  );
  useEffect(() => {
    if (part === undefined) return;
    const ending = new AbortController();
    blobOf(info.id, part, ending).then(
      async (fetched) => {
        const isSafe = await isDecodable(fetched, MOST_SMALL_PIXELS);
        if (isSafe && !ending.signal.aborted) setBlob(fetched);
      },
    ).catch(
      // It goes without.
      () => {},
    );
    return () => ending.abort();
  }, [info.id, part]);
  if (address !== undefined) {
    return (
      <img class="lightbox-picture" src={address} alt="" draggable={false} />
    );
  }
  if (part !== undefined) return null;
  const showing = showingOf(info.mime);
  return (
    <div class="lightbox-icon">
      <Icon
        name={showing === "video"
          ? "film"
          : showing === "sound"
          ? "sound"
          : "file"}
        size={72}
      />
    </div>
  );
}

/**
 * Plays the video of a live photo while the pointer is over it, or after a
 * press.
 */
export function Live({ info, within }: {
  readonly info: PhotoInfo;
  /** The video, if it is in the photo itself. */
  readonly within: Blob | undefined;
}) {
  const [wanted, setWanted] = useState(false);
  const [blob, setBlob] = useState<Blob>();
  const address = useAddress(blob);
  const player = useRef<HTMLVideoElement>(null);
  /** Whether a mouse is over the mark. */
  const pointed = useRef(false);
  const { lightbox } = messages.value;
  // An edit is of the picture: the video is as it was taken, which is said.
  const isEdited = info.edit !== undefined;
  const label = isEdited ? lightbox.liveUnedited : lightbox.live;
  useEffect(() => {
    if (!wanted || blob !== undefined) return;
    const ending = new AbortController();
    const found = within === undefined
      ? blobOf(info.id, "motion", ending)
      : Promise.resolve(within);
    found.then(
      (fetched) => {
        if (ending.signal.aborted) return;
        if (!fetched.type.startsWith("video/")) {
          setWanted(false);
          return toast(lightbox.notPlayed);
        }
        setBlob(fetched);
      },
      (error) => {
        if (ending.signal.aborted) return;
        setWanted(false);
        toast(faultText(error));
      },
    );
    return () => ending.abort();
  }, [info.id, wanted]);
  useEffect(() => {
    if (!wanted || address === undefined) return;
    const { current } = player;
    if (current === null) return;
    current.currentTime = 0;
    current.play().catch(() => {
      // Every browser allows playing without sound.
      current.muted = true;
      current.play().catch(() => setWanted(false));
    });
  }, [wanted, address]);
  return (
    <>
      {wanted && address !== undefined && (
        <video
          ref={player}
          class="lightbox-picture"
          src={address}
          playsInline
          aria-label={label}
          onEnded={() => setWanted(false)}
          onError={() => {
            setWanted(false);
            toast(lightbox.notPlayed);
          }}
        />
      )}
      <button
        type="button"
        class="lightbox-live"
        aria-label={label}
        aria-pressed={wanted}
        onPointerEnter={(event) => {
          pointed.current = event.pointerType === "mouse";
          if (pointed.current) setWanted(true);
        }}
        onPointerLeave={(event) => {
          pointed.current = false;
          if (event.pointerType === "mouse") setWanted(false);
        }}
        onClick={({ detail }) => {
          // With a mouse, pointing at it already plays it. The click itself says
          // nothing of the pointer in Safari 17; by a key its `detail` is 0.
          if (detail === 0 || !pointed.current) setWanted(!wanted);
        }}
      >
        <Icon name="live" />{" "}
        {isEdited ? lightbox.liveBadgeUnedited : lightbox.liveBadge}
      </button>
    </>
  );
}

/** Opens a 360° photo, to look around in it. */
export function AroundButton({ onClick }: { readonly onClick: () => void }) {
  const { sphere } = messages.value;
  return (
    <button type="button" class="lightbox-live" onClick={onClick}>
      <b>360°</b> {sphere.open}
    </button>
  );
}
