/**
 * Similar photos: groups side by side, of which the person keeps some and
 * deletes the others.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type {
  LookedAt,
  SimilarGroup,
} from "../../../workers/finding/similar_cards.ts";
import { nounOf } from "../../../workers/library/photo_lists.ts";
import { moveToTrash } from "../../actions/photos.ts";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { confirmed } from "../../parts/confirm.tsx";
import {
  Button,
  Empty,
  Notice,
  Progress,
  Spinner,
} from "../../parts/controls.tsx";
import { findLostFocus, takeLostFocus } from "../../parts/focus.ts";
import { Icon } from "../../parts/icon.tsx";
import { toast } from "../../parts/toasts.tsx";
import { href, route } from "../../routes.ts";
import { useTitle } from "../../title.ts";
import { revision, vault } from "../../vault.ts";
import { messages, sizeText } from "../../messages.ts";
import { Group } from "./group.tsx";
import { forgetMarks, isKept } from "./marks.ts";
import { withMedia } from "../../upload/media_threads.ts";

/** So much is loaded without asking (bytes). */
const UNASKED_BYTES = 10_000_000;
/** Groups are looked for again after so many photos. */
const OFTEN = 1_000;
/** Groups that are shown at first, and with each press. */
const PAGE = 12;

/** The view at `#/similar`, and at `#/similar/storage` from the settings. */
export function Similar() {
  const { albums, settings, similar } = messages.value;
  const isOfStorage = route.value.path[1] === "storage";
  useTitle(similar.title);
  const [turn, setTurn] = useState(0);
  const [isCompared, setCompared] = useState(false);
  const wanted = `${revision.value} ${turn}`;
  const loaded = useLoaded(
    async () => ({ groups: await vault().similar.groups(), wanted }),
    [wanted],
  );
  useEffect(() => forgetMarks, []);
  return (
    <div class="similar">
      <a
        class="back"
        href={isOfStorage ? href("settings", "storage") : href("albums")}
      >
        <Icon name="back" />{" "}
        {isOfStorage ? settings.pages.storage : albums.title}
      </a>
      <h1>{similar.title}</h1>
      <p class="quiet">{similar.hint}</p>
      <Comparing
        onMore={() => setTurn((before) => before + 1)}
        onCompared={setCompared}
      />
      {loaded.error !== undefined && <Notice>{faultText(loaded.error)}</Notice>}
      {loaded.value === undefined
        ? loaded.error === undefined && (
          <p class="waiting" aria-busy="true">
            <Spinner />
          </p>
        )
        : (
          <Groups
            groups={loaded.value.groups}
            // What was found before the last ones were compared says nothing.
            isAll={isCompared && loaded.value.wanted === wanted}
          />
        )}
    </div>
  );
}

/** How far comparing is, and of which state of the library that is said. */
async function statusNow() {
  const asked = revision.peek();
  return { ...await vault().similar.status(), revision: asked };
}

/** How far comparing is, and a button to begin, to pause and to go on. */
function Comparing(
  { onMore, onCompared }: {
    /** There may be more groups. */
    readonly onMore: () => void;
    /** Whether nothing is left. */
    readonly onCompared: (is: boolean) => void;
  },
) {
  const { common, similar } = messages.value;
  const [at, setAt] = useState<LookedAt & { readonly revision: number }>();
  const [running, setRunning] = useState<AbortController>();
  const [began, setBegan] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const [isAway, setAway] = useState(false);

  const isPaused = useRef(false);

  const look = async () => {
    isPaused.current = false;
    const ending = new AbortController();
    setRunning(ending);
    setBegan(true);
    setFault(undefined);
    setAway(false);
    let since = 0;
    try {
      setAt(await statusNow());
      for (let isLeft = true; isLeft;) {
        let seen = 0;
        const ended = await compareAll(ending.signal, (count) => {
          seen += count;
          since += count;
          if (since >= OFTEN) {
            since = 0;
            onMore();
          }
          setAt((before) =>
            before && {
              ...before,
              done: Math.min(before.of, before.done + count),
            }
          );
        });
        if (ending.signal.aborted) return;
        setAway(ended.isAway);
        let status = await statusNow();
        // Nothing asks again for what changed while photos were compared.
        while (status.revision !== revision.peek()) status = await statusNow();
        if (ending.signal.aborted) return;
        setAt(status);
        onMore();
        // Some came meanwhile.
        isLeft = status.done < status.of && seen > 0 && !ended.isAway;
      }
    } catch (error) {
      if (!ending.signal.aborted) setFault(error);
    }
    setRunning((now) => now === ending ? undefined : now);
  };
  const isIdle = running === undefined;
  useEffect(() => {
    if (!isIdle) return;
    statusNow().then((status) => {
      setAt(status);
      const isLeft = status.done < status.of;
      const isAsked = isPaused.current || status.bytes > UNASKED_BYTES;
      if (isLeft && !isAsked) look();
    }, setFault);
    // Photos arrive, and the connection comes back.
  }, [revision.value]);
  const isOver = at !== undefined && at.revision === revision.value &&
    at.done >= at.of && isIdle;
  useEffect(() => onCompared(isOver), [isOver]);
  // Whoever leaves the page stops it; what was found is kept.
  useEffect(() => () => running?.abort(), [running]);

  if (fault !== undefined) {
    return (
      <div class="stack">
        <Notice>{faultText(fault)}</Notice>
        <Button onClick={look}>{common.retry}</Button>
      </div>
    );
  }
  if (at === undefined || at.of === 0) return null;
  const left = at.of - at.done;
  if (isIdle && left === 0) return null;
  const told = similar.looked({ done: at.done, of: at.of });
  return (
    <div class="similar-progress">
      {(began || at.done > 0) && (
        <>
          <Progress value={at.done / at.of} label={told} />
          <p class="small">{told}</p>
        </>
      )}
      {running !== undefined
        ? (
          <Button
            icon="pause"
            onClick={() => {
              isPaused.current = true;
              running.abort();
              setRunning(undefined);
              onMore();
            }}
          >
            {similar.pause}
          </Button>
        )
        : (
          <>
            {isAway && <Notice kind="warn">{similar.away}</Notice>}
            {!isAway && (
              <p class="quiet small">
                {similar.lookWhy({ size: sizeText(at.bytes) })}
              </p>
            )}
            <Button kind={isAway ? "plain" : "main"} onClick={look}>
              {isAway
                ? common.retry
                : at.done > 0
                ? similar.resume
                : similar.lookThrough({ n: left })}
            </Button>
          </>
        )}
    </div>
  );
}

function Groups(
  { groups, isAll }: {
    readonly groups: readonly SimilarGroup[];
    /** Whether there are no more of them. */
    readonly isAll: boolean;
  },
) {
  const { similar } = messages.value;
  const [shown, setShown] = useState(PAGE);
  const list = useRef<HTMLDivElement>(null);
  /** The place of the group with the focus, which may be gone next. */
  const place = useRef(0);
  useEffect(() =>
    takeLostFocus(() => {
      const headings = list.current?.querySelectorAll<HTMLElement>("h2") ?? [];
      const next = headings[Math.min(place.current, headings.length - 1)];
      next?.focus();
      return next !== undefined;
    }), []);
  // A group that is done with had it.
  useEffect(findLostFocus, [groups]);
  if (groups.length === 0) {
    return isAll && (
      <Empty icon="photos" title={similar.none}>
        <p class="quiet">{similar.noneHint}</p>
      </Empty>
    );
  }
  const same = groups.filter(({ isSame }) => isSame);
  const copies = same.flatMap(({ photos }) =>
    photos.filter((one) => !isKept(one))
  );
  const n = copies.length;
  return (
    <>
      {same.length > 1 && n > 0 && (
        <div class="actions start">
          <Button icon="trash" onClick={() => deleteCopies(copies)}>
            {similar.copies({ n })}
          </Button>
        </div>
      )}
      <div
        ref={list}
        class="similar-groups"
        onFocusIn={({ target }) => {
          const group = target instanceof Element
            ? target.closest(".similar-group")
            : null;
          const all = list.current?.querySelectorAll(".similar-group") ?? [];
          if (group !== null) place.current = [...all].indexOf(group);
        }}
      >
        {groups.slice(0, shown).map((group) => (
          <Group
            key={group.photos.map(({ id }) => id).join()}
            group={group}
          />
        ))}
      </div>
      {groups.length > shown && (
        <Button onClick={() => setShown(shown + PAGE)}>{similar.more}</Button>
      )}
    </>
  );
}

async function deleteCopies(
  copies: readonly SimilarGroup["photos"][number][],
): Promise<void> {
  const { photos, similar } = messages.value;
  try {
    const isMeant = await confirmed({
      title: similar.copiesTitle({ n: copies.length }),
      text: <p>{similar.copiesText}</p>,
      action: photos.toTrash,
    });
    if (!isMeant) return;
    await moveToTrash(
      copies.map(({ id }) => id),
      nounOf(copies.map(({ kind }) => kind)),
    );
  } catch (error) {
    toast(faultText(error));
  }
}

/** One batch is fetched while another one is looked at. */
const LANES = 2;

/**
 * Looks at the small pictures that this device has not looked at: the vault
 * gives them, a thread without keys looks, and the vault stores what it found.
 * Ends when none is left, or at the signal. Resolves to whether some
 * could not be fetched; `onDone` is told of each batch.
 */
async function compareAll(
  signal: AbortSignal,
  onDone: (count: number) => void,
): Promise<{ readonly isAway: boolean }> {
  let isAway = false;
  const lane = async () => {
    while (!signal.aborted && !isAway) {
      const batch = await vault().similar.next();
      if (batch.isAway) isAway = true;
      if (batch.isOver) return;
      const looks = await withMedia((calls) =>
        calls.looks.of(
          batch.pictures.map(({ bytes, mime: type }) =>
            new Blob([bytes], { type })
          ),
        )
      );
      await vault().similar.note(batch.pictures.map(({ blob }, i) => {
        const found = looks[i];
        return found === undefined ? { blob } : { blob, looks: found };
      }));
      if (!signal.aborted) onDone(batch.pictures.length + batch.without);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { isAway };
}
