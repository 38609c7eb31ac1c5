/**
 * Comparing the four words that both devices show.
 *
 * @module
 */
import { Button } from "../../parts/controls.tsx";
import { vault } from "../../vault.ts";
import { words as texts } from "../../words.ts";

/** The words and the two answers. */
export function Compare({ words }: { readonly words: readonly string[] }) {
  const { entry } = texts.value;
  return (
    <>
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
