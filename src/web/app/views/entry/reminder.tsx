/**
 * Whoever put the words off is reminded until they are written down.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import { route } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { words } from "../../words.ts";

/** A banner; nothing once the words are kept. */
export function Reminder() {
  const { entry } = words.value;
  const [due, setDue] = useState(false);
  const here = route.value.path[0];
  useEffect(() => {
    vault().session.areWordsDue().then(setDue, () => {
      // Without a network nobody is reminded.
    });
  }, [here === "words"]);
  if (!due || here === "words") return null;
  return (
    <p class="banner warn">
      <Icon name="key" />
      <span>
        {entry.remindText} <a href="#/words">{entry.remindAct}</a>
      </span>
    </p>
  );
}
