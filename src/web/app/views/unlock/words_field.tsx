/**
 * The field for the 24 words, which counts and completes them and marks wrong
 * ones.
 *
 * @module
 */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { vault } from "../../vault.ts";
import { words } from "../../words.ts";

const SHORTEST_START = 2;

/** The field. */
export function WordsField(
  { value, onInput }: {
    readonly value: string;
    readonly onInput: (value: string) => void;
  },
) {
  const { entry } = words.value;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [endings, setEndings] = useState<readonly string[]>([]);
  const [fault, setFault] = useState<string>();
  const start = /\S*$/.exec(value)?.[0]?.toLowerCase() ?? "";
  const typed = value.split(/\s+/u).filter((word) => word !== "");
  // The attribute works only in a page or a dialog that begins with it.
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    let gone = false;
    const look = async () => {
      const { session } = vault();
      const found = start.length < SHORTEST_START
        ? []
        : await session.wordsBeginningWith(start);
      // Errors are shown only after a complete word.
      const ended = start === "" || found.includes(start);
      const read = ended && typed.length > 0
        ? await session.readWords(value)
        : undefined;
      if (gone) return;
      setEndings(found.length === 1 && found[0] === start ? [] : found);
      setFault(faultOf(read));
    };
    look();
    return () => {
      gone = true;
    };
  }, [value]);
  const faultOf = (
    read:
      | Awaited<ReturnType<ReturnType<typeof vault>["session"]["readWords"]>>
      | undefined,
  ) => {
    if (read === undefined || read.ok) return undefined;
    if (read.fault === "unknown") {
      return entry.wordsUnknown(
        read.places.map((place) => typed[place - 1] ?? "").join(", "),
      );
    }
    return read.fault === "checksum" ? entry.wordsOrder : undefined;
  };
  const complete = (word: string) => {
    onInput(`${value.slice(0, value.length - start.length)}${word} `);
    field.current?.focus();
  };
  return (
    <div class="field">
      <label for={id}>{entry.wordsField}</label>
      <div class="field-box">
        <textarea
          ref={field}
          id={id}
          rows={5}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
          value={value}
          aria-describedby={`${id}-hint`}
          aria-invalid={fault !== undefined}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") {
              // Words have blanks between them, and no lines.
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
              return;
            }
            const [first] = endings;
            if (event.key !== "Tab" || event.shiftKey || first === undefined) {
              return;
            }
            event.preventDefault();
            complete(first);
          }}
        />
      </div>
      {endings.length > 0 && (
        <div class="endings">
          {endings.slice(0, 5).map((word) => (
            <button
              type="button"
              key={word}
              onClick={() => complete(word)}
            >
              {word}
            </button>
          ))}
        </div>
      )}
      <p class="hint" id={`${id}-hint`}>
        {entry.wordsHint}{" "}
        <span role="status">{entry.wordsCount(typed.length)}</span>
      </p>
      {fault !== undefined && <p class="fault" role="alert">{fault}</p>}
    </div>
  );
}
