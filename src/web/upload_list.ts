/**
 * The files that a guest chose: one is sent after the other, each with its row,
 * its progress and what can be done about it.
 *
 * @module
 */
import type { GuestLink } from "../client/answers.ts";
import { ciphertextSize } from "../client/stream.ts";
import { button, element, say } from "./dom.ts";
import {
  Cancelled,
  GuestUpload,
  type Recipient,
  type Standing,
} from "./guest_upload.ts";
import {
  countText,
  faultText,
  shownName,
  sizeText,
  waitText,
} from "./words.ts";

/** A file with its place on the page. */
interface Row {
  readonly file: File;
  /** Bytes that it takes of the link. */
  readonly bytes: number;
  readonly element: HTMLElement;
  readonly note: HTMLElement;
  readonly progress: HTMLProgressElement;
  readonly buttons: HTMLElement;
  state: "queued" | "running" | "done" | "failed" | "gone";
  upload: GuestUpload | undefined;
}

type Room = Pick<GuestLink, "files_left" | "max_bytes_left">;

export class UploadList {
  readonly #rows: Row[] = [];
  readonly #list = element("ul", { class: "files" });
  #isRunning = false;

  constructor(
    private readonly recipient: Recipient,
    private readonly room: Room,
  ) {
    addEventListener("online", () => this.#running()?.upload?.goOn());
    addEventListener("beforeunload", (event) => {
      if (this.#isRunning) event.preventDefault();
    });
  }

  /** The place to drop files at, and the list of them. */
  content(): HTMLElement[] {
    const input = element("input", {
      type: "file",
      multiple: true,
      id: "files",
      class: "unseen",
      tabindex: "-1",
      "aria-hidden": "true",
    });
    input.addEventListener("change", () => {
      this.add([...input.files ?? []]);
      input.value = "";
    });
    const choose = button("Choose files", () => input.click(), {
      class: "main",
    });
    const drop = element(
      "div",
      { class: "drop" },
      choose,
      element("p", { class: "quiet" }, "or drop them here"),
      input,
    );
    takeDrops(drop, (files) => this.add(files));
    return [drop, this.#list];
  }

  /** Takes files in, as far as the link takes them, and begins to send. */
  add(files: readonly File[]): void {
    for (const file of files) {
      const row = makeRow(file);
      this.#rows.push(row);
      this.#list.append(row.element);
      const refusal = this.#refusal(row);
      if (refusal === undefined) this.#enqueue(row);
      else {
        row.state = "failed";
        tellRow(row, refusal, "wrong-text");
        row.buttons.replaceChildren(this.#removal(row));
      }
    }
    this.#sendAll();
  }

  #running(): Row | undefined {
    return this.#rows.find(({ state }) => state === "running");
  }

  /** Why the link does not take a file, with all that is on the list. */
  #refusal(row: Row): string | undefined {
    const taken = this.#rows.filter((one) =>
      one !== row && ["queued", "running", "done"].includes(one.state)
    );
    const bytes = taken.reduce((sum, one) => sum + one.bytes, 0);
    const left = this.room.max_bytes_left - bytes;
    if (taken.length >= this.room.files_left) {
      return `The link takes no more than ${
        countText(this.room.files_left, "file")
      }.`;
    }
    if (row.bytes <= left) return undefined;
    return `Too big: the link has ${sizeText(Math.max(0, left))} left.`;
  }

  #enqueue(row: Row): void {
    row.state = "queued";
    tellRow(row, `${sizeText(row.file.size)}, waiting its turn`);
    row.buttons.replaceChildren(this.#removal(row));
  }

  /** A button that takes a row off the list. */
  #removal(row: Row): HTMLButtonElement {
    const name = shownName(row.file.name);
    return button("Remove", () => {
      row.state = "gone";
      row.element.remove();
    }, { "aria-label": `Remove ${name}` });
  }

  async #sendAll(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (;;) {
      const row = this.#rows.find(({ state }) => state === "queued");
      if (row === undefined) break;
      await this.#send(row);
    }
    this.#isRunning = false;
    const done = this.#rows.filter(({ state }) => state === "done").length;
    const failed = this.#rows.filter(({ state }) => state === "failed").length;
    if (done === 0) return say("");
    say(
      failed === 0
        ? `${countText(done, "file")} received. You may close this page.`
        : `${countText(done, "file")} received, ${failed} not.`,
    );
  }

  async #send(row: Row): Promise<void> {
    const name = shownName(row.file.name);
    row.state = "running";
    say(`Sending ${name}`);
    const upload = new GuestUpload(
      row.file,
      this.recipient,
      (standing) => tellStanding(row, standing),
    );
    row.upload = upload;
    this.#offerPause(row, upload);
    row.progress.hidden = false;
    try {
      await upload.run();
      row.state = "done";
      tellRow(row, `${sizeText(row.file.size)}, received`, "right-text");
      row.buttons.replaceChildren();
    } catch (error) {
      if (error instanceof Cancelled) {
        row.state = "gone";
        row.element.remove();
        return;
      }
      row.state = "failed";
      tellRow(row, faultText(error), "wrong-text");
      const again = button("Try again", () => {
        this.#enqueue(row);
        this.#sendAll();
      }, { "aria-label": `Try again: ${name}` });
      row.buttons.replaceChildren(again, this.#removal(row));
    } finally {
      row.upload = undefined;
      row.progress.hidden = true;
    }
  }

  #offerPause(row: Row, upload: GuestUpload): void {
    const name = shownName(row.file.name);
    let paused = false;
    const toggle = button("Pause", () => {
      paused = !paused;
      toggle.textContent = paused ? "Resume" : "Pause";
      toggle.setAttribute("aria-label", `${toggle.textContent} ${name}`);
      if (paused) upload.pause();
      else upload.resume();
    }, { "aria-label": `Pause ${name}` });
    const cancel = button("Cancel", () => upload.cancel(), {
      "aria-label": `Cancel ${name}`,
    });
    row.buttons.replaceChildren(toggle, cancel);
  }
}

function makeRow(file: File): Row {
  const name = shownName(file.name);
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? "file";
  const note = element("p", { class: "note quiet" });
  const buttons = element("div", { class: "buttons" });
  const progress = element("progress", {
    class: "wide",
    max: "1",
    value: "0",
    hidden: true,
    "aria-label": `Progress of ${name}`,
  });
  return {
    file,
    bytes: ciphertextSize(file.size),
    element: element(
      "li",
      {},
      element("span", { class: "kind", "aria-hidden": "true" }, ending),
      element("div", {}, element("p", { class: "name" }, name), note),
      buttons,
      progress,
    ),
    note,
    progress,
    buttons,
    state: "queued",
    upload: undefined,
  };
}

function tellRow(row: Row, text: string, tone = "quiet"): void {
  row.note.textContent = text;
  row.note.className = `note ${tone}`;
}

function tellStanding(row: Row, standing: Standing): void {
  const size = sizeText(row.file.size);
  const percent = (done: number) => `${Math.floor(100 * done)} % of ${size}`;
  switch (standing.kind) {
    case "preparing":
      row.progress.value = standing.done;
      return tellRow(row, `Encrypting, ${percent(standing.done)}`);
    case "sending":
      row.progress.value = standing.done;
      return tellRow(row, `Sending, ${percent(standing.done)}`);
    case "finishing":
      row.progress.value = 1;
      return tellRow(row, `${size}, being checked by the server`);
    case "paused":
      return tellRow(row, `${size}, paused`);
    case "waiting":
      return tellRow(
        row,
        `No connection, or a busy server. Trying again in ${
          waitText(standing.forMs)
        }.`,
      );
  }
}

/** Hands over files that are dropped on an element, or beside it. */
function takeDrops(
  target: HTMLElement,
  take: (files: readonly File[]) => void,
): void {
  const over = (isOver: boolean) => target.classList.toggle("over", isOver);
  // A file dropped beside the mark would open in the place of this page.
  addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) over(false);
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    take([...event.dataTransfer?.files ?? []]);
  });
}
