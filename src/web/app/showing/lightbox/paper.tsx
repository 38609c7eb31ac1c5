/**
 * Files that are no picture, video or sound: a text is shown as plain text, and
 * others are named and downloaded. No content becomes part of this page, and
 * none gets an address of its own: a document there could run scripts next to
 * the library.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { showingOf } from "../../../workers/media/showing.ts";
import { faultText } from "../../faults.ts";
import type { PhotoInfo } from "../../list.ts";
import { Button, Notice, Progress } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { messages, sizeText } from "../../messages.ts";
import { blobOf } from "./bytes.ts";
import { Still } from "./still.tsx";

const MOST_TEXT_BYTES = 8 * 1024 * 1024;
/** How much of a text is shown (bytes). */
const SHOWN_TEXT_BYTES = 256 * 1024;

/** A text, a PDF, or any other file. */
export function Paper({ info, isCurrent, children }: {
  readonly info: PhotoInfo;
  readonly isCurrent: boolean;
  /** Buttons. */
  readonly children?: ComponentChildren;
}) {
  const { lightbox } = messages.value;
  const showing = showingOf(info.mime);
  const isShown = showing === "text" && info.size <= MOST_TEXT_BYTES;
  const [blob, setBlob] = useState<Blob>();
  const [progress, setProgress] = useState(0);
  const [fault, setFault] = useState<string>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!isCurrent || !isShown || blob !== undefined) return;
    const ending = new AbortController();
    const { signal } = ending;
    blobOf(info.id, "original", {
      signal,
      onProgress: (bytes) => setProgress(bytes / Math.max(1, info.size)),
    }).then((fetched) => {
      if (!signal.aborted) setBlob(fetched);
    }, (error) => {
      if (!signal.aborted) setFault(faultText(error));
    });
    return () => ending.abort();
  }, [info.id, isCurrent, isShown, turn]);
  if (fault !== undefined) {
    return (
      <div class="lightbox-words">
        <Notice>{fault}</Notice>
        <Button
          onClick={() => {
            setFault(undefined);
            setTurn(turn + 1);
          }}
        >
          {messages.value.common.retry}
        </Button>
      </div>
    );
  }
  if (showing === "text" && blob !== undefined) return <Text blob={blob} />;
  return (
    <div class="lightbox-words">
      {info.derivatives.some(({ kind }) => kind === "thumbnail")
        ? (
          <div class="lightbox-page">
            <Still info={info} />
          </div>
        )
        : <Icon name="file" size={72} />}
      <p class="lightbox-name">{info.name}</p>
      <p class="quiet">{sizeText(info.size)}</p>
      {isShown
        ? blob === undefined
          ? <Progress value={progress} label={lightbox.loading} />
          : null
        : <p class="quiet">{lightbox.noPreview}</p>}
      <div class="actions">
        {children}
      </div>
    </div>
  );
}

function Text({ blob }: { readonly blob: Blob }) {
  const [text, setText] = useState("");
  useEffect(() => {
    let gone = false;
    textOf(blob.slice(0, SHOWN_TEXT_BYTES)).then((read) => {
      if (!gone) setText(read);
    });
    return () => {
      gone = true;
    };
  }, [blob]);
  return (
    <div class="lightbox-text">
      {blob.size > SHOWN_TEXT_BYTES && (
        <p class="quiet">
          {messages.value.lightbox.textCut({
            size: sizeText(SHOWN_TEXT_BYTES),
          })}
        </p>
      )}
      <pre tabIndex={0} dir="auto">{text}</pre>
    </div>
  );
}

/**
 * Decodes UTF-8, or the UTF-16 that some programs write; invalid characters are
 * replaced.
 */
async function textOf(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const mark = (bytes[0] ?? 0) << 8 | (bytes[1] ?? 0);
  const encoding = mark === 0xfffe
    ? "utf-16le"
    : mark === 0xfeff
    ? "utf-16be"
    : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}
