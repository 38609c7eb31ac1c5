/**
 * What a share holds: pictures and films as a grid whose thumbnails are
 * decrypted as they come into sight, everything else as a list.
 *
 * @module
 */
import { button, element } from "./dom.ts";
import { blobType, kindOf, saveOriginal } from "./download.ts";
import {
  type Item,
  originalOf,
  type SharedPart,
  type ShareReader,
  thumbnailOf,
} from "./share_reader.ts";
import { faultText, shownName, sizeText } from "./words.ts";

/** So many thumbnails are fetched at a time. */
const AT_ONCE = 4;
/** A picture without a thumbnail stands for itself up to this size (bytes). */
const SMALL_BYTES = 512 * 1024;

/** Opens the item at that place of the list of all that can be looked at. */
export type OpenItem = (index: number) => void;

/** What is shown of a share, and what can be looked at in it. */
export interface Gallery {
  readonly content: readonly HTMLElement[];
  /** Items that {@link OpenItem} counts. */
  readonly viewable: readonly Item[];
  /** The thumbnails decrypted so far, as addresses. */
  readonly thumbnails: ReadonlyMap<Item, string>;
}

/** Lays out a share's items. */
export function layOut(
  reader: ShareReader,
  items: readonly Item[],
  open: OpenItem,
): Gallery {
  const viewable = items.filter((item) => kindOf(item) !== "other");
  // A file that cannot be looked at is a row: only there it can be saved.
  const inGrid = (item: Item) =>
    kindOf(item) === "image" ||
    kindOf(item) !== "other" && thumbnailOf(item) !== undefined;
  const thumbnails = new Map<Item, string>();
  const lazy = lazily(AT_ONCE);
  const grid = element("ul", { class: "grid" });
  const list = element("ul", { class: "files" });
  for (const item of items) {
    const place = viewable.indexOf(item);
    const look = () => open(place);
    if (inGrid(item)) grid.append(tile(reader, item, look, thumbnails, lazy));
    else list.append(row(reader, item, place < 0 ? undefined : look));
  }
  const content: HTMLElement[] = [];
  if (grid.childElementCount > 0) content.push(grid);
  if (list.childElementCount > 0) {
    if (content.length > 0) content.push(element("h2", {}, "Other files"));
    content.push(list);
  }
  return { content, viewable, thumbnails };
}

function tile(
  reader: ShareReader,
  item: Item,
  look: () => void,
  thumbnails: Map<Item, string>,
  lazy: ReturnType<typeof lazily>,
): HTMLElement {
  const name = shownName(item.name);
  const caption = element("span", { class: "caption quiet" }, name);
  const face = element("button", {
    type: "button",
    class: "tile",
    "aria-label": `${name}, ${sizeText(item.size)}`,
    title: name,
  }, caption);
  face.addEventListener("click", look);
  if (kindOf(item) === "video") {
    const sign = { class: "play", "aria-hidden": "true" };
    face.append(element("span", sign, "▶"));
  }
  const place = element("li", {}, face);
  const { thumbnail } = item;
  const ratio = thumbnail === undefined
    ? 1
    : Math.min(3, Math.max(0.5, thumbnail.width / thumbnail.height));
  place.style.setProperty("--ratio", ratio.toFixed(3));
  const part = faceOf(item);
  if (part === undefined) return place;
  lazy(place, async () => {
    try {
      const type = thumbnail?.mime ?? item.mime;
      const blob = await reader.readBlob(
        part,
        blobType({ ...item, mime: type }),
      );
      const href = URL.createObjectURL(blob);
      const image = element("img", { alt: "", src: href });
      await image.decode();
      thumbnails.set(item, href);
      face.prepend(image);
      caption.hidden = true;
    } catch (error) {
      // A picture that this browser cannot decode keeps its name.
      if (error instanceof DOMException) return;
      caption.textContent = `${name}: ${faultText(error)}`;
      caption.className = "caption wrong-text";
    }
  });
  return place;
}

/** What stands for an item in the grid. */
function faceOf(item: Item): SharedPart | undefined {
  const thumbnail = thumbnailOf(item);
  if (thumbnail !== undefined) return thumbnail;
  return kindOf(item) === "image" && item.size <= SMALL_BYTES
    ? originalOf(item)
    : undefined;
}

function row(
  reader: ShareReader,
  item: Item,
  look: (() => void) | undefined,
): HTMLElement {
  const name = shownName(item.name);
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? "file";
  const note = element("p", { class: "note quiet" }, sizeText(item.size));
  const buttons = element("div", { class: "buttons" });
  if (look !== undefined) {
    buttons.append(button("Play", look, { "aria-label": `Play ${name}` }));
  }
  buttons.append(saveButton(reader, item, (text, wrong) => {
    note.textContent = text ?? sizeText(item.size);
    note.className = wrong ? "note wrong-text" : "note quiet";
  }));
  return element(
    "li",
    {},
    element("span", { class: "kind", "aria-hidden": "true" }, ending),
    element("div", {}, element("p", { class: "name" }, name), note),
    buttons,
  );
}

/** A button that saves an item; `tell` is told how it goes, or nothing more. */
export function saveButton(
  reader: ShareReader,
  item: Item,
  tell: (text: string | undefined, wrong: boolean) => void,
): HTMLButtonElement {
  const name = shownName(item.name);
  let isBusy = false;
  const made = button("Download", async () => {
    // Not disabled meanwhile: that would take the focus away.
    if (isBusy) return;
    isBusy = true;
    made.setAttribute("aria-busy", "true");
    tell("Decrypting…", false);
    try {
      const saved = await saveOriginal(reader, item, {
        onProgress: (done) =>
          tell(`${sizeText(done)} of ${sizeText(item.size)}`, false),
      });
      tell(saved ? "Saved by your browser." : undefined, false);
    } catch (error) {
      tell(faultText(error), true);
    } finally {
      isBusy = false;
      made.removeAttribute("aria-busy");
    }
  }, { "aria-label": `Download ${name}` });
  return made;
}

/** Runs each task once its element comes near the window, few at a time. */
function lazily(
  atOnce: number,
): (target: Element, task: () => Promise<void>) => void {
  const tasks = new Map<Element, () => Promise<void>>();
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  const next = () => {
    const task = running < atOnce ? waiting.shift() : undefined;
    if (task === undefined) return;
    running += 1;
    task().finally(() => {
      running -= 1;
      next();
    });
    next();
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const task = isIntersecting ? tasks.get(target) : undefined;
      if (task === undefined) continue;
      tasks.delete(target);
      observer.unobserve(target);
      waiting.push(task);
    }
    next();
  }, { rootMargin: "300px" });
  return (target, task) => {
    tasks.set(target, task);
    observer.observe(target);
  };
}
