/**
 * Banners on every page: photos are lost, recovery words are not written down
 * or were lost by a server that was restored, or the account is suspended. The
 * words are asked for once there are photos; whoever puts that off keeps a line.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { sleep } from "../../../browser.ts";
import { useLoaded } from "../../loaded.ts";
import { Button, IconButton } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { go, href, route } from "../../routes.ts";
import { escrow, revision, sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { AlarmBanner } from "../safety/alarm_banner.tsx";
import { askToLast, lasting, lookIfLasting } from "./lasting.ts";

interface Due {
  readonly wordsDue: boolean;
  readonly suspended: boolean;
}

/** After the first photos. */
const LOOKED_AFTER_MS = 5_000;

/** Looks at photos behind the pages, if that is turned on. */
async function lookIfWanted(): Promise<void> {
  await sleep(LOOKED_AFTER_MS);
  try {
    if (await vault().faces.isOn()) {
      (await import("../people/looking.ts")).looking.start();
    }
    for (const name of ["things", "pictureText"] as const) {
      if (!await vault()[name].isOn()) continue;
      (await import("../findings/looking.ts"))[name].start();
    }
  } catch {
    // The next page that is loaded tries again.
  }
}

/** The banners that apply. */
export function Reminder() {
  const { entry } = messages.value;
  const [due, setDue] = useState<Due>({ wordsDue: false, suspended: false });
  const isAtWords = route.value.path[0] === "words";
  useEffect(() => {
    vault().session.notices().then(setDue, () => {
      // Without a network there are no reminders.
    });
  }, [isAtWords]);
  // Here, because it is on every page and comes after the photos.
  useEffect(() => {
    lookIfWanted();
  }, []);
  const hasPhotos = useLoaded(
    async () => due.wordsDue && await vault().session.hasPhotos(),
    [due.wordsDue, revision.value],
  ).value === true;
  const areDue = due.wordsDue && hasPhotos && !isAtWords;
  return (
    <>
      <AlarmBanner />
      {due.suspended && (
        <p class="banner warn">
          <Icon name="warning" />
          <span>
            {entry.suspendedText} <a href="#/safety">{entry.suspendedAct}</a>
          </span>
        </p>
      )}
      {escrow.value !== undefined && !isAtWords && (
        <p class={`banner ${escrow.value.what === "given_back" ? "" : "warn"}`}>
          <Icon name="key" />
          <span>
            {entry.escrow[escrow.value.what]}{" "}
            {escrow.value.what !== "given_back" && (
              <a href="#/words">{entry.escrowAct}</a>
            )}
          </span>
          <IconButton
            icon="close"
            label={entry.noted}
            onClick={() => {
              vault().session.noteEscrow().catch(() => {
                // It is said again at the next start.
              });
            }}
          />
        </p>
      )}
      {areDue && <WordsDue />}
    </>
  );
}

/** Who asked to be reminded later; known as long as the tab where it cannot be kept. */
const later = signal<string | undefined>(undefined);
const LATER = "strongroom.words-later";

function isLater(userId: string): boolean {
  try {
    return later.value === userId || localStorage.getItem(LATER) === userId;
  } catch {
    return false;
  }
}

function remindLater(userId: string): void {
  later.value = userId;
  try {
    localStorage.setItem(LATER, userId);
  } catch {
    // The page knows it.
  }
  askToLast();
}

/** Asks for the words, or is one line once that was put off. */
function WordsDue() {
  const { entry } = messages.value;
  const userId = sessionState.value?.userId ?? "";
  useEffect(() => {
    if (lasting.value === undefined) lookIfLasting();
  }, []);
  const { path: [here = "photos"] } = route.value;
  if (isLater(userId) || here !== "photos") {
    return (
      <p class="banner warn one-line">
        <Icon name="key" />
        <a href="#/words">{entry.remindText}</a>
      </p>
    );
  }
  return (
    <section class="words-due" aria-labelledby="words-due">
      <h2 id="words-due">{entry.wordsAsk}</h2>
      <p>
        {entry.wordsLaterWhy}
        {sessionState.value?.phrase === true && ` ${entry.phraseForgotten}`}
        {lasting.value === false && ` ${entry.mayForget}`}
      </p>
      <div class="actions start">
        <Button kind="main" onClick={() => go(href("words"))}>
          {entry.remindAct}
        </Button>
        <Button onClick={() => remindLater(userId)}>
          {entry.wordsLater}
        </Button>
      </div>
    </section>
  );
}
