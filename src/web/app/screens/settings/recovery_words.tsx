/**
 * The 24 words among the settings: whether they were written down, and new ones.
 *
 * @module
 */
import { useLoaded } from "../../loaded.ts";
import { Button } from "../../parts/controls.tsx";
import { go, href } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Line, Waiting } from "./parts.tsx";

/** The line of the words. */
export function RecoveryWords() {
  const { entry, settings } = messages.value;
  const loaded = useLoaded(() => vault().session.escrowLabels(), []);
  const labels = loaded.value;
  if (labels === undefined) return <Waiting loaded={loaded} />;
  const hasWords = labels.includes("words");
  return (
    <div data-part="words">
      <Line
        name={settings.words}
        value={hasWords
          ? `${settings.wordsOn} ${settings.wordsAnewWhy}`
          : settings.wordsOff}
      >
        <Button
          kind={hasWords ? "plain" : "main"}
          onClick={() => go(href("words"))}
        >
          {hasWords ? settings.wordsAnew : entry.remindAct}
        </Button>
      </Line>
    </div>
  );
}
