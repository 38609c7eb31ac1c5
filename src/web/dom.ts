/**
 * Building and finding elements. Text always goes in as text.
 *
 * @module
 */
type Tags = HTMLElementTagNameMap;

/** An element with its attributes; `true` is an attribute without a value. */
export function element<K extends keyof Tags>(
  tag: K,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...children: readonly (Node | string)[]
): Tags[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** A button that does something. */
export function button(
  label: string,
  act: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

/** The element of the markup with that id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the markup has no #${id}`);
  return found;
}

/** Says something where screen readers listen; nothing hides the place. */
export function say(text: string): void {
  const status = byId("status");
  if (status.textContent !== text) status.textContent = text;
  status.hidden = text === "";
}

/** What the page shows below its header. */
export function show(...content: readonly (Node | string)[]): void {
  byId("content").replaceChildren(...content);
}

/** A message in a box, as an alert, with what one can do about it. */
export function notice(
  text: string,
  ...more: readonly Node[]
): HTMLElement {
  return element(
    "div",
    { class: "notice wrong", role: "alert" },
    element("p", {}, text),
    ...more,
  );
}

/** Gives the page the icon of a lock; without one a browser asks the server. */
export function setIcon(): void {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<path fill="none" stroke="#1f5f8b" stroke-width="2" d="M5 7V5a3 3 0 0 1 6 0v2"/>
<rect x="3" y="7" width="10" height="7" rx="1" fill="#1f5f8b"/></svg>`;
  const blob = new Blob([drawing], { type: "image/svg+xml" });
  const href = URL.createObjectURL(blob);
  document.head.append(element("link", { rel: "icon", href }));
}
