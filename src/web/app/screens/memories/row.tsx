/**
 * The memories of today, in a row above the photos.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { MemoryCard } from "../../../workers/finding/memory_calls.ts";
import { sleep } from "../../../browser.ts";
import { paced } from "../../latest_call.ts";
import { listHref } from "../../list.ts";
import { Cover } from "../../parts/cover.tsx";
import { language, messages } from "../../messages.ts";
import { revision, vault } from "../../vault.ts";
import { placesText, spanText } from "../where_text.ts";

/** The row; nothing on a day without memories. */
export function MemoriesRow() {
  const cards = useMemories();
  if (cards.length === 0) return null;
  const { title } = messages.value.memories;
  return (
    <section class="memories" aria-label={title}>
      <h2 class="unseen">{title}</h2>
      <ul>
        {cards.map((card) => (
          <li key={card.id}>
            <Card card={card} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Card({ card }: { readonly card: MemoryCard }) {
  const [title, below] = textsOf(card);
  return (
    <a
      class="memory"
      href={listHref({ kind: "memory", id: card.id })}
    >
      <Cover id={card.cover} icon="photos" />
      <span class="memory-text">
        <strong>{title}</strong>
        {below !== "" && <span class="small">{below}</span>}
      </span>
    </a>
  );
}

/** What a card says: `3 years ago`, and below when and where that was. */
function textsOf(
  { kind, id, years, taken }: MemoryCard,
): readonly [title: string, below: string] {
  const { best } = messages.value.memories;
  const [places, span] = [placesText(taken), spanText(taken)];
  switch (kind) {
    case "year":
      return [best({ year: id }), places];
    case "trip":
      return places === "" ? [span, ""] : [places, span];
    default: {
      const ago = new Intl.RelativeTimeFormat(language.value)
        .format(-years, "year");
      return [
        ago.slice(0, 1).toLocaleUpperCase(language.value) + ago.slice(1),
        places === "" ? span : places,
      ];
    }
  }
}

/** They are asked for once the first photos are there. */
function useMemories(): readonly MemoryCard[] {
  const [cards, setCards] = useState<readonly MemoryCard[]>([]);
  const looking = useRef<(() => void) | undefined>(undefined);
  const seen = revision.value;
  useEffect(() => {
    let gone = false;
    const look = paced(async () => {
      try {
        const found = await vault().memories.today();
        if (!gone) setCards(found);
      } catch {
        // They cannot be fetched now. The next change tries again.
      }
    });
    idle().then(() => {
      if (gone) return;
      looking.current = look;
      look();
    });
    return () => {
      gone = true;
    };
  }, []);
  useEffect(() => looking.current?.(), [seen]);
  return cards;
}

/** Safari has no idle callbacks (ms). */
const SOON_MS = 300;

function idle(): Promise<void> {
  const { requestIdleCallback } = globalThis as Partial<typeof globalThis>;
  return requestIdleCallback === undefined
    ? sleep(SOON_MS)
    : new Promise((resolve) => requestIdleCallback(() => resolve()));
}
