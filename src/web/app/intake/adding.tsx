/**
 * The ways to add photos: a button, dropping, pasting, and sharing from another
 * app.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../parts/controls.tsx";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { route } from "../routes.ts";
import { vault } from "../vault.ts";
import { words } from "../words.ts";
import { chosenFiles, type FoundFile } from "./collecting.ts";
import { DropArea } from "./drop_area.tsx";

/** The dialog to open, set by buttons elsewhere on the page. */
const choosing = signal<"files" | "folder" | undefined>(undefined);

/** Opens the dialog to choose files or a folder. */
export function chooseFiles(what: "files" | "folder" = "files"): void {
  choosing.value = what;
}

/** Adds files to the album that is shown, or to the library. */
export async function add(found: readonly FoundFile[]): Promise<void> {
  if (found.length === 0) return;
  const [place, album] = route.value.path;
  // The code that adds files is loaded when there are some.
  const [{ addFiles }, { QueuePanel }] = await Promise.all([
    import("./workers.ts"),
    import("./panel.tsx"),
  ]);
  panel.value = QueuePanel;
  await addFiles(found, place === "album" ? album : undefined);
}

/** The panel of the queue, once something was added. */
const panel = signal<ComponentType | undefined>(undefined);

/** The queue's panel in a corner of the page. */
export function Queue() {
  const Panel = panel.value;
  return Panel === undefined ? null : <Panel />;
}

/**
 * A banner about files that were begun and not finished before this page was
 * loaded.
 */
export function Unfinished() {
  const { upload } = words.value;
  const [files, setFiles] = useState<number>(0);
  useEffect(() => {
    vault().intake.unfinished().then(({ length }) => setFiles(length));
  }, []);
  // Once something is added, the panel shows it instead.
  if (files === 0 || panel.value !== undefined) return null;
  return (
    <div class="banner unfinished" role="status">
      <p>
        <strong>{upload.unfinished(files)}</strong> {upload.unfinishedHint}
      </p>
      <div class="actions">
        <Button onClick={() => chooseFiles("files")}>
          {upload.chooseFiles}
        </Button>
        <Button
          kind="quiet"
          onClick={() => {
            setFiles(0);
            vault().intake.forgetUnfinished();
          }}
        >
          {upload.forget}
        </Button>
      </div>
    </div>
  );
}

/** The button in the bar, and the dialogs behind it. */
export function AddButton() {
  const { upload, frame } = words.value;
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const wanted = choosing.value;
  useEffect(() => {
    if (wanted === undefined) return;
    choosing.value = undefined;
    (wanted === "files" ? files : folder).current?.click();
  }, [wanted]);
  useEffect(() => {
    // The types lack this attribute.
    folder.current?.setAttribute("webkitdirectory", "");
  }, []);
  const taken = (event: { readonly currentTarget: HTMLInputElement }) => {
    const input = event.currentTarget;
    const found = chosenFiles(input.files);
    // Reset, so that the same files can be chosen again.
    input.value = "";
    add(found);
  };
  return (
    <div class="add">
      <input
        ref={files}
        class="unseen"
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        data-add="files"
        onChange={taken}
      />
      <input
        ref={folder}
        class="unseen"
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        data-add="folder"
        onChange={taken}
      />
      <Menu
        label={frame.upload}
        kind="main"
        button={
          <>
            <Icon name="add" />
            <span class="wide-only">{frame.upload}</span>
          </>
        }
        items={[
          {
            icon: "photos",
            label: upload.chooseFiles,
            act: () => chooseFiles("files"),
          },
          {
            icon: "folder",
            label: upload.chooseFolder,
            act: () => chooseFiles("folder"),
          },
        ]}
      />
    </div>
  );
}

/** Adds files that are dropped or pasted anywhere on the page. */
export function DropZone() {
  return <DropArea text={words.value.upload.drop} take={add} />;
}
