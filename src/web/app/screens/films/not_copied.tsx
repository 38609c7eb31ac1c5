/**
 * The films of which no copy could be made, and why.
 *
 * @module
 */
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import type { NotMade } from "../../../workers/media/films/making.ts";
import { faultText } from "../../faults.ts";
import { Notice } from "../../parts/controls.tsx";
import { listText, messages } from "../../messages.ts";
import type { Copied } from "./copying.ts";

const WHYS: readonly NotMade[] = [
  "insecure",
  "undecoded",
  "unheard",
  "unencoded",
  "unread",
];

/** Names that are told; of more, how many there are. */
const MOST_NAMES = 3;

/** Says which films have no copy; nothing where all have one. */
export function NotCopied({ copied }: { readonly copied: Copied }) {
  const { films } = messages.value;
  const { not, failed, fault } = copied;
  return (
    <>
      {WHYS.map((why) => {
        const names = not.filter((one) => one.why === why)
          .map(({ name }) => name);
        if (names.length === 0) return null;
        const shown = names.length > MOST_NAMES
          ? films.films({ n: names.length })
          : listText(names);
        return <Notice key={why} kind="warn">{shown}: {films.not[why]}</Notice>;
      })}
      {fault !== undefined && (
        <Notice>
          {films.films({ n: failed })}: {faultText(new ThreadError(fault))}
        </Notice>
      )}
    </>
  );
}
