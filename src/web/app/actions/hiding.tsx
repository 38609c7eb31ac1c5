/**
 * Asking before photos are hidden that others see, and taking them out there.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { SeenBy } from "../../workers/library/photo_changes.ts";
import type { Noun } from "../list.ts";
import { Check } from "../parts/choices.tsx";
import { confirmed } from "../parts/confirm.tsx";
import { toast } from "../parts/toasts.tsx";
import { vault } from "../vault.ts";
import { messages } from "../messages.ts";

/** Says who still sees the photos; resolves to what the person wants. */
export async function askSeen(
  seen: SeenBy,
  n: number,
  noun: Noun,
): Promise<"nothing" | "here" | "everywhere"> {
  const { hiding, photos } = messages.value;
  let everywhere = false;
  const agreed = await confirmed({
    title: hiding.title({ n, noun }),
    text: (
      <>
        <p>{hiding.still}</p>
        <ul>{placesOf(seen).map((place) => <li key={place}>{place}</li>)}</ul>
        {seen.frames.length > 0 && <p>{hiding.frames}</p>}
        {seen.canTakeOut && <TakeOut onChange={(is) => everywhere = is} />}
      </>
    ),
    action: photos.hide,
    danger: false,
  });
  if (!agreed) return "nothing";
  return everywhere ? "everywhere" : "here";
}

function TakeOut(
  { onChange }: { readonly onChange: (is: boolean) => void },
) {
  const { hiding } = messages.value;
  const [checked, setChecked] = useState(false);
  return (
    <Check
      label={hiding.takeOut}
      checked={checked}
      onChange={(is) => {
        setChecked(is);
        onChange(is);
      }}
    >
      {hiding.takeOutHint}
    </Check>
  );
}

/** Hides photos also from others, and says where that did not work. */
export async function hideEverywhere(
  ids: readonly string[],
  noun: Noun,
): Promise<void> {
  const { hiding, photos } = messages.value;
  const left = placesOf(await vault().photos.hideEverywhere(ids));
  toast(photos.hiddenNow({ n: ids.length, noun }));
  if (left.length > 0) toast([hiding.still, left.join("; ")].join(" "));
}

function placesOf(
  { albums, links, frames, unread }: SeenBy,
): readonly string[] {
  const { albums: { untitled }, hiding, sharing } = messages.value;
  return [
    ...albums.map((title) => hiding.album({ title: title || untitled })),
    ...links.map((title) => hiding.link({ title: title || sharing.untitled })),
    ...frames.map((title) => hiding.frame({ title: title || untitled })),
    ...(unread ? [hiding.unread] : []),
  ];
}
