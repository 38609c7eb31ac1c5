/**
 * The field for the 24 words, which counts and completes them and marks wrong
 * ones.
 *
 * @module
 */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { vault } from "../../vault.ts";
import { useMissing } from "../../parts/form.tsx";
import { listText, messages } from "../../messages.ts";

const SHORTEST_START = 2;
/** Of a recovery key. */
const WORDS = 24;

type Read = Awaited<
  ReturnType<ReturnType<typeof vault>["session"]["readWords"]>
>;

/** The field. */
export function RecoveryWordsField(
  { value, fault: refused, onInput }: {
    readonly value: string;
    /** The message why they were refused when they were handed in. */
    readonly fault: string | undefined;
    readonly onInput: (value: string) => void;
  },
) {
  const { entry } = messages.value;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [endings, setEndings] = useState<readonly string[]>([]);
  const [told, setTold] = useState<string>();
  const missing = useMissing();
  const fault = refused ?? told ?? missing.text;
  const start = /\S*$/.exec(value)?.[0]?.toLowerCase() ?? "";
  const typed = wordsOf(value);
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
      // Whoever is not done yet is not told so.
      const isUnder = read?.ok === false && read.fault === "count" &&
        read.count < WORDS;
      setTold(
        read === undefined || isUnder
          ? undefined
          : recoveryWordsFault(read, value),
      );
    };
    look();
    return () => {
      gone = true;
    };
  }, [value]);
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
          aria-describedby={fault === undefined
            ? `${id}-hint`
            : `${id}-hint ${id}-fault`}
          aria-invalid={fault !== undefined}
          onInput={(event) => {
            missing.drop();
            onInput(event.currentTarget.value);
          }}
          onInvalid={(event) => missing.find(event.currentTarget)}
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
        {entry.wordsHint}
        <br />
        <span role="status">{entry.wordsCount({ count: typed.length })}</span>
      </p>
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`} role="alert">{fault}</p>
      )}
    </div>
  );
}

/** What is wrong with the words as they were typed, if that can be known. */
export function recoveryWordsFault(
  read: Read,
  typed: string,
): string | undefined {
  if (read.ok) return undefined;
  const text = messages.value.secrets;
  switch (read.fault) {
    case "unknown": {
      const all = wordsOf(typed);
      return text.unknown({
        list: listText(
          read.places.map((place) =>
            text.unknownWord({ place, word: all[place - 1] ?? "" })
          ),
        ),
      });
    }
    case "count":
      return read.count > WORDS
        ? text.tooMany({ count: read.count })
        : text.tooFew({ count: read.count, missing: WORDS - read.count });
    case "checksum":
      return text.mistyped;
  }
}

function wordsOf(typed: string): string[] {
  return typed.split(/\s+/u).filter((word) => word !== "");
}
