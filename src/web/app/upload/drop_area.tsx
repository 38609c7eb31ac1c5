/**
 * A drop area over the whole page, which also takes pasted files.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { droppedFiles, type FoundFile } from "./collecting.ts";

/** Covers the page while files are held over it. */
export function DropArea({ text, take }: {
  readonly text: string;
  readonly take: (found: readonly FoundFile[]) => void;
}) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    // Counted, because every element under the pointer sends enter and leave
    // events.
    let depth = 0;
    const listening = new AbortController();
    const { signal } = listening;
    const hasFiles = (event: DragEvent) =>
      event.dataTransfer?.types.includes("Files") === true;
    addEventListener("dragenter", (event) => {
      if (!hasFiles(event)) return;
      depth += 1;
      setOver(true);
    }, { signal });
    addEventListener("dragleave", (event) => {
      if (!hasFiles(event)) return;
      depth -= 1;
      if (depth <= 0) setOver(false);
    }, { signal });
    addEventListener("dragover", (event) => {
      if (hasFiles(event)) event.preventDefault();
    }, { signal });
    addEventListener("drop", async (event) => {
      depth = 0;
      setOver(false);
      if (event.dataTransfer === null || !hasFiles(event)) return;
      event.preventDefault();
      take(await droppedFiles(event.dataTransfer));
    }, { signal });
    addEventListener("paste", async (event) => {
      const { clipboardData } = event;
      if (clipboardData === null || clipboardData.files.length === 0) return;
      take(await droppedFiles(clipboardData));
    }, { signal });
    return () => listening.abort();
  }, [take]);
  return over
    ? (
      <div class="drop-zone">
        <div>
          <Icon name="upload" size={48} />
          <p>{text}</p>
        </div>
      </div>
    )
    : null;
}
