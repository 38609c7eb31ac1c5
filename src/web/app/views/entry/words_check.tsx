/**
 * The check that the words were written down: three of them are asked for.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { randomBytes } from "../../../browser.ts";
import { Button, Field, Notice } from "../../parts/controls.tsx";
import { words as texts } from "../../words.ts";
import { Card } from "./card.tsx";

const ASKED = 3;

/** The step, which ends when three words are right. */
export function WordsCheck(
  { words, title, step, onRight, onBack }: {
    readonly words: string;
    readonly title: string;
    readonly step?: readonly [at: number, of: number];
    readonly onRight: () => void;
    readonly onBack: () => void;
  },
) {
  const { common, entry } = texts.value;
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
          label={entry.word(place)}
          autocomplete="off"
          autofocus={index === 0}
          value={typed[index] ?? ""}
          onInput={(value) =>
            setTyped(typed.map((one, at) => at === index ? value : one))}
        />
      ))}
      {wrong.length > 0 && (
        <Notice>{entry.checkWrong(wrong.map(entry.word).join(", "))}</Notice>
      )}
      <div class="actions">
        <Button kind="main" type="submit">{common.next}</Button>
        <Button kind="quiet" onClick={onBack}>{entry.wordsAgain}</Button>
      </div>
    </Card>
  );
}

/** Three different random places in ascending order, from 1. */
function placesOf(count: number): number[] {
  const places = new Set<number>();
  while (places.size < ASKED) {
    places.add((randomBytes(1)[0] ?? 0) % count + 1);
  }
  return [...places].sort((a, b) => a - b);
}
