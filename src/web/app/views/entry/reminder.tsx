/**
 * Banners on every page: recovery words are not written down, or the account is
 * suspended.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import { route } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { words } from "../../words.ts";

/** The banners that apply. */
export function Reminder() {
  const { entry } = words.value;
  const [due, setDue] = useState({ wordsDue: false, suspended: false });
  const isAtWords = route.value.path[0] === "words";
  useEffect(() => {
    vault().session.notices().then(setDue, () => {
      // Without a network there are no reminders.
    });
  }, [isAtWords]);
  return (
    <>
      {due.suspended && (
        <p class="banner warn">
          <Icon name="warning" />
          <span>
            {entry.suspendedText}{" "}
            <a href="#/settings/record">{entry.suspendedAct}</a>
          </span>
        </p>
      )}
      {due.wordsDue && !isAtWords && (
        <p class="banner warn">
          <Icon name="key" />
          <span>
            {entry.remindText} <a href="#/words">{entry.remindAct}</a>
          </span>
        </p>
      )}
    </>
  );
}
