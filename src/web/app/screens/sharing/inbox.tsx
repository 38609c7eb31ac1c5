/**
 * The inbox of guests' files, which are accepted or refused.
 *
 * @module
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { Choice } from "../../parts/choices.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Button, Empty, Notice, Progress } from "../../parts/controls.tsx";
import { toast } from "../../parts/toasts.tsx";
import { go, goBack, goInstead, href, route } from "../../routes.ts";
import { vault } from "../../vault.ts";
import type { WaitingCard } from "../../../workers/library/sharing/sharing_cards.ts";
import { guestFilesCount } from "../../guest_files_count.ts";
import { messages } from "../../messages.ts";
import { acceptOne, isAnswered } from "./accepting.ts";
import { InboxTile } from "./inbox_tile.tsx";
import { Preview } from "./preview.tsx";

const LIBRARY = "library";
/** Into the album of the link by which it came. */
const THEIRS = "theirs";

/** A key of a guest's file. */
function keyOf({ opaqueId, uploadId }: WaitingCard): string {
  return `${opaqueId}/${uploadId}`;
}

/** The view at `#/sharing/inbox`. */
export function Inbox() {
  const { sharing } = messages.value;
  const { value, error, again } = useLoaded(
    () => vault().sharing.inbox(),
    [guestFilesCount.value],
  );
  if (error !== undefined && value === undefined) {
    return <Notice>{faultText(error)}</Notice>;
  }
  if (value === undefined) return <div aria-busy="true" />;
  if (value.length === 0) {
    return (
      <Empty icon="inbox" title={sharing.emptyInbox}>
        <p class="quiet measure">{sharing.emptyInboxHint}</p>
      </Empty>
    );
  }
  return <Waiting listed={value} onChanged={again} />;
}

function Waiting(
  { listed, onChanged }: {
    readonly listed: readonly WaitingCard[];
    readonly onChanged: () => void;
  },
) {
  const { sharing } = messages.value;
  // What was answered is gone at once, not when the list comes again.
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const isGone = (one: WaitingCard) =>
    setGone((before) => new Set(before).add(keyOf(one)));
  const all = useMemo(
    () => listed.filter((one) => !gone.has(keyOf(one))),
    [listed, gone],
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [into, setInto] = useState(
    listed.some((one) => one.into !== undefined) ? THEIRS : LIBRARY,
  );
  const [done, setDone] = useState<{ at: number; of: number }>();
  const [fault, setFault] = useState<string>();
  const { value: places } = useLoaded(() => vault().albums.overview(), []);
  useEffect(() => {
    const there = new Set(all.map(keyOf));
    const kept = [...chosen].filter((key) => there.has(key));
    if (kept.length !== chosen.size) setChosen(new Set(kept));
  }, [all]);
  const meant = chosen.size === 0
    ? all
    : all.filter((one) => chosen.has(keyOf(one)));
  const able = meant.filter(({ name }) => name !== undefined);
  const placeOf = (one: WaitingCard) =>
    into === THEIRS
      ? one.into
      : into === LIBRARY
      ? undefined
      : { kind: "album", id: into };

  const accept = async (these: readonly WaitingCard[]) => {
    setFault(undefined);
    const outcomes = { kept: 0, known: 0, gone: 0 };
    try {
      for (const [at, one] of these.entries()) {
        setDone({ at, of: these.length });
        outcomes[await acceptOne(one, placeOf(one))] += 1;
        isGone(one);
      }
    } catch (error) {
      setFault(faultText(error));
    } finally {
      setDone(undefined);
      const { kept, known, gone } = outcomes;
      if (kept + known > 0) toast(acceptedText(kept, known));
      else if (gone > 0) toast(messages.value.faults.answeredElsewhere);
      onChanged();
    }
  };
  const refuse = (these: readonly WaitingCard[], after?: () => void) =>
    confirm({
      title: sharing.refuseTitle({ n: these.length }),
      text: sharing.refuseText,
      action: sharing.refuse,
      act: async () => {
        let refused = 0;
        try {
          for (const one of these) {
            if (await refuseOne(one)) refused += 1;
            isGone(one);
          }
        } finally {
          onChanged();
        }
        toast(
          refused > 0
            ? sharing.refused({ n: refused })
            : messages.value.faults.answeredElsewhere,
        );
        after?.();
      },
    });
  const last = useRef("");
  const toggle = (key: string, range: boolean) => {
    const keys = byRequest(all).flatMap(({ cards }) => cards.map(keyOf));
    const [from, to] = [keys.indexOf(last.current), keys.indexOf(key)];
    const next = new Set(chosen);
    if (range && from >= 0) {
      const [first, end] = from < to ? [from, to] : [to, from];
      for (const one of keys.slice(first, end + 1)) next.add(one);
    } else if (!next.delete(key)) next.add(key);
    last.current = key;
    setChosen(next);
  };
  const shown = useShown(all);
  const albums = (places?.albums ?? []).filter((one) => one.own);
  return (
    <div class="stack">
      <p class="quiet measure">{sharing.inboxHint}</p>
      <div class="inbox-bar">
        {(albums.length > 0 || all.some((one) => one.into)) && (
          <Choice
            label={sharing.acceptInto}
            value={into}
            options={[
              ...(all.some((one) => one.into)
                ? [[THEIRS, sharing.intoTheirs] as const]
                : []),
              [LIBRARY, sharing.library] as const,
              ...albums.map(({ id, title }) => [id, title] as const),
            ]}
            onChoose={setInto}
          />
        )}
        <div class="actions">
          <Button
            kind="main"
            icon="check"
            busy={done !== undefined}
            disabled={able.length === 0}
            onClick={() => accept(able)}
          >
            {chosen.size > 0
              ? `${sharing.accept} (${able.length})`
              : sharing.acceptAll({ n: able.length })}
          </Button>
          <Button
            kind="danger"
            disabled={done !== undefined}
            onClick={() => refuse(meant)}
          >
            {chosen.size > 0
              ? `${sharing.refuse} (${meant.length})`
              : sharing.refuseAll}
          </Button>
        </div>
      </div>
      {done !== undefined && (
        <div role="status" class="stack">
          <p>{sharing.accepting({ done: done.at, of: done.of })}</p>
          <Progress
            value={done.at / Math.max(1, done.of)}
            label={sharing.accepting({ done: done.at, of: done.of })}
          />
        </div>
      )}
      {fault !== undefined && <Notice>{fault}</Notice>}
      {byRequest(all).map(({ opaqueId, note, cards }) => (
        <section class="requested" key={opaqueId}>
          <h2>{note ?? sharing.untitledRequest}</h2>
          <ul class="inbox">
            {cards.map((one) => (
              <InboxTile
                key={keyOf(one)}
                waiting={one}
                chosen={chosen.has(keyOf(one))}
                onToggle={(range) => toggle(keyOf(one), range)}
                onLook={() =>
                  shown.look(one)}
              />
            ))}
          </ul>
        </section>
      ))}
      {shown.at >= 0 && (
        <Preview
          all={all}
          at={shown.at}
          onStep={shown.step}
          onClose={shown.close}
          onAccept={(one) => {
            shown.close();
            accept([one]);
          }}
          onRefuse={(one) => refuse([one], shown.close)}
        />
      )}
    </div>
  );
}

/** False if it was accepted or refused elsewhere. */
async function refuseOne(
  { opaqueId, uploadId }: WaitingCard,
): Promise<boolean> {
  try {
    await vault().sharing.refuse(opaqueId, uploadId);
    return true;
  } catch (error) {
    if (isAnswered(error)) return false;
    throw error;
  }
}

/** What came by each request, those with the newest first. */
function byRequest(all: readonly WaitingCard[]) {
  const groups = Map.groupBy(all, ({ opaqueId }) => opaqueId);
  return [...groups].map(([opaqueId, cards]) => ({
    opaqueId,
    note: cards[0]?.note,
    cards,
  }));
}

/**
 * The one that is looked at: it has an address, `#/sharing/inbox/<link>/<file>`,
 * so that Back closes it.
 */
function useShown(all: readonly WaitingCard[]) {
  const [, , opaqueId, uploadId] = route.value.path;
  const opened = useRef(false);
  const at = all.findIndex((one) =>
    one.opaqueId === opaqueId && one.uploadId === uploadId
  );
  const to = ({ opaqueId, uploadId }: WaitingCard) =>
    href("sharing", "inbox", opaqueId, uploadId);
  return {
    at,
    look: (one: WaitingCard) => {
      opened.current = true;
      go(to(one));
    },
    step: (one: WaitingCard) => goInstead(to(one)),
    close: () => {
      if (opened.current) goBack();
      else goInstead(href("sharing", "inbox"));
      opened.current = false;
    },
  };
}

/** How many were accepted, and how many were here already. */
function acceptedText(n: number, known: number): string {
  const { sharing } = messages.value;
  if (known === 0) return sharing.accepted({ n });
  return n === 0
    ? sharing.known({ known })
    : sharing.acceptedAndKnown({ n, known });
}
