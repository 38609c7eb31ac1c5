/**
 * A person at any browser, who presses named controls and reads the page.
 *
 * @module
 */
import { until } from "../until.ts";
import type { Json, Window } from "./engine.ts";

/** What is looked for by its name. */
type Role = "button" | "link" | "heading" | "field" | "tile" | "list";

/**
 * Runs in the page: elements that can be seen, of a role, whose name is that or
 * begins with it.
 */
const NAMED = `
const [role, wanted, exactly] = arguments;
const selector = {
  button: "button, [role=button]",
  link: "a[href]",
  heading: "h1, h2, h3, [role=heading]",
  field: "input, textarea, select",
  tile: ".tile a, .tile button",
  list: "ol, ul, [role=list]",
}[role];
const nameOf = (one) => one.getAttribute("aria-label") ??
  (one.labels?.length ? one.labels[0].textContent : one.textContent) ?? "";
const dialogs = document.querySelectorAll("dialog[open]");
const within = dialogs[dialogs.length - 1] ?? document;
return [...within.querySelectorAll(selector)].find((one) => {
  if (one.getClientRects().length === 0) return false;
  const name = nameOf(one).replace(/\\s+/g, " ").trim();
  return exactly ? name === wanted : name.startsWith(wanted);
}) ?? null;`;

/** Runs in the page: how an element lies in the window. */
const LIES = `
const all = document.querySelectorAll(arguments[0]);
const last = all[all.length - 1];
if (last === undefined) return "not there";
const { left, top, right, bottom, width, height } =
  last.getBoundingClientRect();
return width > 100 && height > 100 && left >= 0 && top >= 0 &&
  right <= innerWidth + 1 && bottom <= innerHeight + 1
  ? "inside"
  : [left, top, width, height].join(" ");`;

/** What is in the same place for as long stands still. */
const STILL_MS = 50;

/** A person at a window. */
export class Person {
  constructor(readonly window: Window) {}

  /** Waits for something that has a name. */
  async find(role: Role, name: string, exactly = true): Promise<Json> {
    let found: Json = null;
    await until(async () => {
      found = await this.window.run(NAMED, role, name, exactly);
      return found === null ? `without the ${role} "${name}"` : "there";
    }, "there");
    return found;
  }

  async press(role: Role, name: string, exactly = true): Promise<void> {
    await this.#click(() => this.find(role, name, exactly));
  }

  async fill(label: string, text: string): Promise<void> {
    const field = await this.find("field", label, false);
    await this.window.run("arguments[0].select?.()", field);
    await this.window.type(field, text);
  }

  /** Presses the first that the selector finds. */
  async pressAt(selector: string): Promise<void> {
    await this.#click(() => this.at(selector));
  }

  /** Waits for the first that the selector finds. */
  async at(selector: string): Promise<Json> {
    let found: Json = null;
    await until(async () => {
      found = await this.window.run(
        "return document.querySelector(arguments[0])",
        selector,
      );
      return found === null ? `without ${selector}` : "there";
    }, "there");
    return found;
  }

  /** Waits until nothing is found by the selector. */
  async gone(selector: string): Promise<void> {
    await until(() =>
      this.window.run(
        `const left = document.querySelector(arguments[0]);
        return left === null ? "gone" : left.outerHTML.slice(0, 500)`,
        selector,
      ), "gone");
  }

  /** Waits until something has a box, and all of it is inside the window. */
  async box(selector: string): Promise<void> {
    await until(() => this.window.run(LIES, selector), "inside");
  }

  /** Waits for a dialog that is seen: in an engine one had no height. */
  dialog(): Promise<void> {
    return this.box("dialog[open]");
  }

  /** Waits until the page says that. */
  async read(text: string): Promise<void> {
    await until(async () => {
      const all: string = await this.window.run(
        "return document.body.innerText",
      );
      return all.includes(text) ? text : all.slice(0, 2_000);
    }, text);
  }

  /** Waits until so many pictures of a selector are drawn. */
  async pictures(selector: string, count: number): Promise<void> {
    await until(
      () =>
        this.window.run(
          `return [...document.querySelectorAll(arguments[0])].filter((one) =>
            one.complete && one.naturalWidth > 0).length`,
          selector,
        ),
      (drawn: number) => drawn >= count,
    );
  }

  async give(selector: string, paths: readonly string[]): Promise<void> {
    await this.window.type(await this.at(selector), paths.join("\n"));
  }

  /**
   * A moving element is in the way for a moment, and a redrawn one is gone. A
   * pointer that comes down on a moving element presses nothing.
   */
  async #click(find: () => Promise<Json>): Promise<void> {
    let complaint = "";
    await until(async () => {
      try {
        const element = await find();
        const before = await this.#placeOf(element);
        await new Promise((resolve) => setTimeout(resolve, STILL_MS));
        if (await this.#placeOf(element) !== before) return "it moves";
        await this.window.click(element);
        return "pressed";
      } catch (error) {
        complaint = String(error);
        return complaint;
      }
    }, "pressed");
  }

  async #placeOf(element: Json): Promise<string> {
    return await this.window.run(
      `const { x, y, width, height } = arguments[0].getBoundingClientRect();
      return [x, y, width, height].join()`,
      element,
    );
  }
}
