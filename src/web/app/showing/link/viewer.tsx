/**
 * The page of a share link, made of the same parts as the app
 * (protocol/client-cryptography.md#share). The key is read from the address's
 * fragment and stays there, so that reloading, bookmarks and copying the
 * address work. Only the thread that decrypts gets it.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { parseShareLink } from "../../../../client/documents/share.ts";
import type {
  ClosedShare,
  ShareHead,
  ShareKey,
} from "../../../workers/shared/share_calls.ts";
import {
  type Line,
  ThreadError,
} from "../../../../client/stream/threads/thread_messages.ts";
import { offerOnly } from "../../actions.ts";
import { chooseAppearance } from "../../appearance.ts";
import { faultText } from "../../faults.ts";
import { Grid } from "../../grid/grid.tsx";
import { guests } from "../lightbox/guests.ts";
import { isLarge, LargePhoto } from "../lightbox/large.tsx";
import { type ListSource, useList } from "../../list.ts";
import { Button, Notice, Spinner } from "../../parts/controls.tsx";
import { withPart } from "../../parts/lazy.tsx";
import { Logo } from "../../parts/logo.tsx";
import { Overlays } from "../../parts/overlays.tsx";
import { Toasts } from "../../parts/toasts.tsx";
import { keepPrefix } from "../../routes.ts";
import { Savings } from "../../saving/savings.tsx";
import { shownName, shownText } from "../../safe_text.ts";
import { StartShow } from "../slideshow/start.tsx";
import { answerWith, vault } from "../../vault.ts";
import { chooseLanguage, messages, sizeText } from "../../messages.ts";
import { texts as english } from "../../messages/en_later.ts";
import { addIcons, Icon } from "../../parts/icon.tsx";
import { LATER_ICONS } from "../../parts/later_icons.ts";
import { tidyAddress } from "./address.ts";
import { linkThread } from "./early.ts";
import { PassphraseForm, WaitingLine } from "./parts.tsx";
import * as z from "zod/mini";

/** The states of the page. */
type Shown =
  | { readonly is: "opening" }
  | {
    readonly is: "closed";
    readonly opaqueId: string;
    readonly fragment: Uint8Array;
    readonly share: ClosedShare;
  }
  | {
    readonly is: "open";
    readonly head: ShareHead;
    readonly saves: string | undefined;
  }
  | { readonly is: "fault"; readonly text: string; readonly again: boolean };

const shown = signal<Shown>({ is: "opening" });
/** Until when the server asks to wait. */
const waiting = signal<number | undefined>(undefined);
/** Whether the link takes nothing more. */
const isHalfGone = signal(false);

/** The key in the fragment, which ends at the first slash. */
const key = location.hash.slice(1).split("/", 1)[0] ?? "";

function Page() {
  const state = shown.value;
  const { link, common } = messages.value;
  return (
    <>
      {waiting.value !== undefined && (
        <WaitingLine until={waiting.value} text={link.waiting} />
      )}
      {state.is === "opening" && (
        <div class="page-centre" aria-busy="true">
          <p class="quiet">
            <Spinner /> {link.opening}
          </p>
        </div>
      )}
      {state.is === "fault" && (
        <div class="page-centre link-fault">
          <Logo />
          <Notice>{state.text}</Notice>
          {state.again && <Button onClick={open}>{common.retry}</Button>}
        </div>
      )}
      {state.is === "closed" && (
        <PassphraseForm
          open={async (passphrase) => {
            const { opaqueId, fragment, share } = state;
            const key = { fragment, passphrase };
            const head = await opened(opaqueId, share, key);
            if (head === undefined) return;
            // The app has no passphrase, and would ask for it again.
            shown.value = { is: "open", head, saves: undefined };
          }}
        />
      )}
      {state.is === "open" && <Gallery {...state} />}
      <Overlays />
      <Toasts />
    </>
  );
}

function Gallery(
  { head, saves }: {
    readonly head: ShareHead;
    /** Where a viewer with an account saves the photos, if they can. */
    readonly saves: string | undefined;
  },
) {
  const { link } = messages.value;
  const source: ListSource = { kind: "library" };
  const list = useList(source);
  const title = shownName(head.title ?? "") || link.title;
  const message = shownText(head.message ?? "");
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <div class="link-page" inert={isLarge.value}>
        <header class="bar link-bar">
          <div class="link-title">
            <h1>{title}</h1>
            <p class="quiet small">
              {head.from !== undefined && head.from !== "" &&
                `${link.from({ who: shownName(head.from) })} · `}
              {head.count === 0 ? link.nothing : link.summary({
                n: head.count,
                size: sizeText(head.bytes),
                noun: head.noun,
              })}
            </p>
          </div>
          <div class="actions">
            {head.adds !== undefined && !isHalfGone.value && (
              <a class="button" href={head.adds}>
                <Icon name="add" /> {link.addPhotos}
              </a>
            )}
            {head.count > 1 && <StartShow source={source} />}
            {head.count > 0 && (
              <Button
                kind="main"
                icon="download"
                onClick={() => saveAll(shownName(head.title ?? ""))}
              >
                {link.downloadAll}
              </Button>
            )}
          </div>
        </header>
        <main class="link-content">
          {message !== "" && <p class="link-message">{message}</p>}
          {head.smaller > 0 && (
            <p class="quiet">
              {head.smaller < head.count
                ? link.smaller({ n: head.smaller })
                : link.allSmaller({ n: head.count })}
            </p>
          )}
          {head.unread > 0 && <Notice>{link.unread({ n: head.unread })}
          </Notice>}
          {list !== undefined && list.length > 0 && (
            <Grid source={source} list={list} />
          )}
        </main>
        {/* Nothing is at its place before the photos are. */}
        {list !== undefined && (
          <footer class="link-foot quiet small">
            {link.foot}
            {saves !== undefined && (
              <>
                {" "}
                <a href={saves}>{link.save}</a>
              </>
            )}
          </footer>
        )}
      </div>
      <LargePhoto />
      <Savings />
    </>
  );
}

function saveAll(title: string): Promise<void> {
  return withPart(
    () => import("../../saving/saving.ts"),
    ({ saveMany }) => saveMany("everything", { isExport: false }, title),
  );
}

function fail(text: string, again = false): void {
  shown.value = { is: "fault", text, again };
}

/**
 * Opens the link's index, and notes its number: an older one is refused. Says
 * why and returns undefined if the key opens none, or an older one.
 */
async function opened(
  opaqueId: string,
  share: ClosedShare,
  shareKey: Pick<ShareKey, "fragment" | "passphrase">,
): Promise<ShareHead | undefined> {
  const seen = seenIndex(opaqueId);
  try {
    const head = await vault().link.open(opaqueId, share, {
      ...shareKey,
      seen,
    });
    noteIndex(opaqueId, head.n);
    guests.value = head.remarks ? "speak" : "quiet";
    // Without an answer, sending says it.
    if (head.adds !== undefined) vault().link.lookAtHalf().catch(() => {});
    return head;
  } catch (error) {
    const kind = error instanceof ThreadError ? error.fault.kind : "";
    const { link } = messages.value;
    if (kind === "OlderIndex") fail(link.older, true);
    else if (kind === "WrongKey") fail(link.wrongKey);
    else throw error;
    return undefined;
  }
}

/** Opens the link in the address bar. */
async function open(): Promise<void> {
  const { link } = messages.value;
  shown.value = { is: "opening" };
  const bare = parseShareLink(`${location.origin}${location.pathname}`);
  if (bare === undefined) return fail(link.noLink);
  const { opaqueId } = bare;
  try {
    const fragment = key === ""
      ? undefined
      : parseShareLink(`${location.origin}${location.pathname}#${key}`)?.secret;
    const share = await vault().link.look(opaqueId);
    if (fragment === undefined) {
      return fail(key === "" ? link.noKey : link.badKey);
    }
    if (share.hasPassphrase) {
      shown.value = { is: "closed", opaqueId, fragment, share };
      return;
    }
    const head = await opened(opaqueId, share, { fragment });
    if (head === undefined) return;
    const saves = `/#/sharing/save/${opaqueId}.${key}`;
    shown.value = { is: "open", head, saves };
  } catch (error) {
    const { status } = error instanceof ThreadError ? error.fault : {};
    if (status === 404) return fail(link.ended);
    fail(faultText(error), true);
  }
}

/** Starts the page's thread, which ends with the page. */
function startThread(): Line {
  return linkThread(({ data }) => {
    if (data.event === "half_ended") isHalfGone.value = true;
    if (data.event !== "waiting") return;
    const { until } = data.data;
    waiting.value = until === 0 ? undefined : until;
  });
}

async function start(): Promise<void> {
  const root = document.getElementById("app");
  if (root === null) throw new Error("the page has no #app");
  tidyAddress();
  keepPrefix(key);
  offerOnly("download", "slideshow");
  answerWith(startThread);
  // Another key in the address bar means another link.
  addEventListener("hashchange", () => {
    const other = location.hash.slice(1).split("/", 1)[0] ?? "";
    if (other !== key) location.reload();
  });
  chooseAppearance();
  addIcons(LATER_ICONS);
  await chooseLanguage(undefined, english);
  render(<Page />, root);
  await open();
}

start();

const KEY = "strongroom-links";
/** Links that are remembered; those not opened for longest are forgotten. */
const MOST_LINKS = 500;

const notesSchema = z.array(z.tuple([z.string(), z.int()]));

/**
 * The highest number of an index that a link showed in this browser, so that a
 * server cannot show an older one again; 0 for a link that is new here.
 */
function seenIndex(opaqueId: string): number {
  return new Map(notes()).get(opaqueId) ?? 0;
}

/** Notes the number of an index that was opened. */
function noteIndex(opaqueId: string, n: number): void {
  const others = notes().filter(([id]) => id !== opaqueId);
  const kept = [...others, [opaqueId, n]].slice(-MOST_LINKS);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A browser that stores nothing remembers nothing.
  }
}

function notes(): z.output<typeof notesSchema> {
  try {
    const text = localStorage.getItem(KEY) ?? "[]";
    return notesSchema.safeParse(JSON.parse(text)).data ?? [];
  } catch {
    return [];
  }
}
