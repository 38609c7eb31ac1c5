/**
 * The files that a guest chose: the progress of all of them, and each with its
 * picture, its error, and what can be done about it.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { type Summary, summaryOf } from "../../upload/summary.ts";
import type { Item, ItemState } from "../../upload/queue.ts";
import {
  Button,
  IconButton,
  Notice,
  Progress,
  Spinner,
} from "../../parts/controls.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { shownName } from "../../safe_text.ts";
import { messages, sizeText, textNamed } from "../../messages.ts";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { guestQueue, pictureOf, Refused, removeFile } from "./guest_work.ts";

/** Most files that are listed; the others are only counted. */
const MOST_SHOWN = 100;

const ORDER: readonly ItemState[] = [
  "failed",
  "sending",
  "preparing",
  "waiting",
  "kept",
  "known",
];

/** The list; empty if nothing was chosen. */
export function GuestFiles() {
  // Read to draw the list again after every change.
  guestQueue.version.value;
  const items = guestQueue.items();
  const halt = guestQueue.halt.value;
  const { guest } = messages.value;
  const sum = summaryOf(items);
  const shown = items.toSorted((a, b) =>
    ORDER.indexOf(a.state) - ORDER.indexOf(b.state)
  ).slice(0, MOST_SHOWN);
  return (
    <>
      <p class="unseen" role="status">
        {items.length > 0 && sum.left === 0 ? endText(sum) : ""}
      </p>
      {items.length > 0 && (
        <section class="guest-sending" aria-label={guest.files}>
          <Overall sum={sum} />
          {halt !== undefined && sum.left > 0 && (
            <Notice
              kind={halt === "lying" || halt === "full" ? "wrong" : "info"}
            >
              {guest.halts[halt]}
            </Notice>
          )}
          <ul class="guest-files">
            {shown.map((item) => <File key={item.id} item={item} />)}
          </ul>
          {items.length > shown.length && (
            <p class="quiet small">
              {messages.value.upload.andMore({
                n: items.length - shown.length,
              })}
            </p>
          )}
        </section>
      )}
    </>
  );
}

function endText({ kept, known, failed }: Summary): string {
  const { guest } = messages.value;
  if (kept === 0 && failed === 0) return guest.knownOnly({ n: known });
  return failed === 0
    ? guest.arrived({ n: kept })
    : guest.arrivedSome({ n: kept, not: failed });
}

function Overall({ sum }: { readonly sum: Summary }) {
  const { guest, upload, common } = messages.value;
  const isPaused = guestQueue.halt.value !== undefined;
  const { left, kept, failed, done, total } = sum;
  return (
    <header class="guest-overall">
      <div class="guest-overall-text">
        <h2>{left > 0 ? guest.sending({ n: left }) : endText(sum)}</h2>
        {left > 0 && (
          <p class="quiet small">
            {upload.progress({ done: sizeText(done), total: sizeText(total) })}
          </p>
        )}
      </div>
      {left > 0 && (
        <Button
          icon={isPaused ? "play" : "pause"}
          onClick={() => isPaused ? guestQueue.resume() : guestQueue.pause()}
        >
          {isPaused ? upload.resume : upload.pause}
        </Button>
      )}
      {left === 0 && failed > 0 && (
        <Button
          icon="restore"
          onClick={() => guestQueue.resume({ failedToo: true })}
        >
          {common.retry}
        </Button>
      )}
      {left > 0 && (
        <Progress
          value={total === 0 ? 0 : Math.min(1, done / total)}
          label={guest.files}
        />
      )}
      {left === 0 && failed === 0 && kept > 0 && <Icon name="done" size={28} />}
    </header>
  );
}

function File({ item }: { readonly item: Item }) {
  const { guest, upload } = messages.value;
  const { id, file, folder, state, done, fault } = item;
  const name = shownName(file.name);
  const isEnded = state === "kept" || state === "known";
  const share = file.size === 0 ? 0 : Math.min(1, done / file.size);
  return (
    <li class="guest-file" data-state={state}>
      <Picture item={item} />
      <div class="guest-file-text">
        <p class="guest-name" title={name}>{name}</p>
        {fault !== undefined
          ? <p class="guest-fault small" role="alert">{guestFault(fault)}</p>
          : (
            <p class="quiet small">
              {folder !== "" && `${shownName(folder)} · `}
              {sizeText(file.size)} · {state === "sending" && share < 1
                ? upload.percent({ n: Math.floor(100 * share) })
                : state === "sending"
                ? guest.checked
                : state !== "failed" && guest.states[state]}
            </p>
          )}
        {state === "sending" && (
          <Progress value={share} label={guest.progressOf({ name })} />
        )}
      </div>
      {state === "preparing" && <Spinner />}
      {state === "kept" && <Icon name="safe" />}
      {state === "known" && <Icon name="check" />}
      {state === "failed" && (
        <IconButton
          icon="restore"
          label={guest.again({ name })}
          onClick={() => guestQueue.retry(id)}
        />
      )}
      {!isEnded && (
        <IconButton
          icon="close"
          label={state === "sending"
            ? guest.cancel({ name })
            : guest.remove({ name })}
          onClick={() => removeFile(id)}
        />
      )}
    </li>
  );
}

function Picture({ item: { id, file } }: { readonly item: Item }) {
  const address = pictureOf(id);
  const icon: IconName = file.type.startsWith("video/")
    ? "film"
    : file.type.startsWith("image/")
    ? "photos"
    : "file";
  return (
    <span class="guest-picture" aria-hidden="true">
      {address === undefined
        ? <Icon name={icon} size={22} />
        : <img src={address} alt="" width="56" height="56" />}
    </span>
  );
}

/** The message for an error, for a person without an account. */
function guestFault(fault: unknown): string {
  const { guest } = messages.value;
  if (fault instanceof Refused) {
    return fault.why === "files"
      ? guest.noMoreFiles({ n: fault.most })
      : guest.tooBig({ left: sizeText(fault.most) });
  }
  if (!(fault instanceof ThreadError)) return faultText(fault);
  const { code = "", kind } = fault.fault;
  if (kind === "SourceChanged") return guest.changed;
  if (kind === "NotReadableError" || kind === "NotFoundError") {
    return guest.unreadable;
  }
  return textNamed(guest.codes, code) ?? faultText(fault);
}
