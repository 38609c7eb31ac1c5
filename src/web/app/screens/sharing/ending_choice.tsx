/**
 * The choice of when a link ends.
 *
 * @module
 */
import { Choice } from "../../parts/choices.tsx";
import { messages } from "../../messages.ts";
import type { Ending } from "./endings.ts";

/** Of links that end for sure. */
export const TIMES = ["day", "week", "month", "quarter"] as const;

/** The choice `among` some endings, or to keep the one that there is. */
export function EndingChoice<E extends Ending | "keep">(
  { value, among, onChoose }: {
    readonly value: E;
    readonly among: readonly E[];
    readonly onChoose: (ending: E) => void;
  },
) {
  const { sharing } = messages.value;
  return (
    <Choice
      label={sharing.ends}
      value={value}
      options={among.map((one) => [one, sharing.endings[one]] as const)}
      onChoose={onChoose}
    />
  );
}
