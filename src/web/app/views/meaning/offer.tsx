/**
 * Below what a search found by its words: the way to what is found by what
 * photos show.
 *
 * @module
 */
import { listHref } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { Icon } from "../../parts/icon.tsx";
import { messages } from "../../messages.ts";
import { revision, vault } from "../../vault.ts";

/** The link, if the person turned it on. */
export function MeaningOffer({ q }: { readonly q: string }) {
  const { meaning } = messages.value;
  const { value: isOn } = useLoaded(
    () => vault().meaning.isOn(),
    [revision.value],
  );
  if (isOn !== true || q.trim() === "") return null;
  return (
    <p class="meaning-offer">
      <a class="button" href={listHref({ kind: "meaning", q: q.trim() })}>
        <Icon name="read" /> {meaning.offer({ q: q.trim() })}
      </a>
    </p>
  );
}
