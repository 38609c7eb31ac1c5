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
  resize(width: number, height: number): Promise<void>;
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
