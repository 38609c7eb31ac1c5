/**
 * WebKitGTK as Debian has it, driven over its WebDriver on a hidden screen: the
 * engine of Safari, but not its video players.
 *
 * @module
 */
import { debianProgram } from "../debian.ts";
import {
  closeOthers,
  elementId,
  endProcess,
  type Engine,
  type Json,
  patiently,
  type Window,
  type WindowOptions,
} from "./engine.ts";
import { freePort } from "../../../src/server/free_port.ts";

/** Nothing takes longer (ms). */
const PATIENCE_MS = 60_000;

/** Undefined where there is none, which is said. */
export async function webkit(): Promise<Engine | undefined> {
  const driver = await debianProgram("WebKitWebDriver", "webkit2gtk-driver");
  const screen = await debianProgram("Xvfb", "xvfb");
  return driver === undefined || screen === undefined ? undefined : {
    name: "WebKitGTK",
    start: (options) => start(driver, screen, options),
  };
}

async function start(
  driver: string,
  screen: string,
  { proxy }: WindowOptions,
): Promise<Window> {
  const home = await Deno.makeTempDir({ prefix: "strongroom-webkit-" });
  await narrowed(home);
  const silent = { stdin: "null", stdout: "null", stderr: "null" } as const;
  const [xvfb, display] = await openScreen(screen);
  const port = freePort();
  const child = new Deno.Command(driver, {
    args: [`--port=${port}`],
    env: {
      DISPLAY: display,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      // Tests run as root in containers, where no namespaces can be made.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
    },
    ...silent,
  }).spawn();
  const end = async () => {
    await endProcess(child);
    await endProcess(xvfb);
    await Deno.remove(home, { recursive: true }).catch(() => undefined);
  };
  try {
    const at = `http://127.0.0.1:${port}`;
    const { sessionId } = await patiently(() =>
      ask(`${at}/session`, "POST", {
        capabilities: {
          alwaysMatch: {
            proxy: {
              proxyType: "manual",
              httpProxy: proxy,
              noProxy: ["127.0.0.1"],
            },
          },
        },
      })
    );
    return windowOf(`${at}/session/${sessionId}`, home, end);
  } catch (error) {
    await end();
    throw error;
  }
}

/** What lasts longer is no click. */
const TAP_MS = 300;

function fingerSays(event: string): string {
  return `const { x, y } = arguments[0].getBoundingClientRect();
    arguments[0].dispatchEvent(new PointerEvent("${event}", {
      pointerType: "touch",
      isPrimary: true,
      bubbles: true,
      cancelable: true,
      clientX: x + 9,
      clientY: y + 9,
    }))`;
}

/** What is around a page may be narrower than a phone. */
async function narrowed(home: string): Promise<void> {
  await Deno.mkdir(`${home}/.config/gtk-3.0`, { recursive: true });
  await Deno.writeTextFile(
    `${home}/.config/gtk-3.0/gtk.css`,
    "* { font-size: 1px; padding: 0; margin: 0; border-width: 0; " +
      "min-width: 0; min-height: 0; -gtk-icon-transform: scale(0.1); }\n",
  );
}

/** Starts a screen, and tells its name. */
async function openScreen(
  program: string,
): Promise<[Deno.ChildProcess, string]> {
  const child = new Deno.Command(program, {
    args: [
      "-displayfd",
      "1",
      "-screen",
      "0",
      "1400x1000x24",
      "-nolisten",
      "tcp",
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let said = "";
  // The number and the line's end come one by one; it ends if no one reads.
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += piece;
    if (said.includes("\n")) break;
  }
  const number = said.trim();
  if (number === "") throw new Error("there is no screen");
  return [child, `:${number}`];
}

async function ask(
  url: string,
  method: "POST" | "GET" | "DELETE",
  given?: Json,
): Promise<Json> {
  const response = await fetch(url, {
    method,
    // A driver that hangs fails its test, and not the whole run.
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(given === undefined ? {} : { body: JSON.stringify(given) }),
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${url}: ${value.error}: ${value.message}`);
  return value;
}

function windowOf(
  session: string,
  downloads: string,
  end: () => Promise<void>,
): Window {
  const post = (path: string, given: Json = {}) =>
    ask(`${session}/${path}`, "POST", given);
  return {
    open: (url) => post("url", { url }),
    reload: () => post("refresh"),
    back: () => post("back"),
    run: (script, ...args) => post("execute/sync", { script, args }),
    click: (element) => post(`element/${elementId(element)}/click`),
    type: (element, text) =>
      post(`element/${elementId(element)}/value`, { text }),
    async resize(width, height) {
      const script = "return [innerWidth, innerHeight]";
      const run = () => post("execute/sync", { script, args: [] });
      let [wide, high] = [width, height];
      await patiently(async () => {
        await post("window/rect", { width: wide, height: high });
        const [x, y] = await run();
        if (x === width && y === height) return;
        // What is around the page takes its room.
        [wide, high] = [wide + width - x, high + height - y];
        throw new Error(`it is ${x} by ${y}`);
      });
    },
    // Its driver knows no fingers: what one does is told to the page.
    async hold(element, ms) {
      const tell = (script: string) =>
        post("execute/sync", { script, args: [element] });
      await tell(fingerSays("pointerdown"));
      await new Promise((resolve) => setTimeout(resolve, ms));
      await tell(fingerSays("pointerup"));
      if (ms < TAP_MS) await tell("arguments[0].click()");
    },
    closeOthers: () =>
      closeOthers({
        all: () => ask(`${session}/window/handles`, "GET"),
        current: () => ask(`${session}/window`, "GET"),
        turnTo: (handle) => post("window", { handle }),
        close: () => ask(`${session}/window`, "DELETE"),
      }),
    downloads,
    async picture() {
      return Uint8Array.fromBase64(await ask(`${session}/screenshot`, "GET"));
    },
    async close() {
      await ask(session, "DELETE").catch(() => undefined);
      await end();
    },
  };
}
