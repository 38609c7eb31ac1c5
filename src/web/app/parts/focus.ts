/**
 * Where the focus goes when what had it is removed: browsers then leave it
 * nowhere, and a keyboard or a screen reader begins again at the top.
 *
 * @module
 */

/** Puts the focus somewhere in the view; false if it has nothing to focus. */
type Taker = () => boolean;

let takers: readonly Taker[] = [];
let last: Element | null = null;

addEventListener("focusin", ({ target }) => {
  last = target instanceof Element ? target : null;
});

/** What takes a lost focus while it is shown; call what it returns to end. */
export function takeLostFocus(taker: Taker): () => void {
  takers = [...takers, taker];
  return () => {
    takers = takers.filter((one) => one !== taker);
  };
}

/** Whoever went elsewhere begins there at the top. */
export function forgetLostFocus(): void {
  if (isLost()) last = null;
}

/** Whether what had the focus last is not in the page any more. */
function isLost(): boolean {
  const { activeElement, body } = document;
  return (activeElement === null || activeElement === body) &&
    last !== null && !last.isConnected;
}

/**
 * If the focus was lost with what has just been removed: the view takes it, or
 * else its heading.
 */
export function findLostFocus(): void {
  // What is drawn in its place, or takes the focus of its own, is there then.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (!isLost()) return;
      const taken = takers.toReversed().some((taker) => taker());
      if (!taken) focusHeading();
    })
  );
}

function focusHeading(): void {
  const content = document.getElementById("content");
  const heading = content?.querySelector<HTMLElement>("h1") ?? content;
  if (heading === null || heading === undefined) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
