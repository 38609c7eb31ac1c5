/**
 * Hearts and comments on a photo of an album, or of a link: how many there are,
 * over the photo, and a panel with all of them.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type {
  CommentCard,
  PhotoRemarks,
  RemarkAuthor,
} from "../../../workers/library/remarks/remark_cards.ts";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { faultText } from "../../faults.ts";
import type { PhotoInfo } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { listText, messages, timeText } from "../../messages.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Button, IconButton } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Icon } from "../../parts/icon.tsx";
import { toast } from "../../parts/toasts.tsx";
import { shownText, strangerName } from "../../safe_text.ts";
import { revision, vault } from "../../vault.ts";
import { guestName, nameGuest } from "../link/guest_name.ts";
import { guests } from "./guests.ts";
import { useSwipeDown } from "./swipe_down.ts";

/** Most characters that can be typed. */
const MOST_TYPED = 1_000;

interface Shown {
  readonly info: PhotoInfo;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

const isGuest = () => guests.value !== "none";

/** How often the panel asked for the name, instead of giving a heart. */
const askedName = signal(0);

/** Whether the person is a guest who has yet to say who they are. */
const lacksName = () => isGuest() && inOneLine(guestName.value) === "";

const typedName = () => inOneLine(guestName.peek());
/** A name without control characters, such as a pasted tab. */
const inOneLine = (name: string) => name.replace(/\p{Cc}+/gu, " ").trim();
const give = (id: string, isGiven: boolean) =>
  isGuest()
    ? vault().said.heart(id, isGiven, typedName())
    : vault().remarks.heart(id, isGiven);
const write = (id: string, text: string) =>
  isGuest()
    ? vault().said.comment(id, text, typedName())
    : vault().remarks.comment(id, text);

/** Why something was not sent. */
function textOf(error: unknown): string {
  const { code } = error instanceof ThreadError ? error.fault : {};
  return code === "error.upload_link.not_found"
    ? messages.value.remarks.halfEnded
    : faultText(error);
}

function useRemarks(id: string): PhotoRemarks | undefined {
  const read = () => isGuest() ? vault().said.of(id) : vault().remarks.of(id);
  return useLoaded(read, [id, revision.value]).value;
}

/** Names of those who gave hearts that are shown. */
const MOST_NAMES = 20;

/** The name of an author. */
function nameOf({ me, name, guestOf }: RemarkAuthor): string {
  const { albums, remarks } = messages.value;
  const shown = me ? albums.you : strangerName(name, albums);
  if (guestOf === undefined) return shown;
  return guestOf.me
    ? remarks.byOwnLink({ name: shown })
    : remarks.byLink({ name: shown, who: nameOf(guestOf) });
}

/** The names of some of those who gave hearts, and how many more there are. */
function namesOf(hearts: readonly RemarkAuthor[]): string {
  const names = hearts.slice(0, MOST_NAMES).map(nameOf);
  const more = hearts.length - names.length;
  return listText(more > 0 ? [...names, `+${more}`] : names);
}

/** How many hearts and comments there are, to press on. */
export function RemarkBar({ info, isOpen, onOpen }: Shown) {
  const { remarks } = messages.value;
  const said = useRemarks(info.id);
  const [wanted, setWanted] = useState<boolean>();
  if (said === undefined || said.may === "none") return null;
  const held = said.hearts.some(({ me }) => me);
  const isGiven = wanted ?? held;
  const count = said.hearts.length + Number(isGiven) - Number(held);
  const mayWrite = said.may === "write";
  if (!mayWrite && count + said.comments.length === 0) return null;
  const press = async () => {
    if (lacksName()) {
      askedName.value += 1;
      return onOpen(true);
    }
    setWanted(!isGiven);
    try {
      await give(info.id, !isGiven);
    } catch (error) {
      toast(textOf(error));
    }
    setWanted(undefined);
  };
  return (
    <div class="remark-bar">
      <button
        type="button"
        class="remark-heart"
        aria-pressed={isGiven}
        aria-label={`${isGiven ? remarks.takeBack : remarks.heart}: ${
          remarks.hearts({ n: count })
        }`}
        title={isGiven ? remarks.takeBack : remarks.heart}
        disabled={!mayWrite || wanted !== undefined}
        onClick={press}
      >
        <Icon name="favourite" />
        {count > 0 && <span>{count}</span>}
      </button>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={remarks.comments({ n: said.comments.length })}
        title={remarks.title}
        onClick={() => onOpen(!isOpen)}
      >
        <Icon name="comment" />
        {said.comments.length > 0 && <span>{said.comments.length}</span>}
      </button>
    </div>
  );
}

/** The panel with all comments. */
export function RemarkPanel({ info, onOpen }: Shown) {
  const { remarks, common } = messages.value;
  const root = useRef<HTMLElement>(null);
  const close = () => onOpen(false);
  useSwipeDown(root, close);
  useEffect(() => () => {
    askedName.value = 0;
  }, []);
  const said = useRemarks(info.id);
  if (said?.may === "none") return null;
  const mayWrite = said?.may === "write";
  return (
    <aside
      ref={root}
      class="lightbox-info remark-panel"
      aria-labelledby="remark-panel-title"
    >
      <span class="lightbox-grab" aria-hidden="true" />
      <header>
        <h2 id="remark-panel-title">{remarks.title}</h2>
        <IconButton icon="close" label={common.close} onClick={close} />
      </header>
      {said !== undefined && (
        <>
          {said.hearts.length > 0 && (
            <p class="remark-hearts">
              <Icon name="favourite" size={16} />
              <bdi>
                {remarks.by({ names: namesOf(said.hearts) })}
              </bdi>
            </p>
          )}
          {said.comments.length === 0
            ? <p class="quiet">{remarks.none}</p>
            : (
              <ul class="remark-list">
                {said.comments.map((one) => (
                  <Comment key={one.id} photoId={info.id} of={one} />
                ))}
              </ul>
            )}
          {mayWrite && (
            <Write key={info.id} id={info.id} isSent={said.isSent} />
          )}
          {said.may === "read" && <p class="quiet small">{remarks.onlyLook}</p>}
        </>
      )}
    </aside>
  );
}

function Comment({ photoId, of }: {
  readonly photoId: string;
  readonly of: CommentCard;
}) {
  const { remarks } = messages.value;
  const remove = () =>
    confirm({
      title: remarks.deleteTitle,
      text: isGuest() ? remarks.deleteByLink : remarks.deleteText,
      action: remarks.delete,
      act: () =>
        isGuest()
          ? vault().said.remove(photoId, of.id)
          : vault().remarks.remove(of.id),
    });
  return (
    <li>
      <p class="remark-head">
        <bdi>{nameOf(of)}</bdi>
        <span class="quiet small">{timeText(of.at)}</span>
        {of.removable && (
          <IconButton
            icon="trash"
            size={16}
            label={remarks.delete}
            onClick={remove}
          />
        )}
      </p>
      <p class="remark-text" dir="auto">{shownText(of.text)}</p>
    </li>
  );
}

function Write({ id, isSent }: {
  readonly id: string;
  readonly isSent: boolean;
}) {
  const { guest, remarks } = messages.value;
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async () => {
    if (text.trim() === "" || lacksName()) return;
    setBusy(true);
    try {
      await write(id, text);
      setText("");
    } catch (error) {
      toast(textOf(error));
    }
    setBusy(false);
  };
  return (
    <Form class="field remark-write" onSubmit={send}>
      {isGuest() && (
        <Field
          key={askedName.value}
          label={guest.name}
          value={guestName.value}
          maxLength={100}
          required
          autocomplete="name"
          autofocus={askedName.value > 0}
          hint={remarks.nameHint}
          onInput={nameGuest}
        />
      )}
      <div class="field-box">
        <textarea
          rows={2}
          maxLength={MOST_TYPED}
          aria-label={remarks.write}
          placeholder={remarks.write}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              send();
            }
          }}
        />
      </div>
      <Button
        kind="main"
        type="submit"
        busy={busy}
        disabled={text.trim() === ""}
      >
        {remarks.send}
      </Button>
      {isGuest() && <p class="quiet small">{remarks.seenLater}</p>}
      {isSent && <p class="quiet small">{remarks.sentToOwner}</p>}
    </Form>
  );
}
