/**
 * The check that the words were written down: three of them are asked for.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { randomBytes } from "../../../browser.ts";
import { Button } from "../../parts/controls.tsx";
import { Field } from "../../parts/form.tsx";
import { messages as texts } from "../../messages.ts";
import { Card } from "./card.tsx";

const ASKED = 3;

/** The step, which ends when three words are right. */
export function RecoveryWordsCheck(
  { words, title, step, onRight, onBack }: {
    readonly words: string;
    readonly title: string;
    readonly step?: readonly [at: number, of: number];
    readonly onRight: () => void;
    readonly onBack: () => void;
  },
) {
  const { common, entry, secrets } = texts.value;
  const all = words.split(" ");
  const [places] = useState(() => placesOf(all.length));
  const [typed, setTyped] = useState<readonly string[]>(
    () => places.map(() => ""),
  );
  const [wrong, setWrong] = useState<readonly number[]>([]);
  const submit = () => {
    const missed = places.filter((place, index) =>
      typed[index]?.trim().toLowerCase() !== all[place - 1]
    );
    setWrong(missed);
    if (missed.length === 0) onRight();
  };
  return (
    <Card
      title={title}
      {...(step === undefined ? {} : { step })}
      onSubmit={submit}
    >
      <p class="quiet">{entry.checkWhy}</p>
      {places.map((place, index) => (
        <Field
          key={place}
          label={entry.word({ place })}
          autocomplete="off"
          required
          autofocus={index === 0}
          fault={wrong.includes(place)
            ? secrets.notThisWord({ place })
            : undefined}
          value={typed[index] ?? ""}
          onInput={(value) =>
            setTyped(typed.map((one, at) => at === index ? value : one))}
        />
      ))}
      <div class="actions">
        <Button kind="main" type="submit">{common.next}</Button>
        <Button kind="quiet" onClick={onBack}>{entry.wordsAgain}</Button>
      </div>
    </Card>
  );
}

/** A random place in each third of the words, from 1. */
function placesOf(count: number): number[] {
  const third = Math.floor(count / ASKED);
  return Array.from(
    randomBytes(ASKED),
    (random, part) => part * third + random % third + 1,
  );
}
