/**
 * Comparing the four words that both devices show.
 *
 * @module
 */
import { Button, Notice } from "../../parts/controls.tsx";
import { vault } from "../../vault.ts";
import { messages as texts } from "../../messages.ts";

/** The words and the two answers. */
export function Compare(
  { words, foreign }: {
    readonly words: readonly string[];
    /** The origin of the scanned code, if it is not that of this page. */
    readonly foreign?: string | undefined;
  },
) {
  const { entry } = texts.value;
  return (
    <>
      {foreign !== undefined && (
        <Notice kind="warn">{entry.sameForeign({ origin: foreign })}</Notice>
      )}
      <p class="quiet">{entry.sameWhy}</p>
      <ol class="four-words">
        {words.map((word) => <li key={word} translate={false}>{word}</li>)}
      </ol>
      <div class="actions">
        <Button
          kind="main"
          onClick={() => vault().session.pairingAnswer(true)}
        >
          {entry.same}
        </Button>
        <Button
          kind="danger"
          onClick={() => vault().session.pairingAnswer(false)}
        >
          {entry.notSame}
        </Button>
      </div>
    </>
  );
}
