/**
 * The ways to add photos: a button, dropping, pasting, and sharing from another
 * app.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { isOwnProof } from "../../../library/account/own_proof.ts";
import { Button } from "../parts/controls.tsx";
import { Icon } from "../parts/icon.tsx";
import { withPart } from "../parts/lazy.tsx";
import { toast } from "../parts/toasts.tsx";
import { Menu } from "../parts/menu.tsx";
import { go, href, route } from "../routes.ts";
import { shownName } from "../safe_text.ts";
import { vault } from "../vault.ts";
import type { BegunImport } from "../../workers/library/import_calls.ts";
import type { UnfinishedFiles } from "../../workers/library/unfinished.ts";
import { messages } from "../messages.ts";
import { namesOf } from "../import/names.ts";
import { ADDING, locks } from "./adding_lock.ts";
import { chosenFiles, type FoundFile } from "./collecting.ts";
import { DropArea } from "./drop_area.tsx";
import { panel } from "./shown_panel.ts";

/** The dialog to open, set by buttons elsewhere on the page. */
const choosing = signal<"files" | "folder" | undefined>(undefined);

/** Opens the dialog to choose files or a folder. */
export function chooseFiles(what: "files" | "folder" = "files"): void {
  choosing.value = what;
}

/** Adds files to the album that is shown, or to the library. */
export async function add(given: readonly FoundFile[]): Promise<void> {
  const [place, album] = route.value.path;
  if (isImportShown()) {
    return await withPart(
      () => import("../import/importing.ts"),
      ({ lookAt }) => lookAt(given),
    );
  }
  const found = given.filter(({ file }) => !isOwnProof(file.name));
  const proofs = given.filter(({ file }) => isOwnProof(file.name));
  if (proofs.length > 0) {
    const named = proofs.slice(0, MOST_NAMED).map(({ file }) =>
      shownName(file.name)
    );
    toast(
      messages.value.upload.proofsLeft({
        n: proofs.length,
        names: named.join(", "),
      }),
    );
  }
  if (found.length === 0) return;
  // The code that adds files is loaded when there are some.
  const load = () =>
    Promise.all([import("./workers.ts"), import("./panel.tsx")]);
  await withPart(load, ([{ addFiles }, { QueuePanel }]) => {
    panel.value = QueuePanel;
    return addFiles(found, place === "album" ? album : undefined);
  });
}

/** The queue's panel in a corner of the page. */
export function Queue() {
  const Panel = panel.value;
  return Panel === undefined ? null : <Panel />;
}

/** Names that are told; the others are counted. */
const MOST_NAMED = 3;

/** What was to be added before this page was loaded, and is not. */
export function Unfinished() {
  const { upload } = messages.value;
  const [found, setFound] = useState<UnfinishedFiles>();
  const [begun, setBegun] = useState<BegunImport>();
  useEffect(() => {
    const look = async () => {
      // What the browser went on sending is here, or is not finished either.
      if (await vault().uploads.isHandedOver()) {
        await (await import("./handing_over.ts")).takeUpWhile(true);
      }
      setFound(await vault().uploads.unfinished());
      setBegun(await vault().imports.begun());
    };
    // What another tab is adding is not unfinished while that tab does.
    if (locks === undefined) look();
    else locks.request(ADDING, look);
  }, []);
  // As soon as something is added it says itself what it does.
  if (panel.value !== undefined) return null;
  if (begun !== undefined && !isImportShown()) {
    return (
      <BegunNotice
        begun={begun}
        forget={() => {
          setBegun(undefined);
          vault().imports.end();
        }}
      />
    );
  }
  if (!found?.left) return null;
  const { left, total, files } = found;
  const named = files.slice(0, MOST_NAMED).map(({ name }) => shownName(name));
  const inFolder = files.some(({ folder }) => folder !== "");
  return (
    <div class="banner unfinished" role="status">
      <div>
        <p>
          <strong>
            {left < total
              ? upload.notAdded({ left, total })
              : upload.noneAdded({ n: left })}
          </strong>{" "}
          {upload.notAddedHint}
        </p>
        <p class="quiet small unfinished-names">
          {named.join(", ")}
          {left > named.length &&
            ` ${upload.andMore({ n: left - named.length })}`}
        </p>
      </div>
      <div class="actions">
        <Button
          kind={inFolder ? "plain" : "main"}
          onClick={() => chooseFiles("files")}
        >
          {upload.againFiles}
        </Button>
        <Button
          kind={inFolder ? "main" : "plain"}
          onClick={() => chooseFiles("folder")}
        >
          {upload.againFolder}
        </Button>
        <Button
          kind="quiet"
          onClick={() => {
            setFound(undefined);
            vault().uploads.forgetUnfinished();
          }}
        >
          {upload.forget}
        </Button>
      </div>
    </div>
  );
}

/** Whether the page that imports is shown, which says it itself. */
function isImportShown(): boolean {
  const [place, page] = route.value.path;
  return place === "settings" && page === "import";
}

function BegunNotice({ begun, forget }: {
  readonly begun: BegunImport;
  readonly forget: () => void;
}) {
  const { imports, upload } = messages.value;
  return (
    <div class="banner unfinished" role="status">
      <p>
        <strong>{imports.begun({ names: namesOf(begun) })}</strong>{" "}
        {imports.begunHint}
      </p>
      <div class="actions">
        <a class="button main" href={href("settings", "import")}>
          {imports.title}
        </a>
        <Button kind="quiet" onClick={forget}>{upload.forget}</Button>
      </div>
    </div>
  );
}

/** The button in the bar, and the dialogs behind it. */
export function AddButton() {
  const { upload, shell } = messages.value;
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
        label={shell.upload}
        kind="main"
        button={
          <>
            <Icon name="add" />
            <span class="wide-only">{shell.upload}</span>
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
          {
            icon: "inbox",
            label: messages.value.imports.title,
            act: () => go(href("settings", "import")),
          },
        ]}
      />
    </div>
  );
}

/** Adds files that are dropped or pasted anywhere on the page. */
export function DropZone() {
  return <DropArea text={messages.value.upload.drop} take={add} />;
}
