/**
 * What every browser can be told to do, whichever way it is driven.
 *
 * @module
 */

/** A value that goes into a page, or comes out of it. */
// deno-lint-ignore no-explicit-any
export type Json = any;

/** A window of a browser. */
export interface Window {
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** Runs the body of a function in the page. */
  run(body: string, ...args: Json[]): Promise<Json>;
  click(element: Json): Promise<void>;
  type(element: Json, text: string): Promise<void>;
  /** Makes the page as large as that, however narrow. */
  resize(width: number, height: number): Promise<void>;
  /** A finger that stays on an element for as long (ms). */
  hold(element: Json, ms: number): Promise<void>;
  /** Closes other tabs and windows; how many there were. */
  closeOthers(): Promise<number>;
  /** Where what is saved comes to be. */
  readonly downloads: string;
  /** What can be seen, as a PNG. */
  picture(): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** What is asked of a browser before it starts. */
export interface WindowOptions {
  /** Leads names of a home (`*.lan`) to the server: `host:port`. */
  readonly proxy: string;
}

/** A browser of Debian's. */
export interface Engine {
  readonly name: string;
  /** Starts one without any history. */
  start(options: WindowOptions): Promise<Window>;
}

/** The name that protocols give to a reference to an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** The number of an element that a page gave. */
export function elementId(element: Json): string {
  return String(element[ELEMENT]);
}

/** One finger, as protocols are told of it. */
export function finger(element: Json, ms: number): Json {
  const button = 0;
  return [{
    type: "pointer",
    id: "finger",
    parameters: { pointerType: "touch" },
    actions: [
      { type: "pointerMove", duration: 0, origin: element, x: 0, y: 0 },
      { type: "pointerDown", button },
      { type: "pause", duration: ms },
      { type: "pointerUp", button },
    ],
  }];
}

/** Closes every tab and window but this one, by the protocol's commands. */
export async function closeOthers(driver: {
  readonly all: () => Promise<readonly string[]>;
  readonly current: () => Promise<string>;
  readonly turnTo: (handle: string) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}): Promise<number> {
  const own = await driver.current();
  const others = (await driver.all()).filter((one) => one !== own);
  for (const other of others) {
    await driver.turnTo(other);
    await driver.close();
  }
  await driver.turnTo(own);
  return others.length;
}

const TRIES = 300;

/** Waits until that can be done. */
export async function patiently<T>(attempt: () => T | Promise<T>): Promise<T> {
  for (let tries = 0;; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Ends a process, and waits for it. */
export async function endProcess(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill("SIGTERM");
  } catch {
    // It has ended.
  }
  await child.status;
}
