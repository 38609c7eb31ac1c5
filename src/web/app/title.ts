/**
 * The title of the browser's tab and of its history: what is looked at.
 *
 * @module
 */
import { useEffect } from "preact/hooks";

const NAME = "strongroom";

/** What is looked at, the last on top: a photo over its list. */
let titles: readonly { readonly text: string }[] = [];

function show(): void {
  const top = titles.at(-1)?.text;
  document.title = top === undefined ? NAME : `${top} · ${NAME}`;
}

/** Names the page for as long as it is shown; nothing for an empty text. */
export function useTitle(text: string): void {
  useEffect(() => {
    if (text === "") return;
    const mine = { text };
    titles = [...titles, mine];
    show();
    return () => {
      titles = titles.filter((one) => one !== mine);
      show();
    };
  }, [text]);
}
