/**
 * One item large: pictures, films and sound, decrypted whole and then shown;
 * to the next one by button, key or swipe.
 *
 * @module
 */
import { button, element } from "./dom.ts";
import { blobType, kindOf } from "./download.ts";
import { saveButton } from "./gallery.ts";
import {
  type Item,
  originalOf,
  previewOf,
  type ShareReader,
} from "./share_reader.ts";
import { faultText, shownName, shownText, sizeText } from "./words.ts";

/** More than this is decrypted only when it is asked for (bytes). */
const ASK_OVER_BYTES = 64 * 1024 * 1024;
/** A shorter way of a finger is no swipe (CSS pixels). */
const SWIPE_PX = 60;

/** Only pictures: of films and sound the thing itself is wanted. */
function hasPreview(item: Item): boolean {
  return kindOf(item) === "image" && item.preview !== undefined;
}

export class Lightbox {
  readonly #dialog = element("dialog", { "aria-labelledby": "shown-name" });
  readonly #name = element("span", { class: "name", id: "shown-name" });
  readonly #note = element("span", { class: "quiet" });
  readonly #stage = element("div", { class: "stage" });
  readonly #progress = element("progress", {
    max: "1",
    value: "0",
    "aria-label": "Decrypting",
  });
  readonly #save = element("span");
  readonly #caption = element("p", { class: "told" });
  readonly #said = element("span", { class: "unseen", role: "status" });
  #place = 0;
  #showing: AbortController | undefined;
  readonly #addresses: string[] = [];
  /** A preview stands on the stage. */
  #previewed = false;

  constructor(
    private readonly reader: ShareReader,
    private readonly items: readonly Item[],
    private readonly thumbnails: ReadonlyMap<Item, string>,
  ) {
    const step = (by: number) => () => this.#go(this.#place + by);
    const turn = items.length < 2 ? [] : [
      button("‹", step(-1), { "aria-label": "Previous" }),
      button("›", step(1), { "aria-label": "Next" }),
    ];
    const close = button("×", () => this.#dialog.close(), {
      "aria-label": "Close",
    });
    this.#dialog.append(
      element(
        "div",
        { class: "bar" },
        element("p", {}, this.#name, this.#note),
        this.#said,
        close,
      ),
      this.#stage,
      element(
        "div",
        {},
        this.#caption,
        element(
          "div",
          { class: "bar" },
          element("p", {}, this.#progress),
          ...turn,
          this.#save,
        ),
      ),
    );
    // Wherever the focus is: it is lost with a button that goes.
    addEventListener("keydown", (event) => {
      if (this.#dialog.open) this.#key(event);
    });
    this.#dialog.addEventListener("close", () => this.#clear());
    this.#swipes();
    document.body.append(this.#dialog);
  }

  /** Shows the item at that place. */
  open(place: number): void {
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#go(place);
  }

  #go(place: number): void {
    const { length } = this.items;
    this.#place = (place + length) % length;
    const item = this.items[this.#place];
    if (item === undefined) return;
    this.#clear();
    this.#name.textContent = shownName(item.name);
    this.#caption.textContent = shownText(item.caption ?? "");
    this.#caption.hidden = this.#caption.textContent === "";
    this.#tell(undefined, false);
    this.#said.textContent = `${shownName(item.name)}, ${
      this.#place + 1
    } of ${length}`;
    this.#save.replaceChildren(
      saveButton(this.reader, item, (text, wrong) => this.#tell(text, wrong)),
    );
    const thumbnail = this.thumbnails.get(item);
    if (thumbnail !== undefined) {
      const rough = { class: "rough", alt: "", src: thumbnail };
      this.#stage.append(element("img", rough));
    }
    if (item.size <= ASK_OVER_BYTES || hasPreview(item)) this.#show(item);
    else this.#ask(item);
  }

  /** The line under the name: where we are, or how something goes. */
  #tell(text: string | undefined, wrong: boolean): void {
    const item = this.items[this.#place];
    this.#note.textContent = text ??
      `${this.#place + 1} of ${this.items.length} · ${
        sizeText(item?.size ?? 0)
      }`;
    this.#note.className = wrong ? "wrong-text" : "quiet";
  }

  #ask(item: Item): void {
    const verb = kindOf(item) === "image" ? "Show" : "Load and play";
    const load = button(`${verb} (${sizeText(item.size)})`, () => {
      words.remove();
      this.#show(item);
    });
    const words = this.#words("This is a big file.", load);
  }

  async #show(item: Item): Promise<void> {
    const showing = new AbortController();
    this.#showing = showing;
    const { signal } = showing;
    this.#progress.hidden = false;
    this.#progress.value = 0;
    try {
      if (await this.#showPreview(item, signal)) {
        // Big, and seen well enough: it is there to be saved.
        if (item.size > ASK_OVER_BYTES) return;
      }
      const blob = await this.reader.readBlob(
        originalOf(item),
        blobType(item),
        {
          signal,
          onProgress: (done) => {
            this.#progress.value = done / Math.max(1, item.size);
          },
        },
      );
      signal.throwIfAborted();
      await this.#stageItem(item, blob, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#stage.replaceChildren();
      this.#previewed = false;
      const again = button("Try again", () => this.#go(this.#place));
      this.#words(faultText(error), again);
    } finally {
      if (!signal.aborted) this.#progress.hidden = true;
    }
  }

  /** Puts an item's preview on the stage; whether that went well. */
  async #showPreview(item: Item, signal: AbortSignal): Promise<boolean> {
    const part = hasPreview(item) ? previewOf(item) : undefined;
    const { preview } = item;
    if (part === undefined || preview === undefined) return false;
    const type = blobType({ mime: preview.mime });
    const image = element("img", { alt: shownName(item.name) });
    try {
      const blob = await this.reader.readBlob(part, type, { signal });
      signal.throwIfAborted();
      image.src = this.#addressOf(blob);
      await image.decode();
    } catch {
      // Without it there is still the picture itself.
      signal.throwIfAborted();
      return false;
    }
    signal.throwIfAborted();
    this.#stage.replaceChildren(image);
    this.#previewed = true;
    return true;
  }

  /** Puts a decrypted item on the stage. */
  async #stageItem(item: Item, blob: Blob, signal: AbortSignal): Promise<void> {
    const src = this.#addressOf(blob);
    const kind = kindOf(item);
    const name = shownName(item.name);
    if (kind !== "image") {
      const attributes = { controls: true, src, "aria-label": name };
      const player = kind === "video"
        ? element("video", { ...attributes, playsinline: true })
        : element("audio", attributes);
      player.addEventListener("error", () => {
        if (!signal.aborted) this.#cannotShow();
      });
      this.#stage.replaceChildren(player);
      return;
    }
    const image = element("img", { alt: name, src });
    try {
      await image.decode();
    } catch {
      if (!signal.aborted) this.#cannotShow();
      return;
    }
    if (!signal.aborted) this.#stage.replaceChildren(image);
  }

  #addressOf(blob: Blob): string {
    const address = URL.createObjectURL(blob);
    this.#addresses.push(address);
    return address;
  }

  #cannotShow(): void {
    // The preview stays: it is all of it that this browser can show.
    if (this.#previewed) return;
    this.#stage.replaceChildren();
    this.#words(
      "Your browser cannot show this kind of file. Download it to open it " +
        "with another program.",
    );
  }

  #words(text: string, ...more: readonly Node[]): HTMLElement {
    const words = element(
      "div",
      { class: "words", role: "alert" },
      element("p", {}, text),
      ...more,
    );
    this.#stage.append(words);
    return words;
  }

  /** Ends what is being decrypted and lets go of what was. */
  #clear(): void {
    this.#showing?.abort();
    this.#showing = undefined;
    this.#stage.replaceChildren();
    this.#progress.hidden = true;
    for (const address of this.#addresses.splice(0)) {
      URL.revokeObjectURL(address);
    }
    this.#previewed = false;
  }

  #key(event: KeyboardEvent): void {
    // A player's own keys are its own.
    if (event.target instanceof HTMLMediaElement) return;
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: this.#place - 1,
      ArrowRight: this.#place + 1,
      Home: 0,
      End: this.items.length - 1,
    };
    const place = places[event.key];
    if (place === undefined || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    this.#go(place);
  }

  #swipes(): void {
    let from: PointerEvent | undefined;
    this.#stage.addEventListener("pointerdown", (event) => {
      from = event.pointerType === "touch" && event.isPrimary
        ? event
        : undefined;
    });
    this.#stage.addEventListener("pointercancel", () => {
      from = undefined;
    });
    this.#stage.addEventListener("pointerup", (event) => {
      if (from === undefined || event.pointerId !== from.pointerId) return;
      const [x, y] = [
        event.clientX - from.clientX,
        event.clientY - from.clientY,
      ];
      from = undefined;
      if (Math.abs(x) < SWIPE_PX || Math.abs(x) < 2 * Math.abs(y)) return;
      this.#go(this.#place + (x < 0 ? 1 : -1));
    });
  }
}
