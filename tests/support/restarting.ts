import type { TestApp } from "./app.ts";

/** An application in whose place another can be opened. */
export interface RestartingApp extends TestApp {
  /** The one that was opened last. */
  readonly current: () => TestApp;
  /** What a service manager does after a server that could not go on. */
  readonly restart: () => Promise<void>;
}

/** The same requests go to whichever was opened last. */
export function restarting(first: TestApp): RestartingApp {
  let current = first;
  return {
    ...first,
    get app() {
      return current.app;
    },
    send: (method, path, options) => current.send(method, path, options),
    current: () => current,
    restart: async () => {
      current = await current.reopen();
    },
  };
}
