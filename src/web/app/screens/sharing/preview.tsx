/**
 * The preview of a guest's file before it is accepted.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, isDecodable, typed } from "../../addresses.ts";
import { faultText } from "../../faults.ts";
import { Button, IconButton, Notice, Spinner } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { vault } from "../../vault.ts";
import type { WaitingCard } from "../../../workers/library/sharing/sharing_cards.ts";
import { messages, sizeText, timeText } from "../../messages.ts";
import { LOOKED_AT_MOST } from "./accepting.ts";

/** What is fetched to be looked at; what it is, its bytes say. */
const SHOWN = /^(?:image|video|audio)\//;

/** A finger that moved this far to a side wants the next one. */
const SWIPE_PX = 48;

/** One of them, large; the arrows and a swipe go on to the others. */
export function Preview(
  { all, at, onStep, onClose, onAccept, onRefuse }: {
    readonly all: readonly WaitingCard[];
    readonly at: number;
    readonly onStep: (to: WaitingCard) => void;
    readonly onClose: () => void;
    readonly onAccept: (one: WaitingCard) => void;
    readonly onRefuse: (one: WaitingCard) => void;
  },
) {
  const { sharing } = messages.value;
  const began = useRef(0);
  const one = all[at];
  if (one === undefined) return null;
  const step = (by: number) => {
    const next = all[at + by];
    if (next !== undefined) onStep(next);
  };
  return (
    <Dialog
      title={one.name ?? sharing.unreadable}
      size="wide"
      hasAddress
      note={all.length > 1 && (
        <p class="quiet small">
          {sharing.placeOf({ at: at + 1, of: all.length })}
        </p>
      )}
      onClose={onClose}
      actions={
        <>
          <Button kind="danger" onClick={() => onRefuse(one)}>
            {sharing.refuse}
          </Button>
          <Button kind="main" icon="check" onClick={() => onAccept(one)}>
            {sharing.accept}
          </Button>
        </>
      }
    >
      <div
        class="preview"
        onKeyDown={(event) => {
          if (event.key === "ArrowLeft") step(-1);
          else if (event.key === "ArrowRight") step(1);
        }}
        onTouchStart={({ touches }) => {
          began.current = touches[0]?.clientX ?? 0;
        }}
        onTouchEnd={({ changedTouches }) => {
          const moved = (changedTouches[0]?.clientX ?? 0) - began.current;
          if (Math.abs(moved) >= SWIPE_PX) step(moved < 0 ? 1 : -1);
        }}
      >
        <IconButton
          icon="left"
          size={24}
          label={sharing.previous}
          disabled={at === 0}
          onClick={() => step(-1)}
        />
        <Looked key={one.uploadId} waiting={one} />
        <IconButton
          icon="right"
          size={24}
          label={sharing.following}
          disabled={at === all.length - 1}
          onClick={() => step(1)}
        />
      </div>
      <div class="preview-facts">
        {one.note !== undefined && <p>{sharing.sentFor({ note: one.note })}</p>}
        <p class="quiet small">
          {sizeText(one.size)} · {timeText(one.receivedAt)}
        </p>
      </div>
    </Dialog>
  );
}

function Looked({ waiting }: { readonly waiting: WaitingCard }) {
  const { sharing } = messages.value;
  const { opaqueId, uploadId, mime = "", name = "", size } = waiting;
  const [looked, setLooked] = useState<
    { readonly kind: string; readonly url: string }
  >();
  const [fault, setFault] = useState<string>();
  const shows = SHOWN.test(mime) && size <= LOOKED_AT_MOST;
  useEffect(() => {
    if (!shows) return;
    let made: string | undefined;
    let gone = false;
    const look = async () => {
      const { bytes } = await vault().sharing.peek(opaqueId, uploadId);
      const blob = await typed(new Blob([bytes]));
      const kind = blob.type.split("/", 1)[0];
      const isSafe = kind === "image"
        ? await isDecodable(blob)
        : kind === "video" || kind === "audio";
      if (gone) return;
      if (!isSafe || kind === undefined) return setFault(sharing.noPreview);
      made = addressOf(blob);
      setLooked({ kind, url: made });
    };
    look().catch((error) => {
      if (!gone) setFault(faultText(error));
    });
    return () => {
      gone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, []);
  if (fault !== undefined) return <Notice>{fault}</Notice>;
  if (!shows) {
    return (
      <div class="preview-none">
        <Icon name="file" size={40} />
        <p class="quiet">
          {size > LOOKED_AT_MOST ? sharing.tooLarge : sharing.noPreview}
        </p>
      </div>
    );
  }
  if (looked === undefined) return <Spinner />;
  const { kind, url } = looked;
  if (kind === "video") return <video src={url} controls />;
  if (kind === "audio") return <audio src={url} controls />;
  return (
    <img
      src={url}
      alt={name}
      onError={() => setFault(sharing.noPreview)}
    />
  );
}
