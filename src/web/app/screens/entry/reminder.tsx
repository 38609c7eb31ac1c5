/**
 * Banners on every page: photos are lost, recovery words are not written down
 * or were lost by a server that was restored, or the account is suspended.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { sleep } from "../../../browser.ts";
import { IconButton } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { route } from "../../routes.ts";
import { escrow, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { AlarmBanner } from "../safety/alarm_banner.tsx";
import { lasting, lookIfLasting } from "./lasting.ts";

interface Due {
  readonly wordsDue: boolean;
  readonly suspended: boolean;
}

/** After the first photos. */
const LOOKED_AFTER_MS = 5_000;

/** Looks at photos behind the pages, if somebody turned that on. */
async function lookIfWanted(): Promise<void> {
  await sleep(LOOKED_AFTER_MS);
  try {
    if (await vault().faces.isOn()) {
      (await import("../people/looking.ts")).looking.start();
    }
    for (const name of ["things", "words"] as const) {
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
  useEffect(() => {
    if (due.wordsDue && lasting.value === undefined) lookIfLasting();
  }, [due.wordsDue]);
  return (
    <>
      <AlarmBanner />
      {due.suspended && (
        <p class="banner warn">
          <Icon name="warning" />
          <span>
            {entry.suspendedText}{" "}
            <a href="#/settings/record">{entry.suspendedAct}</a>
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
      {due.wordsDue && !isAtWords && (
        <p class="banner warn">
          <Icon name="key" />
          <span>
            {entry.remindText}{" "}
            {lasting.value === false && `${entry.mayForget} `}
            <a href="#/words">{entry.remindAct}</a>
          </span>
        </p>
      )}
    </>
  );
}
