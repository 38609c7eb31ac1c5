/**
 * The 24 words, and the ways to copy, print or save them.
 *
 * @module
 */
import { savedAddress } from "../../addresses.ts";
import { Button } from "../../parts/controls.tsx";
import { toast } from "../../parts/toasts.tsx";
import { sessionState } from "../../vault.ts";
import { messages as texts } from "../../messages.ts";

/** The words, numbered. */
export function RecoveryWordsSheet({ words }: { readonly words: string }) {
  const { common, entry } = texts.value;
  // Insecure contexts lack it, although its type says otherwise.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  return (
    <>
      <ol class="words" aria-label={entry.wordsList}>
        {words.split(" ").map((word, index) => (
          <li key={index} translate={false}>{word}</li>
        ))}
      </ol>
      <div class="actions words-actions">
        {clipboard !== undefined && (
          <Button
            icon="copy"
            onClick={async () => {
              await clipboard.writeText(words);
              toast(common.copied);
            }}
          >
            {entry.copy}
          </Button>
        )}
        <Button icon="print" onClick={() => print()}>{entry.print}</Button>
        <Button icon="download" onClick={() => save(words)}>
          {entry.download}
        </Button>
      </div>
    </>
  );
}

function save(words: string): void {
  const { entry } = texts.value;
  const numbered = words.split(" ").map((word, index) =>
    `${String(index + 1).padStart(2)}  ${word}`
  );
  const text = entry.wordsFileText({
    host: location.host,
    address: sessionState.value?.address ?? "",
    words: numbered.join("\n"),
  });
  const address = savedAddress(new Blob([text]));
  const link = document.createElement("a");
  link.href = address;
  link.download = entry.wordsFile;
  link.click();
  toast(entry.wordsSaved);
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
