/**
 * What is being added, in a corner of the page: how far all of it is, each file
 * with what went wrong, and pause, go on, try again, cancel.
 *
 * @module
 */
import { addressOf } from "../addresses.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { faultText } from "../faults.ts";
import { sourceOf } from "../list.ts";
import { confirm } from "../parts/confirm.tsx";
import { Button, IconButton, Progress, Spinner } from "../parts/controls.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { toast } from "../parts/toasts.tsx";
import { go, href, route } from "../routes.ts";
import { messages, sizeText } from "../messages.ts";
import type { Item, ItemState } from "./queue.ts";
import { type Summary, summaryOf } from "./summary.ts";
import { handsOver, isGathering } from "./handing_over.ts";
import { pictureOf, queue } from "./workers.ts";
import { install } from "../install.ts";

/** No more than these are drawn; the others are counted. */
const MOST_SHOWN = 60;
/** All went well: the panel stays as long, then a message says it (ms). */
const STAYS_MS = 8_000;

const ICONS: Readonly<Record<ItemState, IconName | undefined>> = {
  waiting: undefined,
  preparing: undefined,
  sending: undefined,
  handed: undefined,
  kept: "safe",
  known: "check",
  back: "safe",
  failed: "warning",
};

const ORDER: readonly ItemState[] = [
  "failed",
  "sending",
  "preparing",
  "waiting",
  "handed",
  "back",
  "kept",
  "known",
];

/** The panel; nothing where nothing was added. */
export function QueuePanel() {
  // Read so that it is drawn again with every change.
  queue.version.value;
  const items = queue.items();
  if (items.length === 0) return null;
  const sum = summaryOf(items);
  return <Panel items={items} sum={sum} />;
}

const isNarrow = () => matchMedia("(max-width: 40rem)").matches;

function Panel(
  { items, sum }: { readonly items: readonly Item[]; readonly sum: Summary },
) {
  const { upload, common } = messages.value;
  const { noted, besides } = sum;
  // What is said of a file stays until someone has read it.
  const ended = sum.left === 0 && sum.failed === 0 && noted === 0 &&
    besides === 0 && sum.handed === 0;
  const halt = queue.halt.value;
  // Elsewhere than among photos it makes room, until it is opened; and on a
  // phone, where it would cover the photos that come.
  const inList = sourceOf(route.value) !== undefined && !isNarrow();
  const [chosen, setChosen] = useState<boolean>();
  const open = chosen ?? (inList && !ended);
  useEffect(() => {
    if (!ended) return;
    setChosen(undefined);
    const timer = setTimeout(() => {
      const text = addedText(summaryOf(queue.items()));
      queue.clear();
      toast(text, {
        label: messages.value.shell.safety,
        act: () => go(href("safety")),
      });
      offerInstall();
    }, STAYS_MS);
    return () => clearTimeout(timer);
  }, [ended]);
  const done = sum.kept + sum.known + sum.back;
  const count = sum.left + done + sum.failed + sum.handed;
  return (
    <section class="queue" aria-label={upload.title}>
      <header>
        <div class="queue-state">
          <strong>
            {sum.left > 0
              ? upload.adding({ done, total: count })
              : sum.failed > 0
              ? upload.failed({ n: sum.failed })
              : sum.handed > 0
              ? upload.handed({ n: sum.handed })
              : addedText(sum)}
          </strong>
          {sum.left > 0 && (
            <span class="quiet small">
              {upload.progress({
                done: sizeText(sum.done),
                total: sizeText(sum.total),
              })}
            </span>
          )}
        </div>
        {sum.left > 0 && (
          halt === undefined
            ? (
              <IconButton
                icon="pause"
                label={upload.pause}
                onClick={() => queue.pause()}
              />
            )
            : (
              <IconButton
                icon="play"
                label={upload.resume}
                onClick={() => queue.resume()}
              />
            )
        )}
        <IconButton
          icon={open ? "down" : "up"}
          label={open ? upload.less : upload.more}
          aria-expanded={open}
          onClick={() => setChosen(!open)}
        />
        {sum.left === 0
          ? (
            <IconButton
              icon="close"
              label={common.close}
              onClick={() => queue.clear()}
            />
          )
          : (
            <IconButton
              icon="close"
              label={upload.cancelAll}
              onClick={() => askToCancel()}
            />
          )}
      </header>
      {sum.left > 0 && (
        <Progress
          value={sum.total === 0 ? 0 : sum.done / sum.total}
          label={upload.title}
        />
      )}
      <p class="unseen" role="status">
        {sum.left > 0
          ? ""
          : sum.handed > 0
          ? upload.handed({ n: sum.handed })
          : addedText(sum)}
      </p>
      {halt !== undefined && sum.left > 0 && (
        <p class={`queue-halt ${halt}`} role="alert">
          {upload.halts[halt]}
        </p>
      )}
      {sum.left === 0 && sum.handed > 0 && !isGathering.value && (
        <p class="queue-halt">{upload.mayClose}</p>
      )}
      {sum.left > 0 && handsOver.value && (
        <p class="queue-halt">{upload.handing}</p>
      )}
      {sum.left === 0 && noted > 0 && (
        <p class="queue-halt" role="status">{upload.noted({ n: noted })}</p>
      )}
      {sum.left === 0 && besides > 0 && (
        <p class="queue-halt" role="status">{upload.besides({ n: besides })}</p>
      )}
      {sum.left === 0 && sum.undated > 0 && (
        <p class="queue-halt" role="status">
          {upload.undated({ n: sum.undated })}
        </p>
      )}
      {open && <Files items={items} isHalted={halt !== undefined} />}
      {open && sum.failed > 0 && (
        <footer>
          <Button
            icon="restore"
            onClick={() => queue.resume({ failedToo: true })}
          >
            {common.retry}
          </Button>
        </footer>
      )}
      {sum.left === 0 && sum.kept + sum.back > 0 && (
        <p class="queue-kept small">
          <Icon name="safe" size={16} />
          <a href={href("safety")}>{upload.proven}</a>
        </p>
      )}
    </section>
  );
}

/** What became of the files once all are done. */
function addedText({ kept, known, back, backNoun }: Summary): string {
  const { upload } = messages.value;
  const parts = [
    ...(back > 0 ? [upload.back({ n: back, noun: backNoun })] : []),
    ...(kept + known > 0 || back === 0 ? [addedOrKnown(kept, known)] : []),
  ];
  return parts.join(". ");
}

/** How many were added, and how many were here already. */
function addedOrKnown(kept: number, known: number): string {
  const { upload } = messages.value;
  if (known === 0) return upload.added({ kept });
  return kept === 0
    ? upload.known({ known })
    : upload.addedAndKnown({ kept, known });
}

/** Asks whether to take the rest off the list. */
export function askToCancel(): void {
  const { upload } = messages.value;
  const { left } = summaryOf(queue.items());
  confirm({
    title: upload.cancelTitle({ n: left }),
    text: upload.cancelText,
    action: upload.cancelAll,
    act: () => {
      queue.cancel();
      return Promise.resolve();
    },
  });
}

function Files(
  { items, isHalted }: {
    readonly items: readonly Item[];
    readonly isHalted: boolean;
  },
) {
  const { upload } = messages.value;
  const shown = items.toSorted((a, b) =>
    ORDER.indexOf(a.state) - ORDER.indexOf(b.state)
  ).slice(0, MOST_SHOWN);
  return (
    <ul class="queue-files" tabIndex={0} aria-label={upload.more}>
      {shown.map((item) => (
        <File key={item.id} item={item} isHalted={isHalted} />
      ))}
      {items.length > shown.length && (
        <li class="quiet small">
          {upload.andMore({ n: items.length - shown.length })}
        </li>
      )}
    </ul>
  );
}

function File(
  { item, isHalted }: { readonly item: Item; readonly isHalted: boolean },
) {
  const { upload } = messages.value;
  const { id, file, done, fault, note } = item;
  // What is prepared waits as well while nothing is sent.
  const state = isHalted && item.state === "preparing" ? "waiting" : item.state;
  const icon = ICONS[state];
  return (
    <li class="queue-file" data-state={state}>
      <Picture id={id} />
      <span class="queue-name" title={file.name}>{file.name}</span>
      {fault !== undefined
        ? <span class="queue-fault">{faultText(fault)}</span>
        : (
          <span class="queue-what quiet small">
            {state === "sending" && done > 0 && file.size > 0
              ? upload.percent({ n: Math.floor(100 * done / file.size) })
              : state === "kept" && note !== undefined
              ? upload.notes[note]
              : state !== "failed" && upload.states[state]}
          </span>
        )}
      <span class="queue-icon">
        {icon !== undefined
          ? <Icon name={icon} size={18} />
          : state === "waiting" || state === "handed" || isHalted
          ? null
          : <Spinner />}
      </span>
    </li>
  );
}

/** The small picture of a file, where there is one already. */
function Picture({ id }: { readonly id: string }) {
  const image = useRef<HTMLImageElement>(null);
  const bytes = pictureOf(id);
  useEffect(() => {
    if (bytes === undefined || image.current === null) return;
    const url = addressOf(bytes);
    image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [bytes]);
  return (
    <span class="queue-picture">
      {bytes === undefined
        ? <Icon name="file" size={16} />
        : <img ref={image} alt="" />}
    </span>
  );
}

const ASKED = "strongroom.installAsked";

/**
 * Asks whether to install the app, where the browser can; not in a browser that
 * was asked before.
 */
function offerInstall(): void {
  const prompt = install.value;
  if (prompt === undefined) return;
  try {
    if (localStorage.getItem(ASKED) !== null) return;
    localStorage.setItem(ASKED, "yes");
  } catch {
    // What cannot be remembered would be asked at each visit.
    return;
  }
  const { phone } = messages.value;
  toast(phone.installAsk, { label: phone.install, act: prompt });
}
