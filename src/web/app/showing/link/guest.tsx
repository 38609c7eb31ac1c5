/**
 * The page of an upload link, by which guests send files to the person who made
 * it. Files are sealed here for that person's key
 * (protocol/client-cryptography.md#upload-link).
 *
 * @module
 */
import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { UploadLinkFacts } from "../../../workers/guests/guest_calls.ts";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { chooseAppearance } from "../../appearance.ts";
import { faultText } from "../../faults.ts";
import { chosenFiles, type FoundFile } from "../../upload/collecting.ts";
import { DropArea } from "../../upload/drop_area.tsx";
import { Button, Notice, Spinner } from "../../parts/controls.tsx";
import { addIcons, Icon } from "../../parts/icon.tsx";
import { Logo } from "../../parts/logo.tsx";
import { shownText } from "../../safe_text.ts";
import {
  chooseLanguage,
  messages,
  sizeText,
  timeText,
} from "../../messages.ts";
import { texts as english } from "../../messages/en_later.ts";
import { LATER_ICONS } from "../../parts/later_icons.ts";
import { tidyAddress } from "./address.ts";
import { GuestFiles } from "./guest_files.tsx";
import { Field } from "../../parts/form.tsx";
import { guestName, nameGuest } from "./guest_name.ts";
import { PassphraseForm, WaitingLine } from "./parts.tsx";
import {
  guestQueue,
  guestThread,
  hasEnded,
  setRoom,
  waiting,
} from "./guest_work.ts";

/** The states of the page. */
type Shown =
  | { readonly is: "opening" }
  | { readonly is: "closed" | "open"; readonly room: UploadLinkFacts }
  | { readonly is: "fault"; readonly text: string; readonly again: boolean };

const shown = signal<Shown>({ is: "opening" });

function Page() {
  const state = shown.value;
  const { link, guest, common } = messages.value;
  useEffect(() => {
    document.title = guest.title;
  }, [guest]);
  return (
    <>
      <Waiting />
      {state.is === "opening" && (
        <div class="page-centre" aria-busy="true">
          <p class="quiet">
            <Spinner /> {link.opening}
          </p>
        </div>
      )}
      {state.is === "fault" && (
        <main class="page-centre link-fault">
          <Logo />
          <h1>{guest.title}</h1>
          <Notice>{state.text}</Notice>
          {state.again && <Button onClick={open}>{common.retry}</Button>}
        </main>
      )}
      {state.is === "closed" && <Passphrase room={state.room} />}
      {state.is === "open" && <Giving room={state.room} />}
    </>
  );
}

/** The note that says who asks and for what. */
function Asked({ room }: { readonly room: UploadLinkFacts }) {
  const { guest } = messages.value;
  const note = shownText(room.note ?? "");
  return note === "" ? null : (
    <figure class="guest-note">
      <figcaption class="quiet small">{guest.asks}</figcaption>
      <blockquote>{note}</blockquote>
    </figure>
  );
}

function take(found: readonly FoundFile[]): void {
  if (found.length > 0) guestQueue.add(found);
}

function Giving({ room }: { readonly room: UploadLinkFacts }) {
  const { guest, upload } = messages.value;
  const { files, bytes, expiresAt, unfinished } = room;
  const isNew = guestQueue.version.value === 0;
  return (
    <div class="link-page guest-page">
      <header class="guest-head">
        <Logo />
        <h1>{guest.title}</h1>
        <Asked room={room} />
        <p class="quiet">
          {guest.takes({
            files,
            size: sizeText(bytes),
            until: timeText(expiresAt),
          })}
        </p>
      </header>
      <main class="guest-main">
        {hasEnded.value && <Notice>{guest.ended}</Notice>}
        {isNew && unfinished > 0 && (
          <Notice kind="info">
            <strong>{upload.unfinished({ n: unfinished })}</strong>{" "}
            {upload.unfinishedHint}
          </Notice>
        )}
        {!hasEnded.value && (
          <Field
            label={guest.name}
            value={guestName.value}
            maxLength={100}
            autocomplete="name"
            hint={guest.nameHint}
            onInput={nameGuest}
          />
        )}
        {!hasEnded.value && <Choosing isNew={isNew} />}
        <GuestFiles />
      </main>
      <footer class="link-foot quiet small">{guest.foot}</footer>
      <DropArea text={guest.drop} take={take} />
    </div>
  );
}

/** The ways to choose files. */
function Choosing({ isNew }: { readonly isNew: boolean }) {
  const { guest } = messages.value;
  const pictures = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The types lack these attributes.
    folder.current?.setAttribute("webkitdirectory", "");
    camera.current?.setAttribute("capture", "environment");
  }, []);
  const taken = (event: { readonly currentTarget: HTMLInputElement }) => {
    const input = event.currentTarget;
    const found = chosenFiles(input.files);
    // Reset, so that the same files can be chosen again.
    input.value = "";
    take(found);
  };
  const hidden = {
    class: "unseen",
    type: "file",
    multiple: true,
    tabIndex: -1,
    "aria-hidden": "true",
    onChange: taken,
  } as const;
  return (
    // Once files are under way, they are more important than the choice.
    <div class={isNew ? "guest-choose" : "guest-choose again"}>
      <input
        ref={pictures}
        {...hidden}
        accept="image/*,video/*"
        data-choose="pictures"
      />
      <input ref={files} {...hidden} data-choose="files" />
      <input ref={folder} {...hidden} data-choose="folder" />
      <input ref={camera} {...hidden} accept="image/*" data-choose="camera" />
      <Icon name="upload" size={40} />
      <p class="guest-drop-hint">{guest.dropHint}</p>
      <div class="actions">
        <Button
          kind="main"
          icon="photos"
          onClick={() => pictures.current?.click()}
        >
          {guest.choosePhotos}
        </Button>
        <span class="guest-camera">
          <Button icon="camera" onClick={() => camera.current?.click()}>
            {guest.camera}
          </Button>
        </span>
        <Button icon="file" onClick={() => files.current?.click()}>
          {guest.choose}
        </Button>
        <span class="guest-folder">
          <Button icon="folder" onClick={() => folder.current?.click()}>
            {guest.folder}
          </Button>
        </span>
      </div>
    </div>
  );
}

function Passphrase({ room }: { readonly room: UploadLinkFacts }) {
  const { guest } = messages.value;
  return (
    <PassphraseForm
      open={async (typed) => {
        try {
          await guestThread().open(location.href, typed);
        } catch (error) {
          if (faultIn(error).kind !== "DocumentError") throw error;
          return fail(guest.wrongKey);
        }
        opened(room);
      }}
    >
      <Asked room={room} />
    </PassphraseForm>
  );
}

/** Says why no request is made for now, and counts down. */
function Waiting() {
  const wait = waiting.value;
  if (wait === undefined) return null;
  const { link, guest } = messages.value;
  const text = wait.why === "busy" ? link.waiting : guest.offline;
  return <WaitingLine until={wait.until} text={text} />;
}

function fail(text: string, again = false): void {
  shown.value = { is: "fault", text, again };
}

function faultIn(error: unknown): {
  readonly kind?: string;
  readonly status?: number;
  readonly fault?: string;
} {
  return error instanceof ThreadError ? error.fault : {};
}

/** Shows the opened link; files can be chosen unless it takes no more. */
function opened(room: UploadLinkFacts): void {
  const { files, bytes, unfinished } = room;
  if ((files === 0 || bytes === 0) && unfinished === 0) {
    return fail(messages.value.guest.usedUp);
  }
  setRoom(room);
  shown.value = { is: "open", room };
}

/** Opens the link in the address bar. */
async function open(): Promise<void> {
  const { guest } = messages.value;
  shown.value = { is: "opening" };
  try {
    const room = await guestThread().look(location.href);
    if (room === undefined) return fail(guest.noLink);
    if (room.key !== "whole") {
      fail(room.key === "missing" ? guest.noKey : guest.badKey);
      return;
    }
    if (room.hasPassphrase) {
      shown.value = { is: "closed", room };
      return;
    }
    await guestThread().open(location.href);
    opened(room);
  } catch (error) {
    const { kind, status } = faultIn(error);
    if (kind === "DocumentError") return fail(guest.wrongKey);
    if (status === 404) return fail(guest.ended);
    fail(faultText(error), true);
  }
}

async function start(): Promise<void> {
  const root = document.getElementById("app");
  if (root === null) throw new Error("the page has no #app");
  tidyAddress();
  // Another key in the address bar means another link.
  addEventListener("hashchange", () => location.reload());
  chooseAppearance();
  addIcons(LATER_ICONS);
  await chooseLanguage(undefined, english);
  render(<Page />, root);
  await open();
}

start();
