/**
 * The panel of the queue in a corner of the page: the progress of all files,
 * each file with its error, and buttons to pause, resume and retry.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { faultText } from "../faults.ts";
import { Button, IconButton, Progress, Spinner } from "../parts/controls.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { href } from "../routes.ts";
import { sizeText, words } from "../words.ts";
import type { Item, ItemState } from "./queue.ts";
import { type Summary, summaryOf } from "./summary.ts";
import { queue } from "./workers.ts";

/** Most files that are listed; the others are only counted. */
const MOST_SHOWN = 60;

const ICONS: Readonly<Record<ItemState, IconName | undefined>> = {
  waiting: undefined,
  preparing: undefined,
  sending: undefined,
  kept: "kept",
  known: "check",
  failed: "warning",
};

/** The panel; empty if nothing was added. */
export function QueuePanel() {
  // Read to draw the panel again after every change.
  queue.version.value;
  const items = queue.items();
  if (items.length === 0) return null;
  const sum = summaryOf(items);
  return <Panel items={items} sum={sum} />;
}

function Panel(
  { items, sum }: { readonly items: readonly Item[]; readonly sum: Summary },
) {
  const { upload, common } = words.value;
  const ended = sum.left === 0 && sum.failed === 0;
  const [open, setOpen] = useState(true);
  // The panel closes when everything went well.
  useEffect(() => {
    if (ended) setOpen(false);
  }, [ended]);
  return (
    <section class="queue" aria-label={upload.title}>
      <header>
        <div class="queue-state">
          <strong>
            {sum.left > 0
              ? upload.adding(sum.left)
              : sum.failed > 0
              ? upload.failed(sum.failed)
              : upload.added(sum.kept, sum.known)}
          </strong>
          {sum.left > 0 && (
            <span class="quiet small">
              {upload.progress(sizeText(sum.done), sizeText(sum.total))}
            </span>
          )}
        </div>
        {sum.left > 0 && (
          queue.halt.value === undefined
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
          onClick={() => setOpen(!open)}
        />
        {sum.left === 0 && (
          <IconButton
            icon="close"
            label={common.close}
            onClick={() => queue.clear()}
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
        {sum.left === 0 ? upload.added(sum.kept, sum.known) : ""}
      </p>
      {queue.halt.value !== undefined && sum.left > 0 && (
        <p class={`queue-halt ${queue.halt.value}`} role="alert">
          {upload.halts[queue.halt.value]}
        </p>
      )}
      {open && <Files items={items} />}
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
      {sum.left === 0 && sum.kept > 0 && (
        <p class="queue-kept small">
          <Icon name="kept" size={16} />
          <a href={href("kept")}>{upload.proven}</a>
        </p>
      )}
    </section>
  );
}

function Files({ items }: { readonly items: readonly Item[] }) {
  const { upload } = words.value;
  const order: readonly ItemState[] = [
    "failed",
    "sending",
    "preparing",
    "waiting",
    "kept",
    "known",
  ];
  const shown = items.toSorted((a, b) =>
    order.indexOf(a.state) - order.indexOf(b.state)
  ).slice(0, MOST_SHOWN);
  return (
    <ul class="queue-files">
      {shown.map((item) => <File key={item.id} item={item} />)}
      {items.length > shown.length && (
        <li class="quiet small">
          {upload.andMore(items.length - shown.length)}
        </li>
      )}
    </ul>
  );
}

function File({ item }: { readonly item: Item }) {
  const { upload } = words.value;
  const { file, state, done, fault } = item;
  const icon = ICONS[state];
  return (
    <li class={`queue-file ${state}`}>
      <span class="queue-name" title={file.name}>{file.name}</span>
      {fault !== undefined
        ? <span class="queue-fault">{faultText(fault)}</span>
        : (
          <span class="quiet small">
            {state === "sending" && file.size > 0
              ? upload.percent(Math.floor(100 * done / file.size))
              : upload.states[state]}
          </span>
        )}
      {icon === undefined
        ? state === "waiting" ? null : <Spinner />
        : <Icon name={icon} size={18} />}
    </li>
  );
}
