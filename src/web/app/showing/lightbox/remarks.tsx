/**
 * Hearts and comments on a photo of an album: how many there are, over the
 * photo, and a panel with all of them.
 *
 * @module
 */
import { useRef, useState } from "preact/hooks";
import type {
  CommentCard,
  PhotoRemarks,
  RemarkAuthor,
} from "../../../workers/library/remark_cards.ts";
import { faultText } from "../../faults.ts";
import type { PhotoInfo } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { listText, messages, timeText } from "../../messages.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Button, IconButton } from "../../parts/controls.tsx";
import { Form } from "../../parts/form.tsx";
import { Icon } from "../../parts/icon.tsx";
import { toast } from "../../parts/toasts.tsx";
import { shownText, strangerName } from "../../safe_text.ts";
import { revision, vault } from "../../vault.ts";
import { useSwipeDown } from "./swipe_down.ts";

/** Most characters that can be typed. */
const MOST_TYPED = 1_000;

interface Shown {
  readonly info: PhotoInfo;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

function useRemarks(id: string): PhotoRemarks | undefined {
  return useLoaded(() => vault().remarks.of(id), [id, revision.value]).value;
}

/** The name of an author. */
function nameOf({ me, name }: RemarkAuthor): string {
  const { albums } = messages.value;
  return me ? albums.you : strangerName(name, albums);
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
    setWanted(!isGiven);
    try {
      await vault().remarks.heart(info.id, !isGiven);
    } catch (error) {
      toast(faultText(error));
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
  const said = useRemarks(info.id);
  if (said?.may === "none") return null;
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
                {remarks.by({ names: listText(said.hearts.map(nameOf)) })}
              </bdi>
            </p>
          )}
          {said.comments.length === 0
            ? <p class="quiet">{remarks.none}</p>
            : (
              <ul class="remark-list">
                {said.comments.map((one) => <Comment key={one.id} of={one} />)}
              </ul>
            )}
          {said.may === "write"
            ? <Write key={info.id} id={info.id} />
            : <p class="quiet small">{remarks.onlyLook}</p>}
        </>
      )}
    </aside>
  );
}

function Comment({ of }: { readonly of: CommentCard }) {
  const { remarks } = messages.value;
  const remove = () =>
    confirm({
      title: remarks.deleteTitle,
      text: remarks.deleteText,
      action: remarks.delete,
      act: () => vault().remarks.remove(of.id),
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

function Write({ id }: { readonly id: string }) {
  const { remarks } = messages.value;
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async () => {
    if (text.trim() === "") return;
    setBusy(true);
    try {
      await vault().remarks.comment(id, text);
      setText("");
    } catch (error) {
      toast(faultText(error));
    }
    setBusy(false);
  };
  return (
    <Form class="field remark-write" onSubmit={send}>
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
    </Form>
  );
}
